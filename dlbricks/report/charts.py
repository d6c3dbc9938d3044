"""Charts and other elements of the report page, built from tables of analyses. A chart without data is None.

This module imports plotly at the top, so only code that needs charts imports it.
"""

import html
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dlbricks.analysis.table import Cell, Floats, Table
from dlbricks.errors import missing_extra
from dlbricks.report.tables import format_cell, step_of
from dlbricks.report.timeline import Timeline
from dlbricks.trace.types import Roofs
from dlbricks.units import format_ns

try:
    from plotly import graph_objects as go
except ImportError as error:
    raise missing_extra("a report needs plotly", "report") from error

# plotly accepts only valid colours. So the theme's colours are colour names that no chart uses; report.js replaces
# them.
FAINT, THIN, PAPER = "gray", "silver", "white"
BLUE, ORANGE, GREEN, RED = "#4e79a7", "#f28e2b", "#59a14f", "#e15759"
# The colours of Tableau 10, without its grey.
PALETTE = (BLUE, ORANGE, GREEN, RED, "#b07aa1", "#edc948", "#76b7b2", "#9c755f", "#ff9da7")

# Position of a legend: above the chart, left-aligned.
LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font_size": 12, "traceorder": "normal"}
# Most characters of a hover label, and of a name in a legend with several entries.
_HOVER_LETTERS, _LEGEND_LETTERS = 120, 30
OTHER = "other types"
OTHER_COLOUR = "#9aa5b1"
# Least width in % of a bar's segment that gets a label: a narrower one has no room for it.
_LEAST_LABEL = 4.0
# Marker sizes of the roofline in pixels: of the longest time, and of time 0. The area is proportional to the time.
_LARGEST, _SMALLEST = 26.0, 5.0
# Decades between the data of the roofline and the axes' ends, and factor by which the drawn limits exceed the data.
_MARGIN, _ROOM, _LABEL_ROOM = 0.15, 3.0, 10.0
# Factor by which the axis exceeds the highest limit, so that its label has room.
_ABOVE = 2.0
# Least ratio of two limits with labels of their own, and least share of the axis between them; nearer labels would be
# printed over each other.
_LABEL_APART, _LABEL_SHARE = 1.5, 0.045


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A key figure on the page, with its label."""

    label: str
    value: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A chart on the page."""

    title: str
    data: tuple[Any, ...]
    """Series, as plotly's trace objects."""
    layout: Any
    """Layout, a ``plotly.graph_objects.Layout``."""
    note: str = ""
    """Caption, one line."""
    wide: bool = True
    """Whether the chart takes the full width of the page; otherwise half of it."""
    height: int = 340
    """Pixels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """A section of the page: charts and tables of one network, or a comparison of several."""

    title: str
    facts: tuple[tuple[str, str], ...] = ()
    """Pairs of label and text on the machine, the runtime and the settings."""
    lead: tuple[Any, ...] = ()
    """The first lines and tables, as ``panels.lead_of`` returns them."""
    uses: tuple[tuple[str, float], ...] = ()
    """What the time of a step is used for, in %."""
    cards: tuple[Card, ...] = ()
    notes: tuple[str, ...] = ()
    figures: tuple[Figure, ...] = ()
    sheets: tuple[Mapping[str, Any], ...] = ()
    """Tables as ``report.tables.sheet`` returns them."""
    timeline: Timeline | None = None
    timeline_note: str = ""


def layout(x: str, y: str, **more: Any) -> go.Layout:
    """Return the plotly layout of a chart whose value axis begins at 0."""
    return go.Layout(xaxis_title=x, yaxis_title=y, yaxis_rangemode="tozero", legend=LEGEND, **more)


def cells(table: Table, name: str) -> tuple[Cell, ...]:
    """Return the cells of a column; if the table lacks the column, None for each row."""
    return next((column.cells for column in table.columns if column.name == name), (None,) * len(table))


def numbers(table: Table, name: str) -> Floats:
    """Return the numbers of a column; NaN for an empty cell, and for all rows if the table lacks the column."""
    return np.array([np.nan if cell is None else float(cell) for cell in cells(table, name)])


def plain(text: Cell) -> str:
    """Escape a text for plotly, and shorten it for a hover label."""
    label = "" if text is None else str(text)
    return html.escape(label if len(label) <= _HOVER_LETTERS else f"{label[: _HOVER_LETTERS - 1]}…", quote=False)


def short(text: str) -> str:
    """Shorten a name for a legend, but keep its end, in which names of autograd functions differ."""
    return plain(text if len(text) <= _LEGEND_LETTERS else f"…{text[1 - _LEGEND_LETTERS :]}")


def type_colours(shares: Iterable[Mapping[str, float]]) -> dict[str, str]:
    """Assign colours to the layer types that take most time; an item of ``shares`` has a network's shares of time."""
    total: dict[str, float] = defaultdict(float)
    for types in shares:
        for type_, share in types.items():
            total[type_] += share
    ranked = sorted(total, key=lambda type_: (-total[type_], type_))
    return dict(zip(ranked, PALETTE, strict=False))


