"""XML of strangers: only what was asked for comes out, and nothing of the machine comes in."""

import time
import tracemalloc

import pytest

from ocrlstm.datasets.safe_xml import read_elements
from ocrlstm.errors import DatasetError

NAMES = "abcdefghijkl"
BOMB = '<?xml version="1.0"?>\n<!DOCTYPE PcGts [<!ENTITY a "aaaaaaaaaaaaaaaa">' + "".join(
    f'<!ENTITY {name} "{before * 20}">'
    for name, before in zip(NAMES[1:], (f"&{name};" for name in NAMES), strict=False)
)


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "page.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode(encoding))
    return path


def elements(path, **settings):
    return list(read_elements(path, {"Line"}, {"Head"}, {"Skip"}, **settings))


def test_only_wanted_elements_come_in_order_and_without_prefix(tmp_path):
    path = write(
        tmp_path,
        '<p:root xmlns:p="urn:x" a="1"><p:Head b="2"><p:Line c="3">one<p:Part>two</p:Part>tail'
        "<p:Skip><p:Part>no</p:Part></p:Skip><p:Part>three</p:Part></p:Line></p:Head>"
        "<Other><Line/></Other>text</p:root>",
    )
    root, head, line, empty = elements(path)
    assert (root.tag, root.get("a"), len(root)) == ("root", "1", 0)
    assert (head.tag, head.get("b"), len(head)) == ("Head", "2", 0)
    assert (line.tag, line.get("c"), line.text) == ("Line", "3", "one")
    assert [(part.tag, part.text) for part in line] == [("Part", "two"), ("Part", "three")]
    assert (empty.tag, empty.text, len(empty)) == ("Line", None, 0)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1"])
def test_encodings(tmp_path, encoding):
    name = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{name}"?><r><Line>Maß</Line></r>'
    assert elements(write(tmp_path, text, encoding))[1].text == "Maß"


def test_text_in_pieces_is_put_together(tmp_path):
    path = write(tmp_path, "<r><Line>a<!-- b -->c&amp;<![CDATA[<d>]]>&#x17F;</Line></r>")
    assert elements(path)[1].text == "ac&<d>ſ"


def test_an_entity_bomb_is_refused_before_it_grows(tmp_path):
    path = write(tmp_path, f"{BOMB}]><PcGts><Line>&k;</Line></PcGts>")
    begin = time.monotonic()
    with pytest.raises(DatasetError, match=r"page.xml: has a document type \(DOCTYPE\)"):
        elements(path)
    assert time.monotonic() - begin < 1


@pytest.mark.parametrize(
    "head",
    [
        '<!DOCTYPE r [<!ENTITY x SYSTEM "{secret}">]>',
        '<!DOCTYPE r [<!ENTITY % x SYSTEM "{secret}"> %x;]>',
        '<!DOCTYPE r SYSTEM "{secret}">',
        '<!DOCTYPE r PUBLIC "x" "{secret}">',
    ],
)
def test_no_other_file_is_read(tmp_path, head):
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    path = write(tmp_path, f"{head.format(secret=secret.as_uri())}<r><Line>&x;</Line></r>")
    with pytest.raises(DatasetError, match="DOCTYPE") as caught:
        elements(path)
    assert "\n" not in str(caught.value)


def test_an_entity_that_nothing_defines(tmp_path):
    with pytest.raises(DatasetError, match=r"not well-formed XML \(line 1: undefined entity\)"):
        elements(write(tmp_path, "<r><Line>&x;</Line></r>"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<r><Line>", "line 1: no element found"),
        ("<r>\n<Line></r>", "line 2: mismatched tag"),
        ("", "line 1: no element found"),
        ("no xml", "line 1: syntax error"),
        (b"<r><Line>\xff</Line></r>", "not well-formed"),
        ("<r/><r/>", "junk after document element"),
        ("<r><Line a='1' a='2'/></r>", "duplicate attribute"),
        ('<?xml version="1.0" encoding="klingon"?><r/>', "unknown encoding"),
        ('<?xml version="1.0" encoding="shift_jis"?><r/>', "unknown encoding"),
    ],
)
def test_broken_xml_is_one_clear_line(tmp_path, text, message):
    with pytest.raises(DatasetError, match=message) as caught:
        elements(write(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "page.xml"))
    assert "\n" not in str(caught.value)


def test_good_elements_come_before_the_fault(tmp_path):
    stream = read_elements(write(tmp_path, "<r><Line/>" + " " * (1 << 20) + "</s>"), {"Line"})
    assert [next(stream).tag, next(stream).tag] == ["r", "Line"]
    with pytest.raises(DatasetError, match="mismatched"):
        next(stream)


def test_deep_nesting_is_refused(tmp_path):
    assert len(elements(write(tmp_path, "<a>" * 100 + "</a>" * 100))) == 1
    with pytest.raises(DatasetError, match="nested deeper than 100"):
        elements(write(tmp_path, "<a>" * 100_000))


def test_a_file_beyond_the_limit_is_refused_unread(tmp_path):
    path = write(tmp_path, "<r>" + "<Line/>" * 100 + "</r>")
    assert len(elements(path, max_bytes=path.stat().st_size)) == 101
    with pytest.raises(DatasetError, match=r"707 bytes are more than the limit of 706"):
        elements(path, max_bytes=706)


def test_an_element_of_too_many_parts_is_refused(tmp_path):
    path = write(tmp_path, "<r><Line>" + "<a/>" * 100_001 + "</Line></r>")
    with pytest.raises(DatasetError, match="a Line holds more than 100000 elements"):
        elements(path)


def test_what_is_not_wanted_takes_no_memory(tmp_path):
    path = write(tmp_path, "<r>" + '<a b="c">text</a>' * 400_000 + "<Line/></r>")
    tracemalloc.start()
    try:
        assert len(elements(path)) == 2
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_text_cut_into_countless_pieces_takes_no_time(tmp_path):
    path = write(tmp_path, "<r><Line>" + "a<!---->" * 200_000 + "</Line></r>")
    begin = time.monotonic()
    assert len(elements(path)[1].text) == 200_000
    assert time.monotonic() - begin < 5


def test_what_is_no_file(tmp_path):
    with pytest.raises(DatasetError, match="no such file"):
        elements(tmp_path / "gone.xml")
    with pytest.raises(DatasetError, match="not a regular one"):
        elements(tmp_path)
