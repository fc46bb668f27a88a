"""Training: settings, the loop, checkpoints, and going on where a run stopped."""

from ocrlstm.training.config import DEFAULT_SPEC, TrainingConfig
from ocrlstm.training.crossfolds import CrossfoldResult, FoldEvent, FoldResult, crossfold
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.run import resume, train
from ocrlstm.training.tuning import tuning_config

__all__ = [
    "DEFAULT_SPEC",
    "CrossfoldResult",
    "EpochRecord",
    "Event",
    "FoldEvent",
    "FoldResult",
    "Message",
    "Step",
    "TrainingConfig",
    "TrainingResult",
    "crossfold",
    "resume",
    "train",
    "tuning_config",
]
