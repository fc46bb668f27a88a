"""Each of Pillow's modes, and each kind of array, becomes the same ink."""

import io

import numpy as np
import pytest
from PIL import Image

from ocrlstm.errors import ImageError
from ocrlstm.image import read_image

# Black, a middle grey and white in a row: ink 1, 155/255, 0.
LEVELS = np.array([[0, 100, 255]], np.uint8)
EXPECTED = np.array([[1.0, 155 / 255, 0.0]])
GREY = Image.fromarray(LEVELS)


def check(source, expected=EXPECTED, tolerance=1e-6):
    ink = read_image(source)
    assert ink.dtype == np.float32
    np.testing.assert_allclose(ink, expected, atol=tolerance)


@pytest.mark.parametrize(
    "mode", ["L", "LA", "RGB", "RGBA", "RGBX", "RGBa", "La", "P", "PA", "CMYK"]
)
def test_modes_with_all_greys(mode):
    if mode == "La":
        image = GREY.convert("LA").convert("La")
    elif mode == "RGBa":
        image = GREY.convert("RGBA").convert("RGBa")
    elif mode in ("RGBX", "CMYK"):
        image = GREY.convert("RGB").convert(mode)
    else:
        image = GREY.convert(mode)
    assert image.mode == mode
    check(image)


@pytest.mark.parametrize("mode", ["YCbCr", "HSV"])
def test_colour_spaces(mode):
    check(GREY.convert("RGB").convert(mode), tolerance=0.01)


def test_lab_gives_its_lightness():
    image = Image.merge("LAB", [GREY, Image.new("L", (3, 1), 128), Image.new("L", (3, 1), 128)])
    check(image)


def test_mode_1():
    check(Image.fromarray(np.array([[True, False, True]])), [[0, 1, 0]], 0)
    check(GREY.convert("1", dither=Image.Dither.NONE), [[1, 1, 0]], 0)


@pytest.mark.parametrize("mode", ["I;16", "I;16L", "I;16B", "I;16N"])
def test_sixteen_bits_in_all_byte_orders(mode):
    values = LEVELS.astype(np.uint16) * 257
    order = ">u2" if mode == "I;16B" else "<u2" if mode != "I;16N" else "=u2"
    image = Image.frombytes(mode, (3, 1), values.astype(order).tobytes())
    check(image)
    check(image.copy())


def test_sixteen_bit_files_keep_their_depth(tmp_path):
    values = np.array([[0, 25700, 65535, 30000, 30001]], np.uint16)
    for name in ("deep.png", "deep.tif"):
        Image.fromarray(values).save(tmp_path / name)
        ink = read_image(tmp_path / name)
        np.testing.assert_allclose(ink, (65535 - values.astype(float)) / 65535, atol=1e-6)
        assert ink[0, 3] != ink[0, 4]


def test_mode_i_takes_its_white_from_its_values():
    check(Image.fromarray(LEVELS.astype(np.int32)))
    check(Image.fromarray(LEVELS.astype(np.int32) * 257))
    check(Image.fromarray(np.array([[-5, 255]], np.int32)), [[1, 0]])
    check(Image.fromarray(np.array([[0, 50_000, 100_000]], np.int32)), [[1, 0.5, 0]])


@pytest.mark.parametrize("white", [1.0, 255.0, 65535.0])
def test_mode_f_takes_its_white_from_its_values(white):
    check(Image.fromarray((LEVELS / 255 * white).astype(np.float32)))


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_values_that_are_no_numbers_are_refused(value):
    array = np.array([[0.5, value]], np.float32)
    for source in (array, Image.fromarray(array)):
        with pytest.raises(ImageError, match="NaN or infinite"):
            read_image(source)


def test_colours_are_weighed_by_brightness():
    image = Image.fromarray(np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255]]], np.uint8))
    expected = [[1 - 0.299, 1 - 0.587, 1 - 0.114]]
    check(image, expected, 0.003)
    check(np.asarray(image), expected, 1e-6)


