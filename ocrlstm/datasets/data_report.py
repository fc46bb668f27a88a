"""What a check of a data set tells: findings by kind, and a survey of the texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ocrlstm.text import TextSurvey

__all__ = ["DATA_KINDS", "DataFinding", "DataKind", "DataReport"]


@dataclass(frozen=True)
class DataKind:
    """A kind of findings.

    Attributes
    ----------
    title, titles : str
        Of one, and of several.
    error : bool
        Whether training leaves such a pair out or learns something wrong from it; the others are
        notes.
    """

    title: str
    titles: str
    error: bool


#: Kinds of findings, in the order in which they are told.
DATA_KINDS: dict[str, DataKind] = {
    "source": DataKind(
        "file or line of a file that gives no pair",
        "files or lines of files that give no pair",
        True,
    ),
    "unreadable_image": DataKind(
        "image that cannot be read as a line", "images that cannot be read as lines", True
    ),
    "oversized_image": DataKind("oversized image", "oversized images", True),
    "page": DataKind("image of the size of a page", "images of the size of a page", True),
    "blank": DataKind("blank image", "blank images", True),
    "unreadable_text": DataKind("text that cannot be read", "texts that cannot be read", True),
    "not_utf8": DataKind("text that is not UTF-8", "texts that are not UTF-8", True),
    "several_lines": DataKind("text of several lines", "texts of several lines", True),
    "empty_text": DataKind("empty text", "empty texts", True),
    "missing_characters": DataKind(
        "text with characters that the model lacks",
        "texts with characters that the model lacks",
        True,
    ),
    "too_long": DataKind(
        "text too long for the frames of its line",
        "texts too long for the frames of their lines",
        True,
    ),
    "contradiction": DataKind(
        "picture that has another text elsewhere", "pictures that have another text elsewhere", True
    ),
    "mispair": DataKind(
        "suspected mispair: the model reads something else",
        "suspected mispairs: the model reads something else",
        True,
    ),
    "without_text": DataKind("image without a text", "images without a text", False),
    "without_image": DataKind("text without an image", "texts without an image", False),
    "duplicate": DataKind(
        "line that is there before, with the same text",
        "lines that are there before, with the same text",
        False,
    ),
    "odd_height": DataKind(
        "image of a height far from the others", "images of a height far from the others", False
    ),
    "inverted": DataKind("image white on black", "images white on black", False),
}


@dataclass(frozen=True)
class DataFinding:
    """One finding.

    Attributes
    ----------
    name : str
        The file at fault; of a page or pack the name of the line.
    detail : str
        What was found, on one line.
    other : str
        The other line of a duplicate, else "".
    """

    name: str
    detail: str
    other: str = ""

    def __str__(self) -> str:
        """Return name and detail as one line."""
        return f"{self.name}: {self.detail}"


@dataclass(frozen=True)
class DataReport:
    """What `check_data` found.

    Attributes
    ----------
    pairs : int
        Pairs that were looked at.
    usable : int
        Those without an error.
    complete : bool
        False where the check was stopped before all were looked at.
    findings : dict of str to tuple of DataFinding
        By the keys of `DATA_KINDS`, in their order; kinds without findings are left out.
    texts : TextSurvey
        The characters and what in them is likely to be a slip; all of it notes.
    cer : float or None
        Of the model over all lines it has read, as a fraction; None without a model.
    lines_read : int
        Lines that the model has read.
    """

    pairs: int
    usable: int
    complete: bool
    findings: Mapping[str, tuple[DataFinding, ...]]
    texts: TextSurvey
    cer: float | None = None
    lines_read: int = 0

    @property
    def errors(self) -> int:
        """Number of findings that are errors."""
        return sum(len(found) for kind, found in self.findings.items() if DATA_KINDS[kind].error)

    @property
    def unsuited_model(self) -> bool:
        """Whether the model misreads so many lines that these cannot be mispairs."""
        return 2 * len(self.findings.get("mispair", ())) > self.lines_read >= 10

    def to_dict(self) -> dict[str, Any]:
        """Return all as JSON-able values."""
        return {
            "pairs": self.pairs,
            "usable": self.usable,
            "complete": self.complete,
            "errors": self.errors,
            "cer": self.cer,
            "lines_read": self.lines_read,
            "unsuited_model": self.unsuited_model,
            "findings": {
                kind: {
                    "error": DATA_KINDS[kind].error,
                    "count": len(found),
                    "items": [asdict(finding) for finding in found],
                }
                for kind, found in self.findings.items()
            },
            "texts": self.texts.to_dict(),
        }
