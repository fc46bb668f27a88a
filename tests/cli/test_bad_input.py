"""Bad and odd input, each with the one line it must give and its exit code."""

import errno
import json
import os

import numpy as np
import pytest
from PIL import Image
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from ocrlstm.errors import OutputError
from ocrlstm.network import load_model_file, save_model


def save_truncated(bars, path):
    Image.fromarray(bars(30)).save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def save_exif_rotated(bars, path):
    exif = Image.Exif()
    exif[0x0112] = 6  # shown rightly after a quarter turn clockwise
    turned = Image.fromarray(bars(3)).transpose(Image.Transpose.ROTATE_90)
    turned.save(path, exif=exif)


def save_palette_with_alpha(bars, path):
    # Entry 0 is black but transparent, so it is paper; entry 1 is black and opaque.
    image = Image.fromarray((bars(3) == 0).astype(np.uint8), mode="L").convert("P")
    image.putdata(list((bars(3) == 0).astype(np.uint8).ravel()))
    image.putpalette([0, 0, 0, 0, 0, 0])
    image.save(path, transparency=bytes([0, 255]))


UNREADABLE = {
    "zero bytes": (lambda bars, path: path.touch(), "is empty (0 bytes)"),
    "truncated": (save_truncated, "truncated"),
    "text": (lambda bars, path: path.write_text("no image"), "not an image"),
}

ODD = {
    "1x1": (lambda bars, path: Image.new("L", (1, 1)).save(path), ""),
    "1 pixel high": (lambda bars, path: Image.new("L", (300, 1)).save(path), ""),
    "1 pixel wide": (lambda bars, path: Image.new("L", (1, 60)).save(path), ""),
    "20,000 wide": (lambda bars, path: Image.fromarray(bars(833)).save(path), "i" * 833),
    "16-bit": (
        lambda bars, path: Image.fromarray(bars(3).astype(np.uint16) * 257).save(path),
        "iii",
    ),
    "CMYK": (
        lambda bars, path: Image.fromarray(bars(3)).convert("CMYK").save(path, format="TIFF"),
        "iii",
    ),
    "palette with alpha": (save_palette_with_alpha, "iii"),
    "EXIF-rotated": (save_exif_rotated, "iii"),
    "white on black": (lambda bars, path: Image.fromarray(255 - bars(3)).save(path), "iii"),
    "all white": (lambda bars, path: Image.new("L", (300, 32), 255).save(path), ""),
    "all black": (lambda bars, path: Image.new("L", (300, 32), 0).save(path), ""),
}


def one_line(result, code: int = 2) -> str:
    """Check exit code and form of the error; give the message."""
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("ocrlstm: ")
    return line.removeprefix("ocrlstm: ").removeprefix("error: ")


@pytest.fixture
def recognize(run, bar_model_file):
    return lambda *arguments: run("recognize", "-m", bar_model_file, *arguments)


@pytest.mark.parametrize("kind", UNREADABLE)
def test_unreadable_images(recognize, bars, tmp_path, kind):
    save, message = UNREADABLE[kind]
    path = tmp_path / "line.png"
    save(bars, path)
    line = one_line(recognize(path))
    assert line.startswith(f"{path}: ") and message in line


@pytest.mark.parametrize("kind", ODD)
def test_odd_images_are_read(recognize, bars, tmp_path, kind):
    save, text = ODD[kind]
    path = tmp_path / "line.png"
    save(bars, path)
    result = recognize(path)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{text}\n"


def test_all_of_them_at_once(recognize, bars, tmp_path):
    for number, (save, _) in enumerate([*UNREADABLE.values(), *ODD.values()]):
        save(bars, tmp_path / f"{number}.png")
    result = recognize(tmp_path)
    assert result.exit_code == 1
    texts = [line.split("\t")[1] for line in result.stdout.splitlines()]
    assert texts == [text for _, text in ODD.values()]
    assert len(result.stderr.splitlines()) == len(UNREADABLE) + 1


@pytest.mark.parametrize("command", ["recognize", "evaluate", "train"])
def test_missing_file(run, tmp_path, command):
    output = ["-o", tmp_path / "m.safetensors"] if command == "train" else []
    line = one_line(run(command, tmp_path / "no.png", *output))
    assert line == f"{tmp_path}/no.png: no such file or folder"


@pytest.mark.parametrize("command", ["evaluate", "train"])
def test_folder_without_pairs(run, write_line, tmp_path, command):
    write_line(tmp_path, "a", 1)
    output = ["-o", tmp_path / "m.safetensors"] if command == "train" else []
    line = one_line(run(command, tmp_path, *output))
    assert "found 1 image but no text" in line and "a.gt.txt" in line


def test_folder_without_images(recognize, tmp_path):
    assert one_line(recognize(tmp_path)).startswith(f"{tmp_path}: no images")


@pytest.fixture(params=["evaluate", "train"])
def use_pairs(request, run, bar_model_file, tmp_path):
    """Run a command that needs pairs on a folder."""
    if request.param == "evaluate":
        return lambda folder: run("evaluate", "-m", bar_model_file, folder)
    return lambda folder: run("train", folder, "-o", tmp_path / "new.safetensors")


def test_empty_text(use_pairs, write_line, tmp_path):
    write_line(tmp_path, "a", 1, "")
    assert f"{tmp_path}/a.gt.txt: the text is empty" in one_line(use_pairs(tmp_path))
    assert not (tmp_path / "new.safetensors").exists()


