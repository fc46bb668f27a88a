"""Section ``profile``: where the time goes, by layer and by stage."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from measuring import subjects, turns
from measuring.machine import threads
from measuring.options import Options
from measuring.spread import Spread, number, spread
from measuring.subjects import LEARNING_RATE
from measuring.tables import note, print_table
from ocrlstm import load_model
from ocrlstm.datasets import find_images
from ocrlstm.decoding import DECODERS
from ocrlstm.image import read_image
from ocrlstm.lines import augment, normalize_line, stack_lines
from ocrlstm.losses import LOSSES
from ocrlstm.network import Network
from ocrlstm.optimizers import OPTIMIZERS
from ocrlstm.recognition.batches import group_by_width
from ocrlstm.recognition.reading import read_line

LINES = 8
INFERENCE, FORWARD, BACKWARD = "inference", "forward", "backward"
WHOLE, LOSS, OPTIMIZER, REST = "all", "CTC", "Adam", "rest"

# Milliseconds a line by phase and the name of a layer or stage, one value a repeat.
Clock = dict[tuple[str, str], list[float]]


def run(options: Options) -> dict[str, Any]:
    return {"layers": profile_layers(options), "stages": profile_stages(options)}


def profile_layers(options: Options) -> dict[str, Any]:
    """Print how long every layer takes, forward and backward."""
    network = subjects.build(options.spec)
    batch = subjects.draw_batch(
        network.height, options.width, LINES, network.classes, labels=max(1, options.width // 15)
    )
    clock = run_layers(network, batch, options.repeats)
    found = {key: spread(values) for key, values in clock.items()}
    madds = subjects.multiply_adds(network, options.width)
    step = found[FORWARD, WHOLE].median + found[BACKWARD, WHOLE].median
    rows = [
        layer_row(name, description, found, madds, step)
        for name, description in described(network).items()
    ]
    print_table(
        f"By layer: ms a line of {options.width} columns, batches of {LINES}, training",
        ("", "M madd", INFERENCE, "GFLOP/s", FORWARD, BACKWARD, "GFLOP/s", "share of step"),
        rows,
    )
    note(network.spec)
    note("rest: what lies between the layers; GFLOP/s: of the products alone, 2 a multiply-add")
    return {
        "spec": network.spec,
        "width": options.width,
        "milliseconds_per_line": {
            name: {
                phase: value.record()
                for phase in (INFERENCE, FORWARD, BACKWARD)
                if (value := found.get((phase, name)))
            }
            for name in described(network)
        },
    }


def described(network: Network) -> dict[str, str]:
    """Return what stands in the table for layers and stages, in order."""
    layers = {name: f"{name} {piece!r}"[:44] for name, piece in network.layers.items()}
    return layers | {LOSS: LOSS, OPTIMIZER: OPTIMIZER, REST: REST, WHOLE: WHOLE}


def layer_row(
    name: str,
    description: str,
    found: dict[tuple[str, str], Spread],
    madds: dict[str, int],
    step: float,
) -> list[str]:
    inference, forward, backward = (
        found.get((phase, name)) for phase in (INFERENCE, FORWARD, BACKWARD)
    )
    first = next(iter(madds), None)
    madd = sum(madds.values()) if name == WHOLE else madds.get(name, 0)
    training = 3 * madd - (madds.get(first, 0) if name in (first, WHOLE) else 0)
    in_training = sum(value.median for value in (forward, backward) if value)
    return [
        description,
        f"{madd / 1e6:.2f}" if madd else "",
        *(number(value.median) if value else "" for value in (inference,)),
        gigaflops(madd, inference.median if inference else 0),
        *(number(value.median) if value else "" for value in (forward, backward)),
        gigaflops(training, in_training),
        f"{100 * in_training / step:.1f} %",
    ]


def gigaflops(madds: float, milliseconds: float) -> str:
    return f"{2 * madds / milliseconds / 1e6:.1f}" if madds and milliseconds else ""


def run_layers(network: Network, batch: subjects.Batch, repeats: int) -> Clock:
    """Run inference and training steps and clock every layer."""
    optimizer = OPTIMIZERS["adam"]()
    clock: Clock = {}
    lines = len(batch)

    def timed(phase: str, name: str, function: Callable[[], Any]) -> Any:
        begin = time.perf_counter()
        result = function()
        clock.setdefault((phase, name), []).append(1000 * (time.perf_counter() - begin) / lines)
        return result

    def step() -> None:
        timed(INFERENCE, WHOLE, lambda: network.forward(batch.x, batch.widths))
        posteriors, frames = timed(
            FORWARD, "network", lambda: network.forward(batch.x, batch.widths, training=True)
        )
        _, gradient = timed(FORWARD, LOSS, lambda: LOSSES["ctc"](posteriors, frames, batch.targets))
        gradient /= lines
        timed(BACKWARD, "network", lambda: network.backward(gradient))
        weights, gradients = network.parameters(), network.gradients()
        timed(BACKWARD, OPTIMIZER, lambda: optimizer.update(weights, gradients, LEARNING_RATE))

    with clocked(network, clock, lines):
        step()
        clock.clear()
        for _ in range(repeats):
            step()
    add_rest(clock, list(network.layers))
    return clock


@contextmanager
def clocked(network: Network, clock: Clock, lines: int) -> Iterator[None]:
    """Let every layer of a network clock its own calls."""

    def forward(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(x: Any, lengths: Any, training: bool = False) -> Any:
            begin = time.perf_counter()
            result = function(x, lengths, training)
            add(FORWARD if training else INFERENCE, name, begin)
            return result

        return call

    def backward(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(dy: Any) -> Any:
            begin = time.perf_counter()
            result = function(dy)
            add(BACKWARD, name, begin)
            return result

        return call

    def add(phase: str, name: str, begin: float) -> None:
        milliseconds = 1000 * (time.perf_counter() - begin) / lines
        clock.setdefault((phase, name), []).append(milliseconds)

    pieces = network.layers
    for name, piece in pieces.items():
        vars(piece)["forward"] = forward(name, piece.forward)
        vars(piece)["backward"] = backward(name, piece.backward)
    try:
        yield
    finally:
        for piece in pieces.values():
            del vars(piece)["forward"], vars(piece)["backward"]


def add_rest(clock: Clock, layers: list[str]) -> None:
    """Add what no layer took, and the whole of a step."""
    networks = {INFERENCE: clock[INFERENCE, WHOLE]}
    networks |= {phase: clock.pop((phase, "network")) for phase in (FORWARD, BACKWARD)}
    for phase, times in networks.items():
        inside = [clock[phase, name] for name in layers if (phase, name) in clock]
        clock[phase, REST] = [
            whole - sum(parts) for whole, *parts in zip(times, *inside, strict=True)
        ]
    for phase, stage in ((FORWARD, LOSS), (BACKWARD, OPTIMIZER)):
        pairs = zip(networks[phase], clock[phase, stage], strict=True)
        clock[phase, WHOLE] = [sum(pair) for pair in pairs]


def profile_stages(options: Options) -> dict[str, Any]:
    """Print how long a line takes from its file to its text, stage by stage, on one thread."""
    model = load_model().model
    paths = find_images([options.lines])
    images = [read_image(path) for path in paths]
    lines = [normalize_line(image, model.normalizer) for image in images]
    batches = group_by_width([line.pixels.shape[1] for line in lines], LINES)
    stacked = [
        stack_lines([lines[i].pixels for i in batch], model.minimum_width) for batch in batches
    ]
    outputs = [model.network.forward(x, widths) for x, widths in stacked]

    def decode() -> None:
        for batch, (_, widths), (posteriors, frames) in zip(batches, stacked, outputs, strict=True):
            for n, i in enumerate(batch):
                read_line(
                    posteriors[: frames[n], n], lines[i], int(widths[n]), model.codec,
                    DECODERS["greedy"], "",
                )  # fmt: skip

    stages: dict[str, Callable[[], object]] = {
        "reading the image": lambda: [read_image(path) for path in paths],
        "normalising": lambda: [normalize_line(image, model.normalizer) for image in images],
        "network": lambda: [model.network.forward(x, widths) for x, widths in stacked],
        "decoding": decode,
        "distorting (only in training)": lambda: [
            augment(line.pixels, np.random.default_rng(i), 1.0) for i, line in enumerate(lines)
        ],
    }
    times = turns.in_turns(stages, options.repeats, lambda _: threads(1))
    found = {name: seconds.times(1000 / len(lines)) for name, seconds in times.items()}
    reading = sum(value.median for value in list(found.values())[:4])
    rows = [[name, value, f"{100 * value.median / reading:.1f} %"] for name, value in found.items()]
    print_table(
        f"By stage: the shipped model on {len(lines)} lines, one thread",
        ("", "ms a line", "of reading"),
        rows,
    )
    return {name: value.record() for name, value in found.items()}