def _coloured(types: Iterable[Cell], colours: Mapping[str, str]) -> dict[str, tuple[str, list[int]]]:
    # Types that have no colour form one group.
    groups: dict[str, list[int]] = {type_: [] for type_ in (*colours, OTHER)}
    for row, type_ in enumerate(types):
        groups[str(type_) if type_ in colours else OTHER].append(row)
    return {type_: (colours.get(type_, OTHER_COLOUR), rows) for type_, rows in groups.items() if rows}


def grouped_shares(table: Table, colours: Mapping[str, str], column: str = "share_percent") -> dict[str, float]:
    """Return the share of each layer type with a colour in the sum of a column, in %; other types are summed up."""
    values = np.nan_to_num(np.maximum(numbers(table, column), 0))
    groups = _coloured(cells(table, "type"), colours)
    return {name: 100 * float(values[rows].sum() / values.sum()) for name, (_, rows) in groups.items() if values.any()}


def by_layer(
    table: Table,
    column: str,
    title: str,
    colours: Mapping[str, str],
    *,
    shapes: Sequence[Cell] = (),
    wide: bool = False,
) -> Figure | None:
    """Plot a column of bytes, FLOPs or time for every layer in order of execution, coloured by layer type.

    The hover text of a layer shows its output shape (``shapes``). Dotted lines separate thirds of the layers.
    """
    values = numbers(table, column)
    if not np.nan_to_num(values).any():
        return None
    base = table.column(column).unit
    scale, unit = step_of(base, [np.nanmax(np.abs(values))])
    names, types, stages, lows, highs = (cells(table, name) for name in ("layer", "type", "stage", "low_ns", "high_ns"))
    hover = []
    for row, cell in enumerate(cells(table, column)):
        spread = "" if lows[row] is None else f" ({format_cell(lows[row], 'ns')} to {format_cell(highs[row], 'ns')})"
        lines = (f"<b>{plain(names[row])}</b>", plain(types[row]), plain(shapes[row] if shapes else ""))
        hover.append("<br>".join(filter(None, (*lines, f"{format_cell(cell, base)}{spread}"))))
    data = tuple(
        go.Bar(
            name=short(name),
            x=rows,
            y=values[rows] / scale,
            # Bars without gaps: with many layers the gaps would be narrower than a pixel and look like stripes.
            width=0.88 if len(table) < 300 else 1.0,
            marker_color=colour,
            hovertext=[hover[row] for row in rows],
            hoverinfo="text",
        )
        for name, (colour, rows) in _coloured(types, colours).items()
    )
    borders = [row - 0.5 for row in range(1, len(stages)) if stages[row] != stages[row - 1]]
    dotted = {"type": "line", "y0": 0, "y1": 1, "yref": "paper", "line": {"color": THIN, "width": 1, "dash": "dot"}}
    axes = layout(
        "layer, in order of execution",
        unit,
        barmode="overlay",
        showlegend=wide,
        xaxis={"showgrid": False, "range": [-0.7, len(table) - 0.3]},
        shapes=[{**dotted, "x0": border, "x1": border} for border in borders],
    )
    note = "dotted lines: borders of the first, middle and last third of the layers" if borders else ""
    return Figure(title=title, data=data, layout=axes, note=note, wide=wide, height=340 if wide else 290)


