"""Training: settings, the loop, checkpoints, and going on where a run stopped."""

from ocrlstm.training.calibration import Calibration, calibrate
from ocrlstm.training.config import DEFAULT_SPEC, TrainingConfig
from ocrlstm.training.crossfolds import CrossfoldResult, FoldEvent, FoldResult, crossfold
from ocrlstm.training.events import EpochRecord, Event, Message, Step
from ocrlstm.training.history import RunHistory, read_history
from ocrlstm.training.history_plot import check_plot, draw_histories
from ocrlstm.training.history_table import format_history
from ocrlstm.training.live_plot import LivePlot
from ocrlstm.training.result import TrainingResult
from ocrlstm.training.run import resume, train
from ocrlstm.training.tuning import tuning_config
from ocrlstm.training.worst_page import check_page, find_worst, write_worst_page

__all__ = [
    "DEFAULT_SPEC",
    "Calibration",
    "CrossfoldResult",
    "EpochRecord",
    "Event",
    "FoldEvent",
    "FoldResult",
    "LivePlot",
    "Message",
    "RunHistory",
    "Step",
    "TrainingConfig",
    "TrainingResult",
    "calibrate",
    "check_page",
    "check_plot",
    "crossfold",
    "draw_histories",
    "find_worst",
    "format_history",
    "read_history",
    "resume",
    "train",
    "tuning_config",
    "write_worst_page",
]
