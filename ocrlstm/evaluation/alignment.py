"""Edit distance, and which characters were read as which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rapidfuzz.distance import Levenshtein

__all__ = ["count_edits", "list_confusions"]


def count_edits(truth: Sequence[str], prediction: Sequence[str]) -> int:
    """Return the Levenshtein distance: least insertions, deletions and replacements.

    Parameters
    ----------
    truth, prediction : str or sequence of str
        Two strings (counted in code points) or two lists of words.

    Returns
    -------
    int
        The number of edits.

    Examples
    --------
    >>> count_edits("kitten", "sitting")
    3
    """
    return Levenshtein.distance(truth, prediction)


def list_confusions(truth: str, prediction: str) -> Iterator[tuple[str, str]]:
    """Yield every edit of one cheapest alignment as what stands there and what was read.

    Parameters
    ----------
    truth, prediction : str
        The ground truth and what was read.

    Yields
    ------
    tuple of (str, str)
        The code point in `truth` and that in `prediction`; "" on the left for something read too
        much, "" on the right for something not read.

    Examples
    --------
    >>> list(list_confusions("rn a", "m a."))
    [('r', 'm'), ('n', ''), ('', '.')]
    """
    for edit in Levenshtein.editops(truth, prediction):
        stands = "" if edit.tag == "insert" else truth[edit.src_pos]
        read = "" if edit.tag == "delete" else prediction[edit.dest_pos]
        yield stands, read
