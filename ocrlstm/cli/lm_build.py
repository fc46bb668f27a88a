"""``ocrlstm lm build``: a language model from texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter
from ocrlstm.cli.lm_texts import FILE, perplexity, texts_argument, usable_texts
from ocrlstm.cli.outputs import prepare_file
from ocrlstm.decoding.language import (
    ORDERS,
    build_language_model,
    find_texts,
    language_model_bytes,
    read_lines,
)
from ocrlstm.network import load_model_file, write_atomically
from ocrlstm.recognition import find_model
from ocrlstm.text import NORMAL_FORMS, PRESETS, RULES, base_direction, read_rules, spell_all

__all__ = ["build_command"]

# Enough to tell the direction of a text.
_FIRST_LINES = 2000
_LINES_BETWEEN_PROGRESS = 1000


@click.command(name="build")
@texts_argument
@click.option("-o", "--output", metavar="LM", type=FILE, required=True, help="File to write.")
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
    "--text-table", type=FILE, metavar="FILE", help="Own rules: from<TAB>to a line, UTF-8."
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
        usable = usable_texts(files, reporter)
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
        f"text, perplexity {perplexity(built.mean):.2f} a character"
    )
    return 1 if len(usable) < len(files) else 0


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
