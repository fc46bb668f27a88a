"""A line image -> what the network reads: polarity, contrast, centre line, size, margin.

`normalize` is the door, `normalizer` holds its settings; `polarity`, `center` and `scale` are its
steps. `augment` distorts a normalised line for training, by the table in `distortions`; `factors`
tells which are wanted. `stack` makes a batch of lines, `sheet` a picture of some.
"""

from ocrlstm.lines.augment import augment, distort
from ocrlstm.lines.distortions import DISTORTIONS
from ocrlstm.lines.factors import MOST_STRENGTH, check_factors
from ocrlstm.lines.normalize import NormalizedLine, normalize_line
from ocrlstm.lines.normalizer import LineNormalizer
from ocrlstm.lines.sheet import draw_sheet
from ocrlstm.lines.stack import stack_lines

__all__ = [
    "DISTORTIONS",
    "MOST_STRENGTH",
    "LineNormalizer",
    "NormalizedLine",
    "augment",
    "check_factors",
    "distort",
    "draw_sheet",
    "normalize_line",
    "stack_lines",
]
