"""Language model files: the same model comes back, and no damage gets through."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.decoding.language import (
    Weights,
    build_language_model,
    language_model_bytes,
    load_language_model,
)
from ocrlstm.errors import LanguageModelError

LINES = ["the cat sat on the mat", "a cat and a rat", "the rat ate the hat"] * 3
MODEL = build_language_model(LINES, order=4, metadata={"texts": ["a.txt"]})
CONTENT = language_model_bytes(MODEL)
LENGTH = int.from_bytes(CONTENT[12:16], "little")


@pytest.mark.parametrize("order", [1, 2, 6])
def test_round_trip(tmp_path, order):
    path = tmp_path / "lm.bin"
    model = build_language_model(LINES, order=order, metadata={"texts": ["ä.txt"]})
    path.write_bytes(language_model_bytes(model))
    loaded = load_language_model(path)
    for name in ("alphabet", "order", "mean", "weights", "metadata", "level_sizes"):
        assert getattr(loaded, name) == getattr(model, name)
    for one, other in zip(loaded.tables, model.tables, strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype
    assert language_model_bytes(loaded) == path.read_bytes()


def test_many_symbols(tmp_path):
    path = tmp_path / "lm.bin"
    model = build_language_model(["".join(chr(0x4E00 + i) for i in range(400))] * 2, order=3)
    path.write_bytes(language_model_bytes(model))
    loaded = load_language_model(path)
    assert loaded.score("\u4e00\u4e01\u4e02").tolist() == model.score("\u4e00\u4e01\u4e02").tolist()


def with_header(**changes):
    header = json.loads(CONTENT[16 : 16 + LENGTH])
    header.update(changes)
    for name in [name for name, value in header.items() if value is None]:
        del header[name]
    text = json.dumps(header).encode()
    return CONTENT[:12] + len(text).to_bytes(4, "little") + text + CONTENT[16 + LENGTH :]


def test_the_header_can_be_changed_at_all(tmp_path):
    path = tmp_path / "lm.bin"
    path.write_bytes(with_header(weights=Weights(0.7, 0.1, 2.0).to_dict()))
    assert load_language_model(path).weights == Weights(0.7, 0.1, 2.0)


SIZES = MODEL.level_sizes


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not a language model"),
        (b"PK\x03\x04 and something else", "not a language model"),
        (CONTENT[:10], "not a language model"),
        (CONTENT[:8] + b"\x02" + CONTENT[9:], "format 2, but this ocrlstm reads up to 1"),
        (CONTENT[:12] + b"\xff\xff\xff\xff" + CONTENT[16:], "header has 4294967295 bytes"),
        (CONTENT[:-1], "bytes follow its header"),
        (CONTENT + b"\0", "bytes follow its header"),
        (CONTENT[:20] + b"\xff" + CONTENT[21:], "header is damaged"),
        (CONTENT[:16] + b"[" * LENGTH + CONTENT[16 + LENGTH :], "header is damaged"),
        (with_header(order=None), "lacks order"),
        (with_header(order=True), "order is True"),
        (with_header(order=99), "order is 99"),
        (with_header(ngrams=[10**12, *SIZES[1:]]), "numbers of n-grams are impossible"),
        (with_header(ngrams=[-1, *SIZES[1:]]), "numbers of n-grams are impossible"),
        (with_header(ngrams=SIZES[:-1]), "gives no 4 numbers"),
        (with_header(ngrams=[SIZES[0] + 1, *SIZES[1:]]), "for an alphabet of"),
        (with_header(ngrams=[*SIZES[:2], SIZES[3], SIZES[2]]), "bytes follow|not in order"),
        (with_header(mean=float("nan")), "mean is nan"),
        (with_header(mean=1), "mean is 1"),
        (with_header(weights={"alpha": 1e9, "beta": 0, "words": 0}), "alpha is 1000000000.0"),
        (with_header(weights={"alpha": "x", "beta": 0, "words": 0}), "'x', not a number"),
        (with_header(weights=[1]), "not alpha, beta and words"),
        (with_header(alphabet={"codec": 1}), "codec and text_rules"),
        (with_header(metadata=[]), "metadata is not an object"),
    ],
)
def test_damage_is_told(tmp_path, content, message):
    path = tmp_path / "lm.bin"
    path.write_bytes(content)
    with pytest.raises(LanguageModelError, match=message) as caught:
        load_language_model(path)
    assert str(caught.value).startswith(f"{path}: ")


def test_no_file(tmp_path):
    with pytest.raises(LanguageModelError, match="no such language model; make one with"):
        load_language_model(tmp_path / "no.bin")
    with pytest.raises(LanguageModelError, match="cannot be read"):
        load_language_model(tmp_path)


def test_unsorted_ngrams(tmp_path):
    path = tmp_path / "lm.bin"
    start = 16 + LENGTH
    count = sum(SIZES) - SIZES[0]
    damaged = CONTENT[:start] + CONTENT[start : start + count][::-1] + CONTENT[start + count :]
    path.write_bytes(damaged)
    with pytest.raises(LanguageModelError, match="not in order"):
        load_language_model(path)


@given(st.integers(0, len(CONTENT) - 1), st.integers(0, 255))
@settings(max_examples=300, deadline=None)
def test_any_byte_may_be_another(tmp_path_factory, place, value):
    path = tmp_path_factory.getbasetemp() / "fuzzed.bin"
    path.write_bytes(CONTENT[:place] + bytes([value]) + CONTENT[place + 1 :])
    try:
        model = load_language_model(path)
    except LanguageModelError:
        return
    # Where the damage does not show, it must do no harm.
    assert np.isfinite(model.score("the rat, a hat")).all()
