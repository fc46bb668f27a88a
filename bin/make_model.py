"""Make the model of a recipe: fonts, drawn lines, training. Called by bin/make-model.

Everything is kept in the folder, and what is there already is not done again:

    fonts/               the recipe's packages
    drawn.pack           the drawn lines
    validation.pack      drawn lines for validation, where the recipe names no real ones
    real-*.txt           the real lines, one in ten of them held back for validation
    train.toml           the settings of the recipe, with these paths
    model.safetensors    the model, and its checkpoint while it is trained
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import zlib
from pathlib import Path

from ocrlstm.datasets import find_images
from ocrlstm.datasets.synthesis import Recipe, read_recipe
from ocrlstm.errors import OcrError
from ocrlstm.training.toml_writing import format_toml

HELD_BACK = 10
VALIDATION_LINES = 300
VALIDATION_SEED = 1


def main() -> None:
    parser = argparse.ArgumentParser(prog="make-model", description=__doc__.split("\n")[0])
    parser.add_argument("recipe", type=Path, metavar="RECIPE.toml")
    parser.add_argument("texts", type=Path, metavar="TEXTS", help="folder of texts and real lines")
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    arguments = parser.parse_args()
    try:
        make_model(arguments.recipe, arguments.texts, arguments.folder)
    except (OcrError, OSError) as error:
        print(f"make-model: {error}", file=sys.stderr)
        sys.exit(2)


def make_model(file: Path, texts: Path, folder: Path) -> None:
    recipe = read_recipe(file, [texts])
    folder.mkdir(parents=True, exist_ok=True)
    fonts = folder / "fonts"
    if recipe.packages.debian or recipe.packages.npm:
        run([sys.executable, str(Path(__file__).parent / "fetch_fonts.py"), str(file), str(fonts)])
    drawn = draw(folder / "drawn.pack", file, texts, fonts, recipe)
    training, validation = split_real(recipe, folder)
    if not validation:
        more = ["-n", str(VALIDATION_LINES), "--seed", str(VALIDATION_SEED)]
        validation = [draw(folder / "validation.pack", file, texts, fonts, recipe, more)]
    model = folder / "model.safetensors"
    checkpoint = model.with_suffix(".ckpt")
    if checkpoint.exists():
        ocrlstm("train", "--resume", str(checkpoint))
        return
    settings = {
        **recipe.training,
        "paths": [str(drawn.absolute()), *training],
        "validation": [str(path) for path in validation],
        "output": str(model.absolute()),
    }
    config = folder / "train.toml"
    config.write_text(format_toml(settings, f"Made of {file.name} by bin/make-model."), "utf-8")
    ocrlstm("train", "--config", str(config))


def draw(
    pack: Path, file: Path, texts: Path, fonts: Path, recipe: Recipe, more: list[str] | None = None
) -> Path:
    """Draw a pack in the form that the recipe's training needs."""
    if not pack.exists():
        form = []
        for name in ("normalizer", "range", "normal_form", "text_rules"):
            value = recipe.training.get(name, [])
            for one in value if isinstance(value, list) else [value]:
                form += [f"--{name.replace('_', '-').removesuffix('s')}", str(one)]
        height = height_of(recipe)
        options = ["--recipe", str(file), "--fonts", str(fonts), "--text", str(texts)]
        ocrlstm("generate", *options, "-o", str(pack), *height, *form, *(more or []))
    return pack


def height_of(recipe: Recipe) -> list[str]:
    """Return the option for the height of the lines, which the spec begins with."""
    spec = recipe.training.get("spec", "")
    parts = spec.strip("[ ").split(",")
    return ["--height", parts[1]] if len(parts) > 1 else []


def split_real(recipe: Recipe, folder: Path) -> tuple[list[str], list[str]]:
    """List the real lines, and hold some back: the same ones whatever others there are."""
    if not recipe.real:
        return [], []
    lists: dict[bool, list[str]] = {True: [], False: []}
    for image in find_images(recipe.real):
        chosen = zlib.crc32(f"{image.parent.parent.name}/{image.name}".encode()) % HELD_BACK == 0
        lists[chosen].append(str(image.absolute()))
    names = []
    for held_back, name in ((False, "real-training.txt"), (True, "real-validation.txt")):
        (folder / name).write_text("\n".join(lists[held_back]) + "\n", "utf-8")
        names.append([f"@{(folder / name).absolute()}"] if lists[held_back] else [])
    return names[0], names[1]


def ocrlstm(*arguments: str) -> None:
    run([sys.executable, "-m", "ocrlstm", *arguments])


def run(command: list[str]) -> None:
    code = subprocess.run(command).returncode
    # 1 says that some lines were left out, which were told.
    if code not in (0, 1):
        sys.exit(code)


if __name__ == "__main__":
    main()
