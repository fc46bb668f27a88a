"""What stands in the texts of a data set, and what in them is likely to be a slip."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator

from ocrlstm.text.families import FAMILIES, Family
from ocrlstm.text.findings import FINDINGS, CharacterUse, Finding, TextSurvey
from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.look_alikes import (
    foreign_letters,
    foreign_words,
    look_alike,
    mixes_scripts,
)
from ocrlstm.text.normalize import normalize_text
from ocrlstm.text.rule_tables import RULES
from ocrlstm.text.rules import TextRules
from ocrlstm.text.scripts import script_of
from ocrlstm.text.slips import find_slips
from ocrlstm.text.spelling import character_name, code_points, spell
from ocrlstm.text.tally import Tally

__all__ = ["survey_texts"]

# A sign beside which nothing composes or is trimmed.
_BASE = "\u25cc"
_MEMBERS = tuple(
    dict.fromkeys(member for family in FAMILIES for group in family.members for member in group)
)


def survey_texts(
    texts: Iterable[tuple[str, str]],
    normal_form: str = "NFC",
    rules: TextRules | None = None,
) -> TextSurvey:
    """Count the characters of some texts and find what is likely to be a slip.

    Parameters
    ----------
    texts : iterable of (str, str)
        Name, such as the path of a file, and text as it stands there. Gone through once; none is
        kept.
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}
        Of the characters counted.
    rules : TextRules, optional
        Applied to the characters counted, so that what they mend is not found.

    Returns
    -------
    TextSurvey

    Examples
    --------
    >>> survey = survey_texts([("1.gt.txt", "it's"), ("2.gt.txt", "it\u2019s")])
    >>> [use.character for use in survey.rare(1)]
    ["'", '’']
    >>> print(survey.findings[0].what)
    apostrophes and single quotes: "'" (U+0027) once, '’' (U+2019) once
    """
    rules = rules or TextRules()

    def clean(text: str) -> str:
        return normalize_text(rules.apply(text), normal_form)

    number = 0
    characters: Tally[str] = Tally()
    slips: Tally[tuple[str, str]] = Tally()
    spellings: Tally[tuple[str, str]] = Tally()
    letters: Tally[tuple[str, str]] = Tally()
    words: Tally[tuple[str, str]] = Tally()
    members: Tally[str] = Tally()
    examples: dict[tuple[str, str], str] = {}
    for name, raw in texts:
        number += 1
        text = clean(raw)
        characters.add(name, graphemes(text))
        slips.add(name, find_slips(raw))
        if raw.isascii():
            members.add(name, _members(text))
            continue
        composed = unicodedata.normalize("NFC", text)
        members.add(name, _members(composed))
        spellings.add(name, _spellings(raw))
        if mixes_scripts(composed):
            found = list(foreign_letters(composed))
            letters.add(name, ((letter, script) for letter, script, _ in found))
            for letter, script, word in found:
                examples.setdefault((letter, script), word)
            words.add(name, foreign_words(composed))
    uses = tuple(
        CharacterUse(character, character_name(character), *characters.of(character))
        for character in sorted(characters.counts)
    )
    findings = [
        *_of_slips(slips, clean),
        *_of_spellings(spellings, clean),
        *_of_letters(letters, examples),
        *_of_words(words),
        *_of_families(members),
    ]
    order = list(FINDINGS)
    findings.sort(key=lambda finding: (order.index(finding.kind), -finding.count, finding.what))
    return TextSurvey(number, uses, tuple(findings))


def _spellings(text: str) -> Iterator[tuple[str, str]]:
    """Find the characters that Unicode can spell in several ways: in NFC, and as they are."""
    for cluster in graphemes(text):
        if not cluster.isascii():
            composed = unicodedata.normalize("NFC", cluster)
            if composed != unicodedata.normalize("NFD", cluster):
                yield composed, cluster


def _members(text: str) -> Iterator[str]:
    """Find the members of families, each as often as it occurs."""
    for member in _MEMBERS:
        if member in text:
            yield from [member] * text.count(member)


def _of_slips(slips: Tally[tuple[str, str]], clean: Callable[[str], str]) -> Iterator[Finding]:
    for kind, code in slips.counts:
        what = f"{spell(code)} {character_name(code)}"
        remains = code in clean(_BASE + code + _BASE) and kind != "white_space"
        rule = next((name for name, each in RULES.items() if remains and code in each.table), "")
        yield Finding(kind, what, *slips.of((kind, code)), remains, rule)


def _of_spellings(
    spellings: Tally[tuple[str, str]], clean: Callable[[str], str]
) -> Iterator[Finding]:
    ways: dict[str, list[str]] = {}
    for composed, cluster in spellings.counts:
        ways.setdefault(composed, []).append(cluster)
    for composed, clusters in ways.items():
        if len(clusters) > 1:
            keys = sorted(((composed, way) for way in clusters), key=lambda k: spellings.counts[k])
            told = ", ".join(
                f"as {code_points(way)} {_times(spellings.counts[composed, way])}"
                for _, way in reversed(keys)
            )
            remains = len({clean(_BASE + way) for way in clusters}) > 1
            yield Finding("normal_form", f"'{composed}' {told}", *spellings.of(*keys[:-1]), remains)


def _of_letters(
    letters: Tally[tuple[str, str]], examples: dict[tuple[str, str], str]
) -> Iterator[Finding]:
    for letter, script in letters.counts:
        other = look_alike(letter, script)
        alike = f"; it looks like {spell(other)}" if other else ""
        yield Finding(
            "mixed_script",
            f"{spell(letter)} {character_name(letter)} in {script} words such as "
            f"'{examples[letter, script]}'{alike}",
            *letters.of((letter, script)),
        )


def _of_words(words: Tally[tuple[str, str]]) -> Iterator[Finding]:
    for word, script in words.counts:
        what = f"'{word}' ({script_of(word)}) among {script} words"
        yield Finding("look_alike", what, *words.of((word, script)))


def _of_families(members: Tally[str]) -> Iterator[Finding]:
    for family in FAMILIES:
        used = [
            group for group in family.members if any(member in members.counts for member in group)
        ]
        if len(used) > 1:
            usual = max(used, key=lambda group: members.of(*group)[0])
            rest = [member for group in used if group != usual for member in group]
            yield Finding(
                "mixture", _describe(family, members), *members.of(*rest), rule=family.rule
            )


def _describe(family: Family, members: Tally[str]) -> str:
    told = ", ".join(
        f"{spell(member)} {_times(members.counts[member])}"
        for group in family.members
        for member in group
        if member in members.counts
    )
    return f"{family.name}: {told}"


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"
