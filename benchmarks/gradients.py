"""Every gradient against central differences: the tables of docs/layers.md.

    bin/benchmark gradients [NAME ...]

In float64, of the input and of every weight, over the cases of tests/layers/cases and
tests/losses/loss_cases.py; there stands what the errors are relative to. NAMEs are those of the
tables; without one, all are printed.
"""

import argparse
import sys
from collections.abc import Callable
from math import inf
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "layers"), str(TESTS / "losses")]  # these rooms are no packages

import cases  # noqa: E402
import loss_cases  # noqa: E402
from gradients import check_gradients  # noqa: E402

About = dict[str, tuple[str, str]]


def main() -> None:
    names = [shown(name) for _, about, _, _ in kinds() for name in about]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    wanted = set(parser.parse_args().names) or set(names)
    unknown = wanted - set(names)
    if unknown:
        parser.error(f"no {', '.join(sorted(unknown))}; choose from {', '.join(names)}")
    for heading, about, all_cases, error_of in kinds():
        about = {name: value for name, value in about.items() if shown(name) in wanted}
        if about:
            print(f"| {heading} | formula | source | cases | worst error |")
            print("| --- | --- | --- | --- | --- |")
            for name, (formula, source) in about.items():
                errors = [error_of(case) for case in all_cases if case.name == name]
                print(row(name, formula, source, errors), flush=True)
            print()


def shown(name: str) -> str:
    """Return the name in the tables for that of the cases."""
    return name.removesuffix(" activation")


def kinds() -> list[tuple[str, About, list, Callable[..., float]]]:
    """Return heading, formula and source by name, cases, and what measures one, of each table."""
    layers, activations = {}, {}
    for name, about in cases.all_about().items():
        (activations if name.endswith(" activation") else layers)[name] = about
    return [
        ("layer", layers, cases.all_cases(), error_of_layer),
        ("activation", activations, cases.all_cases(), error_of_layer),
        ("loss", loss_cases.all_about(), loss_cases.all_cases(), loss_cases.error_of),
    ]


def error_of_layer(case: cases.Case) -> float:
    """Return the largest relative error of any gradient of a layer."""
    return max(check_gradients(case.built(), case.x(), case.lengths, limit=inf).values())


def row(name: str, formula: str, source: str, errors: list[float]) -> str:
    formula = formula.replace("|", r"\|")  # or it would end the column
    return f"| {shown(name)} | `{formula}` | {source} | {len(errors)} | {max(errors):.0e} |"


if __name__ == "__main__":
    main()
