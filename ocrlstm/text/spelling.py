"""Characters as messages show them."""

from __future__ import annotations

__all__ = ["spell"]


def spell(character: str) -> str:
    """Spell a character so that look-alikes and combining marks can be told apart.

    Examples
    --------
    >>> spell("ae")
    "'ae' (U+0061 U+0065)"
    """
    codes = " ".join(f"U+{ord(code):04X}" for code in character)
    return f"{character!r} ({codes})"
