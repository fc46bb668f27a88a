"""The network: read from a VGSL spec or written in Python, summed up, trained and asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ocrlstm.errors import SpecError
from ocrlstm.layers import Softmax
from ocrlstm.layers.base import Shape, Shapes
from ocrlstm.network.fitting import FitOptions, fit, hold_back, make_optimizer
from ocrlstm.network.graph import Graph
from ocrlstm.network.history import Evaluation, FitRecord, History
from ocrlstm.network.items import Items
from ocrlstm.network.objective import Loss, Objective, make_objective
from ocrlstm.network.predicting import evaluate, predict
from ocrlstm.network.rates import Schedule
from ocrlstm.network.samples import Samples, make_samples
from ocrlstm.network.summary import format_summary
from ocrlstm.network.vgsl import Spec, parse_spec, write_spec
from ocrlstm.optimizers import Optimizer

__all__ = ["Network", "array_shapes"]


def array_shapes(spec: Spec) -> Shapes:
    """Return the shapes of all that `Graph.arrays` gives, without building the network."""
    graph = Graph(spec.input_shape)
    for named in spec.layers:
        graph.add(named.layer, named.name)
    plan = graph.plan
    return {
        f"{name}.{array}": shape
        for parts in (plan.weights, plan.buffers)
        for name, part in zip(plan.series.names, parts, strict=True)
        for array, shape in part.items()
    }


class Network(Graph):
    """A graph of layers, with residual and route connections.

    There are two ways to one, which give the same object. From a VGSL spec, built at once::

        Network("[1,48,0,1 Cr3,3,16 Mp2,2 S1(1x0)1,3 Lbx100 O1c59]", rng=np.random.default_rng(0))

    or layer by layer, built in the end::

        net = Network(input_shape=(48, None, 1))
        net.add(Convolution(16, 3, activation="relu")).add(MaxPool(2)).add(Columns())
        net.add(Bidirectional(LSTM(100))).add(Softmax(59))
        net.build(np.random.default_rng(0))

    Parameters
    ----------
    spec : str or Spec, optional
        See `ocrlstm.network.vgsl`. The layers of a Spec make one network, not several.
    classes : int, optional
        Number of classes with the blank, where the spec does not tell it.
    rng : numpy.random.Generator or None
        Source of the first weights of a spec's layers; None leaves them zero, to be loaded or
        drawn by `compile`.
    dtype : dtype, default=float32
    input_shape : tuple, optional
        (height, width, channels) of images or (frames, features) of sequences, in place of a spec;
        None for a width or number of frames that differs from item to item.

    Raises
    ------
    SpecError
        If the spec cannot be built.
    ValueError
        If there is neither spec nor shape, or both, the spec is no text, or an argument goes with
        another form of the spec.
    """

    def __init__(
        self,
        spec: str | Spec | None = None,
        classes: int | None = None,
        rng: np.random.Generator | None = None,
        dtype: np.dtype | type = np.float32,
        *,
        input_shape: Shape | None = None,
    ) -> None:
        self._training: tuple[Objective, Optimizer] | None = None
        if (spec is None) == (input_shape is None):
            raise ValueError("a network begins with either a spec or an input_shape")
        if input_shape is not None:
            if classes is not None or rng is not None:
                raise ValueError("classes and rng go with a spec; give rng to build instead")
            super().__init__(input_shape, dtype)
            return
        if not isinstance(spec, str | Spec):
            raise ValueError(f"a spec is a text, not {spec!r}; a shape goes in as input_shape")
        if isinstance(spec, Spec) and classes is not None:
            raise ValueError("classes go with the text of a spec; a Spec has them already")
        parsed = spec if isinstance(spec, Spec) else parse_spec(spec, classes)
        super().__init__(parsed.input_shape, dtype)
        for named in parsed.layers:
            self.add(named.layer, named.name)
        self.build(rng)

    def __repr__(self) -> str:
        try:
            return f"Network({self.spec!r})"
        except SpecError:
            layers = ", ".join(f"{name}={layer!r}" for name, layer in self.layers.items())
            return f"Network(input_shape={self.input_shape}, {layers})"

    @property
    def spec(self) -> str:
        """The network as a VGSL spec, with the number of classes written out.

        Raises
        ------
        SpecError
            If VGSL cannot write one of the layers.
        """
        return write_spec(self.input_shape, self.layers.items())

    def compile(
        self,
        optimizer: str | Optimizer = "adam",
        loss: str | Loss | None = None,
        *,
        seed: int = 0,
    ) -> Network:
        """Settle how the network is trained; draw first weights unless there are some.

        Parameters
        ----------
        optimizer : str or Optimizer, default="adam"
            One of `ocrlstm.optimizers.OPTIMIZERS` with its usual settings, or e.g. ``Adam(1e-3)``.
            It keeps its state from one `fit` to the next.
        loss : str or callable, optional
            One of `ocrlstm.losses.LOSSES`, or a function ``(outputs (T, N, F) or (N, H, W, C),
            lengths (N,), targets)`` that gives the losses (N,) and their gradient. By default that
            of a Cost layer at the end.
        seed : int, default=0
            Of the first weights, where the network is not built yet or all its weights are zero.

        Returns
        -------
        The network itself.

        Raises
        ------
        ValueError
            If there is no such optimiser or loss, or the network gives nothing for it.
        """
        objective = make_objective(self, loss)
        self._training = (objective, make_optimizer(optimizer))
        rng = np.random.default_rng(seed)
        if not self.built:
            self.build(rng)
        elif not any(weights.any() for weights in self.parameters().values()):
            self.draw(rng)  # of zeros, most networks learn nothing
        return self

    def fit(
        self,
        x: Items,
        y: Items,
        *,
        lengths: np.ndarray | None = None,
        batch_size: int = 32,
        epochs: int = 10,
        validation: float | tuple[Items, Items] | tuple[Items, Items, np.ndarray] | None = None,
        shuffle: bool = True,
        seed: int = 0,
        schedule: Schedule | None = None,
        clip: float | None = None,
        clip_value: float | None = None,
        patience: int | None = None,
        progress: Callable[[FitRecord], object] | None = None,
    ) -> History:
        """Train the weights; an interrupt from the keyboard ends it and keeps what was learnt.

        Parameters
        ----------
        x : ndarray or sequence of ndarray
            Items first: images (N, H, W, C), sequences (N, T, F), vectors (N, F) for an input shape
            (1, F); a last axis of size 1 may be left out. Or a list with an array an item, which
            may differ in width or frames where the input shape leaves them free.
        y : ndarray or sequence
            What the outputs should be, as the loss takes it:

            - "ctc", "ocropus": for every item a list of labels;
            - "cross_entropy", or a function: whole numbers as the class of each item (N,), or of
              each of its frames (N, T) or pixels (N, H, W);
            - otherwise, also for these: a number for every output, (N, T, F) or (N, H, W, C), or
              (N, F) where the network gives one frame; a last axis of size 1 may be left out.

            A list where items differ in length, or an array with padding as the outputs have it.
        lengths : array_like of int, shape (N,), optional
            Valid columns or frames of each item of an array `x`; all by default.
        batch_size : int, default=32
            Items of a step; the last batch of an epoch has what is left.
        epochs : int, default=10
        validation : float or tuple, optional
            ``(x, y)`` or ``(x, y, lengths)`` to measure the loss with after every epoch, or the
            share of the items, drawn at random, that is kept from training for it.
        shuffle : bool, default=True
            Whether every epoch goes through the items in an order of its own.
        seed : int, default=0
            Of order, dropout masks and the drawn share. The same call on the same network gives
            the same weights. To go on with a second call, give it another seed: with the same one
            it goes through the same orders and masks again.
        schedule : str, callable or object, optional
            Factor on the optimiser's rate: one of `ocrlstm.optimizers.SCHEDULES`, a function of the
            progress from 0 at the first step to 1 at the last, or a `ReduceOnPlateau`, which is
            told the loss of the validation, or without one that of the training.
        clip : float, optional
            Largest norm of all gradients together.
        clip_value : float, optional
            Largest absolute value of a gradient, brought about before `clip`.
        patience : int, optional
            End when the validation's loss has not fallen for so many epochs; in the end take the
            weights of the epoch where it was lowest.
        progress : callable, optional
            Gets the `FitRecord` of every epoch.

        Returns
        -------
        History

        Raises
        ------
        ValueError
            If items, targets or settings do not fit.
        TrainingError
            If the loss is not finite. The weights are those before that step.
        """
        objective, optimizer = self._compiled()
        options = FitOptions(
            batch_size, epochs, shuffle, seed, schedule, clip, clip_value, patience, progress
        )
        samples = self._samples(x, y, lengths)
        held: Samples | None = None
        if isinstance(validation, tuple):
            if len(validation) not in (2, 3):
                raise ValueError(
                    f"validation is (x, y) or (x, y, lengths), not a tuple of {len(validation)}"
                )
            held = self._samples(*validation)
        elif validation is not None:
            samples, held = hold_back(samples, validation, seed)
        return fit(self, objective, optimizer, samples, held, options)

    def predict(
        self, x: Items, lengths: np.ndarray | None = None, batch_size: int = 32
    ) -> np.ndarray | list[np.ndarray]:
        """Return the outputs of all items, items first.

        Parameters
        ----------
        x, lengths, batch_size
            As in `fit`.

        Returns
        -------
        ndarray, or list of ndarray
            An array (N, T, F) or (N, H, W, C), or (N, F) where the output shape has one frame, if
            the outputs must be of one size: because the output shape says so, or because `x` is an
            array without `lengths`. Otherwise a list with an array (T, F) or (H, W, C) an item.

        Raises
        ------
        ValueError
            If the items do not fit the network, or it makes several of one.
        """
        return predict(self, x, lengths, batch_size)

    def evaluate(
        self, x: Items, y: Items, *, lengths: np.ndarray | None = None, batch_size: int = 32
    ) -> Evaluation:
        """Return the mean loss of items and, if targets are classes, the share that is right.

        Parameters
        ----------
        x, y, lengths, batch_size
            As in `fit`.

        Returns
        -------
        Evaluation

        Raises
        ------
        ValueError
            If items or targets do not fit.
        """
        return evaluate(self, self._compiled()[0], self._samples(x, y, lengths), batch_size)

    def _compiled(self) -> tuple[Objective, Optimizer]:
        if self._training is None:
            raise ValueError("the network must be compiled first: net.compile(optimizer, loss)")
        return self._training

    def _samples(self, x: Items, y: Items, lengths: np.ndarray | None = None) -> Samples:
        return make_samples(self, self._compiled()[0], x, y, lengths)

    def summary(self) -> str:
        """Return a table of the layers: output shape, parameters, multiply-adds, and their totals.

        Multiply-adds are those for one frame of the output; of a layer before a subsampling, for
        all the columns that the frame comes of. Of networks for items of one size they are those
        for an item. See `ocrlstm.network.summary.LayerSummary`, also for the network that makes
        one frame of items of any width.
        """
        return format_summary(self)

    @property
    def height(self) -> int:
        """Height of the images; 1 where the input is a sequence."""
        return (self.input_shape[0] or 1) if len(self.input_shape) == 3 else 1

    @property
    def classes(self) -> int:
        """Number of classes, the blank among them; 0 if there is no Softmax at the end."""
        pieces = self.plan.series.pieces
        ends = bool(pieces) and isinstance(pieces[-1], Softmax)
        return (self.output_shape[-1] or 0) if ends else 0
