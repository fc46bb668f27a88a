"""Recipes: read with every key checked, and the shipped ones are sound."""

from pathlib import Path

import pytest

from ocrlstm.datasets.synthesis import Effect, Kind, Recipe, Respelling, TextSource, read_recipe
from ocrlstm.errors import DatasetError

RECIPES = sorted(Path(__file__).parents[3].glob("bin/recipes/*.toml"))

WHOLE = """
description = "all there is"
number = 50
real = ["real"]

[packages]
debian = ["fonts-dejavu-core"]
npm = ["@expo-google-fonts/lora"]

[[text]]
file = "a.txt"
weight = 2
length = [10, 40]
hyphens = 0.5
hyphen = "⸗"
habits = { long_s = 1, tildes = 0.5 }

[[text]]
name = "other"
file = "b.txt"

[mix]
capitals = 0.1
rare = 0.2
characters = "§"

[degradation]
clean = 0.2
blur = 0.9
jpeg = { chance = 0.5, strength = 2 }

[[kind]]
name = "book"
weight = 3
fonts = ["Def.*", "Other"]
without = [".*Bold"]
texts = "other"
press = "dots"
dots = 16
small_capitals = "capitals"
x_height = [8, 12]
layout = { ligatures = 0.5, word_space = [0.5, 2] }
draw = { "⸗" = "-" }
truth = { "-" = "⸗" }

[kind.degradation]
clean = 0
blur = 0

[training]
spec = "[1,40,0,1 Lbx100 O1c]"
epochs = 5
"""


def write(folder, content):
    file = folder / "recipe.toml"
    file.write_text(content, "utf-8")
    return file


def test_everything_is_read(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    recipe = read_recipe(write(tmp_path, WHOLE), [tmp_path / "texts"])
    first, second = recipe.texts
    assert first.file == str(tmp_path / "texts" / "a.txt") and first.name == "a"
    assert (first.weight, first.length, first.hyphens, first.hyphen) == (2, (10, 40), 0.5, "⸗")
    assert first.habits == {"long_s": 1, "tildes": 0.5}
    assert second.file == str(tmp_path / "b.txt") and second.length is None
    assert (recipe.number, recipe.clean, recipe.real) == (50, 0.2, ("real",))
    assert recipe.effects == {"blur": Effect(0.9), "jpeg": Effect(0.5, 2)}
    assert (recipe.mix.capitals, recipe.mix.characters) == (0.1, "§")
    assert recipe.packages.debian == ("fonts-dejavu-core",)
    assert recipe.training["epochs"] == 5
    (kind,) = recipe.kinds
    assert (kind.texts, kind.press, kind.dots, kind.x_height) == (("other",), "dots", 16, (8, 12))
    assert (kind.clean, kind.effects) == (0, {"blur": Effect(0.0)})
    assert (kind.layout.ligatures, kind.layout.word_space) == (0.5, (0.5, 2))
    assert kind.draw.apply("a⸗b") == "a-b" and kind.truth.apply("a-b") == "a⸗b"
    assert kind.takes("Default") and kind.takes("Other")
    assert not kind.takes("Default-Bold") and not kind.takes("Otherwise")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("number = 50", "nunber = 50", "no key is named 'nunber'; the nearest is 'number'"),
        ("number = 50", "number = 0", "number is 0; it must be from 1"),
        ("number = 50", "number = true", "number is True; it must be a whole number"),
        ("blur = 0.9", "blurr = 0.9", r"\[degradation\]: no key is named 'blurr'; .*'blur'"),
        ("blur = 0.9", "blur = 9", "blur: chance is 9; it must be from 0 to 1"),
        ("strength = 2", "strenght = 2", "'strenght'; the nearest is 'strength'"),
        ("tildes = 0.5", "tilde = 0.5", "'tilde'; the nearest is 'tildes'"),
        ("length = [10, 40]", "length = [40, 10]", "length is .*the smaller one first"),
        ("length = [10, 40]", "length = 10", "length is 10; it must be a list of two"),
        ('file = "a.txt"', "", r"\[\[text\]\] 1: file is missing"),
        ('press = "dots"', 'press = "dot"', "it must be print or typewriter or dots"),
        ('fonts = ["Def.*", "Other"]', 'fonts = ["("]', "no regular expression"),
        ('texts = "other"', 'texts = "others"', "names the text 'others'; there are a, other"),
        ("ligatures = 0.5", "ligature = 0.5", "'ligature'; the nearest is 'ligatures'"),
        ("capitals = 0.1", "capitals = 0.9", "add up to"),
        ('characters = "§"', "", "rare lines need characters"),
        ('"fonts-dejavu-core"', '"--force"', "'--force' is no name of a package"),
        ('"@expo-google-fonts/lora"', '"../up"', "'../up' is no name of a package"),
        ('draw = { "⸗" = "-" }', 'draw = { "⸗" = 1 }', "draw is .*must be like"),
        ('[[text]]\nfile = "a.txt"', '[text]\nfile = "a.txt"', "TOML|tables"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, old, new, message):
    assert old in WHOLE
    with pytest.raises(DatasetError, match=message) as caught:
        read_recipe(write(tmp_path, WHOLE.replace(old, new, 1)))
    assert str(caught.value).startswith(str(tmp_path / "recipe.toml"))


def test_no_file_and_no_toml(tmp_path):
    with pytest.raises(DatasetError, match="cannot be read"):
        read_recipe(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_bytes(b"a = \xff")
    with pytest.raises(DatasetError, match="not UTF-8"):
        read_recipe(tmp_path / "bad.toml")
    (tmp_path / "bad.toml").write_text("a = " + "[" * 9000)
    with pytest.raises(DatasetError, match="bad.toml: is n"):
        read_recipe(tmp_path / "bad.toml")
    with pytest.raises(DatasetError, match="no text to draw"):
        read_recipe(write(tmp_path, "number = 5"))


def test_a_recipe_needs_texts_and_kinds():
    with pytest.raises(ValueError, match="no text"):
        Recipe(())
    with pytest.raises(ValueError, match="no kind"):
        Recipe((TextSource("t", "t.txt"),), kinds=())
    with pytest.raises(ValueError, match="'x'"):
        Recipe((TextSource("t", "t.txt"),), (Kind("k", texts=("x",)),))


def test_respelling_replaces_the_longest_once():
    assert Respelling({"a": "b", "b": "a", "ab": "c"}).apply("abab ba") == "cc ab"


@pytest.mark.parametrize("file", RECIPES, ids=lambda file: file.stem)
def test_shipped_recipes(file):
    recipe = read_recipe(file)
    assert recipe.packages.debian and recipe.packages.npm
    assert sum(kind.weight for kind in recipe.kinds) > 0
    assert len({kind.name for kind in recipe.kinds}) == len(recipe.kinds)
    used = {name for kind in recipe.kinds for name in kind.texts}
    assert all(kind.texts for kind in recipe.kinds) <= (used == {t.name for t in recipe.texts})
