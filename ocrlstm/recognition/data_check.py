"""Check a data set against a model: its characters and frames, and what it reads in the lines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from ocrlstm.datasets import DataReport, Expectations, LineForm, LinePair, StrPath, check_data
from ocrlstm.recognition.recognizer import Recognizer

__all__ = ["check_data_with_model"]


def check_data_with_model(
    paths: Iterable[StrPath],
    recognizer: Recognizer,
    *,
    progress: Callable[[int, int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> DataReport:
    """Open every pair that paths stand for, read it, and tell what is wrong or odd.

    Parameters
    ----------
    paths : iterable of str or path
        See `ocrlstm.datasets.find_pairs`.
    recognizer : Recognizer
        Lines that it reads quite differently from their text are suspected mispairs.
    progress : callable, optional
        Called with the numbers of pairs done and of all.
    should_stop : callable, optional
        Asked after every pair; true ends the check with what was found so far.

    Returns
    -------
    DataReport

    Raises
    ------
    DatasetError
        See `ocrlstm.datasets.check_data`.
    """
    model = recognizer.model
    expected = Expectations(
        LineForm(model.normalizer, model.codec.normal_form, model.rules),
        model.network.frames,
        model.codec,
        max_pixels=recognizer.max_pixels,
    )

    def read(pairs: Sequence[LinePair]) -> list[str | None]:
        lines = recognizer.recognize_lines(pairs)
        return [line.text if line.error is None else None for line in lines]

    return check_data(paths, expected, read=read, progress=progress, should_stop=should_stop)
