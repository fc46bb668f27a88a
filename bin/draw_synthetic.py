"""Draw what ocrlstm generate makes: lines of each kind of a recipe, and each effect alone.

    bin/draw-synthetic build/fonts docs/synthetic

FONTS holds the fonts of all recipes (bin/fetch-fonts). The texts are this file's own.
"""

import argparse
import tempfile
from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image

from ocrlstm.datasets.synthesis import (
    EFFECTS,
    Effect,
    Kind,
    LineMaker,
    Mix,
    Recipe,
    TextSource,
    read_catalogue,
    read_recipe,
)
from ocrlstm.kernels.threads import set_thread_count

RECIPES = Path(__file__).parent / "recipes"
PLAIN = "The harbour lay quiet that morning; nobody had seen the 1,874 barrels of the old ship."
LONG_S = (
    "Das Waſſer ſtieg raſch, und die Häuſer am Ufer ſtanden bald im naſſen Laub⸗ und Roſengarten."
)
EARLY = "& ſi quelquvn de ces pãures gens ſ'aduançoit vers la maiſon, il trouuoit toſt vne porte"
WIDTH = 900
GROUND = 205
GAP = 4
# Levels of grey in the files: as many as the eye needs.
LEVELS = 16
NOTHING = {name: Effect(0.0) for name in EFFECTS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("fonts", type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    set_thread_count(1)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for file in sorted(RECIPES.glob("*.toml")):
        save(draw_kinds(read_recipe(file), arguments.fonts), arguments.folder / f"{file.stem}.png")
    save(draw_effects(arguments.fonts), arguments.folder / "effects.png")


def draw_kinds(recipe: Recipe, fonts: Path) -> list[np.ndarray]:
    """Two lines of each kind, with the text that suits it."""
    lines = []
    mix = Mix(0, 0, 0, 0, 0, 0)
    for kind in recipe.kinds:
        long_s = any("fraktur" in name or "longs" in name for name in kind.texts)
        early = any("early" in name for name in kind.texts)
        text = LONG_S if long_s else EARLY if early else PLAIN
        lines += draw(replace(recipe, mix=mix), replace(kind, texts=()), text, fonts, 2)
    return lines


def draw_effects(fonts: Path) -> list[np.ndarray]:
    """A line with no effect, then lines with each alone."""
    kind = Kind("serif", fonts=("EBGaramond12-Regular",), x_height=(15, 15), clean=0.0)
    lines = []
    for name in ("", *EFFECTS):
        effects = {**NOTHING, name: Effect(1.0, 1.6)} if name else NOTHING
        recipe = Recipe((TextSource("t", ""),), effects=effects, mix=Mix(0, 0, 0, 0, 0, 0))
        text = f"{name or 'nothing'}: the harbour lay quiet that morning; nobody had seen the ship"
        lines += draw(recipe, kind, text, fonts, 1)
    return lines


def draw(
    recipe: Recipe, kind: Kind, text: str, fonts: Path, count: int, seed: int = 1
) -> list[np.ndarray]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "text.txt"
        file.write_text(text, "utf-8")
        only = replace(recipe, texts=(TextSource("t", str(file)),), kinds=(kind,))
        maker = LineMaker(only, read_catalogue(only.kinds, [fonts]), seed)
        drawn = [maker.draw(number) for number in range(count)]
    return [line.pixels for line in drawn if hasattr(line, "pixels")]


def save(lines: list[np.ndarray], path: Path) -> None:
    rows = []
    for pixels in lines:
        row = np.full((len(pixels) + GAP, WIDTH), GROUND, np.uint8)
        row[: len(pixels), : pixels.shape[1]] = pixels[:, :WIDTH]
        rows.append(row)
    sheet = np.vstack(rows).astype(np.float32) / 255
    picture = Image.fromarray(np.rint(sheet * (LEVELS - 1)).astype(np.uint8), "P")
    picture.putpalette([255 * level // (LEVELS - 1) for level in range(LEVELS) for _ in range(3)])
    picture.save(path, bits=4, optimize=True)


if __name__ == "__main__":
    main()
