"""What is believed of a font: its own tables, and what its letters look like."""

import string

import numpy as np
import pytest
from built_fonts import build_font
from PIL import ImageFont

from ocrlstm.datasets.synthesis import Kind, read_catalogue
from ocrlstm.datasets.synthesis.faces import find_font_files, read_faces
from ocrlstm.datasets.synthesis.looks import CAPITALS, LETTERS, PICTURES, look_of
from ocrlstm.datasets.synthesis.marks import split_mark
from ocrlstm.datasets.synthesis.type import X_HEIGHT, Type, can_shape
from ocrlstm.errors import DatasetError

STEM = [(100, 0, 200, 500)]


def test_a_face_says_what_it_has(font_file):
    (face,) = read_faces(font_file)
    assert face.name == "Default"
    assert {ord(letter) for letter in string.ascii_letters} <= face.characters
    assert ord("\N{HIRAGANA LETTER A}") not in face.characters


def test_files_are_found_once_each_sorted_by_name(font_file, tmp_path):
    (tmp_path / "b").mkdir()
    for name in ("b/Same.ttf", "Same.otf", "Another.TTF", "notes.txt"):
        (tmp_path / name).write_bytes(font_file.read_bytes())
    assert [file.stem for file in find_font_files([tmp_path])] == ["Another", "Same"]
    with pytest.raises(DatasetError, match="fetch-fonts"):
        find_font_files([tmp_path / "notes.txt"])
    with pytest.raises(DatasetError, match="nowhere: no such file"):
        find_font_files([tmp_path / "nowhere"])


@pytest.mark.parametrize("content", [b"", b"no font", b"ttcf\0\1\0\0\xff\xff\xff\xff", b"\0\1\0\0"])
def test_what_is_no_font_is_named(tmp_path, content):
    pytest.importorskip("fontTools")
    file = tmp_path / "broken.ttf"
    file.write_bytes(content)
    with pytest.raises(DatasetError, match="broken.ttf"):
        read_faces(file)


def test_any_damage_is_told_not_raised(font_file, tmp_path):
    content = np.frombuffer(font_file.read_bytes(), np.uint8)
    rng = np.random.default_rng(0)
    file = tmp_path / "damaged.ttf"
    for _ in range(30):
        damaged = content.copy()
        damaged[rng.integers(0, 400, 6)] = rng.integers(0, 256, 6)
        file.write_bytes(damaged[: rng.integers(200, len(content))].tobytes())
        try:
            assert read_faces(file)
        except DatasetError as error:
            assert "damaged.ttf" in str(error)


def test_a_symbol_font_is_refused(tmp_path):
    pytest.importorskip("fontTools")
    with pytest.raises(DatasetError, match="symbol font"):
        read_faces(build_font(tmp_path / "s.ttf", {"a": STEM}, symbol=True))


def test_a_character_without_ink_is_not_had(tmp_path):
    pytest.importorskip("fontTools")
    type_ = Type(*read_faces(build_font(tmp_path / "f.ttf", {"n": STEM, "o": [], " ": []})))
    assert type_.has("n") and type_.has(" ")
    assert not type_.has("o") and not type_.has("x")
    assert type_.shows("n nn") and not type_.shows("no")


def test_a_long_s_that_cannot_be_told_from_s_is_not_had(tmp_path):
    pytest.importorskip("fontTools")
    other = [(100, 0, 300, 500)]
    same = Type(*read_faces(build_font(tmp_path / "a.ttf", {"s": STEM, "ſ": STEM, "n": STEM})))
    unlike = Type(*read_faces(build_font(tmp_path / "b.ttf", {"s": STEM, "ſ": other, "n": STEM})))
    assert not same.has("ſ") and not same.has("s")
    assert unlike.has("ſ") and unlike.has("s")


