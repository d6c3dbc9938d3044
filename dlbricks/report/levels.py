"""Charts of whole calls: what each level of tracing adds, and batches. Pure: plain JSON for plotly.js."""

from collections.abc import Sequence
from typing import Any

from dlbricks.analysis.nouns import Table
from dlbricks.profile.overhead import LevelOverhead
from dlbricks.report.drawing import LEGEND, cells, divided, numbers
from dlbricks.report.page import Figure
from dlbricks.report.sheets import step_of


def level_overhead(found: Sequence[LevelOverhead]) -> Figure | None:
    """Draw the latency of a call at each level of tracing, with intervals; None where only one level was run."""
    if len({one.levels for one in found}) < 2:
        return None
    scale, unit = step_of("ns", [max(one.latency.median_ns for one in found)])
    data = []
    names = {"M": "call alone (M)", "ML": "and layers (ML)", "MLK": "and kernels (MLK)"}
    colours = {"M": "#4e79a7", "ML": "#f28e2b", "MLK": "#e15759"}
    for levels, name in names.items():
        mine = [one for one in found if one.levels == levels]
        if not mine:
            continue
        latency = [one.latency for one in mine]
        data.append(
            {
                "type": "bar",
                "name": name,
                "x": [f"batch {one.batch}" for one in mine],
                "y": [one.median_ns / scale for one in latency],
                "error_y": {
                    "type": "data",
                    "array": [(one.high_ns - one.median_ns) / scale for one in latency],
                    "arrayminus": [(one.median_ns - one.low_ns) / scale for one in latency],
                    "color": "--faint",
                    "thickness": 1.2,
                },
                "marker": {"color": colours[levels]},
                "text": ["" if one.relative is None else f"{one.relative:+.1%}" for one in mine],
                "textposition": "inside",
                "insidetextanchor": "end",
                "hovertemplate": f"%{{x}}, %{{fullData.name}}: %{{y:.5g}} {unit}<extra></extra>",
            }
        )
    layout = {
        "barmode": "group",
        "xaxis": {"title": "", "type": "category"},
        "yaxis": {"title": f"latency of a call, {unit}", "rangemode": "tozero"},
        "legend": LEGEND,
    }
    return Figure(
        title="What each level of tracing adds",
        data=tuple(data),
        layout=layout,
        note="published latencies are those of the call alone",
        wide=False,
        height=290,
    )


def batches(table: Table) -> Figure | None:
    """Draw throughput and latency over batches (A1); None for a single batch."""
    batch, rate, latency = (numbers(table, name) for name in ("batch", "throughput_per_s", "latency_ns"))
    known = [row for row in range(len(table)) if batch[row] and rate[row] and latency[row]]
    if len(known) < 2:
        return None
    scale, unit = step_of("ns", [latency[row] or 0.0 for row in known])
    optimal = [row for row in known if cells(table, "optimal")[row]]
    xs = [batch[row] for row in known]
    data: list[dict[str, Any]] = [
        _line("throughput", xs, [rate[row] for row in known], "#4e79a7", "%{y:.4g} inputs/s"),
        _line("latency", xs, [divided(latency[row], scale) for row in known], "#f28e2b", f"%{{y:.4g}} {unit}")
        | {"yaxis": "y2"},
    ]
    if optimal:
        ring = {"symbol": "circle-open", "size": 16, "color": "#59a14f", "line": {"width": 2}}
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "optimal batch",
                "x": [batch[row] for row in optimal],
                "y": [rate[row] for row in optimal],
                "marker": ring,
                "hoverinfo": "skip",
            }
        )
    layout = {
        "xaxis": {"title": "batch", "type": "log", "tickvals": xs, "ticktext": [f"{x:g}" for x in xs if x]},
        "yaxis": {"title": "inputs/s", "rangemode": "tozero"},
        "yaxis2": {
            "title": f"latency, {unit}",
            "overlaying": "y",
            "side": "right",
            "rangemode": "tozero",
            "showgrid": False,
            "tickmode": "auto",
        },
        "margin": {"l": 60, "r": 60, "t": 12, "b": 44},
        "legend": LEGEND,
    }
    return Figure(title="Batches", data=tuple(data), layout=layout, wide=False, height=290)


def _line(name: str, xs: Sequence[Any], ys: Sequence[Any], colour: str, shown: str) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": list(xs),
        "y": list(ys),
        "line": {"color": colour},
        "hovertemplate": f"batch %{{x}}: {shown}<extra></extra>",
    }
