"""What else is on the paper: its own texture, the back of the leaf, rules, dirt.

All stay between the ends of the text, for beyond lies the padding, in which the network never
meets anything.
"""

import numpy as np

from ocrlstm.lines.distortions.extent import ink_columns
from ocrlstm.lines.distortions.noise import smooth_cloud
from ocrlstm.lines.distortions.scan import smooth

__all__ = ["add_rules", "add_specks", "add_texture", "bleed_through"]

_MOST_DARKNESS = 0.6  # of paper, whatever the strength: the text stays darker


def add_texture(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Let grainy clouds of darker paper and some fibres show."""
    first, last = ink_columns(pixels)
    if first == last:
        return pixels.copy()
    height, width = pixels.shape[0], last - first
    paper = smooth_cloud(rng, height, width, rng.uniform(0.3, 1.5) * max(height, 8))
    paper *= np.float32(min(rng.uniform(0.1, 0.3) * strength, _MOST_DARKNESS))
    grain = rng.random((height, width), np.float32)
    grain -= np.float32(0.5)
    grain *= np.float32(rng.uniform(0.0, 0.4) * strength)
    paper += grain
    np.clip(paper, 0.0, _MOST_DARKNESS, out=paper)
    _add_fibres(paper, rng, strength)
    return _shine_through(pixels, paper, first, last)


def bleed_through(
    pixels: np.ndarray, rng: np.random.Generator, strength: float, other: np.ndarray
) -> np.ndarray:
    """Let the back of the leaf show: another line, mirrored, blurred, faint."""
    first, last = ink_columns(pixels)
    if first == last:
        return pixels.copy()
    height, width = pixels.shape[0], last - first
    columns = (np.arange(width) + int(rng.integers(other.shape[1]))) % other.shape[1]
    rows = (np.arange(height) + int(rng.integers(height))) % height
    ghost = smooth(other[rows[:, None], columns[::-1]], np.float32(rng.uniform(0.1, 0.3)))
    ghost *= np.float32(min(rng.uniform(0.08, 0.3) * strength, _MOST_DARKNESS))
    return _shine_through(pixels, ghost, first, last)


def add_rules(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Draw a faint rule anywhere, a dark one above or below the letters, or one across.

    Rules along the line are a row or two high, may rise or fall a little, and go from end to end or
    over a part.
    """
    first, last = ink_columns(pixels)
    pixels = pixels.copy()
    if first == last:
        return pixels
    height = pixels.shape[0]
    where = rng.random()
    faint = np.float32(min(rng.uniform(0.1, 0.35) * strength, _MOST_DARKNESS))
    dark = np.float32(min(rng.uniform(0.4, 0.9) * strength, 1.0))
    if where < 0.2:
        column = int(rng.integers(first, last))
        np.maximum(pixels[:, column], dark, out=pixels[:, column])
        return pixels
    begin, end = first, last
    if rng.random() < 0.5:
        begin, end = np.sort(rng.integers(first, last + 1, 2))
    level = rng.uniform(0.0, 1.0) if where < 0.6 else rng.choice([0.05, 0.8]) + rng.uniform(0, 0.15)
    rise = rng.uniform(-0.004, 0.004) * np.arange(end - begin)
    rows = (level * height + rise).astype(int)
    columns = np.arange(begin, end)
    for row in (rows, rows + 1)[: 1 + int(rng.random() < 0.3)]:
        there = (row >= 0) & (row < height)
        place = row[there], columns[there]
        pixels[place] = np.maximum(pixels[place], faint if where < 0.6 else dark)
    return pixels


def add_specks(pixels: np.ndarray, rng: np.random.Generator, strength: float) -> np.ndarray:
    """Drop specks of dirt on the line and holes into its ink, of one to four pixels."""
    pixels = pixels.copy()
    height, width = pixels.shape
    count = int(rng.uniform(0.0005, 0.003) * strength * pixels.size) + 1
    tops, lefts = rng.integers(0, height, count), rng.integers(0, width, count)
    values = rng.uniform(0.3, 1.0, count).astype(np.float32) * (rng.random(count) < 0.4)
    wide, high = rng.random((2, count)) < 0.4
    first, last = ink_columns(pixels)
    inside = (lefts >= first) & (lefts < last)
    pixels[tops[inside], lefts[inside]] = values[inside]
    for more, down, right in ((wide, 0, 1), (high, 1, 0), (wide & high, 1, 1)):
        chosen = inside & more & (tops + down < height) & (lefts + right < last)
        pixels[tops[chosen] + down, lefts[chosen] + right] = values[chosen]
    return pixels


def _add_fibres(paper: np.ndarray, rng: np.random.Generator, strength: float) -> None:
    """Draw thin curved strokes on the paper, in place."""
    height, width = paper.shape
    count = int(rng.uniform(0.0, 0.6) * width / height)
    t = np.arange(int(0.6 * height) + 1)
    angle, curve = rng.uniform(0.0, 2 * np.pi, count), rng.uniform(-2.0, 2.0, count) / height
    turned = angle[:, None] + curve[:, None] * t
    rows = (rng.uniform(0, height, (count, 1)) + np.cumsum(np.sin(turned), axis=1)).astype(int)
    columns = (rng.uniform(0, width, (count, 1)) + np.cumsum(np.cos(turned), axis=1)).astype(int)
    drawn = t < rng.uniform(0.2, 0.6, (count, 1)) * height
    drawn &= (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    darkness = min(rng.uniform(0.1, 0.4) * strength, _MOST_DARKNESS)
    paper[rows[drawn], columns[drawn]] = darkness


def _shine_through(pixels: np.ndarray, paper: np.ndarray, first: int, last: int) -> np.ndarray:
    """Lay the ink over darker paper between two columns."""
    result = pixels.copy()
    result[:, first:last] += paper * (1 - pixels[:, first:last])
    return result
