"""Section ``networks``: ours against the same in PyTorch, training steps and inference."""

import gc
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from measuring import subjects, turns
from measuring.machine import PEAK_FLOPS, matrix_product
from measuring.options import Options
from measuring.spread import Spread
from measuring.subjects import INFERENCE, TRAINING, Subject
from measuring.tables import note, print_table

BATCH_SIZES = (1, 8, 32)
OURS, THEIRS, PEAK = "ocrlstm", "PyTorch", "peak"
# A batch size that is so much slower than the best of its side gets no further turns.
HOPELESS = 0.5
# The memory layout that is quickest for so many lines is taken for more of them too.
LARGEST_TRIAL = 8

# Whose network, what is done, batch size.
Cell = tuple[str, str, int]


@dataclass
class Times:
    """How quick a network is: lines a second of every cell, and the peak in the same turns."""

    subject: Subject
    network: Any
    rates: dict[Cell, Spread] = field(default_factory=dict)
    peak: dict[str, Spread] = field(default_factory=dict)

    def best(self, side: str, work: str) -> int | None:
        """Return the batch size at which a side is quickest."""
        medians = {
            size: rate.median
            for (whose, what, size), rate in self.rates.items()
            if (whose, what) == (side, work)
        }
        return max(medians, key=lambda size: medians[size]) if medians else None

    def best_rate(self, side: str, work: str) -> Spread | None:
        size = self.best(side, work)
        return None if size is None else self.rates[side, work, size]

    def ratio(self, work: str, size: int | None = None) -> Spread | None:
        """Return ours over theirs at a batch size, or each at its best."""
        if size is None:
            ours, theirs = self.best_rate(OURS, work), self.best_rate(THEIRS, work)
        else:
            ours = self.rates.get((OURS, work, size))
            theirs = self.rates.get((THEIRS, work, size))
        return ours.over(theirs) if ours and theirs else None


def run(options: Options) -> dict[str, Any]:
    peer = torch_peer(options)
    print_title(options, peer is not None)
    measured = [measure(subject, options, peer) for subject in options.subjects]
    options.kept["networks"] = measured
    print_ratios(measured)
    return {times.subject.name: record(times) for times in measured}


def torch_peer(options: Options) -> ModuleType | None:
    """Return the module with the networks in PyTorch, if that is installed."""
    if find_spec("torch") is None:
        return None
    peer = import_module("measuring.torch_network")
    peer.set_threads(options.threads)
    return peer


def print_title(options: Options, torch: bool) -> None:
    print("\nNetworks on random lines: training step (forward, CTC, backward, Adam) and inference")
    note(f"lines a second, median (lowest-highest) of up to {options.repeats} turns")
    if not torch:
        note("PyTorch is not installed (extra 'oracle'): nothing to compare with")


def measure(subject: Subject, options: Options, peer: ModuleType | None) -> Times:
    """Time a network on both sides, the two by turns, and print its table."""
    network = subjects.build(subject.spec)
    times = Times(subject, network)
    theirs = TorchSide(peer, subject) if peer else None
    if theirs:
        theirs.check(network)
    for work in (TRAINING, INFERENCE):
        time_work(times, work, theirs, options.repeats)
    print_times(times)
    gc.collect()
    return times


class TorchSide:
    """A network in PyTorch, in every memory layout, of which the quickest is taken."""

    def __init__(self, peer: ModuleType, subject: Subject) -> None:
        self.peer = peer
        self.subject = subject
        layouts = peer.LAYOUTS if " C" in subject.spec else ["contiguous"]
        self.networks = [peer.TorchNetwork(subject.spec, layout) for layout in layouts]
        self.chosen: dict[tuple[str, int], Any] = {}

    def check(self, network: Any) -> None:
        """Raise an error unless their network has as many weights and outputs as ours."""
        ours, theirs = subjects.weight_count(network)[0], self.networks[0].weight_count()
        if ours != theirs:
            raise RuntimeError(f"{self.subject.name}: {ours} weights, but {theirs} in PyTorch")
        batch = subjects.draw_batch(network.height, self.subject.width, 1)
        shape = tuple(self.peer.actions(self.networks[0], batch)[INFERENCE]().shape)
        expected = network.forward(batch.x, batch.widths)[0].shape
        if shape != expected:
            raise RuntimeError(f"{self.subject.name}: outputs {expected}, {shape} in PyTorch")

    def quickest(self, batch: subjects.Batch, work: str) -> Callable[[], object]:
        """Return the work in the layout that is quickest for such a batch."""
        key = work, min(len(batch), LARGEST_TRIAL)
        if key not in self.chosen:
            few = subjects.draw_batch(batch.x.shape[1], batch.x.shape[2], key[1])
            self.chosen[key] = self.try_layouts(few, work)
        return self.peer.actions(self.chosen[key], batch)[work]

    def try_layouts(self, batch: subjects.Batch, work: str) -> Any:
        if len(self.networks) == 1:
            return self.networks[0]
        choices = {network: self.peer.actions(network, batch)[work] for network in self.networks}
        about = turns.warm_up(choices)
        if min(about.values()) < turns.LONGEST / 10:
            tried = turns.repeat(choices, about, 3)
            about = {network: seconds.median for network, seconds in tried.items()}
        return min(about, key=lambda network: about[network])


