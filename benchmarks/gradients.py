"""Every gradient against central differences: the tables of docs/layers.md.

    bin/benchmark gradients [NAME ...]

In float64, of the input and of every weight, over the cases of tests/layers/cases and
tests/losses/loss_cases.py; there stands what the errors are relative to. NAMEs are those of the
tables; without one, all are printed.
"""

import argparse
import sys
from math import inf
from pathlib import Path

TESTS = Path(__file__).parents[1] / "tests"
sys.path[:0] = [str(TESTS / "layers"), str(TESTS / "losses")]  # these rooms are no packages

import cases  # noqa: E402
import loss_cases  # noqa: E402
from gradients import check_gradients  # noqa: E402


def main() -> None:
    layers, losses = cases.all_about(), loss_cases.all_about()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    wanted = set(parser.parse_args().names) or {*layers, *losses}
    unknown = wanted - {*layers, *losses}
    if unknown:
        parser.error(f"no {', '.join(sorted(unknown))}; choose from {', '.join(layers | losses)}")
    activations = {name: about for name, about in layers.items() if name.endswith(" activation")}
    layers = {name: about for name, about in layers.items() if name not in activations}
    for heading, table, cases_of_all, error_of in (
        ("layer", layers, cases.all_cases(), error_of_layer),
        ("activation", activations, cases.all_cases(), error_of_layer),
        ("loss", losses, loss_cases.all_cases(), loss_cases.error_of),
    ):
        if wanted & table.keys():
            print(f"| {heading} | formula | source | cases | worst error |")
            print("| --- | --- | --- | --- | --- |")
            for name, (formula, source) in table.items():
                if name in wanted:
                    errors = [error_of(case) for case in cases_of_all if case.name == name]
                    print(row(name, formula, source, errors), flush=True)
            print()


def error_of_layer(case: cases.Case) -> float:
    """Return the largest relative error of any gradient of a layer."""
    return max(check_gradients(case.built(), case.x(), case.lengths, limit=inf).values())


def row(name: str, formula: str, source: str, errors: list[float]) -> str:
    formula = formula.replace("|", r"\|")  # or it would end the column
    name = name.removesuffix(" activation")
    return f"| {name} | `{formula}` | {source} | {len(errors)} | {max(errors):.0e} |"


if __name__ == "__main__":
    main()
