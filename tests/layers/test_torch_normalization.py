"""Normalisations that PyTorch has too: the same values and gradients, in float64."""

import numpy as np
import pytest
from batches import item_of
from gradients import build, images, sequences

from ocrlstm.layers import BatchNorm, GroupNorm, L1Norm, L2Norm

torch = pytest.importorskip("torch")

CLOSE = {"rtol": 1e-9, "atol": 1e-9}
BATCHES = [
    (images(7, 6, (9, 9, 9)), (9, 9, 9)),
    (images(2, 6, (9, 1, 7)), (9, 1, 7)),
    (sequences(6, (9, 9)), (9, 9)),
    (sequences(6, (2, 9, 7)), (2, 9, 7)),
]


def shape_of(x):
    return (x.shape[1], None, x.shape[3]) if x.ndim == 4 else (None, x.shape[2])


def rows_of(x, lengths):
    """All valid pixels or frames, (positions, channels)."""
    return np.concatenate(
        [item_of(x, i, n).reshape(-1, x.shape[-1]) for i, n in enumerate(lengths)]
    )


def run(layer, x, lengths):
    """Output, a random gradient of it, and what backward makes of that."""
    y, _ = layer.forward(x, np.array(lengths), training=True)
    dy = np.random.default_rng(1).normal(size=y.shape)
    return y, dy, layer.backward(dy)


def weights_of(layer):
    return (
        torch.tensor(layer.parameters()[name], requires_grad=True) for name in ("gamma", "beta")
    )


def assert_gradients_equal(layer, gamma, beta):
    np.testing.assert_allclose(layer.gradients()["gamma"], gamma.grad.numpy(), **CLOSE)
    np.testing.assert_allclose(layer.gradients()["beta"], beta.grad.numpy(), **CLOSE)


@pytest.mark.parametrize("epsilon", [1e-5, 0.1])
@pytest.mark.parametrize(("x", "lengths"), BATCHES)
def test_batch_norm_of_all_valid_positions(x, lengths, epsilon):
    layer = build(BatchNorm(epsilon=epsilon), shape_of(x))
    y, dy, dx = run(layer, x, lengths)
    rows = torch.tensor(rows_of(x, lengths), requires_grad=True)
    gamma, beta = weights_of(layer)
    wanted = torch.nn.functional.batch_norm(
        rows, None, None, gamma, beta, training=True, eps=epsilon
    )
    wanted.backward(torch.tensor(rows_of(dy, lengths)))
    np.testing.assert_allclose(rows_of(y, lengths), wanted.detach().numpy(), **CLOSE)
    np.testing.assert_allclose(rows_of(dx, lengths), rows.grad.numpy(), **CLOSE)
    assert_gradients_equal(layer, gamma, beta)


def test_batch_norm_of_whole_images():
    x = images(7, 3, (9, 9, 9))
    layer = build(BatchNorm(), (7, None, 3))
    y, dy, dx = run(layer, x, (9, 9, 9))
    batch = torch.tensor(x.transpose(0, 3, 1, 2), requires_grad=True)
    gamma, beta = weights_of(layer)
    wanted = torch.nn.functional.batch_norm(batch, None, None, gamma, beta, training=True)
    wanted.backward(torch.tensor(dy.transpose(0, 3, 1, 2)))
    np.testing.assert_allclose(y, wanted.detach().numpy().transpose(0, 2, 3, 1), **CLOSE)
    np.testing.assert_allclose(dx, batch.grad.numpy().transpose(0, 2, 3, 1), **CLOSE)
    assert_gradients_equal(layer, gamma, beta)


@pytest.mark.parametrize("momentum", [0.1, 0.7, 1.0])
def test_batch_norm_has_the_same_running_statistics_after_several_steps(momentum):
    layer = build(BatchNorm(momentum), (2, None, 3))
    twin = torch.nn.BatchNorm1d(3, momentum=momentum, dtype=torch.float64)
    with torch.no_grad():
        twin.weight[:], twin.bias[:] = weights_of(layer)
    rng = np.random.default_rng(0)
    for _ in range(7):
        x, lengths = rng.normal(3, 2, (3, 2, 9, 3)), rng.integers(1, 10, 3)
        layer.forward(x, lengths, training=True)
        twin(torch.tensor(rows_of(x, lengths)))
    np.testing.assert_allclose(layer.buffers()["mean"], twin.running_mean.numpy(), **CLOSE)
    np.testing.assert_allclose(layer.buffers()["variance"], twin.running_var.numpy(), **CLOSE)
    twin.eval()
    y, _ = layer.forward(x, lengths)
    wanted = twin(torch.tensor(rows_of(x, lengths))).detach().numpy()
    np.testing.assert_allclose(rows_of(y, lengths), wanted, **CLOSE)


@pytest.mark.parametrize(("groups", "epsilon"), [(1, 1e-5), (2, 0.1), (6, 1e-5)])
@pytest.mark.parametrize(("x", "lengths"), BATCHES)
def test_group_norm_of_every_item(x, lengths, groups, epsilon):
    layer = build(GroupNorm(groups, epsilon), shape_of(x))
    y, dy, dx = run(layer, x, lengths)
    gamma, beta = weights_of(layer)
    for i, length in enumerate(lengths):
        values = item_of(x, i, length).reshape(1, -1, 6)
        item = torch.tensor(values.transpose(0, 2, 1), requires_grad=True)
        if item.numel() == groups:  # torch refuses a variance of one value
            continue
        wanted = torch.nn.functional.group_norm(item, groups, gamma, beta, epsilon)
        errors = item_of(dy, i, length).reshape(1, -1, 6).transpose(0, 2, 1)
        wanted.backward(torch.tensor(errors))  # the weights' gradients add up
        as_ours = wanted.detach().numpy().transpose(0, 2, 1)
        np.testing.assert_allclose(item_of(y, i, length).reshape(1, -1, 6), as_ours, **CLOSE)
        as_ours = item.grad.numpy().transpose(0, 2, 1)
        np.testing.assert_allclose(item_of(dx, i, length).reshape(1, -1, 6), as_ours, **CLOSE)
    assert_gradients_equal(layer, gamma, beta)


@pytest.mark.parametrize("axis", ["channels", "item"])
@pytest.mark.parametrize(("kind", "order"), [(L1Norm, 1), (L2Norm, 2)])
@pytest.mark.parametrize(("x", "lengths"), BATCHES)
def test_norms(x, lengths, kind, order, axis):
    y, dy, dx = run(kind(axis, epsilon=1e-12), x, lengths)
    for i, length in enumerate(lengths):
        item = torch.tensor(item_of(x, i, length), requires_grad=True)
        values = item if axis == "channels" else item.reshape(1, -1)
        wanted = torch.nn.functional.normalize(values, p=order, dim=-1)
        wanted.backward(torch.tensor(item_of(dy, i, length)).reshape(wanted.shape))
        as_ours = wanted.detach().numpy().reshape(item.shape)
        np.testing.assert_allclose(item_of(y, i, length), as_ours, **CLOSE)
        np.testing.assert_allclose(item_of(dx, i, length), item.grad.numpy(), **CLOSE)
