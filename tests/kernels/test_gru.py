"""The batched gated recurrent unit against the plain one, line by line."""

import numpy as np
import pytest

from ocrlstm.kernels import gru as fast
from ocrlstm.kernels.reference import gru as reference

GATES = ("WZ", "WR", "WN")

# Inputs, states, lengths: odd sizes, single frames, empty lines, more lines than one block holds.
CASES = [
    (1, 1, (1,)),
    (2, 1, (1, 1, 2)),
    (7, 9, (9, 1, 7, 2)),
    (9, 7, (2, 9, 0, 7)),
    (3, 17, (5,) * 9),
    (2, 2, (1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)),
]


def random_case(ni, ns, lengths, dtype=np.float64):
    rng = np.random.default_rng(ni * ns)
    weights = {name: rng.normal(0, 0.5, (ns, 1 + ni + ns)) for name in GATES}
    weights["bh"] = rng.normal(0, 0.5, ns)
    x = rng.normal(size=(max(lengths), len(lengths), ni))
    deltas = rng.normal(size=(max(lengths), len(lengths), ns))  # also beyond the lengths
    for i, length in enumerate(lengths):
        x[length:, i] = 0
    return {k: w.astype(dtype) for k, w in weights.items()}, x.astype(dtype), deltas.astype(dtype)


def run_fast(weights, x, deltas, lengths, reset_after):
    """Gates, outputs, gate errors, input gradient, and the weights' gradients by name."""
    steps, lines, ni = x.shape
    ns = deltas.shape[2]
    gates = np.concatenate([weights[name] for name in GATES]).T
    bias, wx = gates[0].copy(), gates[1 : 1 + ni].copy()
    wh, wn = gates[1 + ni :, : 2 * ns].copy(), gates[1 + ni :, 2 * ns :].copy()
    lengths = np.array(lengths)
    values = np.full((steps, lines, 3 * ns), np.nan, x.dtype)
    memory, output = (np.full((steps, lines, ns), np.nan, x.dtype) for _ in range(2))
    fast.forward(x, wx, wh, wn, bias, weights["bh"], lengths, reset_after, values, memory, output)
    dx, dwx, dwh, dwn, dbias, dbh = (
        np.full(array.shape, np.nan, x.dtype) for array in (x, wx, wh, wn, bias, weights["bh"])
    )
    gate_values = values.copy()
    fast.backward(
        deltas, x, wx, wh, wn, lengths, reset_after, values, memory, output,
        dx, dwx, dwh, dwn, dbias, dbh,
    )  # fmt: skip
    side_by_side = np.concatenate([dbias[None], dwx, np.concatenate([dwh, dwn], axis=1)]).T
    gradients = dict(zip(GATES, np.split(side_by_side, 3), strict=True)) | {"bh": dbh}
    return gate_values, output, values, dx, gradients


@pytest.mark.parametrize("reset_after", [True, False])
@pytest.mark.parametrize(("ni", "ns", "lengths"), CASES)
def test_equals_the_reference(ni, ns, lengths, reset_after):
    weights, x, deltas = random_case(ni, ns, lengths)
    gates, output, errors, dx, gradients = run_fast(weights, x, deltas, lengths, reset_after)
    expected = {name: np.zeros_like(w) for name, w in weights.items()}
    for i, n in enumerate(lengths):
        s = reference.forward(weights, x[:n, i], reset_after=reset_after)
        g = reference.backward(weights, s, deltas[:n, i], reset_after=reset_after)
        pairs = [
            (gates, np.concatenate([s.z, s.r, s.n], axis=1)),
            (output, s.output),
            (errors, np.concatenate([g.zerr, g.rerr, g.nerr], axis=1)),
            (dx, g.x),
        ]
        for found, wanted in pairs:
            np.testing.assert_allclose(found[:n, i], wanted, rtol=1e-10, atol=1e-12)
            assert not found[n:, i].any()
        for name in expected:
            expected[name] += g.weights[name]
    for name, wanted in expected.items():
        np.testing.assert_allclose(gradients[name], wanted, rtol=1e-10, atol=1e-12)


def test_the_two_places_of_the_reset_gate_agree_on_the_first_frame_only():
    weights, x, deltas = random_case(2, 3, (4, 4))
    weights["bh"][:] = 0
    after = run_fast(weights, x, deltas, (4, 4), True)[1]
    before = run_fast(weights, x, deltas, (4, 4), False)[1]
    np.testing.assert_array_equal(after[0], before[0])
    assert (after[1:] != before[1:]).all()


@pytest.mark.parametrize("reset_after", [True, False])
def test_float32_is_close_to_float64(reset_after):
    lengths = (60, 1, 33, 60, 7, 2, 9, 41, 60)
    exact = run_fast(*random_case(7, 17, lengths), lengths, reset_after)
    single = run_fast(*random_case(7, 17, lengths, np.float32), lengths, reset_after)
    for found, wanted in zip(single[:-1], exact[:-1], strict=True):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=0, atol=5e-5)
    for name, wanted in exact[-1].items():
        limit = 1e-5 * max(abs(wanted).max(), 1)
        np.testing.assert_allclose(single[-1][name], wanted, rtol=0, atol=limit)


@pytest.mark.parametrize("reset_after", [True, False])
def test_what_is_not_a_number_stays_visible_and_in_its_line(reset_after):
    lengths = (9, 9)
    weights, x, deltas = random_case(7, 17, lengths, np.float32)
    x[4, 1, 2] = np.nan
    _, output, _, dx, gradients = run_fast(weights, x, deltas, lengths, reset_after)
    assert np.isfinite(output[:, 0]).all() and np.isfinite(output[:4, 1]).all()
    assert np.isnan(output[4:, 1]).all()
    assert np.isfinite(dx[:, 0]).all()
    assert all(np.isnan(gradients[name]).any() for name in GATES)
