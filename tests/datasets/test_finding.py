"""From paths to pairs: every kind in any mixture, each line once, and each fault told."""

import numpy as np
import pytest
from drawn_pages import draw_page, page_line, write_page_xml
from PIL import Image

from ocrlstm.datasets import PageLine, Pair, TableLine, check_pairs, find_pairs
from ocrlstm.errors import DatasetError
from ocrlstm.lines import LineNormalizer


def write_pair(folder, name, text="text"):
    folder.mkdir(parents=True, exist_ok=True)
    pixels = np.full((32, 100), 255, np.uint8)
    pixels[8:24, 10:90:8] = 0
    Image.fromarray(pixels).save(folder / f"{name}.png")
    if text is not None:
        (folder / f"{name}.gt.txt").write_text(text, "utf-8")


def write_page(folder, name, lines=2, image=True):
    if image:
        draw_page(folder / f"{name}.png", lines)
    texts = [page_line(n, "i" * (n + 1)) for n in range(lines)]
    return write_page_xml(folder / f"{name}.xml", texts, image=f"{name}.png")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two line images, a page of two lines, and a table of two more images in a folder below."""
    monkeypatch.chdir(tmp_path)
    write_pair(tmp_path, "a")
    write_page(tmp_path, "b")
    write_pair(tmp_path, "c")
    write_pair(tmp_path / "more", "d", None)
    write_pair(tmp_path / "more", "e", None)
    (tmp_path / "more" / "lines.tsv").write_text("d\tdelta\ne.png\tepsilon\n")
    return tmp_path


def names(found, folder):
    return [pair.name.replace(f"{folder}/", "") for pair in found.pairs]


def test_a_folder_of_lines_and_pages(folder):
    found = find_pairs([folder])
    assert names(found, folder) == ["a.png", "b.xml#l0", "b.xml#l1", "c.png"]
    assert [type(pair) for pair in found.pairs] == [Pair, PageLine, PageLine, Pair]
    assert found.problems == []
    # The image of the page is none of those without a text.
    assert [path.name for path in found.without_text] == ["d.png", "e.png"]


def test_all_kinds_at_once(folder):
    found = find_pairs([folder / "more" / "lines.tsv", folder])
    assert names(found, folder)[:2] == ["more/d.png", "more/e.png"]
    assert names(found, folder)[2:] == ["a.png", "b.xml#l0", "b.xml#l1", "c.png"]
    assert isinstance(found.pairs[0], TableLine)
    assert found.without_text == []


@pytest.mark.parametrize(
    "paths",
    [
        ["b.xml"],
        ["b.xml", "b.xml", "./b.xml"],
        ["b.*"],
        ["*.xml"],
        ["b.png", "b.xml"],
        ["@list.txt"],
    ],
)
def test_a_page_by_every_kind_of_path(folder, paths):
    (folder / "list.txt").write_text("b.xml\nb.png\n")
    assert names(find_pairs(paths), folder) == ["b.xml#l0", "b.xml#l1"]


@pytest.mark.parametrize("paths", [["more/lines.tsv"], ["more/*.tsv"], ["@list.txt"]])
def test_a_table_by_every_kind_of_path(folder, paths):
    (folder / "list.txt").write_text("more/lines.tsv\n")
    found = find_pairs(paths)
    assert [pair.read_text() for pair in found.pairs] == ["delta", "epsilon"]


def test_a_line_that_is_named_twice_comes_once(folder):
    write_pair(folder / "more", "d", "other")
    found = find_pairs([folder / "more", folder / "more" / "lines.tsv"])
    assert [pair.read_text() for pair in found.pairs] == ["other", "epsilon"]


def test_a_page_with_a_text_of_its_own_is_no_line(folder):
    (folder / "b.gt.txt").write_text("many\nlines")
    assert "b.png" not in names(find_pairs([folder]), folder)


def test_all_pairs_are_read_alike(folder):
    found = find_pairs([folder, folder / "more" / "lines.tsv"])
    normalizer = LineNormalizer(kind="scale", height=32, padding=8)
    samples, problems = check_pairs(found.pairs, normalizer, "NFC")
    assert problems == []
    texts = {sample.name.replace(f"{folder}/", ""): sample.text for sample in samples}
    assert texts == {
        "a.png": "text",
        "b.xml#l0": "i",
        "b.xml#l1": "ii",
        "c.png": "text",
        "more/d.png": "delta",
        "more/e.png": "epsilon",
    }


def test_faults_are_told_and_the_rest_goes_on(folder):
    (folder / "broken.xml").write_text("<PcGts><Page>")
    Image.new("L", (9, 9)).save(folder / "broken.png")
    (folder / "bomb.xml").write_text('<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>')
    write_page(folder, "lost", image=False)
    (folder / "empty.xml").write_bytes(b"")
    (folder / "notes.txt").write_text("no table at all\n")
    found = find_pairs([folder, folder / "notes.txt"])
    assert names(found, folder) == ["a.png", "b.xml#l0", "b.xml#l1", "c.png"]
    told = {problem.path.name: problem.reason for problem in found.problems}
    assert set(told) == {"broken.xml", "bomb.xml", "lost.xml", "empty.xml", "notes.txt"}
    assert "not well-formed" in told["broken.xml"]
    assert "DOCTYPE" in told["bomb.xml"]
    assert "page image is missing" in told["lost.xml"]
    assert "none of its 1 lines" in told["notes.txt"]
    # The image of the broken file is no line without a text.
    assert [path.name for path in found.without_text] == ["d.png", "e.png"]
    for problem in found.problems:
        assert "\n" not in str(problem) and str(problem).count(str(folder)) <= 2


def test_other_xml_in_a_folder_is_passed_over_but_told_when_named(folder):
    (folder / "mets.xml").write_text("<mets/>")
    assert find_pairs([folder]).problems == []
    (problem,) = find_pairs([folder, folder / "mets.xml"]).problems
    assert "mets.xml: is neither PAGE nor ALTO" in str(problem)


def test_lines_of_pages_without_text_are_told(folder):
    write_page_xml(folder / "b.xml", [page_line(0, "i"), page_line(1)], image="b.png")
    found = find_pairs([folder / "b.xml"])
    assert (len(found.pairs), found.problems) == (1, [])
    assert found.without_text == [folder / "b.xml#l1"]


def test_progress_counts_files_that_are_read(folder):
    write_page(folder, "f")
    calls = []
    find_pairs(
        [folder, folder / "more" / "lines.tsv"], lambda done, total: calls.append((done, total))
    )
    assert calls == [(1, 3), (2, 3), (3, 3)]


def test_nothing_is_opened_before_it_is_needed(folder):
    for name in ("a.png", "b.png", "c.png"):
        (folder / name).write_bytes(b"")
    assert len(find_pairs([folder]).pairs) == 4


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("only/broken.xml", r"broken.xml: is not well-formed XML .*; no pair is left"),
        ("only", r"broken2.xml: is not .* \(and 1 more problem\); no pair is left"),
        ("only/mets.xml", "mets.xml: is neither PAGE nor ALTO"),
        ("void", "void: no images or page XML in this folder"),
        ("*.nothing", "no image or page XML fits"),
        ("gone.xml", "gone.xml: no such file or folder"),
        ("more/d.png", "found 1 image but no text; the text of d.png is expected"),
        ("a.gt.txt", "no image among the paths given"),
        ("blank/1.xml", "the page XML has no line at all"),
        ("blank/2.xml", "the page XML has 2 lines without a text"),
    ],
)
def test_nothing_found(folder, path, message):
    (folder / "only").mkdir()
    (folder / "only" / "broken.xml").write_text("<PcGts>")
    (folder / "only" / "broken2.xml").write_text("<PcGts>")
    (folder / "only" / "mets.xml").write_text("<mets/>")
    (folder / "void").mkdir()
    draw_page(folder / "blank" / "1.png")
    write_page_xml(folder / "blank" / "1.xml", [])
    write_page_xml(folder / "blank" / "2.xml", [page_line(0), page_line(1)], image="1.png")
    with pytest.raises(DatasetError, match=message) as caught:
        find_pairs([path])
    assert "\n" not in str(caught.value)


def test_no_path_at_all():
    with pytest.raises(DatasetError, match="no path given"):
        find_pairs([])


def test_one_path_may_stand_alone(folder):
    assert len(find_pairs(folder / "b.xml").pairs) == 2


def test_links_are_followed(folder):
    (folder / "links").mkdir()
    (folder / "links" / "a.png").symlink_to(folder / "a.png")
    (folder / "links" / "p.xml").symlink_to(folder / "b.xml")
    (folder / "links" / "b.png").symlink_to(folder / "b.png")
    # Read by way of the links, whose folder comes first, and each line once.
    found = find_pairs([folder / "links", folder])
    assert names(found, folder) == ["links/p.xml#l0", "links/p.xml#l1", "c.png"]
    assert [path.name for path in found.without_text] == ["a.png", "d.png", "e.png"]
