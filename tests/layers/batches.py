"""Checks of a batch against its items."""

import numpy as np


def item_of(array, i, length):
    """An item's valid part, as a batch of one."""
    one = array[i : i + 1, :, :length] if array.ndim == 4 else array[:length, i : i + 1]
    return np.ascontiguousarray(one)


def check_alone(layer, x, lengths, *, training=False):
    """Check that each item's output is what it is alone, and zero beyond; in training, dx too.

    What lies beyond the items is filled with noise first.
    """
    lengths = np.asarray(lengths)
    rng = np.random.default_rng(5)
    noisy = rng.normal(size=x.shape)
    for i, length in enumerate(lengths):
        if x.ndim == 4:
            noisy[i, :, :length] = x[i, :, :length]
        else:
            noisy[:length, i] = x[:length, i]
    y, out_lengths = layer.forward(noisy, lengths, training)
    assert y.flags.c_contiguous and y.dtype == x.dtype
    assert y.shape[2 if y.ndim == 4 else 0] == out_lengths.max(initial=0)
    np.testing.assert_array_equal(out_lengths, layer.output_lengths(lengths))
    dy = rng.normal(size=y.shape)
    dx = layer.backward(dy) if training else None
    total = 0
    for i, (length, out_length) in enumerate(zip(lengths, out_lengths, strict=True)):
        alone, _ = layer.forward(item_of(x, i, length), lengths[i : i + 1], training)
        np.testing.assert_allclose(item_of(y, i, out_length), alone, rtol=1e-10, atol=1e-12)
        total += np.abs(alone).sum()
        if training:
            alone = layer.backward(item_of(dy, i, out_length))
            np.testing.assert_allclose(item_of(dx, i, length), alone, rtol=1e-10, atol=1e-12)
    # All that is not zero is in the items.
    np.testing.assert_allclose(np.abs(y).sum(), total, rtol=1e-10)
