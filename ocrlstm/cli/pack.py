"""``ocrlstm pack``: the normalised lines of pairs in one file, to train on again and again."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.form_options import form_options
from ocrlstm.cli.options import max_pixels_option, paths_argument, threads_option
from ocrlstm.cli.training_request import make_config
from ocrlstm.datasets import LineForm, Packed, Problem, find_pairs, is_pack, write_pack
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import load_model_file
from ocrlstm.recognition import find_model
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import check_spec

__all__ = ["command"]

_HEIGHT = check_spec(TrainingConfig())[1].height


@click.command(name="pack", short_help="Keep normalised lines in one file.")
@paths_argument
@click.option(
    "-o",
    "--output",
    metavar="LINES.pack",
    type=click.Path(path_type=Path),
    required=True,
    help="The pack to write.",
)
@click.option(
    "--from",
    metavar="MODEL",
    help="Make lines and texts as this model needs them, to fine-tune it.",
)
@click.option("--height", metavar="N", type=int, help=f"Height of the lines.  [default: {_HEIGHT}]")
@form_options()
@threads_option
@max_pixels_option
def command(
    paths: tuple[str, ...],
    output: Path,
    threads: int | None,
    max_pixels: int,
    **options: Any,
) -> int:
    """Keep normalised lines and their texts in one file, for `ocrlstm train LINES.pack`.

    Training then reads no images, begins at once, and takes as little memory for 400,000 lines as
    for a thousand. It must be given the same height, normaliser, normal form and text rules; with
    --from they are those of the model to be fine-tuned. PATH is as in train; lines of packs are
    taken over, and pairs that a pack has already are not read again. Ctrl-C keeps what was done as
    LINES.partial.pack.
    """
    use_utf8_output()
    set_thread_count(threads)
    form = _make_form(options)
    with Reporter("packing", 0) as reporter:
        found = find_pairs(paths, reporter.set_progress)
        # That a pack which is gone on with holds a part only is no news.
        problems = [problem for problem in found.problems if not is_pack(problem.path)]
        packed = write_pack(
            output, found.pairs, form, max_pixels=max_pixels, progress=reporter.set_progress
        )
        problems += packed.problems
        _tell(problems, found.without_text, packed, reporter)
    path = packed.pack.path
    click.echo(f"{path}\t{len(packed.pack)} lines")
    if packed.pack.complete:
        return 1 if problems else 0
    word = shlex.quote(str(path))
    click.echo(
        f"ocrlstm: interrupted; go on with the same command and {word} among its paths", err=True
    )
    return 130


def _make_form(options: dict[str, Any]) -> LineForm:
    start = options.pop("from")
    model = None if start is None else load_model_file(find_model(start))
    given = {name: value for name, value in options.items() if value is not None}
    config = make_config(given, model)
    _, normalizer = check_spec(config)
    return LineForm(
        normalizer if model is None else model.normalizer, config.normal_form, config.rules
    )


def _tell(
    problems: Sequence[Problem], without_text: Sequence[Path], packed: Packed, reporter: Reporter
) -> None:
    for problem in problems:
        reporter.note(f"left out: {problem}")
    if without_text:
        count = len(without_text)
        images = "an image has" if count == 1 else f"{count} images have"
        reporter.note(f"left out: {images} no text beside, first {without_text[0]}")
    if packed.taken_over:
        reporter.note(f"{packed.taken_over} lines taken over from packs")
    if packed.known:
        reporter.note(f"{packed.known} lines were there already, with the same name and text")
