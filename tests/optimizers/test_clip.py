"""Clipping by the common norm and by value."""

import numpy as np
import pytest

from ocrlstm.optimizers import clip_by_norm, clip_by_value


def test_norm_of_all_arrays_is_brought_to_the_limit():
    gradients = {"a": np.array([[2.0, 3.0]]), "b": np.array([6.0])}
    assert clip_by_norm(gradients, 3.5) == 7.0
    np.testing.assert_allclose(gradients["a"], [[1.0, 1.5]])
    np.testing.assert_allclose(gradients["b"], [3.0])


@pytest.mark.parametrize("limit", [5.0, 100.0, np.inf])
def test_norm_within_the_limit_changes_nothing(limit):
    gradients = {"a": np.array([3.0, 4.0], np.float32)}
    assert clip_by_norm(gradients, limit) == 5.0
    np.testing.assert_array_equal(gradients["a"], [3.0, 4.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_nan_and_inf_are_returned_and_left(bad):
    gradients = {"a": np.array([1.0, bad]), "b": np.array([2.0])}
    np.testing.assert_equal(clip_by_norm(gradients, 0.5), bad)
    np.testing.assert_array_equal(gradients["b"], [2.0])


def test_large_float32_values_do_not_overflow():
    gradients = {"a": np.full(4, 1e30, np.float32)}
    assert clip_by_norm(gradients, 1.0) == pytest.approx(2e30)
    np.testing.assert_allclose(gradients["a"], 0.5, rtol=1e-6)


def test_float32_is_summed_in_float64():
    # In float32 the ones would be lost beside 2**24.
    gradients = {"a": np.concatenate([[4096.0], np.ones(4096)]).astype(np.float32)}
    assert clip_by_norm(gradients, np.inf) == pytest.approx(np.sqrt(2**24 + 4096), rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_values_are_brought_to_the_limit(dtype):
    gradients = {"a": np.array([[2.0, -3.0]], dtype), "b": np.array([0.5], dtype)}
    assert clip_by_value(gradients, 1.5) == 3.0
    np.testing.assert_array_equal(gradients["a"], [[1.5, -1.5]])
    np.testing.assert_array_equal(gradients["b"], [0.5])
    assert gradients["a"].dtype == dtype


@pytest.mark.parametrize("limit", [4.0, np.inf])
def test_values_within_the_limit_are_left(limit):
    gradients = {"a": np.array([3.0, -4.0])}
    assert clip_by_value(gradients, limit) == 4.0
    np.testing.assert_array_equal(gradients["a"], [3.0, -4.0])


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("place", [0, 1])
def test_nan_and_inf_among_values_are_returned_and_left(bad, place):
    gradients = {"a": np.array([1.0, 1.0]), "b": np.array([2.0])}
    gradients["ab"[place]][0] = bad
    np.testing.assert_equal(clip_by_value(gradients, 0.5), bad)
    assert gradients["a"][1] == 1.0


@pytest.mark.parametrize("clip", [clip_by_norm, clip_by_value])
def test_nothing_to_clip(clip):
    assert clip({}, 1.0) == 0.0
    assert clip({"a": np.zeros((0, 3))}, 1.0) == 0.0


@pytest.mark.parametrize("clip", [clip_by_norm, clip_by_value])
def test_bad_limit_is_refused(clip):
    with pytest.raises(ValueError, match="limit"):
        clip({}, 0.0)
