"""Options of decoding, as recognize and evaluate share them."""

import json

import pytest

from ocrlstm.decoding.language import build_language_model, language_model_bytes


@pytest.fixture
def language_model(tmp_path):
    path = tmp_path / "lm.bin"
    path.write_bytes(language_model_bytes(build_language_model(["ii i iii i"] * 9, order=3)))
    return path


@pytest.fixture
def line(write_line, tmp_path):
    return write_line(tmp_path / "lines", "a", 3, "iii")


@pytest.fixture
def recognize(run, sure_bar_model_file, line):
    return lambda *arguments: run("recognize", "-m", sure_bar_model_file, line, *arguments)


@pytest.mark.parametrize(
    "options",
    [
        ["--decoder", "beam"],
        ["--beam", 4],
        ["--whitelist", "i"],
        ["--whitelist", "a-z"],
        ["--blacklist", r"\s"],
        ["--length-bonus", "-1"],
    ],
)
def test_sure_lines_are_read_with_any(recognize, options):
    result = recognize(*options)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "iii\n", "")


def test_language_model_and_word_list(recognize, language_model, tmp_path):
    words = tmp_path / "words.txt"
    words.write_text("iii ii\n")
    result = recognize("--lm", language_model, "--words", words, "--lm-weight", 0.5)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "iii\n", "")


def test_n_best_and_alternatives(recognize):
    values = json.loads(recognize("-f", "json", "--n-best", 20, "--alternatives", 3).stdout)
    assert values["readings"][0]["text"] == values["text"] == "iii"
    assert set(values["readings"][0]) == {"text", "score"}


def test_a_blacklist_keeps_characters_out(recognize):
    assert recognize("--blacklist", "i").stdout == "\n"


def test_a_set_in_a_file(recognize, tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("\ufeffab\ni-k\n", encoding="utf-8")
    result = recognize("--whitelist", f"@{path}")
    assert result.stdout == "iii\n"
    assert result.stderr == (
        "ocrlstm: on the whitelist but unknown to the model: 'a' (U+0061), 'b' (U+0062)\n"
    )


def test_evaluate_takes_them_too(run, sure_bar_model_file, line, language_model):
    result = run("evaluate", "-m", sure_bar_model_file, line, "--lm", language_model, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["cer"] == 0
    result = run("evaluate", "-m", sure_bar_model_file, line, "--blacklist", "i", "--json")
    assert json.loads(result.stdout)["cer"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decoder", "greedy", "--beam", 4], "--beam is for --decoder beam, not for greedy"),
        (["--decoder", "threshold", "--n-best", 4, "-f", "json"], "not for threshold"),
        (["--lm-weight", 1], "--lm-weight needs a language model"),
        (["--word-weight", 1], "--word-weight needs a word list"),
        (["--n-best", 4], "--n-best shows in JSON only"),
        (["--alternatives", 4], "--alternatives shows in JSON only"),
        (["--whitelist", "xyz"], "leave no character that the model knows"),
        (["--whitelist", "z-a"], "runs from"),
        (["--blacklist", "@no.txt"], "@no.txt: cannot be read"),
        (["--lm", "no.bin"], "no.bin: no such language model"),
        (["--words", "no.txt"], "no.txt: cannot be read"),
    ],
)
def test_bad_use_is_one_line(recognize, options, message):
    result = recognize(*options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr.replace("\n", " ")


def test_several_models_have_no_n_best(run, sure_bar_model_file, line):
    models = ["-m", sure_bar_model_file] * 2
    result = run("recognize", *models, line, "-f", "json", "--n-best", 2)
    assert result.exit_code == 2
    assert "--n-best is of one model" in result.stderr


def test_several_models_with_a_language_model(run, sure_bar_model_file, line, language_model):
    result = run("recognize", "-m", sure_bar_model_file, "-m", sure_bar_model_file, line, "--lm",
                 language_model)  # fmt: skip
    assert (result.exit_code, result.stdout) == (0, "iii\n")


def test_a_language_model_of_another_alphabet(recognize, tmp_path):
    path = tmp_path / "lm.bin"
    path.write_bytes(language_model_bytes(build_language_model(["кот и пёс"] * 9, order=3)))
    result = recognize("--lm", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("ocrlstm: error: the language model knows only 0 of the 1")