def distribution(
    shares: Mapping[str, Mapping[str, float]], colours: Mapping[str, str], title: str = "Distribution by type"
) -> Figure | None:
    """Plot the shares of layer types as stacked bars, one bar for each measure in ``shares``."""
    measures = [measure for measure in list(shares)[::-1] if any(shares[measure].values())]
    data = []
    for name in (*colours, OTHER):
        widths = [shares[measure].get(name, 0.0) for measure in measures]
        labels = [f"{short(name)} {width:.3g} %" if width >= _LEAST_LABEL else "" for width in widths]
        colour, inside = colours.get(name, OTHER_COLOUR), {"textposition": "inside", "insidetextanchor": "middle"}
        hover = f"{plain(name)}: %{{x:.3g}} % of %{{y}}"
        if any(widths):
            how = {"orientation": "h", "name": short(name), "marker_color": colour, "text": labels, "textangle": 0}
            data.append(go.Bar(x=widths, y=measures, hovertemplate=f"{hover}<extra></extra>", **how, **inside))
    axes = layout(
        "share, %",
        "",
        barmode="stack",
        bargap=0.25,
        xaxis_range=[0, 100],
        yaxis_ticklabelstandoff=6,
        showlegend=True,
        uniformtext={"mode": "hide", "minsize": 11},
    )
    height = 130 + 42 * len(measures)
    return Figure(title=title, data=tuple(data), layout=axes, height=height) if data else None


