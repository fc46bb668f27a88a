"""Optimisers: against hand values and PyTorch, and resumed against undisturbed."""

import numpy as np
import pytest

from ocrlstm.optimizers import OPTIMIZERS, SGD, Adam, AdamW, Momentum

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
    ("ours", "theirs", "decay", "options"),
    [
        (SGD(), "SGD", 0.0, {}),
        (Momentum(0.9), "SGD", 0.0, {"momentum": 0.9}),
        (Adam(), "Adam", 0.0, {}),
        (Adam(0.8, 0.95, 1e-3), "Adam", 0.0, {"betas": (0.8, 0.95), "eps": 1e-3}),
        (AdamW(0.1), "AdamW", 0.1, {}),
        (AdamW(), "AdamW", 0.01, {}),
    ],
)
def test_equals_torch(ours, theirs, decay, options):
    torch = pytest.importorskip("torch")
    parameters = make(0)
    tensors = {name: torch.tensor(array) for name, array in parameters.items()}
    optimizer = getattr(torch.optim, theirs)(torch_groups(tensors, decay), lr=0.01, **options)
    for step in range(8):
        gradients = make(step + 1)
        ours.update(parameters, gradients, 0.01)
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
    assert steps_of(Momentum(0.5), [2.0, -4.0], [0.1, 0.2]) == pytest.approx([0.8, 1.5])


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
        lambda: Momentum(1.0),
        lambda: Adam(beta1=1.0),
        lambda: Adam(epsilon=0.0),
        lambda: AdamW(weight_decay=-1.0),
    ],
)
def test_bad_settings_are_refused(make_it):
    with pytest.raises(ValueError, match="not"):
        make_it()
