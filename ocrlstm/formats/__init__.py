"""Lines as text for files and pipes; a format is one file here and one entry in `WRITERS`."""

from collections.abc import Callable

from ocrlstm.document import Line
from ocrlstm.formats import json, tsv, txt

__all__ = ["WRITERS"]

WRITERS: dict[str, Callable[[Line], str]] = {
    "txt": txt.write,
    "json": json.write,
    "tsv": tsv.write,
}
