"""Whitelists and blacklists: which labels are left, and that nothing else can come out."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.decoding import DECODERS, allowed_labels, lacking_characters, restrict
from ocrlstm.text import Codec

CODEC = Codec.from_texts(["abc 0123 Wort. a\u0364"])


def left(whitelist=None, blacklist=None, codec=CODEC):
    allowed = allowed_labels(codec, whitelist, blacklist)
    assert allowed[0]
    return {label for label, may in zip(codec.labels[1:], allowed[1:], strict=True) if may}


def test_lists():
    assert left("0-9") == set("0123")
    assert left("0-9 ") == set("0123 ")
    assert left(r"\d.") == set("0123.")
    assert left(blacklist="a-zA-Z") == {*"0123 .", "a\u0364"}
    assert left("a-c0-9", "0b") == set("ac123")
    assert left("a\u0364") == {"a\u0364"}
    assert left(r"\p{L}\p{M}") == {*"abcWort", "a\u0364"}
    assert allowed_labels(CODEC) is None
    assert allowed_labels(CODEC, blacklist="xyz") is None


def test_normal_form_and_unit_of_the_codec():
    codec = Codec.from_texts(["ä o\u0364"], unit="codepoint", normal_form="NFD")
    assert left("ä", codec=codec) == {"a", "\u0308"}


def test_brackets_of_right_to_left_lines_are_meant_as_they_are_typed():
    codec = Codec.from_texts(["(שלום"], direction="rtl")
    assert left("(", codec=codec) == set(codec.labels) & set("()")


def test_nothing_left():
    with pytest.raises(ValueError, match="leave no character"):
        allowed_labels(CODEC, "xyz")
    with pytest.raises(ValueError, match="leave no character"):
        allowed_labels(CODEC, "0-9", r"\d")


def test_characters_that_the_codec_lacks():
    assert lacking_characters(CODEC, "0-9xa§") == ["x", "§"]
    assert lacking_characters(CODEC, r"\d") == []


@pytest.mark.parametrize("decoder", list(DECODERS))
@given(st.integers(0, 2**32 - 1), st.integers(1, 12))
def test_what_is_not_allowed_never_comes_out(decoder, seed, frames):
    rng = np.random.default_rng(seed)
    posteriors = np.log(rng.dirichlet(np.full(6, 0.3), frames) + 1e-12)
    allowed = np.array([True, False, True, True, False, False])
    symbols = DECODERS[decoder](restrict(posteriors, allowed))
    assert {symbol.label for symbol in symbols} <= {2, 3}


def test_what_is_left_is_normalised():
    posteriors = np.log(np.array([[0.2, 0.7, 0.1], [0.5, 0.0, 0.5]], np.float32) + 1e-30)
    found = restrict(posteriors.astype(np.float32), np.array([True, False, True]))
    np.testing.assert_allclose(np.exp(found), [[2 / 3, 0, 1 / 3], [0.5, 0, 0.5]], rtol=1e-5)
    assert found.dtype == np.float32
    assert found[0, 1] == -np.inf
