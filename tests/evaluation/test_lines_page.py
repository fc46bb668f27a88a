"""The page of lines: all in it is shown, nothing in it can do anything."""

import base64
from html.parser import HTMLParser

import numpy as np
import pytest

from ocrlstm.evaluation import ShownLine, html_page, lines_page
from ocrlstm.image import png_bytes, read_image

VOID = {"meta", "img", "br"}
HOSTILE = '<script>alert("x")</script><img src=http://evil.example/x>&amp;\x00\x1b\ud800\u202e'


class Page(HTMLParser):
    """A page taken apart; complains about tags that do not match."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.texts, self.pictures = [], [], [], []
        self.marked = []  # (class of a span, its text)
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append((tag, attributes))
        if tag == "img":
            kind, _, data = attributes["src"].partition(",")
            assert kind == "data:image/png;base64"
            self.pictures.append(read_image(base64.b64decode(data, validate=True)))
        if tag == "span":
            self.marked.append((attributes["class"], ""))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "p" and attributes.get("class") == "text":
            self.texts.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "p" in self.open and self.texts:
            self.texts[-1] += data
        if self.open and self.open[-1] == "span":
            kind, text = self.marked[-1]
            self.marked[-1] = (kind, text + data)


def test_picture_truth_and_reading():
    ink = np.random.default_rng(0).integers(0, 256, (16, 40)).astype(np.uint8)
    lines = [
        ShownLine("book/1.png", "four, five", "fonr five!", 3, ink),
        ShownLine("book/2.png", "ab", "ab", 0, png_bytes(ink), note="smeared"),
        ShownLine("book/3.png", "", "", 0),
    ]
    text = lines_page(lines, "Worst lines", [("CER", "2.5 %")])
    page = Page(text)
    assert page.texts == ["four, five", "fonr five!", "ab", "ab", "", ""]
    assert page.marked[3:] == [
        ("replace", "u"),
        ("delete", ","),
        ("replace", "n"),
        ("insert", "!"),
    ]
    for picture in page.pictures:
        np.testing.assert_allclose(picture, ink / 255, atol=1e-6)
    assert len(page.pictures) == 2
    for piece in ("<title>Worst lines</title>", "book/1.png", "3 edits", "smeared", "2.5 %"):
        assert piece in text


def test_nothing_of_a_text_becomes_markup():
    line = ShownLine(HOSTILE, HOSTILE, "x" + HOSTILE, 1, note=HOSTILE)
    text = lines_page([line], HOSTILE, [(HOSTILE, HOSTILE)])
    text.encode("utf-8")
    assert not set("\x00\x1b\ud800") & set(text)
    page = Page(text)
    assert {tag for tag, _ in page.tags} == {
        *("html", "head", "meta", "title", "style", "body", "h1", "h3", "table", "tr", "th", "td"),
        *("bdi", "p", "span", "section", "div", "small"),
    }
    truth, reading = page.texts
    assert reading == "x" + truth
    assert truth == HOSTILE.replace("\x00", r"\x00").replace("\x1b", r"\x1b").replace(
        "\ud800", r"\ud800"
    )


def test_it_needs_nothing_else():
    text = lines_page([ShownLine("a.png", "a", "b", 1, np.ones((4, 4)))], "t")
    assert "http" not in text.replace("http-equiv", "")
    assert "url(" not in text and "@import" not in text and "<script" not in text
    policy = next(a["content"] for tag, a in Page(text).tags if a.get("http-equiv"))
    assert "default-src 'none'" in policy


def test_each_text_has_its_own_direction():
    page = Page(lines_page([ShownLine("a.png", "שלום 12", "שלם 12", 1)], "t"))
    paragraphs = [a for tag, a in page.tags if tag == "p" and a.get("class") == "text"]
    assert [a["dir"] for a in paragraphs] == ["auto", "auto"]
    assert page.texts == ["שלום 12", "שלם 12"]


def test_no_lines_are_told():
    assert "No line is wrong." in lines_page([], "t")


def test_a_picture_that_is_none():
    with pytest.raises(
        ValueError, match=r"picture of a\.png begins with b'GIF89a', expected a PNG"
    ):
        lines_page([ShownLine("a.png", "a", "b", 1, b"GIF89a")], "t")


def test_other_pages_share_the_frame():
    page = Page(html_page("A & B", "<p>c</p>"))
    assert ("title", {}) in page.tags
