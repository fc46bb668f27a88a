"""Line images for programs: some hundreds, repeated from few."""

import os
import shutil
from pathlib import Path

from ocrlstm.datasets import find_images, image_stem, read_text


def repeat_images(source: Path, folder: Path, count: int) -> list[Path]:
    """Put `count` images into a folder, those of `source` again and again.

    Each has a name of its own; the repeats are hard links, so that ten thousand take no space.
    """
    originals = find_images([source])
    images = []
    for i in range(count):
        turn, which = divmod(i, len(originals))
        image = folder / f"{turn:05d}-{which:05d}{originals[which].suffix}"
        if turn == 0:
            shutil.copyfile(originals[which], image)
        else:
            os.link(images[which], image)
        images.append(image)
    return images


def true_texts(source: Path, count: int) -> list[str] | None:
    """Return the texts of the images of `repeat_images`, or None if one has none beside it."""
    files = [image.with_name(f"{image_stem(image)}.gt.txt") for image in find_images([source])]
    if not all(file.is_file() for file in files):
        return None
    texts = [read_text(file) for file in files]
    return [texts[i % len(texts)] for i in range(count)]
