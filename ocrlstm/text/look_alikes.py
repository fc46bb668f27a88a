"""Letters of different scripts that print nearly the same, and words of the wrong ones."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator

import regex

from ocrlstm.text.scripts import script_of

__all__ = ["foreign_letters", "foreign_words", "look_alike", "mixes_scripts"]

# One row a shape, drawn up by eye from the charts of the alphabets concerned.
_SHAPES = (
    "AΑА BΒВ CϹС EΕЕ HΗН IΙІ JͿЈ KΚК MΜМ NΝ OΟОՕ PΡР SЅՏ TΤТ XΧХ YΥУ ZΖ ΓГ ΠП ΦФ "
    "aαа cϲс eе hһհ iіι jϳј kκк nո oοоօ pρр sѕ uυս vνѵ xχх yуγ ßβ"
).split()
_LOOK_ALIKES = {
    (letter, script_of(other)): other for shape in _SHAPES for letter in shape for other in shape
}

_WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*")
# Scripts that one word may mix, and marks and letters that go with any.
_TOGETHER = dict.fromkeys(("Han", "Hiragana", "Katakana", "Bopomofo", "Hangul"), "Han")
_ANY = ("Common", "Inherited", "Other")
_CLEARLY_MORE = 3
_ROMAN_NUMERAL = frozenset("IVXLCDMivxlcdm")


def look_alike(letter: str, script: str) -> str:
    """Return the letter of a script that looks like a letter of another one, or "".

    Examples
    --------
    >>> look_alike("a", "Cyrillic") == "\N{CYRILLIC SMALL LETTER A}", look_alike("q", "Cyrillic")
    (True, '')
    """
    found = _LOOK_ALIKES.get((_base(letter), script), "")
    return "" if found == _base(letter) else found


def mixes_scripts(text: str) -> bool:
    """Tell whether a text has letters of several scripts that do not go together in words."""
    return len({_script(character) for character in set(text)}.difference(_ANY)) > 1


def foreign_letters(text: str) -> Iterator[tuple[str, str, str]]:
    """Find letters of one script in words of another.

    Parameters
    ----------
    text : str

    Yields
    ------
    (str, str, str)
        The letter, the script of most of the word's letters (where two have as many, the one that
        has more in the whole text), and the word.
    """
    whole: Counter[str] = Counter()
    mixed = []
    for word in _WORD.findall(text):
        scripts = [_script(letter) for letter in word]
        present = set(scripts).difference(_ANY)
        whole.update(scripts)
        if len(present) > 1:
            mixed.append((word, scripts, present))
    for word, scripts, present in mixed:
        main = max(sorted(present), key=lambda script: (scripts.count(script), whole[script]))
        for letter, script in zip(word, scripts, strict=True):
            if script != main and script in present:
                yield letter, main, word


def foreign_words(text: str) -> Iterator[tuple[str, str]]:
    """Find words that can be read in the script of all others, but are typed in another one.

    Left out are Roman numerals, since they are Latin in every script, and words with accents,
    which hardly look alike.

    Parameters
    ----------
    text : str

    Yields
    ------
    (str, str)
        The word, and the script of all the others, which have several times as many letters.
    """
    words: list[tuple[str, str]] = []
    for word in _WORD.findall(text):
        present = {_script(letter) for letter in word}.difference(_ANY)
        if len(present) == 1:
            words.append((word, present.pop()))
    letters: Counter[str] = Counter()
    for word, script in words:
        letters[script] += len(word)
    if len(letters) != 2:
        return
    (main, many), (other, few) = letters.most_common()
    foreign = [word for word, script in words if script == other]
    # Where some words are of the other script for good, all may be.
    if many >= _CLEARLY_MORE * few and all(_all_look_like(word, main) for word in foreign):
        for word in foreign:
            if not _ROMAN_NUMERAL.issuperset(word):
                yield word, main


def _all_look_like(word: str, script: str) -> bool:
    return all(look_alike(letter, script) and _base(letter) == letter for letter in word)


def _script(letter: str) -> str:
    script = script_of(letter)
    return _TOGETHER.get(script, script)


def _base(letter: str) -> str:
    return unicodedata.normalize("NFD", letter)[:1]
