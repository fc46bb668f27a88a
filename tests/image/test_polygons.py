"""Polygons: what has an area, what of it is on the page, and which way a baseline runs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.errors import ImageError
from ocrlstm.image.polygons import (
    check_polygon,
    clip_polygon,
    has_no_area,
    main_angle,
    rotate,
)

SQUARE = np.array([[10, 10], [30, 10], [30, 20], [10, 20]], np.float32)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (np.zeros((0, 2)), "has 0 points, expected 3 or more"),
        (SQUARE[:2], "has 2 points"),
        (np.array([[0, 0], [np.nan, 1], [5, 5]]), "not finite"),
        (np.array([[0, 0], [np.inf, 1], [5, 5]]), "not finite"),
        (np.array([[0, 0], [2e9, 1], [5, 5]]), "beyond 1e9"),
        (np.array([[5, 5], [5, 5], [5, 5]]), "no area"),
        (np.array([[0, 0], [10, 10], [20, 20], [5, 5]]), "no area"),
        (np.array([[0, 3], [500, 3], [200, 3]]), "no area"),
        (np.zeros((100_001, 2)), "100001 points, expected 100000 at most"),
    ],
)
def test_what_encloses_nothing_is_refused(points, message):
    with pytest.raises(ImageError, match=message):
        check_polygon(points)


@pytest.mark.parametrize(
    "points",
    [
        SQUARE,
        SQUARE - 1000,
        SQUARE[[0, 2, 1, 3]],  # crosses itself, its signed area is 0
        np.array([[0, 0], [800, 0], [800, 1], [0, 1]]),
    ],
)
def test_what_encloses_something_passes(points):
    check_polygon(points)


def test_a_polygon_on_the_page_stays_as_it_is():
    np.testing.assert_array_equal(clip_polygon(SQUARE, 31, 21), SQUARE)


def test_what_is_beyond_the_page_is_cut_off():
    clipped = clip_polygon(SQUARE, 21, 16)
    assert clipped.min(axis=0).tolist() == [10, 10]
    assert clipped.max(axis=0).tolist() == [20, 15]


def test_edges_keep_their_slope():
    # From (0, 0) to (1000, 500): at x = 100 it is at y = 50.
    clipped = clip_polygon(np.array([[0, 0], [1000, 500], [0, 10]]), 101, 1000)
    assert [100.0, 50.0] in clipped.tolist()


def test_nothing_is_left_of_a_polygon_beside_the_page():
    assert len(clip_polygon(SQUARE - (100, 0), 500, 500)) == 0
    assert len(clip_polygon(SQUARE + (0, 600), 500, 500)) == 0


numbers = st.floats(-300, 500, width=32)


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=12))
def test_what_is_left_lies_on_the_page(points):
    clipped = clip_polygon(np.array(points), 200, 100)
    assert np.isfinite(clipped).all()
    if len(clipped):
        # The last cut is exact, those before it are moved by rounding only.
        assert clipped.min() >= -1e-9
        assert (clipped.max(axis=0) <= (199 + 1e-9, 99 + 1e-9)).all()


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=8))
def test_points_on_the_page_are_kept(points):
    inside = [(x, y) for x, y in points if 0 <= x <= 199 and 0 <= y <= 99]
    clipped = {tuple(point) for point in clip_polygon(np.array(points), 200, 100).tolist()}
    assert set(inside) <= clipped


@pytest.mark.parametrize(
    ("points", "degrees"),
    [
        ([[0, 0], [100, 0]], 0),
        ([[0, 0], [100, 100]], 45),
        ([[0, 100], [100, 0]], -45),
        ([[100, 0], [0, 0]], 0),  # drawn from right to left
        ([[100, 75], [0, 0]], np.degrees(np.arctan(0.75))),
        ([[0, 0], [0, 100]], 90),
        ([[0, 100], [0, 0]], -90),
    ],
)
def test_angle_of_a_baseline(points, degrees):
    assert np.degrees(main_angle(np.array(points, float))) == pytest.approx(degrees, abs=1e-6)


def test_points_close_together_do_not_weigh_more():
    # A long level stretch, then many points on a short way down.
    points = np.array([[0.0, 0.0], [1000.0, 0.0], *([1000.0 + n / 10, n / 10] for n in range(100))])
    assert abs(np.degrees(main_angle(points))) < 0.1


def test_a_line_of_an_angle_is_turned_level():
    turned = rotate(np.array([[0.0, 0.0], [30.0, 40.0]]), np.arctan2(40, 30))
    np.testing.assert_allclose(turned, [[0, 0], [50, 0]], atol=1e-12)


def test_area():
    assert has_no_area(np.array([[0, 0], [9, 0], [4, 0.2]]))
    assert not has_no_area(np.array([[0, 0], [9, 0], [4, 2]]))
