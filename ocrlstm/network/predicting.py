"""Asking a network: what it gives for inputs, and how good that is."""

from __future__ import annotations

import numpy as np

from ocrlstm.network.graph import Graph
from ocrlstm.network.history import Evaluation
from ocrlstm.network.items import Inputs, Items
from ocrlstm.network.objective import Objective
from ocrlstm.network.samples import Samples, check_count, portions
from ocrlstm.network.targets import items_first

__all__ = ["evaluate", "predict"]


def predict(
    graph: Graph, x: Items, lengths: np.ndarray | None, batch_size: int
) -> np.ndarray | list[np.ndarray]:
    """Return the outputs of all items; see `Network.predict`."""
    check_count("batch_size", batch_size)
    if len(graph.plan.lengths[-1]) != len(graph.plan.lengths[0]):
        raise ValueError("the network makes several items of one; ask it by forward")
    inputs = Inputs(x, lengths, graph.input_shape, graph.dtype)
    found: list[np.ndarray] = []
    for numbers in portions(np.arange(len(inputs)), batch_size):
        outputs, sizes = graph.forward(*inputs.batch(numbers, graph.dtype))
        items = zip(items_first(outputs), sizes, strict=True)
        found += [item[..., :size, :] for item, size in items]
    *outer, size, features = (side or 0 for side in graph.output_shape)
    if graph.output_shape[-2] is None:
        if inputs.size is None or lengths is not None:
            return [np.ascontiguousarray(item) for item in found]
        size = int(graph.frames(np.array([inputs.size]))[0])
    y = np.zeros((len(found), *outer, size, features), graph.dtype)
    for whole, item in zip(y, found, strict=True):
        whole[..., : item.shape[-2], :] = item
    return y[:, 0] if graph.output_shape[:-1] == (1,) else y


def evaluate(graph: Graph, objective: Objective, samples: Samples, batch_size: int) -> Evaluation:
    """Return mean loss and accuracy; see `Network.evaluate`."""
    check_count("batch_size", batch_size)
    loss = 0.0
    right = count = 0
    for numbers in portions(samples.numbers, batch_size):
        outputs, sizes = graph.forward(*samples.inputs.batch(numbers, graph.dtype))
        targets = samples.targets.batch(numbers, outputs, sizes)
        losses, _ = objective.measure(outputs, sizes, targets)
        loss += float(losses.sum())
        found = samples.targets.right(numbers, outputs, sizes)
        if found is not None:
            right, count = right + found[0], count + found[1]
    return Evaluation(loss / len(samples), right / count if count else None, len(samples))
