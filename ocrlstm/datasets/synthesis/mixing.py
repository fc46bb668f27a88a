"""Lines that running text has too few of: capitals, figures, signs, single words, rare letters."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from ocrlstm.datasets.inflection import roman

__all__ = ["Mix", "figures_line", "mix_line", "rare_line", "signs_line"]


@dataclass(frozen=True)
class Mix:
    """Shares of lines, each from 0 to 1; the rest are running text as it stands.

    Attributes
    ----------
    capitals : float
        Lines in CAPITALS.
    titles : float
        Lines With Capitals At The Beginning Of Words.
    figures : float
        Years, sums, dates, tables, page numbers.
    signs : float
        Words with brackets, quotes, dashes and stops of all sorts.
    short : float
        One to three words.
    rare : float
        Lines into which some of `characters` are put.
    characters : str
        Letters and signs that texts have too few of.
    quotes : str
        Pairs of quotation marks that the lines of signs have, as ``“”‘’""``.
    """

    capitals: float = 0.02
    titles: float = 0.01
    figures: float = 0.03
    signs: float = 0.02
    short: float = 0.04
    rare: float = 0.0
    characters: str = ""
    quotes: str = "“”‘’\"\"''"


def mix_line(text: str, mix: Mix, rng: Generator) -> str:
    """Turn a line of running text into one of another kind, or leave it.

    Parameters
    ----------
    text : str
    mix : Mix
    rng : numpy.random.Generator

    Returns
    -------
    str
    """
    shares = (mix.capitals, mix.titles, mix.figures, mix.signs, mix.short, mix.rare)
    kind = int(np.searchsorted(np.cumsum(shares), rng.random(), side="right"))
    words = text.split()
    if kind == 0:
        # ß and ŉ become two letters, as printers set them.
        return " ".join(words[: int(rng.integers(1, 9))]).upper()
    if kind == 1:
        return " ".join(word[:1].upper() + word[1:] for word in words[: int(rng.integers(1, 9))])
    if kind == 2:
        return figures_line(words, rng)
    if kind == 3:
        return signs_line(words, mix.quotes, rng)
    if kind == 4:
        first = int(rng.integers(len(words)))
        return " ".join(words[first : first + int(rng.integers(1, 4))])
    if kind == 5:
        return rare_line(words, mix.characters, rng)
    return text


def figures_line(words: list[str], rng: Generator) -> str:
    """Write a line of figures, with some words of a text among them."""

    def number(largest: int) -> int:
        # As many small ones as large ones.
        return int(largest ** rng.random())

    def word() -> str:
        return words[int(rng.integers(len(words)))].strip("()[]«»“”\"',;:")

    kind = int(rng.integers(10))
    year, day, month = int(rng.integers(1480, 2030)), number(31), number(12)
    if kind == 0:
        return f"{number(2000)}"
    if kind == 1:
        return f"{word()} {'. ' * int(rng.integers(3, 14))}{number(999)}"
    if kind == 2:
        return " ".join(f"{number(99999) / 100:.2f}" for _ in range(int(rng.integers(1, 8))))
    if kind == 3:
        stop = "./-"[int(rng.integers(3))]
        return f"{word()}, {day:02d}{stop}{month:02d}{stop}{year}"
    if kind == 4:
        return f"{word()} {roman(number(60))}. {word()} {roman(number(30)).lower()}, {number(400)}."
    if kind == 5:
        return f"{word()} {number(9_999_999):,} {word()} {number(9999)},{number(99):02d} {word()}"
    if kind == 6:
        return " ".join(str(number(9999)) for _ in range(int(rng.integers(3, 10))))
    if kind == 7:
        return f"{number(99)}) {word()} ({year}-{year % 100 + 1:02d}), {number(100)}% {word()}"
    if kind == 8:
        return f"{word()} {number(24)}:{int(rng.integers(60)):02d} {word()} +{number(10**9)}"
    return f"{word()} {year}; {number(99)}, {number(999)}–{number(999)}, {word()}"


def signs_line(words: list[str], quotes: str, rng: Generator) -> str:
    """Put stops, brackets, dashes and quotes around the words of a line."""
    pairs = [quotes[place : place + 2] for place in range(0, len(quotes) - 1, 2)]
    pairs += ["()", "()", "[]", "**"]
    result = []
    for word in words[: int(rng.integers(2, 9))]:
        bare = re.sub(r"^\W+|\W+$", "", word)
        lot = rng.random()
        if not bare or lot < 0.4:
            result.append(word)
        elif lot < 0.65:
            pair = pairs[int(rng.integers(len(pairs)))]
            result.append(pair[0] + bare + pair[1])
        elif lot < 0.9:
            result.append(bare + ".,;:!?"[int(rng.integers(6))])
        else:
            result.append(bare + " -"[int(rng.integers(2))] + "&/=+-*"[int(rng.integers(6))])
    return " ".join(" ".join(result).split())


def rare_line(words: list[str], characters: str, rng: Generator) -> str:
    """Put some of the characters into a line: letters into words, signs before or behind them."""
    result = list(words)
    for _ in range(int(rng.integers(1, 5)) if characters else 0):
        character = characters[int(rng.integers(len(characters)))]
        place = int(rng.integers(len(result)))
        word = result[place]
        inside = int(rng.integers(len(word) + 1))
        if character.isalpha():
            result[place] = word[:inside] + character + word[inside + 1 :]
        elif rng.random() < 0.5:
            result[place] = f"{character} {word}" if rng.random() < 0.5 else character + word
        else:
            result[place] = word + character
    return " ".join(result)
