"""Which characters of some texts a codec lacks, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ocrlstm.text.codec import Codec
from ocrlstm.text.spelling import spell

__all__ = ["describe_missing", "find_missing"]

# So many characters are told with their place; beyond that a count is more use.
_SHOWN = 10


def find_missing(codec: Codec, texts: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Find the characters of some texts that a codec lacks.

    Parameters
    ----------
    codec : Codec
    texts : iterable of (str, str)
        Name, such as the path of a file, and text.

    Returns
    -------
    dict of str to str
        Each such character, sorted, with the name of the first text that has it.

    Examples
    --------
    >>> find_missing(Codec(("", "a")), [("1.gt.txt", "abc"), ("2.gt.txt", "b")])
    {'b': '1.gt.txt', 'c': '1.gt.txt'}
    """
    found: dict[str, str] = {}
    for name, text in texts:
        for character in codec.missing(text):
            found.setdefault(character, name)
    return dict(sorted(found.items()))


def describe_missing(found: Mapping[str, str]) -> str:
    """Tell on one line what `find_missing` found.

    Examples
    --------
    >>> describe_missing({"b": "1.gt.txt"})
    "'b' (U+0062) in 1.gt.txt"
    """
    shown = [f"{spell(character)} in {name}" for character, name in [*found.items()][:_SHOWN]]
    more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return ", ".join(shown) + more
