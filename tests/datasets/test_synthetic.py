"""Drawn pairs: the text is what the image shows, and a seed gives the same again."""

import re
from collections import Counter
from itertools import islice

import numpy as np
import pytest
from PIL import Image, ImageFont

from ocrlstm.datasets.degradation import bend, print_and_scan, shrink
from ocrlstm.datasets.inflection import gerund, past, plural, roman
from ocrlstm.datasets.sentences import break_line, english_lines
from ocrlstm.datasets.synthetic import (
    covers,
    find_fonts,
    generate,
    load_font,
    missing_characters,
    render_line,
)
from ocrlstm.errors import DatasetError


@pytest.fixture(scope="module")
def font_file(tmp_path_factory):
    """The scalable font inside Pillow, as a file."""
    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont):
        pytest.skip("this Pillow is built without FreeType")
    file = tmp_path_factory.mktemp("fonts") / "Default.ttf"
    font.path.seek(0)
    file.write_bytes(font.path.read())
    return file


def test_a_line_is_dark_on_light_grey_and_of_usual_height(font_file):
    for seed in range(12):
        image = render_line("Figs, 1891", load_font(font_file), np.random.default_rng(seed))
        pixels = np.asarray(image, float)
        assert image.mode == "L"
        assert 40 <= image.height <= 70
        assert image.width > 2 * image.height
        assert np.median(pixels) - pixels.min() > 60
        assert 0.02 < (pixels < (np.median(pixels) + pixels.min()) / 2).mean() < 0.4


def test_a_faultless_line_shows_its_glyphs_and_nothing_else(font_file):
    """Without wear eight times "i" are eight stems, with the widest gap between the words."""
    image = render_line(
        "iiii iiii", load_font(font_file), np.random.default_rng(3), height=60, strength=0
    )
    ink = 255 - np.asarray(image, int)
    inked = ink.max(axis=0) > 128
    columns = "".join("01"[int(column)] for column in inked)
    runs = re.findall("1+", columns)
    gaps = [len(run) for run in re.findall("(?<=1)0+(?=1)", columns)]
    assert image.height == 60
    assert len(runs) == 8
    assert gaps.index(max(gaps)) == 3
    assert ink[:2].max() == 0 and ink[-2:].max() == 0


def test_the_seed_decides_all(font_file):
    texts = list(islice(english_lines(np.random.default_rng(1)), 6))

    def run(seed):
        return [(image.tobytes(), text) for image, text in generate(5, [font_file], texts, seed)]

    first = run(7)
    assert first == run(7)
    assert len(first) == 5
    assert all(one[0] != other[0] for one, other in zip(first, run(8), strict=True))


def test_a_pair_does_not_depend_on_how_many_are_made(font_file):
    texts = ["one", "two", "three"]
    few = [image.tobytes() for image, _ in generate(2, [font_file], texts, 1)]
    many = [image.tobytes() for image, _ in generate(3, [font_file], texts, 1)]
    assert few == many[:2]


def test_characters_without_a_glyph_are_found(font_file):
    font = load_font(font_file)
    assert missing_characters(font, "A b\N{HIRAGANA LETTER A}\N{GOTHIC LETTER AHSA}") == {
        "\N{HIRAGANA LETTER A}",
        "\N{GOTHIC LETTER AHSA}",
    }
    assert covers(font, "plain words, 100%")


def test_lines_that_no_font_can_show_are_left_out(font_file):
    pairs = generate(5, [font_file], ["good", "\N{HIRAGANA LETTER A}", "also good"])
    assert [text for _, text in pairs] == ["good", "also good"]


def test_endless_texts_that_no_font_can_show_end_with_an_error(font_file):
    def endless():
        while True:
            yield "\N{HIRAGANA LETTER A}"

    with pytest.raises(DatasetError, match="none of the 1 fonts has all characters"):
        next(generate(1, [font_file], endless()))


def test_fonts_are_found_once_each_and_by_pattern(font_file):
    folder = font_file.parent
    (folder / "inner").mkdir()
    (folder / "inner" / "Default.ttf").write_bytes(font_file.read_bytes())
    (folder / "inner" / "Other.otf").write_bytes(font_file.read_bytes())
    (folder / "notes.txt").write_text("no font")
    assert [file.stem for file in find_fonts([folder])] == ["Default", "Other"]
    assert [file.stem for file in find_fonts([folder], "Oth.*")] == ["Other"]
    with pytest.raises(DatasetError, match="bin/fetch-fonts"):
        find_fonts([folder], "Missing")
    with pytest.raises(DatasetError, match="nowhere: no such file"):
        find_fonts([folder / "nowhere"])


def test_a_file_that_is_no_font_is_named(tmp_path):
    file = tmp_path / "broken.ttf"
    file.write_bytes(b"not a font")
    with pytest.raises(DatasetError, match="broken.ttf"):
        load_font(file)


def test_without_wear_the_drawing_is_only_shrunk():
    ink = np.zeros((80, 200), np.float32)
    ink[20:60, 50:150] = 1
    grey = print_and_scan(ink, np.random.default_rng(0), strength=0)
    assert grey.shape == (40, 100) and grey.dtype == np.float32
    assert grey[0].min() == 1.0
    assert grey[20, 50] < 0.11
    np.testing.assert_array_equal(bend(ink, np.random.default_rng(0), 0), ink)


def test_shrink_averages_blocks():
    pixels = np.arange(20, dtype=np.float32).reshape(4, 5)
    np.testing.assert_allclose(shrink(pixels, 2), [[3, 5], [13, 15]])


def test_lines_are_within_the_limits_and_of_many_kinds():
    lines = list(islice(english_lines(np.random.default_rng(0), longest=60), 3000))
    assert all(0 < len(line) <= 60 and line == line.strip() for line in lines)
    assert not any("  " in line for line in lines)
    assert len(set(lines)) > 2900
    characters = Counter("".join(lines))
    assert set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789") <= set(characters)
    assert set(".,;:!?'\"“”‘’()[]-—&£$%") <= set(characters)


def test_a_line_is_broken_at_a_space_or_in_a_word_and_nothing_is_lost():
    rng = np.random.default_rng(5)
    text = "the considerable machinery of the neighbouring province"
    for measure in range(8, 50):
        rest, pieces = text, []
        while rest:
            line, rest = break_line(rng, rest, measure)
            assert len(line) <= measure
            pieces.append(line[:-1] if line.endswith("-") else line + " ")
        # A measure too short for a word cuts it.
        assert "".join(pieces).replace(" ", "") == text.replace(" ", "")


def test_word_forms():
    assert [plural(word) for word in "church way lady wife chief".split()] == [
        "churches",
        "ways",
        "ladies",
        "wives",
        "chiefs",
    ]
    assert [past(word) for word in "stop visit marry obey".split()] == [
        "stopped",
        "visited",
        "married",
        "obeyed",
    ]
    assert [gerund(word) for word in "permit lie agree write".split()] == [
        "permitting",
        "lying",
        "agreeing",
        "writing",
    ]
    assert roman(1888) == "MDCCCLXXXVIII"


def test_the_sample_is_as_its_readme_says(request):
    folder = request.config.rootpath / "training-data" / "sample"
    images = sorted(folder.glob("*.png"))
    assert len(images) == 40
    for file in images:
        with Image.open(file) as image:
            assert image.mode == "L" and 40 <= image.height <= 70
        assert file.stat().st_size < 15_000
        assert file.with_suffix(".gt.txt").read_text("utf-8").strip()
