"""A line image -> what the network reads: polarity, contrast, centre line, size, margin.

`normalize` is the door, `normalizer` holds its settings; `polarity`, `center` and `scale` are its
steps. `augment` distorts a normalised line for training: its shape (`warp`), its ink (`degrade`).
`stack` makes a batch of lines.
"""

from ocrlstm.lines.augment import augment
from ocrlstm.lines.normalize import NormalizedLine, normalize_line
from ocrlstm.lines.normalizer import LineNormalizer
from ocrlstm.lines.stack import stack_lines

__all__ = ["LineNormalizer", "NormalizedLine", "augment", "normalize_line", "stack_lines"]
