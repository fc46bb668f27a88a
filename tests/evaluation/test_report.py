"""The report with all its parts: as a dictionary, as text, as a page."""

import json
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from ocrlstm.evaluation import (
    Report,
    compare,
    format_report,
    measure_reliability,
    reliability_diagram,
    report_page,
    score,
)

TRUTHS = ["das Haus am See", "modern times", "und so"]
READ = ["das Hans an See", "modem times", "und so"]
OTHERS = ["das Haus am See", "modern", "und so"]
NAMES = ["b/1.png", "b/2.png", "c/3.png"]
EVIL = '<script>alert("x")</script>&'


@pytest.fixture(scope="module")
def report() -> Report:
    plain = score(TRUTHS, READ, NAMES, details=True, groups=["b", "b", "c"])
    return replace(
        plain,
        reliability=measure_reliability([0.4, 0.95, 0.99, 1.0], [False, True, False, True]),
        comparison=compare(TRUTHS, READ, OTHERS, NAMES),
    )


def test_details_by_hand(report: Report) -> None:
    assert report.details is not None
    # "rn" read as "m" is two edits, two letters more are wrong; the longer texts are the truths.
    assert report.edits == 4
    assert report.details.cer_by_longer == 4 / (15 + 12 + 6)
    assert score(["ab"], ["abcd"], details=True).details.cer_by_longer == 2 / 4
    assert [(c.truth, c.read) for c in report.details.context_confusions] == [
        ("m", "n"),
        ("rn", "m"),
        ("u", "n"),
    ]
    assert [(v.name, v.edits) for v in report.details.variants][0] == ("case", 4)
    assert report.details.spaces.spaces == 5
    assert [s.script for s in report.details.scripts] == ["Latin", "spaces"]


def test_what_was_not_asked_for_is_not_there() -> None:
    report = score(TRUTHS, READ)
    assert report.details is report.reliability is report.comparison is None
    assert report.groups == ()
    assert not {"details", "groups", "reliability", "comparison", "variants"} & set(
        report.to_dict()
    )


def test_dictionary_is_json_and_flat(report: Report) -> None:
    values = json.loads(json.dumps(report.to_dict()))
    assert values["variants"]["all"].keys() == {"cer", "edits", "characters"}
    assert values["cer_by_longer"] == 4 / 33
    assert [g["name"] for g in values["groups"]] == ["b", "c"]
    assert values["reliability"]["characters"] == 4
    assert values["reliability"]["bins"][0]["count"] == 1
    assert values["comparison"]["difference_interval"][0] <= values["comparison"]["difference"]
    assert values["comparison"]["differing"][0]["second"] == "modern"
    assert values["context_confusions"][1]["contexts"][0]["name"] == "b/2.png"
    assert "details" not in values
    json.dumps(score([], [], details=True).to_dict())


def test_text(report: Report) -> None:
    text = format_report(report)
    rows = text.splitlines()
    assert rows[0].startswith("CER    12.12%")
    assert rows[4] == "       edits / longer text 12.12% (not the CER)"
    assert "of 5 spaces 0 lost, 0 read as others; 0 invented, 0 read for others" in text
    # Four edits against six.
    assert "-6.06 points" in text and "1 lines better, 1 worse, 1 equal" in text
    assert "       0.9 to 1.0        3  98.0%  66.7%" in rows
    assert '      1  "rn"   "m"    mode[rn] tim' in text
    assert "by script" not in text
    full = format_report(report, full=True)
    assert "by script" in full
    assert set(rows) <= set(full.splitlines())


def test_long_tables_are_cut_unless_all_is_wanted() -> None:
    truths = [chr(ord("a") + n) for n in range(20)]
    report = score(truths, ["?"] * 20, details=True, worst=0)
    assert format_report(report).count('"?"') == 10
    assert format_report(report, full=True).count('"?"') == 20


def test_page(report: Report) -> None:
    picture = np.zeros((8, 20), np.float32)
    page = report_page(report, EVIL, [("model", EVIL)], {"b/2.png": picture})
    assert "<script" not in page and page.count("&lt;script&gt;") == 3
    # Among the worst lines, and among those that differ most.
    assert page.count("<img") == 2
    for part in ("CER without some differences", "Spaces", "By script", "By group", "<svg"):
        assert part in page
    assert "Against the other reading" in page and "-6.06 points" in page
    assert "the other reading, 6 edits: modern" in page


def test_page_of_the_plainest_report() -> None:
    page = report_page(score(["a"], ["a"]), "all is well")
    assert "came without confidences" in page and "No line is wrong." in page
    assert "By group" not in page and "Against" not in page and "<svg" not in page


def test_texts_do_not_become_markup() -> None:
    report = score([EVIL], ["<i>"], [EVIL], details=True, groups=[EVIL])
    page = report_page(report, "title")
    assert "<script" not in page and "<i>" not in page


def test_diagram_is_wellformed_and_bars_are_as_high_as_they_should() -> None:
    found = measure_reliability([0.25, 0.95, 0.95], [False, True, False])
    root = ElementTree.fromstring(reliability_diagram(found))
    bars = root.findall(".//rect")
    bottom = 12 + 300
    heights = [(float(bar.get("y")), float(bar.get("height"))) for bar in bars]
    assert heights == [(bottom, 0), (bottom - 150, 150)]
    assert [float(bar.get("x")) for bar in bars] == [48 + 60 + 1, 48 + 270 + 1]
    titles = [title.text for title in root.findall(".//g/title")]
    assert titles[1] == "90% to 100%: 2 characters, mean confidence 95.0%, 50.0% right"
    assert re.search("nan|inf", reliability_diagram(measure_reliability([], []))) is None