def test_looks(font_file, tmp_path):
    def look(file):
        (face,) = read_faces(file)
        font = ImageFont.truetype(str(file), 48)
        return look_of(font, lambda character: ord(character) in face.characters)

    assert look(font_file) == LETTERS
    rng = np.random.default_rng(0)
    boxes = {
        character: [(x, y, x + 260, y + 260) for x, y in rng.integers(0, 8, (4, 2)) * 100]
        for character in string.ascii_letters + string.digits
    }
    assert look(build_font(tmp_path / "dingbats.ttf", boxes)) == PICTURES
    small = {
        letter.lower(): [tuple(int(0.7 * edge) for edge in box) for box in boxes[letter]]
        for letter in string.ascii_uppercase
    }
    assert look(build_font(tmp_path / "capitals.ttf", {**boxes, **small})) == CAPITALS
    # Of a script that has none of these letters nothing can be said.
    greek = build_font(tmp_path / "greek.ttf", {letter: STEM for letter in "αβγδ"})
    assert look(greek) == LETTERS


def test_kinds_get_the_fonts_that_are_fit_for_them(font_file, tmp_path):
    (tmp_path / "Default.ttf").write_bytes(font_file.read_bytes())
    (tmp_path / "Default-Bold.ttf").write_bytes(font_file.read_bytes())
    (tmp_path / "Broken.ttf").write_bytes(b"no font")
    kinds = [Kind("one", fonts=("Def.*", "Broken"), without=(".*Bold",)), Kind("all")]
    catalogue = read_catalogue(kinds, [tmp_path])
    names = [[face.name for family in k.families for face in family] for k in catalogue.kinds]
    assert names == [["Default"], ["Default", "Default-Bold"]]
    assert [problem.path.name for problem in catalogue.problems] == ["Broken.ttf"]
    with pytest.raises(DatasetError, match="'caps' .*no small capitals"):
        read_catalogue([Kind("caps", small_capitals="capitals", fonts=("Default",))], [tmp_path])
    with pytest.raises(DatasetError, match="fetch-fonts"):
        read_catalogue([Kind("none", fonts=("Missing",))], [tmp_path])


def test_marks_are_made_of_what_the_font_has(tmp_path):
    pytest.importorskip("fontTools")
    accent = [(100, 600, 200, 700)]
    shapes = {"a": STEM, "e": STEM, "n": STEM, "~": accent}
    type_ = Type(*read_faces(build_font(tmp_path / "f.ttf", shapes)))
    assert type_.shows("a\u0364ãne") and not type_.shows("á")
    assert type_.made("ã") == ("a", "~", 0.9)
    assert type_.made("a") is None
    assert split_mark("o\u0364", shapes.__contains__) is None


def test_the_small_x_has_one_height(default_type):
    top, bottom = default_type.font.getbbox("n")[1::2]
    assert abs(bottom - top - X_HEIGHT) <= 1


def test_without_shaping_no_marks_and_no_right_to_left(font_file):
    plain = Type(read_faces(font_file)[0], shaped=False)
    assert plain.shows("plain words") and not plain.shows("\N{HEBREW LETTER ALEF}")
    assert plain.features == frozenset()
    if can_shape():
        assert Type(read_faces(font_file)[0]).features


@pytest.mark.skipif(not can_shape(), reason="this Pillow has no raqm")
def test_features_that_make_other_letters_are_not_used(tmp_path):
    pytest.importorskip("fontTools")
    shapes = {
        letter: [(100, 0, 200 + 10 * number, 500)] for number, letter in enumerate("abcdeorst ")
    }
    shapes |= {"œ": [(0, 0, 300, 500)], "ſ": [(0, 0, 100, 700)]}
    joined, printers = "sub g006f g0065 by g0153;", "sub g0063 g0074 by g017f;"
    cases = {
        f"feature liga {{ {joined} }} liga;": (("-liga",), ()),
        f"feature liga {{ {printers} }} liga;": ((), ()),
        f"feature dlig {{ {joined} }} dlig;": ((), ()),
        f"feature dlig {{ {printers} }} dlig;": ((), ("dlig",)),
    }
    for number, (features, expected) in enumerate(cases.items()):
        file = build_font(tmp_path / f"{number}.ttf", shapes, features=features)
        type_ = Type(*read_faces(file))
        assert (type_.unwanted(), type_.rare_ligatures()) == expected, features
