"""A page of the validation lines that a model reads worst, with their pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from ocrlstm.datasets import Sample
from ocrlstm.decoding import greedy
from ocrlstm.errors import OutputError
from ocrlstm.evaluation import Report, ShownLine, lines_page, score
from ocrlstm.network import LineModel, try_writing, write_atomically
from ocrlstm.training.sources import StrPath
from ocrlstm.training.validation import read_samples

__all__ = ["check_page", "find_worst", "write_worst_page"]


def check_page(path: StrPath) -> None:
    """Find out before any work is done whether a page can be written.

    Raises
    ------
    OutputError
        If it cannot, or its name does not end in .html.
    """
    path = Path(path)
    if path.suffix.lower() not in (".html", ".htm"):
        raise OutputError(f"{path}: a page ends in .html; name it so")
    try:
        try_writing(path.parent)
    except OSError as error:
        raise OutputError(f"{path}: cannot be written ({error.strerror})") from error


def find_worst(
    model: LineModel,
    samples: Sequence[Sample],
    most: int = 50,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Report, list[ShownLine]]:
    """Read lines and return those with most edits.

    Parameters
    ----------
    model : LineModel
    samples : sequence of Sample
        Lines of the model's normaliser, normal form and text rules, such as
        `TrainingResult.validation`.
    most : int
        At most so many lines.
    progress : callable, optional
        Called with the numbers of lines read and of all.

    Returns
    -------
    report : Report
        On all lines.
    worst : list of ShownLine
        The worst first, none that is right; with the normalised line as picture.
    """
    count = len(samples)
    readings = [""] * count
    numbers = range(count)
    reading = read_samples(model.network, samples, numbers, model.minimum_width)
    for done, (number, posteriors) in enumerate(reading, 1):
        readings[number] = model.codec.decode([symbol.label for symbol in greedy(posteriors)])
        if progress is not None:
            progress(done, count)
    truths = [sample.text for sample in samples]
    report = score(
        truths, readings, [str(number) for number in numbers], model.codec.normal_form, worst=most
    )
    worst = [
        ShownLine(
            samples[int(line.name)].name,
            line.truth,
            line.prediction,
            line.edits,
            samples[int(line.name)].pixels,
        )
        for line in report.worst
    ]
    return report, worst


def write_worst_page(
    path: StrPath,
    model: LineModel,
    samples: Sequence[Sample],
    title: str,
    most: int = 50,
    progress: Callable[[int, int], None] | None = None,
) -> None:
    """Write the worst lines with picture, truth and reading as one HTML file.

    Parameters
    ----------
    path : path
        Ends in .html; complete in itself, with all pictures.
    title : str
        Such as the name of the model.
    model, samples, most, progress
        As in `find_worst`.

    Raises
    ------
    OutputError
        If it cannot be written.
    """
    check_page(path)
    report, worst = find_worst(model, samples, most, progress)
    low, high = report.cer_interval
    facts = [
        (
            "validation CER",
            f"{report.cer:.2%} (95 % interval {low:.2%} to {high:.2%}), "
            f"{report.edits} edits in {report.characters} characters",
        ),
        ("lines", f"{report.exact_lines} of {report.lines} without error"),
        ("shown", f"the {len(worst)} worst"),
    ]
    write_atomically(path, lines_page(worst, f"Worst lines of {title}", facts).encode())
