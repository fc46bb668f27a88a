"""Loss and error rate over the epochs, drawn: one picture for one training or for several.

Needs matplotlib, which comes with ``pip install 'ocrlstm[plot]'``.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ocrlstm.errors import OutputError
from ocrlstm.network import try_writing, write_atomically
from ocrlstm.training.history import RunHistory
from ocrlstm.training.sources import StrPath

__all__ = ["check_plot", "draw_histories"]

_KINDS = (".png", ".svg", ".pdf")
# What would make two pictures of one training differ.
_NO_DATES: dict[str, dict[str, Any]] = {
    ".png": {},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
_LINES = ("-", "--", ":", "-.")
_COLOURS = 10  # of matplotlib's own cycle


def check_plot(path: StrPath) -> None:
    """Find out before any work is done whether a picture can be drawn.

    Raises
    ------
    OutputError
        If matplotlib is missing, the ending is none of .png, .svg, .pdf, or nothing can be written
        there.
    """
    path = Path(path)
    if path.suffix.lower() not in _KINDS:
        raise OutputError(f"{path}: a picture ends in {', '.join(_KINDS)}; name it so")
    if find_spec("matplotlib") is None:
        raise OutputError(
            f"{path}: drawing needs matplotlib; install it: pip install 'ocrlstm[plot]'"
        )
    try:
        try_writing(path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error


def draw_histories(histories: Sequence[RunHistory], path: StrPath) -> None:
    """Draw trainings one above the other into one picture: loss, and validation CER.

    Both are on logarithmic scales if they can; a dot marks the best epoch. A picture that is there
    already is replaced at once, so that it can be looked at while training goes on. The same
    trainings give the same bytes.

    Parameters
    ----------
    histories : sequence of RunHistory
    path : path
        Ends in .png, .svg or .pdf.

    Raises
    ------
    OutputError
        As `check_plot`.
    """
    check_plot(path)
    path = Path(path)
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "ocrlstm"}), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters in names that the font lacks
        figure = Figure(figsize=(8, 7), layout="constrained")
        loss, rate = figure.subplots(2, 1, sharex=True)
        names = _names(histories)
        for number, (history, name) in enumerate(zip(histories, names, strict=True)):
            style = {
                "color": f"C{number % _COLOURS}",
                "linestyle": _LINES[number // _COLOURS % len(_LINES)],
                "label": name,
            }
            _draw(loss, rate, history, style)
        _finish(loss, rate, names)
        kind = path.suffix.lower()
        figure.savefig(content, format=kind[1:], dpi=120, metadata=_NO_DATES[kind])
    write_atomically(path, content.getvalue())


def _draw(loss: Any, rate: Any, history: RunHistory, style: dict[str, Any]) -> None:
    epochs = [record.epoch for record in history.records]
    loss.plot(epochs, [record.loss for record in history.records], **style)
    rate.plot(epochs, [100 * record.validation_cer for record in history.records], **style)
    if history.best is not None:
        best = history.best
        rate.plot([best.epoch], [100 * best.validation_cer], "o", color=style["color"])


def _finish(loss: Any, rate: Any, names: Sequence[str]) -> None:
    from matplotlib.ticker import LogLocator, MaxNLocator

    rate.xaxis.set_major_locator(MaxNLocator(integer=True))
    loss.set_ylabel("loss of a line")
    rate.set_ylabel("validation CER, %")
    rate.set_xlabel("epoch")
    for axes in (loss, rate):
        axes.grid(alpha=0.3)
        values = [value for line in axes.lines for value in line.get_ydata()]
        if values and min(values) > 0:
            axes.set_yscale("log")
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_minor_formatter("")
    # A name is a name, even if it looks like a formula.
    if len(names) == 1:
        loss.set_title(names[0], parse_math=False)
    elif names:
        for text in loss.legend(fontsize="small").get_texts():
            text.set_parse_math(False)


def _names(histories: Sequence[RunHistory]) -> list[str]:
    """Return the stems of the files, with their folders if stems are the same."""
    stems = [history.path.stem for history in histories]
    if len(set(stems)) < len(stems):
        stems = [f"{history.path.parent.name}/{history.path.stem}" for history in histories]
    # matplotlib leaves out of a legend what begins with an underscore.
    return [f" {name}".encode("utf-8", "backslashreplace").decode() for name in stems]
