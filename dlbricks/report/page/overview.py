"""Several profiles beside each other, as the first panel of a page. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dlbricks.analysis.comparison import compare
from dlbricks.analysis.networks import networks_table
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile, Roofs
from dlbricks.report.page.cards import NOTHING, Tables
from dlbricks.report.page.charts import (
    LEGEND,
    OTHER,
    OTHER_COLOUR,
    PALETTE,
    divided,
    grouped_shares,
    numbers,
    plain,
    short,
)
from dlbricks.report.page.roofline import roofline
from dlbricks.report.page.sheets import sheet, step_of
from dlbricks.report.page.types import Figure, Panel
from dlbricks.units import counted, format_ns

_ROW_PIXELS = 26


def overview(
    profiles: Sequence[Profile], titles: Sequence[str], found: Sequence[Tables], colours: Mapping[str, str]
) -> Panel:
    """Make the panel of several profiles.

    Args:
        profiles: two or more; two of one network are compared layer by layer as well.
        titles: of their panels, each once.
        found: their tables.
        colours: of layer types.
    """
    networks = networks_table([replace(one, network=title) for one, title in zip(profiles, titles, strict=True)])
    own = dict(zip(titles, PALETTE, strict=False))
    roofs = roofline(networks, titles, _common_roofs(profiles), own, "Roofline of networks", wide=False)
    figures = (_latencies(networks, titles, wide=roofs is None), roofs, _types(titles, found, colours))
    sheets = [sheet(networks, shown=True)]
    if len(profiles) == 2 and profiles[0].network == profiles[1].network:
        sheets += [sheet(table) for table in compare(*profiles)]
    return Panel(
        title="All profiles",
        facts=(("profiles", str(len(profiles))),),
        figures=tuple(one for one in figures if one is not None),
        sheets=tuple(sheets),
    )


def _common_roofs(profiles: Sequence[Profile]) -> Roofs | None:
    """Give the roofs where all profiles are of one device: those of the first."""
    roofs = [profile.roofs for profile in profiles]
    first = roofs[0]
    if first is None or any(one is None or one.device != first.device for one in roofs):
        return None
    return first


def _height(rows: int) -> int:
    return 130 + _ROW_PIXELS * rows


def _latencies(networks: Table, titles: Sequence[str], *, wide: bool) -> Figure | None:
    """Draw the latency of every network with its interval."""
    latency, low, high = (numbers(networks, name) for name in ("latency_ns", "low_ns", "high_ns"))
    rows = [row for row in range(len(networks)) if latency[row]]
    if not rows:
        return None
    scale, unit = step_of("ns", [latency[row] or 0.0 for row in rows])
    batch = numbers(networks, "batch")
    data: dict[str, Any] = {
        "type": "bar",
        "orientation": "h",
        "y": [plain(titles[row]) for row in rows],
        "x": [divided(latency[row], scale) for row in rows],
        "error_x": {
            "type": "data",
            "array": [_distance(high[row], latency[row], scale) for row in rows],
            "arrayminus": [_distance(latency[row], low[row], scale) for row in rows],
            "color": "--faint",
            "thickness": 1.2,
        },
        "marker": {"color": "#4e79a7"},
        "text": [
            "  " + format_ns(latency[row] or 0.0) + (f", batch {batch[row]:g}" if batch[row] else "") for row in rows
        ],
        "textposition": "auto",
        "insidetextanchor": "start",
        "hovertemplate": f"%{{y}}: %{{x:.5g}} {unit}<extra></extra>",
    }
    layout = {
        "xaxis": {"title": f"latency of a call, {unit}", "rangemode": "tozero"},
        "yaxis": {"title": "", "autorange": "reversed", "type": "category"},
        "showlegend": False,
    }
    note = "smallest batch; median and 95 % interval"
    return Figure(
        title="Latency",
        data=(data,),
        layout=layout,
        note=note,
        wide=wide,
        height=_height(len(rows)) if wide else max(360, _height(len(rows))),
    )


def _distance(larger: float | None, smaller: float | None, scale: float) -> float:
    return 0.0 if larger is None or smaller is None else max(0.0, larger - smaller) / scale


def _types(titles: Sequence[str], found: Sequence[Tables], colours: Mapping[str, str]) -> Figure | None:
    """Draw how the time in layers falls to types in every network."""
    shares = [grouped_shares(tables.get("A6", NOTHING), colours) for tables in found]
    rows = [row for row, one in enumerate(shares) if any(one.values())]
    if not rows:
        return None
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": short(name),
            "y": [plain(titles[row]) for row in rows],
            "x": [shares[row].get(name, 0.0) for row in rows],
            "marker": {"color": colours.get(name, OTHER_COLOUR), "line": {"width": 0}},
            "hovertemplate": f"%{{y}}: {plain(name)} %{{x:.3g}} %<extra></extra>",
        }
        for name in (*colours, OTHER)
        if any(shares[row].get(name) for row in rows)
    ]
    layout = {
        "barmode": "stack",
        "xaxis": {"title": "share of the time in layers, %", "range": [0, 100]},
        "yaxis": {"title": "", "autorange": "reversed", "type": "category"},
        "legend": {**LEGEND, "traceorder": "normal"},
    }
    note = counted(len(rows), "profile")
    return Figure(title="Time by type", data=tuple(data), layout=layout, note=note, height=_height(len(rows)))
