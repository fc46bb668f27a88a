"""Finding pairs: every kind of path, every way a folder can disappoint."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import MemoryPair, Pair, find_images, find_pairs, image_stem, read_text
from ocrlstm.errors import DatasetError, ImageError
from ocrlstm.image import read_image, source_name


def touch(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text\n", encoding="utf-8")


def names(paths, folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in paths]


def test_folder_is_searched_through_in_natural_order(tmp_path):
    touch(tmp_path, "line10.png", "line2.png", "b/x.JPG", "a/y.tif", "notes.md", "line2.gt.txt")
    assert names(find_images([tmp_path]), tmp_path) == [
        "line2.png",
        "line10.png",
        "a/y.tif",
        "b/x.JPG",
    ]


def test_hidden_files_and_folders_are_left_out(tmp_path):
    touch(tmp_path, "a.png", "._a.png", ".trash/b.png")
    assert names(find_images([tmp_path]), tmp_path) == ["a.png"]


def test_an_image_named_twice_comes_once(tmp_path):
    touch(tmp_path, "a.png")
    (tmp_path / "link.png").symlink_to(tmp_path / "a.png")
    found = find_images([tmp_path / "a.png", tmp_path, str(tmp_path / "*.png")])
    assert names(found, tmp_path) == ["a.png"]


def test_a_link_to_the_folder_above_does_not_go_round(tmp_path):
    touch(tmp_path, "sub/a.png")
    (tmp_path / "sub" / "up").symlink_to(tmp_path)
    assert names(find_images([tmp_path]), tmp_path) == ["sub/a.png"]


def test_pattern(tmp_path):
    touch(tmp_path, "x1.png", "x2.png", "y1.png", "x1.gt.txt", "sub/x3.png")
    assert names(find_images([str(tmp_path / "x*")]), tmp_path) == ["x1.png", "x2.png"]
    assert len(find_images([str(tmp_path / "**" / "x*.png")])) == 3


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path):
    touch(tmp_path, "a[1].png", "a1.png")
    assert names(find_images([tmp_path / "a[1].png"]), tmp_path) == ["a[1].png"]


def test_texts_of_an_expanded_pattern_are_passed_over(tmp_path):
    touch(tmp_path, "a.png", "a.gt.txt")
    found = find_images([tmp_path / "a.gt.txt", tmp_path / "a.png"])
    assert names(found, tmp_path) == ["a.png"]


def test_list_is_relative_to_its_folder_or_to_here(tmp_path, monkeypatch):
    touch(tmp_path, "set/a.png", "here/b.png", "more/c.png")
    (tmp_path / "set" / "list.txt").write_text("\ufeffa.png\r\n\r\nb.png\r\n../more\n", "utf-8")
    monkeypatch.chdir(tmp_path / "here")
    found = find_images([f"@{tmp_path}/set/list.txt"])
    assert [path.name for path in found] == ["a.png", "b.png", "c.png"]


@pytest.mark.parametrize(
    ("image", "text"),
    [
        ("a.png", "a.gt.txt"),
        ("a.b.png", "a.b.gt.txt"),
        ("a.bin.png", "a.gt.txt"),
        ("a.nrm.png", "a.gt.txt"),
        ("a.bin.png", "a.bin.gt.txt"),
        ("no.42", "no.42.gt.txt"),
    ],
)
def test_text_beside_the_image(tmp_path, image, text):
    touch(tmp_path, image, text)
    (pair,) = find_pairs([tmp_path / image]).pairs
    assert (pair.image, pair.text) == (tmp_path / image, tmp_path / text)


def test_the_text_of_another_name_is_not_taken(tmp_path):
    touch(tmp_path, "a.b.png", "a.gt.txt")
    with pytest.raises(DatasetError, match=r"a\.b\.gt\.txt"):
        find_pairs([tmp_path])


def test_images_without_text_are_told(tmp_path):
    touch(tmp_path, "a.png", "a.gt.txt", "b.png", "c.png")
    found = find_pairs([tmp_path])
    assert [pair.image.name for pair in found.pairs] == ["a.png"]
    assert names(found.without_text, tmp_path) == ["b.png", "c.png"]


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("missing.png", "missing.png: no such file or folder"),
        ("empty", "empty: no images in this folder"),
        ("*.tif", r"\*.tif: no image fits"),
        ("@no.txt", "no.txt: the list cannot be read"),
        ("@holes.txt", "holes.txt: 2 of the listed paths do not exist, first line 2: x.png"),
        ("@blank.txt", "blank.txt: the list names no image"),
        ("@latin1.txt", "latin1.txt: the list is not UTF-8"),
        ("text.gt.txt", "no image among the paths"),
        ("nul\0.png", "no such file"),
    ],
)
def test_faults(tmp_path, monkeypatch, path, message):
    touch(tmp_path, "a.png", "text.gt.txt", "empty/readme")
    (tmp_path / "holes.txt").write_text("a.png\nx.png\ny.png\n", "utf-8")
    (tmp_path / "blank.txt").write_text("\n", "utf-8")
    (tmp_path / "latin1.txt").write_bytes("ä.png".encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(DatasetError, match=message):
        find_images([path])


def test_no_path_at_all():
    with pytest.raises(DatasetError, match="no path given"):
        find_images([])


def test_images_but_no_text(tmp_path):
    touch(tmp_path, "a.png")
    with pytest.raises(DatasetError, match=r"found 1 image but no text.* a\.gt\.txt"):
        find_pairs([tmp_path])


def test_stem_keeps_dots():
    assert image_stem(Path("x/a.b.c.PNG")) == "a.b.c"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"abc\n", "abc"),
        (b"\xef\xbb\xbfabc\r\n", "abc"),
        ("großer Blåbär".encode(), "großer Blåbär"),
        (b"", ""),
        (b"\n\n", ""),
        ("a\u2028b".encode(), "a\u2028b"),
    ],
)
def test_read_text(tmp_path, raw, text):
    path = tmp_path / "a.gt.txt"
    path.write_bytes(raw)
    assert read_text(path) == text


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"ab\xe4c", "not UTF-8 .byte 0xe4 at offset 2"),
        ("\ufeffabc".encode("utf-16-le"), "not UTF-8 .byte 0xff at offset 0"),
        ("abc".encode("utf-16-le"), "a zero byte at offset 1"),
        (b"one\ntwo\n", "holds 2 lines"),
        (b"one\rtwo\r\nthree", "holds 3 lines"),
    ],
)
def test_bad_text_is_named(tmp_path, raw, message):
    path = tmp_path / "a.gt.txt"
    path.write_bytes(raw)
    with pytest.raises(DatasetError, match=f"a.gt.txt: {message}"):
        read_text(path)


def test_missing_text(tmp_path):
    with pytest.raises(DatasetError, match="a.gt.txt: cannot be read"):
        read_text(tmp_path / "a.gt.txt")


def test_every_pair_is_an_image_source(tmp_path):
    pixels = np.full((20, 50), 51, np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    touch(tmp_path, "a.gt.txt")
    for pair in (Pair(tmp_path / "a.png", tmp_path / "a.gt.txt"), MemoryPair(pixels, "text", "p")):
        ink = read_image(pair)
        assert (ink.shape, ink.dtype) == ((20, 50), np.float32)
        np.testing.assert_allclose(ink, 0.8)
        assert source_name(pair) == pair.name
        assert pair.read_text() == "text"
        with pytest.raises(ImageError, match="limit of 99"):
            read_image(pair, max_pixels=99)


def test_a_pair_in_memory_is_called_by_its_name_when_it_is_at_fault():
    with pytest.raises(ImageError, match="^pair 7: an array of shape"):
        MemoryPair(np.zeros(3), "text", "pair 7").read_ink()
