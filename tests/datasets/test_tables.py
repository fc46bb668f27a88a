"""Tables of names and texts: every line is a pair or a problem with its number."""

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets.tables import is_table_name, read_table
from ocrlstm.errors import DatasetError


@pytest.fixture
def folder(tmp_path):
    for name in ("a.png", "b.JPG", "sub/c.tif", "no.42.png", "a b.png"):
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.full((16, 40), 200, np.uint8)).save(path)
    Image.new("L", (9, 9)).save(tmp_path / "outside.png")
    return tmp_path / "in"


def table(folder, content):
    path = folder / "lines.txt"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("line", "image", "text"),
    [
        ("a.png\tone", "a.png", "one"),
        ("a\tone", "a.png", "one"),
        ("b\ttwo words", "b.JPG", "two words"),
        ("sub/c.tif\tthree", "sub/c.tif", "three"),
        ("sub\\c\tthree", "sub/c.tif", "three"),
        ("./sub/../a\tone", "a.png", "one"),
        ("no.42\tfour", "no.42.png", "four"),
        ("a b.png\tfive", "a b.png", "five"),
        ("a\tgroße ſchrift", "a.png", "große ſchrift"),
        ("a\twith\ttab", "a.png", "with\ttab"),
        ("a\t", "a.png", ""),
        ("\ufeffa\tone\r", "a.png", "one"),
        ("\n \n\na\tone", "a.png", "one"),
    ],
)
def test_lines(folder, line, image, text):
    path = table(folder, f"{line}\n")
    (pair,), problems = read_table(path)
    assert problems == []
    assert (pair.name, pair.read_text()) == (str(folder / image), text)
    assert pair.text_name == f"{path}:{4 if line.startswith(chr(10)) else 1}"
    assert pair.read_ink().shape == (16, 40)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b two", "expected an image name, a tab and a text"),
        ("\ttwo", "expected an image name, a tab and a text"),
        ("gone.png\ttwo", "there is no image gone.png in the folder of the table"),
        ("gone\ttwo", "there is no image gone"),
        ("a.jpg\ttwo", "there is no image a.jpg"),
        ("a\ttwo", "a is named again, as in line 1"),
        ("sub/../a.png\ttwo", "named again, as in line 1"),
        ("../outside.png\ttwo", "leads out of the folder"),
        ("..\\outside.png\ttwo", "leads out of the folder"),
        ("sub/../../outside\ttwo", "leads out of the folder"),
        ("/etc/hostname\ttwo", "leads out of the folder"),
        ("sub\ttwo", "there is no image sub"),
        ("b\0\ttwo", "a zero byte"),
        ("b\ttwo\rthree", "a carriage return"),
        (b"b\t\xe4", "not UTF-8 .byte 0xe4 at offset 2"),
        ("x" * 5000 + "\ttwo", "there is no image x"),
    ],
)
def test_faults_name_file_and_line_and_the_rest_goes_on(folder, line, message):
    line = line if isinstance(line, bytes) else line.encode()
    path = table(folder, b"a\tone\n" + line + b"\nsub/c\tthree\n")
    pairs, (problem,) = read_table(path)
    assert [pair.text for pair in pairs] == ["one", "three"]
    assert str(problem).startswith(f"{path}:2: ")
    assert "\n" not in str(problem)
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(problem.reason)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("just\nsome text\n", r"none of its 2 lines is .*; the first: .*lines.txt:1: expected an"),
        ("", "none of its 0 lines is an image name, a tab and a text"),
        ("a\tone\n".encode("utf-16"), "none of its"),
        ("a\tone\rsub/c\ttwo\r", "carriage return"),
        (b"a\t" + b"x" * 1_000_001, "line 1 has more than 1000000 bytes"),
    ],
)
def test_what_is_no_table(folder, content, message):
    with pytest.raises(DatasetError, match=rf"lines\.txt: .*{message}"):
        read_table(table(folder, content))


def test_a_missing_table(folder):
    with pytest.raises(DatasetError, match=r"gone.txt: cannot be read"):
        read_table(folder / "gone.txt")


def test_many_lines(folder):
    for n in range(500):
        (folder / f"n{n}.png").symlink_to(folder / "a.png")
    path = table(folder, "".join(f"n{n}\ttext {n}\n" for n in range(500)))
    pairs, problems = read_table(path)
    assert [pair.text for pair in pairs] == [f"text {n}" for n in range(500)]
    assert problems == []


@pytest.mark.parametrize(
    ("name", "is_table"),
    [
        ("lines.txt", True),
        ("lines.TSV", True),
        ("a.gt.txt", False),
        ("a.txt", False),  # what a program read in a.png
        ("a.png", False),
        ("lines", False),
    ],
)
def test_names(folder, name, is_table):
    assert is_table_name(folder / name) == is_table
