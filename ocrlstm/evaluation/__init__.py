"""How well lines were read: alignment, error rates with an interval, confusions, the report."""

from ocrlstm.evaluation.alignment import count_edits, list_confusions
from ocrlstm.evaluation.compare import Comparison, DifferingLine, compare
from ocrlstm.evaluation.confusions import Confusion, Context, find_confusions
from ocrlstm.evaluation.diagram import reliability_diagram
from ocrlstm.evaluation.differences import Stretch, list_differences
from ocrlstm.evaluation.groups import Group, group_names, score_groups
from ocrlstm.evaluation.lines_page import ShownLine, lines_page, lines_section
from ocrlstm.evaluation.page import escape_html, facts_table, html_page, html_table
from ocrlstm.evaluation.rate import bootstrap_interval, error_rate
from ocrlstm.evaluation.reliability import Bin, Reliability, mark_right, measure_reliability
from ocrlstm.evaluation.report import Details, LineResult, Report
from ocrlstm.evaluation.report_page import report_page
from ocrlstm.evaluation.report_text import format_report
from ocrlstm.evaluation.score import score
from ocrlstm.evaluation.scripts import ScriptErrors, count_script_errors
from ocrlstm.evaluation.spaces import SpaceErrors, count_space_errors
from ocrlstm.evaluation.variants import VARIANTS, Variant, score_variants

__all__ = [
    "VARIANTS",
    "Bin",
    "Comparison",
    "Confusion",
    "Context",
    "Details",
    "DifferingLine",
    "Group",
    "LineResult",
    "Reliability",
    "Report",
    "ScriptErrors",
    "ShownLine",
    "SpaceErrors",
    "Stretch",
    "Variant",
    "bootstrap_interval",
    "compare",
    "count_edits",
    "count_script_errors",
    "count_space_errors",
    "error_rate",
    "escape_html",
    "facts_table",
    "find_confusions",
    "format_report",
    "group_names",
    "html_page",
    "html_table",
    "lines_page",
    "lines_section",
    "list_confusions",
    "list_differences",
    "mark_right",
    "measure_reliability",
    "reliability_diagram",
    "report_page",
    "score",
    "score_groups",
    "score_variants",
]
