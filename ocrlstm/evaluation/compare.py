"""Two readings of the same lines: which is better, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ocrlstm.evaluation.alignment import count_edits
from ocrlstm.evaluation.rate import bounds, error_rate, resample_sums
from ocrlstm.text import normalize_text

__all__ = ["Comparison", "DifferingLine", "compare"]


@dataclass(frozen=True)
class DifferingLine:
    """A line of which one reading has fewer edits than the other.

    Attributes
    ----------
    name, truth : str
        Its name and ground truth.
    first, second : str
        The two readings.
    first_edits, second_edits : int
        Code point edits of each.
    """

    name: str
    truth: str
    first: str
    second: str
    first_edits: int
    second_edits: int


@dataclass(frozen=True)
class Comparison:
    """How a first reading compares with a second one. Rates are fractions.

    Attributes
    ----------
    cer, other_cer : float
        Character error rates of the first and the second.
    difference : float
        ``cer - other_cer``: below zero where the first is better.
    difference_interval : tuple of (float, float)
        95 % bootstrap interval of it.
    better_share, worse_share : float
        Share of the resamples in which the first has fewer edits than the second, or more.
    p_value : float
        How probable it is to see so clear a difference, in whatever direction, where there is none:
        twice the share of resamples in which the difference is zero or has the other sign, with one
        added to the counts, so that it is never 0.
    lines_better, lines_worse, lines_equal : int
        Lines in which the first has fewer, more, or as many edits.
    resamples : int
        Samples drawn.
    differing : tuple of DifferingLine
        The lines that differ most.
    """

    cer: float
    other_cer: float
    difference: float
    difference_interval: tuple[float, float]
    better_share: float
    worse_share: float
    p_value: float
    lines_better: int
    lines_worse: int
    lines_equal: int
    resamples: int
    differing: tuple[DifferingLine, ...]


def compare(
    truths: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    names: Sequence[str] | None = None,
    normal_form: str = "NFC",
    seed: int = 0,
    resamples: int = 2000,
    most: int = 10,
) -> Comparison:
    """Compare two readings of the same lines by a paired bootstrap.

    Lines are drawn with replacement, both readings of a line together, so that a hard line weighs
    on both (Koehn, Statistical Significance Tests for Machine Translation Evaluation, EMNLP 2004).
    The p-value has one added to both counts (Davison and Hinkley, Bootstrap Methods and their
    Application, 1997, equation 4.11).

    Parameters
    ----------
    truths, first, second : sequence of str, length N
        Ground truth and the two readings, line by line.
    names : sequence of str, length N, optional
        Names of the lines; by default "line 1", "line 2", ...
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}, default="NFC"
        In which all texts are compared.
    seed : int, default=0
        Seed of the bootstrap.
    resamples : int, default=2000
        Samples drawn.
    most : int, default=10
        At most so many of the lines that differ most are kept.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError
        If the sequences differ in length, or there are no lines.

    Examples
    --------
    >>> found = compare(["abcd"] * 4, ["abcd"] * 4, ["abce", "abcd", "abxy", "abcd"])
    >>> found.difference, found.lines_better, found.lines_worse, found.lines_equal
    (-0.1875, 2, 0, 2)
    """
    if names is None:
        names = [f"line {number}" for number in range(1, len(truths) + 1)]
    lengths = [len(truths), len(first), len(second), len(names)]
    if len(set(lengths)) > 1 or not truths:
        raise ValueError(
            "expected as many truths, first and second readings and names, and at least one of "
            f"each, not {', '.join(map(str, lengths))}"
        )
    truths, first, second = (
        [normalize_text(text, normal_form) for text in texts] for texts in (truths, first, second)
    )
    characters = [len(truth) for truth in truths]
    edits = np.array([count_edits(*pair) for pair in zip(truths, first, strict=True)])
    others = np.array([count_edits(*pair) for pair in zip(truths, second, strict=True)])
    rng = np.random.default_rng(seed)
    sampled, sampled_others, totals = resample_sums([edits, others, characters], rng, resamples)
    gaps = sampled - sampled_others
    total = sum(characters)
    cer, other_cer = error_rate(int(edits.sum()), total), error_rate(int(others.sum()), total)
    gap = edits - others
    order = np.argsort(-np.abs(gap), kind="stable")[: max(most, 0)]
    return Comparison(
        cer=cer,
        other_cer=other_cer,
        difference=cer - other_cer,
        difference_interval=bounds(gaps / np.maximum(totals, 1)),
        better_share=float((gaps < 0).mean()),
        worse_share=float((gaps > 0).mean()),
        p_value=_p_value(int((gaps >= 0).sum()), int((gaps <= 0).sum()), resamples),
        lines_better=int((gap < 0).sum()),
        lines_worse=int((gap > 0).sum()),
        lines_equal=int((gap == 0).sum()),
        resamples=resamples,
        differing=tuple(
            DifferingLine(names[i], truths[i], first[i], second[i], int(edits[i]), int(others[i]))
            for i in order.tolist()
            if gap[i]
        ),
    )


def _p_value(not_below: int, not_above: int, resamples: int) -> float:
    return min(1.0, 2 * (min(not_below, not_above) + 1) / (resamples + 1))
