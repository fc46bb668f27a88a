"""The temperature that training and `calibrate` put into a model."""

import dataclasses

import numpy as np
import pytest

from ocrlstm.datasets import Sample
from ocrlstm.decoding import temper
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network
from ocrlstm.recognition import Recognizer
from ocrlstm.text import Codec
from ocrlstm.training import calibrate


@pytest.fixture
def model() -> LineModel:
    """Ink in the upper half of a column speaks for "i", in the lower half for "j"."""
    network = Network("[1,16,0,1 O1c]", classes=3)
    (weights,) = network.parameters().values()
    weights[:] = 0
    weights[0, 0] = 0.1
    weights[1, 1:9] = weights[2, 9:] = 1.0
    normalizer = LineNormalizer(kind="scale", height=16, padding=0)
    return LineModel(network, Codec(("", "i", "j")), normalizer, {"note": "by hand"})


def draw_samples(lines: int, temperature: float, marks: int = 10) -> list[Sample]:
    """Lines of marks that are what the model thinks as often as it thinks at a temperature."""
    rng = np.random.default_rng(1)
    samples = []
    for number in range(lines):
        pixels = np.zeros((16, 3 * marks), np.uint8)
        text = ""
        for column in range(1, 3 * marks, 3):
            upper, lower = rng.choice([[8, 7], [8, 6], [8, 4], [7, 8], [6, 8], [0, 8]])
            pixels[:upper, column] = pixels[8 : 8 + lower, column] = 255
            sure = 1 / (1 + np.exp((lower - upper) / temperature))
            text += "i" if rng.random() < sure else "j"
        samples.append(Sample(f"{number}.png", pixels, text))
    return samples


@pytest.mark.parametrize("temperature", [1.0, 2.0])
def test_confidences_come_true(model, temperature):
    # One mark a line, or an alignment of many wrong ones would find some of them right.
    samples = draw_samples(2500, temperature, marks=1)
    found = calibrate(model, samples[:2000])
    # A little less than 2: the blank takes its part, and 1 is what is expected beforehand.
    assert found.model.temperature == pytest.approx(temperature, rel=0.2)
    assert found.after.ece_equal_width < 0.03
    assert found.after.characters == found.before.characters == 2000
    assert (found.before.ece_equal_width > 0.07) == (temperature == 2.0)
    on_others = calibrate(found.model, samples[2000:])
    assert on_others.before.ece_equal_width < 0.06


def test_what_the_model_keeps(model):
    found = calibrate(model, draw_samples(5, 2.0))
    facts = found.model.metadata["calibration"]
    assert facts["lines"] == found.lines == 5 and facts["characters"] == 50
    assert facts["wrong"] == round((1 - found.before.accuracy) * 50)
    assert found.model.metadata["note"] == "by hand"
    assert (found.model.network, found.model.codec) == (model.network, model.codec)
    assert model.temperature == 1.0 and "calibration" not in model.metadata


def test_before_is_with_the_temperature_that_it_had(model):
    samples = draw_samples(50, 2.0)
    first = calibrate(model, samples)
    second = calibrate(first.model, samples)
    assert second.model.temperature == first.model.temperature
    assert second.before.confidence == pytest.approx(first.after.confidence, abs=1e-3)
    assert second.after == first.after


def test_after_is_what_recognition_gives(model):
    samples = draw_samples(20, 2.0)
    found = calibrate(model, samples)
    x = np.stack([sample.pixels / 255 for sample in samples])[..., None].astype(np.float32)
    posteriors, _ = model.network.forward(x, np.full(20, 30))
    tempered = np.exp(temper(posteriors, found.model.temperature)).transpose(1, 0, 2)
    marks = tempered[:, 1::3].max(axis=2)
    assert found.after.confidence == pytest.approx(marks.mean(), abs=1e-3)


def test_a_few_of_many_lines(model):
    samples = draw_samples(50, 1.0)
    seen = []
    found = calibrate(model, samples, most_lines=7, progress=lambda *step: seen.append(step))
    assert found.lines == 7 and seen == [(n, 7) for n in range(1, 8)]


def test_characters_that_the_model_lacks_are_wrong(model):
    sample = dataclasses.replace(draw_samples(1, 1.0)[0], text="öx")
    found = calibrate(model, [sample])
    assert found.before.accuracy == 0


def test_no_lines(model):
    with pytest.raises(ValueError, match="found none"):
        calibrate(model, [])


def test_training_calibrates_on_the_lines_held_back(train_tiny, tiny, pairs_folder):
    config = dataclasses.replace(tiny, epochs=25, validation_share=0.5, average=0.5, augment=0.0)
    result = train_tiny(config=config)
    facts = result.model.metadata["calibration"]
    assert facts["lines"] == len(result.validation) == 6
    assert facts["characters"] > 0
    assert result.model.temperature == calibrate(result.model, result.validation).model.temperature
    line = Recognizer(result.model).recognize(pairs_folder / "1.png")
    raw = dataclasses.replace(result.model, temperature=1.0)
    assert Recognizer(raw).recognize(pairs_folder / "1.png").text == line.text


def test_no_calibration_on_lines_that_were_learnt(train_tiny, tiny):
    result = train_tiny(config=dataclasses.replace(tiny, validation_share=0.0))
    assert result.model.metadata["validation_is_training"]
    assert result.model.temperature == 1.0 and "calibration" not in result.model.metadata
