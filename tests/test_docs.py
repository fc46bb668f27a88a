"""The pages of docs: their scripts run and print what the pages say; quoted code is the code.

`test_readme` runs the commands, `test_docs_layers` looks at the tables of layers.md.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ocrlstm.text import PRESETS, RULES

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


def blocks(page, language):
    """Fenced blocks of a page in one language; ```python is a script, ```py is a quotation."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


SCRIPTS = [
    (page.name, number)
    for page in sorted(DOCS.glob("*.md"))
    for number in range(len(blocks(page.name, "python")))
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Return what a script of a page prints; it runs once, with folders of its own for /tmp."""
    outputs = {}

    def get(page, number):
        if (page, number) not in outputs:
            folder = tmp_path_factory.mktemp("docs")
            script = blocks(page, "python")[number].replace("/tmp/", f"{folder}/")
            if "sklearn" in script:
                pytest.importorskip("sklearn")
            environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"}
            result = subprocess.run(
                [sys.executable, "-c", script],
                cwd=ROOT,
                env=environment,
                capture_output=True,
                text=True,
            )
            assert result.returncode == 0, result.stderr
            outputs[page, number] = result.stdout
        return outputs[page, number]

    return get


@pytest.mark.parametrize(("page", "number"), SCRIPTS, ids=str)
def test_script_runs_and_prints(printed, page, number):
    assert printed(page, number).strip()


def code_lines(text):
    """Lines without indentation and comments."""
    lines = (line.split("  #")[0].strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


class TestLSTM:
    CODE = code_lines(
        (ROOT / "ocrlstm" / "kernels" / "reference" / "lstm.py").read_text(encoding="utf-8")
    )

    def test_every_quotation_stands_in_the_reference(self):
        for quotation in map(code_lines, blocks("lstm.md", "py")):
            places = range(len(self.CODE) - len(quotation) + 1)
            assert any(self.CODE[i : i + len(quotation)] == quotation for i in places), quotation

    def test_every_line_of_the_loops_is_quoted_in_order(self):
        quoted = [line for quotation in blocks("lstm.md", "py") for line in code_lines(quotation)]
        loop = self.CODE.index("for t in range(steps):") + 1
        forward = self.CODE[loop : self.CODE.index("def backward(") - 1]
        assert forward[-1].startswith("output[t] = ")  # before the return, which is not quoted
        assert quoted[: len(forward)] == forward
        loop = self.CODE.index("for t in reversed(range(steps)):")
        end = self.CODE.index("first = 0 if peephole_at_start else 1")
        assert quoted[len(forward) :][: end - loop] == self.CODE[loop:end]

    def test_only_the_historical_mixture_is_wrong_and_where_the_page_says(self, printed):
        sections = re.split(r"^(\S.*)\n", printed("lstm.md", 0), flags=re.MULTILINE)[1:]
        assert sections[::2] == ["peephole at t = 0", "none at t = 0", "historical mixture"]
        wrong = []
        for text in sections[1::2]:
            errors = dict(map(str.split, text.splitlines()))
            assert set(errors) == {"WGI", "WGF", "WGO", "WCI", "WIP", "WFP", "WOP"}
            wrong.append({name: e for name, e in errors.items() if float(e) > 1e-6})
        page = (DOCS / "lstm.md").read_text(encoding="utf-8")
        stated = dict(re.findall(r"`(W\w+)`[^`]*\((?:relative error )?(\de-\d\d)\)", page))
        assert wrong == [{}, {}, stated]
        assert set(stated) == {"WOP", "WGI", "WCI"}

    def test_stacked_layers_are_right(self, printed):
        shape, *errors = printed("lstm.md", 1).splitlines()
        assert shape == "(None, 8)"
        assert len(errors) == 3
        assert max(float(line.split(": ")[1]) for line in errors) < 1e-6


class TestPythonNetworks:
    PAGE = "python-networks.md"

    def test_digits_are_told_apart(self, printed):
        output = printed(self.PAGE, 0)
        assert blocks(self.PAGE, "text")[0] in output
        assert number_behind("accuracy: ", output) > 0.97

    def test_sums(self, printed):
        output = printed(self.PAGE, 1)
        assert number_behind("mean error: ", output) < 0.1
        assert number_behind("their spread is ", output) > 1

    def test_sine_wave(self, printed):
        output = printed(self.PAGE, 2)
        assert number_behind("mean error: ", output) < 0.03
        assert number_behind("largest error on its own: ", output) < 0.2

    def test_both_ways_to_a_network_give_the_same(self, printed):
        spec, *same = printed(self.PAGE, 3).splitlines()[:3]
        assert spec in blocks(self.PAGE, "python")[3]
        assert same == ["True", "True"]


class TestTexts:
    PAGE = "texts.md"

    def test_every_rule_stands_in_the_table(self):
        page = (DOCS / self.PAGE).read_text(encoding="utf-8")
        rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (yes )?\|$", page, re.MULTILINE)
        assert [(name, meaning) for name, meaning, _ in rows] == [
            (name, rule.meaning) for name, rule in RULES.items()
        ]
        assert tuple(name for name, _, modern in rows if modern) == PRESETS["modern"]

    def test_rules(self, printed):
        comments = re.findall(r"  # (.+)$", blocks(self.PAGE, "python")[0], re.MULTILINE)
        assert printed(self.PAGE, 0).splitlines() == comments

    def test_survey(self, printed):
        assert printed(self.PAGE, 1) == blocks(self.PAGE, "text")[0]

    def test_direction(self, printed):
        lines = printed(self.PAGE, 2).splitlines()
        assert len(lines) == 3 and all(line.endswith(" True") for line in lines)


class TestData:
    PAGE = "data.md"

    def test_lines_of_a_page(self, printed):
        assert printed(self.PAGE, 0) == blocks(self.PAGE, "text")[1]


def number_behind(words, output):
    return float(re.search(rf"{words}([\d.]+\d)", output).group(1))
