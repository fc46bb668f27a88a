"""Text rules in training: applied to all texts, kept in the model and over a resume."""

from dataclasses import replace

import pytest

from ocrlstm.errors import TrainingError
from ocrlstm.network import load_model_file
from ocrlstm.text import TextRules
from ocrlstm.training import TrainingConfig, resume, train, tuning_config

RULES = {"text_rules": ("quotes",), "text_table": (("I", "i"),)}


@pytest.fixture
def unruly(memory_pairs):
    """Lines of i, - and ', the same signs typed in several ways."""
    pairs = memory_pairs(12)
    spelt = [("'", "’"), ("i", "I"), ("", "")]
    return [(image, text.replace(*spelt[n % 3])) for n, (image, text) in enumerate(pairs)]


def test_there_and_back():
    config = TrainingConfig(text_rules=["modern", "long_s"], text_table=[["ä", "ae"]])
    assert config.rules == TextRules(("modern",), (("ä", "ae"),))
    assert config.to_dict()["text_table"] == [["ä", "ae"]]
    assert TrainingConfig.from_dict(config.to_dict()) == config
    assert replace(config, text_rules=("long_s", "modern")) == config
    assert TrainingConfig().rules == TextRules()


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"text_rules": "modern"}, "text_rules is of no use: names of text rules are a str"),
        ({"text_rules": ["magic"]}, "text_rules is of no use: text rule 'magic' is not one of"),
        ({"text_rules": None}, "text_rules is of no use: names of text rules are a NoneType"),
        ({"text_table": "my.tsv"}, "text_table is of no use: text table is a str, not a list"),
        ({"text_table": [["a", "b"], ["b", "c"]]}, "text_table is of no use: entry 1 of the text"),
    ],
)
def test_refused(values, told):
    with pytest.raises(TrainingError) as error:
        TrainingConfig(**values)
    assert str(error.value).startswith(told)


def test_they_make_the_codec_and_stay_in_the_model(tiny, unruly, memory_pairs, tmp_path):
    path = tmp_path / "ruled.safetensors"
    ruled = train(unruly, replace(tiny, **RULES), path).model
    assert ruled.codec.labels == ("", "'", "-", "i")
    assert ruled.rules == load_model_file(path).rules == TextRules(("quotes",), (("I", "i"),))
    # Learnt as if the lines had been typed so from the start, validation lines too.
    plain = train(memory_pairs(12), tiny).model
    for name, weights in plain.network.arrays().items():
        assert (weights == ruled.network.arrays()[name]).all()
    assert plain.metadata["history"] == ruled.metadata["history"]
    assert plain.rules == TextRules()
    assert train(unruly, tiny).model.codec.labels == ("", "'", "-", "I", "i", "’")


def test_a_resumed_run_keeps_them(tiny, unruly, tmp_path):
    config = replace(tiny, **RULES)
    whole, halves = tmp_path / "whole.safetensors", tmp_path / "halves.safetensors"
    train(unruly, config, whole)
    steps = iter([False, False, True])
    train(unruly, config, halves, should_stop=lambda: next(steps))
    resume(halves.with_suffix(".ckpt"), pairs=unruly)
    assert halves.read_bytes() == whole.read_bytes()


def test_fine_tuning_takes_those_of_the_model(tiny, unruly):
    model = train(unruly, replace(tiny, **RULES)).model
    assert tuning_config(model).rules == model.rules
    with pytest.raises(TrainingError, match="text_rules is .*, but the model to begin with has"):
        tuning_config(model, text_rules=("modern",))
    tuned = train(unruly, tuning_config(model, epochs=1, batch_size=4), start=model).model
    assert tuned.rules == model.rules
    assert tuned.codec == model.codec


def test_a_line_of_which_the_rules_leave_nothing_is_left_out(tiny, memory_pairs):
    pairs = [*memory_pairs(12), (memory_pairs(1)[0][0], "¶")]
    result = train(pairs, replace(tiny, text_table=(("¶", ""),)))
    (problem,) = result.problems
    assert "the text is empty" in str(problem)
