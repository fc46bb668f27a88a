"""Lines drawn for the tests, without a font."""

import numpy as np


def drawn_line(rows=50, columns=600, size=14, middle=None, rng_seed=0):
    """Draw "letters": upright strokes about a middle that may wander, (rows, columns) float32.

    Strokes are three pixels wide and seven apart, with a gap after five; every third is taller.
    """
    image = np.zeros((rows, columns), np.float32)
    middle = np.full(columns, rows / 2) if middle is None else np.asarray(middle)
    for number, left in enumerate(range(5, columns - 8, 7)):
        if number % 6 == 5:
            continue
        half = size // 2 + (4 if number % 3 == 0 else 0)
        for x in range(left, left + 3):
            top = max(int(round(middle[x] - half)), 0)
            image[top : int(round(middle[x] + half)) + 1, x] = 1.0
    return image


def ink_middles(pixels, parts=12):
    """Give the mean row of the ink in each of some equal parts of a line."""
    rows = np.arange(pixels.shape[0])[:, None]
    return np.array(
        [(rows * part).sum() / part.sum() for part in np.array_split(pixels, parts, axis=1)]
    )
