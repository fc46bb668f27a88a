"""Several models that vote on every line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ocrlstm.datasets import map_in_order
from ocrlstm.decoding import mean_confidence, temper
from ocrlstm.decoding.voting import Choice, Voter, vote
from ocrlstm.document import Character, Line
from ocrlstm.image import ImageSource
from ocrlstm.kernels.threads import thread_count
from ocrlstm.recognition.recognizer import Posteriors, Recognizer, chunks
from ocrlstm.text import Codec, describe_rules, normalize_text

__all__ = ["Ensemble"]

_MUST_AGREE = ("unit", "normal_form", "direction")


class Ensemble:
    """Reads line images with several models at once; see `ocrlstm.decoding.voting`.

    It takes as long as all its models together. Most is won by models whose errors differ: of
    other training lines (`ocrlstm crossfold`), seeds or networks.

    Parameters
    ----------
    recognizers : sequence of Recognizer
        Their heights, networks and characters may differ.

    Raises
    ------
    ValueError
        If there are none, or they differ in unit, normal form, direction or text rules.
    """

    def __init__(self, recognizers: Sequence[Recognizer]) -> None:
        if not recognizers:
            raise ValueError("an ensemble needs a recognizer at least")
        self.recognizers = tuple(recognizers)
        codecs = [recognizer.codec for recognizer in self.recognizers]
        for field in _MUST_AGREE:
            found = sorted({str(getattr(codec, field)) for codec in codecs})
            if len(found) > 1:
                name = field.replace("_", " ")
                raise ValueError(
                    f"models that vote must have one {name}, not {' and '.join(found)}"
                )
        self.rules = self.recognizers[0].rules
        if any(recognizer.rules != self.rules for recognizer in self.recognizers):
            found = [describe_rules(each.rules) or "none" for each in self.recognizers]
            raise ValueError(f"models that vote must have one set of text rules, not {found}")
        labels = sorted({label for codec in codecs for label in codec.labels})
        first = codecs[0]
        self.codec = Codec(tuple(labels), first.unit, first.normal_form, first.direction)
        self._index = {label: number for number, label in enumerate(labels)}

    def __repr__(self) -> str:
        """Name the recognizers."""
        return f"Ensemble({list(self.recognizers)!r})"

    def recognize(self, image: ImageSource) -> Line:
        """Read one line; see `Recognizer.recognize`."""
        line = self._read_chunk([image], 1)[0]
        if line.error is not None:
            raise line.error
        return line

    def recognize_lines(
        self, images: Iterable[ImageSource], *, threads: int | None = None
    ) -> Iterator[Line]:
        """Read many lines over all cores; see `Recognizer.recognize_lines`."""
        threads = thread_count() if threads is None else threads
        for chunk in chunks(images, threads):
            yield from self._read_chunk(chunk, threads)

    def _read_chunk(self, images: Sequence[ImageSource], threads: int) -> list[Line]:
        read = [
            recognizer.read_chunk(images, threads, lambda *reading: reading)
            for recognizer in self.recognizers
        ]
        return list(map_in_order(self._agree, zip(*read, strict=True), threads))

    def _agree(self, readings: Sequence[tuple[Line, Posteriors]]) -> Line:
        lines = [line for line, _ in readings]
        failed = next((line for line in lines if line.error is not None), None)
        if failed is not None:
            return failed
        voters = [
            Voter(
                temper(posteriors, recognizer.model.temperature),
                recognizer.codec,
                [c.text for c in line.characters],
            )
            for recognizer, (line, posteriors) in zip(self.recognizers, readings, strict=True)
        ]
        characters = _place([_character(choice, lines) for choice in vote(voters)])
        text = self.codec.decode([self._index[character.text] for character in characters])
        return Line(
            normalize_text(text, self.codec.normal_form),
            mean_confidence([character.confidence for character in characters]),
            tuple(characters),
            lines[0].source,
        )


def _character(choice: Choice, lines: Sequence[Line]) -> Character:
    """Put a character where its first reader saw it, as sure as all voters are on average."""
    readings = [lines[voter].characters[place] for voter, place in choice.places]
    confidence = sum(reading.confidence for reading in readings) / len(lines)
    return replace(readings[0], text=choice.text, confidence=confidence)


def _place(characters: Sequence[Character]) -> list[Character]:
    """Let no character begin before the one to its left ends: their readers may differ."""
    placed: list[Character] = []
    end = 0.0
    for one in characters:
        x0 = max(one.x0, end)
        end = max(one.x1, x0)
        placed.append(replace(one, x0=x0, x1=end))
    return placed
