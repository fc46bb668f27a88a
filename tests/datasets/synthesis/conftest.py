"""Fonts for the tests: the one inside Pillow, and such as are built here."""

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import ImageFont

from ocrlstm.datasets.synthesis.faces import read_faces
from ocrlstm.datasets.synthesis.type import Type

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def font_file(tmp_path_factory):
    """The scalable font inside Pillow, as a file."""
    pytest.importorskip("fontTools")
    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont):
        pytest.skip("this Pillow is built without FreeType")
    file = tmp_path_factory.mktemp("fonts") / "Default.ttf"
    font.path.seek(0)
    file.write_bytes(font.path.read())
    return file


@pytest.fixture(scope="session")
def default_type(font_file):
    return Type(read_faces(font_file)[0])


@pytest.fixture
def rng():
    return np.random.default_rng(7)


@pytest.fixture
def text_file(tmp_path):
    lines = [
        "Alice was beginning to get very tired of sitting by her sister on the bank,",
        "and of having nothing to do: once or twice she had peeped into the book her",
        "sister was reading, but it had no pictures or conversations in it, and what",
        "is the use of a book, thought Alice, without pictures or conversations?",
    ]
    file = tmp_path / "alice.txt"
    file.write_text("\n".join(lines), "utf-8")
    return file
