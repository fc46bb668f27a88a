"""``ocrlstm train``: image/text pairs in, a model file out."""

from __future__ import annotations

import shlex
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ocrlstm.cli.console import Reporter, use_utf8_output
from ocrlstm.cli.distortions import distort_option
from ocrlstm.cli.options import max_pixels_option, threads_option
from ocrlstm.cli.signals import stopped_by_signals
from ocrlstm.cli.training_console import TrainingConsole
from ocrlstm.cli.training_request import make_request
from ocrlstm.kernels.threads import set_thread_count
from ocrlstm.losses import ALIGNMENTS
from ocrlstm.optimizers import OPTIMIZERS, SCHEDULES
from ocrlstm.text import NORMAL_FORMS, PRESETS, RULES
from ocrlstm.training import (
    Event,
    LivePlot,
    TrainingConfig,
    check_page,
    resume,
    train,
    write_worst_page,
)
from ocrlstm.training.charset import CHARSETS

__all__ = ["command", "config_option", "given_options", "start_option", "training_options"]

_DEFAULTS = TrainingConfig()

# What a TOML file may hold besides the settings and what every run has.
_KINDS = {"plot": "path", "worst": "path"}


def _setting(flag: str, kind: Any, text: str, **attributes: Any) -> tuple[str, Any]:
    """Return the field of `TrainingConfig` that the flag names, and a click option for it."""
    name = flag.partition("/")[0].lstrip("-").replace("-", "_")
    default = getattr(_DEFAULTS, name)
    if default not in (None, "") and "[default" not in text:
        shown = default if not isinstance(default, bool) else flag.split("/")[not default][2:]
        text = f"{text}  [default: {shown}]"
    return name, click.option(flag, name, type=kind, default=None, help=text, **attributes)


class _Layers(click.ParamType):
    """A number of layers, or the names of some with commas between."""

    name = "layers"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | tuple[str, ...]:
        """Return the number or the names."""
        if isinstance(value, int | tuple):
            return value
        return int(value) if value.isdecimal() else tuple(value.split(","))


def _none_if_empty(context: click.Context, option: click.Parameter, values: Any) -> Any:
    """Let an option that may be given several times be None, like the others, if it is not."""
    return values or None


_SETTINGS = (
    _setting("--spec", str, "The network, in VGSL.", metavar="VGSL"),
    _setting("--height", int, "Height of the lines.  [default: that of the spec]", metavar="N"),
    _setting("--normalizer", click.Choice(["center", "scale"]), "How lines are normalised."),
    _setting(
        "--range",
        float,
        "Of center: half the height kept, in mean distances of the ink from the centre line; "
        "OCRopus took 4.",
        metavar="R",
    ),
    _setting("--unit", click.Choice(["grapheme", "codepoint"]), "What one label stands for."),
    _setting("--normal-form", click.Choice(NORMAL_FORMS), "Unicode normal form of the texts."),
    _setting("--direction", click.Choice(["auto", "ltr", "rtl"]), "Base direction of the texts."),
    _setting("--ctc", click.Choice(list(ALIGNMENTS)), "Exact CTC, or the alignment of OCRopus."),
    _setting("--optimizer", click.Choice(list(OPTIMIZERS)), "momentum is the way of OCRopus."),
    _setting(
        "--learning-rate",
        float,
        "Peak rate.  [default: 2e-3 with adam and adamw, 1e-2 with sgd, momentum and nesterov, "
        "else the optimiser's own]",
        metavar="R",
    ),
    _setting("--momentum", float, "Of --optimizer momentum and nesterov.", metavar="M"),
    _setting("--weight-decay", float, "Of --optimizer adamw.", metavar="D"),
    _setting("--schedule", click.Choice(list(SCHEDULES)), "How the rate goes over the run."),
    _setting("--warmup", float, "Share of the run in which the rate rises.", metavar="SHARE"),
    _setting("--clip", float, "Largest norm of a gradient; 0 for any.", metavar="NORM"),
    _setting("--average", float, "Decay of the average of the weights.", metavar="D"),
    _setting("--batch-size", int, "Lines a step.", metavar="N"),
    _setting(
        "--epochs",
        int,
        "Passes over the lines.  [default: 100, or until --max-minutes]",
        metavar="N",
    ),
    _setting("--max-minutes", float, "Wall clock for all of it.", metavar="MINUTES"),
    _setting("--validation-share", float, "Share of lines held back.", metavar="SHARE"),
    _setting(
        "--patience", int, "Stop after so many epochs that are no better; 0: never.", metavar="N"
    ),
    _setting("--augment", float, "Strength of the distortions; 0: none.", metavar="STRENGTH"),
    ("distortions", distort_option),
    _setting(
        "--charset",
        click.Choice(CHARSETS),
        "With --from: the model's own characters, those and the ones of the lines, or those of "
        "the lines only.  [default: union]",
    ),
    _setting(
        "--freeze",
        _Layers(),
        "With --from: train all but the first N layers that have weights, or all but those named.  "
        "[default: train all]",
        metavar="N|NAME,...",
    ),
    _setting(
        "--protect/--no-protect",
        None,
        "With --from: leave characters alone that no line has an example of.",
    ),
    (
        "text_rules",
        click.option(
            "--text-rule",
            "text_rules",
            type=click.Choice([*PRESETS, *RULES]),
            metavar="NAME",
            multiple=True,
            callback=_none_if_empty,
            help="Bring the texts into one spelling by this rule, or by several at once: modern. "
            "May be given several times; kept in the model. See docs/texts.md.",
        ),
    ),
    (
        "text_table",
        click.option(
            "--text-table",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Own rules: a UTF-8 file, from<TAB>to a line; kept in the model.",
        ),
    ),
    _setting("--seed", int, "The same seed, lines and threads give the same model.", metavar="N"),
    _setting("--provenance", str, "What the lines are; kept in the model.", metavar="TEXT"),
    _setting("--licence", str, "Terms of the model; kept in it.", metavar="TEXT"),
)


