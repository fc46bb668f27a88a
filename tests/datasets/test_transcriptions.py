"""PAGE and ALTO: text, polygon and baseline of each line; where the image is."""

import numpy as np
import pytest
from drawn_pages import alto_line, page_line, write_alto, write_page_xml

from ocrlstm.datasets.transcriptions import NotAPageError, find_page_image, read_transcription
from ocrlstm.errors import DatasetError

PAGE_SCHEMAS = [
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2010-01-12",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2010-03-19",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2013-07-15",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2016-07-15",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2017-07-15",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2018-07-15",
    "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15",
]
ALTO_SCHEMAS = [f"http://www.loc.gov/standards/alto/ns-v{n}#" for n in (2, 3, 4)]


def equiv(text, **attributes):
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<TextEquiv{given}><Unicode>{text}</Unicode></TextEquiv>"


def word(text):
    return f'<Word><Coords points="1,1 2,1 2,2"/>{equiv(text)}</Word>'


def page_text(tmp_path, content):
    path = write_page_xml(tmp_path / "p.xml", [page_line(0, more=content)])
    return read_transcription(path).lines[0].text


def alto_text(tmp_path, content):
    path = write_alto(tmp_path / "p.xml", [alto_line(0, content)])
    return read_transcription(path).lines[0].text


@pytest.mark.parametrize("schema", PAGE_SCHEMAS)
@pytest.mark.parametrize("prefix", ["", "pc:"])
def test_page_of_every_year_and_prefix(tmp_path, schema, prefix):
    if "2010" in schema:
        coords = "".join(f'<{prefix}Point x="{x}" y="{y}"/>' for x, y in ((1, 2), (9, 2), (9, 8)))
        coords = f"<{prefix}Coords>{coords}</{prefix}Coords>"
    else:
        coords = f'<{prefix}Coords points="1,2 9,2 9,8"/><{prefix}Baseline points="1,7 9,6"/>'
    binding = f"xmlns:{prefix[:-1]}" if prefix else "xmlns"
    path = tmp_path / "p.xml"
    path.write_text(
        f'<{prefix}PcGts {binding}="{schema}"><{prefix}Page imageFilename="a/b.tif" '
        f'imageWidth="10" imageHeight="20"><{prefix}TextRegion><{prefix}TextLine id="r1l1">{coords}'
        f"<{prefix}TextEquiv><{prefix}Unicode> Maß </{prefix}Unicode></{prefix}TextEquiv>"
        f"</{prefix}TextLine></{prefix}TextRegion></{prefix}Page></{prefix}PcGts>",
        encoding="utf-8",
    )
    page = read_transcription(path)
    assert (page.image, page.width, page.height) == ("a/b.tif", 10, 20)
    (line,) = page.lines
    assert (line.id, line.text) == ("r1l1", "Maß")
    assert line.polygon.tolist() == [[1, 2], [9, 2], [9, 8]]
    assert ("2010" in schema) == (line.baseline is None)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (equiv("one"), "one"),
        (equiv("two", index=1) + equiv("one", index=0), "one"),
        (equiv("three", index=3) + equiv("two", index=2), "two"),
        (equiv("low", conf=0.2) + equiv("high", conf=0.9), "high"),
        (equiv("first", index=0, conf=0.2) + equiv("second", index=1, conf=0.9), "first"),
        (equiv("numbered", index=4) + equiv("bare", conf=1), "numbered"),
        (equiv("first") + equiv("second"), "first"),
        (equiv("odd", index="x", conf="y") + equiv("second", index=0), "second"),
        (word("one") + word("two"), "one two"),
        (word("one") + word("two") + equiv("own"), "own"),
        (word("one") + word("") + word("two") + equiv(""), "one two"),
        (f"<Word>{equiv('ab')}<Glyph>{equiv('a')}</Glyph></Word>", "ab"),
        ("<TextEquiv/>", ""),
        ("", ""),
    ],
)
def test_page_text(tmp_path, content, text):
    assert page_text(tmp_path, content) == text


