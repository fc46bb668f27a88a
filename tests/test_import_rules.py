"""Who may import whom: the table of ARCHITECTURE.md, held against every import in ocrlstm/."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ocrlstm"

RANKS = {
    "errors": 0,
    "document": 0,
    "version": 0,
    "kernels": 1,
    "image": 1,
    "text": 1,
    "losses": 2,
    "optimizers": 2,
    "lines": 2,
    "evaluation": 2,
    "formats": 2,
    "layers": 3,
    "network": 4,
    "decoding": 4,
    "datasets": 5,
    "recognition": 6,
    "training": 6,
    "cli": 7,
    # The two front doors: `import ocrlstm` and `python -m ocrlstm`.
    "__init__": 8,
    "__main__": 8,
}

FREE_FOR_ALL = "errors"  # also for document, its only neighbour of rank 0

# Which rooms import which libraries. kernels has scipy for the BLAS that numba calls in it.
ROOMS_OF_LIBRARY = {
    "numba": {"kernels"},
    "llvmlite": {"kernels"},  # the compiler of numba, which brings it
    "threadpoolctl": {"kernels"},
    "PIL": {"image", "datasets"},
    "click": {"cli"},
    "rich": {"cli"},
    "safetensors": {"network", "training"},
    "tomli": {"training", "datasets"},  # tomllib, for Python 3.10
    "rapidfuzz": {"decoding", "evaluation"},
    "regex": {"text"},
    "numpy": set(RANKS),
    "scipy": set(RANKS),
}
OPTIONAL = {"fontTools", "brotli", "lxml", "bidi", "pypdfium2", "matplotlib", "onnx"}
LAZY = {"ocrlstm", "ocrlstm.cli"}


@dataclass(frozen=True)
class Import:
    module: str  # the importing one, as "ocrlstm.lines.center"
    target: str  # what it imports: a module, or a name in one
    line: int
    inside_function: bool

    @property
    def place(self) -> str:
        return f"{self.module} (line {self.line})"


def module_name(file: Path, package: Path) -> str:
    parts = file.relative_to(package.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(file: Path, package: Path) -> Iterator[Import]:
    """All imports of a file; `from x import y` counts as import of x.y."""
    module = module_name(file, package)
    home = module if file.name == "__init__.py" else module.rpartition(".")[0]

    def walk(node: ast.AST, inside: bool) -> Iterator[Import]:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(module, alias.name, node.lineno, inside)
        elif isinstance(node, ast.ImportFrom):
            origin = node.module or ""
            if node.level:
                base = home.split(".")[: len(home.split(".")) - node.level + 1]
                origin = ".".join([*base, origin] if origin else base)
            for alias in node.names:
                yield Import(module, f"{origin}.{alias.name}", node.lineno, inside)
        inside = inside or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from walk(child, inside)

    yield from walk(ast.parse(file.read_text("utf-8"), str(file)), False)


def room_of(name: str) -> str:
    """The room of a module or of a name in one; the front door for what the package offers."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 and parts[1] in RANKS else "__init__"


def broken_rules(package: Path) -> list[str]:
    """Tell what imports in the package break the rules, one sentence each."""
    files = sorted(package.rglob("*.py"))
    modules = {module_name(file, package) for file in files}
    imports = [found for file in files for found in imports_of(file, package)]
    return [
        *unknown_rooms(modules),
        *(fault for found in imports for fault in faults_of(found)),
        *cycles(imports, modules),
    ]


def unknown_rooms(modules: set[str]) -> Iterator[str]:
    for room in sorted({name.split(".")[1] for name in modules if "." in name} - set(RANKS)):
        yield f"{room} has no rank: add it to ARCHITECTURE.md and to the table here"


def faults_of(found: Import) -> Iterator[str]:
    library = found.target.split(".")[0]
    if found.inside_function and found.module not in LAZY and library not in OPTIONAL:
        yield f"{found.place} imports {found.target} inside a function"
    room = room_of(found.module)
    if library == "ocrlstm":
        other = room_of(found.target)
        if other not in {room, FREE_FOR_ALL} and RANKS[room] <= RANKS[other]:
            yield (
                f"{found.place} of rank {RANKS[room]} imports {found.target} of rank {RANKS[other]}"
            )
    elif library not in sys.stdlib_module_names | OPTIONAL:
        if room not in ROOMS_OF_LIBRARY.get(library, set()):
            yield f"{found.place} imports {library}, which is not for {room}"


