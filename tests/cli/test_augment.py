"""``ocrlstm augment`` and the option --distort."""

import numpy as np
import pytest

from ocrlstm.image import read_image
from ocrlstm.lines import DISTORTIONS, LineNormalizer, normalize_line
from ocrlstm.network import load_model_file

PITCH = 40 + 4  # a line of the default height and the gap


def lines_of(sheet, height=40):
    pixels = read_image(sheet)
    return [pixels[top : top + height] for top in range(0, len(pixels), height + 4)]


@pytest.fixture
def pairs(tmp_path, write_line):
    for count in (2, 5, 9):
        write_line(tmp_path / "lines", f"bars{count}", count)
    return tmp_path / "lines"


def test_a_sheet_for_each_image(run, pairs, tmp_path):
    result = run("augment", pairs, "-o", tmp_path / "out", "--copies", 4)
    assert result.exit_code == 0, result.stderr
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"bars{count}.png" for count in (2, 5, 9)
    ]
    lines = lines_of(tmp_path / "out" / "bars5.png")
    assert len(lines) == 5
    plain = normalize_line(read_image(pairs / "bars5.png"), LineNormalizer("center", 40, 3.0))
    np.testing.assert_allclose(lines[0][:, : plain.pixels.shape[1]], plain.pixels, atol=1 / 255)
    assert not any(np.array_equal(lines[0], line) for line in lines[1:])


def test_the_seed_decides(run, pairs, tmp_path):
    for folder, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert run("augment", pairs, "-o", tmp_path / folder, "--seed", seed).exit_code == 0
    a, b, c = ((tmp_path / name / "bars9.png").read_bytes() for name in "abc")
    assert a == b != c


def test_a_sheet_for_each_distortion(run, pairs, tmp_path):
    result = run("augment", pairs / "bars5.png", "-o", tmp_path, "--each", "--copies", 2)
    assert result.exit_code == 0, result.stderr
    sheets = {name: tmp_path / f"bars5.{name}.png" for name in DISTORTIONS}
    assert all(path.exists() for path in sheets.values())
    plain, *copies = lines_of(sheets["contrast"])
    assert len(copies) == 2
    # Contrast makes greys black or white, and nothing else.
    assert all(not copy[plain == 0].any() for copy in copies)


def test_strengths_count(run, pairs, tmp_path):
    others = [f"--distort={name}=0" for name in DISTORTIONS if name != "width"]
    image = pairs / "bars9.png"
    for folder, more in (
        ("same", ["--augment", 0]),
        ("off", ["--distort", "width=0"]),
        ("wide", ["--distort", "width=5"]),
        ("last", ["--distort", "width=5", "--distort", "width=0"]),
    ):
        assert run("augment", image, "-o", tmp_path / folder, *others, *more).exit_code == 0
    same, off, wide, last = (
        read_image(tmp_path / folder / "bars9.png") for folder in ("same", "off", "wide", "last")
    )
    assert all(np.array_equal(same[:40], same[top : top + 40]) for top in range(0, 400, PITCH))
    np.testing.assert_array_equal(same, off)
    np.testing.assert_array_equal(same, last)
    assert wide.shape != same.shape


def test_height_and_normaliser(run, pairs, tmp_path):
    image = pairs / "bars5.png"
    options = ["--height", 24, "--normalizer", "scale", "--copies", 1, "--augment", 0]
    assert run("augment", image, "-o", tmp_path, *options).exit_code == 0
    plain = normalize_line(read_image(image), LineNormalizer("scale", 24)).pixels
    np.testing.assert_allclose(lines_of(tmp_path / "bars5.png", 24)[1], plain, atol=1 / 255)


def test_a_bad_image_does_not_stop_the_others(run, pairs, tmp_path):
    (pairs / "bad.png").write_bytes(b"no image")
    options = ["-o", tmp_path / "out", "--distort", "neighbour=5", "--distort", "bleed=5"]
    result = run("augment", pairs, *options)
    assert result.exit_code == 1
    assert "bad.png" in result.stderr and len(result.stderr.splitlines()) == 1
    assert len(list((tmp_path / "out").iterdir())) == 3
    result = run("augment", pairs / "bad.png", "-o", tmp_path / "out")
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("blurr=1", "--distort: there is no distortion 'blurr'; did you mean 'blur'? All are:"),
        ("blurr", "--distort: there is no distortion 'blurr'; did you mean 'blur'? All are:"),
        ("blur", "--distort blur: the strength is missing; write NAME=STRENGTH, as in blur=0.5"),
        ("blur=much", "--distort blur=much: 'much' is no number; write NAME=STRENGTH, as in blur"),
        ("blur=-1", "--distort: the factor of blur is -1; it must lie in 0 to 5"),
        ("blur=nan", "--distort: the factor of blur is nan; it must lie in 0 to 5"),
    ],
)
@pytest.mark.parametrize("command", ["augment", "train"])
def test_bad_strengths(run, pairs, tmp_path, command, value, message):
    result = run(command, pairs, "-o", tmp_path / "out", "--distort", value)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ocrlstm: error: {message}")
    assert len(result.stderr.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_other_bad_use(run, pairs, tmp_path):
    result = run("augment", pairs, "-o", tmp_path / "out", "--augment", 9)
    assert result.exit_code == 2 and "--augment is 9.0; it must lie in 0 to 5" in result.stderr
    result = run("augment", pairs, "-o", pairs / "bars2.png")
    assert result.exit_code == 2 and "cannot be used as output folder" in result.stderr
    result = run("augment", tmp_path / "nowhere", "-o", tmp_path / "out")
    assert result.exit_code == 2 and "nowhere" in result.stderr


def test_training_keeps_the_strengths(run, tmp_path, write_line):
    for count in range(1, 6):
        write_line(tmp_path / "lines", f"bars{count}", count, "i" * count)
    model = tmp_path / "model.safetensors"
    options = ["--spec", "[1,16,0,1 Lbx4 O1c]", "--epochs", 1, "--augment", 0.5]
    strengths = ["--distort", "blur=2", "--distort", "spacing=0"]
    result = run("train", tmp_path / "lines", "-o", model, *options, *strengths)
    assert result.exit_code == 0, result.stderr
    config = load_model_file(model).metadata["config"]
    assert config["augment"] == 0.5
    assert config["distortions"] == {"spacing": 0.0, "blur": 2.0}
