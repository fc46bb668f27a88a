"""Language models from texts: alphabet, spelling, directions, limits, what is measured."""

import numpy as np
import pytest

from ocrlstm.decoding.language import LanguageModel, build_language_model, stream
from ocrlstm.errors import LanguageModelError
from ocrlstm.text import TextRules

LINES = ["the cat sat on the mat", "a cat and a rat", "the rat ate the hat"] * 20


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return build_language_model(LINES, order=4)


def total(model, context):
    return sum(model.probability(context, c) for c in [*model.alphabet.codec.labels[1:], "?"])


@pytest.mark.parametrize("context", ["", " ", "th", "the c", "xyz", "?", "t?", "eeee", "a ca"])
def test_probabilities_sum_to_one(model, context):
    # They are kept in steps of 1/2048 nat.
    assert total(model, context) == pytest.approx(1, abs=5e-4)


def test_what_was_seen_is_likelier(model):
    assert model.probability("th", "e") > 0.5
    assert 0 < model.probability("th", "?") < 0.01
    assert model.score("the cat").mean() > model.score("eht tac").mean()
    assert len(model.score("the cat")) == 8


def test_line_breaks_do_not_matter():
    joined = build_language_model([" ".join(LINES)], order=4)
    split = build_language_model(LINES, order=4)
    for one, other in zip(joined.tables, split.tables, strict=True):
        np.testing.assert_array_equal(one, other)


def test_blocks_do_not_matter(model, monkeypatch):
    monkeypatch.setattr(stream, "_BLOCK", 50)
    for one, other in zip(build_language_model(LINES, order=4).tables, model.tables, strict=True):
        np.testing.assert_array_equal(one, other)


def test_spelling_follows_the_settings():
    model = build_language_model(
        ["a\u0308 Waſſer"] * 3, order=2, normal_form="NFC", rules=TextRules(("long_s",))
    )
    assert set(model.alphabet.codec.labels) == {"", " ", *"äWaser"}
    assert model.score("Wa\u017f\u017fer").tolist() == model.score("Wasser").tolist()
    by_code_points = build_language_model(["a\u0364b"] * 3, order=2, unit="codepoint")
    assert "\u0364" in by_code_points.alphabet.codec.labels
    assert "a\u0364" in build_language_model(["a\u0364b"] * 3, order=2).alphabet.codec.labels


def test_right_to_left_texts_are_learnt_as_the_image_shows_them():
    model = build_language_model(["שלום 12 אב"] * 3, order=3, direction="rtl")
    # From left to right: the last letter of a word first, the number as it stands.
    assert model.probability("12", " ") > 0.5
    assert model.probability("1", "2") > 0.5
    assert model.probability("ם", "ו") > 3 * model.probability("ו", "ם")


def test_the_mean_is_that_of_text_left_out():
    rng = np.random.default_rng(0)
    noise = ["".join(rng.choice(list("abcd"), 60)) for _ in range(300)]
    model = build_language_model(noise, order=5)
    # Nothing can be foretold of noise but where its lines end; by heart it is known better.
    assert model.mean == pytest.approx(np.log(1 / 4), abs=0.1)
    assert np.concatenate([model.score(line) for line in noise]).mean() > model.mean + 0.02
    assert model.metadata["tested"] > 500


def test_the_rarest_characters_are_dropped_where_there_are_too_many():
    letters = [chr(0x4E00 + i) for i in range(80)]
    model = build_language_model(["".join(letters), "".join(letters[5:])], order=10)
    # Six bits for each of ten symbols: 64, of them one the unknown and one the space.
    assert len(model.alphabet) == 64
    assert model.metadata["dropped"] == sorted(letters[:5] + letters[-13:])
    assert model.alphabet.symbol(letters[0]) == 0
    assert total(model, letters[7]) == pytest.approx(1, abs=5e-4)


@pytest.mark.parametrize("lines", [[], [""], ["abc"]])
def test_too_little_text(lines):
    with pytest.raises(LanguageModelError, match="too few for n-grams of 6"):
        build_language_model(lines)


@pytest.mark.parametrize("settings", [{"order": 0}, {"order": 11}, {"prune": -1}])
def test_wrong_settings(settings):
    with pytest.raises(ValueError, match="order|prune"):
        build_language_model(LINES, **settings)


def test_a_single_symbol_model():
    model = build_language_model(LINES, order=1)
    assert model.level_sizes == [len(model.alphabet)]
    assert total(model, "the") == pytest.approx(1, abs=5e-4)


def test_progress_reaches_its_end():
    steps = []
    build_language_model(LINES, order=3, progress=lambda done, count: steps.append((done, count)))
    assert steps[-1] == (4, 4)
    assert steps == sorted(steps)
