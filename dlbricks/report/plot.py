"""Elements of a report's page, and what its charts share: plotly objects, layouts, intervals, colours, texts.

Importing this module needs plotly, so nothing that runs without it imports a chart.
"""

import html
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.table import Cell, Floats, Table
from dlbricks.errors import missing_extra
from dlbricks.report.timeline import Timeline

try:
    from plotly import graph_objects as graph_objects  # noqa: PLC0414 - charts import it from here
except ImportError as error:
    raise missing_extra("a report needs plotly", "report") from error

# plotly checks colours, so those of the theme are names that no chart uses otherwise; report.js replaces them.
FAINT, THIN, PAPER = "gray", "silver", "white"
BLUE, ORANGE, GREEN, RED = "#4e79a7", "#f28e2b", "#59a14f", "#e15759"
PALETTE = (BLUE, ORANGE, GREEN, RED, "#b07aa1", "#edc948", "#76b7b2", "#9c755f", "#ff9da7")
"""Tableau 10 without grey."""
LAYERS = "layer, in order of execution"

LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font_size": 12, "traceorder": "normal"}
"""Legend above a chart, left-aligned."""
# Characters that fit a hover label, and a legend with several entries.
_HOVER_LETTERS, _LEGEND_LETTERS = 120, 30


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
    """Traces, objects of plotly."""
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
    """See ``report.tables.sheet``."""
    timeline: Timeline | None = None
    timeline_note: str = ""


def layout(x: str, y: str, **more: Any) -> graph_objects.Layout:
    """Return the layout of values over ``x``, which begin at 0."""
    return graph_objects.Layout(xaxis_title=x, yaxis_title=y, yaxis_rangemode="tozero", legend=LEGEND, **more)


def rows_layout(x: str, **more: Any) -> graph_objects.Layout:
    """Return the layout of horizontal bars, which begin at 0; the first one is on top."""
    return graph_objects.Layout(
        xaxis_title=x, xaxis_rangemode="tozero", yaxis_autorange="reversed", legend=LEGEND, **more
    )


def bars(values: Any, places: Iterable[Any], colour: Any, hover: str, **more: Any) -> graph_objects.Bar:
    """Return horizontal bars with a template for their hover text."""
    return graph_objects.Bar(
        orientation="h", x=values, y=places, marker_color=colour, hovertemplate=f"{hover}<extra></extra>", **more
    )


def interval(values: Floats, low: Floats, high: Floats, scale: float) -> dict[str, Any]:
    """Return the error bars of values, divided by ``scale``; ends that are NaN are left out."""
    above, below = (np.nan_to_num(np.maximum(distance, 0)) / scale for distance in (high - values, values - low))
    return {"array": above, "arrayminus": below, "color": FAINT, "thickness": 1.2}


def cells(table: Table, name: str) -> tuple[Cell, ...]:
    """Return the cells of a column, or empty ones if the table lacks it."""
    return next((column.cells for column in table.columns if column.name == name), (None,) * len(table))


def numbers(table: Table, name: str) -> Floats:
    """Return a column of numbers, NaN for empty cells or if the table lacks it."""
    return np.array([np.nan if cell is None else float(cell) for cell in cells(table, name)])


def plain(text: Cell) -> str:
    """Escape a text for plotly and shorten it to fit a hover label."""
    label = "" if text is None else str(text)
    return html.escape(label if len(label) <= _HOVER_LETTERS else f"{label[: _HOVER_LETTERS - 1]}…", quote=False)


def short(text: str) -> str:
    """Shorten a name for a legend to its end, which distinguishes autograd functions."""
    return plain(text if len(text) <= _LEGEND_LETTERS else f"…{text[1 - _LEGEND_LETTERS :]}")
