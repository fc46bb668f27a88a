"""How well lines were read: alignment, error rates with an interval, confusions, the report."""

from ocrlstm.evaluation.alignment import count_edits, list_confusions
from ocrlstm.evaluation.rate import bootstrap_interval, error_rate
from ocrlstm.evaluation.report import LineResult, Report, format_report
from ocrlstm.evaluation.score import score

__all__ = [
    "LineResult",
    "Report",
    "bootstrap_interval",
    "count_edits",
    "error_rate",
    "format_report",
    "list_confusions",
    "score",
]
