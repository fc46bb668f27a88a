"""Sources, files at fault, and limits; pixel modes have a file of their own."""

import io
import os
import warnings

import numpy as np
import pytest
from PIL import Image

from ocrlstm.errors import ImageError
from ocrlstm.image import read_image, source_name

GREYS = np.arange(0, 240, 10, dtype=np.uint8).reshape(4, 6)
INK = (255 - GREYS.astype(np.float32)) / 255


def encoded(image, format="PNG", **options):
    stream = io.BytesIO()
    image.save(stream, format, **options)
    return stream.getvalue()


def message_of(source, **options):
    with pytest.raises(ImageError) as caught:
        read_image(source, **options)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_every_kind_of_source_gives_the_same(tmp_path):
    image = Image.fromarray(GREYS)
    path = tmp_path / "grey.png"
    image.save(path)
    for source in (path, str(path), path.read_bytes(), image, Image.open(path), GREYS):
        ink = read_image(source)
        assert ink.dtype == np.float32
        assert ink.flags.c_contiguous
        np.testing.assert_allclose(ink, INK, atol=1e-7)


def test_black_is_exactly_one_and_white_exactly_zero():
    ink = read_image(np.array([[0, 255]], np.uint8))
    assert ink.tolist() == [[1.0, 0.0]]


def test_names_of_sources(tmp_path):
    path = tmp_path / "a.png"
    Image.fromarray(GREYS).save(path)
    assert source_name(path) == str(path)
    assert source_name(str(path)) == str(path)
    assert source_name(b"x") == "<bytes>"
    assert source_name(GREYS) == "<array>"
    assert source_name(Image.fromarray(GREYS)) == "<image>"
    assert source_name(Image.open(path)) == str(path)
    assert source_name("a\nb\udcff.png") == "a\\nb\\udcff.png"
    with pytest.raises(TypeError, match="not int"):
        source_name(3)


def test_a_missing_file_is_named(tmp_path):
    path = tmp_path / "gone.png"
    assert message_of(path) == f"{path}: no such file; check the path"
    assert "no such file" in message_of(tmp_path / "gone" / "deeper.png")


def test_a_path_through_a_file_or_with_a_null_byte(tmp_path):
    (tmp_path / "file").write_bytes(b"x")
    assert "no such file" in message_of(tmp_path / "file" / "a.png")
    assert "cannot be opened" in message_of("a\0b.png")
    assert "cannot be opened" in message_of("a" * 5000)


def test_a_directory(tmp_path):
    assert message_of(tmp_path) == f"{tmp_path}: is a directory; give an image file"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in message_of(tmp_path / "pipe")


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="this user may read everything"
)
def test_no_permission(tmp_path):
    path = tmp_path / "secret.png"
    path.write_bytes(encoded(Image.fromarray(GREYS)))
    path.chmod(0)
    assert "no permission" in message_of(path)


def test_permission_error_is_worded(monkeypatch, tmp_path):
    path = tmp_path / "secret.png"
    path.write_bytes(b"x")

    def refuse(*arguments, **options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert message_of(path).startswith(f"{path}: no permission")


def test_an_empty_file(tmp_path):
    path = tmp_path / "empty.png"
    path.write_bytes(b"")
    assert "empty (0 bytes)" in message_of(path)
    assert message_of(b"").startswith("<bytes>: is empty")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"just some text, nothing more", "not an image"),
        (b"\x00" * 100, "not an image"),
        (b"%PDF-1.7 ....", "PDF"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "PostScript"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "not an image"),
    ],
)
def test_what_is_no_image(data, words):
    assert words in message_of(data)


@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF", "BMP", "GIF", "PPM", "WEBP"])
def test_truncated_files_are_refused(format):
    grain = np.random.default_rng(0).integers(0, 256, (40, 60), dtype=np.uint8)
    data = encoded(Image.fromarray(grain), format)
    assert read_image(data).shape == (40, 60)
    for share in (0.3, 0.6, 0.9):
        assert "truncated" in message_of(data[: int(len(data) * share)])


def test_a_header_cut_short_is_called_truncated():
    assert "truncated" in message_of(encoded(Image.fromarray(GREYS))[:20])


@pytest.mark.parametrize("format", ["PNG", "JPEG", "TIFF", "BMP", "GIF", "PPM", "WEBP", "ICO"])
def test_damaged_bytes_give_an_image_or_an_image_error(format):
    rng = np.random.default_rng(5)
    grain = rng.integers(0, 256, (20, 30), dtype=np.uint8)
    data = np.frombuffer(encoded(Image.fromarray(grain), format), np.uint8)
    for _ in range(60):
        damaged = data.copy()
        places = rng.integers(0, len(damaged), 4)
        damaged[places] = rng.integers(0, 256, 4)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                assert read_image(damaged.tobytes(), max_pixels=10_000).ndim == 2
        except ImageError as error:
            assert str(error).startswith("<bytes>: ")


def test_too_many_pixels_are_refused_before_decoding(tmp_path):
    # A header that announces 60,000 x 60,000 pixels, and no pixel after it.
    data = b"P5 60000 60000 255\n"
    message = message_of(data)
    assert "60000 x 60000" in message
    assert "--max-pixels" in message
    assert "truncated" in message_of(data, max_pixels=10**10)  # now it goes on to the pixels


def test_the_limit_is_the_callers_and_pillow_neither_warns_nor_changes(monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10)
    data = encoded(Image.fromarray(GREYS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert read_image(data).shape == (4, 6)
        assert read_image(data, max_pixels=24).shape == (4, 6)
    assert "--max-pixels" in message_of(data, max_pixels=23)
    assert "--max-pixels" in message_of(GREYS, max_pixels=23)
    assert "--max-pixels" in message_of(Image.fromarray(GREYS), max_pixels=23)
    assert Image.MAX_IMAGE_PIXELS == 10


def test_of_an_animation_the_first_frame_is_read():
    frames = [Image.new("L", (3, 2), level) for level in (255, 0, 128)]
    for format in ("GIF", "TIFF", "PNG"):
        data = encoded(frames[0], format, save_all=True, append_images=frames[1:])
        np.testing.assert_array_equal(read_image(data), np.zeros((2, 3)))


@pytest.mark.parametrize("format", ["JPEG", "PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_undone(tmp_path, format, orientation):
    # Only the upper left quarter of the upright picture is black.
    upright = np.full((16, 32), 255, np.uint8)
    upright[:8, :16] = 0
    stored = {
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.T,
        6: upright.T[::-1],
        7: upright.T[::-1, ::-1],
        8: upright.T[:, ::-1],
    }[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    path = tmp_path / f"turned.{format.lower()}"
    Image.fromarray(np.ascontiguousarray(stored)).save(path, format, exif=exif)
    ink = read_image(path)
    assert ink.flags.c_contiguous
    np.testing.assert_allclose(ink, (255 - upright) / 255.0, atol=0.1)


def test_the_callers_image_is_left_as_it_is():
    image = Image.new("RGBA", (2, 2), (0, 0, 0, 128))
    read_image(image)
    assert image.mode == "RGBA"
    assert image.getpixel((0, 0)) == (0, 0, 0, 128)


def test_a_closed_pillow_image_is_an_image_error(tmp_path):
    path = tmp_path / "cut.png"
    grain = np.random.default_rng(0).integers(0, 256, (40, 60), dtype=np.uint8)
    path.write_bytes(encoded(Image.fromarray(grain))[:1500])
    message = message_of(Image.open(path))
    assert message.startswith(str(path))
    assert "truncated" in message
