"""Each format against a line written down by hand."""

import json

import pytest

from ocrlstm.document import Character, Line, Reading
from ocrlstm.errors import ImageError
from ocrlstm.formats import WRITERS

LINE = Line(
    text="aͤ\t",
    confidence=0.70710678,
    characters=(Character("aͤ", 1.0, 12.3456, 1.0), Character("\t", 12.3456, 20.0, 0.5)),
    source="scans/ä.png",
)
BLANK = Line("", 1.0)
FAILED = Line("", 0.0, source="b.png", error=ImageError("b.png: not an image"))


def test_registry() -> None:
    assert set(WRITERS) == {"txt", "json", "tsv"}


@pytest.mark.parametrize(("line", "expected"), [(LINE, "aͤ\t\n"), (BLANK, "\n"), (FAILED, "\n")])
def test_txt(line: Line, expected: str) -> None:
    assert WRITERS["txt"](line) == expected


def test_json() -> None:
    text = WRITERS["json"](LINE)
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    assert "aͤ" in text
    assert json.loads(text) == {
        "text": "aͤ\t",
        "confidence": 0.7071,
        "characters": [
            {"text": "aͤ", "x0": 1.0, "x1": 12.35, "confidence": 1.0},
            {"text": "\t", "x0": 12.35, "x1": 20.0, "confidence": 0.5},
        ],
        "source": "scans/ä.png",
    }


def test_json_has_an_error_only_where_there_was_one() -> None:
    assert json.loads(WRITERS["json"](FAILED))["error"] == "b.png: not an image"
    assert "error" not in json.loads(WRITERS["json"](BLANK))


def test_json_of_a_path_that_is_no_utf8_can_be_written_and_read() -> None:
    path = b"a\xff.png".decode(errors="surrogateescape")
    text = WRITERS["json"](Line("", 1.0, source=path))
    assert json.loads(text.encode())["source"] == path


def test_tsv() -> None:
    assert WRITERS["tsv"](LINE) == (
        "text\tx0\tx1\tconfidence\naͤ\t1.00\t12.35\t1.0000\n\\t\t12.35\t20.00\t0.5000\n"
    )
    assert WRITERS["tsv"](BLANK) == "text\tx0\tx1\tconfidence\n"


@pytest.mark.parametrize(
    ("character", "escaped"), [("\n", "\\n"), ("\r", "\\r"), ("\\", "\\\\"), ("\\n", "\\\\n")]
)
def test_tsv_keeps_one_row_a_character(character: str, escaped: str) -> None:
    line = Line(character, 1.0, (Character(character, 0, 1, 1.0),))
    assert WRITERS["tsv"](line).splitlines()[1] == f"{escaped}\t0.00\t1.00\t1.0000"


def test_json_of_readings_and_alternatives() -> None:
    line = Line(
        "ab",
        0.5,
        (Character("a", 0.0, 1.0, 0.6, (("o", 0.31239), ("e", 0.05))), Character("b", 1.0, 2.0, 1)),
        readings=(Reading("ab", -0.51234), Reading("ob", -1.25)),
    )
    values = json.loads(WRITERS["json"](line))
    assert values["readings"] == [
        {"text": "ab", "score": -0.5123},
        {"text": "ob", "score": -1.25},
    ]
    assert values["characters"][0]["alternatives"] == [
        {"text": "o", "confidence": 0.3124},
        {"text": "e", "confidence": 0.05},
    ]
    assert "alternatives" not in values["characters"][1]
