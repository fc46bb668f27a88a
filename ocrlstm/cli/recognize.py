"""``ocrlstm recognize``: images in, text out."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import click

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.decoding_options import Decoding, load_readers
from ocrlstm.cli.options import paths_argument, reading_options
from ocrlstm.cli.outputs import output_names, prepare_folder
from ocrlstm.datasets import find_images
from ocrlstm.decoding import WIDEST_BEAM
from ocrlstm.document import Line
from ocrlstm.formats import WRITERS
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.network import write_atomically

__all__ = ["command"]

Sink = Callable[[Path, Line], None]


@click.command(name="recognize", short_help="Read line images.")
@paths_argument
@reading_options
@click.option(
    "-o",
    "--output",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Write NAME.txt (.json, .tsv) for each image into this folder.",
)
@click.option(
    "-f",
    "--format",
    "kind",
    type=click.Choice(list(WRITERS)),
    default="txt",
    show_default=True,
    help="Form of the results.",
)
@click.option(
    "--n-best",
    metavar="N",
    type=click.IntRange(1, WIDEST_BEAM),
    help="Also tell the N likeliest texts with their scores (json only; implies the beam search).",
)
@click.option(
    "--alternatives",
    metavar="N",
    type=click.IntRange(1, 50),
    help="Also tell up to N alternatives of every character (json only).",
)
def command(
    paths: tuple[str, ...],
    models: tuple[str, ...],
    output: Path | None,
    kind: str,
    threads: int | None,
    max_pixels: int,
    decoding: Decoding,
    n_best: int | None,
    alternatives: int | None,
    batch_size: int,
) -> int:
    """Read line images.

    The text of one image goes to stdout; of several, one line each, the path and the text with a
    tab between. With -o, each result goes into a file of its own.
    """
    use_utf8_output()
    if kind != "json" and (n_best or alternatives):
        option = "--n-best" if n_best else "--alternatives"
        raise click.UsageError(f"{option} shows in JSON only; add -f json")
    set_thread_count(threads)
    images = find_images(paths)
    sink = _folder_sink(images, output, kind) if output else _stdout_sink(len(images) > 1, kind)
    recognizer = load_readers(
        models,
        decoding,
        n_best=n_best or 0,
        alternatives=alternatives or 0,
        max_pixels=max_pixels,
        batch_size=batch_size,
    )
    failed = done = 0
    bar = output is not None or not sys.stdout.isatty()
    with Reporter("reading", len(images), bar) as reporter:
        try:
            lines = recognizer.recognize_lines(images, threads=threads)
            for image, line in zip(images, lines, strict=True):
                if line.error is not None:
                    failed += 1
                    reporter.note(str(line.error))
                else:
                    sink(image, line)
                done += 1
                reporter.advance()
        except KeyboardInterrupt:
            if len(images) > 1:
                reporter.note(f"{done} of {len(images)} images were done")
            raise
    if failed and len(images) > 1:
        reporter.note(f"{failed} of {len(images)} images could not be read")
    if failed == len(images):
        return 2
    return 1 if failed else 0


def _folder_sink(images: list[Path], folder: Path, kind: str) -> Sink:
    names = dict(zip(images, output_names(images, f".{kind}"), strict=True))
    prepare_folder(folder)

    def write(image: Path, line: Line) -> None:
        target = folder / names[image]
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(target, WRITERS[kind](line).encode())

    return write


def _stdout_sink(several: bool, kind: str) -> Sink:
    if not several or kind == "json":
        return lambda image, line: click.echo(WRITERS[kind](line), nl=False)
    if kind == "txt":
        return lambda image, line: click.echo(f"{image}\t{line.text}")
    header_is_due = True

    def write_rows(image: Path, line: Line) -> None:
        nonlocal header_is_due
        header, *rows = WRITERS[kind](line).splitlines()
        if header_is_due:
            click.echo(f"source\t{header}")
            header_is_due = False
        for row in rows:
            click.echo(f"{image}\t{row}")

    return write_rows
