"""Character n-gram models: made from texts, kept in a file, asked by the beam search."""

from ocrlstm.decoding.language.alphabet import UNKNOWN, Alphabet
from ocrlstm.decoding.language.build import ORDERS, build_language_model
from ocrlstm.decoding.language.file import language_model_bytes, load_language_model
from ocrlstm.decoding.language.fit import fit_language_model
from ocrlstm.decoding.language.model import LanguageModel, Weights
from ocrlstm.decoding.language.texts import check_text, find_texts, read_lines
from ocrlstm.decoding.language.words import load_words, word_tables

__all__ = [
    "ORDERS",
    "UNKNOWN",
    "Alphabet",
    "LanguageModel",
    "Weights",
    "build_language_model",
    "check_text",
    "find_texts",
    "fit_language_model",
    "language_model_bytes",
    "load_language_model",
    "load_words",
    "read_lines",
    "word_tables",
]
