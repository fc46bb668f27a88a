"""Training: settings, the loop, checkpoints, and going on where a run stopped."""

from ocrlstm.training.config import DEFAULT_SPEC, TrainingConfig
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.run import resume, train
from ocrlstm.training.tuning import tuning_config

__all__ = [
    "DEFAULT_SPEC",
    "EpochRecord",
    "Event",
    "Message",
    "Step",
    "TrainingConfig",
    "TrainingResult",
    "resume",
    "train",
    "tuning_config",
]
