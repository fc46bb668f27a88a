"""The front door for lines: images in, `Line` records out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from ocrlstm.datasets import PackedLine, map_in_order
from ocrlstm.decoding import (
    DECODERS,
    BeamDecoder,
    BeamSearch,
    allowed_labels,
    lacking_characters,
    restrict,
)
from ocrlstm.document import Line
from ocrlstm.errors import ImageError, OcrError
from ocrlstm.image import MAX_PIXELS, ImageSource, read_image, source_name
from ocrlstm.kernels.threads import thread_count
from ocrlstm.lines import NormalizedLine, normalize_line, stack_lines
from ocrlstm.network import LineModel
from ocrlstm.recognition.batches import group_by_width
from ocrlstm.recognition.reading import Decoder, read_line
from ocrlstm.text import Codec, TextRules, spell_all

__all__ = ["BATCH_SIZE", "Posteriors", "Recognizer", "chunks"]

Posteriors = npt.NDArray[np.floating]
Kept = TypeVar("Kept")

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
    decoder : str, BeamSearch or callable
        A name in `ocrlstm.decoding.DECODERS`: "greedy", "threshold" as OCRopus did it, or "beam";
        a `BeamSearch` with a language model or a word list; or what takes log posteriors (T, C) and
        gives a list of `ocrlstm.decoding.Symbol`.
    n_best : int
        Likeliest texts that each line tells as its `readings`; only a beam search finds more than
        one.
    alternatives : int
        Most `alternatives` that each character tells.
    whitelist, blacklist : str, optional
        Characters that alone may come out, and those that may not; see
        `ocrlstm.text.CharacterSet.parse`.
    max_pixels : int
        Larger images are refused.
    batch_size : int
        Most lines that the network reads at once in `recognize_lines`.

    Attributes
    ----------
    decode : callable
        The decoder: log posteriors (T, C) -> list of `ocrlstm.decoding.Symbol`.
    notes : tuple of str
        One line for each thing in language model, word list or whitelist that the model cannot
        make use of.

    Raises
    ------
    ValueError
        If a setting is wrong, among them a whitelist that leaves no character.
    LanguageModelError
        If the language model was made for other texts.
    """

    def __init__(
        self,
        model: LineModel,
        *,
        decoder: str | BeamSearch | Decoder = "greedy",
        n_best: int = 0,
        alternatives: int = 0,
        whitelist: str | None = None,
        blacklist: str | None = None,
        max_pixels: int = MAX_PIXELS,
        batch_size: int = BATCH_SIZE,
    ) -> None:
        if isinstance(decoder, str) and decoder not in DECODERS:
            raise ValueError(f"decoder {decoder!r} is not one of {', '.join(DECODERS)}")
        if n_best < 0 or alternatives < 0:
            raise ValueError("n_best and alternatives must be at least 0")
        if batch_size < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size}")
        self.model = model
        self.decoder = decoder
        self.n_best = n_best
        self.alternatives = alternatives
        self.decode = _make_decoder(decoder, model)
        if n_best and not isinstance(self.decode, BeamDecoder):
            raise ValueError(f"n_best needs a beam search, not the decoder {decoder!r}")
        self._allowed = None
        self.notes = self.decode.notes if isinstance(self.decode, BeamDecoder) else ()
        if whitelist is not None or blacklist is not None:
            self._allowed = allowed_labels(model.codec, whitelist, blacklist)
        if whitelist is not None and (lacking := lacking_characters(model.codec, whitelist)):
            note = f"on the whitelist but unknown to the model: {spell_all(lacking)}"
            self.notes = (*self.notes, note)
        self.max_pixels = max_pixels
        self.batch_size = batch_size

    @property
    def codec(self) -> Codec:
        """The characters it can read."""
        return self.model.codec

    @property
    def rules(self) -> TextRules:
        """What was done to the texts that the model learnt from."""
        return self.model.rules

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
        return self._read_batch([self._prepare(image)], _only_line)[0]

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
        for chunk in chunks(images, threads):
            yield from self.read_chunk(chunk, threads, _only_line)

    def read_chunk(
        self,
        images: Sequence[ImageSource],
        threads: int,
        keep: Callable[[Line, Posteriors], Kept],
    ) -> list[Kept]:
        """Read some images at once, and keep of each what is wanted.

        Parameters
        ----------
        images : sequence
            As for `recognize_lines`; all are held in memory together.
        threads : int
        keep : callable
            Gets each line and the logarithms of its posteriors, shape (T, C); of an image that
            could not be read, without frames. Posteriors that it does not return are forgotten.

        Returns
        -------
        list
            What `keep` returned, in the order of `images`.
        """
        results: list[Kept | None] = []
        prepared: list[_Prepared] = []
        places: list[int] = []
        for result in map_in_order(self._prepare_or_fail, images, threads):
            if isinstance(result, Line):
                results.append(keep(result, np.zeros((0, len(self.model.codec)), np.float32)))
            else:
                places.append(len(results))
                prepared.append(result)
                results.append(None)
        batches = group_by_width([one.line.pixels.shape[1] for one in prepared], self.batch_size)
        jobs = [[prepared[index] for index in batch] for batch in batches]
        read = map_in_order(lambda job: self._read_batch(job, keep), jobs, threads)
        for batch, kept in zip(batches, read, strict=True):
            for index, one in zip(batch, kept, strict=True):
                results[places[index]] = one
        return cast(list[Kept], results)

    def _prepare(self, image: ImageSource) -> _Prepared:
        source = source_name(image)
        if isinstance(image, PackedLine):
            return _Prepared(source, image.read_line(self.model.normalizer))
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

    def _read_batch(
        self, batch: Sequence[_Prepared], keep: Callable[[Line, Posteriors], Kept]
    ) -> list[Kept]:
        model = self.model
        x, widths = stack_lines([one.line.pixels for one in batch], model.minimum_width)
        log_posteriors, frames = model.network.forward(x, widths)
        results = []
        for n, one in enumerate(batch):
            posteriors = log_posteriors[: frames[n], n]
            if self._allowed is not None:
                posteriors = restrict(posteriors, self._allowed)
            width = int(widths[n])
            line = read_line(
                posteriors,
                one.line,
                width,
                model.codec,
                self.decode,
                one.source,
                model.temperature,
                self.n_best,
                self.alternatives,
            )
            results.append(keep(line, posteriors))
        return results


def _make_decoder(decoder: str | BeamSearch | Decoder, model: LineModel) -> Decoder:
    if isinstance(decoder, str):
        return DECODERS[decoder]
    return decoder.bind(model.codec) if isinstance(decoder, BeamSearch) else decoder


def _only_line(line: Line, posteriors: Posteriors) -> Line:
    return line


def chunks(images: Iterable[ImageSource], threads: int) -> Iterator[list[ImageSource]]:
    """Draw images a chunk at a time: a small one first, so that the first results come soon.

    Raises
    ------
    ValueError
        If `threads` is below 1.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    stream = iter(images)
    size = FIRST_CHUNK
    while chunk := list(islice(stream, size)):
        yield chunk
        size = min(2 * size, LARGEST_CHUNK)
