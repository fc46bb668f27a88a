"""Write packs: lines of pairs, and those of packs that are there already."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ocrlstm.datasets.columns import encode_text
from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.making import MadeLine, make_line
from ocrlstm.datasets.pack import PACK_SUFFIX, Pack, open_pack
from ocrlstm.datasets.pack_format import MOST_PIXELS
from ocrlstm.datasets.pack_writer import PackWriter
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.datasets.paths import StrPath
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.workers import map_in_order
from ocrlstm.errors import DatasetError, OutputError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.threads import thread_count
from ocrlstm.network import open_atomically, remove_leftovers, try_writing

__all__ = ["Packed", "write_pack"]


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
        Pairs that were not read, as the packs had them with the same name and text.
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
    packs: Sequence[Pack] = (),
    *,
    max_pixels: int = MAX_PIXELS,
    progress: Callable[[int, int], None] | None = None,
) -> Packed:
    """Normalise the lines of pairs over all cores, and keep them in one file.

    A KeyboardInterrupt ends the work early: what was done becomes a pack of its own,
    ``LINES.partial.pack``, that says so; given as one of `packs`, it is gone on with.

    Parameters
    ----------
    path : path
        The pack; one that is there already is replaced when the new one is complete.
    pairs : sequence of LinePair
        Come after the lines of `packs`.
    form : LineForm
        How lines and texts are made.
    packs : sequence of Pack
        Their lines are taken over as they are. A pair whose name and text a pack has is not read
        again; where the text has changed, the pair takes the place of the packed line.
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
        If a pack is of another form, or no line is of use.
    OutputError
        If the file cannot be written.
    """
    target = _check_target(path)
    for pack in packs:
        pack.require(form)
    wanted, stale = _compare(pairs, packs, form)
    total = sum(map(len, packs)) + len(wanted)
    problems: list[Problem] = []
    taken_over = 0
    remove_leftovers(target)
    with open_atomically(target) as pending:
        writer = PackWriter(pending)
        complete = True
        try:
            for done in _take_over(packs, stale, writer):
                taken_over = writer.lines
                _tell(progress, done, total)
            for done, made in enumerate(_make(wanted, form, max_pixels), total - len(wanted) + 1):
                if isinstance(made, MadeLine):
                    writer.add(made.name, made.text, made.pixels.shape[1], made.picture, made.data)
                else:
                    problems.append(made)
                _tell(progress, done, total)
        except KeyboardInterrupt:
            if writer.lines == 0:
                raise
            complete = False
            pending.path = target.with_suffix(f".partial{PACK_SUFFIX}")
        if writer.lines == 0:
            raise DatasetError(_nothing(len(wanted), problems))
        writer.finish(form, complete)
    return Packed(open_pack(pending.path), taken_over, len(pairs) - len(wanted), problems)


def _tell(progress: Callable[[int, int], None] | None, done: int, total: int) -> None:
    if progress is not None:
        progress(done, total)


def _check_target(path: StrPath) -> Path:
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


def _compare(
    pairs: Sequence[LinePair], packs: Sequence[Pack], form: LineForm
) -> tuple[list[LinePair], list[set[int]]]:
    """Find the pairs that must be read, and the packed lines whose text has changed since."""
    stale: list[set[int]] = [set() for _ in packs]
    places: dict[str, list[tuple[int, int]]] = {}
    for which, pack in enumerate(packs):
        for number, name in enumerate(pack.names()):
            places.setdefault(name, []).append((which, number))
    if not places:
        return list(pairs), stale
    wanted: list[LinePair] = []
    for pair in pairs:
        packed = places.get(pair.name, ())
        text = _spelt(pair, form) if packed else None
        if text is None:
            wanted.append(pair)
            continue
        old = {place for place in packed if packs[place[0]].text(place[1]) != text}
        for which, number in old:
            stale[which].add(number)
        if len(old) == len(packed):
            wanted.append(pair)
    return wanted, stale


def _spelt(pair: LinePair, form: LineForm) -> str | None:
    """Return the text of a pair, None where there is none of use."""
    try:
        return form.spell(pair.read_text()) or None
    except DatasetError:
        return None  # told when the pair is read


def _take_over(
    packs: Sequence[Pack], stale: Sequence[set[int]], writer: PackWriter
) -> Iterator[int]:
    """Copy the lines of packs, each once; yield after each how many were looked at."""
    seen: set[bytes] = set()
    done = 0
    for pack, old in zip(packs, stale, strict=True):
        widths, pictures = pack.widths, pack.pictures
        for number in range(len(pack)):
            name, text = pack.name(number), pack.text(number)
            picture = pictures[number].tobytes()
            key = b""
            if len(packs) > 1:
                named = b"%d " % len(name) + encode_text(name + text)
                key = hashlib.sha256(named + picture).digest()
            if number not in old and key not in seen:
                writer.add(name, text, int(widths[number]), picture, pack.squeezed(number).data())
            if key:
                seen.add(key)
            done += 1
            yield done


def _make(
    pairs: Iterable[LinePair], form: LineForm, max_pixels: int
) -> Iterator[MadeLine | Problem]:
    def make(pair: LinePair) -> MadeLine | Problem:
        made = make_line(pair, form, max_pixels, squeezed=True)
        if isinstance(made, MadeLine) and made.pixels.size > MOST_PIXELS:
            height, width = made.pixels.shape
            return Problem(
                Path(made.name),
                f"the line is {width} pixels wide at a height of {height}, more than any line of "
                "text; check how it was cut out",
            )
        return made

    return map_in_order(make, pairs, thread_count(), ahead=64)


def _nothing(count: int, problems: Sequence[Problem]) -> str:
    first = f"; the first problem: {problems[0]}" if problems else ""
    return f"none of {count} pairs can be packed{first}"
