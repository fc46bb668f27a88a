"""The tables of docs/layers.md name every layer, write it right and show what is measured."""

import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

from ocrlstm import layers
from ocrlstm.network import parse_spec

ROOT = Path(__file__).parents[1]
GRADIENTS = ROOT / "benchmarks" / "gradients.py"
TEXT = (ROOT / "docs" / "layers.md").read_text(encoding="utf-8")


def tables():
    """Rows of cells, the heading first, code without its ticks."""
    for table in re.findall(r"(?:^\|.*\|\n)+", TEXT, re.MULTILINE):
        rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()]
        cells = [[cell.strip().strip("`").replace(r"\|", "|") for cell in row] for row in rows]
        yield [cells[0], *cells[2:]]


TABLES = list(tables())


def is_concrete(thing):
    return (
        isinstance(thing, type)
        and issubclass(thing, layers.Layer | layers.Join)
        and not inspect.isabstract(thing)
    )


@pytest.fixture(scope="module")
def benchmark():
    """Return the module of the benchmark, whose tables the page shows."""
    spec = importlib.util.spec_from_file_location("gradients_benchmark", GRADIENTS)
    module = importlib.util.module_from_spec(spec)
    path = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = path
    return module


def test_formulas_are_those_of_the_cases(benchmark):
    measured = [rows for rows in TABLES if rows[0][1] == "formula"]
    assert [rows[0][0] for rows in measured] == ["layer", "activation", "loss"]
    kinds = benchmark.kinds()
    for rows, (heading, about, cases, _) in zip(measured, kinds, strict=True):
        shown = [[name, formula, source, count] for name, formula, source, count, _ in rows[1:]]
        expected = [
            [
                name.removesuffix(" activation"),
                *formula_and_source,
                str(sum(case.name == name for case in cases)),
            ]
            for name, formula_and_source in about.items()
        ]
        assert shown == expected, f"{heading}: paste what bin/benchmark gradients prints"
        errors = [float(row[-1]) for row in rows[1:]]
        assert 0 < max(errors) <= 1e-6


def test_benchmark_prints_the_rows_of_the_page():
    result = subprocess.run(
        [sys.executable, GRADIENTS, "mse", "tanh"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    rows = [line for line in result.stdout.splitlines() if line[2:].startswith(("mse", "tanh"))]
    assert len(rows) == 2
    for row in rows:
        *words, error, _ = row.rsplit("|", 2)
        assert f"{words[0]}|" in TEXT
        assert float(error) <= 1e-6


def test_every_layer_is_told_of(benchmark):
    told = [row[0] for rows in TABLES if rows[0][1] == "what for" for row in rows[1:]]
    (_, about, _, _), *_ = benchmark.kinds()
    assert sorted(told) == sorted([*about, "Activation"])  # that has a table of its own
    # Those are names with variants; none of the package may be missing.
    public = {name for name in layers.__all__ if is_concrete(getattr(layers, name))}
    assert {re.split(r"[ ,]", name)[0] for name in told} == public


@pytest.mark.parametrize(
    ("name", "python", "vgsl"),
    [(row[0], *row[2:]) for rows in TABLES if rows[0][1] == "what for" for row in rows[1:]],
)
def test_python_and_vgsl_make_the_same_layer(name, python, vgsl):
    layer = eval(python, vars(layers))
    assert type(layer).__name__ == re.split(r"[ ,]", name)[0]
    if name == "Input":
        assert parse_spec(f"[{vgsl} I]").input_shape == layer.shape
    elif vgsl != "-":
        assert repr(parse_spec(f"[1,8,8,4 I I I {vgsl}]").layers[-1].layer) == repr(layer)
