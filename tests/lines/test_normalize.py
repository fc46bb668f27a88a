import numpy as np
import pytest
from drawn import drawn_line
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.errors import ImageError
from ocrlstm.lines import LineNormalizer, NormalizedLine, normalize_line
from ocrlstm.lines.scale import scale_to_height, shrink_whole, sum_columns

BOTH = [LineNormalizer(), LineNormalizer("scale")]


def check(line, normalizer, width):
    pixels = line.pixels
    assert pixels.dtype == np.float32
    assert pixels.flags.c_contiguous
    assert pixels.shape[0] == normalizer.height
    assert pixels.shape[1] >= 2 * normalizer.padding + 1
    assert 0 <= pixels.min() <= pixels.max() <= 1
    assert not pixels[:, : normalizer.padding].any()
    assert not pixels[:, pixels.shape[1] - normalizer.padding :].any()
    assert line.source_width == width


@settings(max_examples=60, deadline=None)
@given(
    rows=st.integers(1, 70),
    columns=st.integers(1, 120),
    levels=st.sampled_from(["noise", "bits", "white", "black", "dot", "rule"]),
    kind=st.sampled_from(["center", "scale"]),
    height=st.sampled_from([4, 31, 48]),
    seed=st.integers(0, 1000),
)
def test_any_size_and_content_gives_a_line(rows, columns, levels, kind, height, seed):
    rng = np.random.default_rng(seed)
    image = np.zeros((rows, columns), np.float32)
    if levels == "noise":
        image = rng.random((rows, columns), np.float32)
    elif levels == "bits":
        image = rng.integers(0, 2, (rows, columns)).astype(np.float32)
    elif levels == "black":
        image += 1
    elif levels == "dot":
        image[rng.integers(rows), rng.integers(columns)] = 1
    elif levels == "rule":
        image[rng.integers(rows)] = 1
    normalizer = LineNormalizer(kind, height=height)
    check(normalize_line(image, normalizer), normalizer, columns)


@pytest.mark.parametrize("normalizer", BOTH)
@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_blank_images_give_blank_lines(normalizer, level):
    for shape in ((1, 1), (1, 30), (40, 1), (50, 700)):
        line = normalize_line(np.full(shape, level, np.float32), normalizer)
        check(line, normalizer, shape[1])
        assert not line.pixels.any()


@pytest.mark.parametrize("normalizer", BOTH)
@pytest.mark.parametrize("shape", [(50, 20_000), (5000, 60), (3000, 2000)])
def test_huge_images(normalizer, shape):
    image = np.zeros(shape, np.float32)
    image[shape[0] // 3 : shape[0] // 2, 3::9] = 1
    line = normalize_line(image, normalizer)
    check(line, normalizer, shape[1])
    assert line.pixels.any()
    assert line.pixels.shape[1] < 100_000


@pytest.mark.parametrize("shape", [(1, 20_000), (3, 1201), (1, 401), (4, 8001)])
def test_what_is_far_too_flat_is_refused(shape):
    with pytest.raises(ImageError, match=f"{shape[1]} x {shape[0]} pixels are too flat"):
        normalize_line(np.zeros(shape, np.float32), LineNormalizer())


@pytest.mark.parametrize("shape", [(5,), (0, 5), (5, 0), (2, 2, 3)])
def test_what_is_no_line_image_is_a_mistake_of_the_caller(shape):
    with pytest.raises(ValueError, match="shape"):
        normalize_line(np.zeros(shape, np.float32), LineNormalizer())


@pytest.mark.parametrize("normalizer", BOTH)
def test_white_on_black_gives_the_same_line(normalizer):
    image = drawn_line()
    plain, turned = normalize_line(image, normalizer), normalize_line(1 - image, normalizer)
    assert (plain.inverted, turned.inverted) == (False, True)
    np.testing.assert_allclose(turned.pixels, plain.pixels, atol=1e-5)


@pytest.mark.parametrize("normalizer", BOTH)
def test_the_image_is_not_changed(normalizer):
    image = 0.2 + 0.6 * drawn_line()
    before = image.copy()
    normalize_line(image, normalizer)
    np.testing.assert_array_equal(image, before)


@pytest.mark.parametrize("normalizer", BOTH)
def test_columns_map_back_to_where_the_ink_was(normalizer):
    image = drawn_line(columns=500)
    image[:, 200:300] = 0
    line = normalize_line(image, normalizer)
    inked = np.flatnonzero(line.pixels.max(axis=0) > 0.5)
    gap = np.argmax(np.diff(inked))
    source = np.flatnonzero(image.any(axis=0))
    source_gap = np.argmax(np.diff(source))
    assert line.source_x(inked[gap] + 1) == pytest.approx(source[source_gap] + 1, abs=1.5)
    assert line.source_x(inked[gap + 1]) == pytest.approx(source[source_gap + 1], abs=1.5)


def test_source_x_is_linear_and_stays_inside():
    line = NormalizedLine(np.zeros((4, 120), np.float32), 50, 10, False)
    assert line.source_x(10) == 0
    assert line.source_x(60) == 25
    assert line.source_x(61.5) == 25.75
    assert line.source_x(110) == 50
    assert line.source_x(0) == 0
    assert line.source_x(120) == 50
    assert isinstance(line.source_x(np.int64(60)), float)


def test_scaling_keeps_proportions_and_the_mean():
    image = np.random.default_rng(0).random((120, 300)).astype(np.float32)
    scaled = scale_to_height(image, 40)
    assert scaled.shape == (40, 100)
    blocks = image.reshape(40, 3, 100, 3).mean(axis=(1, 3))
    # Three samples on three pixels hit their middles: exactly the mean of each block.
    np.testing.assert_allclose(scaled, blocks, atol=1e-5)


def test_scaling_to_its_own_height_changes_nothing():
    image = np.random.default_rng(0).random((48, 30)).astype(np.float32)
    np.testing.assert_allclose(scale_to_height(image, 48), image, atol=1e-6)


def test_shrinking_by_whole_factors():
    image = np.arange(12, dtype=np.float32).reshape(3, 4)
    assert shrink_whole(image, 1) is image
    np.testing.assert_allclose(shrink_whole(image, 2), [[2.5, 4.5], [17 / 4, 21 / 4]])


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_sums_of_columns(size):
    image = np.random.default_rng(0).random((4, 13))
    expected = np.add.reduceat(image, np.arange(0, 13, size), axis=1)
    np.testing.assert_allclose(sum_columns(image, size), expected)


def test_fine_stripes_do_not_alias():
    # 300 rows of one-pixel stripes: a fair scan of them is even grey, not broad bands.
    image = np.zeros((300, 900), np.float32)
    image[:, ::2] = 1
    content = scale_to_height(image, 48)[:, 2:-2]
    assert np.ptp(content[10]) < 0.2
