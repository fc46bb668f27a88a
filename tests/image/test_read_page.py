"""Pages in 8 bits: the same ink as `read_image` gives, for every mode."""

import numpy as np
import pytest
from PIL import Image

from ocrlstm.errors import ImageError
from ocrlstm.image import read_image, read_page


def picture(mode: str) -> Image.Image:
    rng = np.random.default_rng(2)
    colours = Image.fromarray(rng.integers(0, 256, (20, 30, 4)).astype(np.uint8))
    if mode == "I;16":
        return Image.fromarray(rng.integers(0, 65536, (20, 30)).astype(np.uint16))
    if mode == "LA":
        return colours.convert("LA")
    return (colours if mode == "RGBA" else colours.convert("RGB")).convert(mode)


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGB", "LA", "RGBA", "CMYK", "I;16", "F"])
def test_ink_is_that_of_read_image(tmp_path, mode):
    path = tmp_path / "page.tif"
    picture(mode).save(path)
    page = read_page(path)
    assert page.dtype == np.uint8
    difference = page - read_image(path) * 255
    # Transparent pixels are rounded twice.
    assert np.abs(difference).max() <= (1.5 if mode in ("LA", "RGBA") else 0.51)


def test_a_transparent_colour_is_paper(tmp_path):
    path = tmp_path / "page.png"
    image = Image.new("P", (4, 4))
    image.putpalette([0, 0, 0, 90, 90, 90])
    image.putpixel((1, 2), 1)
    image.save(path, transparency=0)
    page = read_page(path)
    assert page[2, 1] == 165
    assert page.sum() == 165


def test_a_page_is_upright(tmp_path):
    path = tmp_path / "page.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.new("L", (40, 16)).save(path, exif=exif)
    assert read_page(path).shape == (40, 16)


def test_limits_and_faults_are_those_of_images(tmp_path):
    path = tmp_path / "page.png"
    Image.new("L", (40, 16)).save(path)
    with pytest.raises(ImageError, match="limit of 100"):
        read_page(path, max_pixels=100)
    with pytest.raises(ImageError, match="gone.png: no such file"):
        read_page(tmp_path / "gone.png")
