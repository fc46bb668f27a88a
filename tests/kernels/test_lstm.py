"""The batched peephole LSTM against the plain one, line by line."""

import numpy as np
import pytest

from ocrlstm.kernels import lstm as fast
from ocrlstm.kernels.reference import lstm as reference

GATES = ("WGI", "WGF", "WGO", "WCI")
PEEPHOLES = ("WIP", "WFP", "WOP")

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
    weights |= {name: rng.normal(0, 0.5, ns) for name in PEEPHOLES}
    x = rng.normal(size=(max(lengths), len(lengths), ni))
    deltas = rng.normal(size=(max(lengths), len(lengths), ns))  # also beyond the lengths
    for i, length in enumerate(lengths):
        x[length:, i] = 0
    return {k: w.astype(dtype) for k, w in weights.items()}, x.astype(dtype), deltas.astype(dtype)


def run_fast(weights, x, deltas, lengths, peephole_at_start=True, backwards=False):
    """Outputs, states, gate errors, input gradient, and the weights' gradients in OCRopus form."""
    steps, lines, ni = x.shape
    ns = deltas.shape[2]
    gates = np.concatenate([weights[name] for name in GATES]).T
    wx, wh = gates[1 : 1 + ni].copy(), gates[1 + ni :].copy()
    peepholes = np.stack([weights[name] for name in PEEPHOLES])
    lengths = np.array(lengths)
    values = np.full((steps, lines, 4 * ns), np.nan, x.dtype)
    state, output = (np.full((steps, lines, ns), np.nan, x.dtype) for _ in range(2))
    fast.forward(
        x, wx, wh, gates[0].copy(), peepholes, lengths, peephole_at_start, backwards,
        values, state, output,
    )  # fmt: skip
    dx, dwx, dwh = (np.full(array.shape, np.nan, x.dtype) for array in (x, wx, wh))
    dbias, dpeepholes = np.full(4 * ns, np.nan, x.dtype), np.full((3, ns), np.nan, x.dtype)
    gate_values = values.copy()
    fast.backward(
        deltas, x, wx, wh, peepholes, lengths, peephole_at_start, backwards, values, state, output,
        dx, dwx, dwh, dbias, dpeepholes,
    )  # fmt: skip
    side_by_side = np.concatenate([dbias[None], dwx, dwh]).T
    gradients = dict(zip(GATES, np.split(side_by_side, 4), strict=True))
    gradients |= dict(zip(PEEPHOLES, dpeepholes, strict=True))
    return gate_values, state, output, values, dx, gradients


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("peephole_at_start", [True, False])
@pytest.mark.parametrize(("ni", "ns", "lengths"), CASES)
def test_equals_the_reference(ni, ns, lengths, peephole_at_start, backwards):
    weights, x, deltas = random_case(ni, ns, lengths)
    gates, state, output, errors, dx, gradients = run_fast(
        weights, x, deltas, lengths, peephole_at_start, backwards
    )
    turn = slice(None, None, -1 if backwards else 1)
    expected = {name: np.zeros_like(w) for name, w in weights.items()}
    for i, n in enumerate(lengths):
        s = reference.forward(weights, x[:n, i][turn], peephole_at_start=peephole_at_start)
        g = reference.backward(weights, s, deltas[:n, i][turn], peephole_at_start=peephole_at_start)
        pairs = [
            (gates, np.concatenate([s.gi, s.gf, s.go, s.ci], axis=1)),
            (state, s.state),
            (output, s.output),
            (errors, np.concatenate([g.gierr, g.gferr, g.goerr, g.cierr], axis=1)),
            (dx, g.sourceerr[:, 1 : 1 + ni]),
        ]
        for found, wanted in pairs:
            np.testing.assert_allclose(found[:n, i][turn], wanted, rtol=1e-10, atol=1e-12)
            assert not found[n:, i].any()
        for name in expected:
            expected[name] += g.weights[name]
    for name, wanted in expected.items():
        np.testing.assert_allclose(gradients[name], wanted, rtol=1e-10, atol=1e-12)


def test_the_historical_start_differs_in_the_first_output_gate():
    weights, x, deltas = random_case(2, 3, (1, 4))
    now = run_fast(weights, x, deltas, (1, 4), True)
    then = run_fast(weights, x, deltas, (1, 4), False)
    np.testing.assert_array_equal(now[1][0], then[1][0])  # c(0)
    assert (now[2][0] != then[2][0]).all()  # h(0)
    # A line of one frame knows c(-1) = 0 only: no gradient of the peepholes but WOP.
    one = run_fast(weights, x[:1, :1].copy(), deltas[:1, :1].copy(), (1,), False)[5]
    assert not any(one[name].any() for name in PEEPHOLES)
    one = run_fast(weights, x[:1, :1].copy(), deltas[:1, :1].copy(), (1,), True)[5]
    assert one["WOP"].all() and not one["WIP"].any() and not one["WFP"].any()


def test_float32_is_close_to_float64():
    lengths = (60, 1, 33, 60, 7, 2, 9, 41, 60)
    exact = run_fast(*random_case(7, 17, lengths), lengths)
    single = run_fast(*random_case(7, 17, lengths, np.float32), lengths)
    for found, wanted in zip(single[:-1], exact[:-1], strict=True):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, wanted, rtol=0, atol=2e-5)
    for name, wanted in exact[-1].items():
        np.testing.assert_allclose(single[-1][name], wanted, rtol=0, atol=1e-5 * abs(wanted).max())


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_stays_visible(bad):
    lengths = (9, 9)
    weights, x, deltas = random_case(7, 17, lengths, np.float32)
    weights["WCI"][3, 0] = bad  # a bias
    _, state, output, _, _, gradients = run_fast(weights, x, deltas, lengths)
    if np.isnan(bad):
        assert np.isnan(output[0, :, 3]).all() and np.isnan(output[1:]).all()
        assert all(np.isnan(gradients[name]).any() for name in GATES)
    else:  # a saturated gate is an honest number
        assert np.isfinite(output).all()
    weights, x, deltas = random_case(7, 17, lengths, np.float32)
    x[4, 1, 2] = np.nan
    _, _, output, _, _, _ = run_fast(weights, x, deltas, lengths)
    assert np.isfinite(output[:, 0]).all() and np.isfinite(output[:4, 1]).all()
    assert np.isnan(output[4:, 1]).all()


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("room", [1, 2, 3, 7])
def test_with_less_room_the_output_is_the_same(room, backwards):
    lengths = np.array([9, 1, 0, 7, 2])
    weights, x, deltas = random_case(3, 5, lengths)
    whole = run_fast(weights, x, deltas, lengths, backwards=backwards)
    gates = np.concatenate([weights[name] for name in GATES]).T
    peepholes = np.stack([weights[name] for name in PEEPHOLES])
    output = np.full_like(deltas, np.nan)
    fast.forward(
        x, gates[1:4].copy(), gates[4:].copy(), gates[0].copy(), peepholes, lengths, True,
        backwards, np.empty((room, 5, 20)), np.empty((room, 5, 5)), output,
    )  # fmt: skip
    np.testing.assert_array_equal(output, whole[2])
