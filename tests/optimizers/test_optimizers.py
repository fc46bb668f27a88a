"""Optimisers: against hand values and PyTorch, and resumed against undisturbed."""

import numpy as np
import pytest

from ocrlstm.optimizers import (
    OPTIMIZERS,
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Momentum,
    NesterovMomentum,
    RMSprop,
)

SHAPES = {"weights": (4, 3), "bias": (4,), "kernel": (2, 3, 3)}


def make(seed, dtype=np.float64):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape).astype(dtype) for name, shape in SHAPES.items()}


def torch_groups(tensors, weight_decay):
    """PyTorch decays all it is given, so arrays of one axis are a group of their own."""
    return [
        {"params": [t for t in tensors.values() if t.ndim >= 2], "weight_decay": weight_decay},
        {"params": [t for t in tensors.values() if t.ndim < 2], "weight_decay": 0.0},
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "weight_decay", "options"),
    [
        (SGD(0.01), "SGD", 0.0, {}),
        (Momentum(0.01, 0.8), "SGD", 0.0, {"momentum": 0.8}),
        (NesterovMomentum(0.01), "SGD", 0.0, {"momentum": 0.9, "nesterov": True}),
        (Adagrad(), "Adagrad", 0.0, {}),
        (Adagrad(0.1, 1e-3, decay=0.3), "Adagrad", 0.0, {"lr": 0.1, "eps": 1e-3, "lr_decay": 0.3}),
        (RMSprop(), "RMSprop", 0.0, {"lr": 1e-3, "alpha": 0.9}),
        (RMSprop(0.01, 0.99, 1e-3), "RMSprop", 0.0, {"eps": 1e-3}),
        (Adadelta(), "Adadelta", 0.0, {"lr": 1.0, "rho": 0.95}),
        (Adadelta(0.3, 0.9, 1e-3), "Adadelta", 0.0, {"lr": 0.3, "eps": 1e-3}),
        (Adam(), "Adam", 0.0, {"lr": 1e-3}),
        (Adam(0.01, 0.8, 0.95, 1e-3), "Adam", 0.0, {"betas": (0.8, 0.95), "eps": 1e-3}),
        (AdamW(0.01, 0.1), "AdamW", 0.1, {}),
        (AdamW(), "AdamW", 0.01, {"lr": 1e-3}),
        (Adamax(), "Adamax", 0.0, {"lr": 2e-3}),
        (Adamax(0.01, 0.8, 0.95, 1e-3), "Adamax", 0.0, {"betas": (0.8, 0.95), "eps": 1e-3}),
    ],
)
def test_equals_torch(ours, theirs, weight_decay, options):
    torch = pytest.importorskip("torch")
    parameters = make(0)
    tensors = {name: torch.tensor(array) for name, array in parameters.items()}
    options = {"lr": 0.01, **options}
    optimizer = getattr(torch.optim, theirs)(torch_groups(tensors, weight_decay), **options)
    for step in range(20):
        gradients = make(step + 1)
        ours.update(parameters, gradients)
        for name, tensor in tensors.items():
            tensor.grad = torch.tensor(gradients[name])
        optimizer.step()
    for name, tensor in tensors.items():
        np.testing.assert_allclose(parameters[name], tensor.numpy(), rtol=1e-12, atol=1e-12)


def steps_of(optimizer, gradients, rates):
    parameters = {"w": np.array([1.0])}
    values = []
    for gradient, rate in zip(gradients, rates, strict=True):
        optimizer.update(parameters, {"w": np.array([gradient])}, rate)
        values.append(float(parameters["w"][0]))
    return values


def test_sgd_by_hand():
    assert steps_of(SGD(), [2.0, -4.0], [0.1, 0.2]) == pytest.approx([0.8, 1.6])


def test_momentum_by_hand():
    # d: -0.2, then 0.5 * -0.2 + 0.8, with the second rate on the second gradient alone
    assert steps_of(Momentum(momentum=0.5), [2.0, -4.0], [0.1, 0.2]) == pytest.approx([0.8, 1.5])


def test_nesterov_by_hand():
    # d: -0.2, and on from there by half of it; then 0.5 * -0.2 + 0.8, and half of that
    steps = steps_of(NesterovMomentum(momentum=0.5), [2.0, -4.0], [0.1, 0.2])
    assert steps == pytest.approx([1 - 0.2 - 0.1, 0.7 + 0.8 + 0.35])


@pytest.mark.parametrize(
    ("optimizer", "expected"),
    [
        (Adagrad(), [0.9, 0.9 - 0.1 * 4 / 5]),  # sums of squares: 9, then 25
        (RMSprop(rho=0.0), [0.9, 0.8]),  # nothing kept: by the rate, whatever the gradient is
        (Adamax(beta1=0.0), [0.9, 0.8]),
    ],
)
def test_adaptive_steps_by_hand(optimizer, expected):
    assert steps_of(optimizer, [3.0, 4.0], [0.1, 0.1]) == pytest.approx(expected)


