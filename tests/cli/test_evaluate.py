"""``ocrlstm evaluate``: scores of a model and of texts, with what could not be read."""

import json

import pytest


@pytest.fixture
def evaluate(run, bar_model_file):
    return lambda *arguments: run("evaluate", "-m", bar_model_file, *arguments)


@pytest.fixture
def folder(write_line, tmp_path):
    """Three lines; the model reads "i", "ii", "iii", which is 1 edit of 7 characters."""
    write_line(tmp_path / "in", "a", 1, "i")
    write_line(tmp_path / "in", "b", 2, "ij")
    write_line(tmp_path / "in", "c", 3, "iii")
    return tmp_path / "in"


def test_json_holds_the_scores(evaluate, folder):
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    assert result.stderr == (
        "ocrlstm: unknown to the model and counted as an error wherever it occurs: "
        f"'j' (U+006A) in {folder}/b.gt.txt\n"
    )
    values = json.loads(result.stdout)
    assert values["cer"] == pytest.approx(1 / 6)
    assert (values["edits"], values["characters"]) == (1, 6)
    assert (values["lines"], values["exact_lines"]) == (3, 2)
    assert values["wer"] == pytest.approx(1 / 3)
    assert values["confusions"] == [{"truth": "j", "read": "i", "count": 1}]
    assert values["worst"][0]["name"] == str(folder / "b.png")
    assert values["unread"] == 0


def test_text_report(evaluate, folder):
    result = evaluate(folder)
    assert result.exit_code == 0
    assert "16.67%" in result.stdout
    assert "1 edits in 6 characters" in result.stdout
    assert str(folder / "b.png") in result.stdout
    assert str(folder / "b.png") not in evaluate(folder, "--worst", 0).stdout


def test_images_without_text_are_told(evaluate, folder, write_line):
    write_line(folder, "d", 3)
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["lines"] == 3
    assert "1 image has no text and does not count" in result.stderr


def test_an_unreadable_image_counts_as_empty(evaluate, folder):
    (folder / "c.png").write_bytes(b"")
    result = evaluate(folder, "--json")
    assert result.exit_code == 1
    values = json.loads(result.stdout)
    assert (values["edits"], values["characters"], values["unread"]) == (1 + 3, 6, 1)
    assert "c.png: is empty" in result.stderr and "counts as empty" in result.stderr


def test_a_bad_text_is_left_out(evaluate, folder):
    (folder / "b.gt.txt").write_bytes(b"\xff\xfe")
    result = evaluate(folder, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["characters"] == 4
    assert "b.gt.txt: not UTF-8" in result.stderr


def test_an_empty_text_counts_what_is_read(evaluate, folder):
    (folder / "b.gt.txt").write_text("\n")
    result = evaluate(folder, "--json")
    assert result.exit_code == 0
    values = json.loads(result.stdout)
    assert (values["edits"], values["characters"], values["lines"]) == (2, 4, 3)
    assert "b.gt.txt: the text is empty" in result.stderr


def test_texts_that_recognize_wrote(run, bar_model_file, evaluate, folder, tmp_path):
    run("recognize", "-m", bar_model_file, folder, "-o", tmp_path / "out")
    by_model = json.loads(evaluate(folder, "--json").stdout)
    by_texts = json.loads(
        run("evaluate", folder, "--predictions", tmp_path / "out", "--json").stdout
    )
    assert by_texts == by_model


def test_texts_of_same_names_in_different_folders(run, bar_model_file, write_line, tmp_path):
    write_line(tmp_path / "book" / "p1", "1", 1, "i")
    write_line(tmp_path / "book" / "p2", "1", 2, "ii")
    write_line(tmp_path / "book" / "p2", "2", 2)
    run("recognize", "-m", bar_model_file, tmp_path / "book", "-o", tmp_path / "out")
    result = run("evaluate", tmp_path / "book", "--predictions", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["exact_lines"] == 2


def test_texts_of_other_programs(run, write_line, tmp_path):
    path = write_line(tmp_path / "in", "a.bin", 1, None)
    (path.parent / "a.gt.txt").write_text("one two\n")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_bytes("\ufeffone\r\ntwo\n\f".encode())
    result = run("evaluate", path, "--predictions", tmp_path / "out", "--json")
    assert json.loads(result.stdout)["cer"] == 0


def test_missing_and_broken_predictions(run, folder, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").write_text("i")
    (tmp_path / "out" / "b.txt").write_bytes(b"\xe4")
    result = run("evaluate", folder, "--predictions", tmp_path / "out", "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["edits"] == 2 + 3
    assert "b.txt: not UTF-8" in result.stderr
    assert "c.txt: no such prediction" in result.stderr


def test_no_folder_of_predictions(run, folder, tmp_path):
    result = run("evaluate", folder, "--predictions", tmp_path / "none")
    assert result.exit_code == 2
    assert result.stderr == f"ocrlstm: error: {tmp_path}/none: no such folder of predictions\n"
