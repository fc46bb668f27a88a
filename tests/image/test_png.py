"""Ink becomes a PNG that shows it: black on white, not too tall."""

import io

import numpy as np
import pytest
from PIL import Image

from ocrlstm.image import png_bytes, read_image


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.uint8])
def test_ink_comes_back(kind):
    ink = np.random.default_rng(0).integers(0, 256, (20, 31)).astype(np.uint8)
    given = ink if kind is np.uint8 else (ink / 255).astype(kind)
    content = png_bytes(given)
    np.testing.assert_allclose(read_image(content), ink / 255, atol=1e-6)
    assert content == png_bytes(given)


def test_values_beyond_are_cut():
    ink = np.array([[-0.5, 2.0, np.nan, np.inf]])
    np.testing.assert_array_equal(read_image(png_bytes(ink)), [[0, 1, 0, 1]])


@pytest.mark.parametrize(("shape", "size"), [((320, 500), (250, 160)), ((640, 1), (1, 160))])
def test_tall_pictures_are_made_smaller(shape, size):
    assert Image.open(io.BytesIO(png_bytes(np.ones(shape, np.uint8)))).size == size


@pytest.mark.parametrize(
    "ink", [np.zeros((0, 4)), np.zeros((3, 4, 3)), np.zeros((3, 4), int), np.zeros(4)]
)
def test_what_is_no_picture_is_refused(ink):
    with pytest.raises(ValueError, match=r"expected floats or uint8 of shape \(H, W\)"):
        png_bytes(ink)