def training_options(*without: str) -> Callable[[Any], Any]:
    """Add an option for each field of `TrainingConfig` but those named; all are None by default."""

    def add(function: Any) -> Any:
        for name, option in reversed(_SETTINGS):
            if name not in without:
                function = option(function)
        return function

    return add


start_option = click.option(
    "--from",
    metavar="MODEL",
    help="Fine-tune a model, a file or a shipped one, instead of beginning with random weights.",
)

config_option = click.option(
    "--config",
    "file",
    metavar="RUN.toml",
    type=click.Path(path_type=Path),
    help="Take what is not given here from a TOML file; its keys are the names of the options.",
)


def given_options(context: click.Context, options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, without those that have nothing but their default."""
    if context.get_parameter_source("max_pixels") is ParameterSource.DEFAULT:
        options = {**options, "max_pixels": None}
    return {name: value for name, value in options.items() if value not in (None, ())}


@click.command(name="train", short_help="Train a line model on image/text pairs.")
@click.argument("paths", metavar="PATH...", nargs=-1)
@click.option(
    "-o",
    "--output",
    metavar="MODEL.safetensors",
    type=click.Path(path_type=Path),
    help="The model file to write; MODEL.ckpt and MODEL.csv lie beside it.",
)
@click.option(
    "--validation",
    metavar="PATH",
    multiple=True,
    help="Pairs to choose the best model by, instead of a held-back share.",
)
@click.option(
    "--resume",
    "checkpoint",
    metavar="MODEL.ckpt",
    type=click.Path(path_type=Path),
    help="Go on with a stopped run, with its own pairs and settings.",
)
@start_option
@config_option
@click.option(
    "--write-config",
    is_flag=True,
    help="Print paths and all settings as such a file, and train nothing.",
)
@click.option(
    "--plot",
    metavar="FILE.png",
    type=click.Path(path_type=Path),
    help="Draw loss and validation CER while training goes on (.png, .svg or .pdf).",
)
@click.option(
    "--worst",
    metavar="FILE.html",
    type=click.Path(path_type=Path),
    help="At the end, show the worst validation lines with picture, truth and reading.",
)
@training_options()
@threads_option
@max_pixels_option
@click.pass_context
def command(
    context: click.Context,
    checkpoint: Path | None,
    file: Path | None,
    write_config: bool,
    **options: Any,
) -> int:
    """Train a line model on image/text pairs.

    PATH is a folder (searched through), an image, a page in PAGE XML or ALTO, a table of lines
    name<TAB>text, a glob, or @list.txt; the text of NAME.png lies beside it in NAME.gt.txt. Ctrl-C
    ends the run cleanly, with the best model saved.
    """
    given = given_options(context, options)
    if checkpoint is not None and (given.keys() - {"threads", *_KINDS} or file or write_config):
        raise click.UsageError(
            "--resume goes on with the run's own pairs and settings; only --threads, --plot and "
            "--worst may be given"
        )
    # Of a run that is resumed only these.
    request = make_request(given, file, _KINDS)
    if write_config:
        use_utf8_output()
        click.echo(request.to_toml(), nl=False)
        return 0
    output = request.output
    if checkpoint is None and not (request.paths and output):
        raise click.UsageError("give PATH... and -o MODEL.safetensors, or --resume MODEL.ckpt")
    plot, worst = request.more.get("plot"), request.more.get("worst")
    table = (checkpoint or output or Path()).with_suffix(".csv")
    picture = None if plot is None else LivePlot(table, plot)
    if worst is not None:
        check_page(worst)
    stop = threading.Event()
    with stopped_by_signals(stop), TrainingConsole() as console, Reporter("reading", 0) as reader:

        def reading(done: int, total: int) -> None:
            reader.set_progress(done, total)
            if stop.is_set():
                raise KeyboardInterrupt

        def report(event: Event) -> None:
            console.report(event)
            if picture is not None:
                picture.report(event)

        common: dict[str, Any] = {
            "report": report,
            "should_stop": stop.is_set,
            "reading": reading,
        }
        if checkpoint is not None:
            result = resume(checkpoint, threads=request.threads, **common)
        else:
            set_thread_count(request.threads)
            result = train(
                request.paths,
                request.config,
                output,
                start=request.start,
                validation=request.validation,
                max_pixels=request.max_pixels,
                **common,
            )
    model = result.output or Path()
    if picture is not None:
        picture.finish()
    if worst is not None:
        with Reporter("reading", 0) as reader:
            write_worst_page(
                worst, result.model, result.validation, model.name, progress=reader.set_progress
            )
    if result.interrupted:
        again = shlex.quote(str(model.with_suffix(".ckpt")))
        click.echo(
            f"ocrlstm: stopped; the best model so far is saved. "
            f"Go on with: ocrlstm train --resume {again}",
            err=True,
        )
    cer = result.model.metadata["validation_cer"]
    shown = "not validated yet" if cer is None else f"validation CER {100 * cer:.2f} %"
    click.echo(f"{model}\t{shown}")
    return 130 if result.interrupted else 0
