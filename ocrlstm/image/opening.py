"""Let Pillow read a file without trusting it.

`PIL.Image.open` checks the size against a limit that is one global of the process, and warns below
it. Here each caller has a limit of its own, so the format plugins are asked directly, and the size
in the header is looked at before any pixel is decoded.
"""

import io
import os
import stat
import struct
import zlib
from typing import IO

from PIL import Image

from ocrlstm.errors import ImageError, OversizedImageError

__all__ = ["DAMAGE", "check_pixel_count", "decode", "open_bytes", "open_path"]

# EPS is a program: Pillow would hand it to Ghostscript. The stubs only name their format.
_REFUSED_FORMATS = frozenset({"EPS", "WMF", "BUFR", "GRIB", "HDF5"})

# What Pillow's plugins let escape from damaged data, besides its own SyntaxError.
DAMAGE = (
    OSError,
    SyntaxError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    AttributeError,
    EOFError,
    struct.error,
    zlib.error,
    RuntimeError,
    AssertionError,
)


def open_path(path: str, name: str, max_pixels: int) -> Image.Image:
    """Read and decode an image file.

    Parameters
    ----------
    path : str
    name : str
        What the file is called in messages.
    max_pixels : int

    Returns
    -------
    PIL.Image.Image
        Decoded, with its file closed.

    Raises
    ------
    ImageError
        When the file is missing, no regular file, empty, no image, damaged, or too large.
    """
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            raise ImageError(f"{name}: is a directory; give an image file")
        if not stat.S_ISREG(status.st_mode):
            raise ImageError(f"{name}: is not a regular file; give an image file")
        with open(path, "rb") as stream:
            return _open_stream(stream, name, max_pixels, status.st_size)
    except FileNotFoundError:
        raise ImageError(f"{name}: no such file; check the path") from None
    except NotADirectoryError:
        raise ImageError(f"{name}: no such file (a part of the path is a file)") from None
    except PermissionError:
        raise ImageError(f"{name}: no permission to read it; change its permissions") from None
    except (OSError, ValueError) as error:  # an overlong name, a null byte in it, a disk at fault
        reason = getattr(error, "strerror", None) or error
        raise ImageError(f"{name}: cannot be opened ({_one_line(reason)})") from error


def open_bytes(data: bytes, name: str, max_pixels: int) -> Image.Image:
    """Decode a whole image file held in memory; as `open_path` in all else."""
    return _open_stream(io.BytesIO(data), name, max_pixels, len(data))


def check_pixel_count(width: int, height: int, name: str, max_pixels: int) -> None:
    """Refuse an image of no pixels, or of more than `max_pixels`."""
    if width < 1 or height < 1:
        raise ImageError(f"{name}: has no pixels ({width} x {height})")
    if width * height > max_pixels:
        raise OversizedImageError(
            f"{name}: {width} x {height} pixels are more than the limit of {max_pixels}; "
            "make the image smaller, or raise the limit with --max-pixels if you trust it"
        )


def decode(image: Image.Image, name: str) -> None:
    """Decode the pixels of an opened image, in place."""
    try:
        image.load()
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise OversizedImageError(f"{name}: is too large to decode ({_one_line(error)})") from error
    except DAMAGE as error:
        raise _damaged(name, image.format, error) from error


def _open_stream(stream: IO[bytes], name: str, max_pixels: int, size: int) -> Image.Image:
    """Find the plugin that knows the first bytes, read the header, check it, decode."""
    if size == 0:
        raise ImageError(f"{name}: is empty (0 bytes); copy or scan it again")
    prefix = stream.read(16)
    image, half_read = None, None
    for load_plugins in (Image.preinit, Image.init):
        load_plugins()
        image, half_read = _read_header(stream, prefix)
        if image is not None:
            break
    if image is None:
        if half_read is not None:
            raise _damaged(name, *half_read) from half_read[1]
        raise ImageError(f"{name}: {_unknown(prefix)}")
    try:
        check_pixel_count(*image.size, name, max_pixels)
        decode(image, name)
    except ImageError:
        image.close()
        raise
    return image


def _read_header(
    stream: IO[bytes], prefix: bytes
) -> tuple[Image.Image | None, tuple[str, BaseException] | None]:
    """Try the plugins in turn: the opened image, or the format and fault of one that knew it."""
    half_read: tuple[str, BaseException] | None = None
    for kind in list(Image.ID):
        factory, accept = Image.OPEN[kind]
        if kind in _REFUSED_FORMATS or (accept is not None and accept(prefix) is not True):
            continue
        stream.seek(0)
        try:
            return factory(stream, ""), None
        except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
            half_read = kind, error
        except DAMAGE as error:
            # Plugins without `accept` try everything; only those that knew the bytes are believed.
            if accept is not None and half_read is None:
                half_read = kind, error
    return None, half_read


def _damaged(name: str, kind: str | None, error: BaseException) -> ImageError:
    """Word the error for a file that is an image, but not a whole one."""
    reason = _one_line(error)
    what = f"{kind} image" if kind else "image"
    if isinstance(error, EOFError) or "truncated" in reason.lower():
        return ImageError(f"{name}: the {what} is truncated ({reason}); copy or scan it again")
    return ImageError(
        f"{name}: the {what} is truncated or damaged ({reason}); copy or scan it again"
    )


def _unknown(prefix: bytes) -> str:
    """Say what a file is that no plugin knows, and what to do."""
    if prefix.startswith(b"%PDF"):
        return "is a PDF document, not an image; render its pages to PNG first"
    if prefix.startswith((b"%!PS", b"\xc5\xd0\xd3\xc6")):
        return "is PostScript, not an image; render it to PNG first"
    if prefix.lstrip()[:1] == b"<":
        return "is not an image that can be read (SVG, XML or HTML?); convert it to PNG"
    return "is not an image that can be read; convert it to PNG, TIFF or JPEG"


def _one_line(reason: object) -> str:
    """Keep a foreign message to one line, and never empty."""
    return " ".join(str(reason).split()) or type(reason).__name__
