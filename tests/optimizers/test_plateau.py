"""A rate that falls when nothing gets better."""

import numpy as np
import pytest

from ocrlstm.optimizers import ReduceOnPlateau

LOSSES = [5.0, 4.0, 4.1, 4.0, 3.9999, 3.0, 3.5, np.nan, 3.2, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0]


def test_by_hand():
    plateau = ReduceOnPlateau(factor=0.1, patience=2, minimum=0.05)
    factors = [plateau.step(loss) for loss in LOSSES]
    # 3.9999 is no better than 4.0 by a ten-thousandth; nan is no better than 3.0
    assert factors == pytest.approx([1] * 4 + [0.1] * 4 + [0.05] * 8)
    assert plateau.value == factors[-1]


@pytest.mark.parametrize("patience", [0, 1, 3])
@pytest.mark.parametrize("threshold", [0.0, 0.1])
def test_equals_torch(patience, threshold):
    torch = pytest.importorskip("torch")
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=1.0)
    theirs = torch.optim.lr_scheduler.ReduceLROnPlateau(
        optimizer, factor=0.5, patience=patience, threshold=threshold, min_lr=0.1
    )
    ours = ReduceOnPlateau(0.5, patience, threshold, minimum=0.1)
    for loss in LOSSES:
        theirs.step(loss)
        assert ours.step(loss) == pytest.approx(optimizer.param_groups[0]["lr"])


def test_losses_below_0():
    plateau = ReduceOnPlateau(patience=0, threshold=0.1)
    assert [plateau.step(loss) for loss in (-1.0, -1.05, -1.2)] == [1.0, 0.5, 0.5]


def test_resumed_equals_undisturbed():
    undisturbed, resumed = (ReduceOnPlateau(patience=1) for _ in range(2))
    for loss in LOSSES[:4]:
        undisturbed.step(loss)
    resumed.load_state(undisturbed.state())
    for loss in LOSSES[4:]:
        assert resumed.step(loss) == undisturbed.step(loss)
    assert resumed.state() == undisturbed.state()


def test_state_of_something_else_is_refused():
    with pytest.raises(ValueError, match="not the state of ReduceOnPlateau: best, no_better, step"):
        ReduceOnPlateau().load_state({"value": np.array(1.0), "step": np.array(1)})


@pytest.mark.parametrize(
    "options",
    [{"factor": 1.0}, {"factor": -0.1}, {"patience": -1}, {"threshold": 1.0}, {"minimum": -0.1}],
)
def test_bad_settings_are_refused(options):
    (name,) = options
    with pytest.raises(ValueError, match=name):
        ReduceOnPlateau(**options)
