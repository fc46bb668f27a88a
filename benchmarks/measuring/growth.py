"""Section ``growth``: how time and memory grow with the size of each thing."""

import json
import re
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from measuring import processes, subjects, turns
from measuring.line_files import repeat_images
from measuring.machine import threads
from measuring.options import Options
from measuring.processes import module, ocrlstm
from measuring.spread import Spread, slope, spread
from measuring.subjects import CALAMARI, CLASSES, DEFAULT, INFERENCE, OCROPUS, TRAINING
from measuring.tables import note, print_table
from ocrlstm import load_model
from ocrlstm.datasets import find_images

WIDTH, LINES = 300, 8
WIDTHS = (300, 600, 1200, 2400, 4800, 9600)
BATCHES = (1, 4, 8, 16, 32)
STATES = (80, 160, 320, 640)
CLASS_COUNTS = (100, 1_000, 10_000)
READ = (100, 1_000, 10_000)
TWO = 2
MOST_TRAINING_LINES = 400_000
POINT_REPEATS = 3


def run(options: Options) -> dict[str, Any]:
    return {
        "width": grow(options, "line width in columns", {w: point(width=w) for w in WIDTHS}),
        "batch": grow(options, "lines in a batch", {n: point(lines=n) for n in BATCHES}),
        "states": grow(options, "states of the LSTM", {s: point(states=s) for s in STATES}),
        "classes": grow(options, "classes", {c: point(classes=c) for c in CLASS_COUNTS}),
        "threads": compare_threads(options),
        "lines_read": read_lines(options),
        "training_lines": train_on_many(options),
    }


def point(
    *,
    width: int = WIDTH,
    lines: int = LINES,
    states: int | None = None,
    classes: int = CLASSES,
) -> tuple[str, int, int, int]:
    """Return spec, classes, width and lines of one point of a curve of the default net."""
    spec = DEFAULT.spec
    if states is not None:
        spec = re.sub(r"Lbx\d+", f"Lbx{states}", spec)
    return spec, classes, width, lines


def grow(
    options: Options, title: str, points: Mapping[int, tuple[str, int, int, int]]
) -> dict[str, Any]:
    """Measure all points of a curve, each in a process of its own, and print them."""
    repeats = min(options.repeats, POINT_REPEATS)
    found = {}
    for size, (spec, classes, width, lines) in points.items():
        command = module("point", spec, classes, width, lines, options.threads, repeats)
        found[size] = json.loads(processes.run(command).outputs[0])
    rows = []
    first: dict[str, float] = {}
    for size, result in found.items():
        cells: list[object] = []
        for work in (INFERENCE, TRAINING):
            milliseconds = spread(result["seconds"][work]).times(1000 / points[size][3])
            first.setdefault(work, milliseconds.median)
            growth = milliseconds.median / first[work]
            cells += [milliseconds, f"{growth:.2f}", f"{result['peaks'][work] / 1e6:,.0f}"]
        rows.append([f"{size:,}", *cells])
    columns = ("", "inference ms/line", "x", "peak MB", "training ms/line", "x", "peak MB")
    print_table(f"Growth with {title} (default net)", columns, rows)
    return {str(size): result for size, result in found.items()}


def compare_threads(options: Options) -> dict[str, Any]:
    """Time two threads against one: steps of some networks, and reading images."""
    if options.threads < TWO:
        note("two threads against one: left out, as there is one thread only")
        return {}
    rows, records = [], {}
    for name, function in threaded_work(options).items():
        functions = {count: partial(function, count) for count in (1, TWO)}
        times = turns.in_turns(functions, options.repeats, threads)
        ratio = times[1].over(times[TWO])
        milliseconds = {count: seconds.times(1000) for count, seconds in times.items()}
        rows.append([name, milliseconds[1], milliseconds[TWO], ratio])
        records[name] = {
            **{f"milliseconds_{count}": value.record() for count, value in milliseconds.items()},
            "ratio": ratio.record(),
        }
    columns = ("", "ms, one thread", "ms, two", "ratio")
    print_table("Two threads against one", columns, rows)
    return records


def threaded_work(options: Options) -> dict[str, Callable[[int], object]]:
    """Return what is timed on one and two threads, each to be called with their number."""
    work: dict[str, Callable[[int], object]] = {}
    for subject in (OCROPUS, CALAMARI, DEFAULT):
        network = subjects.build(subject.spec)
        for size in (8, 32):
            batch = subjects.draw_batch(network.height, subject.width, size)
            for name, action in subjects.actions(network, batch).items():
                work[f"{subject.name}, {name}, batch {size}"] = lambda _, act=action: act()
    model, images = load_model(), find_images([options.lines])
    title = f"recognize_lines, {len(images)} images"
    work[title] = lambda count: list(model.recognize_lines(images, threads=count))
    return work


def read_lines(options: Options) -> dict[str, Any]:
    """Print the memory of ``ocrlstm recognize`` for more and more lines."""
    rows, records = [], {}
    for count in READ:
        with tempfile.TemporaryDirectory() as name:
            repeat_images(options.lines, Path(name), count)
            finished = processes.run(ocrlstm("recognize", "--threads", options.threads, name))
        seconds = Spread((finished.seconds,))
        rows.append([f"{count:,}", seconds, seconds.rate(count), f"{finished.megabytes:,.0f}"])
        records[str(count)] = {
            "seconds": finished.seconds,
            "peak_megabytes": finished.megabytes,
        }
    columns = ("", "s", "lines/s", "peak MB")
    print_table("Growth with the lines that one command reads (start-up in it)", columns, rows)
    return records


def train_on_many(options: Options) -> dict[str, Any]:
    """Print the memory of the first steps of training on more and more lines."""
    rows, records = [], {}
    for count in options.training_lines:
        command = module("training_memory", options.lines, count, options.threads)
        records[str(count)] = result = json.loads(processes.run(command).outputs[0])
        rows.append([f"{count:,}", Spread((result["seconds"],)), f"{result['peak'] / 1e6:,.0f}"])
    columns = ("", "s to the first step", "peak MB")
    print_table("Growth with the lines trained on (20 steps of the default net)", columns, rows)
    if len(records) > 1 and max(options.training_lines) < MOST_TRAINING_LINES:
        foretell(records)
    return records


def foretell(records: dict[str, Any]) -> None:
    """Say what the greatest number of lines would take, going on in a straight line."""
    counts = [int(count) for count in records]
    peaks = [result["peak"] / 1e6 for result in records.values()]
    seconds = [result["seconds"] for result in records.values()]
    more = MOST_TRAINING_LINES - counts[-1]
    peak = peaks[-1] + more * slope(counts, peaks)
    time = seconds[-1] + more * slope(counts, seconds)
    note(
        f"{MOST_TRAINING_LINES:,} lines, reckoned in a straight line: {peak:,.0f} MB, {time:,.0f} s"
    )
    note(f"left out for its time; to measure it: --training-lines 1000 {MOST_TRAINING_LINES}")
