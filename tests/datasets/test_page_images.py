"""Page images: decoded once, let go in time, safe to share between threads."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from ocrlstm.datasets import page_images
from ocrlstm.datasets.page_images import PageImages
from ocrlstm.errors import ImageError

ANY = 1_000_000


@pytest.fixture
def decoded(monkeypatch):
    """Names of the images that were decoded, in order."""
    names = []

    def read_page(path, max_pixels):
        names.append(path.name)
        return original(path, max_pixels=max_pixels)

    original = page_images.read_page
    monkeypatch.setattr(page_images, "read_page", read_page)
    return names


@pytest.fixture
def pages(tmp_path):
    """Four pages of 100 x 50 pixels, each of its own tone."""
    paths = [tmp_path / f"{n}.png" for n in range(4)]
    for n, path in enumerate(paths):
        Image.new("L", (100, 50), n).save(path)
    return paths


def test_a_page_is_decoded_once_for_all_its_lines(pages, decoded):
    images = PageImages()
    images.expect(pages[1], 3)
    for _ in range(3):
        np.testing.assert_array_equal(images.read(pages[1], ANY), np.full((50, 100), 254))
    assert decoded == ["1.png"]


def test_it_is_let_go_after_its_last_line(pages, decoded):
    images = PageImages()
    images.expect(pages[0], 2)
    images.read(pages[0], ANY)
    assert images.bytes_kept == 5000
    images.read(pages[0], ANY)
    assert images.bytes_kept == 0
    images.read(pages[0], ANY)  # another pass over the lines
    assert decoded == ["0.png", "0.png"]
    assert images.bytes_kept == 5000


def test_lines_of_two_files_of_one_page_count_together(pages, decoded):
    images = PageImages()
    images.expect(pages[0], 1)
    images.expect(pages[0], 1)
    images.read(pages[0], ANY)
    images.read(pages[0], ANY)
    assert decoded == ["0.png"]


def test_memory_is_bounded(pages, decoded):
    images = PageImages(max_bytes=12_000)
    for path in pages:
        images.expect(path, 100)
    for path in (*pages, pages[3], pages[2], pages[0]):
        images.read(path, ANY)
        assert images.bytes_kept <= 12_000
    # Those not asked for longest went first.
    assert decoded == ["0.png", "1.png", "2.png", "3.png", "0.png"]


def test_a_page_beyond_the_bound_is_kept_while_it_is_the_last(pages, decoded):
    images = PageImages(max_bytes=10)
    for path in pages:
        images.expect(path, 100)
    for path in (pages[0], pages[0], pages[1], pages[1], pages[0]):
        images.read(path, ANY)
        assert images.bytes_kept == 5000
    assert decoded == ["0.png", "1.png", "0.png"]


def test_threads_wait_for_one_another(pages, decoded):
    images = PageImages()
    for path in pages:
        images.expect(path, 50)
    with ThreadPoolExecutor(8) as pool:
        jobs = [path for path in pages for _ in range(50)]
        results = list(pool.map(lambda path: int(images.read(path, ANY)[0, 0]), jobs))
    assert results == [255 - n for n in range(4) for _ in range(50)]
    assert sorted(decoded) == ["0.png", "1.png", "2.png", "3.png"]
    assert images.bytes_kept == 0


def test_a_damaged_page_is_tried_once_and_told_for_each_line(pages, decoded):
    pages[2].write_bytes(pages[2].read_bytes()[:50])
    images = PageImages()
    images.expect(pages[2], 3)
    for _ in range(3):
        with pytest.raises(ImageError, match=r"2\.png: the PNG image is truncated"):
            images.read(pages[2], ANY)
    assert decoded == ["2.png"]


def test_another_limit_is_another_page(pages):
    images = PageImages()
    images.expect(pages[0], 9)
    images.read(pages[0], ANY)
    with pytest.raises(ImageError, match="limit of 100"):
        images.read(pages[0], 100)
