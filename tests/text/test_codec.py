"""Characters to labels and back."""

import dataclasses
import json
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrlstm.errors import CodecError
from ocrlstm.text import NORMAL_FORMS, Codec, normalize_text

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
RIGHT_TO_LEFT = "אבגשa 12,5-%"


def test_labels_are_sorted_and_start_with_the_blank() -> None:
    codec = Codec.from_texts(["cab", "äb"])
    assert codec.labels == ("", "a", "b", "c", "ä")
    assert len(codec) == 5
    assert codec == Codec.from_texts(["bä", "c", "a"])
    assert hash(codec) == hash(Codec.from_texts(["bä", "c", "a"]))


def test_fields_cannot_be_set() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Codec(("",)).unit = "codepoint"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "unit", "count"),
    [
        ("aͤq̃", "grapheme", 2),
        ("aͤq̃", "codepoint", 4),
        (FAMILY, "grapheme", 1),
        (FAMILY, "codepoint", 5),
        ("a\u0308", "grapheme", 1),
        ("a\u0308", "codepoint", 1),
    ],
)
def test_one_label_a_unit(text: str, unit: str, count: int) -> None:
    codec = Codec.from_texts([text], unit=unit)
    labels = codec.encode(text)
    assert labels.shape == (count,)
    assert labels.dtype == np.int32
    assert codec.decode(labels) == normalize_text(text)


def test_a_codec_without_normal_form_keeps_the_accent_apart() -> None:
    codec = Codec.from_texts(["a\u0308"], normal_form="none")
    assert codec.labels == ("", "a\u0308")


def test_empty_text() -> None:
    codec = Codec(("",))
    assert codec.encode(" ").shape == (0,)
    assert codec.decode([]) == ""


@given(
    st.lists(st.text(), max_size=4),
    st.sampled_from(["grapheme", "codepoint"]),
    st.sampled_from(NORMAL_FORMS),
)
def test_round_trip(texts: list[str], unit: str, form: str) -> None:
    codec = Codec.from_texts(texts, unit, form)
    for text in texts:
        labels = codec.encode(text)
        assert (labels > 0).all()
        assert codec.decode(labels) == normalize_text(text, form)


@given(st.text(alphabet=RIGHT_TO_LEFT), st.sampled_from(["grapheme", "codepoint"]))
def test_round_trip_from_right_to_left(text: str, unit: str) -> None:
    codec = Codec.from_texts([text], unit, direction="rtl")
    labels = codec.encode(text)
    # Several texts may be printed alike; what is read is one of them.
    assert codec.encode(codec.decode(labels)).tolist() == labels.tolist()


def test_right_to_left_labels_follow_the_image() -> None:
    codec = Codec.from_texts(["אב 12"], direction="rtl")
    assert [codec.labels[label] for label in codec.encode("אב 12")] == list("12 בא")


def test_missing_characters_are_spelled_out_once() -> None:
    codec = Codec.from_texts(["ab"])
    with pytest.raises(CodecError) as caught:
        codec.encode("aſbq̃ſ")
    assert caught.value.missing == ("ſ", "q̃")  # type: ignore[attr-defined]
    assert str(caught.value) == ("the codec lacks 2 characters: 'ſ' (U+017F), 'q̃' (U+0071 U+0303)")
    assert codec.missing("aſbq̃ſ") == ("ſ", "q̃")
    assert codec.missing("ba") == ()
    assert pickle.loads(pickle.dumps(caught.value)).missing == ("ſ", "q̃")


def test_a_long_list_of_missing_characters_is_cut_short() -> None:
    with pytest.raises(CodecError, match=r"lacks 26 characters: .*'t' \(U\+0074\) and 6 more$"):
        Codec(("",)).encode("abcdefghijklmnopqrstuvwxyz")


@pytest.mark.parametrize("labels", [[-1], [3], [1, 99]])
def test_labels_out_of_range_are_refused(labels: list[int]) -> None:
    with pytest.raises(ValueError, match="0 to 2"):
        Codec(("", "a", "b")).decode(labels)


def test_blanks_give_nothing() -> None:
    assert Codec(("", "a")).decode(np.array([0, 1, 0, 1])) == "aa"


def test_dictionary_round_trip_through_json() -> None:
    codec = Codec.from_texts(["aͤ b"], "codepoint", "NFD", "rtl")
    assert Codec.from_dict(json.loads(json.dumps(codec.to_dict()))) == codec


GOOD: dict[str, Any] = Codec(("", "a", "b")).to_dict()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([], "codec is a list"),
        ({}, "no field 'labels'"),
        ({**GOOD, "size": 3}, "unknown fields: size"),
        ({**GOOD, "labels": "ab"}, "labels are a str"),
        ({**GOOD, "labels": None}, "labels are a NoneType"),
        ({**GOOD, "labels": []}, "no labels"),
        ({**GOOD, "labels": ["a", "b"]}, "label 0 is 'a', expected '', the blank"),
        ({**GOOD, "labels": ["", "a", ""]}, "label 2 is ''"),
        ({**GOOD, "labels": ["", "a", 7]}, "label 2 is 7, not a string"),
        ({**GOOD, "labels": ["", "a", ["b"]]}, r"label 2 is \['b'\]"),
        ({**GOOD, "labels": ["", "a", "a"]}, r"labels 1 and 2 are both 'a' \(U\+0061\)"),
        ({**GOOD, "labels": ["", "\ud800"]}, "lone surrogate"),
        ({**GOOD, "labels": ["", "ab"], "unit": "codepoint"}, "more than one code point"),
        ({**GOOD, "unit": "word"}, "unit 'word' is not one of grapheme, codepoint"),
        ({**GOOD, "unit": ["grapheme"]}, "codec unit"),
        ({**GOOD, "normal_form": "nfc"}, "normal form 'nfc'"),
        ({**GOOD, "direction": None}, "direction None is not one of ltr, rtl"),
    ],
)
def test_a_strangers_file_is_refused_with_a_reason(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Codec.from_dict(values)
