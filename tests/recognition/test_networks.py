"""Real networks with random weights: a line reads alike alone and in any company."""

import numpy as np
import pytest

from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network
from ocrlstm.recognition import Recognizer
from ocrlstm.text import Codec

SPECS = [
    "[1,16,0,1 Lbx8 O1c]",
    "[1,16,0,1 Cr3,3,4 Mp2,2 S1(1x0)1,3 Lbx8 O1c]",
    "[1,16,0,1 Cr5,5,8,2,2 Cr3,3,9 Mp2,1 S1(1x0)1,3 Lbx8 Do0.5 O1c]",  # like the default
]


def make_recognizer(spec: str) -> Recognizer:
    codec = Codec(("", *"abcdef"))
    network = Network(spec, len(codec), np.random.default_rng(3))
    for weights in network.parameters().values():
        # Large weights make posteriors that are not all alike, so that something is read.
        weights *= 8
    return Recognizer(LineModel(network, codec, LineNormalizer(height=16)), batch_size=5)


def noise(rng: np.random.Generator, width: int) -> np.ndarray:
    image = np.full((40, width), 255, np.uint8)
    image[10:30] = rng.integers(0, 256, (20, width))
    return image


@pytest.mark.parametrize("spec", SPECS)
def test_alike_alone_and_in_any_company(spec):
    recognizer = make_recognizer(spec)
    rng = np.random.default_rng(5)
    images = [noise(rng, int(width)) for width in rng.integers(30, 400, 23)]
    alone = [recognizer.recognize(image) for image in images]
    assert any(line.text for line in alone)
    for threads in (1, 2):
        for one, other in zip(
            alone, recognizer.recognize_lines(images, threads=threads), strict=True
        ):
            assert other.text == one.text
            assert other.confidence == pytest.approx(one.confidence, abs=1e-5)
            for a, b in zip(one.characters, other.characters, strict=True):
                assert (a.x0, a.x1) == pytest.approx((b.x0, b.x1))
                assert a.confidence == pytest.approx(b.confidence, abs=1e-5)


def test_the_same_twice():
    recognizer = make_recognizer(SPECS[1])
    rng = np.random.default_rng(6)
    images = [noise(rng, 100 + 10 * n) for n in range(7)]
    assert list(recognizer.recognize_lines(images)) == list(recognizer.recognize_lines(images))


@pytest.mark.parametrize("spec", SPECS)
def test_the_narrowest_image(spec):
    line = make_recognizer(spec).recognize(np.zeros((1, 1), np.uint8))
    assert line.error is None