def test_adadelta_by_hand():
    # The first step is g * sqrt(epsilon / (0.05 g**2 + epsilon)): next to sqrt(epsilon / 0.05).
    assert steps_of(Adadelta(), [100.0], [1.0]) == pytest.approx([1 - np.sqrt(2e-5)])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_a_valley_is_found(name):
    optimizer = OPTIMIZERS[name](learning_rate=1.0 if name == "adadelta" else 0.03)
    parameters = {"w": np.array([0.5, -0.25])}
    for _ in range(300):
        optimizer.update(parameters, {"w": np.array([1.0, 4.0]) * parameters["w"]})
    limit = 0.4 if name == "adadelta" else 0.1
    assert np.abs(parameters["w"]).max() < limit


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_own_rate_is_used_unless_another_is_given(name):
    own, given = OPTIMIZERS[name](0.25), OPTIMIZERS[name](7.0)
    mine, others = make(0), make(0)
    for step in range(3):
        own.update(mine, make(step + 1))
        given.update(others, make(step + 1), 0.25)
    for key in mine:
        np.testing.assert_array_equal(mine[key], others[key])


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_decay_does_not_compound(name):
    decaying, told = OPTIMIZERS[name](0.5, decay=0.25), OPTIMIZERS[name]()
    mine, others = make(0), make(0)
    for step in range(4):
        assert decaying.rate == 0.5 / (1 + 0.25 * step)
        told.update(others, make(step + 1), decaying.rate)
        decaying.update(mine, make(step + 1))
    for key in mine:
        np.testing.assert_array_equal(mine[key], others[key])


def test_decay_goes_on_where_it_was():
    optimizer, resumed = SGD(1.0, decay=1.0), SGD(1.0, decay=1.0)
    optimizer.update({"w": np.ones(1)}, {"w": np.ones(1)})
    resumed.load_state(optimizer.state())
    assert resumed.rate == optimizer.rate == 0.5


def test_adam_by_hand():
    # The corrected means of the first step are g and g**2: it goes by the rate, whatever g is.
    assert steps_of(Adam(), [123.0], [0.1]) == pytest.approx([0.9])


def test_adamw_decays_matrices_only():
    parameters = {"w": np.full((2, 2), 2.0), "b": np.full(2, 2.0)}
    nothing = {name: np.zeros_like(array) for name, array in parameters.items()}
    AdamW(weight_decay=0.5).update(parameters, nothing, 0.1)
    np.testing.assert_allclose(parameters["w"], 2.0 * (1 - 0.1 * 0.5))
    np.testing.assert_array_equal(parameters["b"], 2.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("name", OPTIMIZERS)
def test_resumed_equals_undisturbed(name, dtype):
    undisturbed, parameters = OPTIMIZERS[name](), make(0, dtype)
    for step in range(3):
        undisturbed.update(parameters, make(step + 1, dtype), 0.01)
    kept = undisturbed.state()
    resumed, copies = OPTIMIZERS[name](), {n: p.copy() for n, p in parameters.items()}
    for step in range(3, 6):
        undisturbed.update(parameters, make(step + 1, dtype), 0.02)
    resumed.load_state(kept)  # only now: the state is a copy, which later steps leave alone
    for step in range(3, 6):
        resumed.update(copies, make(step + 1, dtype), 0.02)
    for key, parameter in parameters.items():
        assert parameter.dtype == dtype
        np.testing.assert_array_equal(copies[key], parameter)
    for key, array in undisturbed.state().items():
        np.testing.assert_array_equal(resumed.state()[key], array)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_state_of_a_fresh_optimizer_is_loaded(name):
    fresh = OPTIMIZERS[name]().state()
    assert list(fresh) == ["step"]
    OPTIMIZERS[name]().load_state(fresh)


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_gradients_are_left_as_they_are(name):
    gradients = make(1)
    OPTIMIZERS[name]().update(make(0), gradients, 0.1)
    for key, expected in make(1).items():
        np.testing.assert_array_equal(gradients[key], expected)


def test_parameters_of_many_sizes_share_scratch():
    small_last = {"a": np.ones(9), "b": np.ones((2, 2)), "c": np.ones(0)}
    ones = {name: np.ones_like(array) for name, array in small_last.items()}
    SGD().update(small_last, ones, 0.25)
    for array in small_last.values():
        np.testing.assert_array_equal(array, 0.75)


def test_bad_use_is_refused():
    optimizer = Momentum()
    with pytest.raises(ValueError, match="differ in bias"):
        optimizer.update({"bias": np.ones(2)}, {}, 0.1)
    with pytest.raises(ValueError, match="its gradient"):
        optimizer.update({"bias": np.ones(2)}, {"bias": np.ones(3)}, 0.1)
    with pytest.raises(ValueError, match="its gradient"):
        optimizer.update({"bias": np.ones(2)}, {"bias": np.ones(2, np.float32)}, 0.1)
    adam = Adam()
    adam.update({"bias": np.ones(2)}, {"bias": np.ones(2)}, 0.1)
    with pytest.raises(ValueError, match="not the state of Momentum"):
        optimizer.load_state(adam.state())
    with pytest.raises(ValueError, match="its state"):
        adam.update({"bias": np.ones(3)}, {"bias": np.ones(3)}, 0.1)


@pytest.mark.parametrize(
    "make_it",
    [
        lambda: SGD(-1.0),
        lambda: SGD(np.nan),
        lambda: SGD(decay=-1.0),
        lambda: Momentum(momentum=1.0),
        lambda: NesterovMomentum(momentum=-0.1),
        lambda: Adagrad(epsilon=0.0),
        lambda: RMSprop(rho=1.0),
        lambda: RMSprop(epsilon=-1.0),
        lambda: Adadelta(rho=-0.5),
        lambda: Adadelta(epsilon=0.0),
        lambda: Adamax(beta2=1.0),
        lambda: Adamax(epsilon=0.0),
        lambda: Adam(beta1=1.0),
        lambda: Adam(epsilon=0.0),
        lambda: AdamW(weight_decay=-1.0),
    ],
)
def test_bad_settings_are_refused(make_it):
    with pytest.raises(ValueError, match="not"):
        make_it()
