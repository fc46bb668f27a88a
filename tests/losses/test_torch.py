"""Losses that PyTorch has too: the same values and gradients, in float64."""

import numpy as np
import pytest
from loss_cases import all_cases

from ocrlstm.losses import cross_entropy_loss

torch = pytest.importorskip("torch")
functional = torch.nn.functional

THEIRS = {
    "mse": functional.mse_loss,
    "mae": functional.l1_loss,
    "smooth_l1": lambda x, t: 2 * functional.smooth_l1_loss(x, t),
    "seg": lambda x, t, noobject_scale=0.5: functional.mse_loss(
        x, t, weight=torch.where(t == 0, noobject_scale, 1.0), reduction="none"
    ).mean(),
    "masked": lambda x, t, mask=np.nan: functional.mse_loss(x[known(t, mask)], t[known(t, mask)]),
    "hinge": lambda x, t: functional.relu(1 - t * x).mean(),
    "hellinger": lambda x, t: functional.mse_loss(x.sqrt(), t.sqrt()),
    "logcosh": lambda x, t: torch.log(torch.cosh(x - t)).mean(),
    "wgan": lambda x, t: torch.where(t != 0, -x, x).mean(),
    "binary_cross_entropy": functional.binary_cross_entropy,
}


def known(targets, mask):
    return ~torch.isnan(targets) if np.isnan(mask) else targets != mask


def item_of(array, i, length):
    return array[i, :, :length] if array.ndim == 4 else array[:length, i]


def compare(case, theirs):
    """Hold each item against their loss of it, computed alone and without padding."""
    outputs, targets = case.batch()
    losses, gradient = case.measure(outputs, targets)
    for i, length in enumerate(case.lengths):
        if length == 0:
            assert losses[i] == 0.0 and not gradient[:, i].any()
            continue
        x = torch.tensor(item_of(outputs, i, length), requires_grad=True)
        if isinstance(targets, np.ndarray) and targets.ndim == outputs.ndim:
            t = torch.tensor(item_of(targets, i, length))
        else:
            t = torch.tensor(np.atleast_1d(targets[i]))
        expected = theirs(x, t, **case.options)
        if torch.isnan(expected):  # the mean over no value at all
            assert losses[i] == 0.0 and not item_of(gradient, i, length).any()
            continue
        expected.backward()
        np.testing.assert_allclose(losses[i], expected.item(), rtol=1e-9, atol=1e-9)
        found = item_of(gradient, i, length)
        np.testing.assert_allclose(found, x.grad.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("case", [case for case in all_cases() if case.name in THEIRS], ids=str)
def test_values(case):
    compare(case, THEIRS[case.name])


@pytest.mark.parametrize(
    "case", [case for case in all_cases() if case.name == "cross_entropy"], ids=str
)
def test_cross_entropy(case):
    def theirs(x, t, smoothing=0.0):
        classes = x.shape[-1]
        if t.ndim < x.ndim:
            t = functional.one_hot(t, classes).double()
            if not smoothing:
                labels = t.argmax(-1).flatten()
                return functional.nll_loss(x.reshape(-1, classes), labels)
        t = (1 - smoothing) * t + smoothing / classes
        return -(t * x).sum(-1).mean()

    compare(case, theirs)


@pytest.mark.parametrize("smoothing", [0.0, 0.2])
def test_cross_entropy_behind_a_softmax(smoothing):
    rng = np.random.default_rng(0)
    scores = torch.tensor(rng.normal(size=(1, 9, 7)) * 3, requires_grad=True)
    labels = rng.integers(0, 7, 9)
    functional.cross_entropy(
        scores[0], torch.tensor(labels), label_smoothing=smoothing, reduction="none"
    ).sum().backward()
    x = torch.log_softmax(scores, dim=2).detach().numpy()
    _, gradient = cross_entropy_loss(x, np.ones(9), labels, smoothing)
    through = gradient - np.exp(x) * gradient.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(through, scores.grad.numpy(), rtol=1e-9, atol=1e-12)
