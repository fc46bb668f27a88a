"""Lines of pages as pairs: each cut and read, each fault told with page and line."""

import numpy as np
import pytest
from drawn_pages import alto_line, box, draw_page, page_line, write_alto, write_page_xml
from PIL import Image

from ocrlstm.datasets import check_pairs
from ocrlstm.datasets.page_images import PageImages
from ocrlstm.datasets.page_lines import read_page_lines
from ocrlstm.errors import DatasetError, ImageError
from ocrlstm.lines import LineNormalizer

SCALE = LineNormalizer(kind="scale", height=32, padding=8)


def bars(ink):
    """Count the bars of a line."""
    dark = ink.max(axis=0) > 0.5
    return int(np.count_nonzero(dark[1:] & ~dark[:-1]))


def read(path):
    content = read_page_lines(path, PageImages())
    return content.lines, content.problems


@pytest.fixture
def image(tmp_path):
    return draw_page(tmp_path / "page.png")


@pytest.fixture
def xml(tmp_path, image):
    lines = [page_line(n, "i" * (n + 1)) for n in range(3)]
    return write_page_xml(
        tmp_path / "page.xml", lines, attributes='imageWidth="200" imageHeight="120"'
    )


def test_lines_of_page_xml(xml, image):
    content = read_page_lines(xml, PageImages())
    assert (content.problems, content.without_text, content.image) == ([], [], image)
    lines = content.lines
    assert [line.name for line in lines] == [f"{xml}#l{n}" for n in range(3)]
    assert [line.text_name for line in lines] == [line.name for line in lines]
    assert [line.read_text() for line in lines] == ["i", "ii", "iii"]
    inks = [line.read_ink() for line in lines]
    assert [ink.shape for ink in inks] == [(32, 176)] * 3
    assert [bars(ink) for ink in inks] == [1, 2, 3]


def test_lines_of_alto(tmp_path, image):
    contents = [f'<String CONTENT="{"i" * (n + 1)}"/>' for n in range(3)]
    path = write_alto(tmp_path / "a.xml", [alto_line(n, c) for n, c in enumerate(contents)])
    lines, problems = read(path)
    assert problems == []
    assert [line.read_ink().shape for line in lines] == [(32, 176)] * 3
    assert [bars(line.read_ink()) for line in lines] == [1, 2, 3]


def test_identity_is_the_same_by_any_path(xml, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    here, there = read(xml)[0][1], read(tmp_path / "link" / "page.xml")[0][1]
    assert here.name != there.name
    assert here.identity == there.identity


@pytest.mark.parametrize("size", [(100, 60), (400, 240), (201, 120)])
def test_an_image_of_the_same_proportions_is_scaled_to(xml, image, size):
    Image.open(image).resize(size, Image.Resampling.BOX).save(image)
    for n, line in enumerate(read(xml)[0]):
        ink = line.read_ink()
        assert abs(ink.shape[0] - 32 * size[1] / 120) <= 1
        assert abs(ink.shape[1] - 176 * size[0] / 200) <= 1
        assert bars(ink) == n + 1


def test_an_image_of_another_page_is_refused(xml, image):
    Image.new("L", (120, 200), 255).save(image)
    with pytest.raises(ImageError) as caught:
        read(xml)[0][0].read_ink()
    assert str(caught.value).startswith(f"{xml}#l0: the XML is of a page of 200 x 120, but {image}")
    assert "120 x 200 pixels" in str(caught.value)


def test_an_image_turned_by_exif_is_cut_upright(xml, image):
    # Saved on its side, with the tag that says so.
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.open(image).transpose(Image.Transpose.ROTATE_90).save(image, exif=exif)
    assert [bars(line.read_ink()) for line in read(xml)[0]] == [1, 2, 3]


@pytest.mark.parametrize("size", ["", 'imageWidth="0" imageHeight="0"', 'imageWidth="x"'])
def test_an_xml_without_a_size_is_taken_as_it_is(tmp_path, image, size):
    path = write_page_xml(tmp_path / "page.xml", [page_line(2, "iii")], attributes=size)
    assert bars(read(path)[0][0].read_ink()) == 3


def test_a_slanted_baseline_is_straightened(tmp_path):
    page = Image.new("L", (400, 200), 255)
    bar = Image.new("L", (300, 10), 0)
    page.paste(bar, (50, 95))
    page.rotate(-6, Image.Resampling.BICUBIC, fillcolor=255).save(tmp_path / "page.png")
    angle = np.radians(6)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])

    def place(points):
        moved = (np.array(points) - (199.5, 99.5)) @ turn + (199.5, 99.5)
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in moved)

    points = place([[45, 85], [355, 85], [355, 115], [45, 115]])
    baseline = f'<Baseline points="{place([[50, 105], [350, 105]])}"/>'
    lines = [page_line(0, "a", points=points, more=baseline), page_line(1, "a", points=points)]
    level, slanted = (
        line.read_ink() for line in read(write_page_xml(tmp_path / "page.xml", lines))[0]
    )
    assert level.shape[0] <= 33 and slanted.shape[0] > 55
    assert np.count_nonzero(level.mean(axis=1) > 0.5) in (9, 10, 11)
    assert slanted.mean(axis=1).max() < 0.5


