"""Word lists: what is read from a file, and the tree of labels made of it."""

import numpy as np
import pytest

from ocrlstm.decoding.language import load_words, words
from ocrlstm.decoding.language.words import word_tables
from ocrlstm.errors import LanguageModelError
from ocrlstm.text import Codec


def spelt(tables, codec):
    """All words of a tree, by a walk over it."""
    found = set()

    def walk(node, beginning):
        if tables.ends[node]:
            found.add(beginning)
        for child in range(tables.first[node], tables.first[node + 1]):
            walk(child, beginning + codec.labels[tables.symbols[child]])

    walk(0, "")
    return found


CODEC = Codec.from_texts(["abcdeABCDE 12_-ä"])


def test_words_in_three_forms():
    tables, kept = word_tables(["bad", "a", "Abc", "bade"], CODEC)
    assert spelt(tables, CODEC) == {
        *("bad", "Bad", "BAD", "a", "A", "Abc", "ABC", "bade", "Bade", "BADE")
    }
    assert kept == 4
    assert len(tables.first) == len(tables.symbols) + 1 == len(tables.ends) + 1
    for node in range(len(tables.symbols)):
        children = tables.symbols[tables.first[node] : tables.first[node + 1]]
        assert (np.diff(children.astype(int)) > 0).all()


def test_words_that_the_codec_cannot_spell_are_left_out():
    tables, kept = word_tables(["zoo", "ab", "x" * 200, "dä"], CODEC)
    # There is no large Ä.
    assert spelt(tables, CODEC) == {"ab", "Ab", "AB", "dä", "Dä"}
    assert kept == 2


def test_no_word_at_all():
    tables, kept = word_tables(["zoo"], CODEC)
    assert (kept, spelt(tables, CODEC)) == (0, set())
    assert tables.first.tolist() == [1, 1]


def test_kinds_of_labels():
    tables, _ = word_tables(["ab"], CODEC)
    kinds = dict(zip(CODEC.labels, tables.kinds.tolist(), strict=True))
    assert [kinds[c] for c in "aAä"] == [1, 1, 1]
    assert [kinds[c] for c in "12_"] == [2, 2, 2]
    assert [kinds[c] for c in " -"] == [0, 0]
    assert kinds[""] == 0


def test_words_are_brought_to_the_normal_form():
    codec = Codec.from_texts(["a\u0308b"], unit="codepoint", normal_form="NFD")
    assert spelt(word_tables(["äb"], codec)[0], codec) == {"a\u0308b"}


def test_right_to_left_words_are_as_the_image_shows_them():
    codec = Codec.from_texts(["שלום abc"], direction="rtl")
    tables, _ = word_tables(["שלום", "abc"], codec)
    assert spelt(tables, codec) == {"םולש", "abc"}


def test_a_file_is_searched_for_words(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("\ufeffzoo\r\nDon’t zoo,\n\nähm 1a", encoding="utf-8")
    assert load_words(path) == ["1a", "Don", "t", "zoo", "ähm"]


@pytest.mark.parametrize(
    ("content", "message"),
    [(b"", "holds no word"), (b"... 1-\xff", "not UTF-8"), (b"!?\n", "holds no word")],
)
def test_bad_files(tmp_path, content, message):
    path = tmp_path / "words.txt"
    path.write_bytes(content)
    with pytest.raises(LanguageModelError, match=message):
        load_words(path)


def test_missing_and_too_large_files(tmp_path, monkeypatch):
    with pytest.raises(LanguageModelError, match="cannot be read"):
        load_words(tmp_path / "no.txt")
    monkeypatch.setattr(words, "_LARGEST", 3)
    (tmp_path / "w.txt").write_text("four")
    with pytest.raises(LanguageModelError, match="too much for a word list"):
        load_words(tmp_path / "w.txt")
