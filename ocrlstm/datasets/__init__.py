"""Image/text pairs: find them, check them, hand them on as normalised lines."""

from ocrlstm.datasets.pairs import (
    IMAGE_EXTENSIONS,
    MemoryPair,
    Pair,
    find_images,
    find_pairs,
    image_stem,
    pair_images,
    read_text,
)
from ocrlstm.datasets.samples import Problem, Sample, check_lengths, check_pairs
from ocrlstm.datasets.workers import map_in_order

__all__ = [
    "IMAGE_EXTENSIONS",
    "MemoryPair",
    "Pair",
    "Problem",
    "Sample",
    "check_lengths",
    "check_pairs",
    "find_images",
    "find_pairs",
    "image_stem",
    "map_in_order",
    "pair_images",
    "read_text",
]
