"""A model made by hand, whose reading can be foretold: each black bar of an image is an "i"."""

import numpy as np
import pytest

from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, save_model
from ocrlstm.text import Codec


def make_bar_model(blank: float = 4.0) -> LineModel:
    """One softmax over the rows of a column, each column a frame.

    Logits are `blank` for the blank, -99 for the space and the ink of the column for "i", so a bar
    of 28 rows is an "i" with posterior 1 - exp(blank - 28) and paper is not.
    """
    network = Network("[1,32,0,1 O1c]", classes=3)
    (weights,) = network.parameters().values()
    weights[0, 0] = blank
    weights[1, 0] = -99.0
    weights[2, 1:] = 1.0
    normalizer = LineNormalizer(kind="scale", height=32, padding=16)
    return LineModel(network, Codec(("", " ", "i")), normalizer, {"note": "made by hand"})


def make_bars(count: int, step: int = 24, height: int = 32) -> np.ndarray:
    """White image with black bars, 8 columns wide, the first at column 8."""
    image = np.full((height, 16 + step * count), 255, np.uint8)
    for n in range(count):
        image[2:-2, 8 + step * n : 16 + step * n] = 0
    return image


@pytest.fixture
def bar_model() -> LineModel:
    return make_bar_model()


@pytest.fixture
def sure_bar_model() -> LineModel:
    """Paper is an "i" with a posterior of exp(-14), so that no sum over paths makes it one."""
    return make_bar_model(14.0)


@pytest.fixture
def bars():
    return make_bars


@pytest.fixture
def bar_model_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "bars.safetensors"
    save_model(make_bar_model(), path)
    return path


@pytest.fixture
def sure_bar_model_file(tmp_path_factory, sure_bar_model):
    path = tmp_path_factory.mktemp("model") / "bars.safetensors"
    save_model(sure_bar_model, path)
    return path
