"""Text rules on the command line: chosen for training, shown, and used in scoring."""

import json
from dataclasses import replace

import pytest
from safetensors import safe_open

from ocrlstm.network import load_model_file, save_model
from ocrlstm.text import TextRules


@pytest.fixture
def train(run, write_line, tmp_path):
    """Train on twelve lines of one to six bars, every second of which is typed with ı for i."""
    for number in range(12):
        bars = 1 + number // 2
        write_line(tmp_path / "pairs", str(number), bars, "iı"[number % 2] * bars)
    small = ("--spec", "[1,16,0,1 Lbx4 Do0.2 O1c]", "--batch-size", 4, "--epochs", 1)
    model = tmp_path / "model.safetensors"
    return lambda *more: run("train", tmp_path / "pairs", "-o", model, *small, *more)


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "my.tsv"
    path.write_text("# dots\nı\ti\n", encoding="utf-8")
    return path


def header_of(model):
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["ocrlstm"])


def test_trained_with_rules(train, run, table, tmp_path):
    result = train("--text-rule", "long_s", "--text-rule", "quotes", "--text-table", table)
    assert result.exit_code == 0, result.stderr
    assert "; 1 characters" in result.stderr
    header = header_of(tmp_path / "model.safetensors")
    kept = {"names": ["long_s", "quotes"], "table": [["ı", "i"]]}
    assert header["text_rules"] == kept
    assert header["metadata"]["config"]["text_rules"] == kept["names"]
    assert header["metadata"]["config"]["text_table"] == kept["table"]
    shown = run("models", "show", tmp_path / "model.safetensors").stdout
    assert "\ntext rules  long_s, quotes; 'ı' to 'i'\n" in shown
    table.unlink()
    # The file is not needed again.
    assert run("train", "--resume", tmp_path / "model.ckpt").exit_code == 0


def test_trained_without(train, run, tmp_path):
    result = train()
    assert "; 2 characters" in result.stderr
    assert "text_rules" not in header_of(tmp_path / "model.safetensors")
    assert "text rules" not in run("models", "show", tmp_path / "model.safetensors").stdout


def test_a_preset(train, tmp_path):
    assert train("--text-rule", "modern").exit_code == 0
    rules = load_model_file(tmp_path / "model.safetensors").rules
    assert rules == TextRules(("modern",)) and "long_s" in rules.names


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (None, ": the text table cannot be read"),
        ("ı i\n", ", line 1: no tab, expected from<TAB>to"),
        ("ſ\ts\n", ", line 1: 'ſ' (U+017F) is never found, since the rule long_s has changed"),
    ],
)
def test_a_bad_table(train, tmp_path, content, told):
    path = tmp_path / "bad.tsv"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    result = train("--text-rule", "long_s", "--text-table", path)
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"ocrlstm: error: {path}{told}")
    assert not list(tmp_path.glob("model*"))


def test_an_unknown_rule(train):
    result = train("--text-rule", "magic")
    assert result.exit_code == 2
    assert "'magic' is not one of 'diplomatic', 'modern'" in result.stderr


def test_not_with_resume(run):
    result = run("train", "--resume", "m.ckpt", "--text-rule", "modern")
    assert result.exit_code == 2 and "--resume goes on with" in result.stderr


class TestEvaluate:
    """The model reads bars as i, however they were typed."""

    @pytest.fixture
    def lines(self, write_line, tmp_path):
        write_line(tmp_path / "in", "a", 3, "iıi")
        return tmp_path / "in"

    @pytest.fixture
    def ruled(self, bar_model, tmp_path):
        path = tmp_path / "ruled.safetensors"
        save_model(replace(bar_model, rules=TextRules((), (("ı", "i"),))), path)
        return path

    def test_truths_are_changed_like_those_of_training(self, run, lines, ruled, bar_model_file):
        plain = run("evaluate", "-m", bar_model_file, lines, "--json")
        assert json.loads(plain.stdout)["edits"] == 1
        result = run("evaluate", "-m", ruled, lines, "--json")
        assert json.loads(result.stdout)["edits"] == 0
        assert result.stderr == ""

    def test_so_are_the_texts_of_others(self, run, lines, ruled, tmp_path):
        (tmp_path / "read").mkdir()
        (tmp_path / "read" / "a.txt").write_text("ıiı", encoding="utf-8")
        arguments = ("evaluate", lines, "--predictions", tmp_path / "read", "--json")
        assert json.loads(run(*arguments).stdout)["edits"] == 2
        assert json.loads(run(*arguments, "-m", ruled).stdout)["edits"] == 0

    def test_models_that_vote_have_the_same(self, run, lines, ruled, bar_model_file):
        result = run("evaluate", "-m", ruled, "-m", bar_model_file, lines)
        assert result.exit_code == 2
        assert "must have one set of text rules" in result.stderr
