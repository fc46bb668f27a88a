"""Training: settings, the loop, checkpoints, and going on where a run stopped."""

from ocrlstm.training.calibration import Calibration, calibrate
from ocrlstm.training.config import DEFAULT_SPEC, TrainingConfig
from ocrlstm.training.crossfolds import CrossfoldResult, FoldEvent, FoldResult, crossfold
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.run import resume, train
from ocrlstm.training.tuning import tuning_config

__all__ = [
    "DEFAULT_SPEC",
    "Calibration",
    "CrossfoldResult",
    "EpochRecord",
    "Event",
    "FoldEvent",
    "FoldResult",
    "Message",
    "Step",
    "TrainingConfig",
    "TrainingResult",
    "calibrate",
    "crossfold",
    "resume",
    "train",
    "tuning_config",
]
