"""Image/text pairs: find them, check them, hand them on as normalised lines."""

from ocrlstm.datasets.check_data import ReadLines, check_data
from ocrlstm.datasets.data_report import DATA_KINDS, DataFinding, DataKind, DataReport
from ocrlstm.datasets.data_report_text import format_data_report
from ocrlstm.datasets.finding import FoundPairs, find_pairs
from ocrlstm.datasets.inspection import Expectations, Inspected, inspect_pair
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.line_set import LineSet, fingerprint, join_lines
from ocrlstm.datasets.pack import Pack, PackedLine, is_pack, open_pack
from ocrlstm.datasets.packing import Packed, write_pack
from ocrlstm.datasets.page_lines import PageLine
from ocrlstm.datasets.pairs import LinePair, MemoryPair, Pair, read_text
from ocrlstm.datasets.paths import IMAGE_EXTENSIONS, StrPath, find_images, image_stem
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.sample import Sample
from ocrlstm.datasets.samples import check_characters, check_lengths, check_pairs
from ocrlstm.datasets.spool import IN_MEMORY
from ocrlstm.datasets.tables import TableLine
from ocrlstm.datasets.workers import map_in_order

__all__ = [
    "DATA_KINDS",
    "IMAGE_EXTENSIONS",
    "IN_MEMORY",
    "DataFinding",
    "DataKind",
    "DataReport",
    "Expectations",
    "FoundPairs",
    "Inspected",
    "LineForm",
    "LinePair",
    "LineSet",
    "MemoryPair",
    "Pack",
    "Packed",
    "PackedLine",
    "PageLine",
    "Pair",
    "Problem",
    "ReadLines",
    "Sample",
    "StrPath",
    "TableLine",
    "check_characters",
    "check_data",
    "check_lengths",
    "check_pairs",
    "find_images",
    "find_pairs",
    "fingerprint",
    "format_data_report",
    "image_stem",
    "inspect_pair",
    "is_pack",
    "join_lines",
    "map_in_order",
    "open_pack",
    "read_text",
    "write_pack",
]
