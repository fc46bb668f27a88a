"""Which lines go into a pack, where some of them lie in packs already."""

from __future__ import annotations

from collections.abc import Sequence

from ocrlstm.datasets.line_form import LineForm
from ocrlstm.datasets.pack import PackedLine
from ocrlstm.datasets.pairs import LinePair
from ocrlstm.errors import DatasetError

__all__ = ["choose_lines"]


def choose_lines(pairs: Sequence[LinePair], form: LineForm) -> list[LinePair]:
    """Leave out what would come twice.

    Parameters
    ----------
    pairs : sequence of LinePair
        Lines of packs may be among them.
    form : LineForm
        Of the new pack.

    Returns
    -------
    list of LinePair
        In the order given: of packed lines with the same name, picture and text the first; pairs
        unless a packed line has their name and text. Where the text has changed since, the pair is
        kept and the packed line is not.

    Raises
    ------
    DatasetError
        If a pack is of another form.
    """
    packed = _packed_by_name(pairs, form)
    if not packed:
        return list(pairs)
    replaced: set[str] = set()
    known: set[int] = set()
    for place, pair in enumerate(pairs):
        if isinstance(pair, PackedLine) or pair.name not in packed:
            continue
        text = _spelt(pair, form)
        if any(line.read_text() == text for line in packed[pair.name]):
            known.add(place)
        elif text is not None:
            replaced.add(pair.name)
    chosen: list[LinePair] = []
    seen: set[tuple[str, bytes, str]] = set()
    for place, pair in enumerate(pairs):
        if isinstance(pair, PackedLine):
            if pair.name in replaced:
                continue
            if len(packed[pair.name]) > 1:
                key = pair.name, pair.pack.pictures[pair.number].tobytes(), pair.read_text()
                if key in seen:
                    continue
                seen.add(key)
        elif place in known:
            continue
        chosen.append(pair)
    return chosen


def _packed_by_name(pairs: Sequence[LinePair], form: LineForm) -> dict[str, list[PackedLine]]:
    packed: dict[str, list[PackedLine]] = {}
    checked: set[int] = set()
    for pair in pairs:
        if isinstance(pair, PackedLine):
            if id(pair.pack) not in checked:
                pair.pack.require(form)
                checked.add(id(pair.pack))
            packed.setdefault(pair.name, []).append(pair)
    return packed


def _spelt(pair: LinePair, form: LineForm) -> str | None:
    """Return the text of a pair, None where there is none of use."""
    try:
        return form.spell(pair.read_text()) or None
    except DatasetError:
        return None  # told when the pair is read