@pytest.mark.parametrize("namespace", [*ALTO_SCHEMAS, None])
def test_alto_of_every_version(tmp_path, namespace):
    path = write_alto(
        tmp_path / "p.xml",
        [alto_line(0, '<String CONTENT="Maß"/>', 'BASELINE="5 30 180 32"')],
    )
    text = path.read_text("utf-8")
    own = f'xmlns="{ALTO_SCHEMAS[2]}"'
    assert own in text
    path.write_text(text.replace(own, f'xmlns="{namespace}"' if namespace else ""), "utf-8")
    page = read_transcription(path)
    assert (page.image, page.width, page.height) == ("page.png", 200, 120)
    (line,) = page.lines
    assert (line.id, line.text) == ("l0", "Maß")
    assert line.polygon.tolist() == [[5, 4], [180, 4], [180, 35], [5, 35]]
    assert line.baseline.tolist() == [[5, 30], [180, 32]]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ('<String CONTENT="a whole line "/>', "a whole line"),
        ('<String CONTENT="one"/><SP WIDTH="9"/><String CONTENT="two"/>', "one two"),
        ('<String CONTENT="one"/><String CONTENT="two"/>', "one two"),
        ('<String CONTENT="one"/><SP/><String CONTENT="two"/><String CONTENT="."/>', "one two."),
        ('<String CONTENT="exam"/><HYP CONTENT="-"/>', "exam-"),
        ('<String CONTENT="exam"/><HYP/>', "exam-"),
        ('<String CONTENT="exam"/><HYP CONTENT="&#173;"/>', "exam-"),
        ('<String CONTENT="exam"/><HYP CONTENT="⸗"/>', "exam⸗"),
        ('<String CONTENT="exam-"/><HYP CONTENT="-"/>', "exam-"),
        (
            '<String CONTENT="an"/><SP/><String CONTENT="exam" SUBS_TYPE="HypPart1" '
            'SUBS_CONTENT="example"/><HYP CONTENT="-"/>',
            "an exam-",
        ),
        ('<String CONTENT="ple" SUBS_TYPE="HypPart2" SUBS_CONTENT="example"/>', "ple"),
        ('<String CONTENT="a"><ALTERNATIVE>b</ALTERNATIVE><Glyph CONTENT="c"/></String>', "a"),
        ("<String/>", ""),
        ("", ""),
    ],
)
def test_alto_text(tmp_path, content, text):
    assert alto_text(tmp_path, content) == text


def one_alto_line(tmp_path, line):
    return read_transcription(write_alto(tmp_path / "p.xml", [line])).lines[0]


def test_alto_polygon_comes_before_the_box(tmp_path):
    shape = '<Shape><Polygon POINTS="1,2 9,2 9,8"/></Shape>'
    line = one_alto_line(tmp_path, alto_line(0, "", shape=shape))
    assert line.polygon.tolist() == [[1, 2], [9, 2], [9, 8]]


def test_alto_box_of_the_words_where_the_line_has_none(tmp_path):
    words = '<String HPOS="5" VPOS="6" WIDTH="10" HEIGHT="5"/><String HPOS="20" VPOS="4" '
    words += 'WIDTH="10" HEIGHT="5"/><String CONTENT="x"/>'
    line = one_alto_line(tmp_path, f"<TextLine>{words}</TextLine>")
    assert line.polygon.tolist() == [[5, 4], [29, 4], [29, 10], [5, 10]]
    assert line.id == ""


def test_alto_without_any_place(tmp_path):
    line = one_alto_line(tmp_path, '<TextLine ID="x"><String CONTENT="x"/></TextLine>')
    assert line.polygon == "there is neither a polygon nor a box"


