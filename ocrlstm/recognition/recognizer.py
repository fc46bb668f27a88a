"""The front door for lines: images in, `Line` records out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from ocrlstm.datasets import map_in_order
from ocrlstm.decoding import DECODERS
from ocrlstm.document import Line
from ocrlstm.errors import ImageError, OcrError
from ocrlstm.image import MAX_PIXELS, ImageSource, read_image, source_name
from ocrlstm.kernels.threads import thread_count
from ocrlstm.lines import NormalizedLine, normalize_line, stack_lines
from ocrlstm.network import LineModel
from ocrlstm.recognition.batches import group_by_width
from ocrlstm.recognition.reading import read_line

__all__ = ["Recognizer"]

BATCH_SIZE = 8

# Lines that are sorted by width together. The first results should come soon, so the first chunk
# is small; the largest still takes little memory (about 50 MB of normalised lines).
FIRST_CHUNK = 64
LARGEST_CHUNK = 256


@dataclass(frozen=True, eq=False)
class _Prepared:
    source: str
    line: NormalizedLine


class Recognizer:
    """Reads line images with one model; may be used from several threads at once.

    Parameters
    ----------
    model : LineModel
        From `ocrlstm.network.load_model_file`, or as training returns it.
    decoder : str
        A name in `ocrlstm.decoding.DECODERS`: "greedy", or "threshold" as OCRopus did it.
    max_pixels : int
        Larger images are refused.
    batch_size : int
        Most lines that the network reads at once in `recognize_lines`.
    """

    def __init__(
        self,
        model: LineModel,
        *,
        decoder: str = "greedy",
        max_pixels: int = MAX_PIXELS,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        if decoder not in DECODERS:
            raise ValueError(f"decoder {decoder!r} is not one of {', '.join(DECODERS)}")
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size}")
        self.model = model
        self.decoder = decoder
        self.max_pixels = max_pixels
        self.batch_size = batch_size

    def __repr__(self) -> str:
        """Name the network and the decoder."""
        return f"Recognizer({self.model.network!r}, decoder={self.decoder!r})"

    def recognize(self, image: ImageSource) -> Line:
        """Read one line.

        Parameters
        ----------
        image : path, bytes of an image file, PIL image or array
            See `ocrlstm.image.read_image`.

        Returns
        -------
        Line
            Empty for a blank image.

        Raises
        ------
        OcrError
            The image cannot be read.
        """
        return self._read_batch([self._prepare(image)])[0]

    def recognize_lines(
        self, images: Iterable[ImageSource], *, threads: int | None = None
    ) -> Iterator[Line]:
        """Read many lines over all cores.

        Parameters
        ----------
        images : iterable
            As for `recognize`; drawn some hundred at a time, so there may be any number.
        threads : int, optional
            Worker threads; by default the cores the process may use.

        Yields
        ------
        Line
            One for each image, in the same order. That of an image which cannot be read has an
            `error`, an empty text and confidence 0.
        """
        threads = thread_count() if threads is None else threads
        if threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        stream = iter(images)
        size = FIRST_CHUNK
        while chunk := list(islice(stream, size)):
            yield from self._read_chunk(chunk, threads)
            size = min(2 * size, LARGEST_CHUNK)

    def _read_chunk(self, images: Sequence[ImageSource], threads: int) -> list[Line]:
        results: list[Line | None] = []
        prepared: list[_Prepared] = []
        places: list[int] = []
        for result in map_in_order(self._prepare_or_fail, images, threads):
            if isinstance(result, Line):
                results.append(result)
            else:
                places.append(len(results))
                prepared.append(result)
                results.append(None)
        batches = group_by_width([one.line.pixels.shape[1] for one in prepared], self.batch_size)
        jobs = [[prepared[index] for index in batch] for batch in batches]
        read = map_in_order(self._read_batch, jobs, threads)
        for batch, lines in zip(batches, read, strict=True):
            for index, line in zip(batch, lines, strict=True):
                results[places[index]] = line
        return [line for line in results if line is not None]

    def _prepare(self, image: ImageSource) -> _Prepared:
        source = source_name(image)
        ink = read_image(image, max_pixels=self.max_pixels)
        try:
            return _Prepared(source, normalize_line(ink, self.model.normalizer))
        except ImageError as error:
            raise ImageError(f"{source}: {error}") from error

    def _prepare_or_fail(self, image: ImageSource) -> _Prepared | Line:
        try:
            return self._prepare(image)
        except OcrError as error:
            return Line("", 0.0, source=source_name(image), error=error)

    def _read_batch(self, batch: Sequence[_Prepared]) -> list[Line]:
        model = self.model
        x, widths = stack_lines([one.line.pixels for one in batch], model.minimum_width)
        log_posteriors, frames = model.network.forward(x, widths)
        decoder = DECODERS[self.decoder]
        return [
            read_line(
                log_posteriors[: frames[n], n],
                one.line,
                int(widths[n]),
                model.codec,
                decoder,
                one.source,
            )
            for n, one in enumerate(batch)
        ]
