"""Lines drawn with fonts and worn like scans, whose texts are known for certain.

`recipe` says what is drawn, `catalogue` finds its fonts, `maker` draws a line: `texts` and `mixing`
give what it says, `printing`, `typewriting` and `dots` set it, `press`, `page`, `sheet` and `scan`
bring it to the image of a scanner. `output` does it by the thousand.
"""

from ocrlstm.datasets.synthesis.catalogue import Catalogue, KindFonts, read_catalogue
from ocrlstm.datasets.synthesis.effects import EFFECTS, Effect
from ocrlstm.datasets.synthesis.faces import Face
from ocrlstm.datasets.synthesis.habits import HABITS
from ocrlstm.datasets.synthesis.layout import Layout
from ocrlstm.datasets.synthesis.maker import DrawnLine, LineMaker
from ocrlstm.datasets.synthesis.mixing import Mix
from ocrlstm.datasets.synthesis.output import Generated, generate_folder, generate_pack
from ocrlstm.datasets.synthesis.recipe import Kind, Packages, Recipe, Respelling
from ocrlstm.datasets.synthesis.recipe_file import read_recipe
from ocrlstm.datasets.synthesis.texts import TextSource

__all__ = [
    "EFFECTS",
    "HABITS",
    "Catalogue",
    "DrawnLine",
    "Effect",
    "Face",
    "Generated",
    "Kind",
    "KindFonts",
    "Layout",
    "LineMaker",
    "Mix",
    "Packages",
    "Recipe",
    "Respelling",
    "TextSource",
    "generate_folder",
    "generate_pack",
    "read_catalogue",
    "read_recipe",
]
