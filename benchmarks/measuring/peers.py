"""Programs that read line images, each as it is quickest on all cores."""

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from measuring.machine import version_of
from measuring.options import Options
from measuring.processes import Finished, module, ocrlstm, run, run_side_by_side

# The peers get one process a core, and so these must not start threads of their own.
ONE_THREAD = {"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1"}


class Program:
    """A program that reads a list of images with one command a core.

    Attributes
    ----------
    name : str
    count : int
        How many lines it is given: such that it is busy for some seconds.
    """

    name = ""
    count = 200

    def read(self, images: Sequence[Path], folder: Path, cores: int) -> Finished:
        """Read images, `folder` being an empty place for files."""
        parts = [images[i::cores] for i in range(min(cores, len(images)))]
        commands = [self.command(part, folder / f"part-{i}") for i, part in enumerate(parts)]
        return run_side_by_side(commands, ONE_THREAD)

    def command(self, images: Sequence[Path], stem: Path) -> list[str]:
        """Return the command that reads images; files that it needs begin with `stem`."""
        raise NotImplementedError

    def texts(self, finished: Finished, count: int) -> list[str]:
        """Return the texts of `count` images in their order; nothing if some are not told."""
        parts = [self.split_output(output) for output in finished.outputs]
        places = [(i % len(parts), i // len(parts)) for i in range(count)]
        if any(line >= len(parts[part]) for part, line in places):
            return []
        return [parts[part][line] for part, line in places]

    def split_output(self, output: str) -> list[str]:
        return output.splitlines()

    def processes(self, cores: int) -> int:
        """Return how many processes `read` starts for many lines."""
        return cores

    def version(self) -> str:
        return ""

    @property
    def title(self) -> str:
        return f"{self.name} {self.version()}"


class Ours(Program):
    """All lines in one command, which uses the cores itself."""

    name = "ocrlstm"

    def read(self, images: Sequence[Path], folder: Path, cores: int) -> Finished:
        paths = write_list(images, folder / "images.txt")
        return run(ocrlstm("recognize", "--threads", cores, f"@{paths}"))

    def texts(self, finished: Finished, count: int) -> list[str]:
        lines = finished.outputs[0].splitlines()
        return [line.partition("\t")[2] for line in lines] if count > 1 else lines

    def processes(self, cores: int) -> int:
        return 1

    def version(self) -> str:
        return version_of("ocrlstm") or ""


class Tesseract(Program):
    """``tesseract LIST - --psm 7``: a list of images for every core."""

    name = "tesseract"

    def command(self, images: Sequence[Path], stem: Path) -> list[str]:
        paths = write_list(images, stem.with_suffix(".txt"))
        return ["tesseract", str(paths), "-", "--psm", "7"]

    def split_output(self, output: str) -> list[str]:
        return [page.strip() for page in output.split("\f")]

    def version(self) -> str:
        return last_word(["tesseract", "--version"])


class RapidOcr(Program):
    """The recogniser of RapidOCR alone, as the images are lines already."""

    name = "RapidOCR"

    def command(self, images: Sequence[Path], stem: Path) -> list[str]:
        return module("rapidocr_lines", write_list(images, stem.with_suffix(".txt")))

    def version(self) -> str:
        return version_of("rapidocr") or ""


@dataclass
class Kraken(Program):
    """``kraken ocr -s``, with a model of the user's."""

    model: Path
    name = "kraken"
    count = 40

    def command(self, images: Sequence[Path], stem: Path) -> list[str]:
        files = [
            argument
            for image in images
            for argument in ("-i", str(image), f"{stem}-{image.stem}.txt")
        ]
        general = ["kraken", "--device", "cpu", "--threads", "1", "--raise-on-error"]
        return [*general, *files, "ocr", "-s", "--num-line-workers", "0", "-m", str(self.model)]

    def texts(self, finished: Finished, count: int) -> list[str]:
        return []  # in files of its own, of whatever model

    def version(self) -> str:
        return last_word(["kraken", "--version"])


def find_programs(options: Options) -> tuple[list[Program], list[str]]:
    """Return the programs that are there, ours first, and why others are not."""
    found: list[Program] = [Ours()]
    missing: list[str] = []
    if shutil.which("tesseract"):
        found.append(Tesseract())
    else:
        missing.append("tesseract is not installed (Debian: tesseract-ocr)")
    if find_spec("rapidocr") and find_spec("onnxruntime"):
        found.append(RapidOcr())
    else:
        missing.append("RapidOCR is not installed (extra 'peers')")
    if not shutil.which("kraken"):
        missing.append("kraken is not installed (no command of that name in PATH)")
    elif options.kraken_model is None:
        missing.append("kraken brings no model for lines: name one with --kraken-model")
    else:
        found.append(Kraken(options.kraken_model))
    return found, missing


def write_list(images: Sequence[Path], path: Path) -> Path:
    path.write_text("".join(f"{image}\n" for image in images), "utf-8")
    return path


def last_word(command: list[str]) -> str:
    """Return the last word of the first line that a command prints."""
    result = subprocess.run(command, capture_output=True, text=True)
    return ((result.stdout or result.stderr).splitlines() or [""])[0].rpartition(" ")[2]
