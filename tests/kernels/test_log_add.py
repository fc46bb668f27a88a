"""Sums of logarithms, against NumPy's."""

import itertools

import numpy as np
import pytest

from ocrlstm.kernels.log_add import log_add, log_add3

VALUES = [-np.inf, -1000.0, -40.0, -36.9, -3.0, -2.5, 0.0]


def test_log_add():
    for a, b in itertools.product(VALUES, repeat=2):
        assert log_add(a, b) == pytest.approx(np.logaddexp(a, b), rel=1e-15, abs=3e-16)


def test_log_add3():
    for terms in itertools.product(VALUES, repeat=3):
        expected = np.logaddexp.reduce(terms)
        assert log_add3(*terms) == pytest.approx(expected, rel=1e-15, abs=1e-15)


def test_nan_is_never_lost():
    for others in itertools.product([-np.inf, -1.0], repeat=2):
        for terms in itertools.permutations([np.nan, *others]):
            assert np.isnan(log_add3(*terms))
    for other in (-np.inf, -1.0):
        assert np.isnan(log_add(np.nan, other))
        assert np.isnan(log_add(other, np.nan))
