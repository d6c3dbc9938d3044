"""Output of commands: JSON or tables on stdout, remarks on stderr. The module imports no heavy library."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from dlbricks.units import plain

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
