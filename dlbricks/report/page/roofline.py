"""Roofline plot: rate over arithmetic intensity, with measured roofs (Williams et al., CACM 52-4, 2009)."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from dlbricks.analysis.table import Cell, Table
from dlbricks.profile.types import Roofs
from dlbricks.report.page.charts import cells, coloured, numbers, plain, short, size_text
from dlbricks.report.page.plot import FAINT, LEGEND, PAPER
from dlbricks.report.page.plot import graph_objects as go
from dlbricks.report.page.sheets import step_of
from dlbricks.report.page.types import Figure
from dlbricks.units import format_ns

_LARGEST = 26.0
"""Marker size in pixels of the longest time; areas are proportional to time."""
_SMALLEST = 5.0
_MARGIN = 0.15
"""Decades between data and the edges."""
_ROOM = 3.0
"""Factor by which axes extend beyond points and ridge points."""


def roofline(
    table: Table,
    types: Sequence[Cell],
    roofs: Roofs | None,
    colours: Mapping[str, str],
    title: str,
    *,
    wide: bool = True,
) -> Figure | None:
    """Plot layers or kernels (A9, A14) with the roofs of a machine on logarithmic axes.

    Args:
        table: with ``intensity`` and ``flops_per_s``; rows without FLOPs or bytes are omitted.
        types: layer type of each row.
        roofs: measured roofs are solid, theoretical roofs dashed; None for no roofs.
        colours: colours of types.
        title: title of the chart.
        wide: see ``Figure``.

    Returns:
        None if there is no point.
    """
    intensity, rate = numbers(table, "intensity"), numbers(table, "flops_per_s")
    drawn = [row for row in range(len(table)) if intensity[row] and rate[row]]
    if not drawn:
        return None
    scale, unit = step_of("flop/s", [max(rate[row] or 0.0 for row in drawn)])
    times = numbers(table, "latency_ns")
    longest = max((times[row] or 0.0 for row in drawn), default=0.0) or 1.0
    data = _roofs(roofs, [intensity[row] or 1.0 for row in drawn], scale) if roofs else []
    hover = _hover_texts(table, types)
    for name, (colour, places) in coloured([types[row] for row in drawn], colours).items():
        rows = [drawn[place] for place in places]
        shares = [(times[row] or 0.0) / longest for row in rows]
        points = go.Scatter(
            mode="markers",
            name=short(name),
            x=[intensity[row] for row in rows],
            y=[(rate[row] or 0.0) / scale for row in rows],
            marker={
                "color": colour,
                "size": [_SMALLEST + (_LARGEST - _SMALLEST) * math.sqrt(share) for share in shares],
                "opacity": 0.75,
                "line": {"width": 0.6, "color": PAPER},
            },
            hovertext=[hover[row] for row in rows],
            hovertemplate=f"%{{hovertext}}<br>%{{x:.4g}} flop/B, %{{y:.4g}} {unit}<extra></extra>",
        )
        data.append(points)
    axes = go.Layout(
        xaxis=_axis("arithmetic intensity, flop/B", [x for trace in data for x in trace.x]),
        yaxis=_axis(unit, [y for trace in data for y in trace.y]),
        legend=LEGEND,
        hovermode="closest",
    )
    omitted = len(table) - len(drawn)
    note = "area: time"
    if roofs:
        note += f"; roofs measured on {roofs.device}" + (", dashed: theoretical" if roofs.stated_flops_per_s else "")
    if omitted:
        note += f"; {omitted} without FLOPs or bytes omitted"
    return Figure(title=title, data=tuple(data), layout=axes, note=note, wide=wide, height=440 if wide else 360)


def _axis(title: str, values: Sequence[float]) -> dict[str, Any]:
    """Make a logarithmic axis with ticks at powers of ten, and between them for small ranges."""
    few = max(values) < 300 * min(values)
    return {
        "title": title,
        "type": "log",
        "range": [math.log10(min(values)) - _MARGIN, math.log10(max(values)) + _MARGIN],
        "dtick": "D2" if few else 1,
        "exponentformat": "none",
        "tickformat": "~g",
    }


def _hover_texts(table: Table, types: Sequence[Cell]) -> list[str]:
    """Return the hover text of every row."""
    names, kernels, networks = (cells(table, name) for name in ("layer", "kernel", "network"))
    columns = (numbers(table, name) for name in ("latency_ns", "flops", "read_bytes", "written_bytes"))
    texts = []
    for row, (time, *size) in enumerate(zip(*columns, strict=True)):
        lines = (
            f"<b>{plain(kernels[row] or names[row] or networks[row])}</b>",
            plain(names[row]) if kernels[row] else "",
            plain(types[row]),
            "" if time is None else format_ns(time),
            size_text(*size),
        )
        texts.append("<br>".join(line for line in lines if line))
    return texts


def _roofs(roofs: Roofs, intensities: Sequence[float], scale: float) -> list[go.Scatter]:
    """Return a solid line per measured element type, and dashed lines for theoretical roofs."""
    corners = [peak / roofs.copied_bytes_per_s for peak in roofs.flops_per_s.values()]
    ends = min([*intensities, *corners]) / _ROOM, max([*intensities, *corners]) * _ROOM
    return [
        _roof(f"{dtype} {kind}", peak, bandwidth, ends, scale, dash)
        for kind, dash, peaks, bandwidth in (
            ("measured", "solid", roofs.flops_per_s, roofs.copied_bytes_per_s),
            ("theoretical", "dash", roofs.stated_flops_per_s, roofs.stated_bytes_per_s),
        )
        for dtype, peak in sorted(peaks.items(), key=lambda pair: -pair[1])
    ]


def _roof(
    name: str, peak: float, bandwidth: float | None, ends: tuple[float, float], scale: float, dash: str
) -> go.Scatter:
    """Return the line of a bandwidth up to a peak, or of the peak alone if the bandwidth is unknown."""
    first, last = ends
    corner = peak / bandwidth if bandwidth else first
    xs = [first, corner, last] if first < corner < last else [first, last]
    divisor, unit = step_of("flop/s", [peak])
    hover = f"{name}: {peak / divisor:.4g} {unit}" + (f", {bandwidth / 1e9:.4g} GB/s" if bandwidth else "")
    return go.Scatter(
        mode="lines+text",
        name=name,
        showlegend=False,
        text=[*[""] * (len(xs) - 1), name],
        textposition="top left",
        textfont={"color": FAINT, "size": 11},
        x=xs,
        y=[(min(peak, x * bandwidth) if bandwidth else peak) / scale for x in xs],
        line={"color": FAINT, "width": 1.6, "dash": dash},
        hovertemplate=f"{hover}<extra></extra>",
    )
