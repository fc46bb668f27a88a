"""Fine-tune a model on a few lines of a new print, against training on them from random weights.

    bin/benchmark fine_tuning --output FOLDER

First a start model is trained on all lines of --start, with long s read as s. Then, of each number
of --lines of the new print, one model begins with it and one with random weights, for the same
time. All read the test part of the new print, whose books are in no training. Last, the start
model and two models fine-tuned on --forget lines, one without protection of the characters that
these lines lack, read the test parts of --start. The same command again goes on where it was
stopped: finished runs are not repeated.
"""

import argparse
import json
import random
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measuring.data import LINES

from ocrlstm.datasets import find_pairs, read_text
from ocrlstm.evaluation import list_confusions
from ocrlstm.recognition import load_model

START = ("french17-ocr17", "french16-18-19-ocr17", "latin-french-16-17")
NEW = "incunabula-french15"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], epilog="Other options go to each `ocrlstm train`."
    )
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument("--start", nargs="+", default=START, metavar="SET")
    parser.add_argument("--new", default=NEW, metavar="SET")
    parser.add_argument("--lines", nargs="+", type=int, default=[50, 100, 500], metavar="N")
    parser.add_argument("--start-minutes", type=float, default=20.0)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--forget", type=int, default=100, metavar="N")
    parser.add_argument("--jobs", type=int, default=2, help="runs side by side, of one thread each")
    parser.add_argument("--output", type=Path, required=True, help="models, logs and results")
    arguments, options = parser.parse_known_args()
    folder = arguments.output
    folder.mkdir(parents=True, exist_ok=True)
    new = arguments.data / arguments.new
    start = Run(folder / "start", arguments.start_minutes, arguments.jobs)
    start.train([arguments.data / name / "train" for name in arguments.start],
                "--text-rule", "long_s", *options)  # fmt: skip
    print(f"start model as it is: {shown(start.read(new / 'test'))}", flush=True)
    ways = {
        "scratch": ("--text-rule", "long_s"),
        "tuned": ("--from", start.model),
        "unprotected": ("--from", start.model, "--no-protect"),
    }
    runs = [(count, way) for count in arguments.lines for way in ("tuned", "scratch")]
    forgetting = [(arguments.forget, way) for way in ("tuned", "unprotected")]

    def learn(count: int, way: str) -> dict:
        lines = write_list(folder / f"lines-{count}.txt", new / "train", count)
        learning = Run(folder / f"{way}-{count}", arguments.minutes, 1)
        learning.train([lines], *ways[way], *options)
        report = learning.read(new / "test")
        note(f"{learning.model.stem}: {shown(report)}")
        return report

    everything = list(dict.fromkeys([*runs, *forgetting]))
    with ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda run: learn(*run), everything)
        reports = dict(zip(everything, results, strict=True))
    print("lines  from random weights          from the start model")
    for count in arguments.lines:
        cells = (shown(reports[count, way]) for way in ("scratch", "tuned"))
        print(f"{count:5d}  {'  '.join(f'{cell:27s}' for cell in cells)}".rstrip())
    tell_forgetting(folder, start.model, forgetting, arguments)


class Run:
    """A training in its files, which is begun, gone on with, or done already."""

    def __init__(self, stem: Path, minutes: float, threads: int) -> None:
        self.model = stem.with_suffix(".safetensors")
        self._done = stem.with_suffix(".done")
        self._checkpoint = stem.with_suffix(".ckpt")
        self._report = stem.with_suffix(".json")
        self._log = stem.with_suffix(".log")
        # Few lines make short epochs, and a schedule by the clock must come to its end.
        self._settings = ("--max-minutes", minutes, "--threads", threads, "--patience", 0)
        self._threads = threads

    def train(self, paths: Sequence[Path | str], *options: object) -> None:
        if self._done.exists():
            return
        if self._checkpoint.exists():
            what = ("--resume", self._checkpoint)
        else:
            what = (*paths, "-o", self.model, *self._settings, *options)
        note(f"{self.model.stem}: training, see {self._log}")
        run("train", *what, log=self._log)
        self._done.touch()

    def read(self, test: Path) -> dict:
        if not self._report.exists():
            text = run("evaluate", "-m", self.model, test, "--json", "--threads", self._threads,
                       log=self._log)  # fmt: skip
            self._report.write_text(text, encoding="utf-8")
        return json.loads(self._report.read_text(encoding="utf-8"))


def tell_forgetting(
    folder: Path, start: Path, runs: list[tuple[int, str]], arguments: argparse.Namespace
) -> None:
    """Tell how well models still read the characters that their lines had no examples of."""
    pairs = find_pairs([arguments.data / name / "test" for name in arguments.start]).pairs
    images = (folder / f"lines-{arguments.forget}.txt").read_text().splitlines()
    examples = find_pairs(images).pairs
    print(f"test parts of {', '.join(arguments.start)}, {len(pairs)} lines")
    models = {"start model": start}
    models |= {f"{way}-{count}": folder / f"{way}-{count}.safetensors" for count, way in runs}
    for name, path in models.items():
        reader = load_model(path)
        seen = set("".join(reader.rules.apply(read_text(pair.text)) for pair in examples))
        count, wrong = Counter(), Counter()
        truths = [reader.rules.apply(read_text(pair.text)) for pair in pairs]
        lines = reader.recognize_lines([pair.image for pair in pairs])
        for truth, line in zip(truths, lines, strict=True):
            count.update(character in seen for character in truth)
            wrong.update(
                stands in seen for stands, _ in list_confusions(truth, line.text) if stands
            )
        cells = (
            f"{100 * (1 - wrong[known] / count[known]):.1f} % of {count[known]:,} characters "
            f"{'with' if known else 'without'} examples"
            for known in (True, False)
        )
        print(f"{name:16s}  read right: {'; '.join(cells)}", flush=True)


def write_list(path: Path, folder: Path, count: int) -> str:
    """Choose so many lines; the first of more lines are those of fewer."""
    images = sorted(folder.glob("*.png"))
    random.Random(0).shuffle(images)
    if count > len(images):
        sys.exit(f"{folder}: {len(images)} lines, not {count}")
    path.write_text("".join(f"{image.absolute()}\n" for image in images[:count]))
    return f"@{path}"


def shown(report: dict) -> str:
    low, high = (100 * limit for limit in report["cer_interval"])
    return f"{100 * report['cer']:.2f} % ({low:.2f} to {high:.2f})"


def note(text: str) -> None:
    with _PRINTING:
        print(text, file=sys.stderr, flush=True)


def run(*arguments: object, log: Path) -> str:
    command = [sys.executable, "-m", "ocrlstm", *map(str, arguments)]
    with open(log, "a", encoding="utf-8") as file:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=file, text=True)
    if result.returncode not in (0, 1):
        raise SystemExit(f"{log}: {' '.join(command)} ended with exit code {result.returncode}")
    return result.stdout


_PRINTING = threading.Lock()


if __name__ == "__main__":
    main()
