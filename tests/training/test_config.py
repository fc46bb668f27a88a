"""Settings are checked when made, and what is wrong begins with the setting's name."""

import pytest

from ocrlstm.errors import TrainingError
from ocrlstm.optimizers import OPTIMIZERS
from ocrlstm.training import TrainingConfig


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"batch_size": 0}, "batch_size is 0; it must lie in 1 to 4096"),
        ({"batch_size": 2.5}, "batch_size is 2.5; it must be a whole number"),
        ({"epochs": True}, "epochs is True; it must be a whole number"),
        ({"patience": None}, "patience is None; it must be a whole number"),
        ({"learning_rate": "1e-3"}, "learning_rate is '1e-3'; it must be a number"),
        ({"learning_rate": float("nan")}, "learning_rate is nan; it must lie in 0 to 100"),
        ({"seed": -1}, "seed is -1; it must lie in 0 to"),
        ({"optimizer": "adan"}, "optimizer is 'adan'; choose one of adam, adamw"),
        ({"spec": None}, "spec is None; it must be a text"),
        ({"height": 3}, "height is 3; it must lie in 4 to 1000"),
        ({"augment": 6.0}, "augment is 6.0; it must lie in 0 to 5"),
        ({"distortions": "blur"}, "distortions is 'blur'; it must give names a number each"),
        (
            {"distortions": {"shere": 1.0}},
            "distortions: there is no distortion 'shere'; did you mean 'shear'? All are: spacing,",
        ),
        ({"distortions": {"blur": 9}}, "distortions: the factor of blur is 9; it must lie in 0 to"),
    ],
)
def test_refused(values, message):
    with pytest.raises(TrainingError) as error:
        TrainingConfig(**values)
    assert str(error.value).startswith(message)


def test_there_and_back():
    config = TrainingConfig(
        epochs=3, learning_rate=1e-4, seed=2**63 - 1, distortions={"blur": 0.5, "width": 2}
    )
    assert TrainingConfig.from_dict(config.to_dict()) == config
    assert list(config.to_dict()["distortions"].items()) == [("width", 2.0), ("blur", 0.5)]


def test_settings_of_before_there_were_distortions():
    """A checkpoint without them goes on with all as strong as `augment`."""
    values = TrainingConfig(epochs=3).to_dict()
    del values["distortions"]
    assert TrainingConfig.from_dict(values).distortions == {}


@pytest.mark.parametrize(
    ("height", "spec", "sized"),
    [
        (None, "[1,48,0,1 Lbx4 O1c]", "[1,48,0,1 Lbx4 O1c]"),
        (32, "[1,48,0,1 Lbx4 O1c]", "[1,32,0,1 Lbx4 O1c]"),
        (32, " [ 1,48,0,1 Lbx48 O1c48]", " [ 1,32,0,1 Lbx48 O1c48]"),
    ],
)
def test_height_in_the_spec(height, spec, sized):
    assert TrainingConfig(spec=spec, height=height).sized_spec == sized


@pytest.mark.parametrize(
    ("epochs", "max_minutes", "last"),
    [(None, None, 100), (7, None, 7), (None, 5.0, None), (7, 5.0, 7)],
)
def test_last_epoch(epochs, max_minutes, last):
    assert TrainingConfig(epochs=epochs, max_minutes=max_minutes).last_epoch == last


def test_every_optimizer_has_a_rate_it_can_use():
    rates = {name: TrainingConfig(optimizer=name).peak_rate for name in OPTIMIZERS}
    assert rates["adamw"] == 2e-3
    assert rates["nesterov"] == 1e-2
    assert rates["adadelta"] == 1.0  # the rule finds the step itself
    assert rates["rmsprop"] == OPTIMIZERS["rmsprop"]().learning_rate
    assert TrainingConfig(optimizer="adadelta", learning_rate=0.5).peak_rate == 0.5
