"""The distortions by name: what other presses, papers, ages and scanners make of a line.

`spacing` and `shape` move the letters, `ink`, `gaps`, `paper`, `neighbour` and `scan` change what
is seen of them. A distortion is a pure function in one of these files and a row here; rows stand in
the order in which things happen to a line.
"""

from ocrlstm.lines.distortions.distortion import Distortion, Lend, Shape, Surface
from ocrlstm.lines.distortions.gaps import rub_out, tear_strips
from ocrlstm.lines.distortions.ink import fade, thicken, thin
from ocrlstm.lines.distortions.neighbour import add_neighbour
from ocrlstm.lines.distortions.paper import add_rules, add_specks, add_texture, bleed_through
from ocrlstm.lines.distortions.scan import add_grain, bend_tones, blur, coarsen, steepen
from ocrlstm.lines.distortions.shape import rotate, scale, shear, shift, warp, widen
from ocrlstm.lines.distortions.spacing import respace

__all__ = ["DISTORTIONS", "Distortion", "Lend", "Shape", "Surface"]

DISTORTIONS: dict[str, Shape | Surface] = {
    "spacing": Surface(0.4, respace, "letters and words closer together or wider apart"),
    "width": Shape(1.0, widen, "letters narrower or wider"),
    "scale": Shape(0.7, scale, "letters smaller, somewhere in the height, or a little larger"),
    "rotation": Shape(0.7, rotate, "a line that rises or falls, its letters turned"),
    "shear": Shape(1.0, shear, "letters that slant"),
    "shift": Shape(1.0, shift, "a baseline that lies higher or lower and wanders"),
    "elastic": Shape(1.0, warp, "uneven letters: their place, width, height and slant"),
    "thicken": Surface(0.25, thicken, "ink that runs"),
    "thin": Surface(0.25, thin, "ink that shrinks"),
    "fade": Surface(0.25, fade, "type inked unevenly"),
    "rubbing": Surface(0.2, rub_out, "ink rubbed off in small patches"),
    "strips": Surface(0.15, tear_strips, "strips without ink, along or across the line"),
    "bleed": Surface(0.1, bleed_through, "the back of the leaf showing through", borrows=True),
    "texture": Surface(0.2, add_texture, "cloudy, grainy paper with fibres"),
    "rules": Surface(0.08, add_rules, "ruled and drawn lines"),
    "neighbour": Surface(0.25, add_neighbour, "neighbour lines at the edges", borrows=True),
    "specks": Surface(0.15, add_specks, "dirt, and holes in the ink"),
    "coarse": Surface(0.1, coarsen, "a scan of few dots an inch"),
    "blur": Surface(0.35, blur, "a scanner out of focus"),
    "tones": Surface(0.4, bend_tones, "greys lighter or darker"),
    "grain": Surface(0.25, add_grain, "grain over the text"),
    "contrast": Surface(0.2, steepen, "a scan towards black and white"),
}
"""All of them, in the order of type, press, age, paper and scanner.

Shapes that follow each other cost one sampling of the line together.
"""
