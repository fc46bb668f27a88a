"""``ocrlstm generate``: lines drawn with fonts, to train on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.form_options import form_options
from ocrlstm.cli.options import threads_option
from ocrlstm.cli.training_request import make_config
from ocrlstm.datasets import LineForm
from ocrlstm.datasets.pack import PACK_SUFFIX
from ocrlstm.datasets.synthesis import (
    Catalogue,
    Kind,
    LineMaker,
    Recipe,
    TextSource,
    generate_folder,
    generate_pack,
    read_catalogue,
    read_recipe,
)
from ocrlstm.errors import DatasetError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.training.material import check_spec

__all__ = ["command"]

_LENGTH = (15, 90)
# Where Debian puts fonts.
_FOLDERS = ("/usr/share/fonts", "/usr/share/texmf/fonts/opentype", "/usr/local/share/fonts")
_PROBLEMS_TOLD = 20


@click.command(name="generate", short_help="Draw lines with fonts, to train on.")
@click.option(
    "--recipe",
    "recipe_file",
    metavar="FILE.toml",
    type=click.Path(path_type=Path),
    help="What to draw, with which fonts, and how worn; bin/recipes/ has some.",
)
@click.option(
    "--fonts",
    metavar="DIR",
    multiple=True,
    help="Folder of fonts, searched through; may be given again.  [default: the system's]",
)
@click.option(
    "--text",
    "texts",
    metavar="FILE",
    multiple=True,
    help="UTF-8 lines to draw; may be given again. With --recipe a folder of its texts.",
)
@click.option("-n", "--number", metavar="N", type=click.IntRange(min=1), help="Lines to draw.")
@click.option(
    "-o",
    "--output",
    metavar="LINES.pack|DIR",
    type=click.Path(path_type=Path),
    help="A pack of normalised lines, or a new folder of NAME.png with NAME.gt.txt.",
)
@click.option(
    "--seed",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Another seed, other lines.",
)
@click.option(
    "--wear",
    metavar="X",
    type=click.FloatRange(0, 3),
    default=1.0,
    show_default=True,
    help="Factor of everything that makes lines look worn; 0: as on a screen.",
)
@click.option(
    "--kind", "kinds", metavar="NAME", multiple=True, help="Draw only this kind of the recipe."
)
@click.option("--list-fonts", is_flag=True, help="Draw nothing; list the fonts of every kind.")
@click.option("--height", metavar="N", type=int, help="Height of the lines of a pack.")
@form_options()
@threads_option
def command(
    recipe_file: Path | None,
    fonts: tuple[str, ...],
    texts: tuple[str, ...],
    number: int | None,
    output: Path | None,
    seed: int,
    wear: float,
    kinds: tuple[str, ...],
    list_fonts: bool,
    threads: int | None,
    **options: Any,
) -> int:
    """Draw lines with fonts, to train on.

    Each line is drawn only with a font that has all of its characters, set as printers, typists or
    computers do, and worn like a scan. Without --recipe every font is as likely, and the texts are
    cut into lines of 15 to 90 characters. The text of a line follows the normal form and
    --text-rule: with long_s it says s where the picture shows ſ. The same recipe, fonts, texts and
    seed give the same lines, whatever --threads says. Ctrl-C keeps what was drawn.
    """
    use_utf8_output()
    set_thread_count(threads)
    recipe = _choose_kinds(_make_recipe(recipe_file, texts, list_fonts), kinds)
    folders = fonts or [folder for folder in _FOLDERS if Path(folder).is_dir()]
    with Reporter("looking at fonts", 0) as reporter:
        catalogue = read_catalogue(recipe.kinds, folders, reporter.set_progress)
        if list_fonts:
            _list_fonts(catalogue, reporter)
            return 0
        if output is None:
            raise click.UsageError("Missing option '-o' / '--output'.")
        return _draw(recipe, catalogue, number, output, seed, wear, _make_form(options), reporter)


def _draw(
    recipe: Recipe,
    catalogue: Catalogue,
    number: int | None,
    output: Path,
    seed: int,
    wear: float,
    form: LineForm,
    reporter: Reporter,
) -> int:
    if catalogue.problems:
        count = len(catalogue.problems)
        fonts = "1 font is" if count == 1 else f"{count} fonts are"
        reporter.note(f"{fonts} of no use; --list-fonts tells why")
    generate = generate_pack if output.suffix == PACK_SUFFIX else generate_folder
    maker = LineMaker(recipe, catalogue, seed, wear)
    count = recipe.number if number is None else number
    done = generate(output, maker, count, form, progress=reporter.set_progress)
    for problem in done.problems[:_PROBLEMS_TOLD]:
        reporter.note(f"left out: {problem}")
    if len(done.problems) > _PROBLEMS_TOLD:
        reporter.note(f"left out: {len(done.problems) - _PROBLEMS_TOLD} lines more")
    click.echo(f"{done.path}\t{done.lines} lines")
    if done.complete:
        return 1 if done.problems else 0
    click.echo(f"ocrlstm: interrupted; {done.lines} of {count} lines are in {done.path}", err=True)
    return 130


def _make_recipe(file: Path | None, texts: tuple[str, ...], list_fonts: bool) -> Recipe:
    if file is not None:
        return read_recipe(file, texts)
    if list_fonts and not texts:
        return Recipe((TextSource("none", ""),))
    if not texts:
        raise click.UsageError("Nothing to draw: give --text FILE or --recipe FILE.toml.")
    sources = tuple(
        TextSource(f"{number} {Path(text).name}", text, length=_LENGTH)
        for number, text in enumerate(texts, 1)
    )
    return Recipe(sources)


def _choose_kinds(recipe: Recipe, names: tuple[str, ...]) -> Recipe:
    if not names:
        return recipe
    known = {kind.name: kind for kind in recipe.kinds}
    for name in names:
        if name not in known:
            raise DatasetError(f"no kind is named {name!r}; there are {', '.join(known)}")
    chosen: list[Kind] = [kind for kind in recipe.kinds if kind.name in names]
    return replace(recipe, kinds=tuple(chosen))


def _list_fonts(catalogue: Catalogue, reporter: Reporter) -> None:
    for fonts in catalogue.kinds:
        for family in fonts.families:
            for face in family:
                count = len(face.characters)
                click.echo(f"{fonts.kind.name}\t{face.family}\t{face.name}\t{count} characters")
    for problem in catalogue.problems:
        reporter.note(str(problem))


def _make_form(options: dict[str, Any]) -> LineForm:
    config = make_config({name: value for name, value in options.items() if value is not None})
    return LineForm(check_spec(config)[1], config.normal_form, config.rules)
