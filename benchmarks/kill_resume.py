"""Kill trainings with SIGKILL at random moments, go on, and compare all models byte for byte.

    bin/benchmark kill_resume --kills 50

A run with augmentation, folds one after another and folds side by side take turns: each is killed
and taken up again until it is finished, then the next begins, until there are enough kills. Exit
code 1 if any model differs from that of a run that nobody disturbed. Other arguments go to
`ocrlstm train` and `ocrlstm crossfold`; by default a small network learns the sample lines.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "training-data" / "sample"
SMALL = ["--spec", "[1,32,0,1 Cr3,3,8 Mp2,2 Mp2,2 Lbx24 Do0.5 O1c]", "--augment", "1"]
# So often a kill comes in the first seconds, in which a process may not have begun to work.
EARLY, SECONDS = 0.2, 3.0
FOLDER = "FOLDER"


@dataclass(frozen=True)
class Subject:
    """Something to kill."""

    title: str
    begin: list[str]
    resume: list[str]
    like: int  # number of the subject whose models its own must be
    kills: list[int]  # of each run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--pairs", default=str(SAMPLE))
    parser.add_argument("--epochs", default="30")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments, settings = parser.parse_known_args()
    settings = [*(settings or SMALL), "--epochs", arguments.epochs, "--patience", "0"]
    subjects = make_subjects(arguments.pairs, settings)
    rng, different = random.Random(arguments.seed), []
    with tempfile.TemporaryDirectory() as name:
        undisturbed, seconds = [], []
        for number, subject in enumerate(subjects[:2]):
            folder = make_folder(name, f"undisturbed-{number}")
            begun = time.monotonic()
            finish(start(subject.begin, folder))
            seconds.append(time.monotonic() - begun)
            undisturbed.append(models(folder))
            print(f"{subject.title}, undisturbed: {seconds[-1]:.1f} s", flush=True)
        turn, left = 0, arguments.kills
        while left > 0:
            subject = subjects[turn % len(subjects)]
            folder = make_folder(name, f"{turn}")
            kills = kill_until_finished(subject, folder, rng, seconds[subject.like], left)
            same = models(folder) == undisturbed[subject.like]
            print(
                f"{subject.title}: {kills} kills, then {'the same bytes' if same else 'DIFFERENT'}",
                flush=True,
            )
            subject.kills.append(kills)
            if not same:
                different.append(subject.title)
            turn, left = turn + 1, left - kills
    for subject in subjects:
        print(f"{subject.title}: {sum(subject.kills)} kills in {len(subject.kills)} runs")
    print(f"DIFFERENT: {', '.join(different)}" if different else "every run reached the same bytes")
    sys.exit(1 if different else 0)


def make_subjects(pairs: str, settings: list[str]) -> list[Subject]:
    model = f"{FOLDER}/model"
    train = ["train", pairs, "-o", f"{model}.safetensors", *settings]
    # One thread a fold: so those side by side are the very same as those in turn.
    folds = ["crossfold", pairs, "-o", FOLDER, "-k", "3", *settings]
    in_turn, at_once = [*folds, "--threads", "1"], [*folds, "--threads", "2", "--jobs", "2"]
    return [
        Subject("a run", train, ["train", "--resume", f"{model}.ckpt"], 0, []),
        Subject("folds in turn", in_turn, in_turn, 1, []),
        Subject("folds side by side", at_once, at_once, 1, []),
    ]


def kill_until_finished(
    subject: Subject, folder: Path, rng: random.Random, whole: float, most: int
) -> int:
    """Run a subject to its end, killing it at most so many times; return how many it were."""
    process = start(subject.begin, folder)
    for kills in range(most):
        if not kill_at_random(process, folder, rng, whole):
            finish(process)
            return kills
        begun = any(folder.glob("*.ckpt"))
        process = start(subject.resume if begun else subject.begin, folder)
    finish(process)
    return most


def kill_at_random(
    process: subprocess.Popen, folder: Path, rng: random.Random, whole: float
) -> bool:
    """Kill a run some time after it has taken up its work; False if it ended before."""
    if rng.random() < EARLY:
        wait(process, rng.uniform(0, SECONDS))
    else:
        before = last_write(folder)
        while process.poll() is None and last_write(folder) <= before:
            time.sleep(0.002)
        # Now and then even before the first step; mostly a few steps or epochs later.
        wait(process, rng.expovariate(10 / whole))
    ended = process.poll() is not None
    process.kill()
    process.wait()
    return not ended


def wait(process: subprocess.Popen, seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        pass


def last_write(folder: Path) -> int:
    return max((path.stat().st_mtime_ns for path in folder.glob("*.ckpt")), default=0)


def models(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob("*.safetensors"))]


def make_folder(parent: str, name: str) -> Path:
    folder = Path(parent, name)
    folder.mkdir()
    return folder


def start(command: list[str], folder: Path) -> subprocess.Popen:
    words = [sys.executable, "-m", "ocrlstm", *(w.replace(FOLDER, str(folder)) for w in command)]
    return subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(process: subprocess.Popen) -> None:
    if process.wait() != 0:
        sys.exit(f"exit code {process.returncode} of: {' '.join(process.args)}")


if __name__ == "__main__":
    main()
