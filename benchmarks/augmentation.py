"""What the distortions of training lines bring, and what they cost.

    bin/benchmark augmentation --minutes 20 --output FOLDER
    bin/benchmark augmentation --speed

Of each set two models are trained from random weights for the same time, one without distortions
and one with them; both read the test part. Each set is a folder SET/train and SET/test of
image/text pairs below --data. The two run side by side, with one thread each, or one after the
other with --one-by-one. FOLDER keeps models, logs and results: the same command again goes on where
it was stopped, and repeats nothing.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from measuring.data import LINES
from measuring.distorting import measure_distortions
from measuring.kept_run import KeptRun
from measuring.tables import note, print_table

SETS = ("fraktur19-archiscribe", "latin-french-16-17", "english20-typewriter")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0],
        epilog="Other options go to each `ocrlstm train`, for instance --augment 0.7 "
        "--distort blur=0; without distortions, --augment 0 comes after them.",
    )
    parser.add_argument("--sets", nargs="+", default=SETS, metavar="SET")
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--output", type=Path, metavar="FOLDER", help="models, logs and results")
    parser.add_argument("--one-by-one", action="store_true", help="never two at the same time")
    parser.add_argument("--threads", type=int, default=1, help="of each training (1)")
    parser.add_argument("--speed", action="store_true", help="only time the distortions")
    arguments, options = parser.parse_known_args()
    if arguments.speed:
        measure_distortions()
        return
    if arguments.output is None:
        parser.error("name a folder with --output, or time the distortions with --speed")
    compare(arguments, options)


def compare(arguments: argparse.Namespace, options: list[str]) -> None:
    """Train and test two models of each set, and print a table."""
    arguments.output.mkdir(parents=True, exist_ok=True)
    rows = []
    for name in arguments.sets:
        folder = arguments.data / name
        common = ("--max-minutes", arguments.minutes, "--threads", arguments.threads, *options)
        plain, distorted = (
            KeptRun(arguments.output / f"{name}-{kind}", [folder / "train"], *common, *more)
            for kind, more in (("without", ("--augment", 0)), ("with", ()))
        )
        print(f"{name}: training, see {plain.stem}.log and {distorted.stem}.log", file=sys.stderr)
        with ThreadPoolExecutor(1 if arguments.one_by_one else 2) as pool:
            list(pool.map(KeptRun.train, (plain, distorted)))
        reports = [run.read(folder / "test") for run in (plain, distorted)]
        epochs = [run.epochs() for run in (plain, distorted)]
        rows.append([name, *row(reports, epochs)])
    columns = ("test CER", "without", "epochs", "with distortions", "epochs", "change")
    print_table(f"{arguments.minutes:g} minutes of training a model", columns, rows)
    note("in brackets the 95 % interval over the test lines")


def row(reports: list[dict], epochs: list[int]) -> list[str]:
    """Return the cells of a set: each model's CER and epochs, and the relative change."""
    cells: list[str] = []
    for report, count in zip(reports, epochs, strict=True):
        low, high = (100 * limit for limit in report["cer_interval"])
        cells += [f"{100 * report['cer']:.2f} % ({low:.2f} to {high:.2f})", str(count)]
    before, after = (report["cer"] for report in reports)
    cells.append(f"{100 * (after / before - 1):+.0f} %" if before else "-")
    return cells


if __name__ == "__main__":
    main()
