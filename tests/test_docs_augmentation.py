"""docs/augmentation.md: its table is the table of distortions, its pictures are there."""

import re
from pathlib import Path

from PIL import Image

from ocrlstm.lines import DISTORTIONS

DOCS = Path(__file__).parents[1] / "docs"
PAGE = (DOCS / "augmentation.md").read_text(encoding="utf-8")


def test_the_table_is_that_of_the_code():
    rows = re.findall(
        r"^\| `(\w+)` \| ([\d.]+) \| (.+?) \| !\[\w+\]\((.+?)\) \|$", PAGE, re.MULTILINE
    )
    assert [row[:3] for row in rows] == [
        (name, f"{row.likelihood:g}", row.about) for name, row in DISTORTIONS.items()
    ]


def test_every_picture_is_there_and_used():
    linked = set(re.findall(r"\((distortions/\w+\.png)\)", PAGE))
    there = {f"distortions/{path.name}" for path in (DOCS / "distortions").iterdir()}
    assert linked == there == {f"distortions/{name}.png" for name in ("all", *DISTORTIONS)}
    for name in linked:
        with Image.open(DOCS / name) as picture:
            picture.load()
            assert picture.height in (3 * 44 - 4, 9 * 44 - 4)
