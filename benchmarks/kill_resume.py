"""Kill a training run with SIGKILL at random moments, resume it, and compare the model files.

    bin/benchmark kill_resume --kills 20

Prints the size of both models and whether they are the same bytes; exit code 1 if they are not.
Other arguments go to `ocrlstm train`; by default a small network learns the sample lines.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "training-data" / "sample"
SMALL = ["--spec", "[1,48,0,1 Cr3,3,8 Mp2,2 Mp2,2 Lbx32 Do0.5 O1c]", "--epochs", "40"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--pairs", default=str(SAMPLE))
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    arguments, settings = parser.parse_known_args()
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "undisturbed.safetensors"), Path(folder, "killed.safetensors")
        begun = time.monotonic()
        finish(start(arguments.pairs, "-o", one, *(settings or SMALL)))
        whole = time.monotonic() - begun
        print(f"undisturbed: {whole:.1f} s, {one.stat().st_size} bytes", flush=True)
        process = start(arguments.pairs, "-o", other, *(settings or SMALL))
        for number in range(1, arguments.kills + 1):
            if not kill_at_random(process, other.with_suffix(".ckpt"), rng, whole):
                print("the run ended before the last kills; give it more --epochs")
                break
            print(f"kill {number}: {last_epoch(other)} epochs were done", flush=True)
            process = start("--resume", other.with_suffix(".ckpt"))
        finish(process)
        same = one.read_bytes() == other.read_bytes()
    print("the same bytes" if same else "DIFFERENT")
    sys.exit(0 if same else 1)


def start(*arguments: object) -> subprocess.Popen:
    command = [sys.executable, "-m", "ocrlstm", "train", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def finish(process: subprocess.Popen) -> None:
    if process.wait() != 0:
        sys.exit(f"training ended with exit code {process.returncode}: {process.args}")


def kill_at_random(
    process: subprocess.Popen, checkpoint: Path, rng: random.Random, whole: float
) -> bool:
    """Kill a run some time after it has taken up its work; False if it ended before."""
    before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else 0
    while process.poll() is None:
        if checkpoint.exists() and checkpoint.stat().st_mtime_ns > before:
            break
        time.sleep(0.002)
    # Now and then even before the first step; mostly a few steps or epochs later.
    time.sleep(rng.expovariate(20 / whole))
    ended = process.poll() is not None
    process.kill()
    process.wait()
    return not ended


def last_epoch(model: Path) -> int:
    log = model.with_suffix(".csv")
    return max(len(log.read_text().splitlines()) - 1, 0) if log.exists() else 0


if __name__ == "__main__":
    main()
