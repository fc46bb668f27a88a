"""ocrlstm generate, from options and from recipes."""

import pytest
from PIL import ImageFont

from ocrlstm.datasets import open_pack

RECIPE = """
number = 4
[[text]]
file = "alice.txt"
length = [5, 20]
[mix]
capitals = 1
titles = 0
figures = 0
signs = 0
short = 0
[[kind]]
name = "any"
[[kind]]
name = "typed"
press = "typewriter"
"""


@pytest.fixture
def given(tmp_path):
    """A folder with a font, a text and a recipe."""
    pytest.importorskip("fontTools")
    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont):
        pytest.skip("this Pillow is built without FreeType")
    (tmp_path / "fonts").mkdir()
    font.path.seek(0)
    (tmp_path / "fonts" / "Default.ttf").write_bytes(font.path.read())
    (tmp_path / "fonts" / "Broken.ttf").write_bytes(b"no font")
    (tmp_path / "alice.txt").write_text("Alice was beginning\nto get very tired\n", "utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, "utf-8")
    return tmp_path


def test_a_pack_of_a_text(given, run):
    pack = given / "lines.pack"
    options = ["--fonts", given / "fonts", "--text", given / "alice.txt", "-n", 5, "-o", pack]
    result = run("generate", *options, "--height", 32, "--text-rule", "modern")
    assert result.exit_code == 0
    assert result.stdout == f"{pack}\t5 lines\n"
    assert "1 font is of no use" in result.stderr
    opened = open_pack(pack)
    assert len(opened) == 5 and opened.form.normalizer.height == 32
    assert opened.form.rules.names


def test_a_folder_of_a_recipe(given, run):
    options = ["--recipe", given / "recipe.toml", "--fonts", given / "fonts", "-o", given / "out"]
    result = run("generate", *options, "--kind", "typed", "--wear", 0)
    assert result.exit_code == 0
    texts = sorted((given / "out").glob("*.gt.txt"))
    assert len(texts) == 4
    assert all("-typed-Default" in file.name for file in texts)
    assert all(file.read_text("utf-8").isupper() for file in texts)


def test_the_fonts_are_listed(given, run):
    result = run("generate", "--fonts", given / "fonts", "--list-fonts")
    assert result.exit_code == 0
    kind, _, name, count = result.stdout.strip().split("\t")
    assert (kind, name) == ("any", "Default") and count.endswith(" characters")
    assert "Broken.ttf: cannot be read as a font" in result.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "--text FILE or --recipe"),
        (["--recipe", "recipe.toml"], "Missing option '-o'"),
        (["--recipe", "none.toml", "-o", "x"], "none.toml: cannot be read"),
        (["--recipe", "recipe.toml", "-o", "x", "--kind", "k"], "no kind is named 'k'; there are"),
        (["--text", "none.txt", "-o", "x"], "none.txt: cannot be read"),
        (["--text", "alice.txt", "-o", "no/x.pack"], "there is no folder no"),
    ],
)
def test_bad_use(given, run, monkeypatch, options, message):
    monkeypatch.chdir(given)
    result = run("generate", "--fonts", "fonts", *options)
    assert result.exit_code == 2
    assert message in result.stderr
