"""Read test lines greedily, by a beam search, and by one with a language model, and compare.

    bin/benchmark language_model english-books-1900=MODEL.safetensors --text en.txt

Each set is a folder SET/train and SET/test of image/text pairs below --data, each MODEL a line
model trained on SET/train. The language model is built from the texts alone. Its weights are tuned
on the lines of SET/train that training held back; with --unseen, for a model that was trained on
other sets, on any lines of SET/train. Test lines serve to measure only.
"""

import argparse
import time
from pathlib import Path

from measuring.data import LINES, TEXTS
from measuring.tables import note, print_table

from ocrlstm.datasets import find_pairs
from ocrlstm.decoding import BeamSearch, decode_tempered
from ocrlstm.decoding.language import (
    build_language_model,
    find_texts,
    language_model_bytes,
    load_words,
    read_lines,
)
from ocrlstm.evaluation import compare, score
from ocrlstm.kernels.threads import set_thread_count, thread_count
from ocrlstm.recognition import Recognizer, load_model, tune_weights
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import gather_material

COLUMNS = [
    *("set", "decoder", "test CER", "95 % interval", "edits", "change", "p"),
    *("decoder ms", "CPU ms", "lines/s"),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sets", nargs="+", metavar="SET=MODEL")
    parser.add_argument("--data", type=Path, default=LINES)
    parser.add_argument(
        "--text",
        type=Path,
        nargs="+",
        default=[TEXTS],
        help="text files or folders; names alone are looked for in text/ beside the lines",
    )
    parser.add_argument("--order", type=int, default=6)
    parser.add_argument("--prune", type=int, default=0)
    parser.add_argument("--words", type=Path, help="also with this word list")
    parser.add_argument("--beam", type=int, default=BeamSearch.width)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    set_thread_count(arguments.threads)
    beside = arguments.data.parent / "text"
    texts = [path if path.exists() else beside / path for path in arguments.text]
    words = None if arguments.words is None else load_words(arguments.words)
    built = {}
    rows = []
    for name, _, model_path in (entry.partition("=") for entry in arguments.sets):
        plain = load_model(model_path)
        spelling = (plain.codec.unit, plain.codec.normal_form, plain.codec.direction, plain.rules)
        if spelling not in built:
            built[spelling] = build(texts, spelling, arguments.order, arguments.prune)
        language_model = built[spelling]
        tuning = tune_weights(
            plain,
            language_model,
            tuning_lines(arguments.data / name / "train", arguments.unseen),
            words=words,
            width=arguments.beam,
        )
        weights = ", ".join(f"{k} {v:g}" for k, v in tuning.weights.to_dict().items())
        note(
            f"{name}: {weights}, tuned on {tuning.lines} lines with {tuning.greedy} edits by "
            f"greedy decoding, {tuning.before} with the weights before, {tuning.after} after"
        )
        width = arguments.beam
        searches = {
            "greedy": "greedy",
            "beam": BeamSearch(width),
            "with language model": BeamSearch(width, language_model),
            "the same, tuned": BeamSearch(width, language_model, words, tuning.weights),
        }
        if words is not None:
            searches["word list alone"] = BeamSearch(width, None, words)
        rows += measure(name, model_path, searches, arguments.data / name / "test")
    print_table("Test lines", COLUMNS, rows)


def build(texts, spelling, order, prune):
    begin = time.monotonic()
    files = find_texts(texts)
    unit, normal_form, direction, rules = spelling
    built = build_language_model(
        (line for file in files for line in read_lines(file)),
        order=order, prune=prune, unit=unit, normal_form=normal_form, direction=direction,
        rules=rules,
    )  # fmt: skip
    note(
        f"{built} of {built.metadata['text_length']} characters of "
        f"{', '.join(file.name for file in files)}: {time.monotonic() - begin:.0f} s, "
        f"{len(language_model_bytes(built)) / 1e6:.1f} MB, mean {built.mean:.2f} nats"
    )
    return built


def tuning_lines(folder, unseen):
    pairs = find_pairs([folder]).pairs
    if unseen:
        return pairs
    held_back = gather_material(pairs, [], TrainingConfig()).validation
    names = {sample.name for sample in held_back}
    return [pair for pair in pairs if pair.name in names]


def measure(name, model, searches, folder):
    pairs = find_pairs([folder]).pairs
    posteriors = gather_posteriors(load_model(model), pairs)
    rows, before = [], None
    for title, decoder in searches.items():
        recognizer = load_model(model, decoder=decoder)
        truths = [recognizer.rules.apply(pair.read_text()) for pair in pairs]
        texts, seconds, processor = read(recognizer, pairs)
        report = score(truths, texts, normal_form=recognizer.codec.normal_form)
        low, high = report.cer_interval
        change = p = ""
        if before is None:
            before = texts
        else:
            found = compare(truths, texts, before, normal_form=recognizer.codec.normal_form)
            if found.other_cer:
                change = f"{100 * found.difference / found.other_cer:+.1f} %"
            p = f"{found.p_value:.3f}"
        rows.append([
            name, title, f"{100 * report.cer:.2f} %", f"{100 * low:.2f} to {100 * high:.2f}",
            report.edits, change, p, f"{time_decoder(recognizer, posteriors):.2f}",
            f"{1000 * processor / len(pairs):.1f}", f"{len(pairs) / seconds:.0f}",
        ])  # fmt: skip
    return rows


def gather_posteriors(recognizer, pairs):
    count = thread_count()
    chunks = [pairs[first : first + 64] for first in range(0, len(pairs), 64)]
    return [
        posteriors
        for chunk in chunks
        for posteriors in recognizer.read_chunk(chunk, count, lambda line, found: found.copy())
    ]


def time_decoder(recognizer, posteriors):
    """Milliseconds of one processor that a line takes from posteriors to symbols."""
    decoder = recognizer.decode
    begin = time.process_time()
    for each in posteriors:
        decode_tempered(decoder, each, recognizer.model.temperature)
    return 1000 * (time.process_time() - begin) / len(posteriors)


def read(recognizer: Recognizer, pairs) -> tuple[list[str], float, float]:
    """Read all lines; return texts, seconds by the clock, and seconds of all processors.

    They are read twice, since the first time kernels are compiled and files not at hand. Where
    others use the machine too, the clock tells little.
    """
    list(recognizer.recognize_lines(pairs))
    begin, processor = time.monotonic(), time.process_time()
    texts = [line.text for line in recognizer.recognize_lines(pairs)]
    return texts, time.monotonic() - begin, time.process_time() - processor


if __name__ == "__main__":
    main()
