"""Compare what was read with the ground truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ocrlstm.evaluation.alignment import count_edits, list_confusions
from ocrlstm.evaluation.confusions import find_confusions
from ocrlstm.evaluation.groups import score_groups
from ocrlstm.evaluation.rate import bootstrap_interval, error_rate
from ocrlstm.evaluation.report import Details, LineResult, Report
from ocrlstm.evaluation.scripts import count_script_errors
from ocrlstm.evaluation.spaces import count_space_errors
from ocrlstm.evaluation.variants import score_variants
from ocrlstm.text import normalize_text

__all__ = ["score"]


def score(
    truths: Sequence[str],
    predictions: Sequence[str],
    names: Sequence[str] | None = None,
    normal_form: str = "NFC",
    seed: int = 0,
    resamples: int = 1000,
    worst: int = 10,
    details: bool = False,
    groups: Sequence[str] | None = None,
) -> Report:
    """Score read lines against their ground truth.

    Both texts of a line are brought to the normal form with collapsed blanks; then code points are
    counted. An empty prediction means that all was deleted; an empty ground truth is legal and
    whatever was read there counts as insertions.

    Parameters
    ----------
    truths, predictions : sequence of str, length N
        Ground truth and what was read, line by line.
    names : sequence of str, length N, optional
        Names of the lines for the list of the worst; by default "line 1", "line 2", ...
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}, default="NFC"
        The model's normal form.
    seed : int, default=0
        Seed of the bootstrap, so that a report can be repeated.
    resamples : int, default=1000
        Samples of the bootstrap.
    worst : int, default=10
        At most so many of the worst lines are kept.
    details : bool, default=False
        Also count what `Details` holds, which takes several times as long.
    groups : sequence of str, length N, optional
        The book, or whatever else the lines have in common; see `group_names`.

    Returns
    -------
    Report
        Rates, counts, interval, confusions and the worst lines.

    Raises
    ------
    ValueError
        If the sequences differ in length.

    Examples
    --------
    >>> report = score(["four", "five"], ["four", "fve!"])
    >>> report.cer, report.edits, report.characters, report.exact_lines
    (0.25, 2, 8, 1)
    """
    if names is None:
        names = [f"line {number}" for number in range(1, len(truths) + 1)]
    if groups is not None and len(groups) != len(truths):
        raise ValueError(f"{len(truths)} truths and {len(groups)} groups do not belong together")
    if not len(truths) == len(predictions) == len(names):
        raise ValueError(
            f"{len(truths)} truths, {len(predictions)} predictions and {len(names)} names "
            "do not belong together"
        )
    truths = [normalize_text(text, normal_form) for text in truths]
    predictions = [normalize_text(text, normal_form) for text in predictions]
    edits = [count_edits(*pair) for pair in zip(truths, predictions, strict=True)]
    characters = [len(truth) for truth in truths]
    words = [truth.split() for truth in truths]
    word_edits = sum(
        count_edits(truth, text.split()) for truth, text in zip(words, predictions, strict=True)
    )
    word_count = sum(map(len, words))

    wrong = [i for i in range(len(edits)) if edits[i]]
    confusions = Counter(c for i in wrong for c in list_confusions(truths[i], predictions[i]))
    wrong.sort(key=lambda i: -edits[i])
    return Report(
        cer=error_rate(sum(edits), sum(characters)),
        edits=sum(edits),
        characters=sum(characters),
        wer=error_rate(word_edits, word_count),
        word_edits=word_edits,
        words=word_count,
        lines=len(edits),
        exact_lines=edits.count(0),
        cer_interval=bootstrap_interval(edits, characters, np.random.default_rng(seed), resamples),
        confusions=tuple(
            (*pair, count)
            for pair, count in sorted(confusions.items(), key=lambda item: (-item[1], item[0]))
        ),
        worst=tuple(
            LineResult(names[i], truths[i], predictions[i], edits[i])
            for i in wrong[: max(worst, 0)]
        ),
        details=_details(names, truths, predictions, sum(edits)) if details else None,
        groups=score_groups(groups or (), edits, characters, seed, resamples),
    )


def _details(
    names: Sequence[str], truths: Sequence[str], predictions: Sequence[str], edits: int
) -> Details:
    pairs = list(zip(truths, predictions, strict=True))
    named = zip(names, truths, predictions, strict=True)
    return Details(
        cer_by_longer=error_rate(edits, sum(max(map(len, pair)) for pair in pairs)),
        variants=score_variants(truths, predictions),
        spaces=count_space_errors(pairs),
        scripts=count_script_errors(pairs),
        context_confusions=find_confusions(line for line in named if line[1] != line[2]),
    )
