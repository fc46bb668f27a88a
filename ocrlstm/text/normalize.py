"""Bring a text into the one spelling that training, reading and scoring agree on."""

from __future__ import annotations

import unicodedata
from typing import Literal, cast

__all__ = ["NORMAL_FORMS", "normalize_text"]

NORMAL_FORMS = ("NFC", "NFD", "NFKC", "NFKD", "none")

# Characters that leave no ink and only steer programs: byte order mark (also U+2060, its
# successor), zero-width space, and the explicit bidirectional marks. U+200C and U+200D (the
# joiners) stay, because they change the shape of the letters beside them. All C0/C1 controls but
# white space go as well.
_INVISIBLE = [0xFEFF, 0x2060, 0x200B, 0x200E, 0x200F, 0x061C, *range(0x202A, 0x202F)]
_INVISIBLE += range(0x2066, 0x206A)
_CONTROLS = [code for code in [*range(0x20), *range(0x7F, 0xA0)] if not chr(code).isspace()]
_DROPPED = dict.fromkeys(_INVISIBLE + _CONTROLS)


def normalize_text(text: str, normal_form: str = "NFC") -> str:
    r"""Apply a Unicode normal form and collapse white space.

    Every run of white space (tabs, line ends, no-break and typographic spaces too) becomes one
    space, and none is left at the ends. Controls, the byte order mark and other marks without ink
    are dropped. The result is a fixed point: normalising it again changes nothing.

    Parameters
    ----------
    text : str
        Any text, in logical order.
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}, default="NFC"
        Unicode normal form (UAX #15); "none" keeps the code points as they are.

    Returns
    -------
    str
        The normalised text, possibly empty.

    Raises
    ------
    ValueError
        If `normal_form` is not one of the five.

    Examples
    --------
    >>> normalize_text(" a\u0308  b\u00a0\n")
    'ä b'
    """
    if normal_form not in NORMAL_FORMS:
        raise ValueError(f"normal form {normal_form!r} is not one of {', '.join(NORMAL_FORMS)}")
    # Dropping comes first: a mark between a letter and its accent must not keep them apart.
    text = text.translate(_DROPPED)
    if normal_form != "none":
        form = cast(Literal["NFC", "NFD", "NFKC", "NFKD"], normal_form)
        text = unicodedata.normalize(form, text)
    return " ".join(text.split())
