"""``ocrlstm augment``: look at the distortions that training shows the network."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import numpy as np

from ocrlstm.cli.console import Reporter
from ocrlstm.cli.options import max_pixels_option, paths_argument
from ocrlstm.cli.outputs import output_names, prepare_folder
from ocrlstm.cli.train import training_options
from ocrlstm.cli.training_request import make_config
from ocrlstm.datasets import find_images
from ocrlstm.errors import OcrError
from ocrlstm.image import png_bytes, read_image
from ocrlstm.lines import DISTORTIONS, augment, distort, draw_sheet, normalize_line
from ocrlstm.network import write_atomically
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import check_spec

__all__ = ["command"]

_SETTINGS = ("height", "normalizer", "range", "augment", "distortions")
_OTHERS = [field.name for field in fields(TrainingConfig) if field.name not in _SETTINGS]

# So many of the lines given are held in memory to be lent to each other.
_LENT = 256

Reader = Callable[[Path], np.ndarray]


@click.command(name="augment", short_help="Look at the distortions of training lines.")
@paths_argument
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    required=True,
    help="Write a sheet NAME.png for each image into this folder.",
)
@click.option(
    "--copies",
    metavar="N",
    type=click.IntRange(1, 1000),
    default=10,
    show_default=True,
    help="Distorted copies on a sheet.",
)
@click.option(
    "--each",
    is_flag=True,
    help="A sheet NAME.DISTORTION.png for every distortion, with that one alone and for certain.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Another seed, other copies.",
)
@training_options(*_OTHERS)
@max_pixels_option
def command(
    paths: tuple[str, ...],
    output: Path,
    copies: int,
    each: bool,
    seed: int,
    max_pixels: int,
    **settings: Any,
) -> int:
    """Look at the distortions that training shows the network.

    On each sheet stands first the line as it is read, then distorted copies of it, with the
    strengths that training would take of the same options. The images lend each other what lies
    beside and behind a line.
    """
    config = make_config({name: value for name, value in settings.items() if value is not None})
    _, normalizer = check_spec(config)
    images = find_images(paths)
    suffixes = [f".{name}.png" for name in DISTORTIONS] if each else [".png"]
    names = [output_names(images, suffix) for suffix in suffixes]
    prepare_folder(output)

    @functools.lru_cache(_LENT)
    def read(image: Path) -> np.ndarray:
        return normalize_line(read_image(image, max_pixels=max_pixels), normalizer).pixels

    failed = 0
    with Reporter("distorting", len(images)) as reporter:
        for number, image in enumerate(images):
            try:
                line = read(image)
            except OcrError as error:
                failed += 1
                reporter.note(str(error))
            else:
                lend = functools.partial(_lend, images, read, line)
                rngs = [np.random.default_rng([seed, number, copy]) for copy in range(copies)]
                sheets = _draw_sheets(line, config, each, rngs, lend)
                for targets, sheet in zip(names, sheets, strict=True):
                    target = output / targets[number]
                    target.parent.mkdir(parents=True, exist_ok=True)
                    write_atomically(target, png_bytes(sheet, tallest=sheet.shape[0]))
            reporter.advance()
    if failed == len(images):
        return 2
    return 1 if failed else 0


def _draw_sheets(
    line: np.ndarray,
    config: TrainingConfig,
    each: bool,
    rngs: list[np.random.Generator],
    lend: Callable[[np.random.Generator], np.ndarray],
) -> Iterator[np.ndarray]:
    """Yield a sheet with everything, or one for each distortion."""
    if not each:
        everything = config.augment, config.distortions, lend
        yield draw_sheet([line, *(augment(line, rng, *everything) for rng in rngs)])
        return
    for name in DISTORTIONS:
        strength = config.augment * config.distortions.get(name, 1.0)
        yield draw_sheet([line, *(distort(name, line, rng, strength, lend) for rng in rngs)])


def _lend(
    images: list[Path], read: Reader, line: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """Return one of the lines given; where its image cannot be read, the line itself."""
    try:
        return read(images[int(rng.integers(len(images)))])
    except OcrError:
        return line
