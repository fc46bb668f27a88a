"""``ocrlstm models``: what models come with the library."""

from __future__ import annotations

from pathlib import Path

import click

from ocrlstm.cli.console import use_utf8_output
from ocrlstm.errors import ModelFileError, TrainingError
from ocrlstm.network import load_model_file
from ocrlstm.recognition import DEFAULT_MODEL, find_model, list_models
from ocrlstm.text import describe_rules
from ocrlstm.training import TrainingConfig
from ocrlstm.training.toml_writing import format_toml

__all__ = ["command"]


@click.group(name="models", invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List the shipped models, or show one."""
    use_utf8_output()
    if ctx.invoked_subcommand is None:
        ctx.invoke(list_command)


@command.command(name="list")
def list_command() -> None:
    """List name and title of each shipped model, the default first."""
    models = list_models()
    width = max((len(model.name) for model in models), default=0)
    for model in models:
        mark = " (default)" if model.name == DEFAULT_MODEL else ""
        click.echo(f"{model.name:<{width}}  {model.title}{mark}")


@command.command(name="show")
@click.argument("name", metavar="NAME|FILE")
@click.option(
    "--config",
    "as_config",
    is_flag=True,
    help="The settings of its training, for `ocrlstm train --config`.",
)
def show_command(name: str, as_config: bool) -> None:
    """Show the card of a model; of a file without card, what the file says of itself."""
    path = find_model(name)
    if as_config:
        click.echo(_settings(path), nl=False)
        return
    card = path.with_suffix(".md")
    if card.is_file():
        click.echo(card.read_text(encoding="utf-8").rstrip())
        return
    model = load_model_file(path)
    codec = model.codec
    click.echo(f"file        {path}")
    click.echo(f"spec        {model.network.spec}")
    click.echo(f"codec       {len(codec)} labels, {codec.normal_form}, {codec.direction}")
    click.echo(f"characters  {''.join(codec.labels)}")
    click.echo(f"normalizer  {model.normalizer.to_dict()}")
    if model.rules:
        click.echo(f"text rules  {describe_rules(model.rules)}")
    click.echo(f"temperature {model.temperature:g}")
    for key, value in model.metadata.items():
        click.echo(f"{key:<11} {value}")


def _settings(path: Path) -> str:
    metadata = load_model_file(path).metadata
    values = metadata.get("config")
    if not isinstance(values, dict):
        raise ModelFileError(f"{path}: tells no settings of its training")
    try:
        config = TrainingConfig.from_dict(values)
    except (TrainingError, TypeError) as error:
        raise ModelFileError(f"{path}: its settings cannot be read: {error}") from error
    lineage = metadata.get("lineage")
    begun = "; it began with another model: give --from" if lineage else ""
    return format_toml(config.to_dict(), f"The settings that {path.name} was trained with{begun}")
