"""Which lines each of k models is validated on, and so never trained on.

The choice depends on the seed and on the names of the pairs below the folder that holds them all,
so that several machines, on which that folder lies elsewhere, agree on it without a word.
"""

from __future__ import annotations

import hashlib
import heapq
import os
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import Any

import numpy as np

from ocrlstm.errors import DatasetError, TrainingError
from ocrlstm.training.sources import Source

__all__ = ["Fold", "assign_folds", "digest_pairs", "split_source"]

# Key that keeps the choice of folds apart from the other random streams of a seed.
_FOLDS = 11
_MOST = 1000


@dataclass(frozen=True)
class Fold:
    """One fold of several.

    Attributes
    ----------
    number : int
        From 1.
    of : int
        How many there are.
    by : str
        What stays together: "line", "folder", "file", or a regular expression; see `assign_folds`.
    seed : int
        Of the choice, the same for all folds.
    """

    number: int
    of: int
    by: str = "line"
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the numbers.

        Raises
        ------
        TrainingError
            Naming what is out of range.
        """
        if not 2 <= self.of <= _MOST:
            raise TrainingError(f"{self.of} folds; there must be 2 to {_MOST}")
        if not 1 <= self.number <= self.of:
            raise TrainingError(f"fold {self.number}; they are numbered from 1 to {self.of}")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Any) -> Fold:
        """Read it back.

        Raises
        ------
        TrainingError
            If the values are no fold.
        """
        kinds = {"number": int, "of": int, "by": str, "seed": int}
        if not isinstance(values, dict) or {k: type(v) for k, v in values.items()} != kinds:
            raise TrainingError(f"expected a fold with {', '.join(kinds)}, found {values!r}")
        return cls(**values)


def assign_folds(names: Sequence[str], folds: int, by: str = "line", seed: int = 0) -> np.ndarray:
    """Put every line into a fold, at random and so that folds are of equal size.

    Parameters
    ----------
    names : sequence of str
        Names of the lines, most often absolute paths.
    folds : int
    by : str
        What is kept in one fold. "line": each line by itself. "folder": the lines of a folder.
        "file": those of a page (``page.xml#line1``). Anything else is a regular expression,
        searched in the name below the folder that holds all; what its first group (or else all of
        it) matches names the book or page.
    seed : int

    Returns
    -------
    ndarray of int, shape (N,)
        The fold of each line, from 1. Groups go, the largest first, to the fold that is smallest.

    Raises
    ------
    DatasetError
        If there are fewer lines or groups than folds, or the expression does not fit a name.
    TrainingError
        If the expression is none.

    Examples
    --------
    >>> assign_folds(["a/1", "a/2", "b/1", "c/1"], 2, by="folder")
    array([1, 1, 2, 2])
    """
    groups: dict[str, list[int]] = defaultdict(list)
    for number, group in enumerate(_groups(_relative(names), by)):
        groups[group].append(number)
    if len(groups) < folds:
        if by == "line":
            raise DatasetError(
                f"{len(groups)} lines are too few for {folds} folds; take -k smaller"
            )
        raise DatasetError(
            f"{len(names)} lines are of {len(groups)} groups by {by!r}, too few for {folds} folds; "
            "take -k smaller or group otherwise"
        )
    rng = np.random.default_rng([seed, _FOLDS])
    ordered = sorted(groups)
    shuffled = [groups[ordered[place]] for place in rng.permutation(len(ordered))]
    sizes = [(0, fold) for fold in range(1, folds + 1)]
    result = np.zeros(len(names), np.int64)
    for numbers in sorted(shuffled, key=len, reverse=True):
        size, fold = heapq.heappop(sizes)
        result[numbers] = fold
        heapq.heappush(sizes, (size + len(numbers), fold))
    return result


def split_source(source: Source, fold: Fold) -> tuple[Source, Source]:
    """Return what the model of a fold is trained on, and what it is validated on.

    Raises
    ------
    DatasetError, TrainingError
        As `assign_folds`.
    """
    assigned = assign_folds([pair.name for pair in source.pairs], fold.of, fold.by, fold.seed)
    chosen = (assigned == fold.number).tolist()
    rest = [pair for pair, held in zip(source.pairs, chosen, strict=True) if not held]
    held_back = [pair for pair, held in zip(source.pairs, chosen, strict=True) if held]
    return (
        replace(source, pairs=rest),
        replace(source, pairs=held_back, without_text=[], problems=[]),
    )


def digest_pairs(source: Source, progress: Callable[[int, int], None]) -> str:
    """Return a digest of names and texts, by which folds know their pairs again.

    Pixels are not looked at: those of a fold that is under way its checkpoint knows.

    Parameters
    ----------
    source : Source
    progress : callable
        Called with the numbers of pairs looked at and of all.
    """
    digest = hashlib.sha256()
    names = _relative([pair.name for pair in source.pairs])
    for done, (name, pair) in enumerate(zip(names, source.pairs, strict=True), 1):
        try:
            text = pair.read_text()
        except DatasetError:
            text = ""  # no text to train on, whatever is wrong with it
        for part in (name, text):
            content = part.encode("utf-8", "surrogatepass")
            digest.update(len(content).to_bytes(8, "little") + content)
        progress(done, len(names))
    return digest.hexdigest()


def _relative(names: Sequence[str]) -> list[str]:
    """Cut off the folder that holds all, wherever it lies on this machine."""
    if not names or not all(map(os.path.isabs, names)):
        return list(names)
    root = os.path.commonpath({os.path.dirname(name) for name in names})
    return [name[len(root) :].lstrip(os.sep).replace(os.sep, "/") for name in names]


def _groups(names: Sequence[str], by: str) -> list[str]:
    if by == "line":
        return list(names)
    if by == "folder":
        return [str(PurePath(_file(name)).parent) for name in names]
    if by == "file":
        return [_file(name) for name in names]
    try:
        pattern = re.compile(by)
    except re.error as error:
        raise TrainingError(
            f"{by!r} is neither line, folder, file nor a regular expression ({error})"
        ) from error
    groups = []
    for name in names:
        found = pattern.search(name)
        if found is None:
            raise DatasetError(f"{name}: is not fitted by the pattern {by!r} that groups lines")
        group = found[1] if pattern.groups else found[0]
        groups.append(group or "")
    return groups


def _file(name: str) -> str:
    """Return the file that a line is from: ``page.xml`` of ``page.xml#line1``."""
    file, _, _ = name.rpartition("#")
    return file if file.lower().endswith(".xml") else name
