"""Parts that charts share: objects of plotly, layouts, intervals, and colours that follow the theme of the page.

Importing this module needs plotly, so nothing that runs without it imports a chart.
"""

from collections.abc import Sequence
from typing import Any

from dlbricks.errors import missing_extra

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


def layout(x: str, y: str, **more: Any) -> graph_objects.Layout:
    """Return the layout of values over ``x``, which begin at 0."""
    return graph_objects.Layout(xaxis_title=x, yaxis_title=y, yaxis_rangemode="tozero", legend=LEGEND, **more)


def rows_layout(x: str, **more: Any) -> graph_objects.Layout:
    """Return the layout of horizontal bars, which begin at 0; the first one is on top."""
    return graph_objects.Layout(
        xaxis_title=x, xaxis_rangemode="tozero", yaxis_autorange="reversed", legend=LEGEND, **more
    )


def interval(
    values: Sequence[float | None], low: Sequence[float | None], high: Sequence[float | None], scale: float
) -> dict[str, Any]:
    """Return the error bars of values, divided by ``scale``; ends that are None or NaN are left out."""
    return {
        "array": [_distance(value, end, scale) for value, end in zip(values, high, strict=True)],
        "arrayminus": [_distance(end, value, scale) for value, end in zip(values, low, strict=True)],
        "color": FAINT,
        "thickness": 1.2,
    }


def _distance(smaller: float | None, larger: float | None, scale: float) -> float:
    distance = 0.0 if smaller is None or larger is None else larger - smaller
    return distance / scale if distance > 0 else 0.0


def divided(values: Sequence[float | None], scale: float) -> list[float | None]:
    """Divide values, which may be None."""
    return [None if value is None else value / scale for value in values]
