"""English word forms by rule, for `sentences`; irregular verbs stand in `vocabulary`."""

import re

__all__ = ["gerund", "past", "plural", "roman"]

DOUBLED = re.compile(r"[^aeiou]*[aeiou][^aeiouwxy]|admit|permit|prefer|quarrel|regret|travel")


def plural(noun: str) -> str:
    """Give the plural by rule.

    >>> plural("box"), plural("city"), plural("day"), plural("knife")
    ('boxes', 'cities', 'days', 'knives')
    """
    if re.search(r"([sxz]|[cs]h)$", noun):
        return noun + "es"
    if re.search(r"[^aeiou]y$", noun):
        return noun[:-1] + "ies"
    if noun.endswith("man"):
        return noun[:-2] + "en"
    return re.sub(r"(?<=[ail])fe$", "ve", noun) + "s"


def past(verb: str) -> str:
    """Give the regular past by rule.

    >>> past("drop"), past("carry"), past("use"), past("wait")
    ('dropped', 'carried', 'used', 'waited')
    """
    if verb.endswith("e"):
        return verb + "d"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ied"
    return verb + (verb[-1] if DOUBLED.fullmatch(verb) else "") + "ed"


def gerund(verb: str) -> str:
    """Give the form in -ing by rule.

    >>> gerund("drop"), gerund("die"), gerund("use"), gerund("see")
    ('dropping', 'dying', 'using', 'seeing')
    """
    if verb.endswith("ie"):
        return verb[:-2] + "ying"
    if re.search(r"[^eo]e$", verb):
        return verb[:-1] + "ing"
    return verb + (verb[-1] if DOUBLED.fullmatch(verb) else "") + "ing"


def roman(number: int) -> str:
    """Write a Roman numeral.

    >>> roman(1949), roman(14)
    ('MCMXLIX', 'XIV')
    """
    values = (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1)
    numerals = "M CM D CD C XC L XL X IX V IV I".split()
    text = ""
    for value, numeral in zip(values, numerals, strict=True):
        text += numeral * (number // value)
        number %= value
    return text
