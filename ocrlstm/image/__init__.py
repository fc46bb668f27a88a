"""Any image, from anywhere, as one float array: ink 1.0, paper 0.0.

`read` is the door; `opening` lets Pillow read a file without trusting it, `modes` turns each of
Pillow's pixel modes into ink, `arrays` does it for NumPy arrays, `names` names a source. `cutting`
takes a line out of a page, by its polygon (`polygons`). `png` goes the other way, for reports.
"""

from ocrlstm.image.cutting import cut_line
from ocrlstm.image.names import ImageSource, InkSource, source_name
from ocrlstm.image.png import PNG_SIGNATURE, png_bytes
from ocrlstm.image.polygons import check_polygon
from ocrlstm.image.read import MAX_PIXELS, read_image, read_page

__all__ = [
    "MAX_PIXELS",
    "PNG_SIGNATURE",
    "ImageSource",
    "InkSource",
    "check_polygon",
    "cut_line",
    "png_bytes",
    "read_image",
    "read_page",
    "source_name",
]
