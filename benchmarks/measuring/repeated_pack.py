"""A process that makes a large pack of few lines: FOLDER PACK LINES."""

import sys
import tempfile
from pathlib import Path

from measuring.training_memory import repeated_pairs
from ocrlstm.datasets import LineForm, MemoryPair, write_pack
from ocrlstm.datasets.pack_writer import PackEntry, PackWriter
from ocrlstm.network import open_atomically
from ocrlstm.training import TrainingConfig
from ocrlstm.training.material import check_spec


def main() -> None:
    folder, path, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
    form = LineForm(check_spec(TrainingConfig())[1])
    pairs = [
        MemoryPair(image, text, f"{folder}/line-{number}.png")
        for number, (image, text) in enumerate(repeated_pairs(folder, None))
    ]
    with tempfile.TemporaryDirectory() as name:
        pack = write_pack(Path(name, "few.pack"), pairs, form).pack
        entries = [
            PackEntry(
                sample.name,
                sample.text,
                sample.shape[1],
                pack.pictures[number].tobytes(),
                pack.squeezed(number).data(),
            )
            for number, sample in enumerate(pack)
        ]
        with open_atomically(path) as pending:
            writer = PackWriter(pending)
            for number in range(lines):
                turn, which = divmod(number, len(entries))
                entry = entries[which]
                writer.add(entry._replace(name=f"{entry.name}-{turn}"))
            writer.finish(form, True)


if __name__ == "__main__":
    main()
