"""The nouns of a report's page: Card, Figure, Panel. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dlbricks.report.page.timeline import Timeline


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One figure that stands out."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One chart: what plotly.js draws, as plain JSON."""

    title: str
    data: tuple[Mapping[str, Any], ...]
    """Traces of plotly; a colour that differs between light and dark is written ``--name``, as in the style sheet."""
    layout: Mapping[str, Any]
    note: str = ""
    """What a reader has to know, in a line."""
    wide: bool = True
    """Whether it takes the width of the page, or half of it."""
    height: int = 340
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All of one network, or what is told over several networks."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    """Label and text: machine, runtime and settings."""
    cards: tuple[Card, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    sheets: tuple[Mapping[str, Any], ...] = ()
    """See ``report.page.sheets.sheet``."""
    timeline: Timeline | None = None
    timeline_note: str = ""
