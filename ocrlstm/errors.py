"""Every exception a user can see.

The message of each is one line: the file it is about, what was found, what was expected, and what
to do. The command line prints it as it stands and exits with code 2.
"""

__all__ = [
    "CodecError",
    "DatasetError",
    "EncodingError",
    "ImageError",
    "LanguageModelError",
    "ModelFileError",
    "OcrError",
    "OutputError",
    "OversizedImageError",
    "SeveralLinesError",
    "SpecError",
    "TrainingError",
]


class OcrError(Exception):
    """Base of all errors that bad input or a bad file can cause."""


class ImageError(OcrError):
    """An image cannot be read, or is too large or too small to be a line."""


class OversizedImageError(ImageError):
    """An image has more pixels than are allowed."""


class CodecError(OcrError):
    """A text holds characters that the model's codec lacks."""


class DatasetError(OcrError):
    """Image/text pairs are missing, unreadable or do not fit each other."""


class EncodingError(DatasetError):
    """A text is not UTF-8."""


class SeveralLinesError(DatasetError):
    """A text that belongs to one line holds several."""


class SpecError(OcrError):
    """A network spec is malformed or describes a network that cannot be built."""


class ModelFileError(OcrError):
    """A model file or checkpoint is damaged, of another kind, or from a newer version."""


class LanguageModelError(OcrError):
    """A language model or word list is damaged, of another kind, or does not fit the line model."""


class TrainingError(OcrError):
    """Training cannot start or cannot go on."""


class OutputError(OcrError):
    """A result cannot be written where the user wants it."""
