"""Tiny lines that are drawn, not rendered, and a network that learns them in no time."""

import itertools
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.training import TrainingConfig, train

# Dropout and distortions are on, so that every source of randomness has its part.
TINY = TrainingConfig(
    spec="[1,16,0,1 Lbx4 Do0.2 O1c]", normalizer="scale", batch_size=4, epochs=2, clip=1.0
)

ROWS = {"i": slice(2, 14), "-": slice(7, 9), "'": slice(2, 5)}


def draw_line(text: str) -> np.ndarray:
    """White paper with one black mark of 4 columns for each sign, 8 columns apart."""
    image = np.full((16, 16 + 8 * len(text)), 255, np.uint8)
    for place, sign in enumerate(text):
        image[ROWS[sign], 8 + 8 * place : 12 + 8 * place] = 0
    return image


def draw_texts(count: int) -> list[str]:
    rng = np.random.default_rng(7)
    return ["".join(rng.choice(list(ROWS), 3 + n % 4)) for n in range(count)]


@pytest.fixture
def tiny() -> TrainingConfig:
    return TINY


@pytest.fixture
def memory_pairs():
    """So many (image, text) tuples."""
    return lambda count: [(draw_line(text), text) for text in draw_texts(count)]


@pytest.fixture
def draw_pairs():
    """So many (image, text) tuples of some signs."""

    def draw(signs: str, count: int, seed: int) -> list[tuple[np.ndarray, str]]:
        rng = np.random.default_rng(seed)
        texts = ["".join(rng.choice(list(signs), 3 + n % 4)) for n in range(count)]
        return [(draw_line(text), text) for text in texts]

    return draw


@pytest.fixture
def write_pairs():
    """Write so many NAME.png and NAME.gt.txt into a folder."""

    def write(folder: Path, count: int) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        for number, text in enumerate(draw_texts(count)):
            Image.fromarray(draw_line(text)).save(folder / f"{number}.png")
            (folder / f"{number}.gt.txt").write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture
def pairs_folder(write_pairs, tmp_path) -> Path:
    """Twelve pairs: one is held back, the others make three steps an epoch."""
    return write_pairs(tmp_path / "pairs", 12)


@pytest.fixture
def train_tiny(pairs_folder, tmp_path):
    """Train on the twelve pairs into NAME.safetensors; gives the result."""

    def run(name: str = "model", config: TrainingConfig = TINY, **more):
        return train(pairs_folder, config, tmp_path / f"{name}.safetensors", **more)

    return run


@pytest.fixture(autouse=True)
def own_threads():
    """Resuming sets the thread count of the whole process."""
    yield
    set_thread_count(None)


@pytest.fixture
def slow_clock(monkeypatch):
    """A second goes by whenever somebody looks at the clock."""
    seconds = itertools.count(100.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(seconds))
