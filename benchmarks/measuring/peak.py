"""Section ``peak``: the share of the machine's matrix-product peak that networks reach."""

from typing import Any

from measuring import networks, subjects
from measuring.networks import OURS, Times
from measuring.options import Options
from measuring.spread import Spread
from measuring.subjects import INFERENCE, TRAINING
from measuring.tables import note, print_table


def run(options: Options) -> dict[str, Any]:
    measured: list[Times] = options.kept.get("networks") or measure_ours(options)
    rows, records = [], {}
    for times in measured:
        for work in (TRAINING, INFERENCE):
            operations = subjects.operations(times.network, times.subject.width, work)
            size = times.best(OURS, work)
            rate = times.rates[OURS, work, size]
            reached, peak = rate.times(operations), times.peak[work]
            share = reached.over(peak).times(100)
            rows.append(
                [times.subject.name, work, size, f"{operations / 2e6:,.1f}"]
                + [reached.times(1e-9), peak.times(1e-9), share]
            )
            records[f"{times.subject.name}, {work}"] = share_record(
                operations, reached, peak, share
            )
    print_table(
        "Share of the matrix-product peak: float32, 2048 cubed, by NumPy in the same turns",
        ("", "", "batch", "M madd/line", "GFLOP/s", "peak GFLOP/s", "share in %"),
        rows,
    )
    note("training: outputs, and gradients of weights and inputs, but of the first layer's inputs")
    return records


def measure_ours(options: Options) -> list[Times]:
    networks.print_title(options, torch=True)
    return [networks.measure(subject, options, None) for subject in options.subjects]


def share_record(operations: int, reached: Spread, peak: Spread, share: Spread) -> dict[str, Any]:
    return {
        "operations_per_line": operations,
        "flops": reached.record(),
        "peak_flops": peak.record(),
        "percent": share.record(),
    }
