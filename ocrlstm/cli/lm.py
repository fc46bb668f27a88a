"""``ocrlstm lm``: language models for the beam search."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.options import max_pixels_option, model_option, threads_option
from ocrlstm.cli.outputs import prepare_file
from ocrlstm.datasets import find_pairs
from ocrlstm.decoding import WIDEST_BEAM, BeamSearch
from ocrlstm.decoding.language import (
    ORDERS,
    build_language_model,
    check_text,
    find_texts,
    language_model_bytes,
    load_language_model,
    load_words,
    read_lines,
)
from ocrlstm.errors import DatasetError, LanguageModelError
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import load_model_file, write_atomically
from ocrlstm.recognition import find_model, load_model, tune_weights
from ocrlstm.text import (
    NORMAL_FORMS,
    PRESETS,
    RULES,
    base_direction,
    describe_rules,
    read_rules,
    spell_all,
)

__all__ = ["command"]

_FILE = click.Path(path_type=Path)
# Enough to tell the direction of a text.
_FIRST_LINES = 2000
_LINES_BETWEEN_PROGRESS = 1000
# Fewer lines leave much to chance.
_ENOUGH_LINES = 50

texts_argument = click.argument("texts", metavar="TEXT...", nargs=-1, required=True, type=_FILE)


@click.group(name="lm", short_help="Make and tune language models for the beam search.")
def command() -> None:
    """Make, look at and tune character n-gram models for `recognize --lm`.

    TEXT is a UTF-8 file, or a folder whose .txt files are taken.
    """
    use_utf8_output()


@command.command(name="build")
@texts_argument
@click.option("-o", "--output", metavar="LM", type=_FILE, required=True, help="File to write.")
@click.option(
    "-m",
    "--model",
    metavar="MODEL",
    help="Line model to build it for: spelling, direction and text rules are taken from it.",
)
@click.option(
    "--order",
    metavar="N",
    type=click.IntRange(ORDERS[0], ORDERS[-1]),
    default=6,
    show_default=True,
    help="Length of the longest n-grams in characters.",
)
@click.option(
    "--prune",
    metavar="N",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Leave out n-grams of three characters and more that occur so often or less.",
)
@click.option(
    "--normal-form", type=click.Choice(NORMAL_FORMS), help="Of the texts.  [default: NFC]"
)
@click.option(
    "--unit",
    type=click.Choice(["grapheme", "codepoint"]),
    help="What one symbol stands for.  [default: grapheme]",
)
@click.option(
    "--direction",
    type=click.Choice(["ltr", "rtl"]),
    help="Of the lines.  [default: that of most letters]",
)
@click.option(
    "--text-rule",
    "text_rules",
    type=click.Choice([*PRESETS, *RULES]),
    metavar="NAME",
    multiple=True,
    help="Bring the texts into one spelling by this rule; may be given several times.",
)
@click.option(
    "--text-table", type=_FILE, metavar="FILE", help="Own rules: from<TAB>to a line, UTF-8."
)
def build_command(
    texts: tuple[Path, ...],
    output: Path,
    model: str | None,
    order: int,
    prune: int,
    normal_form: str | None,
    unit: str | None,
    direction: str | None,
    text_rules: tuple[str, ...],
    text_table: Path | None,
) -> int:
    """Build a language model of TEXT, with modified Kneser-Ney smoothing.

    Give texts like those to be read: of their language, time and spelling. Where lines are broken
    does not matter.
    """
    prepare_file(output, "-o")
    if model is not None and (normal_form or unit or direction or text_rules or text_table):
        raise click.UsageError("-m gives spelling and direction; leave the other option out")
    rules = read_rules(text_rules, text_table)
    if model is not None:
        line_model = load_model_file(find_model(model))
        codec, rules = line_model.codec, line_model.rules
        normal_form, unit, direction = codec.normal_form, codec.unit, codec.direction
    files = find_texts(texts)
    with Reporter("reading texts", 0) as reporter:
        usable = _usable(files, reporter)
        if direction is None:
            lines = (line for file in usable for line in read_lines(file))
            direction = base_direction(islice(lines, _FIRST_LINES))
        built = build_language_model(
            _all_lines(usable, reporter),
            order=order,
            prune=prune,
            unit=unit or "grapheme",
            normal_form=normal_form or "NFC",
            direction=direction,
            rules=rules,
            metadata={"texts": [file.name for file in usable]},
            progress=reporter.set_progress,
        )
        if dropped := built.metadata["dropped"]:
            reporter.note(
                f"the rarest characters have no place in {order}-grams and count as unknown: "
                f"{spell_all(dropped)}; a lower --order takes more"
            )
    content = language_model_bytes(built)
    write_atomically(output, content)
    click.echo(
        f"{output}\t{len(content) / 1e6:.1f} MB, {built.metadata['text_length']} characters of "
        f"text, perplexity {_perplexity(built.mean):.2f} a character"
    )
    return 1 if len(usable) < len(files) else 0


@command.command(name="show")
@click.argument("lm", metavar="LM", type=_FILE)
def show_command(lm: Path) -> None:
    """Show what a language model is made of."""
    model = load_language_model(lm)
    codec, facts = model.alphabet.codec, model.metadata
    rows = {
        "file": f"{lm}, {lm.stat().st_size / 1e6:.1f} MB",
        "order": model.order,
        "n-grams": ", ".join(map(str, model.level_sizes)),
        "smoothing": "modified Kneser-Ney",
        "characters": "".join(codec.labels),
        "spelling": f"{codec.unit}, {codec.normal_form}, {codec.direction}",
        "text rules": describe_rules(model.alphabet.rules) or "none",
        "perplexity": f"{_perplexity(model.mean):.3f} a character, on text held back",
        "weights": ", ".join(f"{k} {v:g}" for k, v in model.weights.to_dict().items()),
        **facts,
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        click.echo(f"{name:<{width}}  {value}")


@command.command(name="score")
@click.argument("lm", metavar="LM", type=_FILE)
@texts_argument
def score_command(lm: Path, texts: tuple[Path, ...]) -> int:
    """Tell how well a language model foretells TEXT: its perplexity a character.

    A low one means that it suits: with 4, each character is as hard to guess as one of four that
    are equally likely. Spaces at line ends count as characters.
    """
    model = load_language_model(lm)
    files = find_texts(texts)
    sums: list[tuple[Path, float, int, int]] = []
    with Reporter("scoring", 0) as reporter:
        for file in (usable := _usable(files, reporter)):
            total, count, unknown = 0.0, 0, 0
            for line in read_lines(file):
                if len(symbols := model.alphabet.encode(line)):
                    total += model.score(line).sum()
                    count += len(symbols) + 1
                    unknown += int((symbols == 0).sum())
            if count:
                sums.append((file, total, count, unknown))
            else:
                reporter.note(f"{file}: holds no text")
    if not sums:
        raise LanguageModelError(f"{files[0]}: no text to score")
    if len(sums) > 1:
        _, totals, counts, unknowns = zip(*sums, strict=True)
        sums.append((Path("all"), sum(totals), sum(counts), sum(unknowns)))
    for file, total, count, unknown in sums:
        click.echo(
            f"{file}\tperplexity {_perplexity(total / count):.3f}\t{count} characters\t"
            f"{unknown} unknown"
        )
    return 1 if len(usable) < len(files) else 0


@command.command(name="tune")
@click.argument("lm", metavar="LM", type=_FILE)
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@model_option
@click.option("--words", metavar="FILE", type=_FILE, help="Tune the weight of this list too.")
@click.option(
    "--beam",
    metavar="N",
    type=click.IntRange(1, WIDEST_BEAM),
    default=BeamSearch.width,
    show_default=True,
    help="Texts that the beam search follows at once.",
)
@click.option(
    "-o", "--output", metavar="LM", type=_FILE, help="File to write.  [default: LM itself]"
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


def _usable(files: Sequence[Path], reporter: Reporter) -> list[Path]:
    """Return the files that can be read to their end; the others are told."""
    usable: list[Path] = []
    first: LanguageModelError | None = None
    for file in files:
        try:
            check_text(file)
            usable.append(file)
        except LanguageModelError as error:
            first = first or error
            if len(files) > 1:
                reporter.note(f"left out: {error}")
    if not usable and first is not None:
        raise first
    return usable


def _all_lines(files: Sequence[Path], reporter: Reporter) -> Iterator[str]:
    total = sum(file.stat().st_size for file in files)
    done = 0
    for file in files:
        for number, line in enumerate(read_lines(file), 1):
            yield line
            done += len(line)
            if number % _LINES_BETWEEN_PROGRESS == 0:
                # Letters of several bytes count as one, so this falls short of the total.
                reporter.set_progress(min(done, total - 1), total)
    reporter.set_progress(total, total)


def _perplexity(mean: float) -> float:
    return math.exp(-mean)
