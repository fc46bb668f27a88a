"""Cross-fold training on real lines, then the test part read by each model and by all together.

    bin/benchmark voting fraktur19-archiscribe --minutes 20 --folder /tmp/voting

Each set is a folder SET/train and SET/test of image/text pairs below --data. The commands are the
ones a user gives: `ocrlstm crossfold`, then `ocrlstm evaluate` with one -m and with several. The
same command again goes on where it stopped. Other options go to `ocrlstm crossfold`.
"""

import argparse
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from measuring.data import LINES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument("--minutes", type=float, default=20.0, help="of each fold")
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--folder", type=Path, required=True, help="where models are kept")
    arguments, options = parser.parse_known_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in arguments.sets:
        folder = arguments.folder / name
        run(
            *("crossfold", arguments.data / name / "train", "-o", folder, "-k", arguments.folds),
            *("--max-minutes", arguments.minutes, *options),
        )
        models = [folder / f"fold-{n}.safetensors" for n in range(1, arguments.folds + 1)]
        test = arguments.data / name / "test"
        singles = [evaluate(test, model) for model in models]
        vote = evaluate(test, *models)
        rates = [report["cer"] for report in singles]
        mean, best = statistics.fmean(rates), min(rates)
        low, high = vote["cer_interval"]
        print(f"{name}: test CER of the folds {', '.join(map(percent, rates))}")
        print(f"  mean {percent(mean)}, best {percent(best)}")
        print(
            f"  vote {percent(vote['cer'])} (95 % interval {percent(low)} to {percent(high)}; "
            f"{vote['edits']} edits in {vote['characters']} characters): "
            f"{change(vote['cer'], mean)} against the mean, {change(vote['cer'], best)} against "
            "the best",
            flush=True,
        )


def evaluate(test: Path, *models: Path) -> dict[str, Any]:
    named = [word for model in models for word in ("-m", model)]
    return json.loads(run("evaluate", test, "--json", *named))


def run(*arguments: object) -> str:
    command = [sys.executable, "-m", "ocrlstm", *map(str, arguments)]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode not in (0, 1):
        sys.exit(result.returncode)
    return result.stdout


def percent(rate: float) -> str:
    return f"{100 * rate:.2f} %"


def change(rate: float, before: float) -> str:
    return f"{100 * (rate / before - 1):+.0f} %" if before else "no change"


if __name__ == "__main__":
    main()
