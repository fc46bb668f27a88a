"""Many short texts in one piece of memory: a text costs its bytes and eight more, no object."""

from __future__ import annotations

from array import array
from collections.abc import Iterator

__all__ = ["TextColumn", "decode_text", "encode_text"]


class TextColumn:
    """A list of texts that only grows."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.ends = array("q")

    def append(self, text: str) -> None:
        """Add a text at the end."""
        self.data += encode_text(text)
        self.ends.append(len(self.data))

    def __len__(self) -> int:
        """Return the number of texts."""
        return len(self.ends)

    def __getitem__(self, number: int) -> str:
        """Return a text; `number` counts from 0."""
        start = self.ends[number - 1] if number else 0
        return decode_text(self.data[start : self.ends[number]])

    def __iter__(self) -> Iterator[str]:
        """Return all in turn."""
        return (self[number] for number in range(len(self)))


def encode_text(text: str) -> bytes:
    """Return UTF-8 in which the surrogates of undecodable file names survive."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes | bytearray) -> str:
    """Return the text of `encode_text`; a ValueError if it is none."""
    return data.decode("utf-8", "surrogatepass")
