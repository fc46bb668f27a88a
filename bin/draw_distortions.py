"""Draw every distortion of training lines at half, single and double strength.

    bin/draw-distortions docs/distortions

Of a few random numbers those are drawn with which it changes the line most. `all.png` shows lines
as training shows them.
"""

import argparse
from pathlib import Path

import numpy as np
from PIL import Image

from ocrlstm.image import read_image
from ocrlstm.lines import DISTORTIONS, LineNormalizer, augment, distort, draw_sheet, normalize_line

SAMPLE = Path(__file__).parents[1] / "training-data" / "sample"
LINE, OTHER = "line-00006", "line-00005"
COLUMNS = 456
STRENGTHS = (0.5, 1.0, 2.0)
SEEDS = 12
COPIES = 8
# Levels of grey in the files: as many as the eye needs.
LEVELS = 16


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--line", type=Path, default=SAMPLE / f"{LINE}.png")
    parser.add_argument("--other", type=Path, default=SAMPLE / f"{OTHER}.png")
    arguments = parser.parse_args()
    line, other = (read_line(path) for path in (arguments.line, arguments.other))
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for name in DISTORTIONS:
        seed = max(range(SEEDS), key=lambda seed: change(line, draw(name, line, seed, 1.0, other)))
        sheet = draw_sheet([draw(name, line, seed, strength, other) for strength in STRENGTHS])
        save(sheet, arguments.folder / f"{name}.png")
    rngs = (np.random.default_rng(seed) for seed in range(COPIES))
    copies = [augment(line, rng, 1.0, None, lambda rng: other) for rng in rngs]
    save(draw_sheet([line, *copies]), arguments.folder / "all.png")


def read_line(path: Path) -> np.ndarray:
    """Read the beginning of a line, with paper at its end as at its beginning."""
    normalizer = LineNormalizer(height=40, range=3.0)
    pixels = normalize_line(read_image(path), normalizer).pixels[:, :COLUMNS]
    pixels[:, -normalizer.padding :] = 0.0
    return pixels


def draw(name: str, line: np.ndarray, seed: int, strength: float, other: np.ndarray) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return distort(name, line, rng, strength, lambda rng: other)


def change(line: np.ndarray, distorted: np.ndarray) -> float:
    """Tell how far two lines differ, their widths first."""
    columns = abs(line.shape[1] - distorted.shape[1])
    return columns if columns else float(np.abs(line - distorted).mean())


def save(sheet: np.ndarray, path: Path) -> None:
    grey = np.rint((1 - sheet) * (LEVELS - 1)).astype(np.uint8)
    picture = Image.fromarray(grey, "P")
    picture.putpalette([255 * level // (LEVELS - 1) for level in range(LEVELS) for _ in range(3)])
    picture.save(path, bits=4, optimize=True)


if __name__ == "__main__":
    main()
