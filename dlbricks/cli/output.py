"""Output of commands: documents as JSON or tables on stdout, remarks on stderr. Heavy libraries are not imported."""

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
    """Print a document as its texts and tables or as JSON (``report.console.to_json``), which ``file`` gets, too."""
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
