"""How well lines were read: alignment, error rates with an interval, confusions, the report."""

from ocrlstm.evaluation.alignment import count_edits, list_confusions
from ocrlstm.evaluation.differences import Stretch, list_differences
from ocrlstm.evaluation.lines_page import (
    ShownLine,
    escape_html,
    html_page,
    lines_page,
    lines_section,
)
from ocrlstm.evaluation.rate import bootstrap_interval, error_rate
from ocrlstm.evaluation.report import LineResult, Report, format_report
from ocrlstm.evaluation.score import score

__all__ = [
    "LineResult",
    "Report",
    "ShownLine",
    "Stretch",
    "bootstrap_interval",
    "count_edits",
    "error_rate",
    "escape_html",
    "format_report",
    "html_page",
    "lines_page",
    "lines_section",
    "list_confusions",
    "list_differences",
    "score",
]
