"""Elements of a report's page: Card, Figure, Panel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dlbricks.report.page.timeline import Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A key figure."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart."""

    title: str
    data: tuple[Any, ...]
    """Traces, objects of plotly; see ``report.page.plot`` on colours that differ between light and dark mode."""
    layout: Any
    """A ``plotly.graph_objects.Layout``."""
    note: str = ""
    """Caption, one line."""
    wide: bool = True
    """Whether it takes the full width of the page, or half."""
    height: int = 340
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Content for one network, or for several together."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    """Label and text: machine, runtime, settings."""
    cards: tuple[Card, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    sheets: tuple[Mapping[str, Any], ...] = ()
    """See ``report.page.sheets.sheet``."""
    timeline: Timeline | None = None
    timeline_note: str = ""
