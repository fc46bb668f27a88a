"""bin/make-model: from a recipe to a model, and on where it was stopped."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageFont

from ocrlstm.network import load_model_file

ROOT = Path(__file__).parents[2]

RECIPE = """
number = 12
real = ["lines"]
[[text]]
file = "alice.txt"
length = [5, 12]
[[kind]]
name = "any"
[training]
spec = "[1,16,0,1 Cr3,3,4 Mp2,2 S1(1x0)1,3 Lbx4 O1c]"
epochs = 1
text_rules = ["quotes"]
"""


def test_a_recipe_becomes_a_model(tmp_path):
    pytest.importorskip("fontTools")
    font = ImageFont.load_default(20)
    if not isinstance(font, ImageFont.FreeTypeFont):
        pytest.skip("this Pillow is built without FreeType")
    fonts = tmp_path / "out" / "fonts"
    fonts.mkdir(parents=True)
    font.path.seek(0)
    (fonts / "Default.ttf").write_bytes(font.path.read())
    (tmp_path / "alice.txt").write_text("Alice was beginning to get tired\n", "utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, "utf-8")
    (tmp_path / "lines").mkdir()
    for number in range(20):
        pixels = np.full((20, 60), 255, np.uint8)
        pixels[4:16, number : number + 20] = 0
        Image.fromarray(pixels).save(tmp_path / "lines" / f"{number}.png")
        (tmp_path / "lines" / f"{number}.gt.txt").write_text("“a”\n", "utf-8")

    command = [sys.executable, ROOT / "bin" / "make_model.py", "recipe.toml", ".", "out"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    model = load_model_file(tmp_path / "out" / "model.safetensors")
    assert model.normalizer.height == 16 and model.rules.names == ("quotes",)
    training, validation = (
        (tmp_path / "out" / f"real-{part}.txt").read_text("utf-8").split()
        for part in ("training", "validation")
    )
    assert len(training) + len(validation) == 20 and len(validation) >= 1
