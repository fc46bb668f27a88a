"""Settings of fine-tuning: what the model to begin with has settled, and what it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ocrlstm.errors import SpecError, TrainingError
from ocrlstm.network import LineModel, parse_spec, tells_classes, write_spec
from ocrlstm.training.config import TrainingConfig

__all__ = ["check_tuning", "frozen_layers", "tuning_config"]

# The number of classes at the end of a spec, unless a temperature follows, which needs it.
_CLASSES = re.compile(r"(?<=c)\d+(?=\]$)")


def tuning_config(model: LineModel, **settings: Any) -> TrainingConfig:
    """Return the settings to fine-tune a model with.

    Parameters
    ----------
    model : LineModel
        Spec, height, normaliser, unit, normal form, direction and text rules are its own.
    **settings
        Other fields of `TrainingConfig`; by default `charset` is "union" and `patience` 0: few
        lines make short epochs and a validation that says little, and the schedule shall come to
        its end.

    Raises
    ------
    TrainingError
        If a setting contradicts the model, or is out of range; begins with its name.
    """
    fixed = _settled(model)
    config = TrainingConfig(**{"charset": "union", "patience": 0, **settings})
    for name in settings.keys() & fixed.keys():
        if settings[name] is not None:
            _check_agreement(config, name, fixed[name], model)
    return replace(config, **fixed)


def check_tuning(config: TrainingConfig, model: LineModel | None) -> None:
    """Refuse settings that do not go with the model to begin with, or with there being none.

    Raises
    ------
    TrainingError
        Beginning with the setting's name.
    """
    if model is None:
        if config.charset is not None:
            raise TrainingError(
                f"charset is {config.charset!r}, but there is no model to begin with"
            )
        if config.freeze:
            raise TrainingError(f"freeze is {config.freeze!r}, but there is no model to begin with")
        if not config.protect:
            raise TrainingError("protect is false, but there is no model to begin with")
        return
    if config.charset is None:
        raise TrainingError(
            "charset is None; make the settings with tuning_config(model, ...) to begin with a "
            "model"
        )
    for name, value in _settled(model).items():
        _check_agreement(config, name, value, model)
    frozen_layers(config, model)


def frozen_layers(config: TrainingConfig, model: LineModel) -> tuple[str, ...]:
    """Return the names of the layers that `config.freeze` stands for.

    A number counts layers with weights; those without between them, as dropout, belong to them.

    Raises
    ------
    TrainingError
        If there are not so many, or none of such a name, or nothing would be left to train.
    """
    names = tuple(model.network.layers)
    weights = list(dict.fromkeys(n.partition(".")[0] for n in model.network.parameters()))
    if isinstance(config.freeze, int):
        if config.freeze > len(weights):
            raise TrainingError(
                f"freeze is {config.freeze}; the model has {len(weights)} layers with weights, "
                f"{', '.join(weights)}"
            )
        last = names.index(weights[config.freeze - 1]) if config.freeze else -1
        frozen: Iterable[str] = names[: last + 1]
    else:
        frozen = config.freeze
        unknown = [name for name in frozen if name not in names]
        if unknown:
            raise TrainingError(
                f"freeze is {unknown[0]!r}; the layers are named {', '.join(names)}"
            )
    if set(weights) <= set(frozen):
        raise TrainingError("freeze leaves no weights to train; freeze fewer layers")
    return tuple(name for name in names if name in set(frozen))


def _settled(model: LineModel) -> dict[str, Any]:
    """Return the settings that a model has taken for all that come from it."""
    return {
        "spec": _CLASSES.sub("", model.network.spec),
        "height": model.network.height,
        "normalizer": model.normalizer.kind,
        "range": model.normalizer.range,
        "unit": model.codec.unit,
        "normal_form": model.codec.normal_form,
        "direction": model.codec.direction,
        "text_rules": model.rules.names,
        "text_table": model.rules.table,
    }


def _check_agreement(config: TrainingConfig, name: str, wanted: Any, model: LineModel) -> None:
    given = getattr(config, name)
    if name == "spec":
        if _canonical(replace(config, height=model.network.height), model) == model.network.spec:
            return
        raise TrainingError(
            f"spec is {given!r}, but the model to begin with has {wanted!r}; leave it out"
        )
    if given != wanted:
        raise TrainingError(
            f"{name} is {given!r}, but the model to begin with has {wanted!r}; leave it out"
        )


def _canonical(config: TrainingConfig, model: LineModel) -> str | None:
    """Return the spec in the way that networks write theirs; None if it cannot be read."""
    text = config.sized_spec
    try:
        spec = parse_spec(text, None if tells_classes(text) else len(model.codec))
        return write_spec(spec.input_shape, [(layer.name, layer.layer) for layer in spec.layers])
    except SpecError:
        return None
