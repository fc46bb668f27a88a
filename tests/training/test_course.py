"""Progress, rate and end of a run as functions of where it stands."""

import pytest

from ocrlstm.training import TrainingConfig
from ocrlstm.training.course import Course
from ocrlstm.training.state import RunState


def make_course(**settings) -> Course:
    return Course(TrainingConfig(**settings), batches=10, validation_lines=100)


@pytest.mark.parametrize(("step", "progress"), [(0, 0.0125), (20, 0.5125), (39, 0.9875), (40, 1)])
def test_progress_by_steps(step, progress):
    assert make_course(epochs=4).progress(RunState(step=step)) == progress


def test_progress_by_the_clock():
    # 1.2 times the last validation and a second are kept back: 60 - 1 - 12 seconds for training.
    state = RunState(epoch=2, seconds=23.5, validation_seconds=10.0)
    assert make_course(max_minutes=1.0).progress(state) == 0.5


def test_progress_by_whichever_is_further():
    state = RunState(epoch=2, step=20, seconds=47.0, validation_seconds=10.0)
    assert make_course(max_minutes=1.0, epochs=4).progress(state) == 1.0


def test_before_the_first_validation_its_time_is_guessed():
    course = make_course(max_minutes=1.0)
    # 40 lines took 8 seconds; reading 100 will take half as long a line: 10 seconds, and one more.
    state = RunState(seconds=48.9, epoch_seconds=8.0, loss_lines=40)
    assert not course.time_is_up(state)
    state.seconds = 49.0
    assert course.time_is_up(state)
    # Compiling in the first step does not use up the run: at most a quarter is kept back.
    assert not course.time_is_up(RunState(seconds=44.9, epoch_seconds=30.0, loss_lines=4))


def test_the_rate_is_halved_for_good():
    course = make_course(epochs=4, learning_rate=0.1, schedule="constant", warmup=0.0)
    assert course.rate(RunState()) == 0.1
    assert course.rate(RunState(rate_factor=0.5)) == 0.05


@pytest.mark.parametrize(
    ("state", "finished"),
    [
        (RunState(epoch=3), False),
        (RunState(epoch=4), True),
        (RunState(epoch=3, best_cer=0.5, improved_epoch=1), True),
        (RunState(epoch=3, best_cer=0.5, improved_epoch=2), False),
        (RunState(epoch=3, best_cer=0.95, improved_epoch=1), False),
    ],
)
def test_the_end(state, finished):
    assert make_course(epochs=4, patience=2).finished(state) == finished