def cycles(imports: list[Import], modules: set[str]) -> Iterator[str]:
    """Rings of modules that import each other as they load."""
    graph: dict[str, set[str]] = {module: set() for module in modules}
    for found in imports:
        target = found.target
        if target not in modules:
            target = target.rpartition(".")[0]
        # Names gathered by an __init__ count as imported from it, modules as themselves.
        if target in modules and target != found.module and not found.inside_function:
            graph[found.module].add(target)
    while graph:
        free = [module for module, targets in graph.items() if not targets & graph.keys()]
        if not free:
            yield "modules import each other in a ring: " + " -> ".join(ring(graph))
            return
        for module in free:
            del graph[module]


def ring(graph: dict[str, set[str]]) -> list[str]:
    path = [min(graph)]
    while len(set(path)) == len(path):
        path.append(min(graph[path[-1]] & graph.keys()))
    return path[path.index(path[-1]) :]


def test_every_import_keeps_the_rules():
    assert broken_rules(PACKAGE) == []


def test_the_table_is_the_one_in_architecture():
    text = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    rows = re.findall(r"^\| (\d) \| (.+) \|$", text, flags=re.MULTILINE)
    table = {room: int(rank) for rank, cell in rows for room in re.findall(r"`(\w+)`", cell)}
    assert table
    assert {room: RANKS.get(room) for room in table} == table
    assert set(RANKS) - set(table) <= {"version", "__init__", "__main__"}


@pytest.mark.parametrize(
    ("file", "source", "fault"),
    [
        (
            "text/codec.py",
            "from ocrlstm.layers import Lstm",
            "of rank 1 imports ocrlstm.layers.Lstm",
        ),
        ("text/codec.py", "from ..image import read_image", "of rank 1 imports ocrlstm.image.read"),
        (
            "training/train.py",
            "import ocrlstm.recognition.batch",
            "of rank 6 imports ocrlstm.recog",
        ),
        (
            "layers/lstm.py",
            "from ocrlstm import load_model",
            "imports ocrlstm.load_model of rank 8",
        ),
        ("layers/lstm.py", "from numba import njit", "imports numba, which is not for layers"),
        ("kernels/ctc.py", "import rapidfuzz.process", "rapidfuzz, which is not for kernels"),
        ("lines/scale.py", "from PIL import Image", "imports PIL, which is not for lines"),
        ("training/bar.py", "from rich import progress", "imports rich, which is not for training"),
        ("image/read.py", "import torch", "imports torch, which is not for image"),
        ("text/codec.py", "def f():\n    import json", "imports json inside a function"),
        ("colours/red.py", "", "colours has no rank"),
    ],
)
def test_a_planted_violation_is_found(tmp_path, file, source, fault):
    package = plant(tmp_path, {file: source})
    (found,) = broken_rules(package)
    assert fault in found


def test_a_ring_inside_a_room_is_found(tmp_path):
    package = plant(
        tmp_path,
        {
            "text/__init__.py": "from ocrlstm.text.codec import Codec",
            "text/codec.py": "from ocrlstm.text.normal import normalize",
            "text/normal.py": "from .codec import Codec",
        },
    )
    (found,) = broken_rules(package)
    assert "ocrlstm.text.codec -> ocrlstm.text.normal -> ocrlstm.text.codec" in found


def test_what_is_allowed_is_not_complained_of(tmp_path):
    package = plant(
        tmp_path,
        {
            "__init__.py": "def load_model():\n    from ocrlstm.recognition import Recognizer",
            "cli/__init__.py": "def main():\n    from ocrlstm.cli import train",
            "cli/train.py": "import click\nfrom rich import progress\nimport ocrlstm.training.run",
            "training/run.py": "from ocrlstm.network import Network\nimport numpy as np",
            "network/__init__.py": "from ocrlstm.network.graph import Network",
            "network/graph.py": "from ocrlstm.layers import Lstm\nimport scipy, json, safetensors",
            "layers/__init__.py": "from ocrlstm.layers.lstm import Lstm",
            "layers/lstm.py": "from ocrlstm.layers.base import Layer",
            "layers/base.py": "def plot():\n    import matplotlib.pyplot",
        },
    )
    assert broken_rules(package) == []


def plant(folder: Path, sources: dict[str, str]) -> Path:
    package = folder / "ocrlstm"
    for name, source in sources.items():
        file = package / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(source, "utf-8")
    return package
