"""Cutting lines: what is in the polygon comes out and nothing else; slanted lines become level."""

import numpy as np
import pytest
from PIL import Image, ImageDraw

from ocrlstm.errors import ImageError
from ocrlstm.image import cut_line

PAPER = 30


def box(left, top, right, bottom):
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


@pytest.fixture
def page():
    """Paper with grain, a black bar in rows 20 to 29 and another in rows 40 to 49."""
    pixels = np.random.default_rng(1).integers(PAPER - 5, PAPER + 6, (100, 200)).astype(np.uint8)
    pixels[20:30, 10:190] = 250
    pixels[40:50, 10:190] = 250
    return pixels


def test_a_box_is_cut_to_the_pixel(page):
    line = cut_line(page, box(5, 15, 194, 34))
    assert line.dtype == np.float32
    np.testing.assert_array_equal(line, page[15:35, 5:195] / np.float32(255))


def test_a_neighbour_within_the_box_is_painted_over(page):
    # A dent in the lower rim goes round what stands in the second line.
    polygon = np.array([[5, 15], [194, 15], [194, 45], [150, 45], [150, 35], [5, 35]])
    line = cut_line(page, polygon) * 255
    assert line.shape == (31, 190)
    assert line[5:15, 5:185].min() == 250
    assert line[25:31, :140].max() <= PAPER + 5  # the second bar is not in the polygon
    assert np.ptp(line[25:31, :140]) == 0
    assert abs(line[30, 0] - PAPER) <= 1  # the median of the paper
    assert line[26:, 150:180].min() == 250


def test_white_print_gets_dark_around_it(page):
    line = cut_line(255 - page, np.array([[5, 15], [194, 15], [150, 34], [5, 34]])) * 255
    assert abs(line[-1, -1] - (255 - PAPER)) <= 1


def test_bold_print_in_a_tight_polygon_does_not_count_as_white_print(page):
    page[24, 100:120] = PAPER
    line = cut_line(page, np.array([[10, 20], [189, 20], [189, 29], [12, 29]])) * 255
    assert line[-1, 0] < 100


@pytest.mark.parametrize(
    ("polygon", "shape"),
    [
        (box(-50, 15, 60, 34), (20, 61)),
        (box(150, 90, 400, 700), (10, 50)),
        (box(-1e8, -1e8, 1e8, 1e8), (100, 200)),
        (box(5, 15, 194, 34)[[0, 2, 1, 3]], (20, 190)),  # crosses itself
        (box(5.4, 15.6, 193.5, 34.2), (21, 190)),
        (np.repeat(box(5, 15, 194, 34), 3, axis=0), (20, 190)),
    ],
)
def test_odd_polygons_are_clipped_to_the_page(page, polygon, shape):
    line = cut_line(page, polygon)
    assert line.shape == shape
    assert 0 <= line.min() and line.max() <= 1


@pytest.mark.parametrize(
    ("polygon", "message"),
    [
        (box(300, 15, 400, 34), "beyond the page of 200 x 100 pixels"),
        (box(-300, 15, -1, 34), "beyond the page"),
        (box(5, 15, 194, 15), "no area"),
        (box(5, 15, np.nan, 34), "not finite"),
        (box(5, 15, 194, 34)[:2], "2 points"),
    ],
)
def test_impossible_polygons_are_refused(page, polygon, message):
    with pytest.raises(ImageError, match=message):
        cut_line(page, polygon)


def slanted(degrees, baseline_from_the_right=False):
    """A page with a black bar of 300 x 20 turned by an angle about the middle, and its outlines."""
    middle, turn = np.array([250.0, 250.0]), np.radians(degrees)
    matrix = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])

    def place(corners):
        return np.asarray(corners, float) @ matrix + middle

    large = Image.new("L", (2000, 2000))
    bar = place([[-150, -10], [150, -10], [150, 10], [-150, 10]])
    # Four times as large and then reduced, so that its edges are smooth.
    ImageDraw.Draw(large).polygon([tuple(4 * point + 2) for point in bar], fill=255)
    page = np.asarray(large.resize((500, 500), Image.Resampling.BOX))
    baseline = place([[-150, 10], [0, 10], [150, 10]])
    polygon = place([[-160, -25], [160, -25], [160, 25], [-160, 25]])
    return page, polygon, baseline[::-1] if baseline_from_the_right else baseline


@pytest.mark.parametrize("degrees", [-30, -7, -1.5, 1.5, 7, 30, 90, -90])
@pytest.mark.parametrize("from_the_right", [False, True])
def test_a_slanted_line_comes_out_level(degrees, from_the_right):
    page, polygon, baseline = slanted(degrees, from_the_right)
    line = cut_line(page, polygon, baseline)
    # Rim pixels are in it, and a corner may fall between pixels.
    assert abs(line.shape[0] - 51) <= 1 and abs(line.shape[1] - 321) <= 1
    rows, columns = line.mean(axis=1), line.mean(axis=0)
    print_rows, print_columns = np.flatnonzero(rows > 0.5), np.flatnonzero(columns > 0.2)
    assert abs(len(print_rows) - 20) <= 1 and abs(len(print_columns) - 300) <= 2
    assert abs(print_rows.mean() - 25) <= 1 and abs(print_columns.mean() - 160) <= 1
    # Level: above and below the bar there is no ink, within it no paper.
    assert rows[: print_rows[0] - 2].max() < 0.02 and rows[print_rows[-1] + 3 :].max() < 0.02
    inner = line[print_rows[0] + 2 : print_rows[-1] - 1, print_columns[3] : print_columns[-3]]
    assert inner.min() > 0.95


def test_top_stays_top():
    page, polygon, baseline = slanted(20)
    centre = polygon.mean(axis=0)
    head = ((polygon[0] + polygon[1]) / 2 * 0.9 + centre * 0.1).astype(int)
    page = page.copy()
    page[head[1] - 3 : head[1] + 4, head[0] - 3 : head[0] + 4] = 255
    line = cut_line(page, polygon, baseline)
    assert line[:8, 150:170].max() > 0.9 and line[-8:].max() < 0.1


@pytest.mark.parametrize(
    "baseline",
    [
        np.array([[10.0, 30.0]]),
        np.array([[10.0, 30.0], [10.0, 30.0]]),
        np.array([[10.0, 30.0], [np.nan, 30.0]]),
        np.array([[10.0, 30.0], [2e9, 1e9]]),
        np.array([[10.0, 30.0], [190.0, 30.4]]),  # level but for a fraction of a pixel
        np.array([[10.0, 30.0], [190.0, 90.0]]),  # would make the line taller
    ],
)
def test_a_baseline_that_is_of_no_use_changes_nothing(page, baseline):
    polygon = box(5, 15, 194, 34)
    np.testing.assert_array_equal(cut_line(page, polygon, baseline), cut_line(page, polygon))


def test_a_slanted_line_at_the_rim_of_the_page():
    page, polygon, baseline = slanted(10)
    cut = page[:, :250]
    line = cut_line(cut, polygon, baseline)
    assert abs(line.shape[1] - 160) <= 12
    assert (line.mean(axis=1) > 0.5).sum() in (19, 20, 21)


def test_the_page_is_not_changed(page):
    before = page.copy()
    page.flags.writeable = False
    cut_line(page, box(5, 15, 194, 34), np.array([[10.0, 30.0], [190.0, 40.0]]))
    np.testing.assert_array_equal(page, before)
