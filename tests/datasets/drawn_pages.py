"""Pages that tests draw: bars instead of letters, and their PAGE and ALTO files."""

from pathlib import Path
from xml.sax.saxutils import quoteattr

import numpy as np
from PIL import Image

PAGE_2019 = "http://schema.primaresearch.org/PAGE/gts/pagecontent/2019-07-15"
ALTO_4 = "http://www.loc.gov/standards/alto/ns-v4#"


def draw_page(path: Path, lines: int = 3, width: int = 200) -> Path:
    """White paper; line n has n + 1 black bars of 8 x 16 pixels in rows 40 n + 12 to 40 n + 27."""
    pixels = np.full((40 * lines, width), 255, np.uint8)
    for n in range(lines):
        for bar in range(n + 1):
            pixels[40 * n + 12 : 40 * n + 28, 16 + 24 * bar : 24 + 24 * bar] = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels).save(path)
    return path


def box(n: int) -> str:
    return f"5,{40 * n + 4} 180,{40 * n + 4} 180,{40 * n + 35} 5,{40 * n + 35}"


def page_line(n: int, text: str = "", points: str | None = None, more: str = "") -> str:
    own = f"<TextEquiv><Unicode>{text}</Unicode></TextEquiv>" if text else ""
    return f'<TextLine id="l{n}"><Coords points="{points or box(n)}"/>{more}{own}</TextLine>'


def write_page_xml(
    path: Path, lines: list[str], image: str = "page.png", attributes: str = ""
) -> Path:
    path.write_text(
        f'<?xml version="1.0" encoding="UTF-8"?>\n<PcGts xmlns="{PAGE_2019}">'
        f"<Page imageFilename={quoteattr(image)} {attributes}><TextRegion>"
        f"{''.join(lines)}</TextRegion></Page></PcGts>",
        encoding="utf-8",
    )
    return path


def alto_line(n: int, content: str, attributes: str = "", shape: str = "") -> str:
    return (
        f'<TextLine ID="l{n}" HPOS="5" VPOS="{40 * n + 4}" WIDTH="176" HEIGHT="32" {attributes}>'
        f"{shape}{content}</TextLine>"
    )


def write_alto(path: Path, lines: list[str], unit: str = "pixel", image: str = "page.png") -> Path:
    path.write_text(
        f'<?xml version="1.0"?>\n<alto xmlns="{ALTO_4}"><Description>'
        f"<MeasurementUnit>{unit}</MeasurementUnit><sourceImageInformation>"
        f"<fileName>{image}</fileName></sourceImageInformation></Description>"
        f'<Layout><Page WIDTH="200" HEIGHT="120"><PrintSpace><TextBlock>'
        f"{''.join(lines)}</TextBlock></PrintSpace></Page></Layout></alto>",
        encoding="utf-8",
    )
    return path
