"""The networks that are timed, the lines they are given, and what is done with them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ocrlstm.kernels.memory import reuse_memory
from ocrlstm.layers import Layer
from ocrlstm.losses import LOSSES
from ocrlstm.network import Network
from ocrlstm.optimizers import OPTIMIZERS
from ocrlstm.training import DEFAULT_SPEC

CLASSES = 100
TRAINING, INFERENCE = "training", "inference"
LEARNING_RATE = 1e-4
PEEPHOLES = ("WIP", "WFP", "WOP")


@dataclass(frozen=True)
class Subject:
    """A network and the width of its lines in columns."""

    name: str
    spec: str
    width: int


DEFAULT = Subject("default net, 40x900", DEFAULT_SPEC, 900)
OCROPUS = Subject("OCRopus net, 48x600", "[1,48,0,1 Lbx100 O1c]", 600)
CALAMARI = Subject(
    "Calamari net, 48x600",
    "[1,48,0,1 Cr3,3,40 Mp2,2 Cr3,3,60 Mp2,2 S1(1x0)1,3 Lbx200 O1c]",
    600,
)
KRAKEN = Subject(
    "kraken net, 120x1200",
    "[1,120,0,1 Cr3,13,32 Do0.1,2 Mp2,2 Cr3,13,32 Do0.1,2 Mp2,2 Cr3,9,64 Do0.1,2 Mp2,2 "
    "Cr3,9,64 Do0.1,2 S1(1x0)1,3 Lbx200 Do0.1,2 Lbx200 Do0.1,2 Lbx200 Do O1c]",
    1200,
)
SUBJECTS = {"ocropus": OCROPUS, "calamari": CALAMARI, "kraken": KRAKEN, "default": DEFAULT}


@dataclass(frozen=True)
class Batch:
    """Lines of one width: images (N, H, W, 1), columns (N,), and labels of each."""

    x: np.ndarray
    widths: np.ndarray
    targets: list[np.ndarray]

    def __len__(self) -> int:
        return len(self.x)


def draw_batch(
    height: int, width: int, lines: int, classes: int = CLASSES, labels: int = 60
) -> Batch:
    """Return lines of random pixels and labels."""
    rng = np.random.default_rng(0)
    x = rng.random((lines, height, width, 1), dtype=np.float32)
    targets = [rng.integers(1, classes, labels) for _ in range(lines)]
    return Batch(x, np.full(lines, width), targets)


def build(spec: str, classes: int = CLASSES) -> Network:
    """Return a network with random weights; `classes` are for a spec that does not tell them."""
    reuse_memory()  # as training does; what runs in this process besides gains by it too
    told = spec.rstrip("] ")[-1:].isdigit()
    return Network(spec, None if told else classes, np.random.default_rng(0))


def actions(network: Network, batch: Batch) -> dict[str, Callable[[], object]]:
    """Return a training step (forward, CTC, backward, Adam) and inference."""
    optimizer = OPTIMIZERS["adam"]()

    def train() -> None:
        posteriors, frames = network.forward(batch.x, batch.widths, training=True)
        _, gradient = LOSSES["ctc"](posteriors, frames, batch.targets)
        gradient /= len(batch)
        network.backward(gradient)
        optimizer.update(network.parameters(), network.gradients(), LEARNING_RATE)

    return {TRAINING: train, INFERENCE: lambda: network.forward(batch.x, batch.widths)}


def multiply_adds(network: Network, width: int) -> dict[str, int]:
    """Return the multiply-adds of a line of some columns, by the layers' names.

    Of the forward pass. Layers without products, and joins, are left out.
    """
    plan = network.plan
    columns = plan.series.lengths(np.array([width]))
    counts = {}
    for i, (name, piece) in enumerate(network.layers.items()):
        if isinstance(piece, Layer):
            (source,) = plan.series.sources[i]
            products = piece.products(plan.shapes[source]) * int(columns[i + 1][0])
            if products:
                counts[name] = products
    return counts


def operations(network: Network, width: int, work: str) -> int:
    """Return the additions and multiplications that a line needs in matrix products.

    Training needs three times those of inference (the outputs, the gradients of weights and of
    inputs), without the input gradient of the first layer.
    """
    counts = list(multiply_adds(network, width).values())
    forward = sum(counts)
    return 2 * (forward if work == INFERENCE else 3 * forward - counts[0])


def weight_count(network: Network) -> tuple[int, int]:
    """Return the numbers of weights but peepholes, and of peepholes."""
    sizes = {name: array.size for name, array in network.parameters().items()}
    peepholes = sum(size for name, size in sizes.items() if name.endswith(PEEPHOLES))
    return sum(sizes.values()) - peepholes, peepholes
