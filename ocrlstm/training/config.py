"""The settings of a training run."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from ocrlstm.errors import TrainingError
from ocrlstm.lines import MOST_STRENGTH, check_factors
from ocrlstm.losses import ALIGNMENTS
from ocrlstm.optimizers import OPTIMIZERS, SCHEDULES
from ocrlstm.text import NORMAL_FORMS, TextRules
from ocrlstm.training.charset import CHARSETS

__all__ = ["DEFAULT_SPEC", "TrainingConfig"]

DEFAULT_SPEC = "[1,40,0,1 Cr5,5,16,2,2 Cr3,3,32 Mp2,2 Cr3,3,64 Mp2,1 S1(1x0)1,3 Lbx160 Do0.5 O1c]"

# Rates that train line models well, where they are not the optimiser's own.
_PEAK_RATES = {"adam": 2e-3, "adamw": 2e-3, "sgd": 1e-2, "momentum": 1e-2, "nesterov": 1e-2}
_OPTIONAL = ("height", "charset", "learning_rate", "epochs", "max_minutes")

_TEXTS = ("spec", "provenance", "licence")
_SWITCHES = ("protect",)
_CHOICES: dict[str, tuple[str, ...]] = {
    "normalizer": ("center", "scale"),
    "unit": ("grapheme", "codepoint"),
    "normal_form": tuple(NORMAL_FORMS),
    "direction": ("auto", "ltr", "rtl"),
    "ctc": tuple(ALIGNMENTS),
    "optimizer": tuple(OPTIMIZERS),
    "schedule": tuple(SCHEDULES),
    "charset": CHARSETS,
}
# Bounds that are whole numbers ask for one.
_RANGES: dict[str, tuple[float, float]] = {
    "height": (4, 1000),
    "range": (0.1, 100.0),
    "learning_rate": (0.0, 100.0),
    "momentum": (0.0, 0.9999),
    "weight_decay": (0.0, 100.0),
    "warmup": (0.0, 0.9),
    "clip": (0.0, 1e9),
    "average": (0.0, 0.99999),
    "batch_size": (1, 4096),
    "epochs": (1, 10**9),
    "max_minutes": (0.0, 1e7),
    "validation_share": (0.0, 0.9),
    "patience": (0, 10**9),
    "augment": (0.0, MOST_STRENGTH),
    "seed": (0, 2**63 - 1),
}


@dataclass(frozen=True)
class TrainingConfig:
    """How a line model is trained; checked when made.

    Attributes
    ----------
    spec : str
        The network, in VGSL (see `ocrlstm.network.vgsl`).
    height : int or None
        Height of the normalised lines; None takes the spec's, another number replaces it there.
    normalizer : {"center", "scale"}
    range : float
        Of "center": half the height that is kept, in mean distances of the ink from the centre
        line. OCRopus took 4, which leaves half of the height to paper; 3 shows letters a third
        larger, and still keeps ascenders and descenders.
    unit : {"grapheme", "codepoint"}
        What a label of the codec stands for.
    normal_form : {"NFC", "NFD", "NFKC", "NFKD", "none"}
    direction : {"auto", "ltr", "rtl"}
    ctc : {"ctc", "ocropus"}
        The loss: exact CTC, or the historical OCRopus alignment.
    optimizer : {"adam", "adamw", "sgd", "momentum", "nesterov", "adagrad", "rmsprop", ...}
        A name of `ocrlstm.optimizers.OPTIMIZERS`.
    learning_rate : float or None
        Peak of the schedule; None takes 2e-3 for "adam" and "adamw", 1e-2 for "sgd", "momentum"
        and "nesterov", and the optimiser's own for the others.
    momentum : float
        Of "momentum" and "nesterov".
    weight_decay : float
        Of "adamw".
    schedule : {"constant", "linear", "cosine", "exponential", "one_cycle"}
        How the learning rate goes on over the run.
    warmup : float
        Share of the run in which the rate rises.
    clip : float
        Largest norm of a step's gradient (mean over the lines); 0 does not clip.
    average : float
        Decay of the moving average of the weights, which is what is validated and saved.
    batch_size : int
    epochs : int or None
        None with `max_minutes` goes on until the time is up; None without it means 100.
    max_minutes : float or None
        Wall clock, from the first image read to the last validation.
    validation_share : float
        Share of the pairs held back where no validation pairs are given.
    patience : int
        Epochs without a better validation CER after which training ends; 0 never does.
    augment : float
        Strength of the distortions; 0 shows the lines as they are.
    distortions : dict of str to float
        Name of one of `ocrlstm.lines.DISTORTIONS` -> what `augment` is multiplied by for it; 0
        leaves it out. It is 1 where none is named.
    charset : {"keep", "union", "new"} or None
        Of fine-tuning: the characters of the model to begin with, those and the ones of the lines,
        or those of the lines only. None: training begins with random weights.
    freeze : int or tuple of str
        Of fine-tuning: which layers keep their weights, the first so many of those that have some,
        or those of these names.
    protect : bool
        Of fine-tuning: characters that no line has an example of take no part in training. Without
        it they are taught to be wrong everywhere.
    text_rules : tuple of str
        Names of `ocrlstm.text.RULES` or `PRESETS`, applied to all texts; kept in the model.
    text_table : tuple of (str, str)
        What else becomes what in the texts, see `ocrlstm.text.TextRules`; kept in the model.
    seed : int
    provenance, licence : str
        What the lines are and where they come from, and on which terms the model may be used:
        written into the model file for those who meet it alone.
    """

    spec: str = DEFAULT_SPEC
    height: int | None = None
    normalizer: str = "center"
    range: float = 3.0
    unit: str = "grapheme"
    normal_form: str = "NFC"
    direction: str = "auto"
    ctc: str = "ctc"
    optimizer: str = "adamw"
    learning_rate: float | None = None
    momentum: float = 0.9
    weight_decay: float = 0.01
    schedule: str = "one_cycle"
    warmup: float = 0.1
    clip: float = 5.0
    average: float = 0.99
    batch_size: int = 8
    epochs: int | None = None
    max_minutes: float | None = None
    validation_share: float = 0.05
    patience: int = 30
    augment: float = 1.0
    distortions: dict[str, float] = field(default_factory=dict)
    charset: str | None = None
    freeze: int | tuple[str, ...] = 0
    protect: bool = True
    text_rules: tuple[str, ...] = ()
    text_table: tuple[tuple[str, str], ...] = ()
    seed: int = 0
    provenance: str = ""
    licence: str = ""

    def __post_init__(self) -> None:
        """Check every field.

        Raises
        ------
        TrainingError
            Beginning with the name of the setting, then what it is and what it may be.
        """
        for name in _TEXTS:
            if not isinstance(getattr(self, name), str):
                raise TrainingError(f"{name} is {getattr(self, name)!r}; it must be a text")
        for name in _SWITCHES:
            if not isinstance(getattr(self, name), bool):
                raise TrainingError(f"{name} is {getattr(self, name)!r}; it must be true or false")
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices and not (value is None and name in _OPTIONAL):
                raise TrainingError(f"{name} is {value!r}; choose one of {', '.join(choices)}")
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            if not (value is None and name in _OPTIONAL):
                _check_number(name, value, low, high)
        self._check_distortions()
        self._check_freeze()
        self._check_rules()

    def _check_distortions(self) -> None:
        if not isinstance(self.distortions, dict):
            raise TrainingError(
                f"distortions is {self.distortions!r}; it must give names a number each"
            )
        try:
            object.__setattr__(self, "distortions", check_factors(self.distortions))
        except ValueError as error:
            raise TrainingError(f"distortions: {error}") from error

    def _check_freeze(self) -> None:
        if isinstance(self.freeze, int) and not isinstance(self.freeze, bool) and self.freeze >= 0:
            return
        names = (self.freeze,) if isinstance(self.freeze, str) else self.freeze
        if not isinstance(names, list | tuple) or not all(isinstance(n, str) for n in names):
            raise TrainingError(
                f"freeze is {self.freeze!r}; it must be a number of layers or their names"
            )
        object.__setattr__(self, "freeze", tuple(names))

    def _check_rules(self) -> None:
        setting = "text_rules"
        try:
            TextRules(self.text_rules)
            setting = "text_table"
            rules = self.rules
        except ValueError as error:
            raise TrainingError(f"{setting} is of no use: {error}") from error
        # Names of presets become those of their rules, so that equal settings are equal.
        object.__setattr__(self, "text_rules", rules.names)
        object.__setattr__(self, "text_table", rules.table)

    @property
    def rules(self) -> TextRules:
        """The rules that texts are normalised by."""
        return TextRules(self.text_rules, self.text_table)

    @property
    def sized_spec(self) -> str:
        """The spec with `height` in its input."""
        if self.height is None:
            return self.spec
        return re.sub(r"^(\s*\[\s*\d+,)\d+", rf"\g<1>{self.height}", self.spec, count=1)

    @property
    def peak_rate(self) -> float:
        """The learning rate at the schedule's height."""
        if self.learning_rate is not None:
            return self.learning_rate
        return _PEAK_RATES.get(self.optimizer) or OPTIMIZERS[self.optimizer]().learning_rate

    @property
    def last_epoch(self) -> int | None:
        """Number of epochs after which training ends, None where only time ends it."""
        if self.epochs is None and self.max_minutes is None:
            return 100
        return self.epochs

    def to_dict(self) -> dict[str, Any]:
        """Return the settings as plain values, for JSON."""
        values = asdict(self)
        if isinstance(self.freeze, tuple):
            values["freeze"] = list(self.freeze)
        values["text_rules"] = list(self.text_rules)
        values["text_table"] = [list(entry) for entry in self.text_table]
        return values

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> TrainingConfig:
        """Read settings back.

        Raises
        ------
        TrainingError
            If a setting is not known or out of range.
        """
        unknown = sorted(set(values) - {field.name for field in fields(cls)})
        if unknown:
            raise TrainingError(f"unknown training settings: {', '.join(unknown)}")
        return cls(**values)


def _check_number(name: str, value: object, low: float, high: float) -> None:
    whole = isinstance(low, int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        kind = "a whole number" if whole else "a number"
        raise TrainingError(f"{name} is {value!r}; it must be {kind}")
    if not low <= value <= high:
        raise TrainingError(f"{name} is {value}; it must lie in {low:g} to {high:g}")
