"""Time several functions by turns, so that a noisy machine hits all of them."""

import math
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from measuring.spread import Spread

K = TypeVar("K", bound=Hashable)

Function = Callable[[], object]
Around = Callable[[Any], AbstractContextManager[object]]

# Seconds that one value is measured over at least, and that all values of a function take at most.
SHORTEST = 0.2
LONGEST = 8.0
FEWEST = 2
# Calls of what is quick, to find out roughly how quick.
FEW = 4
# Idle threads of OpenBLAS and OpenMP go on asking for work so long, and take a core meanwhile.
PAUSE = 0.05


def no_context(name: object) -> AbstractContextManager[object]:
    return nullcontext()


def in_turns(
    functions: Mapping[K, Function], repeats: int, around: Around = no_context
) -> dict[K, Spread]:
    """Return the seconds of a call of every function, `repeats` values each.

    Each is called beforehand, for what only the first call does. What is quick is called several
    times for a value; what is slow gets fewer values, though never less than two if more than one
    is asked for.

    Parameters
    ----------
    functions : mapping
    repeats : int
    around : callable, optional
        Gives for a function's key what it is to be called in; that is not timed.
    """
    return repeat(functions, warm_up(functions, around), repeats, around)


def warm_up(functions: Mapping[K, Function], around: Around = no_context) -> dict[K, float]:
    """Call every function once, then a few times, and return the least seconds of these calls."""
    about = {}
    for name, function in functions.items():
        with around(name):
            function()
            times = [seconds(function)]
            while len(times) < FEW and sum(times) < SHORTEST * FEW:
                times.append(seconds(function))
            about[name] = min(times)
    return about


def repeat(
    functions: Mapping[K, Function],
    about: Mapping[K, float],
    repeats: int,
    around: Around = no_context,
) -> dict[K, Spread]:
    """Do as `in_turns` for functions that are warm, whose seconds are known roughly."""
    calls = {name: max(1, math.ceil(SHORTEST / max(about[name], 1e-6))) for name in functions}
    turns = {name: _turns(calls[name] * about[name], repeats) for name in functions}
    times: dict[K, list[float]] = {name: [] for name in functions}
    for turn in range(repeats):
        for name, function in functions.items():
            if turn < turns[name]:
                time.sleep(PAUSE)
                with around(name):
                    times[name].append(seconds(function, calls[name]))
    return {name: Spread(tuple(values)) for name, values in times.items()}


def seconds(function: Function, calls: int = 1) -> float:
    """Return the seconds of one call, the mean of several."""
    begin = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - begin) / calls


def _turns(cost: float, repeats: int) -> int:
    return min(repeats, max(FEWEST, int(LONGEST / max(cost, 1e-9))))
