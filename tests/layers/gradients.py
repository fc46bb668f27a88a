"""One check for every layer: backward against central differences, in float64."""

import numpy as np

from ocrlstm.layers import Dropout

STEP = 1e-5


def check_gradients(layer, x, lengths, loss=None, limit=1e-6):
    """Compare the gradients of the input and of every weight with central differences.

    `loss` takes (output, lengths) and gives (value, gradient). By default it is a random sum of
    the output, with factors also beyond the lengths: those must change nothing. The input is
    moved beyond the lengths too. Returns the largest relative error by name: the difference over
    the larger of both values, which counts as at least a hundredth of the array's largest.
    """
    assert x.dtype == np.float64
    lengths = np.asarray(lengths, np.int64)
    loss = random_sum if loss is None else loss

    def run():
        for part in walk(layer):
            if isinstance(part, Dropout):
                part.rng = np.random.default_rng(8)  # the same mask every time
        return loss(*layer.forward(x, lengths, training=True))

    _, dy = run()
    moved = {"input": x, **layer.parameters()}
    found = {"input": layer.backward(dy), **{k: g.copy() for k, g in layer.gradients().items()}}
    assert found.keys() == moved.keys()
    errors = {}
    for name, array in moved.items():
        expected = np.empty_like(array)
        for place in np.ndindex(*array.shape):
            value = array[place]
            array[place] = value + STEP
            above, _ = run()
            array[place] = value - STEP
            below, _ = run()
            array[place] = value
            expected[place] = (above - below) / (2 * STEP)
        assert found[name].shape == array.shape
        assert found[name].dtype == np.float64
        size = np.maximum(np.abs(expected), np.abs(found[name]))
        size = np.maximum(size, max(size.max(initial=0) / 100, 1e-3))
        errors[name] = float((np.abs(expected - found[name]) / size).max(initial=0))
    assert max(errors.values()) <= limit, errors
    return errors


def random_sum(y, lengths):
    """A loss that sees every value of the output, each with another weight."""
    factors = np.random.default_rng(9).normal(size=y.shape)
    return float((factors * y).sum()), factors


def walk(layer):
    """A layer and all within it."""
    yield layer
    for child in layer.children():
        yield from walk(child)


def build(layer, shape, scale=0.6):
    """Build a layer in float64 and make every weight random, peepholes and biases too."""
    rng = np.random.default_rng(2)
    layer.build(shape, rng, np.float64)
    for weights in layer.parameters().values():
        weights[:] = rng.normal(0, scale, weights.shape)
    return layer


def sequences(features, lengths):
    """Random sequences (T, N, F), zero beyond the lengths."""
    x = np.random.default_rng(3).normal(size=(max(lengths), len(lengths), features))
    for i, length in enumerate(lengths):
        x[length:, i] = 0
    return x


def images(height, channels, widths):
    """Random images (N, H, W, C), zero beyond the widths."""
    x = np.random.default_rng(4).normal(size=(len(widths), height, max(widths), channels))
    for i, width in enumerate(widths):
        x[i, :, width:] = 0
    return x
