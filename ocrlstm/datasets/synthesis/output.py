"""Drawn lines by the thousand, over all cores, into a pack or a folder of pairs."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.pack import PACK_SUFFIX, Pack, open_pack
from ocrlstm.datasets.pack_writer import PackEntry, PackWriter
from ocrlstm.datasets.packing import check_pack_path, make_entry
from ocrlstm.datasets.pairs import TEXT_SUFFIX, MemoryPair
from ocrlstm.datasets.paths import StrPath
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.processes import map_in_processes
from ocrlstm.datasets.synthesis.maker import LineMaker
from ocrlstm.errors import DatasetError, OutputError
from ocrlstm.image import MAX_PIXELS
from ocrlstm.kernels.threads import thread_count
from ocrlstm.network import open_atomically, remove_leftovers

__all__ = ["Generated", "generate_folder", "generate_pack"]

# Starting processes takes two seconds.
_FEWEST_FOR_PROCESSES = 300

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Generated:
    """What came of drawing lines.

    Attributes
    ----------
    path : Path
        Pack or folder; ``LINES.partial.pack`` if it was interrupted.
    lines : int
    complete : bool
    problems : list of Problem
        Lines that could not be drawn.
    """

    path: Path
    lines: int
    complete: bool
    problems: list[Problem]


@dataclass(frozen=True)
class _DrawEntry:
    """Draws a line as a pack keeps it; goes to worker processes."""

    maker: LineMaker
    form: LineForm

    def __call__(self, number: int) -> PackEntry | Problem:
        line = self.maker.draw(number)
        if isinstance(line, Problem):
            return line
        return make_entry(MemoryPair(line.pixels, line.text, line.name), self.form, MAX_PIXELS)


@dataclass(frozen=True)
class _DrawFile:
    """Draws a line as a folder keeps it: its file name, its PNG and its text."""

    maker: LineMaker
    form: LineForm

    def __call__(self, number: int) -> tuple[str, bytes, str] | Problem:
        line = self.maker.draw(number)
        if isinstance(line, Problem):
            return line
        file = io.BytesIO()
        Image.fromarray(line.pixels).save(file, "PNG")
        return re.sub(r"[^\w.#-]", "_", line.name), file.getvalue(), self.form.spell(line.text)


def generate_pack(
    path: StrPath,
    maker: LineMaker,
    count: int,
    form: LineForm,
    *,
    progress: Progress | None = None,
) -> Generated:
    """Draw lines into a pack, normalised at once.

    A KeyboardInterrupt ends the work early: what was done becomes ``LINES.partial.pack``, as with
    `write_pack`. The same recipe, fonts, seed and versions give the same bytes, whatever the number
    of threads.

    Parameters
    ----------
    path : path
        One that is there already is replaced when the new one is complete.
    maker : LineMaker
    count : int
    form : LineForm
        How lines and texts are made.
    progress : callable, optional
        Called with the numbers of lines done and of all.

    Returns
    -------
    Generated

    Raises
    ------
    DatasetError
        If a text cannot be read, or not one line can be drawn.
    OutputError
        If the file cannot be written.
    """
    target = check_pack_path(path)
    maker.read_texts()
    problems: list[Problem] = []
    complete = True
    remove_leftovers(target)
    with open_atomically(target) as pending:
        writer = PackWriter(pending)
        try:
            entries = map_in_processes(_DrawEntry(maker, form), range(count), _processes(count))
            for done, entry in enumerate(entries, 1):
                if isinstance(entry, Problem):
                    problems.append(entry)
                else:
                    writer.add(entry)
                if progress is not None:
                    progress(done, count)
        except KeyboardInterrupt:
            if writer.lines == 0:
                raise
            complete = False
            pending.path = target.with_suffix(f".partial{PACK_SUFFIX}")
        if writer.lines == 0:
            raise DatasetError(_nothing(problems))
        writer.finish(form, complete)
    pack: Pack = open_pack(pending.path)
    return Generated(pending.path, len(pack), complete, problems)


def generate_folder(
    path: StrPath,
    maker: LineMaker,
    count: int,
    form: LineForm,
    *,
    progress: Progress | None = None,
) -> Generated:
    """Draw lines into a folder: NAME.png with NAME.gt.txt beside it.

    A KeyboardInterrupt ends the work early; what was written stays.

    Parameters
    ----------
    path : path
        A new or empty folder.
    maker, count, form, progress
        See `generate_pack`; of the form only the spelling is used.

    Returns
    -------
    Generated

    Raises
    ------
    DatasetError
        If a text cannot be read, or not one line can be drawn.
    OutputError
        If the folder cannot be made, has files already, or cannot be written to.
    """
    folder = _make_folder(path)
    maker.read_texts()
    problems: list[Problem] = []
    lines, complete = 0, True
    try:
        files = map_in_processes(_DrawFile(maker, form), range(count), _processes(count))
        for done, file in enumerate(files, 1):
            if isinstance(file, Problem):
                problems.append(file)
            else:
                name, picture, text = file
                (folder / f"{name}.png").write_bytes(picture)
                (folder / f"{name}{TEXT_SUFFIX}").write_text(text + "\n", "utf-8", newline="\n")
                lines += 1
            if progress is not None:
                progress(done, count)
    except KeyboardInterrupt:
        if lines == 0:
            raise
        complete = False
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written to ({error.strerror or error}); {lines} lines were"
        ) from error
    if lines == 0:
        raise DatasetError(_nothing(problems))
    return Generated(folder, lines, complete, problems)


def _processes(count: int) -> int:
    return thread_count() if count >= _FEWEST_FOR_PROCESSES else 1


def _make_folder(path: StrPath) -> Path:
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        filled = any(folder.iterdir())
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be used as output folder ({error.strerror}); name another with -o"
        ) from error
    if filled:
        raise OutputError(f"{folder}: has files already; empty it or name another folder with -o")
    return folder


def _nothing(problems: list[Problem]) -> str:
    first = f"; the first problem: {problems[0]}" if problems else ""
    return f"not one of {len(problems)} lines could be drawn{first}"
