"""Section ``latency``: how long one line takes, from image to text, with the model loaded."""

from typing import Any

import numpy as np
from PIL import Image

from measuring import turns
from measuring.machine import threads
from measuring.options import Options
from measuring.tables import note, print_table
from ocrlstm import load_model
from ocrlstm.datasets import find_images
from ocrlstm.image import read_image
from ocrlstm.lines import normalize_line

WIDTH = 600


def run(options: Options) -> dict[str, Any]:
    model = load_model()
    image = cut_line(options)
    columns = normalize_line(read_image(image), model.model.normalizer).pixels.shape[1]
    counts = sorted({1, options.threads})
    functions = {count: lambda: model.recognize(image) for count in counts}
    times = turns.in_turns(functions, options.repeats, threads)
    size = f"{image.shape[1]}x{image.shape[0]} pixels ({columns} columns)"
    rows = [[f"threads: {count}", seconds.times(1000)] for count, seconds in times.items()]
    print_table(f"One line of {size}, model loaded", ("", "ms"), rows)
    note("recognize(image) of a loaded model: normalisation, network, decoding")
    return {
        "pixels": list(image.shape[::-1]),
        "columns": columns,
        "milliseconds_by_threads": {
            str(count): seconds.times(1000).record() for count, seconds in times.items()
        },
    }


def cut_line(options: Options) -> np.ndarray:
    """Return the first line image that is wide enough, cut to 600 pixels; else the first line."""
    images = find_images([options.lines])
    for path in images:
        with Image.open(path) as image:
            if image.width >= WIDTH:
                return np.asarray(image.convert("L"))[:, :WIDTH]
    with Image.open(images[0]) as image:
        return np.asarray(image.convert("L"))
