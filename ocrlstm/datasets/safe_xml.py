"""XML of strangers, read without trusting it.

The standard library's expat does it alone: a document type is the door for entity bombs and for
files of the machine, PAGE and ALTO need none, so it is refused where it begins. defusedxml forbids
the same, but on the parser of xml.etree written in Python, and gives the tree only when the whole
file is in memory; here one element after the other is built, handed out and forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from xml.etree.ElementTree import Element
from xml.parsers import expat

from ocrlstm.errors import DatasetError

__all__ = ["MAX_XML_BYTES", "read_elements"]

MAX_XML_BYTES = 64 << 20
"""Default limit: a page of a newspaper with every glyph described takes about 30 MB."""

_DEEPEST = 100
_MOST_CHILDREN = 100_000
_CHUNK = 1 << 20


def read_elements(
    path: Path,
    whole: Collection[str],
    heads: Collection[str] = (),
    skipped: Collection[str] = (),
    max_bytes: int = MAX_XML_BYTES,
) -> Iterator[Element]:
    """Read the elements of an XML file that matter.

    Parameters
    ----------
    path : Path
    whole : collection of str
        Names of elements that are given with all that is in them, when they end.
    heads : collection of str
        Names of elements that are given with their attributes only, when they begin. The root is
        one of them in any case, and always comes first.
    skipped : collection of str
        Names of elements that are left out of the `whole` ones.
    max_bytes : int
        Larger files are refused.

    Yields
    ------
    Element
        With names free of namespaces, whatever prefix they have in the file.

    Raises
    ------
    DatasetError
        One line: the file is missing, too large, not well-formed, nested too deep, or has a
        document type.
    """
    collector = _Collector(path, frozenset(whole), frozenset(heads), frozenset(skipped))
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = collector.start
    parser.EndElementHandler = collector.end
    parser.CharacterDataHandler = collector.text
    parser.StartDoctypeDeclHandler = collector.refuse_document_type
    if not path.is_file():
        raise DatasetError(f"{path}: no such file, or not a regular one")
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            if size > max_bytes:
                raise DatasetError(
                    f"{path}: {size} bytes are more than the limit of {max_bytes} for XML; "
                    "split it, or leave out its glyphs"
                )
            stream.seek(0)
            while chunk := stream.read(_CHUNK):
                parser.Parse(chunk, False)
                yield from collector.take()
            parser.Parse(b"", True)
            yield from collector.take()
    except expat.ExpatError as error:
        raise DatasetError(
            f"{path}: is not well-formed XML (line {error.lineno}: "
            f"{expat.ErrorString(error.code)}); export it again"
        ) from error
    except (LookupError, ValueError) as error:
        # An encoding that Python does not know, or that has more bytes a character.
        raise DatasetError(f"{path}: is XML in an unknown encoding ({error}); use UTF-8") from error
    except OSError as error:
        raise DatasetError(f"{path}: cannot be read ({error.strerror})") from error


class _Collector:
    """Builds the wanted elements while the parser runs."""

    def __init__(
        self, path: Path, whole: frozenset[str], heads: frozenset[str], skipped: frozenset[str]
    ) -> None:
        self._path = path
        self._whole, self._heads, self._skipped = whole, heads, skipped
        self._ready: list[Element] = []
        self._open: list[Element] = []
        self._pieces: list[str] = []
        self._depth = 0
        self._skipped_from = 0
        self._children = 0

    def take(self) -> list[Element]:
        """Give what is complete."""
        ready, self._ready = self._ready, []
        return ready

    def start(self, qualified: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise DatasetError(
                f"{self._path}: is nested deeper than {_DEEPEST} elements, as no page is"
            )
        name = qualified.rpartition(":")[2]
        if self._skipped_from:
            return
        if self._open:
            self._add(name, attributes)
        elif name in self._whole:
            self._children = 0
            self._open.append(Element(name, attributes))
        elif self._depth == 1 or name in self._heads:
            self._ready.append(Element(name, attributes))

    def end(self, qualified: str) -> None:
        self._depth -= 1
        if self._skipped_from:
            if self._depth < self._skipped_from:
                self._skipped_from = 0
        elif self._open:
            self._put_text()
            element = self._open.pop()
            if not self._open:
                self._ready.append(element)

    def text(self, data: str) -> None:
        if self._open and not self._skipped_from:
            self._pieces.append(data)

    def refuse_document_type(self, *_: object) -> None:
        raise DatasetError(
            f"{self._path}: has a document type (DOCTYPE), which PAGE and ALTO do not need and "
            "which may hide entity bombs; take it out"
        )

    def _add(self, name: str, attributes: dict[str, str]) -> None:
        if name in self._skipped:
            self._skipped_from = self._depth
            return
        self._children += 1
        if self._children > _MOST_CHILDREN:
            raise DatasetError(
                f"{self._path}: a {self._open[0].tag} holds more than {_MOST_CHILDREN} elements"
            )
        self._put_text()
        child = Element(name, attributes)
        self._open[-1].append(child)
        self._open.append(child)

    def _put_text(self) -> None:
        """Give the innermost element its text; what stands behind a child is only indentation."""
        if self._pieces and len(self._open[-1]) == 0:
            self._open[-1].text = "".join(self._pieces)
        self._pieces.clear()
