"""A NumPy array of brightness -> ink."""

import numpy as np

from ocrlstm.errors import ImageError

__all__ = ["array_to_ink", "level_to_ink", "white_of"]

# ITU-R BT.601 luma, the weights that Pillow's own conversion to grey uses.
_LUMA = np.array([0.299, 0.587, 0.114], np.float32)


def array_to_ink(array: np.ndarray, name: str) -> np.ndarray:
    """Turn an array of brightness into ink.

    Parameters
    ----------
    array : ndarray of shape (H, W) or (H, W, C)
        C = 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA; the higher, the brighter. bool: True is white.
        uint8: white is 255. uint16: white is 65535. Other integers: white is 65535 if any value is
        above 255, else 255. Floats: white is the first of 1, 255, 65535 that no value exceeds, as
        image data usually is. Note that this is the opposite of what `read_image` gives back: to
        hand over an array of ink, give ``1 - ink``.
    name : str

    Returns
    -------
    ndarray of shape (H, W), float32
        Ink, 1.0 for black.

    Raises
    ------
    ImageError
        For other shapes or types, no pixels, or values that are not finite.
    """
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 2, 3, 4)):
        raise ImageError(
            f"{name}: an array of shape {array.shape} is no image; "
            "expected (H, W) or (H, W, C) with 1 to 4 channels"
        )
    if array.size == 0:
        raise ImageError(f"{name}: has no pixels (shape {array.shape})")
    if array.dtype.kind not in "buif":
        raise ImageError(f"{name}: an array of {array.dtype} is no image; expected numbers")
    white = white_of(array, name)
    if array.ndim == 2:
        return level_to_ink(array, white)
    grey, alpha = _split_channels(array)
    ink = level_to_ink(grey, white)
    if alpha is not None:
        ink *= np.clip(alpha.astype(np.float32) / np.float32(white), 0, 1)
    return ink


def white_of(array: np.ndarray, name: str) -> float:
    """Give the value that stands for white in an array of this type and these values."""
    if array.dtype.kind == "b":
        return 1.0
    if array.dtype == np.uint8:
        return 255.0
    if array.dtype == np.uint16:
        return 65535.0
    highest = float(array.max())
    if not np.isfinite(highest) or not np.isfinite(float(array.min())):
        raise ImageError(f"{name}: has pixels that are NaN or infinite; mend the array first")
    bounds = (1.0, 255.0, 65535.0) if array.dtype.kind == "f" else (255.0, 65535.0)
    return next((bound for bound in bounds if highest <= bound), highest)


def level_to_ink(level: np.ndarray, white: float) -> np.ndarray:
    """Give (white - level) / white as float32, clipped to [0, 1].

    Integers are subtracted before they are divided, so that black is exactly 1 and white exactly 0.
    """
    ink = np.subtract(np.float32(white), level, dtype=np.float32, casting="unsafe", order="C")
    ink /= np.float32(white)
    if level.dtype not in (np.uint8, np.uint16, np.bool_):
        np.clip(ink, 0.0, 1.0, out=ink)
    return ink


def _split_channels(array: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Split (H, W, C) into grey (H, W) and alpha (H, W) or None."""
    channels = array.shape[2]
    alpha = array[:, :, -1] if channels in (2, 4) else None
    if channels < 3:
        return array[:, :, 0], alpha
    return array[:, :, :3].astype(np.float32) @ _LUMA, alpha
