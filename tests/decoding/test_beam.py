"""The beam decoder: texts, frames, n-best lists, language model and word list at work."""

import numpy as np
import pytest

from ocrlstm.decoding import DECODERS, BeamDecoder, BeamSearch, greedy
from ocrlstm.decoding.language import Weights, build_language_model
from ocrlstm.errors import LanguageModelError
from ocrlstm.text import Codec

CODEC = Codec.from_texts(["the cat hbe"])
LINES = ["the cat", "the bat", "cab the"] * 50
MODEL = build_language_model(LINES, order=4)


def frames_of(text, rivals=(), codec=CODEC, sure=0.9):
    """Log posteriors with each character in one frame and a blank frame after each.

    `rivals` are (place, character, posterior): what takes the rest of a character's frame.
    """
    labels = codec.encode(text).tolist()
    table = np.full((2 * len(labels), len(codec)), 1e-6)
    table[1::2, 0] = 1
    for place, label in enumerate(labels):
        table[2 * place, label] = sure
    for place, character, posterior in rivals:
        table[2 * place, codec.encode("a" + character + "a")[1]] = posterior
    return np.log(table / table.sum(axis=1, keepdims=True)).astype(np.float32)


def read(decoder, posteriors, codec=CODEC):
    return codec.decode([symbol.label for symbol in decoder(posteriors)])


def test_sure_lines_are_read_as_greedily():
    posteriors = frames_of("the cat", sure=0.99)
    assert DECODERS["beam"](posteriors) == greedy(posteriors)


def test_it_sums_over_paths_where_greedy_does_not():
    # The best path is two blanks, 0.36; "a" has 0.6 in each frame and 1 - 0.36 in all.
    posteriors = np.log(np.array([[0.6, 0.4], [0.6, 0.4]]))
    assert greedy(posteriors) == []
    (symbol,) = DECODERS["beam"](posteriors)
    assert symbol.label == 1
    assert symbol.confidence == pytest.approx(0.4)


def test_a_language_model_settles_what_the_network_leaves_open():
    posteriors = frames_of("tbe cat", [(1, "h", 0.4)], sure=0.6)
    assert read(greedy, posteriors) == "tbe cat"
    assert read(BeamSearch().bind(CODEC), posteriors) == "tbe cat"
    decoder = BeamSearch(language_model=MODEL).bind(CODEC)
    assert read(decoder, posteriors) == "the cat"
    symbols = decoder(posteriors)
    assert [(s.start, s.end) for s in symbols] == [(2 * n, 2 * n + 1) for n in range(7)]
    assert symbols[1].confidence == pytest.approx(0.4, abs=0.01)


def test_what_the_network_is_sure_of_stays():
    posteriors = frames_of("tbe cat", [(1, "h", 1e-4)], sure=0.999)
    assert read(BeamSearch(language_model=MODEL).bind(CODEC), posteriors) == "tbe cat"


def test_weights_of_the_model_and_of_the_search():
    posteriors = frames_of("tbe cat", [(1, "h", 0.1)])
    strong = BeamSearch(language_model=MODEL, weights=Weights(alpha=2.0))
    assert read(strong.bind(CODEC), posteriors) == "the cat"
    none = BeamSearch(language_model=MODEL, weights=Weights(alpha=0.0, beta=0.0))
    assert read(none.bind(CODEC), posteriors) == "tbe cat"


def test_a_word_list_alone():
    posteriors = frames_of("cat the", [(0, "h", 0.45)], sure=0.55)
    words = BeamSearch(words=["hat", "the"], weights=Weights(beta=0.0, words=1.0))
    assert read(words.bind(CODEC), posteriors) == "hat the"
    assert read(BeamSearch().bind(CODEC), posteriors) == "cat the"