BAD_POLYGONS = {
    "negative": ("-40,-40 -5,-40 -5,-5", "beyond the page of 200 x 120 pixels"),
    "outside": ("900,900 990,900 990,990", "beyond the page of 200 x 120 pixels"),
    "flat": ("5,4 180,4 90,4", "no area"),
    "point": ("5,4 5,4 5,4", "no area"),
    "two": ("5,4 180,35", "2 points"),
    "none": ("", "no points"),
    "nan": ("nan,4 180,4 180,35", "not finite"),
    "infinite": ("inf,4 180,4 180,35", "not finite"),
    "huge": ("1e300,4 180,4 180,35", "not finite"),
    "odd": ("5,4 180,4 180", "5 coordinates"),
    "words": ("a,b c,d e,f", "no number"),
}
CLIPPED_POLYGONS = {
    "partly negative": "-50,-40 180,-40 180,35 -50,35",
    "partly outside": "5,84 1e6,84 1e6,2e6 5,2e6",
    "crossing": "5,4 180,35 180,4 5,35",
    "whole page": "-1e7,-1e7 1e7,-1e7 1e7,1e7 -1e7,1e7",
    "many": " ".join(f"{x},{4 + 31 * (x % 2)}" for x in range(5, 180)),
}


def test_each_bad_polygon_is_a_problem_with_page_and_line(tmp_path, image):
    good = page_line(0, "i")
    bad = [
        f'<TextLine id="{name}"><Coords points="{points}"/><TextEquiv><Unicode>x</Unicode>'
        "</TextEquiv></TextLine>"
        for name, (points, _) in BAD_POLYGONS.items()
    ]
    path = write_page_xml(tmp_path / "page.xml", [*bad, good])
    lines, problems = read(path)
    samples, others = check_pairs(lines, SCALE, "NFC")
    assert [sample.name for sample in samples] == [f"{path}#l0"]
    told = {str(problem.path): problem for problem in (*problems, *others)}
    assert set(told) == {f"{path}#{name}" for name in BAD_POLYGONS}
    for name, (_, reason) in BAD_POLYGONS.items():
        problem = told[f"{path}#{name}"]
        assert reason in problem.reason
        assert str(problem).count(str(path)) == 1 and "\n" not in str(problem)


def test_polygons_over_the_rim_are_clipped(tmp_path, image):
    odd = [page_line(n, "i", points=points) for n, points in enumerate(CLIPPED_POLYGONS.values())]
    lines, problems = read(write_page_xml(tmp_path / "page.xml", odd))
    samples, others = check_pairs(lines, SCALE, "NFC")
    assert problems == [] and others == []
    assert len(samples) == len(CLIPPED_POLYGONS)


def test_a_bad_baseline_harms_nothing(tmp_path, image):
    baselines = ["", "5", "5,30", "nan,1 2,3", "inf,0 0,inf", "a b", "9,9 9,9", "180,30 5,30"]
    more = [f'<Baseline points="{points}"/>' for points in baselines]
    odd = [page_line(n, "iii", points=box(2), more=line) for n, line in enumerate(more)]
    lines, problems = read(write_page_xml(tmp_path / "page.xml", odd))
    assert problems == []
    assert [bars(line.read_ink()) for line in lines] == [3] * len(baselines)


def test_lines_that_are_not_transcribed(tmp_path, image):
    lines = [page_line(0, "i"), page_line(1), page_line(2, points="1,2")]
    path = write_page_xml(tmp_path / "page.xml", lines)
    content = read_page_lines(path, PageImages())
    assert (len(content.lines), content.problems) == (1, [])
    assert [str(name) for name in content.without_text] == [f"{path}#l1", f"{path}#l2"]


def test_lines_without_or_with_the_same_id_get_names_of_their_own(tmp_path, image):
    lines = [page_line(0, "i"), page_line(0, "i"), page_line(0, "i").replace('id="l0"', "")]
    lines += [page_line(0, "i").replace('id="l0"', 'id="a b&#10;c"'), page_line(0, "i")]
    path = write_page_xml(tmp_path / "page.xml", lines)
    assert [line.id for line in read(path)[0]] == ["l0", "l0~2", "3", "a_b_c", "l0~5"]


def test_a_missing_image_is_one_problem_of_the_page(tmp_path):
    path = write_page_xml(tmp_path / "page.xml", [page_line(0, "i")], image="x/gone.tif")
    with pytest.raises(DatasetError, match=r"page.xml: its page image is missing; put 'gone.tif'"):
        read(path)


def test_a_damaged_image_is_told_with_page_line_and_image(xml, image):
    image.write_bytes(image.read_bytes()[:60])
    samples, problems = check_pairs(read(xml)[0], SCALE, "NFC")
    assert len(samples) == 0 and len(problems) == 3
    assert str(problems[1]).startswith(f"{xml}#l1: {image}: the PNG image is truncated")


def test_thousands_of_lines(tmp_path, image):
    lines = [
        page_line(n % 3, "i" * (n % 3 + 1)).replace('id="l', f'id="n{n}l') for n in range(5000)
    ]
    pairs, problems = read(write_page_xml(tmp_path / "page.xml", lines))
    assert len(pairs) == 5000 and problems == []
    samples, problems = check_pairs(pairs[:300], SCALE, "NFC")
    assert len(samples) == 300 and problems == []
