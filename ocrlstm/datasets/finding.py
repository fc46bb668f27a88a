"""From the paths that a user gives to pairs, of whatever kind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ocrlstm.datasets.pack import Pack, is_pack, open_pack
from ocrlstm.datasets.page_images import PageImages
from ocrlstm.datasets.page_lines import read_page_lines
from ocrlstm.datasets.pairs import LinePair, Pair, missing_texts, text_of_image
from ocrlstm.datasets.paths import StrPath, files_by_real_path, image_beside, is_image_name
from ocrlstm.datasets.problems import Problem
from ocrlstm.datasets.tables import is_table_name, read_table
from ocrlstm.datasets.transcriptions import NotAPageError
from ocrlstm.errors import DatasetError

__all__ = ["FoundPairs", "find_pairs"]


@dataclass(frozen=True)
class FoundPairs:
    """The pairs that paths stand for, and what could not be one.

    Attributes
    ----------
    pairs : list of LinePair
        Each line once. Of pages and tables the texts are read, of no pair the image.
    problems : list of Problem
        Files and lines of files that are at fault; the others are among `pairs`.
    without_text : list of Path
        Images without a text beside them, and lines of pages without one (``page.xml#line1``).
    """

    pairs: list[LinePair] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    without_text: list[Path] = field(default_factory=list)


def find_pairs(
    paths: Iterable[StrPath], progress: Callable[[int, int], None] | None = None
) -> FoundPairs:
    """List the pairs that paths stand for.

    Parameters
    ----------
    paths : iterable of str or path
        In any mixture: images, whose texts lie beside them as NAME.gt.txt; PAGE and ALTO files
        (.xml), whose images lie beside them; tables (.txt or .tsv) of lines ``name<TAB>text``;
        packs (.pack); folders, glob patterns and ``@list.txt`` of images and XML. An image that an
        XML names is a page and not a line.
    progress : callable, optional
        Called as ``progress(done, total)`` after each XML file and table.

    Returns
    -------
    FoundPairs
        In the order of `paths`, see `find_images`.

    Raises
    ------
    DatasetError
        A path does not exist, a list or a pack is not readable, or there is no pair.
    """
    paths = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    named = {os.path.realpath(path) for path in paths}
    kinds = ("image or page XML", "images or page XML")
    files = files_by_real_path(paths, _is_wanted, kinds, _is_wanted_by_pattern)
    found = FoundPairs()
    read: dict[Path, list[LinePair]] = {}
    pages: set[str] = set()
    images = PageImages()
    packs = {
        file: open_pack(file)
        for file in files.values()
        if not (is_image_name(file.name) or _is_source(file)) and is_pack(file)
    }
    sources = [file for file in files.values() if _is_source(file)]
    for done, file in enumerate(sources, 1):
        try:
            if _is_xml_name(file):
                content = read_page_lines(file, images)
                read[file] = [*content.lines]
                found.problems.extend(content.problems)
                found.without_text.extend(content.without_text)
                pages.add(os.path.realpath(content.image))
            else:
                table, problems = read_table(file)
                read[file] = [*table]
                found.problems.extend(problems)
        except DatasetError as error:
            # METS and the like lie about in folders, where nobody has asked for them.
            if not isinstance(error, NotAPageError) or os.path.realpath(file) in named:
                found.problems.append(Problem(file, str(error).removeprefix(f"{file}: ")))
            # Nor is the image of a broken XML a line.
            beside = image_beside(file.parent, file.stem) if _is_xml_name(file) else None
            if beside is not None and not isinstance(error, NotAPageError):
                pages.add(os.path.realpath(beside))
        if progress is not None:
            progress(done, len(sources))
    found.problems.extend(_interrupted(pack) for pack in packs.values() if not pack.complete)
    bare = _gather(found, files, read, packs, pages)
    if not found.pairs:
        raise _nothing_found(found, bare, pages)
    found.without_text.extend(bare)
    return found


def _interrupted(pack: Pack) -> Problem:
    return Problem(pack.path, f"packing was interrupted; it holds the first {len(pack)} lines only")


def _gather(
    found: FoundPairs,
    files: dict[str, Path],
    read: dict[Path, list[LinePair]],
    packs: dict[Path, Pack],
    pages: set[str],
) -> list[Path]:
    """Put all pairs in the order of the files, each once; give the images without a text."""
    seen: set[str] = set()
    bare: dict[str, Path] = {}
    for real, file in files.items():
        if file in packs:
            found.pairs.extend(packs[file].pairs())
        elif file in read:
            for pair in read[file]:
                identity = pair.identity
                if identity not in seen:
                    seen.add(identity)
                    found.pairs.append(pair)
        elif real in pages or real in seen or file.suffix.lower() in (".txt", ".tsv", ".xml"):
            continue
        elif (text := text_of_image(file)) is None:
            bare[real] = file
        else:
            seen.add(real)
            found.pairs.append(Pair(file, text))
    return [image for real, image in bare.items() if real not in seen]


def _nothing_found(found: FoundPairs, bare: list[Path], pages: set[str]) -> DatasetError:
    """Say why there is no pair, from the most to the least telling reason."""
    if found.problems:
        others = len(found.problems) - 1
        more = f" (and {others} more problem{'s'[: others > 1]})" if others else ""
        return DatasetError(f"{found.problems[0]}{more}; no pair is left")
    if bare:
        return missing_texts(bare)
    if pages:
        untold = len(found.without_text)
        lines = f"{untold} line{'s'[: untold != 1]} without a text" if untold else "no line at all"
        return DatasetError(f"the page XML has {lines}; transcribe it first")
    return DatasetError(
        "no image among the paths given: name a folder, an image, a page XML, a table, a glob or "
        "@list.txt"
    )


def _is_wanted(name: str) -> bool:
    return is_image_name(name) or _is_xml_name(name)


def _is_source(file: Path) -> bool:
    return _is_xml_name(file) or is_table_name(file)


def _is_wanted_by_pattern(name: str) -> bool:
    # Just as if the shell had expanded it and each file were named.
    return _is_wanted(name) or is_table_name(name)


def _is_xml_name(file: StrPath) -> bool:
    return os.path.splitext(file)[1].lower() == ".xml"
