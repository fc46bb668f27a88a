"""``ocrlstm calibrate``: make the confidences of a model come true."""

from __future__ import annotations

from pathlib import Path

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.options import max_pixels_option, threads_option
from ocrlstm.cli.outputs import prepare_file
from ocrlstm.datasets import check_pairs, find_pairs
from ocrlstm.errors import DatasetError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import load_model_file, save_model
from ocrlstm.recognition import find_model
from ocrlstm.training import calibrate

__all__ = ["command"]

# From fewer lines the temperature can hardly be told, and stays near 1.
_ENOUGH_LINES = 20


@click.command(name="calibrate", short_help="Make the confidences of a model come true.")
@click.argument("model", metavar="MODEL")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    metavar="MODEL.safetensors",
    type=click.Path(path_type=Path),
    required=True,
    help="The model file to write; may be MODEL itself.",
)
@threads_option
@max_pixels_option
def command(
    model: str, paths: tuple[str, ...], output: Path, threads: int | None, max_pixels: int
) -> int:
    """Fit the temperature of MODEL to lines with ground truth, so that its confidences come true.

    Training does this by itself, on the lines that it holds back. PATH is as in evaluate; the lines
    must be others than the model was trained on, of which it reads more than of others. Of more
    than 2,000 lines so many are read. Texts and their errors stay the same, only confidences
    change.
    """
    use_utf8_output()
    if output.suffix != ".safetensors":
        raise click.UsageError(f"{output}: a model file ends in .safetensors; name it so with -o")
    prepare_file(output, "-o")
    set_thread_count(threads)
    before = load_model_file(find_model(model))
    with Reporter("reading", 0) as reporter:
        found = find_pairs(paths, reporter.set_progress)
        samples, problems = check_pairs(
            found.pairs,
            before.normalizer,
            before.codec.normal_form,
            before.rules,
            max_pixels,
            reporter.set_progress,
        )
        for problem in (*found.problems, *problems):
            reporter.note(f"left out: {problem}")
        if not samples:
            raise DatasetError(f"{paths[0]}: no line with a text, nothing to calibrate on")
        if len(samples) < _ENOUGH_LINES:
            reporter.note(f"only {len(samples)} lines: the temperature will stay near 1")
        fit = calibrate(before, samples, progress=reporter.set_progress)
    save_model(fit.model, output)
    click.echo(
        f"{output}\ttemperature {fit.model.temperature:g}, fitted on {fit.lines} lines; on them "
        f"the calibration error goes from {fit.before.ece_equal_width:.2%} to "
        f"{fit.after.ece_equal_width:.2%} of {fit.after.characters} characters read"
    )
    return 1 if found.problems or problems else 0
