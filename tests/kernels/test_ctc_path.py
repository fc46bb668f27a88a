"""The likeliest path of a text against a look at all paths."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ocrlstm.kernels import ctc_path as compiled
from ocrlstm.kernels.reference import ctc_path as reference


def run(module, log_posteriors, labels):
    starts, ends = np.full((2, len(labels)), -1, np.int32)
    score = module.ctc_path(log_posteriors, np.array(labels, np.int32), starts, ends)
    return score, list(zip(starts.tolist(), ends.tolist(), strict=True))


@given(st.lists(st.integers(1, 3), max_size=4), st.integers(0, 7), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_kernel_equals_reference(labels, frames, seed):
    posteriors = np.log(np.random.default_rng(seed).dirichlet(np.ones(4), frames))
    posteriors = posteriors.reshape(frames, 4)
    score, runs = run(compiled, posteriors, labels)
    expected_score, expected_runs = run(reference, posteriors, labels)
    assert score == pytest.approx(expected_score, rel=1e-12)
    assert runs == expected_runs


def test_runs_lie_where_the_posteriors_say():
    path = [0, 1, 1, 0, 1, 2, 2, 0, 0]
    posteriors = np.full((len(path), 3), 0.01)
    posteriors[np.arange(len(path)), path] = 0.98
    assert run(compiled, np.log(posteriors), [1, 1, 2])[1] == [(1, 3), (4, 5), (5, 7)]


@pytest.mark.parametrize("module", [compiled, reference])
def test_no_room(module):
    posteriors = np.log(np.full((2, 3), 1 / 3))
    assert run(module, posteriors, [1, 1]) == (-np.inf, [(-1, -1)] * 2)
    assert run(module, posteriors[:0], [1])[0] == -np.inf
    assert run(module, posteriors[:0], []) == (0.0, [])


@pytest.mark.parametrize("module", [compiled, reference])
def test_a_label_that_cannot_be(module):
    posteriors = np.log(np.full((3, 3), 1 / 3))
    posteriors[:, 2] = -np.inf
    assert run(module, posteriors, [2])[0] == -np.inf
