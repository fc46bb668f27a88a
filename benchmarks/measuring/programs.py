"""Section ``programs``: whole programs on the same line images, with and without start-up."""

import subprocess
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measuring.line_files import repeat_images, true_texts
from measuring.options import Options
from measuring.peers import ONE_THREAD, Ours, Program, Tesseract, find_programs
from measuring.processes import Finished, variables_with
from measuring.spread import Spread, spread
from measuring.tables import note, print_table
from ocrlstm.evaluation import score

# Ours reads so many lines where start-up is taken out: then its start-up is small beside the rest.
MANY = 800
# Lines that tesseract reads with a command each.
ONE_BY_ONE = 40
MOST_REPEATS = 3


@dataclass
class Runs:
    """The runs of a program: seconds by number of lines, one value a turn, and the last result."""

    program: Program
    seconds: dict[int, list[float]] = field(default_factory=dict)
    last: dict[int, Finished] = field(default_factory=dict)

    def add(self, lines: int, finished: Finished) -> None:
        self.seconds.setdefault(lines, []).append(finished.seconds)
        self.last[lines] = finished

    def start(self) -> Spread:
        """Return the seconds of a run in which every process reads one line."""
        return spread(self.seconds[min(self.seconds)])

    def with_start(self) -> Spread:
        """Return lines a second of a command from its start to its end."""
        return spread(self.seconds[self.program.count]).rate(self.program.count)

    def without_start(self) -> Spread:
        """Return the rate at which lines are added, from the shortest run to the longest."""
        few, many = min(self.seconds), max(self.seconds)
        pairs = zip(self.seconds[few], self.seconds[many], strict=True)
        return spread((many - few) / (long - short) for short, long in pairs)

    def error_rate(self, truths: Sequence[str] | None) -> float | None:
        """Return the share of wrong characters in %, if texts and truths are known."""
        count = self.program.count
        texts = self.program.texts(self.last[count], count)
        if truths is None or len(texts) < count:
            return None
        return 100 * score(truths[:count], texts, resamples=1).cer


def run(options: Options) -> dict[str, Any]:
    programs, missing = find_programs(options)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        images = repeat_images(options.lines, make_folder(folder / "images"), MANY)
        repeats = min(options.repeats, MOST_REPEATS)
        runs = [Runs(program) for program in programs]
        one_by_one: list[float] = []
        for turn in range(-1, repeats):
            for one in runs:
                for count in counts(one.program, options.threads, warming=turn < 0):
                    place = make_folder(folder / f"{one.program.name}-{turn}-{count}")
                    finished = one.program.read(images[:count], place, options.threads)
                    if turn >= 0:
                        one.add(count, finished)
            if turn >= 0 and any(isinstance(program, Tesseract) for program in programs):
                one_by_one.append(seconds_one_by_one(images[:ONE_BY_ONE], options.threads))
    truths = true_texts(options.lines, MANY)
    print_programs(runs, truths, options)
    records: dict[str, Any] = {one.program.name: record(one, truths) for one in runs}
    if one_by_one:
        records["tesseract, a command a line"] = print_one_by_one(runs[0], spread(one_by_one))
    for reason in missing:
        note(f"left out: {reason}")
    return records


def make_folder(path: Path) -> Path:
    path.mkdir()
    return path


def counts(program: Program, cores: int, warming: bool) -> list[int]:
    """Return with how many lines a program is run in a turn."""
    few = program.processes(cores)
    if warming:
        return [few]
    return [few, program.count, MANY] if isinstance(program, Ours) else [few, program.count]


def seconds_one_by_one(images: Sequence[Path], cores: int) -> float:
    """Return the seconds of ``tesseract IMAGE - --psm 7`` for every image, a process a core."""

    def read(image: Path) -> None:
        command = ["tesseract", str(image), "-", "--psm", "7"]
        subprocess.run(command, check=True, capture_output=True, env=variables_with(ONE_THREAD))

    begin = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(read, images))
    return time.perf_counter() - begin


def print_programs(runs: list[Runs], truths: list[str] | None, options: Options) -> None:
    ours = runs[0]
    rows = []
    for one in runs:
        error_rate = one.error_rate(truths)
        all_in, past_start = one.with_start(), one.without_start()
        ratios = [ours.with_start().over(all_in), ours.without_start().over(past_start)]
        first, second = ["", ""] if one is ours else ratios
        rows.append(
            [one.program.title, one.program.count, one.start()]
            + [all_in, first, past_start, second]
            + [f"{one.last[one.program.count].megabytes:,.0f}"]
            + ["-" if error_rate is None else f"{error_rate:.2f}"]
        )
    print_table(
        f"Whole programs on the lines of {options.lines.name}, on {options.threads} cores",
        ("", "lines", "s for one", "lines/s", "ratio", "past start", "ratio", "MB", "CER %"),
        rows,
    )
    note("lines/s: all in; past start: the run with one line a process taken off")
    note("ratio: ours over theirs; MB: peak memory of all processes of a program")
    note("peers: one process a core with one thread each; ours: one process with all cores")


def print_one_by_one(ours: Runs, seconds: Spread) -> dict[str, Any]:
    rate = seconds.rate(ONE_BY_ONE)
    ratio = ours.with_start().over(rate)
    note(f"tesseract IMAGE - --psm 7, a command for every line: {rate} lines/s, ratio {ratio}")
    return {"lines_per_second": rate.record(), "ratio": ratio.record()}


def record(runs: Runs, truths: list[str] | None) -> dict[str, Any]:
    return {
        "version": runs.program.version(),
        "lines": runs.program.count,
        "seconds_by_lines": {str(lines): values for lines, values in runs.seconds.items()},
        "lines_per_second": runs.with_start().record(),
        "lines_per_second_without_start": runs.without_start().record(),
        "peak_megabytes": runs.last[runs.program.count].megabytes,
        "cer_percent": runs.error_rate(truths),
    }