def test_hypotheses_are_ranked_and_are_what_they_say():
    posteriors = frames_of("tbe cat", [(1, "h", 0.4), (4, "b", 0.2)], sure=0.5)
    decoder = BeamSearch().bind(CODEC)
    found = decoder.hypotheses(posteriors, 4)
    texts = [CODEC.decode(hypothesis.labels) for hypothesis in found]
    assert texts == ["tbe cat", "the cat", "tbe bat", "the bat"]
    scores = [hypothesis.score for hypothesis in found]
    assert scores == sorted(scores, reverse=True)
    assert scores[1] - scores[0] == pytest.approx(np.log(0.4 / 0.5), abs=1e-3)
    assert len(BeamSearch(width=3).bind(CODEC).hypotheses(posteriors, 10)) == 3


def test_no_frames():
    assert DECODERS["beam"](np.zeros((0, 3), np.float32)) == []
    assert BeamSearch(language_model=MODEL).bind(CODEC)(np.zeros((0, len(CODEC)))) == []


def test_a_view_of_a_batch_is_read_like_a_line():
    batch = np.stack([frames_of("the cat"), frames_of("the bat")], axis=1)
    assert read(BeamSearch(language_model=MODEL).bind(CODEC), batch[:, 1]) == "the bat"


def test_letters_that_the_language_model_lacks_are_told_and_read():
    codec = Codec.from_texts(["the cat hbeöx"])
    decoder = BeamSearch(language_model=MODEL).bind(codec)
    assert decoder.notes == (
        "the language model does not know 'x' (U+0078), 'ö' (U+00F6); these are read without it",
    )
    assert read(decoder, frames_of("tböx", codec=codec), codec) == "tböx"


def test_signs_that_the_language_model_lacks_are_not_worth_a_word():
    codec = Codec.from_texts(["the cat hbe§1"])
    assert BeamSearch(language_model=MODEL).bind(codec).notes == ()


@pytest.mark.parametrize(
    ("text", "direction", "message"),
    [
        ("кот и пёс", "ltr", "knows only 0 of the 7 letters of the line model; it lacks 'и'"),
        ("abcdefghijklmnop", "ltr", "knows only 5 of the 16 letters"),
        ("the", "ltr", r"only \d+ % of the letters in the texts of the language model"),
        ("the cat", "rtl", "is of ltr texts, the line model of rtl ones"),
    ],
)
def test_a_language_model_of_another_alphabet_is_refused(text, direction, message):
    with pytest.raises(LanguageModelError, match=message):
        BeamSearch(language_model=MODEL).bind(Codec.from_texts([text], direction=direction))


def test_a_language_model_in_another_normal_form_serves():
    model = build_language_model(["käse"] * 20, order=3)
    codec = Codec.from_texts(["käse"], normal_form="NFD")
    assert BeamSearch(language_model=model).bind(codec).notes == ()


def test_words_with_unknown_letters_are_told():
    decoder = BeamSearch(words=["the", "zoo"]).bind(CODEC)
    assert decoder.notes == (
        "1 of 2 words on the list are left out: they have characters that the line model lacks",
    )


def test_right_to_left_lines():
    codec = Codec.from_texts(["שלום עולם"], direction="rtl")
    model = build_language_model(["שלום עולם"] * 50, order=4, direction="rtl")
    posteriors = frames_of("שלום עולם", codec=codec)
    labels = codec.encode("שלום עולם").tolist()
    (right,), (wrong,) = codec.encode("ו"), codec.encode("ע")
    frame = 2 * labels.index(right)
    posteriors[frame, wrong] = posteriors[frame, right] + 0.1
    assert read(greedy, posteriors, codec) != "שלום עולם"
    assert read(BeamSearch(language_model=model).bind(codec), posteriors, codec) == "שלום עולם"


@pytest.mark.parametrize("width", [0, 501])
def test_wrong_width(width):
    with pytest.raises(ValueError, match="1 to 500"):
        BeamSearch(width=width)


def test_a_codec_is_needed_for_texts():
    with pytest.raises(ValueError, match="needs the codec"):
        BeamDecoder(BeamSearch(words=["a"]))
