"""A picture of a training that is drawn while it goes on."""

from __future__ import annotations

import time
from pathlib import Path

from ocrlstm.errors import OutputError
from ocrlstm.training.events import EpochRecord, Event
from ocrlstm.training.history import read_history
from ocrlstm.training.history_plot import check_plot, draw_histories
from ocrlstm.training.sources import StrPath

__all__ = ["LivePlot"]

# Of epochs that are shorter than a drawing, few are drawn: this share of the time is enough.
_SHARE = 0.05


class LivePlot:
    """Draws the history of a run after its epochs.

    Parameters
    ----------
    table : path
        The .csv of the run, from which also what was before a resume is known.
    picture : path
        Ends in .png, .svg or .pdf.

    Raises
    ------
    OutputError
        If no picture can be drawn there.
    """

    def __init__(self, table: StrPath, picture: StrPath) -> None:
        check_plot(picture)
        self._table = Path(table)
        self._picture = Path(picture)
        self._seconds = 0.0
        self._drawn_at = float("-inf")
        self._missed = True  # a run that has nothing left to do has epochs to show, too

    def report(self, event: Event) -> None:
        """Draw, if an epoch has ended and drawing does not take too much of the time."""
        if not isinstance(event, EpochRecord):
            return
        self._missed = time.monotonic() - self._drawn_at < self._seconds / _SHARE
        if not self._missed:
            self._draw()

    def finish(self) -> None:
        """Draw the epochs that are not drawn yet.

        Raises
        ------
        OutputError
            If the picture cannot be written; before the end that stops no training.
        """
        if self._missed:
            draw_histories([read_history(self._table)], self._picture)

    def _draw(self) -> None:
        begun = time.monotonic()
        try:
            draw_histories([read_history(self._table)], self._picture)
        except OutputError:
            self._missed = True
        self._drawn_at = time.monotonic()
        self._seconds = self._drawn_at - begun
