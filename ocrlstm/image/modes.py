"""A Pillow image of any mode -> ink."""

import numpy as np
from PIL import Image

from ocrlstm.errors import ImageError
from ocrlstm.image.arrays import array_to_ink, level_to_ink
from ocrlstm.image.opening import DAMAGE

__all__ = ["pillow_to_grey", "pillow_to_ink"]


def pillow_to_ink(image: Image.Image, name: str) -> np.ndarray:
    """Turn a decoded Pillow image into ink, upright and on white paper.

    Parameters
    ----------
    image : PIL.Image.Image
        Any mode. ``I;16`` has white at 65535; ``I`` at 65535 if a pixel is above 255, else at 255;
        ``F`` at the first of 1, 255, 65535 that no pixel exceeds. Colours are weighed as ITU-R 601
        does.
    name : str

    Returns
    -------
    ndarray of shape (H, W), float32
    """
    try:
        ink = _ink(image, name)
    except (ValueError, KeyError) as error:  # Pillow's "cannot convert", for modes not known here
        raise ImageError(
            f"{name}: pixels of mode {image.mode} are not understood; convert it to grey"
        ) from error
    return _upright(ink, image)


def pillow_to_grey(image: Image.Image, name: str) -> np.ndarray:
    """Turn a decoded Pillow image into ink of 8 bits, as `pillow_to_ink` in all else.

    Most images are never larger in memory than they are themselves.

    Returns
    -------
    ndarray of shape (H, W), uint8
        255 is black.
    """
    transparent = image.mode in ("LA", "PA", "RGBA") or "transparency" in image.info
    if image.mode in ("1", "L", "P", "RGB", "LA", "PA", "RGBA"):
        if transparent:
            layers = image.convert("RGBA")
            grey = Image.new("L", image.size, 255)
            grey.paste(layers.convert("L"), mask=layers.getchannel("A"))
        else:
            grey = image.convert("L")
        return _upright(255 - np.asarray(grey), image)
    ink = pillow_to_ink(image, name)
    ink *= 255.0
    return np.rint(ink, out=ink).astype(np.uint8)


def _ink(image: Image.Image, name: str) -> np.ndarray:
    """Turn the pixels into ink, whatever way up they are."""
    mode = image.mode
    if mode.startswith("I;16"):
        return level_to_ink(_sixteen_bit(image), 65535.0)
    if mode in ("I", "F"):
        return array_to_ink(np.asarray(image), name)
    if mode in ("LA", "La", "PA", "RGBA", "RGBa") or "transparency" in image.info:
        return _composited(image)
    if mode == "1":
        return level_to_ink(np.asarray(image), 1.0)
    if mode == "LAB":
        image = image.getchannel(0)  # lightness, the one of the three that says bright or dark
    elif mode != "L":
        image = image.convert("L") if mode in ("RGB", "RGBX", "P") else _grey(image)
    return level_to_ink(np.asarray(image), 255.0)


def _grey(image: Image.Image) -> Image.Image:
    """Go to grey by way of RGB, the only way that Pillow has from CMYK, HSV or YCbCr alike."""
    return image.convert("RGB").convert("L")


def _sixteen_bit(image: Image.Image) -> np.ndarray:
    """Give the pixels of any I;16 mode as native uint16."""
    order = {"I;16": "<u2", "I;16L": "<u2", "I;16B": ">u2", "I;16N": "=u2"}[image.mode]
    pixels = np.frombuffer(image.tobytes(), order).reshape(image.height, image.width)
    return pixels.astype(np.uint16, copy=False)


def _composited(image: Image.Image) -> np.ndarray:
    """Lay a transparent image on white: where alpha is 0 there is no ink."""
    grey_only = image.mode in ("1", "L", "LA", "La")
    layers = np.asarray(image.convert("LA" if grey_only and image.mode != "1" else "RGBA"))
    return array_to_ink(layers, "")


def _upright(ink: np.ndarray, image: Image.Image) -> np.ndarray:
    """Undo the EXIF orientation (tag 0x0112, values 1 to 8)."""
    try:
        orientation = image.getexif().get(0x0112, 1)
    except DAMAGE:  # damaged metadata does not make the picture unreadable
        return ink
    turns = {
        2: ink[:, ::-1],
        3: ink[::-1, ::-1],
        4: ink[::-1],
        5: ink.T,
        6: ink.T[:, ::-1],
        7: ink[::-1, ::-1].T,
        8: ink.T[::-1],
    }
    return np.ascontiguousarray(turns.get(orientation, ink))
