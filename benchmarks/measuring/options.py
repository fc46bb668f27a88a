"""What the command line asks for, and what sections leave to later ones."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measuring.subjects import Subject

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "training-data" / "sample"


@dataclass(frozen=True)
class Options:
    """Settings of a run, the same for all sections.

    `kept` holds what a section measured and a later one of the same run goes on with.
    """

    repeats: int
    threads: int
    subjects: tuple[Subject, ...]
    lines: Path
    training_lines: tuple[int, ...]
    spec: str
    width: int
    kraken_model: Path | None
    kept: dict[str, Any] = field(default_factory=dict)
