"""Write packs, from pairs and from packs that are there already."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.making import make_line
from ocrlstm.datasets.pack import PACK_SUFFIX, Pack, PackedLine, open_pack
from ocrlstm.datasets.pack_choice import choose_lines
from ocrlstm.datasets.pack_format import MOST_PIXELS
from ocrlstm.datasets.pack_writer import PackEntry, PackWriter
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.paths import StrPath
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.errors import DatasetError, OutputError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.threads import thread_count
from ocrlstm.network import open_atomically, remove_leftovers, try_writing

__all__ = ["Packed", "check_pack_path", "make_entry", "write_pack"]


@dataclass(frozen=True)
class Packed:
    """What came of packing.

    Attributes
    ----------
    pack : Pack
        Under another name if packing was interrupted: ``LINES.partial.pack``.
    taken_over : int
        Lines of it that came from other packs.
    known : int
        Pairs that were left out since packed lines have their name and text, and packed lines since
        others are the same or have a newer text.
    problems : list of Problem
        The pairs left out, and why.
    """

    pack: Pack
    taken_over: int
    known: int
    problems: list[Problem]


def write_pack(
    path: StrPath,
    pairs: Sequence[LinePair],
    form: LineForm,
    *,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
) -> Packed:
    """Normalise the lines of pairs over all cores, and keep them in one file.

    Lines of packs among the pairs are taken over as they are, each once. A pair whose name and text
    one of them has is not read again; where the text has changed, the packed line is left out.

    A KeyboardInterrupt ends the work early: what was done becomes a pack of its own,
    ``LINES.partial.pack``, that says so; given among the pairs, it is gone on with.

    Parameters
    ----------
    path : path
        The pack; one that is there already is replaced when the new one is complete.
    pairs : sequence of LinePair
        From `find_pairs`, `Pack.pairs`, or held in memory.
    form : LineForm
        How lines and texts are made.
    max_pixels : int
        Larger images are left out.
    progress : callable, optional
        Called with the numbers of lines done and of all, from the calling thread.

    Returns
    -------
    Packed

    Raises
    ------
    DatasetError
        If a pack among the pairs is of another form, or no line is of use.
    OutputError
        If the file cannot be written.
    """
    target = check_pack_path(path)
    wanted = choose_lines(pairs, form)
    problems: list[Problem] = []
    taken_over = 0

    def make(pair: LinePair) -> PackEntry | Problem:
        return _copy(pair) if isinstance(pair, PackedLine) else make_entry(pair, form, max_pixels)

    remove_leftovers(target)
    with open_atomically(target) as pending:
        writer = PackWriter(pending)
        complete = True
        try:
            for done, made in enumerate(map_in_order(make, wanted, thread_count(), ahead=64), 1):
                if isinstance(made, Problem):
                    problems.append(made)
                else:
                    writer.add(made)
                    taken_over += isinstance(wanted[done - 1], PackedLine)
                if progress is not None:
                    progress(done, len(wanted))
        except KeyboardInterrupt:
            if writer.lines == 0:
                raise
            complete = False
            pending.path = target.with_suffix(f".partial{PACK_SUFFIX}")
        if writer.lines == 0:
            raise DatasetError(_nothing(len(wanted), problems))
        writer.finish(form, complete)
    return Packed(open_pack(pending.path), taken_over, len(pairs) - len(wanted), problems)


def _copy(line: PackedLine) -> PackEntry:
    pack, number = line.pack, line.number
    return PackEntry(
        line.name,
        line.read_text(),
        int(pack.widths[number]),
        pack.pictures[number].tobytes(),
        pack.squeezed(number).data(),
    )


def make_entry(pair: LinePair, form: LineForm, max_pixels: int) -> PackEntry | Problem:
    """Make of a pair what a pack keeps; see `make_line`."""
    made = make_line(pair, form, max_pixels, squeezed=True)
    if isinstance(made, Problem):
        return made
    height, width = made.pixels.shape
    if made.pixels.size > MOST_PIXELS:
        return Problem(
            Path(made.name),
            f"the line is {width} pixels wide at a height of {height}, more than any line of text; "
            "check how it was cut out",
        )
    return PackEntry(made.name, made.text, width, made.picture, made.data)


def check_pack_path(path: StrPath) -> Path:
    """See that a pack can be written, before any work is done; a suffix is put behind its name.

    Raises
    ------
    OutputError
        If it is a folder, or there is none for it that can be written to.
    """
    target = Path(path)
    if target.suffix == "":
        target = target.with_suffix(PACK_SUFFIX)
    if target.is_dir():
        raise OutputError(f"{target}: is a folder; name a file in it, e.g. {target / 'lines'}.pack")
    if not target.parent.is_dir():
        raise OutputError(f"{target}: there is no folder {target.parent}; make it first")
    try:
        try_writing(target.parent)
    except OSError as error:
        raise OutputError(
            f"{target}: cannot be written ({error.strerror}); choose another place with -o"
        ) from error
    return target


def _nothing(count: int, problems: Sequence[Problem]) -> str:
    first = f"; the first problem: {problems[0]}" if problems else ""
    return f"none of {count} pairs can be packed{first}"
