"""Time the distortions of training lines, all together and each alone."""

import time

import numpy as np

from measuring.machine import threads
from measuring.spread import spread
from measuring.tables import note, print_table
from ocrlstm.lines import DISTORTIONS, augment, distort

HEIGHT, WIDTH, LINES = 40, 600, 300


def measure_distortions() -> None:
    """Print the milliseconds of lines of 40 rows and 600 columns, at strength 1, on one thread.

    Every line draws its own distortions; the median and the spread over the lines are shown, and
    the mean, which is what a run pays. They are those of the processor, so that others on the
    machine count for little.
    """
    line, other = draw_line(0), draw_line(1)
    rows = []
    with threads(1):
        augment(line, np.random.default_rng(0))
        for name in ("all", *DISTORTIONS):
            times = spread(time_line(name, line, other, seed) for seed in range(LINES))
            milliseconds = times.times(1000)
            mean = sum(milliseconds.values) / LINES
            likelihood = "" if name == "all" else f"{DISTORTIONS[name].likelihood:g}"
            rows.append([name, likelihood, milliseconds, f"{mean:.2f}"])
    title = f"Distorting lines of {HEIGHT} x {WIDTH}, strength 1, one thread"
    print_table(title, ("", "likelihood", "ms of the processor", "mean"), rows)
    note("a distortion alone happens for certain here")


def time_line(name: str, line: np.ndarray, other: np.ndarray, seed: int) -> float:
    rng = np.random.default_rng(seed)
    begin = time.thread_time()
    if name == "all":
        augment(line, rng, 1.0, None, lambda rng: other)
    else:
        distort(name, line, rng, 1.0, lambda rng: other)
    return time.thread_time() - begin


def draw_line(seed: int) -> np.ndarray:
    """Draw upright strokes in words, with paper at both ends."""
    rng = np.random.default_rng(seed)
    line = np.zeros((HEIGHT, WIDTH), np.float32)
    left = 16
    while left < WIDTH - 24:
        top = 4 if rng.random() < 0.3 else 12
        line[top:29, left : left + 3] = 1.0
        left += int(rng.choice([6, 7, 8, 16], p=[0.3, 0.3, 0.25, 0.15]))
    return line
