"""How far confidences come true on test lines, before and after calibration.

    bin/benchmark calibration --data DATA fraktur19-archiscribe=model.safetensors ...

For each SET=MODEL the lines of DATA/SET/test are read twice: with temperature 1, as the network was
trained, and with the fitted one. That is the model's own where its training was calibrated; else it
is fitted here, on the lines of DATA/SET/train that its training held back.
"""

import argparse
from dataclasses import replace
from pathlib import Path

from measuring.data import LINES

from ocrlstm.datasets import find_pairs
from ocrlstm.evaluation import Reliability, mark_right, measure_reliability
from ocrlstm.network import LineModel, load_model_file
from ocrlstm.recognition import Recognizer
from ocrlstm.training import TrainingConfig, calibrate
from ocrlstm.training.material import gather_material

# Around 0.9: of these about nine in ten should be right.
LOW, HIGH = 0.85, 0.95


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("models", nargs="+", metavar="SET=MODEL")
    parser.add_argument("--data", type=Path, default=LINES, metavar="FOLDER")
    arguments = parser.parse_args()
    print(
        "set, model: temperature (lines of the fit); expected calibration error in bins of equal "
        f"width and of equal mass, and share right of those read with {LOW} to {HIGH}, before and "
        "after"
    )
    for given in arguments.models:
        name, _, path = given.partition("=")
        if not path:
            parser.error(f"{given!r} is not SET=MODEL")
        model = calibrated(load_model_file(path), arguments.data / name / "train")
        lines = model.metadata["calibration"]["lines"]
        before = measure(replace(model, temperature=1.0), arguments.data / name / "test")
        after = measure(model, arguments.data / name / "test")
        print(
            f"{name}, {Path(path).stem}: {model.temperature:.3f} ({lines} lines); "
            f"{before[0]} -> {after[0]}",
            flush=True,
        )
        print(f"  of {after[1].characters} characters read {after[1].accuracy:.2%} are right")
        for each in after[1].bins:
            print(
                f"  {each.low:.1f} to {each.high:.1f} {each.count:7d} {each.confidence:6.1%} "
                f"{each.accuracy:6.1%}"
            )


def calibrated(model: LineModel, folder: Path) -> LineModel:
    """Return the model with a fitted temperature."""
    if "calibration" in model.metadata:
        return model
    config = TrainingConfig.from_dict(model.metadata["config"])
    material = gather_material(find_pairs([folder]).pairs, [], config)
    return calibrate(model, material.validation).model


def measure(model: LineModel, folder: Path) -> tuple[str, Reliability]:
    """Read lines; give the errors as text, and the whole table."""
    pairs = find_pairs([folder]).pairs
    confidences: list[float] = []
    right: list[bool] = []
    for pair, line in zip(pairs, Recognizer(model).recognize_lines(pairs), strict=True):
        truth = model.codec.split(model.rules.apply(pair.read_text()))
        right += mark_right(truth, [character.text for character in line.characters])
        confidences += [character.confidence for character in line.characters]
    found = measure_reliability(confidences, right)
    near = [ok for sure, ok in zip(confidences, right, strict=True) if LOW <= sure < HIGH]
    share = f"{sum(near) / len(near):.1%} of {len(near)}" if near else "none"
    return f"{found.ece_equal_width:.2%}, {found.ece_equal_mass:.2%}, {share}", found


if __name__ == "__main__":
    main()
