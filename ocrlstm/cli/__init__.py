"""The command ``ocrlstm``: one file a command, each loaded only when it is called."""

import atexit
import gc

from ocrlstm.cli.lazy import LazyGroup

__all__ = ["command_line", "main"]

# Name -> module (its `command` is the click command) and the line that --help shows.
COMMANDS = {
    "train": ("ocrlstm.cli.train", "Train a line model on image/text pairs."),
    "crossfold": ("ocrlstm.cli.crossfold", "Train several models of the same lines that vote."),
    "check-data": ("ocrlstm.cli.check_data", "Find what is wrong or odd in image/text pairs."),
    "pack": ("ocrlstm.cli.pack", "Keep normalised lines in one file, for training."),
    "generate": ("ocrlstm.cli.generate", "Draw lines with fonts, to train on."),
    "augment": ("ocrlstm.cli.augment", "Look at the distortions of training lines."),
    "recognize": ("ocrlstm.cli.recognize", "Read line images."),
    "evaluate": ("ocrlstm.cli.evaluate", "Score a model, or texts, against ground truth."),
    "history": ("ocrlstm.cli.history", "Show how models were trained."),
    "calibrate": ("ocrlstm.cli.calibrate", "Make the confidences of a model come true."),
    "lm": ("ocrlstm.cli.lm", "Make and tune language models for the beam search."),
    "models": ("ocrlstm.cli.models", "List the shipped models, or show one."),
}

command_line = LazyGroup(
    COMMANDS,
    name="ocrlstm",
    help="Train recognisers of text lines and read with them.\n\n"
    "PATH stands for a folder (searched through), an image, a glob or @list.txt. "
    "Exit codes: 0 all well, 1 some lines failed, 2 bad use or input, 130 interrupted.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


# Loading Numba makes some hundred thousand objects, none of them garbage. To look through them time
# and again while they load, and once more at the end, takes a sixth of a one-line command.
_OBJECTS_BETWEEN_COLLECTIONS = 50_000


def main() -> None:
    """Run the command line with the arguments of the process."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)
    command_line.main(prog_name="ocrlstm")
