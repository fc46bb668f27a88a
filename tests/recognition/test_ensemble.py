"""Models that vote: the text, the places, the confidences, errors, and who may vote with whom."""

from dataclasses import replace

import numpy as np
import pytest

from ocrlstm.errors import ImageError, ModelFileError
from ocrlstm.network import save_model
from ocrlstm.recognition import Ensemble, Recognizer, load_models, recognize
from ocrlstm.text import Codec


def test_one_voter_reads_as_it_does_alone(bar_model, bars):
    assert Ensemble([Recognizer(bar_model)]).recognize(bars(3)) == Recognizer(bar_model).recognize(
        bars(3)
    )


def test_the_majority_wins_and_is_less_sure(bar_model, bars):
    other = replace(bar_model, codec=Codec(("", " ", "l")))
    voters = [Recognizer(bar_model), Recognizer(other), Recognizer(bar_model)]
    line = Ensemble(voters).recognize(bars(3))
    alone = Recognizer(bar_model).recognize(bars(3))
    assert line.text == "iii"
    assert [c.confidence for c in line.characters] == pytest.approx([2 / 3] * 3)
    assert line.confidence == pytest.approx(2 / 3)
    assert [(c.x0, c.x1) for c in line.characters] == [(c.x0, c.x1) for c in alone.characters]
    assert line.source == "<array>"


def test_a_voter_that_is_known_to_be_too_sure_is_heard_less(bar_model, bars):
    """Alone against one other, the voter with the lower temperature wins, whichever it is."""
    other = replace(bar_model, codec=Codec(("", " ", "l")))
    doubtful = replace(bar_model, temperature=8.0), replace(other, temperature=8.0)
    for voters, text in (((doubtful[0], other), "l"), ((bar_model, doubtful[1]), "i")):
        ensemble = Ensemble([Recognizer(model) for model in voters])
        assert ensemble.recognize(bars(1)).text == text


def test_many_lines_in_order_with_errors_told(bar_model, bars, tmp_path):
    ensemble = Ensemble([Recognizer(bar_model), Recognizer(bar_model)])
    images = [bars(2), tmp_path / "no.png", bars(1), np.full((32, 90), 255, np.uint8)]
    for threads in (1, 2):
        lines = list(ensemble.recognize_lines(images, threads=threads))
        assert [line.text for line in lines] == ["ii", "", "i", ""]
        assert isinstance(lines[1].error, ImageError) and lines[1].confidence == 0
    with pytest.raises(ImageError, match=r"no\.png"):
        ensemble.recognize(tmp_path / "no.png")
    with pytest.raises(ValueError, match="threads"):
        list(ensemble.recognize_lines(images, threads=0))


def test_characters_do_not_overlap(bar_model, bars):
    """The second voter sees the line twice as wide, so its edges differ by parts of pixels."""
    wide = replace(bar_model, normalizer=replace(bar_model.normalizer, padding=3))
    line = Ensemble([Recognizer(bar_model), Recognizer(wide)]).recognize(bars(6))
    edges = [x for character in line.characters for x in (character.x0, character.x1)]
    assert line.text == "iiiiii" and edges == sorted(edges)


def test_right_to_left_texts_come_out_in_logical_order(bar_model, bars):
    hebrew = replace(bar_model, codec=Codec(("", "1", "א"), direction="rtl"))
    (weights,) = bar_model.network.parameters().values()
    weights[1, 0] = -99.0
    line = Ensemble([Recognizer(hebrew), Recognizer(hebrew)]).recognize(bars(2))
    assert line.text == Recognizer(hebrew).recognize(bars(2)).text == "אא"


def test_only_models_of_one_kind_of_text_vote(bar_model, bar_model_file, tmp_path):
    other = replace(bar_model, codec=replace(bar_model.codec, normal_form="NFD"))
    with pytest.raises(ValueError, match="one normal form, not NFC and NFD"):
        Ensemble([Recognizer(bar_model), Recognizer(other)])
    with pytest.raises(ValueError, match="needs a recognizer"):
        Ensemble([])
    path = tmp_path / "nfd.safetensors"
    save_model(other, path)
    with pytest.raises(ModelFileError, match=r"bars\.safetensors, .*nfd\.safetensors: models"):
        load_models([bar_model_file, path])


def test_load_models(bar_model_file, bars):
    assert isinstance(load_models([bar_model_file]), Recognizer)
    assert isinstance(load_models([]), Recognizer)
    ensemble = load_models([bar_model_file, bar_model_file], batch_size=3)
    assert isinstance(ensemble, Ensemble)
    assert [recognizer.batch_size for recognizer in ensemble.recognizers] == [3, 3]
    assert recognize(bars(2), ensemble).text == "ii"
