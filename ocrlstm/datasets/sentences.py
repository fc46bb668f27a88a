"""English lines without end: sentences from templates, broken as a printer breaks them.

The sentences mean little but hold what print holds: capitals, figures, dates, prices, quotation
marks, dashes, abbreviations, words divided at the line's end, headings, page numbers. Written for
this project, so the texts are free to pass on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from numpy.random import Generator

from ocrlstm.datasets import vocabulary as words
from ocrlstm.datasets.inflection import gerund, past, plural, roman

__all__ = ["english_lines", "english_sentence", "special_line"]

DETERMINERS = (
    "the the the the a a his her their this that our my every no some each another".split()
)
PRONOUNS = "he she it they we I you nobody everyone somebody who one".split()
OBJECT_PRONOUNS = "him her it them us me you himself itself themselves".split()
MODALS = "will would shall should can could may might must cannot".split()
JOINERS = "and/but/for/so that/because/while/when/although/as/until/where".split("/")
OPENERS = "However/At last/In short/On the contrary/No doubt/To be sure/Besides".split("/")
TITLES = "Mr. Mrs. Dr. Miss Sir Lady Lord Captain Professor St. Rev.".split()
NUMBERS = """
two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty
fifty sixty seventy eighty ninety a-hundred a-thousand
""".split()


def pick(rng: Generator, items: Sequence[str]) -> str:
    """Draw one of the items, each as likely."""
    return items[int(rng.integers(len(items)))]


def chance(rng: Generator, probability: float) -> bool:
    """Draw True as often as `probability` says."""
    return bool(rng.random() < probability)


def person(rng: Generator) -> str:
    """Make a name, with title or initials at times."""
    first, last = pick(rng, words.FIRST_NAMES), pick(rng, words.SURNAMES)
    kind = rng.integers(6)
    if kind == 0:
        return f"{pick(rng, TITLES)} {last}"
    if kind == 1:
        return f"{first[0]}. {pick(rng, words.FIRST_NAMES)[0]}. {last}"
    return first if kind == 2 else last if kind == 3 else f"{first} {last}"


def noun_phrase(rng: Generator) -> str:
    """Make what a sentence can be about."""
    kind = rng.integers(12)
    if chance(rng, 0.05):
        return pick(rng, words.FOREIGN_WORDS)
    if kind == 0:
        return pick(rng, words.ABSTRACT_NOUNS)
    if kind == 1:
        return person(rng)
    if kind == 2:
        return f"the {pick(rng, words.NOUNS)} of {pick(rng, words.PLACES)}"
    nouns = words.PEOPLE if kind < 6 else words.ABSTRACT_NOUNS if kind == 6 else words.NOUNS
    noun = pick(rng, nouns)
    adjective = pick(rng, words.ADJECTIVES) + " " if chance(rng, 0.4) else ""
    if chance(rng, 0.3) and nouns is not words.ABSTRACT_NOUNS:
        leader = (
            pick(rng, NUMBERS).replace("-", " ")
            if chance(rng, 0.3)
            else pick(rng, ["the", "all", "many"])
        )
        return f"{leader} {adjective}{plural(noun)}"
    determiner = pick(rng, DETERMINERS)
    if determiner == "a" and (adjective + noun)[0] in "aeiou":
        determiner = "an"
    owner = "'s " + pick(rng, words.NOUNS) if chance(rng, 0.08) else ""
    return f"{determiner} {adjective}{noun}{owner}"


def verb_phrase(rng: Generator) -> str:
    """Make what the subject did, without its object."""
    irregular = chance(rng, 0.45)
    if irregular:
        base, simple, participle = words.IRREGULAR_VERBS[
            int(rng.integers(len(words.IRREGULAR_VERBS)))
        ]
    else:
        base = pick(rng, words.VERBS)
        simple = participle = past(base)
    kind = rng.integers(8)
    adverb = pick(rng, words.ADVERBS) + " " if chance(rng, 0.2) else ""
    if kind == 0:
        return f"{pick(rng, MODALS)} {adverb}{base}"
    if kind == 1:
        return f"{pick(rng, ['had', 'has', 'have'])} {adverb}{participle}"
    if kind == 2:
        return f"{pick(rng, ['was', 'were', 'is', 'are'])} {adverb}{gerund(base)}"
    if kind == 3:
        return f"{pick(rng, ['did not', 'does not', 'do not', 'never', 'used to'])} {base}"
    return adverb + simple


def figure(rng: Generator) -> str:
    """Make a date, a price, a measure or a year, with the preposition it needs."""
    number, year = int(rng.integers(2, 100)), int(rng.integers(1480, 2026))
    day, month = int(rng.integers(1, 31)), pick(rng, words.MONTHS)
    thousands = f"{int(rng.integers(1000, 999_999)):,}"
    forms = (
        f"in {year}",
        f"on the {day}th of {month}, {year}" if 3 < day < 21 else f"on {month} {day}, {year}",
        f"for £{number} {int(rng.integers(1, 20))}s. {int(rng.integers(1, 12))}d.",
        f"at ${number}.{int(rng.integers(100)):02d}",
        f"by {number} per cent",
        f"with {thousands} {plural(pick(rng, words.NOUNS))}",
        f"on p. {int(rng.integers(1, 800))}",
        f"at {int(rng.integers(1, 12))}.{int(rng.integers(60)):02d} o'clock",
        f"(see No. {number})",
        f"from {year} to {year + int(rng.integers(1, 60))}",
        f"on {pick(rng, words.WEEKDAYS)}",
        f"({year}-{(year + 7) % 100:02d})",
        f"{number} feet {int(rng.integers(1, 12))} inches long",
        f"in Chapter {roman(number)}",
    )
    return forms[int(rng.integers(len(forms)))]


def clause(rng: Generator) -> str:
    """Make a subject, a verb and what goes with them."""
    subject = pick(rng, PRONOUNS) if chance(rng, 0.4) else noun_phrase(rng)
    parts = [subject, verb_phrase(rng)]
    if chance(rng, 0.75):
        parts.append(pick(rng, OBJECT_PRONOUNS) if chance(rng, 0.2) else noun_phrase(rng))
    if chance(rng, 0.6):
        place = pick(rng, words.PLACES) if chance(rng, 0.2) else noun_phrase(rng)
        parts.append(f"{pick(rng, words.PREPOSITIONS)} {place}")
    if chance(rng, 0.2):
        parts.append(figure(rng))
    return " ".join(parts)


def quoted(rng: Generator, text: str) -> str:
    """Put the text in one of the printers' quotation marks."""
    left, right = (('"', '"'), ("“", "”"), ("‘", "’"))[int(rng.integers(3))]
    return left + text + right


