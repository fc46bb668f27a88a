"""Gates of one line and step: in vectors of float32 as in the loops of float64."""

import numpy as np
import pytest

from ocrlstm.kernels.lstm_gates import step_gates


def run(dtype, ns, peep_out=1.0, spoil=None):
    rng = np.random.default_rng(ns)
    given = [rng.normal(0, 2, size) for size in (4 * ns, 4 * ns + 3, 4 * ns, (3, ns), ns)]
    gates, recurrent, bias, peepholes, before = (array.astype(dtype) for array in given)
    if spoil is not None:
        gates[spoil] = np.nan
    state, output = np.full(ns, np.nan, dtype), np.full(ns, np.nan, dtype)
    step_gates(gates, recurrent, bias, peepholes, before, state, output, dtype(peep_out))
    return gates, state, output


@pytest.mark.parametrize("peep_out", [1.0, 0.0])
@pytest.mark.parametrize("ns", [1, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100])
def test_vectors_as_loops(ns, peep_out):
    for found, wanted in zip(
        run(np.float32, ns, peep_out), run(np.float64, ns, peep_out), strict=True
    ):
        np.testing.assert_allclose(found, wanted, rtol=0, atol=3e-6)


@pytest.mark.parametrize("ns", [7, 16, 33])
def test_nan_stays_in_its_cell(ns):
    _, state, output = run(np.float32, ns, spoil=ns - 1)  # the last cell's input gate
    assert np.isnan(state[-1]) and np.isnan(output[-1])
    assert np.isfinite(state[:-1]).all() and np.isfinite(output[:-1]).all()