def test_transparent_pixels_are_paper():
    layers = np.array([[[0, 0, 0, 255], [0, 0, 0, 0], [0, 0, 0, 51]]], np.uint8)
    expected = [[1.0, 0.0, 0.2]]
    check(Image.fromarray(layers, "RGBA"), expected)
    check(layers, expected)
    check(Image.fromarray(layers[:, :, [0, 3]], "LA"), expected)
    check(layers[:, :, [0, 3]], expected)
    check(Image.fromarray(layers, "RGBA").convert("RGBa"), expected)
    check(layers / 255.0, expected)


def test_a_transparent_palette_entry_is_paper():
    image = Image.fromarray(np.array([[0, 1, 2]], np.uint8), "P")
    image.putpalette([0, 0, 0, 0, 0, 0, 255, 255, 255])
    check(image, [[1, 1, 0]])
    for format in ("PNG", "GIF"):
        stream = io.BytesIO()
        image.save(stream, format, transparency=1)
        check(stream.getvalue(), [[1, 0, 0]])
    stream = io.BytesIO()
    image.save(stream, "PNG", transparency=bytes([255, 51, 255]))
    check(stream.getvalue(), [[1, 0.2, 0]])


@pytest.mark.parametrize(("mode", "key"), [("L", 0), ("RGB", (0, 0, 0)), ("1", 0)])
def test_a_transparent_colour_is_paper(mode, key):
    image = Image.new(mode, (2, 1), key)
    image.putpixel((1, 0), 1 if mode == "1" else 100 if mode == "L" else (100, 100, 100))
    stream = io.BytesIO()
    image.save(stream, "PNG", transparency=key)
    check(stream.getvalue(), [[0, 0 if mode == "1" else 155 / 255]])


def test_cmyk_jpeg():
    stream = io.BytesIO()
    wide = Image.fromarray(np.repeat(np.repeat(LEVELS, 16, 0), 16, 1))
    wide.convert("RGB").convert("CMYK").save(stream, "JPEG", quality=100)
    check(stream.getvalue(), np.repeat(np.repeat(EXPECTED, 16, 0), 16, 1), 0.02)


@pytest.mark.parametrize(
    "array",
    [
        LEVELS,
        LEVELS.astype(np.uint16) * 257,
        LEVELS.astype(">u2") * 257,
        LEVELS.astype(np.int64),
        LEVELS / 255.0,
        (LEVELS / 255.0).astype(np.float32),
        LEVELS.astype(np.float32),
        LEVELS[:, :, None],
        np.repeat(LEVELS[:, :, None], 3, 2),
        np.repeat(LEVELS[:, :, None], 3, 2) / 255.0,
        np.asfortranarray(LEVELS),
        np.repeat(LEVELS, 2, 1)[:, ::2],
    ],
)
def test_arrays(array):
    check(array)
    assert read_image(array).flags.c_contiguous


def test_arrays_of_bool_and_column_order():
    check(np.array([[True, False]]), [[0, 1]], 0)
    tall = np.asfortranarray(np.arange(12, dtype=np.uint8).reshape(3, 4))
    assert read_image(tall).flags.c_contiguous


def test_the_array_is_not_changed():
    array = np.array([[0.0, 0.5, 1.0]], np.float32)
    read_image(array)
    assert array.tolist() == [[0.0, 0.5, 1.0]]


@pytest.mark.parametrize(
    "array",
    [
        np.zeros(5),
        np.zeros((2, 2, 5)),
        np.zeros((1, 2, 2, 3)),
        np.zeros((0, 4)),
        np.zeros((4, 0)),
        np.array([["a"]]),
        np.zeros((2, 2), complex),
        np.array(3.0),
    ],
)
def test_arrays_that_are_no_image(array):
    with pytest.raises(ImageError, match="<array>: "):
        read_image(array)