def english_sentence(rng: Generator) -> str:
    """Make one sentence with its stop.

    Parameters
    ----------
    rng : numpy.random.Generator
        Decides all; the same state gives the same sentence.
    """
    text = clause(rng)
    if chance(rng, 0.45):
        text += (
            f"{pick(rng, [',', ',', ',', ';', ':', ' —', ''])} {pick(rng, JOINERS)} {clause(rng)}"
        )
    if chance(rng, 0.1):
        text = f"{pick(rng, OPENERS)}, {text}"
    if chance(rng, 0.06):
        text += f" ({noun_phrase(rng)})"
    text = text[0].upper() + text[1:]
    stop = pick(rng, list(".........!?"))
    if chance(rng, 0.12):
        speaker = f"{pick(rng, ['said', 'cried', 'asked', 'answered'])} {person(rng)}"
        return f"{quoted(rng, text + pick(rng, list(',,!?')))} {speaker}."
    return text + stop


def special_line(rng: Generator) -> str:
    """Make a line that is not running text: heading, page head, list, address, figures."""
    noun, place = pick(rng, words.NOUNS), pick(rng, words.PLACES)
    year, number = int(rng.integers(1500, 2026)), int(rng.integers(1, 999))
    volume, percent, foreign = roman(number % 12 + 1), number % 100, words.FOREIGN_WORDS
    forms = (
        lambda: noun_phrase(rng).upper(),
        lambda: f"{number} {noun_phrase(rng).upper()}",
        lambda: f"CHAPTER {roman(number % 60 + 1)}.",
        lambda: f"{noun.capitalize()} {'. ' * int(rng.integers(4, 16))}{number}",
        lambda: f"{number}. {english_sentence(rng)}",
        lambda: f"* {person(rng)}, {noun.capitalize()}s, vol. {volume}, p. {number}.",
        lambda: f"[{number}] {person(rng)}: {noun_phrase(rng).title()}. {place}, {year}.",
        lambda: f"{person(rng)} & Co., {number} {pick(rng, words.SURNAMES)} Street, {place}",
        lambda: f"{place}, {pick(rng, words.MONTHS)} {number % 28 + 1}, {year}",
        lambda: f"{noun}, {plural(pick(rng, words.NOUNS))}, {person(rng)}; {figure(rng)}",
        lambda: f"{number} + {year} = {number + year}; {number} × 2 = {number * 2}",
        lambda: " ".join(f"{rng.integers(9999) / 10:g}" for _ in range(int(rng.integers(2, 8)))),
        lambda: f"{noun}@{pick(rng, words.NOUNS)}.org / {number}-{year} #{number % 10}",
        lambda: (
            f"{noun} {percent}% & {100 - percent}% [{volume}/{number}] * {noun.upper()} #{year}"
        ),
        lambda: noun.capitalize() + pick(rng, list(".,;:!?")),
        lambda: pick(rng, ["§ ", "— ", "Fig. ", "Art. ", "No. "]) + f"{number}",
        lambda: f"{pick(rng, foreign)}, {noun}, {pick(rng, foreign)}, {pick(rng, foreign)}",
    )
    return " ".join(forms[int(rng.integers(len(forms)))]().split())


def english_lines(rng: Generator, shortest: int = 24, longest: int = 72) -> Iterator[str]:
    """Yield lines of print, without end.

    Parameters
    ----------
    rng : numpy.random.Generator
        Decides all.
    shortest, longest : int
        Limits of the length in characters that a column's lines aim at; the last line of a
        paragraph and headings are shorter. No line is longer than `longest`.
    """
    while True:
        measure = int(rng.integers(shortest, longest + 1))
        rest = " ".join(english_sentence(rng) for _ in range(int(rng.integers(1, 5))))
        if chance(rng, 0.5):
            rest = rest.replace("'", "’")
        while rest:
            line, rest = break_line(rng, rest, min(longest, measure + int(rng.integers(-3, 4))))
            if line:
                yield line
        if chance(rng, 0.6):
            yield special_line(rng)[:longest].strip()


def break_line(rng: Generator, text: str, measure: int) -> tuple[str, str]:
    """Split off a line of at most `measure` characters, a word divided at its end at times."""
    if len(text) <= measure:
        return text, ""
    cut = text.rfind(" ", 0, measure + 1)
    word = re.match(r"[a-z]{6,}", text[cut + 1 :])
    room = measure - cut - 2
    if word and room >= 3 and chance(rng, 0.5):
        cut += 1 + int(rng.integers(3, min(room, len(word[0]) - 3) + 1))
        return text[:cut] + "-", text[cut:]
    if cut <= 0:
        return text[:measure], text[measure:].strip()
    return text[:cut], text[cut + 1 :]
