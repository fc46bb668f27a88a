import numpy as np
import pytest
from drawn import drawn_line, ink_middles
from scipy.ndimage import gaussian_filter, map_coordinates, uniform_filter

from ocrlstm.lines import LineNormalizer, normalize_line
from ocrlstm.lines.center import measure_center, straighten


def historical_center(image, normalizer):
    """The measurement of OCRopus as published, pixel by pixel in float64."""
    rows, columns = image.shape
    image = image.astype(np.float64)
    sigmas = (rows * 0.5, rows * normalizer.smoothness)
    smoothed = gaussian_filter(image, sigmas, mode="constant")
    smoothed += 0.001 * uniform_filter(smoothed, (rows * 0.5, columns), mode="constant")
    center = gaussian_filter(np.argmax(smoothed, axis=0), rows * normalizer.extra).astype(int)
    distance = np.abs(np.arange(rows)[:, None] - center[None, :])
    return center, int(1 + normalizer.range * distance[image != 0].mean())


SHAPES = {
    "level": lambda x: 25 + 0 * x,
    "high": lambda x: 18 + 0 * x,
    "sloped": lambda x: 18 + 14 * x,
    "arched": lambda x: 20 + 40 * (x - 0.5) ** 2,
    "waving": lambda x: 25 + 4 * np.sin(2 * np.pi * x),
}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("range_", [3.0, 4.0])
def test_measurement_equals_the_historical_formula(shape, range_):
    normalizer = LineNormalizer(range=range_)
    middle = SHAPES[shape](np.linspace(0, 1, 900))
    image = drawn_line(columns=900, middle=middle)
    center, radius = historical_center(image, normalizer)
    line = measure_center(image, normalizer)
    # The historical centre is cut to whole rows twice, this one is not.
    assert np.abs(line.center - center).max() < 1.6
    assert np.abs(line.center - center).mean() < 0.8
    assert abs(line.radius - radius) <= 1


def test_high_lines_are_measured_as_well_though_their_rows_are_grouped():
    middle = SHAPES["arched"](np.linspace(0, 1, 400))
    image = np.kron(drawn_line(columns=400, middle=middle), np.ones((3, 3), np.float32))
    center, radius = historical_center(image, LineNormalizer())
    line = measure_center(image, LineNormalizer())
    assert np.abs(line.center - center).max() < 3 * 1.6
    assert abs(line.radius - radius) <= 2


@pytest.mark.parametrize("shape", ["sloped", "arched", "waving"])
def test_crooked_lines_come_out_straight(shape):
    middle = SHAPES[shape](np.linspace(0, 1, 900))
    image = drawn_line(columns=900, middle=middle)
    pixels = normalize_line(image, LineNormalizer()).pixels[:, 16:-16]
    scaled = normalize_line(image, LineNormalizer("scale")).pixels[:, 16:-16]
    before, after = ink_middles(scaled), ink_middles(pixels)
    assert np.ptp(before) > 6
    assert np.ptp(after) < np.ptp(before) / 3
    assert np.abs(after - 23.5).max() < 2.5


def test_cutting_and_scaling_equals_plain_interpolation():
    image = np.random.default_rng(0).random((30, 80)).astype(np.float32)
    normalizer = LineNormalizer()
    line = measure_center(image, normalizer)
    line = type(line)(line.center + 2 * np.sin(np.arange(80) / 9), 16.0)
    y_step = 2 * 16.0 / 48
    width = round(80 / y_step)
    x = (np.arange(width) + 0.5) * 80 / width - 0.5
    y = (np.arange(48)[:, None] + 0.5) * y_step - 0.5
    y = y + (np.interp(x, np.arange(80), line.center) - 16.0)
    framed = np.pad(image.astype(np.float64), 1)  # beyond the edge it is paper
    expected = map_coordinates(
        framed, (y + 1, np.broadcast_to(x + 1, y.shape)), order=1, mode="constant"
    )
    np.testing.assert_allclose(straighten(image, line, 48), expected, atol=1e-5)


def test_letters_of_all_sizes_come_out_alike():
    heights = []
    for scale in (1, 2, 3, 5):
        image = np.kron(drawn_line(columns=300), np.ones((scale, scale), np.float32))
        pixels = normalize_line(image, LineNormalizer()).pixels
        heights.append(np.count_nonzero(pixels.max(axis=1) > 0.5))
        assert pixels.max() > 0.95
    assert max(heights) - min(heights) <= 1


def test_a_margin_above_does_not_shrink_the_letters():
    image = drawn_line(columns=400)
    wide = np.pad(image, ((40, 10), (0, 0)))
    plain = normalize_line(image, LineNormalizer()).pixels
    margin = normalize_line(wide, LineNormalizer()).pixels
    assert abs(plain.shape[1] - margin.shape[1]) <= 0.1 * plain.shape[1]


def test_no_ink_has_no_center():
    assert measure_center(np.zeros((20, 90), np.float32), LineNormalizer()) is None


def test_without_smoothing_along_the_line():
    image = drawn_line(columns=200)
    line = measure_center(image, LineNormalizer(smoothness=0.0, extra=0.0))
    assert np.isfinite(line.center).all()
