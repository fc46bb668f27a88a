"""Texts and labels: normal form, graphemes, direction, codec."""

from ocrlstm.text.codec import Codec, MissingCharactersError
from ocrlstm.text.direction import base_direction, to_logical, to_visual
from ocrlstm.text.graphemes import graphemes
from ocrlstm.text.missing import describe_missing, find_missing
from ocrlstm.text.normalize import NORMAL_FORMS, normalize_text
from ocrlstm.text.rule_file import read_rules
from ocrlstm.text.rule_tables import PRESETS, RULES
from ocrlstm.text.rules import TextRules

__all__ = [
    "NORMAL_FORMS",
    "PRESETS",
    "RULES",
    "Codec",
    "MissingCharactersError",
    "TextRules",
    "base_direction",
    "describe_missing",
    "find_missing",
    "graphemes",
    "normalize_text",
    "read_rules",
    "to_logical",
    "to_visual",
]
