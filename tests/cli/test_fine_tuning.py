"""``ocrlstm train --from`` and ``--config``: what they do, print and refuse."""

import json

import pytest
from safetensors import safe_open

from ocrlstm.network import load_model_file

SPEC = "[1,16,0,1 Cr3,3,2 Lbx4 O1c]"
SMALL = ("--spec", SPEC, "--batch-size", 4, "--epochs", 1, "--threads", 1)


@pytest.fixture
def pairs(write_line, tmp_path):
    """Twelve lines of one to six bars."""
    for number in range(12):
        write_line(tmp_path / "pairs", str(number), 1 + number // 2, "i" * (1 + number // 2))
    return tmp_path / "pairs"


@pytest.fixture
def others(write_line, tmp_path):
    """Twelve lines, half of them with another character."""
    for number in range(12):
        write_line(tmp_path / "others", str(number), 2 + number // 3, "il" * (1 + number // 6))
    return tmp_path / "others"


@pytest.fixture
def old(run, pairs, tmp_path):
    path = tmp_path / "old.safetensors"
    result = run("train", pairs, "-o", path, *SMALL, "--provenance", "bars")
    assert result.exit_code == 0, result.stderr
    return path


def header_of(model):
    with safe_open(model, framework="numpy") as file:
        return json.loads(file.metadata()["ocrlstm"])


def test_fine_tuning(run, old, others, tmp_path):
    new = tmp_path / "new.safetensors"
    settings = ("--epochs", 1, "--charset", "union", "--freeze", 1, "--no-protect")
    result = run("train", others, "-o", new, "--from", old, *settings)
    assert result.exit_code == 0, result.stderr
    assert "before the first step: validation CER" in result.stderr
    header = header_of(new)
    assert header["codec"]["labels"] == ["", "i", "l"]
    assert header["metadata"]["lineage"][0]["provenance"] == "bars"
    config = header["metadata"]["config"]
    assert (config["charset"], config["freeze"], config["protect"]) == ("union", 1, False)
    assert config["spec"] == SPEC and config["height"] == 16
    before, after = (load_model_file(path).network.parameters() for path in (old, new))
    assert (before["Cr_0.W"] == after["Cr_0.W"]).all()


def test_a_shipped_model_by_name(run, others, tmp_path):
    new = tmp_path / "new.safetensors"
    result = run(
        *("train", others, "-o", new, "--from", "english-sample", "--max-minutes", 0),
        *("--freeze", "Cr_0,Lbx_6", "--charset", "new"),
    )
    assert result.exit_code == 0, result.stderr
    metadata = header_of(new)["metadata"]
    assert metadata["lineage"][0]["name"] == "english-sample"
    assert metadata["config"]["freeze"] == ["Cr_0", "Lbx_6"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--charset", "keep"], "--charset is 'keep', but there is no model to begin with"),
        (["--freeze", "1"], "--freeze is 1, but there is no model to begin with"),
        (["--no-protect"], "--protect is false, but there is no model to begin with"),
        (["--from", "OLD", "--height", "20"], "--height is 20, but the model to begin with has 16"),
        (["--from", "OLD", "--spec", "[1,16,0,1 O1c]"], "--spec is '[1,16,0,1 O1c]', but the"),
        (["--from", "OLD", "--freeze", "Cr_1"], "--freeze is 'Cr_1'; the layers are named Cr_0"),
        (["--from", "OLD", "--freeze", "9"], "--freeze is 9; the model has 3 layers with weights"),
        (["--from", "no-such"], "no-such: neither a model file nor"),
        (["--from", "pairs/1.png"], "pairs/1.png: "),
    ],
)  # fmt: skip
def test_refused(run, old, others, tmp_path, monkeypatch, options, message):
    monkeypatch.chdir(tmp_path)
    options = [old if option == "OLD" else option for option in options]
    result = run("train", others, "-o", "new.safetensors", *options)
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("ocrlstm: error: ") and message in line
    assert not list(tmp_path.glob("new*"))


@pytest.fixture
def write(tmp_path):
    def call(text: str):
        path = tmp_path / "run.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return call


def test_a_run_from_a_file(run, pairs, write, tmp_path):
    file = write(
        f'paths = "pairs"\noutput = "new.safetensors"\nspec = "{SPEC}"\nepochs = 2\n'
        'batch-size = 4\nthreads = 1\nlicence = "CC0"\n[distortions]\nblur = 0.5\n'
    )
    result = run("train", "--config", file, "--epochs", 1)
    assert result.exit_code == 0, result.stderr
    config = header_of(tmp_path / "new.safetensors")["metadata"]["config"]
    assert (config["epochs"], config["batch_size"], config["licence"]) == (1, 4, "CC0")
    assert config["distortions"] == {"blur": 0.5}


def test_what_is_written_asks_for_the_same(run, old, others, tmp_path, monkeypatch):
    """Also from another folder: all paths are absolute."""
    monkeypatch.chdir(tmp_path)
    options = ("--from", "old.safetensors", "--epochs", 1, "--freeze", "Cr_0", "--threads", 1)
    asked = ("train", "others", "-o", "new.safetensors", "--validation", "@list.txt", *options)
    written = run(*asked, "--write-config")
    assert written.exit_code == 0, written.stderr
    assert not (tmp_path / "new.safetensors").exists()
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / "run.toml").write_text(written.stdout, encoding="utf-8")
    again = run("train", "--config", tmp_path / "else" / "run.toml", "--write-config")
    assert again.stdout == written.stdout
    assert f'"@{tmp_path}/list.txt"' in written.stdout and f'spec = "{SPEC}"' in written.stdout
    (tmp_path / "list.txt").write_text("others/1.png\n", encoding="utf-8")
    assert run("train", "--config", tmp_path / "else" / "run.toml").exit_code == 0
    one = (tmp_path / "new.safetensors").read_bytes()
    assert run(*asked[:-4], "--freeze", "Cr_0", "--threads", 1).exit_code == 0
    assert (tmp_path / "new.safetensors").read_bytes() == one


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("epoch = 3", "no setting is named 'epoch'; the nearest is 'epochs'"),
        ("epochs = 0", "epochs is 0; it must lie in 1 to"),
        ("threads = 0", "threads is 0; it must be 1 or more"),
        ('charset = "new"', "charset is 'new', but there is no model to begin with"),
        ('text_table = "no.tsv"', "no.tsv: "),
        ("[distortions]\nblr = 1", "distortions: "),
    ],
)
def test_files_that_are_refused(run, write, message, text):
    result = run("train", "--config", write(text))
    assert result.exit_code == 2 and result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("ocrlstm: error: ") and message in line
    assert "run.toml: " in line or "no.tsv" in line


def test_options_that_are_wrong_are_told_as_options_beside_a_file(run, write):
    result = run("train", "--config", write("epochs = 3"), "--epochs", 0)
    assert result.stderr.startswith("ocrlstm: error: --epochs is 0;")


@pytest.mark.parametrize(
    "arguments", [["--config", "run.toml"], ["--write-config"], ["--from", "english-sample"]]
)
def test_nothing_beside_resume(run, arguments):
    result = run("train", "--resume", "m.ckpt", *arguments)
    assert result.exit_code == 2 and result.stderr.startswith("Usage: ")


def test_the_settings_of_a_model(run, old, tmp_path, write):
    shown = run("models", "show", old, "--config")
    assert shown.exit_code == 0
    written = run("train", "--config", write(shown.stdout), "--write-config").stdout
    assert set(shown.stdout.splitlines()[1:]) <= set(written.splitlines())


def test_a_model_without_settings(run, bar_model_file):
    result = run("models", "show", bar_model_file, "--config")
    assert result.exit_code == 2
    assert "tells no settings of its training" in result.stderr
