"""Texts and labels: normal form, graphemes, direction, codec."""

from ocrlstm.text.character_set import CharacterSet
from ocrlstm.text.codec import Codec, MissingCharactersError
from ocrlstm.text.direction import base_direction, to_logical, to_visual
from ocrlstm.text.findings import FINDINGS, CharacterUse, Finding, TextSurvey
from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.missing import describe_missing, find_missing
from ocrlstm.text.normalize import NORMAL_FORMS, normalize_text
from ocrlstm.text.rule_file import read_rules
from ocrlstm.text.rule_tables import PRESETS, RULES
from ocrlstm.text.rules import TextRules, describe_rules
from ocrlstm.text.scripts import script_of
from ocrlstm.text.spelling import spell_all
from ocrlstm.text.survey import survey_texts
from ocrlstm.text.words import find_words, is_word_character

__all__ = [
    "FINDINGS",
    "NORMAL_FORMS",
    "PRESETS",
    "RULES",
    "CharacterSet",
    "CharacterUse",
    "Codec",
    "Finding",
    "MissingCharactersError",
    "TextRules",
    "TextSurvey",
    "base_direction",
    "describe_missing",
    "describe_rules",
    "find_missing",
    "find_words",
    "graphemes",
    "is_word_character",
    "normalize_text",
    "read_rules",
    "script_of",
    "spell_all",
    "survey_texts",
    "to_logical",
    "to_visual",
]