def network_latencies(networks: Table, titles: Sequence[str], *, wide: bool) -> Figure | None:
    """Plot the latency of every network with its interval; the first network is on top."""
    latency, low, high, batch = (numbers(networks, name) for name in ("latency_ns", "low_ns", "high_ns", "batch"))
    rows = np.flatnonzero(latency > 0).tolist()
    if not rows:
        return None
    scale, unit = step_of("ns", [float(latency[rows].max())])
    # unknown ends of intervals are not drawn
    above, below = (np.nan_to_num(np.maximum(reach, 0))[rows] for reach in (high - latency, latency - low))
    bars = go.Bar(
        orientation="h",
        name="latency",
        x=latency[rows] / scale,
        y=[plain(titles[row]) for row in rows],
        marker_color=BLUE,
        text=[f"  {format_ns(latency[row])}" + (f", batch {batch[row]:g}" if batch[row] > 0 else "") for row in rows],
        textposition="auto",
        error_x={"array": above / scale, "arrayminus": below / scale, "color": FAINT, "thickness": 1.2},
        hovertemplate=f"%{{y}}<br>latency: %{{x:.4g}} {unit}<extra></extra>",
    )
    axes = go.Layout(
        xaxis={"title": f"latency of a call, {unit}", "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "type": "category", "tickfont_size": 11},
        bargap=0.2,
    )
    note, height = "at the smallest batch size; median and 95 % interval", 90 + 26 * len(rows)
    return Figure(
        title="Latency", data=(bars,), layout=axes, note=note, wide=wide, height=height if wide else max(360, height)
    )


def batches(table: Table) -> Figure | None:
    """Plot throughput and latency by batch size (analysis A1); None if there is only one batch size."""
    batch, rate, latency = (numbers(table, name) for name in ("batch", "throughput_per_s", "latency_ns"))
    rows = np.flatnonzero((batch > 0) & (rate > 0) & (latency > 0))
    if len(rows) < 2:
        return None
    scale, unit = step_of("ns", latency[rows].tolist())
    sizes = batch[rows].tolist()
    data = [
        go.Scatter(
            mode="lines+markers",
            name=name,
            x=sizes,
            y=values,
            line_color=colour,
            yaxis=axis,
            hovertemplate=f"batch %{{x}}: %{{y:.4g}} {its_unit}<extra></extra>",
        )
        for name, values, colour, axis, its_unit in (
            ("throughput", rate[rows], BLUE, "y", "inputs/s"),
            ("latency", latency[rows] / scale, ORANGE, "y2", unit),
        )
    ]
    optimal = [row for row in rows if cells(table, "optimal")[row]]
    marker = {"symbol": "circle-open", "size": 16, "color": GREEN, "line": {"width": 2}}
    ring = {"mode": "markers", "name": "optimal batch", "marker": marker, "hoverinfo": "skip"}
    data += [go.Scatter(x=batch[optimal], y=rate[optimal], **ring)] if optimal else []
    right = {"overlaying": "y", "side": "right", "rangemode": "tozero", "showgrid": False, "tickmode": "auto"}
    axes = layout(
        "batch",
        "inputs/s",
        xaxis={"type": "log", "tickvals": sizes, "ticktext": [f"{size:g}" for size in sizes]},
        yaxis2={"title": f"latency, {unit}", **right},
        margin={"l": 60, "r": 60, "t": 12, "b": 44},
    )
    return Figure(title="Batches", data=tuple(data), layout=axes, wide=False, height=290)


def roofline(
    table: Table,
    types: Sequence[Cell],
    roofs: Roofs | None,
    colours: Mapping[str, str],
    title: str,
    *,
    wide: bool = True,
) -> Figure | None:
    """Plot the FLOP/s of layers or kernels over their FLOPs per byte, with the limits of a machine.

    Both axes are logarithmic (Williams et al., CACM 52-4, 2009). ``types`` has the layer type of each row. Rows without
    FLOPs or bytes are left out. Measured limits are solid lines, theoretical limits are dashed.
    """
    intensity, rate = numbers(table, "intensity"), numbers(table, "flops_per_s")
    drawn = np.flatnonzero((intensity > 0) & (rate > 0))
    if not len(drawn):
        return None
    scale, unit = step_of("flop/s", [rate[drawn].max()])
    times = np.nan_to_num(numbers(table, "latency_ns"))
    sizes = _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(times / (times[drawn].max() or 1.0))
    data, labels = _roofs(roofs, intensity[drawn], scale, rate[drawn].min() / scale) if roofs else ([], [])
    hover = _work_texts(table, types)
    for name, (colour, places) in _coloured([types[row] for row in drawn.tolist()], colours).items():
        rows = drawn[places]
        points = go.Scatter(
            mode="markers",
            name=short(name),
            x=intensity[rows],
            y=rate[rows] / scale,
            marker={"color": colour, "size": sizes[rows], "opacity": 0.75, "line": {"width": 0.6, "color": PAPER}},
            hovertext=[hover[row] for row in rows],
            hovertemplate=f"%{{hovertext}}<br>%{{x:.4g}} flop/B, %{{y:.4g}} {unit}<extra></extra>",
        )
        data.append(points)
    rates = [y for trace in data for y in trace.y]
    axes = go.Layout(
        xaxis=_log_axis("arithmetic intensity, flop/B", [x for trace in data for x in trace.x]),
        yaxis=_log_axis(unit, [*rates, _ABOVE * max(rates)] if roofs else rates),
        legend=LEGEND,
        hovermode="closest",
    )
    omitted, note = len(table) - len(drawn), "area of a marker: time"
    if roofs:
        dashed = f", dashed: theoretical ({roofs.source})" if roofs.measured and roofs.stated_flops_per_s else ""
        note += f"; {'limits measured on' if roofs.measured else 'theoretical limits of'} {roofs.device}{dashed}"
    if omitted:
        note += f"; {omitted} without FLOPs or bytes left out"
    return Figure(title=title, data=(*data, *labels), layout=axes, note=note, wide=wide, height=440 if wide else 360)


def _log_axis(title: str, values: Sequence[float]) -> dict[str, Any]:
    low, high = min(values), max(values)
    return {
        "title": title,
        "type": "log",
        "range": [math.log10(low) - _MARGIN, math.log10(high) + _MARGIN],
        # With only the powers of ten an axis of few decades would have a single label.
        "dtick": "D2" if high < 300 * low else 1,
        "exponentformat": "none",
        "tickformat": "~g",
    }


def _work_texts(table: Table, types: Sequence[Cell]) -> list[str]:
    names = ("kernel", "layer", "network", "latency_ns", "flops", "read_bytes", "written_bytes")
    texts = []
    for type_, *row in zip(types, *(cells(table, name) for name in names), strict=True):
        kernel, layer, network, time, flops, read, written = row
        moved = "" if None in (read, written) else f"{format_cell(read, 'B')} read, {format_cell(written, 'B')} written"
        lines = (f"<b>{plain(kernel or layer or network)}</b>", plain(layer) if kernel else "", plain(type_))
        texts.append("<br>".join(filter(None, (*lines, format_cell(time, "ns"), format_cell(flops, "flop"), moved))))
    return texts


def _roofs(roofs: Roofs, intensities: Floats, scale: float, low: float) -> tuple[list[go.Scatter], list[go.Scatter]]:
    # Return lines and labels, which are drawn above the points. Measured limits are solid lines, one for each element
    # type; theoretical limits are dashed. Labels of flat lines are at the left end, where other lines are low. Lines of
    # one side that are too close for two labels share the label of the upper one.
    extent = [*intensities, *(peak / roofs.copied_bytes_per_s for peak in roofs.flops_per_s.values())]
    first, last = min(extent) / _ROOM, max(extent) * _LABEL_ROOM
    # boost exceeds the clock that is reported now
    stated = "without boost" if "boost not counted" in roofs.source else "theoretical"
    lines = []
    for kind, dash, peaks, bandwidth in (
        ("measured", "solid", roofs.flops_per_s if roofs.measured else {}, roofs.copied_bytes_per_s),
        (stated, "dash", roofs.stated_flops_per_s, roofs.stated_bytes_per_s),
    ):
        for dtype, peak in sorted(peaks.items(), key=lambda pair: -pair[1]):
            # If the bandwidth is unknown, there is only the peak, a horizontal line.
            corner, name = peak / bandwidth if bandwidth else first, f"{dtype} {kind}"
            xs = [first, corner, last] if first < corner < last else [first, last]
            divisor, unit = step_of("flop/s", [peak])
            hover = f"{name}: {peak / divisor:.4g} {unit}" + (f", {bandwidth / 1e9:.4g} GB/s" if bandwidth else "")
            line = go.Scatter(
                mode="lines",
                name=name,
                showlegend=False,
                x=xs,
                y=[(min(peak, x * bandwidth) if bandwidth else peak) / scale for x in xs],
                line={"color": FAINT, "width": 1.6, "dash": dash},
                hovertemplate=f"{hover}<extra></extra>",
            )
            lines.append(line)
    apart = max(_LABEL_APART, (max((line.y[-1] for line in lines), default=low) / low) ** _LABEL_SHARE)
    heads: list[tuple[float, float, list[str]]] = []
    below = 0.0
    for line in sorted(lines, key=lambda line: (line.y[0] != line.y[-1], -line.y[-1])):
        x = first if line.y[0] == line.y[-1] else last
        if not heads or heads[-1][0] != x or line.y[-1] * apart < below:
            heads.append((x, line.y[-1], []))
        heads[-1][2].append(line.name.removesuffix(" measured"))
        below = line.y[-1]
    labels = go.Scatter(
        mode="text",
        showlegend=False,
        hoverinfo="skip",
        x=[x for x, *_ in heads],
        y=[height for _, height, _ in heads],
        text=[", ".join(names).replace(f" {stated},", f" {stated}," if roofs.measured else ",") for *_, names in heads],
        textposition=["top right" if x == first else "top left" for x, *_ in heads],
        textfont={"color": FAINT, "size": 11, "shadow": "auto"},
    )
    return lines, [labels]
