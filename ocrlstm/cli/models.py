"""``ocrlstm models``: what models come with the library."""

from __future__ import annotations

import click

from ocrlstm.cli.console import use_utf8_output
from ocrlstm.network import load_model_file
from ocrlstm.recognition import DEFAULT_MODEL, find_model, list_models
from ocrlstm.text import describe_rules

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
def show_command(name: str) -> None:
    """Show the card of a model; of a file without card, what the file says of itself."""
    path = find_model(name)
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
    for key, value in model.metadata.items():
        click.echo(f"{key:<11} {value}")
