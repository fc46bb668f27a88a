"""A user's own table of what becomes what."""

import pytest

from ocrlstm.errors import DatasetError
from ocrlstm.text import TextRules, read_rules


@pytest.fixture
def table(tmp_path):
    """Write a table; gives its path."""

    def write(content):
        path = tmp_path / "my table.tsv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return write


def test_what_a_line_may_be(table):
    path = table(
        "\ufeff# early prints\r\n"
        "ꝑ\tper\r\n"
        "\r\n"
        "q̃\tque\t# Latin\n"
        r"\u0364" + "\t" + r"\U00000308" + "\n"
        "¶\t\n" + r"\#" + "\tNr.\n" + r"\\" + "\t/\n"
        "u o\tuo"
    )
    rules = read_rules(("long_s",), path)
    expected = (("ꝑ", "per"), ("q̃", "que"), ("\u0364", "\u0308"), ("¶", ""), ("#", "Nr."))
    assert rules == TextRules(("long_s",), (*expected, ("\\", "/"), ("u o", "uo")))
    path.unlink()
    assert rules.apply("ꝑſona #5") == "persona Nr.5"


def test_without_a_file():
    assert read_rules(["modern"]) == TextRules(("modern",))


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("# a\na b\n", ", line 2: no tab, expected from<TAB>to"),
        ("a\tb\tc\n", ", line 1: 2 tabs, expected from<TAB>to"),
        ("a\tb\nc\t\\x\n", r", line 2: '\\x' is no character; write \uXXXX"),
        ("a\t\\\n", r", line 1: '\\' is no character"),
        ("\\U00110000\tb\n", ", line 1: '\\\\U00110000' is no character"),
        ("\n\na\tb\na\tc\n", ", line 4: 'a' (U+0061) stands in the table before"),
        ("a\tb\n#\nb\tc\n", ", line 1: 'a' (U+0061) becomes 'b' (U+0062), which would be changed"),
        ("\tb\n", ", line 1: nothing to look for"),
        ("\\ud800\tb\n", ", line 1: holds a lone surrogate"),
        (b"a\tb\nc\t\xe4\n", ", line 2: not UTF-8; save the table as UTF-8"),
        ("", ": no entry; expected lines of from<TAB>to"),
        ("#\n", ": no entry"),
        ("".join(f"{chr(0x4E00 + n)}\tx\n" for n in range(2001)), ": text table has 2001 entries"),
        (b"\0" * 4_000_001, ": more than 4000000 bytes"),
    ],
)
def test_refused_with_file_and_line(table, content, told):
    path = table(content)
    with pytest.raises(DatasetError) as caught:
        read_rules((), path)
    assert str(caught.value).startswith(f"{path}{told}")
    assert "\n" not in str(caught.value)


def test_no_such_file(tmp_path):
    for path in (tmp_path / "none.tsv", tmp_path):
        with pytest.raises(DatasetError, match="the text table cannot be read"):
            read_rules((), path)


def test_an_unknown_name_is_not_the_fault_of_the_file(table):
    with pytest.raises(ValueError, match="text rule 'magic' is not one of"):
        read_rules(("magic",), table("a\tb\n"))