@pytest.mark.parametrize(
    ("baseline", "points"),
    [
        ("30", [[5, 30], [180, 30]]),
        ("5,30 90,31", [[5, 30], [90, 31]]),
        ("5 30 90", None),
        ("x", None),
        ("", None),
    ],
)
def test_alto_baselines(tmp_path, baseline, points):
    found = one_alto_line(tmp_path, alto_line(0, "", f'BASELINE="{baseline}"')).baseline
    assert points == (None if found is None else found.tolist())


@pytest.mark.parametrize("unit", ["mm10", "inch1200"])
def test_alto_in_other_units_is_refused(tmp_path, unit):
    path = write_alto(tmp_path / "p.xml", [alto_line(0, "")], unit=unit)
    with pytest.raises(DatasetError, match=f"p.xml: is measured in '{unit}', expected .* pixel"):
        read_transcription(path)


def test_alto_of_several_pages_is_refused(tmp_path):
    path = write_alto(tmp_path / "p.xml", [alto_line(0, "")])
    path.write_text(path.read_text("utf-8").replace("<Layout>", "<Layout><Page/>"), "utf-8")
    with pytest.raises(DatasetError, match="holds 2 pages"):
        read_transcription(path)


def test_page_faults_of_a_polygon_are_kept_for_the_line(tmp_path):
    lines = [
        page_line(0, "a", points="1,2 3"),
        '<TextLine id="x"><TextEquiv><Unicode>b</Unicode></TextEquiv></TextLine>',
        '<TextLine id="y"><Coords/></TextLine>',
        '<TextLine id="z"><Coords><Point x="1"/><Point x="1" y="b"/></Coords></TextLine>',
    ]
    first, missing, empty, odd = read_transcription(write_page_xml(tmp_path / "p.xml", lines)).lines
    assert first.polygon == "the polygon has 3 coordinates, expected pairs x,y"
    assert missing.polygon == "the polygon is missing"
    assert empty.polygon == "the polygon has no points"
    assert np.isnan(odd.polygon).any()


@pytest.mark.parametrize("root", ["mets", "html"])
def test_other_xml(tmp_path, root):
    path = tmp_path / "p.xml"
    path.write_text(f"<{root}><TextLine/></{root}>")
    with pytest.raises(NotAPageError, match=f"neither PAGE nor ALTO.*'{root}'"):
        read_transcription(path)


def touch(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).touch()


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ("scan.png", "scan.png"),
        ("images/scan.png", "scan.png"),
        ("/home/me/scan.png", "scan.png"),
        ("..\\..\\scan.png", "scan.png"),
        ("C:\\data\\scan.png", "scan.png"),
        ("https://example.org/x/scan.png?size=full", "scan.png"),
        ("file:///x/a%20b.jpg", "a b.jpg"),
        ("scan.tif", "scan.png"),  # converted
        ("scan", "scan.png"),
        ("no.42", "no.42.JPG"),
        ("gone.tif", "page.jpeg"),  # named as the XML
        ("", "page.jpeg"),
        ("..", "page.jpeg"),
        ("http://[", "page.jpeg"),
        ("x" * 5000, "page.jpeg"),
        ("a\0b.png", "page.jpeg"),
    ],
)
def test_image_beside_the_xml(tmp_path, declared, found):
    touch(tmp_path, "scan.png", "a b.jpg", "no.42.JPG", "page.jpeg")
    assert find_page_image(tmp_path / "page.xml", declared) == tmp_path / found


@pytest.mark.parametrize(
    "declared",
    ["../scan.png", "{outside}/scan.png", "file://{outside}/scan.png", "..%2Fscan.png", "", ".."],
)
def test_no_image_outside_the_folder_is_found(tmp_path, declared):
    touch(tmp_path, "scan.png", "inside/page.xml")
    with pytest.raises(DatasetError, match=r"page.xml: its page image is missing; put .* folder"):
        find_page_image(tmp_path / "inside" / "page.xml", declared.format(outside=tmp_path))
