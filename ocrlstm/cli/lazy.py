"""A click group that knows its commands by name only, and turns errors into exit codes.

``ocrlstm --help`` must not wait for NumPy and Numba, so a command's module is imported when the
command is called.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

from ocrlstm.errors import OcrError
from ocrlstm.version import __version__

__all__ = ["LazyGroup"]

_DEBUG = "ocrlstm.debug"


class LazyGroup(click.Group):
    """A group whose commands lie in modules of their own.

    Parameters
    ----------
    modules : mapping of str to (str, str)
        Command name -> module, and the help line for the list of commands. The module holds the
        command under the name ``command``, whose callback returns the exit code (None is 0).
    """

    def __init__(self, modules: Mapping[str, tuple[str, str]], **attributes: Any) -> None:
        super().__init__(**attributes)
        self.modules = modules
        self.params += [_version_option(), _debug_option()]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the table."""
        return list(self.modules)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and return it."""
        if cmd_name not in self.modules:
            return None
        command: click.Command = import_module(self.modules[cmd_name][0]).command
        if not any(option.name == "debug" for option in command.params):
            command.params.append(_debug_option())
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.modules.items()])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; an error becomes one line on stderr and an exit code."""
        try:
            code = super().invoke(ctx)
        except KeyboardInterrupt:
            click.echo("ocrlstm: interrupted", err=True)
            code = 130
        except BrokenPipeError:
            # Whoever read our output has had enough, as `head` has; click ends quietly.
            raise
        except (OcrError, OSError) as error:
            if ctx.meta.get(_DEBUG):
                traceback.print_exc()
            click.echo(f"ocrlstm: error: {_one_line(error)}", err=True)
            code = 2
        ctx.exit(code or 0)


def _one_line(error: OcrError | OSError) -> str:
    text = str(error)
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    # Undecodable bytes of a file name are carried as surrogates, which no terminal takes.
    return " ".join(text.encode("utf-8", "backslashreplace").decode("utf-8").split())


def _debug_option() -> click.Option:
    def remember(ctx: click.Context, option: click.Parameter, value: bool) -> None:
        # `meta` is one dict for a command and the group it belongs to.
        if value:
            ctx.meta[_DEBUG] = True

    return click.Option(
        ["--debug"],
        is_flag=True,
        expose_value=False,
        callback=remember,
        help="Show the traceback of an error.",
    )


def _version_option() -> click.Option:
    def show(ctx: click.Context, option: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(f"ocrlstm {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show the version and exit.",
    )
