"""Draw a line image with its reading: a box around every character, its text below, sure or not.

    bin/draw-line training-data/sample/line-00000.png -o docs/line.png

The colour of a box goes from red (confidence 0.5 and less) to green (1).
"""

import argparse
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

import ocrlstm

MARGIN = 12
TEXT_SIZE = 22


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("image", type=Path)
    parser.add_argument("-m", "--model")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--scale", type=int, default=2)
    arguments = parser.parse_args()
    line = ocrlstm.load_model(arguments.model).recognize(arguments.image)
    draw(Image.open(arguments.image).convert("RGB"), line, arguments.scale).save(arguments.output)
    print(line.text)


def draw(image: Image.Image, line: ocrlstm.Line, scale: int) -> Image.Image:
    size = (image.width * scale, image.height * scale)
    image = image.resize(size, Image.Resampling.LANCZOS)
    sheet = Image.new(
        "RGB", (image.width + 2 * MARGIN, image.height + 3 * MARGIN + TEXT_SIZE), "white"
    )
    sheet.paste(image, (MARGIN, MARGIN))
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(TEXT_SIZE)
    bottom = MARGIN + image.height
    for character in line.characters:
        doubt = min(1.0, 2 * (1 - character.confidence))
        colour = (int(200 * doubt), int(140 * (1 - doubt)), 60)
        left, right = MARGIN + character.x0 * scale, MARGIN + character.x1 * scale
        pen.rectangle((left, MARGIN, right, bottom), outline=colour)
        pen.text(((left + right) / 2, bottom + 4), character.text, colour, font, anchor="ma")
    return sheet


if __name__ == "__main__":
    main()
