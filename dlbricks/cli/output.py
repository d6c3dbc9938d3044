"""Output of commands: JSON or tables on stdout, remarks on stderr. The module imports no heavy library."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import click

from dlbricks.errors import CheckError
from dlbricks.units import counted, plain

if TYPE_CHECKING:
    from rich.console import RenderableType


def present(kind: str, content: object, report: "Callable[[], Iterable[RenderableType]]", *, as_json: bool) -> None:
    """Print a document as tables or as JSON (``report.console.to_json``)."""
    from dlbricks.report.console import show, to_json

    if as_json:
        click.echo(to_json(kind, content), nl=False)
    else:
        show(*report())


def tell(line: str) -> None:
    """Print a line on stderr."""
    click.echo(plain(line), err=True)


def check_left_out(left_out: Mapping[str, str], *, allowed: bool = False) -> None:
    """Print why networks were left out, by file, and raise ``CheckError`` unless that is allowed."""
    for path, reason in left_out.items():
        tell(f"left out: {reason}" if reason.startswith(path) else f"{path} is left out: {reason}")
    if left_out and not allowed:
        raise CheckError(f"{counted(len(left_out), 'network')} left out")
