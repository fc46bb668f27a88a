import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.kernels import resample
from ocrlstm.kernels.reference import resample as reference


@settings(max_examples=80, deadline=None)
@given(
    rows=st.integers(1, 9),
    columns=st.integers(1, 9),
    width=st.integers(1, 7),
    height=st.integers(1, 7),
    x_samples=st.integers(1, 3),
    y_samples=st.integers(1, 3),
    straight=st.booleans(),
    seed=st.integers(0, 2**32 - 1),
)
def test_kernel_equals_its_reference(
    rows, columns, width, height, x_samples, y_samples, straight, seed
):
    rng = np.random.default_rng(seed)
    image = rng.random((rows, columns))
    paths = (
        rng.uniform(-2, columns + 1, width),
        np.zeros(width) if straight else rng.uniform(-1, 1, width),
        rng.uniform(-2, rows + 1, width),
        rng.uniform(-2, 2, width),
    )
    arguments = (image, *paths, height, x_samples, y_samples)
    np.testing.assert_allclose(
        resample.resample_columns(*arguments),
        reference.resample_columns(*arguments),
        rtol=1e-9,
        atol=1e-12,
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_whole_steps_copy_the_image(dtype):
    image = np.random.default_rng(1).random((5, 8)).astype(dtype)
    flat = np.zeros(8)
    copied = resample.resample_columns(image, np.arange(8.0), flat, flat, flat + 1, 5, 1, 1)
    assert copied.dtype == dtype
    np.testing.assert_array_equal(copied, image)


def test_halfway_is_the_mean_and_outside_is_paper():
    image = np.array([[1.0, 3.0], [5.0, 7.0]])
    x = np.array([0.5, -0.5, -1.0, 1.5, 2.0, 50.0])
    flat = np.zeros(6)
    sampled = resample.resample_columns(image, x, flat, flat + 0.5, flat, 1, 1, 1)
    # (1+3+5+7)/4; half of (1+5)/2; nothing; half of (3+7)/2; nothing; nothing
    np.testing.assert_allclose(sampled, [[4.0, 1.5, 0.0, 2.5, 0.0, 0.0]])


def test_samples_average_over_the_area():
    # Stripes of one pixel, shrunk fourfold: every result pixel covers as many dark as light ones.
    image = np.tile([[0.0, 1.0]], (8, 8))
    flat = np.zeros(4)
    x = (np.arange(4) + 0.5) * 4 - 0.5
    shrunk = resample.resample_columns(image, x, flat, flat + 1.5, flat + 4, 2, 4, 4)
    np.testing.assert_allclose(shrunk[:, 1:-1], 0.5)
    plain = resample.resample_columns(image, x + 0.5, flat, flat + 1.5, flat + 4, 2, 1, 1)
    assert set(plain.ravel()) == {0.0}  # without, they vanish


def test_an_endless_or_undefined_path_gives_paper():
    image = np.ones((3, 3))
    x = np.array([np.nan, np.inf, -np.inf, 1e300])
    flat = np.zeros(4)
    sampled = resample.resample_columns(image, x, flat, flat, flat + 1, 3, 1, 1)
    np.testing.assert_array_equal(sampled, 0.0)
