"""`ocrlstm pack`: what it writes, tells and refuses."""

import pytest

from ocrlstm.cli import pack as pack_command
from ocrlstm.datasets import open_pack

HEIGHT = ("--height", "16", "--normalizer", "scale")


@pytest.fixture
def folder(write_line, tmp_path):
    for count in (2, 3, 4):
        write_line(tmp_path / "lines", f"n{count}", count, "i" * count)
    return tmp_path / "lines"


def test_writes_a_pack(run, folder, tmp_path):
    result = run("pack", folder, "-o", tmp_path / "a.pack", *HEIGHT)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == f"{tmp_path / 'a.pack'}\t3 lines\n"
    pack = open_pack(tmp_path / "a.pack")
    assert list(pack.texts()) == ["ii", "iii", "iiii"]
    assert (pack.form.normalizer.height, pack.form.normalizer.kind) == (16, "scale")
    assert pack.form.normalizer.range == 3.0


def test_settings_are_those_of_train(run, folder, tmp_path):
    run("pack", folder, "-o", tmp_path / "a.pack")
    result = run("pack", folder, "-o", tmp_path / "b.pack", "--text-rule", "long_s", "--range", 4)
    assert result.exit_code == 0
    assert open_pack(tmp_path / "a.pack").form.normalizer.height == 40
    form = open_pack(tmp_path / "b.pack").form
    assert (form.rules.names, form.normalizer.range) == (("long_s",), 4.0)
    result = run(
        "train",
        tmp_path / "b.pack",
        "-o",
        tmp_path / "m",
        "--epochs",
        1,
        "--spec",
        "[1,40,0,1 O1c]",
    )
    assert result.exit_code == 2
    assert "packed with range 4.0 instead of 3.0, text rules" in result.stderr


def test_a_pack_trains(run, folder, tmp_path):
    run("pack", folder, "-o", tmp_path / "a.pack", *HEIGHT)
    settings = ("--spec", "[1,16,0,1 Lbx2 O1c]", "--normalizer", "scale", "--epochs", 1)
    result = run("train", tmp_path / "a.pack", folder, "-o", tmp_path / "m", *settings)
    assert result.exit_code == 0, result.stderr


def test_for_a_model(run, folder, tmp_path, bar_model_file):
    result = run("pack", folder, "-o", tmp_path / "a.pack", "--from", bar_model_file)
    assert result.exit_code == 0, result.stderr
    normalizer = open_pack(tmp_path / "a.pack").form.normalizer
    assert (normalizer.kind, normalizer.height, normalizer.padding) == ("scale", 32, 16)


def test_faults_are_told_and_the_rest_is_packed(run, folder, write_line, tmp_path):
    (folder / "n2.png").write_bytes(b"")
    write_line(folder, "bare", 1)
    result = run("pack", folder, "-o", tmp_path / "a.pack", *HEIGHT)
    assert result.exit_code == 1
    assert result.stdout.endswith("\t2 lines\n")
    assert f"ocrlstm: left out: {folder / 'n2.png'}: is empty (0 bytes)" in result.stderr
    assert "left out: an image has no text beside, first" in result.stderr


def test_nothing_of_use(run, folder, tmp_path):
    for text in folder.glob("*.txt"):
        text.write_text("")
    result = run("pack", folder, "-o", tmp_path / "a.pack")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "none of 3 pairs can be packed" in result.stderr
    assert not (tmp_path / "a.pack").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["lines", "-o", "no/a.pack"], "there is no folder no"),
        (["lines", "-o", "a.pack", "--height", "3"], "--height is 3; it must lie in 4 to 1000"),
        (["nothing", "-o", "a.pack"], "nothing: no such file or folder"),
        (["lines/n2.gt.txt", "-o", "a.pack"], "no "),
        (["lines"], "Missing option '-o'"),
    ],
)
def test_refused(run, folder, tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    result = run("pack", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr


def test_interrupted_and_gone_on_with(run, folder, tmp_path, monkeypatch):
    write_pack = pack_command.write_pack

    def interrupted(*arguments, progress, **more):
        def stop(done, total):
            if done == 2:
                raise KeyboardInterrupt

        return write_pack(*arguments, progress=stop, **more)

    with monkeypatch.context() as patch:
        patch.setattr(pack_command, "write_pack", interrupted)
        result = run("pack", folder, "-o", tmp_path / "a.pack", *HEIGHT)
    assert result.exit_code == 130
    partial = tmp_path / "a.partial.pack"
    assert result.stdout == f"{partial}\t2 lines\n"
    assert f"go on with the same command and {partial} among its paths" in result.stderr
    assert not (tmp_path / "a.pack").exists()
    result = run("pack", partial, folder, "-o", tmp_path / "a.pack", *HEIGHT)
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'a.pack'}\t3 lines\n")
    assert "2 lines taken over from packs" in result.stderr
    assert "2 lines were there already" in result.stderr
