"""Connectionist temporal classification of one line: exact loss and gradient.

The label sequence is widened to the 2L+1 states *blank, l1, blank, l2, ..., blank*. A path goes
through them one frame at a time; it may stay, go on to the next state, or leave out the blank
between two different labels. It starts in one of the first two states and ends in one of the last
two. The probability of the labels is the sum over all paths, found by the forward and backward
recursions of Graves, Fernandez, Gomez and Schmidhuber, "Connectionist Temporal Classification",
ICML 2006. `ocrlstm.kernels.reference.ctc` is the same written to be read.

The recursions run on probabilities in float64, scaled to sum to 1 in every frame (Rabiner 1989,
section V.A): no logarithm or exponential within them, and loops that vectorise. A state that falls
below a tiny share of its frame's sum is then taken as impossible. What the paths lost by it could
add to the probability of the labels is bounded, and where the bound is not negligible the line is
done again in logarithms (`ocrlstm.kernels.ctc_logarithms`). A path lost on its way from the start
has, at the frame where that happens, the tiny share times what may follow, which the backward
recursion tells; the other way round for a path lost on the way from the end; and one lost both ways
has both shares, times the most that the probability can grow between the two frames.

A network that knows little drifts: most of the probability hurries through the labels, or never
sets out, and the states that matter have tiny shares. Every path takes each label once, so all
their probabilities may be multiplied by the same factor a label, the tilt, which is chosen to hold
the drift to a label every T/L frames.

At frame t only the band of states is visited that can be reached from the start in t+1 frames and
from which the end can be reached in those left.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from ocrlstm.kernels.ctc_logarithms import ctc_in_logarithms

__all__ = ["ctc", "ctc_line"]

# States with a smaller share of their frame's sum are taken as impossible.
_TINY = 1e-290
# A frame's sum must be as large, or a state that is not could fall out of float64's normal numbers
# (2.2e-308) before its share is known.
_LEAST = 1e-17
# A lost share of the probability of the labels below e^-40 does not show in float64.
_NEGLIGIBLE = -40.0


@njit(nogil=True, cache=True)
def ctc(log_posteriors: np.ndarray, labels: np.ndarray, gradient: np.ndarray) -> float:
    """Return the loss of one line and write its gradient.

    Parameters
    ----------
    log_posteriors : ndarray (T, C)
        Natural logarithms of the frames' posteriors, any strides; label 0 is the blank.
    labels : ndarray (L,) of int
        Labels of the text, each in ``[1, C)``; not checked here.
    gradient : ndarray (T, C)
        Overwritten with the derivative of the loss with respect to `log_posteriors`, which is
        minus the probability, given the labels, that a path emits the class at the frame.

    Returns
    -------
    float
        ``-log p(labels)``; inf, with the gradient 0, if no path has a probability above 0.
    """
    frames = log_posteriors.shape[0]
    count = len(labels)
    least = count
    may_skip = np.zeros(count + 1)  # above 0 where the blank before label k may be left out
    for k in range(1, count):
        if labels[k] != labels[k - 1]:
            may_skip[k] = 1.0
        else:
            least += 1
    if frames < least:
        gradient[:] = 0.0
        return np.inf
    if frames == 0:
        return 0.0  # nothing is the one text that no frames can spell
    posteriors, slots, growth, tilt = _posteriors_of(log_posteriors, labels)
    may_skip *= tilt
    # One column in front, always 0, stands for the label before the first.
    at_blank = np.zeros((frames, count + 1))
    at_label = np.zeros((frames, count + 1))
    loss, lost = _forward(posteriors, slots, growth, tilt, may_skip, at_blank, at_label)
    if math.isnan(loss):
        return ctc_in_logarithms(log_posteriors, labels, gradient)
    if not _backward(
        posteriors, slots, growth, tilt, may_skip, at_blank, at_label, loss, lost, labels, gradient
    ):
        return ctc_in_logarithms(log_posteriors, labels, gradient)
    return loss + count * math.log(tilt)


@njit(nogil=True, cache=True)
def _posteriors_of(log_posteriors, labels):  # type: ignore[no-untyped-def]
    """Return the posteriors of the blank and of the labels that occur, and where each label is.

    Returns
    -------
    posteriors : ndarray (T, U) of float64
        The blank's in column 0.
    slots : ndarray (L,) of int
        Column of each of `labels`.
    growth : ndarray (T,) of float64
        Logarithm of a bound for how much the share of any one state can grow when it is handed on
        to this frame: a label may stay, go on to the blank, and, tilted, to the next label.
    tilt : float
    """
    frames, classes = log_posteriors.shape
    slot_of = np.zeros(classes, np.int64)
    occurring = np.zeros(classes, np.int64)
    columns = 1
    slots = np.empty(len(labels), np.int64)
    for k in range(len(labels)):
        label = labels[k]
        if slot_of[label] == 0:
            slot_of[label] = columns
            occurring[columns] = label
            columns += 1
        slots[k] = slot_of[label]
    posteriors = np.empty((frames, columns))
    largest = np.zeros(frames)  # among the labels
    blanks = 0.0
    others = 0.0
    for t in range(frames):
        for u in range(columns):
            posterior = math.exp(np.float64(log_posteriors[t, occurring[u]]))
            posteriors[t, u] = posterior
            if u > 0:
                largest[t] = max(largest[t], posterior)
                others += posterior
        blanks += posteriors[t, 0]
    tilt = 1.0
    if columns > 1:
        tilt = _tilt(blanks / frames, others / (frames * (columns - 1)), frames / len(labels))
    growth = np.log(np.maximum(posteriors[:, 0] + (1.0 + tilt) * largest, _TINY))
    return posteriors, slots, growth, tilt


@njit(nogil=True, cache=True)
def _tilt(blank, label, frames_a_label):  # type: ignore[no-untyped-def]
    """Return the tilt for mean posteriors of the blank and of a label.

    With a tilt z, and the same posteriors b and p at all frames and labels, the shares grow by the
    factor g a frame with ``z = (g - p) (g - b) / (p g)``, as the recursion gives for shares that
    are alike at all labels; they move on by d(ln g)/d(ln z) labels a frame, so that
    ``g / (g - p) + g / (g - b) - 1`` is the number of frames a label. g is found by halving.
    """
    if not (blank > _TINY and label > _TINY):  # below, halving has too few digits to end well
        return 1.0
    low = max(blank, label)
    high = low * (2.0 + 4.0 / max(frames_a_label - 1.0, 1e-3))
    for _ in range(60):
        growth = 0.5 * (low + high)
        if growth / (growth - label) + growth / (growth - blank) - 1.0 > frames_a_label:
            low = growth
        else:
            high = growth
    tilt = (high - label) / label * ((high - blank) / high)
    if not 1e-6 < tilt < 1e6:
        return 1.0
    return tilt


@njit(nogil=True, cache=True)
def _band(t, frames, count):  # type: ignore[no-untyped-def]
    """Return the first and the end of the blanks, and of the labels, that count at a frame."""
    states = 2 * count + 1
    first = max(0, states - 2 * (frames - t))
    last = min(states, 2 * (t + 1))
    return (first + 1) // 2, (last + 1) // 2, first // 2, last // 2


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")
def _scale(blanks, labels, factor):  # type: ignore[no-untyped-def]
    """Multiply both by `factor`, set to 0 what is too small, and return how many those are."""
    lost = 0
    for k in range(len(blanks)):
        value = blanks[k] * factor
        small = value < _TINY
        blanks[k] = 0.0 if small else value
        lost += small
    for k in range(len(labels)):
        value = labels[k] * factor
        small = value < _TINY
        labels[k] = 0.0 if small else value
        lost += small
    return lost


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")
def _forward_frame(  # type: ignore[no-untyped-def]
    blank, emitted, tilt, may_skip, old_blank, old_label, new_blank, new_label, band
):
    """Step to a frame: all that leads to a state, times what it emits. Return the sum."""
    b0, b1, l0, l1 = band
    total = 0.0
    for k in range(b0, b1):
        new_blank[k] = (old_blank[k] + old_label[k]) * blank
        total += new_blank[k]
    for k in range(l0, l1):
        new_label[k + 1] = (
            old_label[k + 1] + tilt * old_blank[k] + may_skip[k] * old_label[k]
        ) * emitted[k]
        total += new_label[k + 1]
    return total


@njit(nogil=True, cache=True)
def _forward(posteriors, slots, growth, tilt, may_skip, at_blank, at_label):  # type: ignore[no-untyped-def]
    """Fill the scaled shares of the states at every frame; return loss and largest lost share.

    ``at_label[t, k + 1]`` is that of label k. The loss is NaN where it is in doubt.
    """
    frames, count = len(posteriors), len(slots)
    emitted = np.empty(count)
    start = np.zeros(count + 1)
    start[0] = 1.0  # before the first frame: a blank that emitted nothing
    nothing = np.zeros(count + 1)
    loss = 0.0
    lost = -np.inf  # logarithm of the largest lost share of a frame, seen from the start
    grown = 0.0
    for t in range(frames):
        for k in range(count):
            emitted[k] = posteriors[t, slots[k]]
        band = _band(t, frames, count)
        total = _forward_frame(
            posteriors[t, 0],
            emitted,
            tilt,
            may_skip,
            start if t == 0 else at_blank[t - 1],
            nothing if t == 0 else at_label[t - 1],
            at_blank[t],
            at_label[t],
            band,
        )
        if not total > _LEAST:
            return np.nan, lost
        losses = _scale(
            at_blank[t, band[0] : band[1]], at_label[t, band[2] + 1 : band[3] + 1], 1.0 / total
        )
        loss -= math.log(total)
        grown += growth[t]
        if losses > 0:
            lost = max(lost, -loss - grown)
    total = at_blank[frames - 1, count] + at_label[frames - 1, count]
    if not total > _TINY:
        return np.nan, lost
    return loss - math.log(total), lost


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")
def _backward_frame(  # type: ignore[no-untyped-def]
    blank,
    emitted,
    tilt,
    may_skip,
    after_blank,
    after_label,
    ahead_blank,
    ahead_label,
    band,
    earlier,
):
    """Step back from a frame to the one before: what may follow each state. Return the sum."""
    b0, b1, l0, l1 = band
    for k in range(b0, b1):
        ahead_blank[k] = after_blank[k] * blank
    for k in range(l0, l1):
        ahead_label[k] = after_label[k] * emitted[k]
    b0, b1, l0, l1 = earlier
    total = 0.0
    for k in range(b0, b1):
        after_blank[k] = ahead_blank[k] + tilt * ahead_label[k]
        total += after_blank[k]
    for k in range(l0, l1):
        after_label[k] = ahead_label[k] + ahead_blank[k + 1] + may_skip[k + 1] * ahead_label[k + 1]
        total += after_label[k]
    return total


@njit(nogil=True, cache=True, fastmath={"reassoc", "contract", "nsz"}, error_model="numpy")
def _occupancy(at_blank, at_label, after_blank, after_label, band):  # type: ignore[no-untyped-def]
    """Replace what led to each state by its occupancy, not yet divided.

    Returns
    -------
    blanks, labels : float
        Sums of the occupancies.
    doubtful : float
        The largest value of a state on one side where it is 0 on the other.
    """
    doubtful = 0.0
    b0, b1, l0, l1 = band
    blanks = 0.0
    for k in range(b0, b1):
        before, after = at_blank[k], after_blank[k]
        blanks += before * after
        doubtful = max(doubtful, 0.0 if before * after > 0.0 else before + after)
    labels = 0.0
    for k in range(l0, l1):
        before, after = at_label[k + 1], after_label[k]
        at_label[k + 1] = before * after
        labels += before * after
        doubtful = max(doubtful, 0.0 if before * after > 0.0 else before + after)
    return blanks, labels, doubtful


@njit(nogil=True, cache=True)
def _backward(  # type: ignore[no-untyped-def]
    posteriors, slots, growth, tilt, may_skip, at_blank, at_label, loss, lost, labels, gradient
):
    """Write the gradient; return False where it is in doubt."""
    frames, count = len(posteriors), len(slots)
    emitted = np.empty(count)
    # After the last frame: only the last blank and the last label may end.
    after_blank = np.zeros(count + 1)
    after_label = np.zeros(count + 1)
    after_blank[count] = 1.0
    if count > 0:
        after_label[count - 1] = 1.0
    ahead_blank = np.zeros(count + 1)
    ahead_label = np.zeros(count + 1)
    after_loss = 0.0
    states = frames * (2.0 * count + 1.0)
    most_doubtful = math.exp(_NEGLIGIBLE) / (states * _TINY)
    lost_after = -np.inf  # as `lost`, seen from the end
    grown = growth.sum()
    gradient[:] = 0.0
    for t in range(frames - 1, -1, -1):
        band = _band(t, frames, count)
        blanks, others, doubtful = _occupancy(
            at_blank[t], at_label[t], after_blank, after_label, band
        )
        if not (blanks + others > _TINY and doubtful < (blanks + others) * most_doubtful):
            return False
        share = 1.0 / (blanks + others)
        gradient[t, 0] = -blanks * share
        for k in range(band[2], band[3]):
            gradient[t, labels[k]] -= at_label[t, k + 1] * share
        if t == 0:
            break
        for k in range(count):
            emitted[k] = posteriors[t, slots[k]]
        earlier = _band(t - 1, frames, count)
        total = _backward_frame(
            posteriors[t, 0],
            emitted,
            tilt,
            may_skip,
            after_blank,
            after_label,
            ahead_blank,
            ahead_label,
            band,
            earlier,
        )
        if not total > _LEAST:
            return False
        losses = _scale(
            after_blank[earlier[0] : earlier[1]],
            after_label[earlier[2] : earlier[3]],
            1.0 / total,
        )
        after_loss -= math.log(total)
        grown -= growth[t]
        if losses > 0:
            lost_after = max(lost_after, grown - after_loss)
    return lost + lost_after + loss + 2.0 * math.log(states * _TINY) <= _NEGLIGIBLE


@njit(nogil=True, cache=True)
def ctc_line(
    log_posteriors: np.ndarray, line: int, frames: int, labels: np.ndarray, gradient: np.ndarray
) -> float:
    """Treat one line of a batch in place: `ctc` of its valid frames.

    Slicing inside compiled code gives one type of array whatever the size of the batch, so that
    the kernel is compiled once.

    Parameters
    ----------
    log_posteriors, gradient : ndarray (T, N, C)
        The batch; ``gradient[:frames, line]`` is overwritten, the rest left as it is.
    line, frames : int
        Which line, and how many of its frames are valid.
    labels : ndarray (L,) of int64
        Labels of the line's text.

    Returns
    -------
    float
        The loss of the line.
    """
    return ctc(log_posteriors[:frames, line], labels, gradient[:frames, line])
