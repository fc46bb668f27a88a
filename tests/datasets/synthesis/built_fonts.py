"""Fonts made of rectangles, to show what real ones hardly ever do."""

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

EM = 1000


def build_font(path, shapes, symbol=False, features=""):
    """Write a font of boxes (left, bottom, right, top); a character without any is blank."""
    names = {character: f"g{ord(character):04x}" for character in shapes}
    glyphs = {".notdef": draw([(0, 0, 400, 700)])}
    glyphs |= {names[character]: draw(boxes) for character, boxes in shapes.items()}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder(list(glyphs))
    builder.setupCharacterMap({ord(character): name for character, name in names.items()})
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics({name: (600, 0) for name in glyphs})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Built", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    if features:
        builder.addOpenTypeFeatures(features)
    if symbol:
        for table in builder.font["cmap"].tables:
            table.platformID, table.platEncID = 3, 0
        builder.font["cmap"].tables = builder.font["cmap"].tables[:1]
    builder.save(path)
    return path


def draw(boxes):
    pen = TTGlyphPen(None)
    for left, bottom, right, top in boxes:
        pen.moveTo((left, bottom))
        for corner in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()