def time_work(times: Times, work: str, theirs: TorchSide | None, repeats: int) -> None:
    """Fill in the cells of one work."""
    functions: dict[Cell, Callable[[], object]] = {}
    for size in BATCH_SIZES:
        batch = subjects.draw_batch(times.network.height, times.subject.width, size)
        functions[OURS, work, size] = subjects.actions(times.network, batch)[work]
        if theirs:
            functions[THEIRS, work, size] = theirs.quickest(batch, work)
    about = turns.warm_up(functions)
    hopeful = {cell: function for cell, function in functions.items() if is_hopeful(cell, about)}
    product: Cell = (PEAK, work, 1)
    hopeful[product] = matrix_product()
    about |= turns.warm_up({product: hopeful[product]})
    measured = turns.repeat(hopeful, about, repeats)
    times.peak[work] = measured.pop(product).rate(PEAK_FLOPS)
    for cell in functions:
        seconds = measured[cell] if cell in measured else Spread((about[cell],))
        times.rates[cell] = seconds.rate(cell[2])


def is_hopeful(cell: Cell, about: dict[Cell, float]) -> bool:
    """Tell whether a batch size may be its side's best; that of single lines is shown anyway."""
    side, _, size = cell
    best = max(other[2] / seconds for other, seconds in about.items() if other[0] == side)
    return size == 1 or size / about[cell] >= HOPELESS * best


def print_times(times: Times) -> None:
    weights, peepholes = subjects.weight_count(times.network)
    rows = []
    for work in (TRAINING, INFERENCE):
        for size in BATCH_SIZES:
            rates = [times.rates.get((side, work, size)) for side in (OURS, THEIRS)]
            rows.append([work, size, *map(cell_text, rates), cell_text(times.ratio(work, size))])
        sizes = [size for side in (OURS, THEIRS) if (size := times.best(side, work)) is not None]
        best = [cell_text(times.best_rate(side, work)) for side in (OURS, THEIRS)]
        rows.append(
            [work, f"best: {'/'.join(map(str, sizes))}", *best, cell_text(times.ratio(work))]
        )
    print_table(
        f"{times.subject.name} columns: {weights:,} weights, and ours {peepholes:,} of peepholes",
        ("", "batch", OURS, THEIRS, "ratio"),
        rows,
    )


def cell_text(value: Spread | None) -> str:
    return "-" if value is None else str(value)


def print_ratios(measured: list[Times]) -> None:
    """Print what it comes to: ours over theirs, each at its best batch size."""
    rows = [
        [
            times.subject.name,
            cell_text(times.ratio(TRAINING)),
            cell_text(times.ratio(INFERENCE)),
            cell_text(times.ratio(INFERENCE, 1)),
        ]
        for times in measured
    ]
    if any(THEIRS in (side for side, _, _ in times.rates) for times in measured):
        columns = ("", TRAINING, INFERENCE, "one line at a time")
        print_table("Ours over PyTorch, each at the batch size that is best for it", columns, rows)


def record(times: Times) -> dict[str, Any]:
    """Return all values for JSON."""
    weights, peepholes = subjects.weight_count(times.network)
    works = (TRAINING, INFERENCE)
    ratios = {work: ratio.record() for work in works if (ratio := times.ratio(work))}
    if ratio := times.ratio(INFERENCE, 1):
        ratios["inference, one line at a time"] = ratio.record()
    return {
        "spec": times.subject.spec,
        "width": times.subject.width,
        "weights": weights,
        "peepholes": peepholes,
        "lines_per_second": [
            {"side": side, "work": work, "batch": size, **rate.record()}
            for (side, work, size), rate in times.rates.items()
        ],
        "peak_flops": {work: peak.record() for work, peak in times.peak.items()},
        "ratios": ratios,
    }
