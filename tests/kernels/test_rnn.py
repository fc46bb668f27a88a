"""The batched simple recurrent network against the plain one, line by line."""

import numpy as np
import pytest

from ocrlstm.kernels import rnn as fast
from ocrlstm.kernels.reference import rnn as reference

# States, lengths: odd sizes, single frames, empty lines, more lines than one block holds.
CASES = [
    (1, (1,)),
    (2, (1, 1, 2)),
    (9, (9, 1, 7, 2)),
    (7, (2, 9, 0, 7)),
    (17, (5,) * 9),
    (2, (1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),
]


def random_case(ns, lengths, dtype=np.float64):
    rng = np.random.default_rng(ns)
    steps, lines = max(lengths), len(lengths)
    recurrent, bias = rng.normal(0, 0.5, (ns, ns)), rng.normal(0, 0.5, ns)
    u, deltas = rng.normal(size=(2, steps, lines, ns))  # also beyond the lengths
    return [array.astype(dtype) for array in (u, recurrent, bias, deltas)]


def run_fast(u, recurrent, bias, deltas, lengths, name, apart):
    """Sums, outputs, and the gradients of u, sums, recurrent weights and bias."""
    lengths, wh = np.array(lengths), recurrent.T.copy()
    sums, output, du = (np.full_like(u, np.nan) for _ in range(3))
    fast.forward(name, u, wh, bias, lengths, apart, sums, output)
    kept = sums.copy()
    dwh, dbias = np.full_like(wh, np.nan), np.full_like(bias, np.nan)
    fast.backward(name, deltas, wh, lengths, apart, sums, output, du, dwh, dbias)
    return kept, output, du, sums, dwh.T, dbias


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("name", ["tanh", "relu", "gelu", "linear"])
@pytest.mark.parametrize(("ns", "lengths"), CASES)
def test_equals_the_reference(ns, lengths, name, apart):
    u, recurrent, bias, deltas = random_case(ns, lengths)
    sums, output, du, dsums, dwh, dbias = run_fast(u, recurrent, bias, deltas, lengths, name, apart)
    total, total_bias = np.zeros_like(recurrent), np.zeros_like(bias)
    for i, n in enumerate(lengths):
        s = reference.forward(u[:n, i], recurrent, bias, name, apart=apart)
        g = reference.backward(recurrent, s, deltas[:n, i], name, apart=apart)
        pairs = [(sums, s.sums), (output, s.output), (du, g.u), (dsums, g.sums)]
        for found, wanted in pairs:
            np.testing.assert_allclose(found[:n, i], wanted, rtol=1e-10, atol=1e-12)
            assert not found[n:, i].any()
        total += g.recurrent
        total_bias += g.bias
    np.testing.assert_allclose(dwh, total, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(dbias, total_bias, rtol=1e-10, atol=1e-12)


def test_sums_and_inputs_may_share_an_array():
    u, recurrent, bias, deltas = random_case(7, (9, 2))
    _, output, du, _, dwh, _ = run_fast(u, recurrent, bias, deltas, (9, 2), "tanh", False)
    lengths, wh, sums = np.array((9, 2)), recurrent.T.copy(), u.copy()
    shared, shared_dwh, dbias = np.empty_like(u), np.empty_like(wh), np.empty_like(bias)
    fast.forward("tanh", sums, wh, bias, lengths, False, sums, shared)
    fast.backward("tanh", deltas, wh, lengths, False, sums, shared, sums, shared_dwh, dbias)
    np.testing.assert_array_equal(shared, output)
    np.testing.assert_array_equal(sums, du)
    np.testing.assert_array_equal(shared_dwh.T, dwh)


@pytest.mark.parametrize("apart", [False, True])
def test_float32_is_close_to_float64(apart):
    lengths = (60, 1, 33, 60, 7, 2, 9, 41, 60)
    exact = random_case(7, lengths)
    exact[1] *= 0.3  # short of chaos, which no precision follows
    single = [array.astype(np.float32) for array in exact]
    wanted = run_fast(*exact, lengths, "tanh", apart)
    found = run_fast(*single, lengths, "tanh", apart)
    for one, other in zip(found, wanted, strict=True):
        assert one.dtype == np.float32
        np.testing.assert_allclose(one, other, rtol=0, atol=2e-5 * max(abs(other).max(), 1))


@pytest.mark.parametrize("name", ["tanh", "relu"])
def test_what_is_not_a_number_stays_visible_and_in_its_line(name):
    lengths = (9, 9)
    u, recurrent, bias, deltas = random_case(7, lengths, np.float32)
    u[4, 1] = np.nan
    _, output, du, _, dwh, _ = run_fast(u, recurrent, bias, deltas, lengths, name, False)
    assert np.isfinite(output[:, 0]).all() and np.isfinite(output[:4, 1]).all()
    assert np.isnan(output[4:, 1]).all()
    assert np.isfinite(du[:, 0]).all() and np.isnan(dwh).any()
