"""A moving average of the weights, which reads better than the weights of any one step."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["MovingAverage"]

UPDATES = "updates"


class MovingAverage:
    """Exponential moving average of parameters.

    At the n-th update, from 0, ``average = d * average + (1 - d) * parameter`` with
    ``d = min(decay, (1 + n) / (10 + n))``, so that the start is soon forgotten.

    Parameters
    ----------
    parameters : mapping of str to ndarray
        Where the average starts; copied.
    decay : float
        How much of the average is kept at an update once it is warm, in [0, 1).
    """

    def __init__(self, parameters: Mapping[str, np.ndarray], decay: float = 0.999) -> None:
        if not 0.0 <= decay < 1.0:
            raise ValueError(f"decay must lie in [0, 1), not {decay}")
        self.decay = decay
        self.updates = 0
        self._average = {name: np.array(array) for name, array in parameters.items()}
        self._scratch = {name: np.empty_like(array) for name, array in self._average.items()}

    def update(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Let the parameters of a step into the average."""
        self._check(parameters)
        rest = 1.0 - min(self.decay, (1.0 + self.updates) / (10.0 + self.updates))
        self.updates += 1
        for name, average in self._average.items():
            step = np.subtract(parameters[name], average, out=self._scratch[name])
            step *= rest
            average += step

    def copy_to(self, parameters: Mapping[str, np.ndarray]) -> None:
        """Write the average into the parameters, in place."""
        self._check(parameters)
        for name, average in self._average.items():
            parameters[name][...] = average

    def state(self) -> dict[str, np.ndarray]:
        """Return copies of all that the next update depends on."""
        state = {UPDATES: np.array(self.updates, np.int64)}
        for name, average in self._average.items():
            state[f"average/{name}"] = average.copy()
        return state

    def load_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Take over what `state` returned for parameters of the same names and shapes."""
        if UPDATES not in state:
            raise ValueError(f"not the state of a moving average: {UPDATES} is missing")
        averages = {key.partition("/")[2]: state[key] for key in state if key != UPDATES}
        self._check(averages)
        self.updates = int(state[UPDATES])
        for name, average in self._average.items():
            average[...] = averages[name]

    def _check(self, arrays: Mapping[str, np.ndarray]) -> None:
        if arrays.keys() != self._average.keys():
            odd = sorted(arrays.keys() ^ self._average.keys())
            raise ValueError(f"not the averaged parameters: they differ in {', '.join(odd)}")
        for name, average in self._average.items():
            if arrays[name].shape != average.shape:
                raise ValueError(
                    f"{name} is of shape {arrays[name].shape}, its average of {average.shape}"
                )
