"""Weights of a language model, tuned on lines where it helps and where it harms."""

import numpy as np
import pytest

from ocrlstm.datasets import MemoryPair
from ocrlstm.decoding.language import Weights, build_language_model
from ocrlstm.document import Line
from ocrlstm.errors import DatasetError, ImageError
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network
from ocrlstm.recognition import Recognizer, tune_weights
from ocrlstm.recognition.tuning import _ALPHAS, _BETAS, _choose
from ocrlstm.text import Codec


class Doubtful(Recognizer):
    """Reads each bar as an "i", and as an "l" with a posterior that is 1.5 nats less."""

    def read_chunk(self, images, threads, keep):
        return [self.read(image, keep) for image in images]

    def read(self, pair, keep):
        if pair.name == "bad":
            return keep(Line("", 0.0, error=ImageError("bad: no image")), np.zeros((0, 4)))
        frame = np.array([1e-6, 1e-6, 1, np.exp(-1.5)])
        blank = np.array([1, 1e-6, 1e-6, 1e-6])
        table = np.array([frame, blank] * len(pair.text))
        return keep(Line("", 1.0), np.log(table / table.sum(axis=1, keepdims=True)))


@pytest.fixture
def recognizer():
    network = Network("[1,32,0,1 O1c]", classes=4)
    normalizer = LineNormalizer(kind="scale", height=32, padding=16)
    return Doubtful(LineModel(network, Codec(("", " ", "i", "l")), normalizer))


def pairs_of(texts):
    return [MemoryPair(b"", text, f"line {n}") for n, text in enumerate(texts)]


# After an "i" always comes an "l" and after an "l" an "i".
MODEL = build_language_model(["ilil", "il", "ililil", "ilililil"] * 50, order=3)


def test_a_model_that_helps_gets_weight(recognizer):
    tuning = tune_weights(recognizer, MODEL, pairs_of(["ilil", "il", "ilil"] * 4))
    assert (tuning.lines, tuning.characters, tuning.greedy) == (12, 40, 20)
    assert tuning.weights.alpha > 0.3
    assert tuning.after == 0


def test_a_model_that_harms_gets_little(recognizer):
    tuning = tune_weights(recognizer, MODEL, pairs_of(["iiii", "ii", "iiii"] * 4))
    assert tuning.greedy == tuning.after == 0
    assert tuning.weights.alpha < 0.3
    assert tuning.weights.words == Weights.words


def test_the_weight_of_a_word_list(recognizer):
    # Only the list knows how the words end.
    model = build_language_model(["il li ll ii"] * 50, order=1)
    pairs = pairs_of(["ill", "ill"] * 10)
    alone = tune_weights(recognizer, model, pairs)
    listed = tune_weights(recognizer, model, pairs, words=["ill"])
    assert listed.after == 0 < alone.after
    assert listed.weights.words > 0.5


def test_lines_of_no_use_are_told(recognizer):
    problems = []
    pairs = [*pairs_of(["il"]), MemoryPair(b"", "il", "bad")]
    tuning = tune_weights(recognizer, MODEL, pairs, problem=problems.append)
    assert tuning.lines == 1
    assert len(problems) == 1
    with pytest.raises(DatasetError, match="none of 1 lines can be used for tuning; the first"):
        tune_weights(recognizer, MODEL, pairs[1:])
    with pytest.raises(DatasetError, match="none of 0 lines"):
        tune_weights(recognizer, MODEL, [])


def test_progress_reaches_its_end(recognizer):
    steps = []
    tune_weights(recognizer, MODEL, pairs_of(["il"]), words=["il"],
                 progress=lambda done, total: steps.append((done, total)))  # fmt: skip
    assert [done for done, _ in steps] == list(range(1, steps[-1][1] + 1))


def test_threads_do_not_matter(recognizer):
    pairs = pairs_of(["ilil", "il", "iil"] * 3)
    assert tune_weights(recognizer, MODEL, pairs, threads=1) == tune_weights(
        recognizer, MODEL, pairs, threads=2
    )


def chosen(table):
    alpha, beta = divmod(_choose(table), len(_BETAS))
    return _ALPHAS[alpha], _BETAS[beta]


def test_without_a_difference_the_defaults_stay():
    table = np.full((len(_ALPHAS), len(_BETAS)), 100)
    assert chosen(table) == (Weights.alpha, Weights.beta)


def test_one_lucky_setting_is_not_believed():
    table = np.full((len(_ALPHAS), len(_BETAS)), 100)
    table[8, 0] = 95
    assert chosen(table) == (Weights.alpha, Weights.beta)


def test_many_errors_speak():
    alphas, betas = np.meshgrid(_ALPHAS, _BETAS, indexing="ij")
    table = (1000 + 400 * (alphas - 0.8) ** 2 + 100 * (betas - 1) ** 2).astype(int)
    assert chosen(table) == (0.8, 1.0)
