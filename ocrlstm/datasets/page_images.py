"""Images of pages, each decoded once for all its lines, with bounded memory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ocrlstm.errors import ImageError
from ocrlstm.image import read_page

__all__ = ["PageImages"]

# Some ten pages at 300 dpi. Workers are seldom further apart than the lines of two pages.
_MAX_BYTES = 128 << 20


class PageImages:
    """Keeps the last images of pages; may be used from several threads.

    Parameters
    ----------
    max_bytes : int
        Images of more bytes in sum are not kept, but for the last one.
    """

    def __init__(self, max_bytes: int = _MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[Path, int], _Page] = OrderedDict()
        self._lines: dict[Path, int] = {}

    def expect(self, path: Path, lines: int) -> None:
        """Tell how many lines a page has: when all have been read its image is let go."""
        self._lines[path] = self._lines.get(path, 0) + lines

    def read(self, path: Path, max_pixels: int) -> NDArray[np.uint8]:
        """Give the image of a page for one of its lines; see `ocrlstm.image.read_page`.

        Returns
        -------
        uint8 array of shape (H, W)
            Ink, not to be written to.

        Raises
        ------
        ImageError
            It cannot be read; the message begins with its path.
        """
        key = (path, max_pixels)
        with self._lock:
            page = self._kept.setdefault(key, _Page())
            self._kept.move_to_end(key)
        try:
            # Decoded under the lock of this page alone, so that other pages do not wait.
            return page.pixels(path, max_pixels)
        finally:
            with self._lock:
                page.reads += 1
                if page.reads >= self._lines.get(path, 0):
                    self._kept.pop(key, None)
                self._let_go()

    @property
    def bytes_kept(self) -> int:
        """Memory of the images that are kept."""
        with self._lock:
            return sum(page.size for page in self._kept.values())

    def _let_go(self) -> None:
        """Forget the pages that were not asked for longest."""
        size = sum(page.size for page in self._kept.values())
        while size > self._max_bytes and len(self._kept) > 1:
            _, page = self._kept.popitem(last=False)
            size -= page.size


class _Page:
    """One image, or the error that reading it gave: a damaged file is not tried for each line."""

    def __init__(self) -> None:
        self.reads = 0
        self._lock = threading.Lock()
        self._result: NDArray[np.uint8] | ImageError | None = None

    @property
    def size(self) -> int:
        return self._result.nbytes if isinstance(self._result, np.ndarray) else 0

    def pixels(self, path: Path, max_pixels: int) -> NDArray[np.uint8]:
        with self._lock:
            if self._result is None:
                try:
                    self._result = read_page(path, max_pixels=max_pixels)
                except ImageError as error:
                    self._result = error
        if isinstance(self._result, ImageError):
            raise type(self._result)(str(self._result))
        return self._result
