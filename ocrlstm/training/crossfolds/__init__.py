"""Several models of the same lines, each validated on a fold that it never learnt."""

from ocrlstm.training.crossfolds.fold import FoldEvent
from ocrlstm.training.crossfolds.plan import FoldResult, Plan
from ocrlstm.training.crossfolds.run import CrossfoldResult, crossfold

__all__ = ["CrossfoldResult", "FoldEvent", "FoldResult", "Plan", "crossfold"]
