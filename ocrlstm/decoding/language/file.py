r"""The file of a language model: a line of text, a JSON header, sorted arrays.

    magic      8 bytes   b"ocrlm\r\n\x1a"
    version    uint32    1; all numbers are little-endian
    length     uint32    bytes of the header
    header     UTF-8     JSON, see `_header`
    symbols              last symbol of each n-gram but the single ones, level by level: uint8,
                         or uint16 where there are more than 256 symbols
    children   uint16    of each n-gram below full length, the empty one first: how many n-grams
                         prolong it
    probabilities uint16 of each n-gram but the empty one: minus the log probability, in 1/2048 nat
    backoffs   uint16    of each n-gram below full length, the empty one first, likewise

Nothing in it is run, and what could lead astray, such as links between n-grams, is not in it but
found anew. The size of the file must be just what the header says before any array is made.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from ocrlstm.decoding.language.alphabet import Alphabet
from ocrlstm.decoding.language.build import ORDERS
from ocrlstm.decoding.language.model import STEPS, LanguageModel, Weights, link
from ocrlstm.errors import LanguageModelError

__all__ = ["language_model_bytes", "load_language_model"]

_MAGIC = b"ocrlm\r\n\x1a"
#: Raised when an older program could misread a file; every older version is read forever.
_VERSION = 1
_LONGEST_HEADER = 4 << 20
# More would overrun the 32 bits in which n-grams are numbered.
_MOST_NGRAMS = 1 << 30
_SMALL = 256


def language_model_bytes(model: LanguageModel) -> bytes:
    """Return the content of the file of a model; the same model gives the same bytes."""
    tables = model.tables
    header = json.dumps(_header(model), ensure_ascii=False, sort_keys=True).encode()
    single = 1 + len(model.alphabet)
    return b"".join(
        [
            _MAGIC,
            np.array([_VERSION, len(header)], "<u4").tobytes(),
            header,
            tables.symbols[single:].astype(_symbol_type(len(model.alphabet))).tobytes(),
            np.diff(tables.first).astype("<u2").tobytes(),
            _steps(tables.log_probabilities[1:]).tobytes(),
            _steps(tables.backoffs).tobytes(),
        ]
    )


def load_language_model(path: str | os.PathLike[str]) -> LanguageModel:
    """Read a language model.

    Parameters
    ----------
    path : path
        As ``ocrlstm lm build`` wrote it.

    Returns
    -------
    LanguageModel

    Raises
    ------
    LanguageModelError
        If the file is missing, damaged, of another kind, or from a newer version.
    """
    path = Path(path)
    try:
        with open(path, "rb") as file:
            return _read(path, file, os.fstat(file.fileno()).st_size)
    except FileNotFoundError as error:
        raise LanguageModelError(
            f"{path}: no such language model; make one with ocrlstm lm build"
        ) from error
    except OSError as error:
        raise LanguageModelError(f"{path}: cannot be read ({error.strerror})") from error


def _header(model: LanguageModel) -> dict[str, Any]:
    return {
        "order": model.order,
        "alphabet": model.alphabet.to_dict(),
        "ngrams": model.level_sizes,
        "smoothing": "modified Kneser-Ney",
        "mean": model.mean,
        "weights": model.weights.to_dict(),
        "metadata": model.metadata,
    }


def _steps(log_probabilities: NDArray[np.float32]) -> NDArray[np.uint16]:
    return np.rint(-STEPS * log_probabilities).astype("<u2")


def _symbol_type(symbols: int) -> str:
    return "u1" if symbols <= _SMALL else "<u2"


def _read(path: Path, file: BinaryIO, size: int) -> LanguageModel:
    start = file.read(len(_MAGIC) + 8)
    if not start.startswith(_MAGIC) or len(start) < len(_MAGIC) + 8:
        raise LanguageModelError(
            f"{path}: not a language model; expected a file written by ocrlstm lm build"
        )
    version, length = np.frombuffer(start[len(_MAGIC) :], "<u4").tolist()
    if version > _VERSION:
        raise LanguageModelError(
            f"{path}: language model format {version}, but this ocrlstm reads up to {_VERSION}; "
            "install a newer ocrlstm"
        )
    if length > min(size, _LONGEST_HEADER):
        raise LanguageModelError(f"{path}: its header has {length} bytes; the file is damaged")
    try:
        header = json.loads(file.read(length))
        order, alphabet, sizes, mean, weights, metadata = _check_header(header)
    except (ValueError, RecursionError, OverflowError) as error:
        raise LanguageModelError(f"{path}: its header is damaged: {error}") from error
    inner, count = 1 + sum(sizes[:-1]), sum(sizes)
    kind = np.dtype(_symbol_type(len(alphabet)))
    expected = kind.itemsize * (count - sizes[0]) + 4 * inner + 2 * count
    left = size - len(start) - length
    if left != expected:
        raise LanguageModelError(
            f"{path}: {left} bytes follow its header, which speaks of {expected}; copy the file "
            "again or make it anew"
        )
    symbols = _array(file, kind.str, count - sizes[0])
    children = _array(file, "<u2", inner).astype(np.int64)
    steps = _array(file, "<u2", count)
    backoffs = _array(file, "<u2", inner)
    first = np.concatenate([[1], 1 + np.cumsum(children)])
    all_symbols = np.concatenate([[0], np.arange(sizes[0]), symbols]).astype(np.uint16)
    _check_tree(path, all_symbols, children, first, sizes)
    backoffs[children == 0] = 0
    tables = link(
        all_symbols,
        first.astype(np.int32),
        np.concatenate([[0], steps]).astype(np.float32) / np.float32(-STEPS),
        backoffs.astype(np.float32) / np.float32(-STEPS),
    )
    return LanguageModel(alphabet, order, tables, mean, weights, metadata)


def _check_header(
    header: Any,
) -> tuple[int, Alphabet, list[int], float, Weights, dict[str, Any]]:
    """Return what a header says, or raise ValueError."""
    if not isinstance(header, dict):
        raise ValueError("it is not an object")
    fields = ("order", "alphabet", "ngrams", "mean", "weights", "metadata")
    if missing := [name for name in fields if name not in header]:
        raise ValueError(f"it lacks {', '.join(missing)}")
    order, alphabet, sizes, mean, weights, metadata = (header[name] for name in fields)
    if type(order) is not int or order not in ORDERS:
        raise ValueError(f"order is {order!r}, not {ORDERS[0]} to {ORDERS[-1]}")
    alphabet = Alphabet.from_dict(alphabet)
    if alphabet.symbol(" ") == 0:
        raise ValueError("its alphabet lacks the space")
    if not isinstance(sizes, list) or len(sizes) != order:
        raise ValueError(f"it gives no {order} numbers of n-grams")
    if not all(type(size) is int and 0 <= size for size in sizes) or sum(sizes) > _MOST_NGRAMS:
        raise ValueError("its numbers of n-grams are impossible")
    if sizes[0] != len(alphabet):
        raise ValueError(f"{sizes[0]} single symbols for an alphabet of {len(alphabet)}")
    if type(mean) not in (int, float) or not -100 < mean < 0:
        raise ValueError(f"mean is {mean!r}, not a negative number")
    if not isinstance(metadata, dict):
        raise ValueError("metadata is not an object")
    return order, alphabet, sizes, float(mean), Weights.from_dict(weights), metadata


def _array(file: BinaryIO, kind: str, count: int) -> NDArray[Any]:
    array = np.fromfile(file, kind, count)
    if len(array) != count:
        raise OSError(0, "it became shorter while it was read")
    return array


def _check_tree(
    path: Path,
    symbols: NDArray[np.uint16],
    children: NDArray[np.int64],
    first: NDArray[np.int64],
    sizes: list[int],
) -> None:
    """Raise LanguageModelError unless the levels fit each other and siblings are sorted."""
    bounds = np.cumsum([0, 1, *sizes])
    # The children of a level must be just the next one.
    fits = all(children[bounds[k] : bounds[k + 1]].sum() == n for k, n in enumerate(sizes))
    if fits:
        rising = np.diff(symbols.astype(np.int64)) > 0
        families = first[(1 < first) & (first < len(symbols))]
        rising[families - 1] = True
        fits = bool(rising[1:].all()) and int(symbols.max()) < sizes[0]
    if not fits:
        raise LanguageModelError(f"{path}: its n-grams are not in order; the file is damaged")
