"""How fast lines are drawn on one core.

    bin/benchmark synthesis RECIPE.toml --fonts FOLDER --texts FOLDER [--lines N]

Looks at the fonts, draws lines until every typeface is open, then prints the seconds of processor
time that the same lines take: drawn alone, and drawn, normalised and squeezed for a pack. Processor
time, since another program on the machine shall not count.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

from measuring.machine import describe_machine, warning
from measuring.tables import print_table

from ocrlstm.datasets import LineForm, MemoryPair
from ocrlstm.datasets.packing import make_entry
from ocrlstm.datasets.synthesis import LineMaker, read_catalogue, read_recipe
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.lines import LineNormalizer

FORM = LineForm(LineNormalizer(height=40, range=3.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("recipe", type=Path)
    parser.add_argument("--fonts", action="append", required=True)
    parser.add_argument("--texts", action="append", default=[])
    parser.add_argument("--lines", type=int, default=1000)
    arguments = parser.parse_args()
    set_thread_count(1)
    machine = describe_machine()
    print(f"{machine['processor']}, 1 of {machine['cores']} cores")
    if busy := warning(machine["load"]):
        print(f"warning: {busy}")
    recipe = read_recipe(arguments.recipe, arguments.texts)
    looking, catalogue = timed(lambda: read_catalogue(recipe.kinds, arguments.fonts))
    faces = sum(len(family) for kind in catalogue.kinds for family in kind.families)
    print(f"{faces} typefaces looked at in {looking:.1f} s")
    maker = LineMaker(recipe, catalogue)
    numbers = range(arguments.lines)
    first, lines = timed(lambda: [maker.draw(number) for number in numbers])
    pairs = [
        MemoryPair(line.pixels, line.text, line.name) for line in lines if hasattr(line, "pixels")
    ]
    packing, entries = timed(lambda: [make_entry(pair, FORM, 10**8) for pair in pairs])
    drawing, _ = timed(lambda: [maker.draw(number) for number in numbers])
    packing = min(packing, timed(lambda: [make_entry(pair, FORM, 10**8) for pair in pairs])[0])
    size = sum(len(entry.data) for entry in entries if hasattr(entry, "data")) / len(pairs)
    rows = [
        [name, f"{1000 * seconds / len(numbers):.1f}", f"{len(numbers) / seconds:.0f}"]
        for name, seconds in (
            ("drawn, typefaces being opened", first),
            ("drawn", drawing),
            ("drawn and packed", drawing + packing),
        )
    ]
    print_table(f"{len(numbers)} lines", ("", "ms a line", "lines/s a core"), rows)
    print(f"{size / 1000:.1f} kB a line in a pack")


def timed(work: Callable[[], object]) -> tuple[float, object]:
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


if __name__ == "__main__":
    main()