def test_text_not_utf8(use_pairs, write_line, tmp_path):
    write_line(tmp_path, "a", 1, "i")
    (tmp_path / "a.gt.txt").write_bytes(b"gr\xfcn")
    message = f"{tmp_path}/a.gt.txt: not UTF-8 (byte 0xfc at offset 2)"
    assert message in one_line(use_pairs(tmp_path))


def test_evaluating_an_unreadable_image(run, bar_model_file, write_line, tmp_path):
    write_line(tmp_path, "a", 1, "i").write_bytes(b"")
    line = one_line(run("evaluate", "-m", bar_model_file, tmp_path))
    assert line.startswith(f"{tmp_path}/a.png: is empty")


def with_weights(path, change):
    """Rewrite a model file with other weights under the same header."""
    with safe_open(path, framework="numpy") as file:
        header = file.metadata()
    save_file(change(load_file(path)), path, metadata=header)


def with_header(path, **values):
    """Rewrite a model file with another header over the same weights."""
    with safe_open(path, framework="numpy") as file:
        header = json.loads(file.metadata()["ocrlstm"])
    save_file(load_file(path), path, metadata={"ocrlstm": json.dumps({**header, **values})})


MODELS = {
    "cut in half": (
        lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
        "is damaged or not a model file",
    ),
    "empty": (lambda path: path.write_bytes(b""), "is damaged or not a model file"),
    "wrong shape": (
        lambda path: with_weights(path, lambda w: {n: a[:, 1:].copy() for n, a in w.items()}),
        "weights O_0.W2 are (3, 32), its spec needs (3, 33)",
    ),
    "newer format": (
        lambda path: with_header(path, format_version=99),
        "model format 99, but this ocrlstm reads up to 1; install a newer ocrlstm",
    ),
    "not ours": (
        lambda path: save_file({"a": np.zeros(3, np.float32)}, path),
        "not of ocrlstm",
    ),
}


@pytest.mark.parametrize("kind", MODELS)
@pytest.mark.parametrize("command", ["recognize", "evaluate"])
def test_bad_models(run, bar_model_file, write_line, tmp_path, command, kind):
    spoil, message = MODELS[kind]
    spoil(bar_model_file)
    line = one_line(run(command, "-m", bar_model_file, write_line(tmp_path, "a", 1, "i")))
    assert line.startswith(f"{bar_model_file}: ") and message in line


def test_no_such_model(run, write_line, tmp_path):
    line = one_line(run("recognize", "-m", "frktur", write_line(tmp_path, "a", 1)))
    assert line.startswith("frktur: neither a model file nor the name of a shipped model")


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/ocrlstm", "/proc"])
def test_output_folder_not_writable(recognize, write_line, tmp_path, place):
    if place.startswith("/proc") and not os.path.isdir("/proc"):
        pytest.skip("no /proc here")
    (tmp_path / "file").touch()
    folder = tmp_path / place
    line = one_line(recognize(write_line(tmp_path, "a", 1), "-o", folder))
    assert line.startswith(f"{folder}: cannot be used as output folder (")


@pytest.fixture
def fill_disk(monkeypatch):
    """Let the disk be full after so many files."""

    def fill(files: int) -> None:
        written, fsync = [], os.fsync

        def fsync_or_fail(handle):
            written.append(handle)
            if len(written) > files:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            fsync(handle)

        monkeypatch.setattr(os, "fsync", fsync_or_fail)

    return fill


@pytest.fixture
def full_disk(fill_disk):
    fill_disk(0)


def test_disk_full_while_writing_results(recognize, write_line, tmp_path, full_disk):
    line = one_line(recognize(write_line(tmp_path / "in", "a", 1), "-o", tmp_path / "out"))
    assert line.startswith(f"{tmp_path}/out/a.txt: cannot be written (No space left on device)")
    assert list((tmp_path / "out").iterdir()) == []


def test_disk_full_while_saving_a_model(bar_model_file, bar_model, full_disk):
    before = bar_model_file.read_bytes()
    bar_model.network.parameters()["O_0.W2"][:] = 7
    with pytest.raises(OutputError, match="No space left on device"):
        save_model(bar_model, bar_model_file)
    assert bar_model_file.read_bytes() == before
    assert [path.name for path in bar_model_file.parent.iterdir()] == [bar_model_file.name]
    load_model_file(bar_model_file)


# Before the first model are written: the checkpoint, it and the log at the start and after epoch 1.
@pytest.mark.parametrize(("files", "last"), [(0, "ckpt"), (2, "csv"), (5, "safetensors")])
def test_disk_full_while_training(
    run, write_line, bar_model_file, fill_disk, monkeypatch, files, last
):
    # A slow machine would also write the checkpoints that fall due by the clock.
    for name in ("_CHECKPOINT_SECONDS", "_CHECKPOINT_SECONDS_BEFORE_VALIDATION"):
        monkeypatch.setattr(f"ocrlstm.training.trainer.{name}", float("inf"))
    before = bar_model_file.read_bytes()
    pairs = bar_model_file.parent / "pairs"
    for name in "abc":
        write_line(pairs, name, 2, "ii")
    fill_disk(files)
    result = run("train", pairs, "-o", bar_model_file, "--spec", "[1,8,0,1 Lbx2 O1c]")
    assert (result.exit_code, result.stdout) == (2, "")
    path = bar_model_file.with_suffix(f".{last}")
    assert result.stderr.splitlines()[-1] == (
        f"ocrlstm: error: {path}: cannot be written (No space left on device); "
        "free space or choose another place with -o"
    )
    assert result.stderr.count("error") == 1
    assert bar_model_file.read_bytes() == before
