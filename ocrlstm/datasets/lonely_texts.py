"""Find texts that wait for an image: a wrong name, or an image that was lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ocrlstm.datasets.pairs import OCROPUS_VARIANTS, TEXT_SUFFIX, LinePair
from ocrlstm.datasets.paths import StrPath, find_files, image_beside
from ocrlstm.errors import DatasetError

__all__ = ["find_lonely_texts"]


def find_lonely_texts(paths: Iterable[StrPath], pairs: Sequence[LinePair]) -> list[Path]:
    """List the NAME.gt.txt below the paths beside which there is no image.

    Parameters
    ----------
    paths : iterable of str or path
        As for `find_pairs`.
    pairs : sequence of LinePair
        What was found there.

    Returns
    -------
    list of Path
    """
    used = {pair.text_name for pair in pairs}
    lonely: list[Path] = []
    for path in paths:
        try:
            files = [Path(file) for file in find_files([path], _is_text_name)]
        except DatasetError:  # no text there
            continue
        lonely.extend(
            file
            for file in files
            if _is_text_name(file.name) and str(file) not in used and not _has_image(file)
        )
    return list(dict.fromkeys(lonely))


def _is_text_name(name: str) -> bool:
    return name.endswith(TEXT_SUFFIX)


def _has_image(text: Path) -> bool:
    stem = text.name.removesuffix(TEXT_SUFFIX)
    names = (stem, *(stem + variant for variant in OCROPUS_VARIANTS))
    return any(image_beside(text.parent, name) is not None for name in names)
