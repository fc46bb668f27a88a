"""Draw image/text pairs with free fonts into a folder: NAME.png with NAME.gt.txt beside it.

Without --text the lines are English sentences made up by ocrlstm.datasets.sentences. The same
options, fonts and versions give the same files. Called by bin/make-training-data.
"""

from __future__ import annotations

import argparse
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image

from ocrlstm.datasets.sentences import english_lines
from ocrlstm.datasets.synthetic import find_fonts, generate
from ocrlstm.errors import OcrError

# Where Debian puts fonts, and those of bin/fetch-fonts that books, papers and letters are set in.
FONT_FOLDERS = ["/usr/share/fonts", "/usr/share/texmf/fonts/opentype/public"]
BOOK_FONTS = "|".join(
    (
        r"(Accanthis|Baskervald|Romande)ADF(No2|No3)?Std(No[23])?(-(Regular|Italic|Bold|DemiBold))?",
        r"Courier Prime( Bold| Italic)?",
        r"DejaVu(Sans|Serif|SansCondensed|SerifCondensed|SansMono)(-Bold|-Oblique|-Italic)?",
        r"EBGaramond(08|12)-(Regular|Italic|Bold)",
        r"Essays1743(-Italic)?",
        r"Free(Serif|Sans|Mono)(Bold|Italic|Oblique)?",
        r"GFS(Artemisia|Didot)(Bold|It|Italic)?",
        r"GNUTypewriter|GoudyBookletter1911|LindenHill(-Italic)?",
        r"Gentium-[RI]|JunicodeTwoBeta-(Regular|Italic|Bold|Condensed)",
        r"Liberation(Serif|Sans|SansNarrow|Mono)-(Regular|Bold|Italic)",
        r"LinLibertine_(R|RI|RB|DR)|LinBiolinum_RI?",
        r"OldStandard-(Regular|Italic|Bold)",
        r"Vollkorn-(Regular|Italic|Medium|Bold)",
        r"cmun(rm|ti|bx|sl|tt|ss|bmr)",
        r"texgyre(bonum|pagella|schola|termes)-(regular|italic|bold)",
        r"texgyre(adventor|cursor|heros|heroscn)-regular",
    )
)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make-training-data", description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path, metavar="OUTDIR")
    parser.add_argument("-n", "--number", type=int, default=6000, help="pairs to make (6000)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other lines (0)")
    parser.add_argument(
        "--fonts",
        action="append",
        metavar="DIR",
        help="draw with all fonts of this folder or file; may be given again; without it, with "
        "the book and typewriter faces of bin/fetch-fonts",
    )
    parser.add_argument(
        "--text", type=Path, metavar="FILE", help="a UTF-8 file with the lines to draw"
    )
    parser.add_argument(
        "--wear",
        type=float,
        default=1.0,
        help="0 for faultless prints, 1 for what old books show (1)",
    )
    parser.add_argument(
        "--longest", type=int, default=72, metavar="N", help="characters of the longest lines (72)"
    )
    parser.add_argument(
        "--shades",
        type=int,
        default=256,
        metavar="N",
        help="shades of grey; few make small files (256)",
    )
    return parser.parse_args()


def read_lines(file: Path) -> Iterator[str]:
    """The file's lines in NFC without needless blanks, over and over."""
    try:
        text = unicodedata.normalize("NFC", file.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise OcrError(f"{file}: is not UTF-8 text (byte {error.start}); convert it") from error
    lines = [" ".join(line.split()) for line in text.splitlines() if line.strip()]
    if not lines:
        raise OcrError(f"{file}: holds no text")
    while True:
        yield from lines


def posterise(image: Image.Image, shades: int) -> Image.Image:
    """The image with so many evenly spread shades of grey, white among them."""
    steps = np.round(np.asarray(image) / 255 * (shades - 1))
    return Image.fromarray(np.round(steps * 255 / (shades - 1)).astype(np.uint8))


def main() -> None:
    options = parse_arguments()
    try:
        fonts = find_fonts(
            options.fonts or [f for f in FONT_FOLDERS if Path(f).exists()],
            "" if options.fonts else BOOK_FONTS,
        )
        rng = np.random.default_rng(options.seed)
        shortest = min(24, options.longest)
        texts = (
            read_lines(options.text)
            if options.text
            else english_lines(rng, shortest, options.longest)
        )
        options.folder.mkdir(parents=True, exist_ok=True)
        pairs = generate(options.number, fonts, texts, options.seed, strength=options.wear)
        for number, (image, text) in enumerate(pairs):
            stem = options.folder / f"line-{number:05d}"
            posterise(image, options.shades).save(f"{stem}.png", optimize=options.shades < 256)
            Path(f"{stem}.gt.txt").write_text(text + "\n", "utf-8")
    except (OcrError, OSError) as error:
        print(f"make-training-data: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"{options.number} pairs in {options.folder}, drawn with {len(fonts)} fonts")


if __name__ == "__main__":
    main()
