"""How characters are found in the posteriors: options, and the models loaded with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from ocrlstm.decoding import DECODERS, WIDEST_BEAM, BeamSearch
from ocrlstm.decoding.language import Weights, load_language_model, load_words
from ocrlstm.recognition import Ensemble, Recognizer, load_models

__all__ = ["Decoding", "decoding_options", "load_readers"]

Command = TypeVar("Command", bound=Callable[..., Any])

_FILE = click.Path(path_type=Path)
_LARGEST_SET = 100_000

_OPTIONS = (
    click.option(
        "--decoder",
        type=click.Choice(list(DECODERS)),
        help="How characters are found in the posteriors: the likeliest label of every frame, the "
        "way of OCRopus, or the likeliest text by a beam search.  "
        "[default: beam if one of its options is given, else greedy]",
    ),
    click.option(
        "--beam",
        metavar="N",
        type=click.IntRange(1, WIDEST_BEAM),
        help=f"Texts that the beam search follows at once.  [default: {BeamSearch.width}]",
    ),
    click.option(
        "--lm", metavar="LM", type=_FILE, help="Language model, see `ocrlstm lm`; for the beam."
    ),
    click.option(
        "--words",
        metavar="FILE",
        type=_FILE,
        help="Word list (all words in a text file); for the beam.",
    ),
    click.option(
        "--lm-weight",
        metavar="A",
        type=click.FloatRange(0, 10),
        help="Weight of the language model.  [default: kept in the language model]",
    ),
    click.option(
        "--length-bonus",
        metavar="B",
        type=click.FloatRange(-20, 20),
        help="Nats that the beam search adds for each character.  [default: likewise; 0 without]",
    ),
    click.option(
        "--word-weight",
        metavar="W",
        type=click.FloatRange(0, 20),
        help="Nats added for each word on the list, and subtracted for others.  "
        f"[default: likewise; {Weights.words} without]",
    ),
    click.option(
        "--whitelist",
        metavar="CHARS|@FILE",
        help=r"Only these characters may come out: '0-9', 'a-z ', '\p{Greek}'.",
    ),
    click.option("--blacklist", metavar="CHARS|@FILE", help="These characters may not come out."),
)


@dataclass(frozen=True)
class Decoding:
    """How to decode.

    Attributes
    ----------
    decoder : str, BeamSearch or None
        None where nothing was said of it.
    whitelist, blacklist : str or None
    """

    decoder: str | BeamSearch | None
    whitelist: str | None
    blacklist: str | None


def decoding_options(command: Command) -> Command:
    """Add the options of decoding; the command gets them as one `decoding`."""

    @wraps(command)
    def with_decoding(
        *arguments: Any,
        decoder: str | None,
        beam: int | None,
        lm: Path | None,
        words: Path | None,
        lm_weight: float | None,
        length_bonus: float | None,
        word_weight: float | None,
        whitelist: str | None,
        blacklist: str | None,
        **others: Any,
    ) -> Any:
        given = {
            "--beam": beam, "--lm": lm, "--words": words, "--lm-weight": lm_weight,
            "--length-bonus": length_bonus, "--word-weight": word_weight,
        }  # fmt: skip
        of_beam = [name for name, value in given.items() if value is not None]
        if of_beam and decoder not in (None, "beam"):
            raise click.UsageError(f"{of_beam[0]} is for --decoder beam, not for {decoder}")
        if lm is None and lm_weight is not None:
            raise click.UsageError("--lm-weight needs a language model; give one with --lm")
        if words is None and word_weight is not None:
            raise click.UsageError("--word-weight needs a word list; give one with --words")
        chosen: str | BeamSearch | None = decoder
        if of_beam:
            chosen = _make_search(beam, lm, words, (lm_weight, length_bonus, word_weight))
        decoding = Decoding(chosen, _read_set(whitelist), _read_set(blacklist))
        return command(*arguments, decoding=decoding, **others)

    decorated: Any = with_decoding
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def load_readers(
    models: Sequence[str],
    decoding: Decoding,
    *,
    n_best: int = 0,
    alternatives: int = 0,
    max_pixels: int,
    batch_size: int,
) -> Recognizer | Ensemble:
    """Load models with the decoding that was asked for, and note on stderr what does not fit."""
    decoder = decoding.decoder
    if n_best:
        if len(models) > 1:
            raise click.UsageError("--n-best is of one model, not of several that vote")
        if decoder in ("greedy", "threshold"):
            raise click.UsageError(f"--n-best is for --decoder beam, not for {decoder}")
        search = decoder if isinstance(decoder, BeamSearch) else BeamSearch()
        decoder = replace(search, width=max(search.width, n_best))
    try:
        found = load_models(
            models,
            decoder=decoder or "greedy",
            n_best=n_best,
            alternatives=alternatives,
            whitelist=decoding.whitelist,
            blacklist=decoding.blacklist,
            max_pixels=max_pixels,
            batch_size=batch_size,
        )
    except ValueError as error:
        raise click.UsageError(f"--whitelist or --blacklist: {error}") from error
    voters = found.recognizers if isinstance(found, Ensemble) else (found,)
    for note in dict.fromkeys(note for voter in voters for note in voter.notes):
        click.echo(f"ocrlstm: {note}", err=True)
    return found


def _make_search(
    beam: int | None,
    lm: Path | None,
    words: Path | None,
    weights: tuple[float | None, float | None, float | None],
) -> BeamSearch:
    model = None if lm is None else load_language_model(lm)
    changes = {
        name: value
        for name, value in zip(("alpha", "beta", "words"), weights, strict=True)
        if value is not None
    }
    kept = Weights(beta=0.0) if model is None else model.weights
    return BeamSearch(
        beam or BeamSearch.width,
        model,
        None if words is None else load_words(words),
        replace(kept, **changes),
    )


def _read_set(value: str | None) -> str | None:
    """Return the characters of a set, read from a file if it is @FILE."""
    if value is None or not value.startswith("@") or value == "@":
        return value
    try:
        with open(value[1:], encoding="utf-8-sig") as file:
            text = file.read(_LARGEST_SET + 1)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise click.UsageError(f"{value}: cannot be read ({reason})") from error
    if len(text) > _LARGEST_SET:
        raise click.UsageError(f"{value}: more than {_LARGEST_SET} characters are no list of them")
    return "".join(text.splitlines())
