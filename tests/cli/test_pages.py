"""The commands take pages and tables as they take lines, and tell what was wrong with them."""

import json

import pytest
from PIL import Image

NAMESPACE = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"


@pytest.fixture
def page(bars, tmp_path):
    """A page of twelve lines of one to four bars, and its PAGE XML."""
    folder = tmp_path / "pages"
    folder.mkdir()
    image = Image.new("L", (200, 12 * 40), 255)
    lines = []
    for n in range(12):
        count = 1 + n % 4
        image.paste(Image.fromarray(bars(count)), (20, 40 * n + 4))
        right = 20 + 16 + 24 * count
        points = f"20,{40 * n + 4} {right},{40 * n + 4} {right},{40 * n + 35} 20,{40 * n + 35}"
        lines.append(
            f'<TextLine id="l{n}"><Coords points="{points}"/><TextEquiv><Unicode>{"i" * count}'
            "</Unicode></TextEquiv></TextLine>"
        )
    image.save(folder / "page.png")
    (folder / "page.xml").write_text(
        f'<PcGts xmlns="{NAMESPACE}"><Page imageFilename="page.png"><TextRegion>'
        f"{''.join(lines)}</TextRegion></Page></PcGts>"
    )
    return folder / "page.xml"


@pytest.fixture
def table(write_line, tmp_path):
    for n in range(8):
        write_line(tmp_path / "table", str(n), 1 + n % 4)
    path = tmp_path / "table" / "lines.txt"
    path.write_text("".join(f"{n}.png\t{'i' * (1 + n % 4)}\n" for n in range(8)))
    return path


def test_evaluate_reads_pages_and_tables(run, page, table, bar_model_file):
    result = run("evaluate", "-m", bar_model_file, page, table, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    values = json.loads(result.stdout)
    assert (values["lines"], values["edits"], values["characters"]) == (20, 0, 30 + 20)


def test_evaluate_names_the_line_of_a_page(run, page, bar_model_file):
    page.write_text(page.read_text().replace(">iii<", ">iij<"))
    result = run("evaluate", "-m", bar_model_file, page)
    assert f"{page}#l2" in result.stdout
    assert f"'j' (U+006A) in {page}#l2" in result.stderr


def test_evaluate_tells_what_was_left_out(run, page, bar_model_file):
    text = page.read_text().replace('points="20,', 'points="20,4 20,4" x="20,', 1)
    page.write_text(text)
    page.with_name("broken.xml").write_text("<PcGts>")
    result = run("evaluate", "-m", bar_model_file, page.parent, "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["lines"] == 11
    assert "page.xml#l0: the polygon has 2 points" in result.stderr
    assert "broken.xml: is not well-formed XML" in result.stderr


def test_evaluate_takes_predictions_of_lines_of_pages(run, page, tmp_path):
    (tmp_path / "read").mkdir()
    for n in range(12):
        (tmp_path / "read" / f"page.xml#l{n}.txt").write_text("i" * (1 + n % 4))
    result = run("evaluate", page, "--predictions", tmp_path / "read", "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    assert json.loads(result.stdout)["edits"] == 0


def test_train_on_pages_and_resume(run, page, table, tmp_path):
    page.with_name("broken.xml").write_text("<PcGts>")
    model = tmp_path / "model.safetensors"
    small = ("--spec", "[1,16,0,1 Lbx4 O1c]", "--batch-size", 4, "--epochs", 2, "--threads", 1)
    result = run("train", page.parent, table, "-o", model, *small)
    assert result.exit_code == 0, result.stderr
    assert "left out: " in result.stderr and "broken.xml: is not well-formed" in result.stderr
    assert "training on 18 lines, validating on 2" in result.stderr
    before = model.read_bytes()
    result = run("train", "--resume", model.with_suffix(".ckpt"))
    assert result.exit_code == 0, result.stderr
    assert model.read_bytes() == before


def test_lines_of_a_page_may_be_held_out(run, page, table, tmp_path):
    model = tmp_path / "model.safetensors"
    small = ("--spec", "[1,16,0,1 Lbx4 O1c]", "--batch-size", 4, "--epochs", 1, "--threads", 1)
    result = run("train", page, table, "--validation", page, "-o", model, *small)
    assert result.exit_code == 0, result.stderr
    assert "training on 8 lines, validating on 12" in result.stderr


@pytest.mark.parametrize("command", [("evaluate",), ("train", "-o", "model.safetensors")])
def test_nothing_but_a_bomb_is_one_line_and_exit_code_2(run, tmp_path, command):
    bomb = tmp_path / "bomb.xml"
    bomb.write_text('<!DOCTYPE r [<!ENTITY a "b">]><r>&a;</r>')
    result = run(*command, bomb)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ocrlstm: error: {bomb}: has a document type (DOCTYPE)")
    assert result.stderr.count("\n") == 1
