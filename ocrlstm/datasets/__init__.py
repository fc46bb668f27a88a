"""Image/text pairs: find them, check them, hand them on as normalised lines."""

from ocrlstm.datasets.finding import FoundPairs, find_pairs
from ocrlstm.datasets.page_lines import PageLine
from ocrlstm.datasets.pairs import LinePair, MemoryPair, Pair, read_text
from ocrlstm.datasets.paths import IMAGE_EXTENSIONS, find_images, image_stem
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.sample import Sample
from ocrlstm.datasets.samples import check_lengths, check_pairs
from ocrlstm.datasets.tables import TableLine
from ocrlstm.datasets.workers import map_in_order

__all__ = [
    "IMAGE_EXTENSIONS",
    "FoundPairs",
    "LinePair",
    "MemoryPair",
    "PageLine",
    "Pair",
    "Problem",
    "Sample",
    "TableLine",
    "check_lengths",
    "check_pairs",
    "find_images",
    "find_pairs",
    "image_stem",
    "map_in_order",
    "read_text",
]
