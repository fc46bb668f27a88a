"""The door of the room: a line image -> a line of the height that the network reads."""

from dataclasses import dataclass

import numpy as np

from ocrlstm.errors import ImageError
from ocrlstm.lines.center import measure_center, straighten
from ocrlstm.lines.normalizer import LineNormalizer
from ocrlstm.lines.polarity import measure_levels, spread_contrast
from ocrlstm.lines.scale import scale_to_height, shrink_whole

__all__ = ["NormalizedLine", "normalize_line"]

# Images are shrunk to between four and eight times the height before all else: a whole page given
# for a line by mistake then costs little, and a line loses nothing that its height could show.
_USEFUL_HEIGHTS = 4

# What is flatter is no line of text: the longest lines of print are 150 times as long as high.
_FLATTEST = 2000
_FLATTEST_LOW = 400
_LOW = 4


@dataclass(frozen=True)
class NormalizedLine:
    """A line as the network reads it.

    Attributes
    ----------
    pixels : ndarray of shape (height, W), float32, C-contiguous
        Ink 1.0, paper 0.0, with `padding` columns of paper at either end.
    source_width : int
        Columns of the image that it was made of.
    padding : int
    inverted : bool
        The image was white on black.
    """

    pixels: np.ndarray
    source_width: int
    padding: int
    inverted: bool

    def source_x(self, column: float) -> float:
        """Map a column of `pixels` to the image that it was made of.

        Parameters
        ----------
        column : float
            An edge between columns: 0 is the left end, W the right one.

        Returns
        -------
        float
            From 0 to `source_width`; the padding maps to its near end.
        """
        content = self.pixels.shape[1] - 2 * self.padding
        x = (column - self.padding) * self.source_width / content
        return min(max(x, 0.0), float(self.source_width))


def normalize_line(image: np.ndarray, normalizer: LineNormalizer) -> NormalizedLine:
    """Make of a line image what the network reads.

    Parameters
    ----------
    image : ndarray of shape (H, W), float32 in [0, 1]
        Ink 1.0, as `read_image` gives it.
    normalizer : LineNormalizer

    Returns
    -------
    NormalizedLine
        Blank, tiny and noisy images give a line, too.

    Raises
    ------
    ImageError
        When the image is far too flat for a line of text.
    """
    if image.ndim != 2 or image.size == 0:
        raise ValueError(f"a line image has the shape (H, W), not {image.shape}")
    source_height, source_width = image.shape
    limit = _FLATTEST_LOW if source_height < _LOW else _FLATTEST
    if source_width > limit * source_height:
        raise ImageError(
            f"{source_width} x {source_height} pixels are too flat for a line of text; "
            "check how the line was cut out"
        )
    image = np.ascontiguousarray(image, np.float32)
    image = shrink_whole(image, max(1, source_height // (_USEFUL_HEIGHTS * normalizer.height)))
    levels = measure_levels(image)
    image = spread_contrast(image, levels)
    line = None
    if normalizer.kind == "center" and not levels.blank and min(image.shape) > 2:
        line = measure_center(image, normalizer)
    if line is None:
        content = scale_to_height(image, normalizer.height)
    else:
        content = straighten(image, line, normalizer.height)
    pixels = np.zeros((normalizer.height, content.shape[1] + 2 * normalizer.padding), np.float32)
    pixels[:, normalizer.padding : normalizer.padding + content.shape[1]] = content
    return NormalizedLine(pixels, source_width, normalizer.padding, levels.inverted)
