"""Image/text pairs: find them, check them, hand them on as normalised lines."""

from ocrlstm.datasets.finding import FoundPairs, find_pairs
from ocrlstm.datasets.pairs import LinePair, MemoryPair, Pair, pair_images, read_text
from ocrlstm.datasets.paths import IMAGE_EXTENSIONS, find_images, image_stem
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.sample import Sample
from ocrlstm.datasets.samples import check_lengths, check_pairs
from ocrlstm.datasets.workers import map_in_order

__all__ = [
    "IMAGE_EXTENSIONS",
    "FoundPairs",
    "LinePair",
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
