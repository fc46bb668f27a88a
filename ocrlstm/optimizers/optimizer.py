"""What all optimisers share: the walk over the parameters, and the state they carry."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np

__all__ = ["Optimizer"]

STEP = "step"


class Optimizer(ABC):
    """Changes parameters in place along their gradients.

    A child names the arrays it keeps for each parameter in `slots` and says in `_change` how one
    parameter is changed.

    Parameters
    ----------
    learning_rate : float
        Size of the steps of callers that give none of their own; 0 or more.
    decay : float, default=0.0
        How fast that size falls: at step n, from 0, it is ``learning_rate / (1 + decay * n)``; 0 or
        more.

    Attributes
    ----------
    slots : tuple of str
        Names of the arrays kept for each parameter, each of the parameter's shape and type,
        0 at first.
    step : int
        Updates made so far.
    """

    slots: tuple[str, ...] = ()

    def __init__(self, learning_rate: float, decay: float = 0.0) -> None:
        for name, value in (("learning_rate", learning_rate), ("decay", decay)):
            if not 0.0 <= value < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {value}")
        self.learning_rate = learning_rate
        self.decay = decay
        self.step = 0
        self._rate = 0.0
        self._kept: dict[str, tuple[np.ndarray, ...]] = {}
        self._scratch: dict[np.dtype, np.ndarray] = {}

    @property
    def rate(self) -> float:
        """The optimiser's own rate for the next step: `learning_rate`, decayed by now."""
        return self.learning_rate / (1.0 + self.decay * self.step)

    def update(
        self,
        parameters: Mapping[str, np.ndarray],
        gradients: Mapping[str, np.ndarray],
        learning_rate: float | None = None,
    ) -> None:
        """Make one step.

        Parameters
        ----------
        parameters : mapping of str to ndarray
            Changed in place; C-contiguous, float32 or float64, the same names at every step.
        gradients : mapping of str to ndarray
            Gradients under the same names, of the same shapes and types; left as they are.
        learning_rate : float, optional
            Size of the step, taken as it is; by default the optimiser's own `rate`. A schedule
            gives ``rate * factor``.

        Raises
        ------
        ValueError
            If parameters, gradients and what is kept of them differ in name, shape or type.
        """
        if parameters.keys() != gradients.keys():
            odd = sorted(parameters.keys() ^ gradients.keys())
            raise ValueError(f"parameters and gradients differ in {', '.join(odd)}")
        self._rate = self.rate if learning_rate is None else float(learning_rate)
        self.step += 1
        self._prepare()
        for name, parameter in parameters.items():
            gradient = gradients[name]
            if gradient.shape != parameter.shape or gradient.dtype != parameter.dtype:
                raise ValueError(
                    f"{name} is {parameter.dtype} {parameter.shape}, "
                    f"its gradient {gradient.dtype} {gradient.shape}"
                )
            self._change(parameter, gradient, *self._kept_for(name, parameter))

    def state(self) -> dict[str, np.ndarray]:
        """Return copies of all that the next update depends on: the step and ``slot/name`` arrays.

        With the same settings, parameters and gradients, an optimiser that loads them goes on
        bit for bit as this one does.
        """
        state = {STEP: np.array(self.step, np.int64)}
        for name, arrays in self._kept.items():
            for slot, array in zip(self.slots, arrays, strict=True):
                state[f"{slot}/{name}"] = array.copy()
        return state

    def load_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Take over what `state` returned, here or in another process.

        Raises
        ------
        ValueError
            If it is the state of another kind of optimiser.
        """
        names = {key.partition("/")[2]: None for key in state if key != STEP}
        expected = {STEP} | {f"{slot}/{name}" for name in names for slot in self.slots}
        if state.keys() != expected:
            odd = sorted(state.keys() ^ expected)
            raise ValueError(f"not the state of {type(self).__name__}: {', '.join(odd)}")
        self.step = int(state[STEP])
        self._kept = {
            name: tuple(np.array(state[f"{slot}/{name}"]) for slot in self.slots) for name in names
        }

    def _prepare(self) -> None:  # noqa: B027 (not every rule has something to prepare)
        """Work out what is the same for all parameters of a step, from its rate and number."""

    @abstractmethod
    def _change(self, parameter: np.ndarray, gradient: np.ndarray, *kept: np.ndarray) -> None:
        """Change a parameter in place, and the arrays of its slots."""

    def _kept_for(self, name: str, parameter: np.ndarray) -> tuple[np.ndarray, ...]:
        kept = self._kept.get(name)
        if kept is None:
            kept = tuple(np.zeros_like(parameter) for _ in self.slots)
            self._kept[name] = kept
        for array in kept:
            if array.shape != parameter.shape or array.dtype != parameter.dtype:
                raise ValueError(
                    f"{name} is {parameter.dtype} {parameter.shape}, "
                    f"its state {array.dtype} {array.shape}"
                )
        return kept

    def _scratch_like(self, parameter: np.ndarray) -> np.ndarray:
        """Return an array of the parameter's shape and type, whose contents are free to go."""
        scratch = self._scratch.get(parameter.dtype)
        if scratch is None or scratch.size < parameter.size:
            scratch = np.empty(parameter.size, parameter.dtype)
            self._scratch[parameter.dtype] = scratch
        return scratch[: parameter.size].reshape(parameter.shape)
