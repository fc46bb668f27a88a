"""``ocrlstm lm``: language models for the beam search."""

from __future__ import annotations

from pathlib import Path

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.lm_build import build_command
from ocrlstm.cli.lm_texts import FILE, perplexity, texts_argument, usable_texts
from ocrlstm.cli.lm_tune import tune_command
from ocrlstm.decoding.language import find_texts, load_language_model, read_lines
from ocrlstm.errors import LanguageModelError
from ocrlstm.text import describe_rules

__all__ = ["command"]


@click.group(name="lm", short_help="Make and tune language models for the beam search.")
def command() -> None:
    """Make, look at and tune character n-gram models for `recognize --lm`.

    TEXT is a UTF-8 file, or a folder whose .txt files are taken.
    """
    use_utf8_output()


command.add_command(build_command)
command.add_command(tune_command)


@command.command(name="show")
@click.argument("lm", metavar="LM", type=FILE)
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
        "perplexity": f"{perplexity(model.mean):.3f} a character, on text held back",
        "weights": ", ".join(f"{k} {v:g}" for k, v in model.weights.to_dict().items()),
        **facts,
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        click.echo(f"{name:<{width}}  {value}")


@command.command(name="score")
@click.argument("lm", metavar="LM", type=FILE)
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
        for file in (usable := usable_texts(files, reporter)):
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
            f"{file}\tperplexity {perplexity(total / count):.3f}\t{count} characters\t"
            f"{unknown} unknown"
        )
    return 1 if len(usable) < len(files) else 0
