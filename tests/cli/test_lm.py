"""``ocrlstm lm``: build, show, score, tune; what becomes of bad input."""

import pytest

from ocrlstm.decoding.language import Weights, load_language_model
from ocrlstm.lines import LineNormalizer
from ocrlstm.network import LineModel, Network, save_model
from ocrlstm.text import Codec, TextRules

LINES = ["the cat sat on the mat", "a cat and a rat", "the rat ate the hat"] * 20


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(LINES), encoding="utf-8")
    return path


def test_build_and_show(run, text, tmp_path):
    path = tmp_path / "lm.bin"
    result = run("lm", "build", text, "-o", path, "--order", 4)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith(f"{path}\t0.0 MB, 1180 characters of text, perplexity 1.")
    model = load_language_model(path)
    assert model.order == 4
    assert model.metadata["texts"] == ["text.txt"]
    shown = run("lm", "show", path).stdout
    assert "n-grams" in shown and ", ".join(map(str, model.level_sizes)) in shown
    assert "grapheme, NFC, ltr" in shown


def test_the_same_texts_give_the_same_bytes(run, text, tmp_path):
    for name in "ab":
        run("lm", "build", text, "-o", tmp_path / name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_folders_and_several_files(run, text, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in ("b.txt", "a.txt"):
        (folder / name).write_bytes(text.read_bytes())
    (folder / "c.md").write_text("not this")
    run("lm", "build", text, folder, text, "-o", tmp_path / "lm.bin", "--order", 3)
    model = load_language_model(tmp_path / "lm.bin")
    assert model.metadata["texts"] == ["text.txt", "a.txt", "b.txt"]
    assert model.metadata["text_length"] == 3 * 1180


def test_spelling_of_a_line_model(run, text, tmp_path):
    codec = Codec.from_texts(["thecanodmrs "], unit="codepoint", normal_form="NFD")
    network = Network("[1,32,0,1 O1c]", classes=len(codec))
    model = tmp_path / "model.safetensors"
    rules = TextRules(("long_s",))
    normalizer = LineNormalizer(kind="scale", height=32)
    save_model(LineModel(network, codec, normalizer, {}, rules=rules), model)
    result = run("lm", "build", text, "-o", tmp_path / "lm.bin", "-m", model, "--order", 3)
    assert result.exit_code == 0
    alphabet = load_language_model(tmp_path / "lm.bin").alphabet
    assert (alphabet.codec.unit, alphabet.codec.normal_form) == ("codepoint", "NFD")
    assert alphabet.rules == rules
    result = run("lm", "build", text, "-o", tmp_path / "lm.bin", "-m", model, "--unit", "grapheme")
    assert result.exit_code == 2
    assert "-m gives spelling" in result.stderr


def test_options_of_spelling(run, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("Waſſer a\u0308 1\n" * 9 + "שלום", encoding="utf-8")
    table = tmp_path / "table.tsv"
    table.write_text("1\teins\n")
    run("lm", "build", text, "-o", tmp_path / "lm.bin", "--order", 2, "--text-rule", "long_s",
        "--text-table", table, "--normal-form", "NFD", "--unit", "codepoint",
        "--direction", "rtl")  # fmt: skip
    codec = load_language_model(tmp_path / "lm.bin").alphabet.codec
    assert {"s", "i", "n", "\u0308"} <= set(codec.labels)
    assert not {"ſ", "1", "ä"} & set(codec.labels)
    assert codec.direction == "rtl"


def test_the_direction_is_that_of_most_letters(run, tmp_path):
    text = tmp_path / "t.txt"
    text.write_text("שלום עולם abc\n" * 9, encoding="utf-8")
    run("lm", "build", text, "-o", tmp_path / "lm.bin", "--order", 2)
    assert load_language_model(tmp_path / "lm.bin").alphabet.codec.direction == "rtl"


def test_score(run, text, tmp_path):
    path = tmp_path / "lm.bin"
    run("lm", "build", text, "-o", path, "--order", 4)
    other = tmp_path / "other.txt"
    other.write_text("xyzzy quux\n\n", encoding="utf-8")
    own, foreign, both = run("lm", "score", path, text, other).stdout.splitlines()
    assert own.split("\t")[2:] == ["1180 characters", "0 unknown"]
    assert foreign.split("\t")[2:] == ["11 characters", "9 unknown"]
    assert both.startswith("all\t")
    perplexities = [float(line.split("\t")[1].split()[1]) for line in (own, foreign, both)]
    assert perplexities[0] < 2 < 10 < perplexities[1]
    assert perplexities[0] < perplexities[2] < perplexities[1]


def test_a_bad_text_among_good_ones_is_left_out(run, text, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"gr\xfc\xdfe")
    result = run("lm", "build", text, bad, "-o", tmp_path / "lm.bin", "--order", 3)
    assert result.exit_code == 1
    assert f"left out: {bad}: not UTF-8" in result.stderr
    assert load_language_model(tmp_path / "lm.bin").metadata["texts"] == ["text.txt"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"gr\xfc\xdfe", "not UTF-8"),
        (b"", "too few for n-grams of 6"),
        (b"abc", "too few for n-grams of 6"),
        (None, "no such text file or folder"),
    ],
)
def test_texts_of_no_use(run, tmp_path, content, message):
    path = tmp_path / "t.txt"
    if content is not None:
        path.write_bytes(content)
    result = run("lm", "build", path, "-o", tmp_path / "lm.bin")
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert not (tmp_path / "lm.bin").exists()


def test_a_folder_without_texts(run, tmp_path):
    result = run("lm", "build", tmp_path, "-o", tmp_path / "lm.bin")
    assert result.exit_code == 2
    assert "no .txt file in this folder" in result.stderr


def test_lines_without_end_come_in_pieces(run, tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("the cat sat on the mat " * 10_000)
    run("lm", "build", path, "-o", tmp_path / "lm.bin", "--order", 3)
    assert load_language_model(tmp_path / "lm.bin").metadata["text_length"] >= 230_000 - 1


@pytest.mark.parametrize("command", ["show", "score"])
def test_no_language_model(run, text, command):
    result = run("lm", command, text, *([text] if command == "score" else []))
    assert result.exit_code == 2
    assert "not a language model" in result.stderr


@pytest.fixture
def bar_language_model(run, tmp_path):
    text = tmp_path / "bars.txt"
    text.write_text("iii ii i iiii\n" * 50)
    run("lm", "build", text, "-o", tmp_path / "lm.bin", "--order", 3)
    return tmp_path / "lm.bin"


def test_tune(run, bar_language_model, sure_bar_model_file, write_line, tmp_path):
    for count in (1, 2, 3):
        write_line(tmp_path / "lines", f"a{count}", count, "i" * count)
    (tmp_path / "lines" / "bad.png").touch()
    (tmp_path / "lines" / "bad.gt.txt").write_text("i\n")
    words = tmp_path / "words.txt"
    words.write_text("i ii iii")
    out = tmp_path / "tuned.bin"
    before = bar_language_model.read_bytes()
    result = run("lm", "tune", bar_language_model, "-m", sure_bar_model_file, tmp_path / "lines",
                 "--words", words, "-o", out)  # fmt: skip
    assert result.exit_code == 1  # for the bad line
    assert "left out: " in result.stderr and "only 3 lines" in result.stderr
    # Without an error there is nothing to be learnt: the defaults stay.
    assert "greedy 0.00%, with the weights before 0.00%, with these 0.00%" in result.stdout
    model = load_language_model(out)
    assert model.weights == Weights()
    assert model.metadata["tuning"]["lines"] == 3
    assert bar_language_model.read_bytes() == before
    assert "tuning" in run("lm", "show", out).stdout


def test_tune_without_lines(run, bar_language_model, sure_bar_model_file, tmp_path):
    (tmp_path / "lines").mkdir()
    result = run("lm", "tune", bar_language_model, "-m", sure_bar_model_file, tmp_path / "lines")
    assert result.exit_code == 2


def test_tune_refuses_another_alphabet(run, text, sure_bar_model_file, write_line, tmp_path):
    (tmp_path / "cyrillic.txt").write_text("кот и пёс " * 20, encoding="utf-8")
    run("lm", "build", tmp_path / "cyrillic.txt", "-o", tmp_path / "lm.bin", "--order", 2)
    write_line(tmp_path / "lines", "a", 1, "i")
    result = run("lm", "tune", tmp_path / "lm.bin", "-m", sure_bar_model_file, tmp_path / "lines")
    assert result.exit_code == 2
    assert "knows only 0 of the 1 letters" in result.stderr
