"""Output of commands: JSON or tables on stdout, remarks on stderr. The module imports no heavy library."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from dlbricks.units import plain

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType


def present(
    kind: str,
    content: object,
    report: "Callable[[], Iterable[RenderableType]]",
    *,
    as_json: bool,
    file: "Path | None" = None,
) -> None:
    """Print a document as tables or as JSON (``report.console.to_json``); ``file`` gets the JSON in both cases."""
    from dlbricks.files import write_text
    from dlbricks.report.console import show, to_json

    text = to_json(kind, content) if as_json or file is not None else ""
    if file is not None:
        write_text(file, text)
    if as_json:
        click.echo(text, nl=False)
    else:
        show(*report())


def tell(line: str) -> None:
    """Print a line on stderr."""
    click.echo(plain(line), err=True)
