"""The losses that find an alignment: against PyTorch, and each line on its own."""

import numpy as np
import pytest

from ocrlstm.losses import ALIGNMENTS, LOSSES, ctc_loss, minimum_frames, ocropus_loss

TARGETS = [
    np.array([1, 2, 2, 3], np.int32),
    np.array([], np.int64),
    np.array([4, 4, 4], np.int64),
    np.array([1, 2, 3, 4, 1, 2, 3, 4], np.int64),
    np.array([3], np.uint8),
]
LENGTHS = np.array([12, 5, 5, 8, 1])
FOUND = [LOSSES[name] for name in ALIGNMENTS]


def make_batch(seed=0, frames=12, lines=5, classes=5, dtype=np.float64):
    scores = np.random.default_rng(seed).normal(size=(frames, lines, classes)) * 2
    return (scores - np.logaddexp.reduce(scores, axis=2, keepdims=True)).astype(dtype)


def test_ctc_equals_torch():
    torch = pytest.importorskip("torch")
    scores = np.random.default_rng(0).normal(size=(12, 5, 5)) * 2
    variable = torch.tensor(scores, requires_grad=True)
    log_posteriors = torch.log_softmax(variable, dim=2)
    expected = torch.nn.functional.ctc_loss(
        log_posteriors,
        torch.tensor(np.concatenate([t.astype(np.int64) for t in TARGETS])),
        torch.tensor(LENGTHS),
        torch.tensor([len(t) for t in TARGETS]),
        reduction="none",
    )
    expected.sum().backward()
    posteriors = torch.exp(log_posteriors).detach().numpy()

    losses, gradient = ctc_loss(np.log(posteriors), LENGTHS, TARGETS)
    np.testing.assert_allclose(losses, expected.detach().numpy(), rtol=1e-10)
    # behind a log-softmax: g - p * sum(g)
    through = gradient - posteriors * gradient.sum(axis=2, keepdims=True)
    np.testing.assert_allclose(through, variable.grad.numpy(), atol=1e-10)


@pytest.mark.parametrize("loss", FOUND)
def test_padding_and_neighbours_do_not_matter(loss):
    batch = make_batch()
    losses, gradient = loss(batch, LENGTHS, TARGETS)
    for line, (frames, target) in enumerate(zip(LENGTHS, TARGETS, strict=True)):
        alone, gradient_alone = loss(batch[:frames, line : line + 1], [frames], [target])
        assert losses[line] == alone[0]
        np.testing.assert_array_equal(gradient[:frames, line], gradient_alone[:, 0])
        assert not gradient[frames:, line].any()
        batch[frames:, line] = np.nan
    again, gradient_again = loss(batch, LENGTHS, TARGETS)
    np.testing.assert_array_equal(again, losses)
    np.testing.assert_array_equal(gradient_again, gradient)


@pytest.mark.parametrize("loss", FOUND)
def test_infeasible_target_leaves_its_neighbour_alone(loss):
    batch = make_batch(lines=2)
    targets = [np.array([1, 1, 1]), np.array([1, 2])]
    losses, gradient = loss(batch, [4, 12], targets)
    assert losses[0] == np.inf
    assert not gradient[:, 0].any()
    assert np.isfinite(losses[1])
    assert gradient[:, 1].any()


@pytest.mark.parametrize("loss", FOUND)
def test_float32_is_close_to_float64(loss):
    exact, exact_gradient = loss(make_batch(), LENGTHS, TARGETS)
    losses, gradient = loss(make_batch(dtype=np.float32), LENGTHS, TARGETS)
    assert losses.dtype == np.float64
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(losses, exact, rtol=1e-6)
    np.testing.assert_allclose(gradient, exact_gradient, atol=1e-6)


@pytest.mark.parametrize("loss", FOUND)
def test_no_lines(loss):
    losses, gradient = loss(np.zeros((4, 0, 3)), np.zeros(0, np.int64), [])
    assert losses.shape == (0,)
    assert gradient.shape == (4, 0, 3)


def test_frames_as_views_of_a_larger_array():
    wide = make_batch(classes=10)
    losses, _ = ctc_loss(wide[:, :, ::2], LENGTHS, TARGETS)
    expected, _ = ctc_loss(wide[:, :, ::2].copy(), LENGTHS, TARGETS)
    np.testing.assert_array_equal(losses, expected)


def test_ocropus_gradient_follows_the_exact_one_roughly():
    # They agree on where each label belongs, not on the shares of a frame.
    batch = make_batch(lines=1, frames=12)
    _, exact = ctc_loss(batch, [12], [np.array([1, 2, 3])])
    _, historical = ocropus_loss(batch, [12], [np.array([1, 2, 3])])
    cosine = np.sum(exact * historical) / np.linalg.norm(exact) / np.linalg.norm(historical)
    assert cosine > 0.6


@pytest.mark.parametrize(
    ("target", "frames"), [([], 0), ([1], 1), ([1, 2, 1], 3), ([1, 1, 1], 5), ([2, 2, 1, 1], 6)]
)
def test_minimum_frames(target, frames):
    assert minimum_frames(np.array(target, np.int64)) == frames
    for loss in FOUND:
        fits, _ = loss(make_batch(lines=1), [frames], [np.array(target, np.int64)])
        assert np.isfinite(fits[0])
        if frames:
            too_few, _ = loss(make_batch(lines=1), [frames - 1], [np.array(target, np.int64)])
            assert too_few[0] == np.inf


@pytest.mark.parametrize(
    ("lengths", "targets", "message"),
    [
        ([13], [np.array([1])], r"lengths must lie in \[0, 12\]"),
        ([-1], [np.array([1])], "lengths"),
        ([12, 12], [np.array([1])], "1 items"),
        ([12], [], "0 targets"),
        ([12], [np.array([0, 1])], "labels must lie"),
        ([12], [np.array([5])], "labels must lie"),
        ([12], [np.array([1.0])], "integers"),
        ([12], [np.array([[1]])], "1-D"),
    ],
)
def test_bad_use_is_refused(lengths, targets, message):
    with pytest.raises(ValueError, match=message):
        ctc_loss(make_batch(lines=1), lengths, targets)
    with pytest.raises(ValueError, match="must be"):
        ctc_loss(np.zeros((3, 4)), [3], [np.array([1])])
