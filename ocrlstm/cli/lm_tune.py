"""``ocrlstm lm tune``: the weights with which a language model helps a line model most."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter
from ocrlstm.cli.lm_texts import FILE
from ocrlstm.cli.options import max_pixels_option, model_option, threads_option
from ocrlstm.cli.outputs import prepare_file
from ocrlstm.datasets import find_pairs
from ocrlstm.decoding import WIDEST_BEAM, BeamSearch
from ocrlstm.decoding.language import language_model_bytes, load_language_model, load_words
from ocrlstm.errors import DatasetError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import write_atomically
from ocrlstm.recognition import load_model, tune_weights

__all__ = ["tune_command"]

# Fewer lines leave much to chance.
_ENOUGH_LINES = 50


@click.command(name="tune")
@click.argument("lm", metavar="LM", type=FILE)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@model_option
@click.option("--words", metavar="FILE", type=FILE, help="Tune the weight of this list too.")
@click.option(
    "--beam",
    metavar="N",
    type=click.IntRange(1, WIDEST_BEAM),
    default=BeamSearch.width,
    show_default=True,
    help="Texts that the beam search follows at once.",
)
@click.option(
    "-o", "--output", metavar="LM", type=FILE, help="File to write.  [default: LM itself]"
)
@threads_option
@max_pixels_option
def tune_command(
    lm: Path,
    paths: tuple[str, ...],
    model: str | None,
    words: Path | None,
    beam: int,
    output: Path | None,
    threads: int | None,
    max_pixels: int,
) -> int:
    """Find the weights with which LM helps MODEL most, and keep them in LM.

    PATH is as in evaluate. The lines must be others than the model was trained on, such as those
    given to train as --validation; of more than 500 lines so many are read.
    """
    output = output or lm
    prepare_file(output, "-o")
    set_thread_count(threads)
    language_model = load_language_model(lm)
    listed = None if words is None else load_words(words)
    recognizer = load_model(model, max_pixels=max_pixels)
    faults = 0
    with Reporter("tuning", 0) as reporter:
        found = find_pairs(paths, reporter.set_progress)
        if not found.pairs:
            raise DatasetError(f"{paths[0]}: no line with a text, nothing to tune on")

        def tell(fault: object) -> None:
            nonlocal faults
            faults += 1
            reporter.note(f"left out: {fault}")

        for problem in found.problems:
            tell(problem)
        tuning = tune_weights(
            recognizer,
            language_model,
            found.pairs,
            words=listed,
            width=beam,
            threads=threads,
            progress=reporter.set_progress,
            problem=tell,
        )
        if tuning.lines < _ENOUGH_LINES:
            reporter.note(f"only {tuning.lines} lines: the weights will stay near the defaults")
    facts = {
        "lines": tuning.lines,
        "characters": tuning.characters,
        "edits": {"greedy": tuning.greedy, "before": tuning.before, "after": tuning.after},
        "words": listed is not None,
    }
    tuned = replace(
        language_model,
        weights=tuning.weights,
        metadata={**language_model.metadata, "tuning": facts},
    )
    write_atomically(output, language_model_bytes(tuned))
    weights = ", ".join(f"{k} {v:g}" for k, v in tuning.weights.to_dict().items())
    rates = [f"{e / tuning.characters:.2%}" for e in (tuning.greedy, tuning.before, tuning.after)]
    click.echo(
        f"{output}\t{weights}; CER on {tuning.lines} lines: greedy {rates[0]}, with the weights "
        f"before {rates[1]}, with these {rates[2]}"
    )
    return 1 if faults else 0
