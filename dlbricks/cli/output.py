"""Output of verbs: on stdout a document as JSON or as tables, on stderr remarks. Imports nothing heavy."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import click

from dlbricks.units import plain

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import RenderableType

    from dlbricks.profile.types import Profile


def present(
    kind: str,
    content: object,
    report: "Callable[[], Iterable[RenderableType]]",
    *,
    as_json: bool,
    file: "Path | None" = None,
) -> None:
    """Print a document.

    Args:
        kind: see ``report.jsonable.to_json``.
        content: see there.
        report: gives the texts and tables that people read of it.
        as_json: whether JSON is asked for.
        file: where the JSON is written, too.
    """
    from dlbricks.files import write_text
    from dlbricks.report.console import show
    from dlbricks.report.jsonable import to_json

    text = to_json(kind, content) if as_json or file is not None else ""
    if file is not None:
        write_text(file, text)
    if as_json:
        click.echo(text, nl=False)
    else:
        show(*report())


def tell(line: str) -> None:
    """Say something on stderr, in one line."""
    click.echo(plain(line), err=True)


def tell_notes(profiles: "Sequence[Profile]") -> None:
    """Say on stderr what is wrong or missing in profiles, whatever is made of them."""
    for one in profiles:
        for note in one.all_notes:
            tell(f"{one.network}: {note}")
