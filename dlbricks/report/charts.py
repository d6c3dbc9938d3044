"""Charts of a report's page, from tables of analyses; a chart without data is None."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from dlbricks.analysis.table import Cell, Floats, Table
from dlbricks.profile.types import LevelRun, Roofs
from dlbricks.report.plot import (
    BLUE,
    FAINT,
    GREEN,
    LAYERS,
    LEGEND,
    ORANGE,
    PALETTE,
    PAPER,
    RED,
    THIN,
    Figure,
    bars,
    cells,
    interval,
    layout,
    numbers,
    plain,
    rows_layout,
    short,
)
from dlbricks.report.plot import graph_objects as go
from dlbricks.report.tables import step_of
from dlbricks.trace.devices import LOWERED, DeviceSamples, throttle_text
from dlbricks.units import format_bytes, format_ns

OTHER = "other types"
OTHER_COLOUR = "#9aa5b1"
# Rows of charts with a bar per kernel name or group of layers; the tables have all.
_MOST_BARS = 12
# A narrower segment of a bar has no room for its label, %.
_LEAST_LABEL = 4.0
# Of stacked subplots, as a share of the height.
_GAP = 0.08
# Marker sizes of the roofline in pixels, for the longest time and for none; areas are proportional to time.
_LARGEST, _SMALLEST = 26.0, 5.0
# Decades between the data of the roofline and the edges, and the factor by which roofs extend beyond it.
_MARGIN, _ROOM = 0.15, 3.0
_ROW_PIXELS = 26


def type_colours(shares: Iterable[Mapping[str, float]]) -> dict[str, str]:
    """Assign colours to the types with the longest total time, the same for all networks of a report.

    Args:
        shares: for each network, the share of time by type.
    """
    total: dict[str, float] = defaultdict(float)
    for types in shares:
        for type_, share in types.items():
            total[type_] += share
    ranked = sorted(total, key=lambda type_: (-total[type_], type_))
    return dict(zip(ranked, PALETTE, strict=False))


def _coloured(types: Iterable[Cell], colours: Mapping[str, str]) -> dict[str, tuple[str, list[int]]]:
    """Return colour and rows of each type that has a colour, and of all other types together."""
    groups: dict[str, list[int]] = {type_: [] for type_ in (*colours, OTHER)}
    for row, type_ in enumerate(types):
        groups[str(type_) if type_ in colours else OTHER].append(row)
    return {type_: (colours.get(type_, OTHER_COLOUR), rows) for type_, rows in groups.items() if rows}


def grouped_shares(table: Table, colours: Mapping[str, str], column: str = "share_percent") -> dict[str, float]:
    """Return the share of each coloured type, and of all others, in a column, %."""
    values = np.nan_to_num(np.maximum(numbers(table, column), 0))
    groups = _coloured(cells(table, "type"), colours)
    return {name: 100 * float(values[rows].sum() / values.sum()) for name, (_, rows) in groups.items() if values.any()}


def latency_by_layer(table: Table, shapes: Sequence[Cell], colours: Mapping[str, str]) -> Figure | None:
    """Plot the latency of every layer (A3), in order of execution, coloured by type.

    Args:
        table: A3.
        shapes: output shapes, one per row, or empty.
        colours: colours of types.
    """
    if not len(table):
        return None
    latency, low, high, shares = (numbers(table, name) for name in ("latency_ns", "low_ns", "high_ns", "share_percent"))
    index, names, types, stages = (cells(table, name) for name in ("index", "layer", "type", "stage"))
    scale, unit = step_of("ns", [np.nanmax(latency, initial=0.0)])
    hover = []
    for row, time in enumerate(latency):
        text = f"<b>{index[row]} {plain(names[row])}</b><br>{plain(types[row])}"
        text += f"<br>{plain(shapes[row])}" if shapes and shapes[row] else ""
        text += "" if np.isnan(time) else f"<br>{format_ns(time)}"
        text += "" if np.isnan(low[row]) else f" ({format_ns(low[row])} to {format_ns(high[row])})"
        hover.append(text + ("" if np.isnan(shares[row]) else f", {shares[row]:.3g} % of all layers"))
    borders = [row - 0.5 for row in range(1, len(stages)) if stages[row] != stages[row - 1]]
    dotted = {"type": "line", "y0": 0, "y1": 1, "yref": "paper", "line": {"color": THIN, "width": 1, "dash": "dot"}}
    return Figure(
        title="Latency by layer",
        data=_layer_bars(table, latency / scale, colours, hover),
        layout=layout(
            LAYERS,
            f"latency, {unit}",
            barmode="overlay",
            xaxis={"showgrid": False, "range": [-0.7, len(table) - 0.3]},
            shapes=[{**dotted, "x0": border, "x1": border} for border in borders],
        ),
        note="median over calls; dotted: thirds of the layers" if borders else "median over calls",
    )


def by_layer(table: Table, column: str, title: str, colours: Mapping[str, str]) -> Figure | None:
    """Plot bytes, FLOPs or time of every layer, in order of execution, coloured by type."""
    values = numbers(table, column)
    if not np.nan_to_num(values).any():
        return None
    scale, unit = step_of(table.column(column).unit, [np.nanmax(np.abs(values))])
    hover = [
        f"<b>{plain(layer)}</b><br>{plain(type_)}" + ("" if np.isnan(value) else f"<br>{value:.4g} {unit}")
        for layer, type_, value in zip(cells(table, "layer"), cells(table, "type"), values / scale, strict=True)
    ]
    data = _layer_bars(table, values / scale, colours, hover)
    axes = layout(LAYERS, unit, barmode="overlay", xaxis_showgrid=False, showlegend=False)
    return Figure(title=title, data=data, layout=axes, wide=False, height=290)


def _layer_bars(table: Table, values: Floats, colours: Mapping[str, str], hover: Sequence[str]) -> tuple[go.Bar, ...]:
    """Return the bars of a value per layer, one trace per colour."""
    return tuple(
        go.Bar(
            name=short(name),
            x=rows,
            y=values[rows],
            width=_bar_width(table),
            marker_color=colour,
            hovertext=[hover[row] for row in rows],
            hoverinfo="text",
        )
        for name, (colour, rows) in _coloured(cells(table, "type"), colours).items()
    )


def _bar_width(table: Table) -> float:
    # Gaps between the bars of many layers are narrower than a pixel, which looks like stripes.
    return 0.88 if len(table) < 300 else 1.0


def device_share(table: Table) -> Figure | None:
    """Plot busy and other time by layer (A13)."""
    if not len(table):
        return None
    busy, other = (np.nan_to_num(numbers(table, name)) for name in ("busy_ns", "other_ns"))
    total = busy.sum() + other.sum()
    scale, unit = step_of("ns", [float((busy + other).max())])
    data = tuple(
        go.Bar(
            name=name,
            x=list(range(len(table))),
            y=values / scale,
            width=_bar_width(table),
            marker_color=colour,
            hovertext=[f"<b>{plain(layer)}</b>" for layer in cells(table, "layer")],
            hovertemplate=f"%{{hovertext}}<br>{name} %{{y:.4g}} {unit}<extra></extra>",
        )
        for name, values, colour in (("busy", busy, BLUE), ("other", other, RED))
    )
    note = f"busy {busy.sum() / total:.1%} of the layers' time" if total else ""
    axes = layout(LAYERS, unit, barmode="stack", xaxis_showgrid=False)
    return Figure(title=table.title, data=data, layout=axes, note=note, wide=False, height=290)


def distribution(
    shares: Mapping[str, Mapping[str, float]], colours: Mapping[str, str], title: str = "Distribution by type"
) -> Figure | None:
    """Plot shares by type, one stacked bar each, without empty ones.

    Args:
        shares: shares by type (``grouped_shares``) for each bar, such as count, time and memory, from bottom to top.
        colours: colours of types.
        title: title of the chart.
    """
    measures = [measure for measure in list(shares)[::-1] if any(shares[measure].values())]
    data = []
    for name in (*colours, OTHER):
        widths = [shares[measure].get(name, 0.0) for measure in measures]
        labels = [f"{short(name)} {width:.3g} %" if width >= _LEAST_LABEL else "" for width in widths]
        colour, inside = colours.get(name, OTHER_COLOUR), {"textposition": "inside", "insidetextanchor": "middle"}
        hover = f"{plain(name)}: %{{x:.3g}} % of %{{y}}"
        if any(widths):
            data.append(bars(widths, measures, colour, hover, name=short(name), text=labels, textangle=0, **inside))
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


def memory_over_time(table: Table) -> Figure | None:
    """Plot memory in use and live bytes after every layer, over time since the start of the call."""
    times, layers = numbers(table, "time_ns"), [plain(layer) for layer in cells(table, "layer")]
    lines = []
    for name, column, colour in (("in use", "in_use_bytes", BLUE), ("live tensors", "live_bytes", ORANGE)):
        used = numbers(table, column)
        rows = [row for row in np.argsort(times, kind="stable").tolist() if not np.isnan(times[row] + used[row])]
        lines += [(name, colour, times[rows], used[rows], [layers[row] for row in rows])] if rows else []
    if not lines:
        return None
    time_scale, time_unit = step_of("ns", [max(float(at.max()) for _, _, at, _, _ in lines)])
    scale, unit = step_of("B", [max(float(used.max()) for _, _, _, used, _ in lines)])
    where = f"%{{y:.4g}} {unit} at %{{x:.4g}} {time_unit}"
    data = tuple(
        go.Scatter(
            mode="lines",
            name=name,
            line={"shape": "hv", "color": colour, "width": 1.6},
            x=at / time_scale,
            y=used / scale,
            hovertext=after,
            hovertemplate=f"<b>%{{hovertext}}</b><br>{name}: {where}<extra></extra>",
        )
        for name, colour, at, used, after in lines
    )
    axes = layout(f"time since the start of the call, {time_unit}", unit, showlegend=True)
    return Figure(title=table.title, data=data, layout=axes, wide=False, height=290)


def headroom(table: Table) -> Figure | None:
    """Plot the groups of layers with the largest headroom to the roofline; the table has the largest first."""
    gained, least = numbers(table, "headroom_ns"), numbers(table, "least_ns")
    rows = np.flatnonzero(gained > 0)[:_MOST_BARS]
    if not len(rows):
        return None
    scale, unit = step_of("ns", [float(np.nanmax(gained[rows] + np.nan_to_num(least[rows])))])
    types, shapes, count, example = (cells(table, name) for name in ("type", "shape", "count", "example"))
    labels = [
        f"{plain(example[row])}: {plain(types[row])} {plain(shapes[row])}"
        + (f" x {count[row]}" if count[row] != 1 else "")
        for row in rows
    ]
    data = tuple(
        bars(values[rows] / scale, labels, colour, f"%{{y}}<br>{name}: %{{x:.4g}} {unit}", name=name)
        for name, values, colour in (("minimum by roofline", least, BLUE), ("headroom", gained, RED))
    )
    axes = rows_layout(f"sum over equal layers, {unit}", barmode="stack", bargap=0.2, yaxis_tickfont_size=11)
    note = "equal layers are summed"
    return Figure(title=table.title, data=data, layout=axes, note=note, height=90 + 24 * len(rows))


def kernels_by_name(table: Table) -> Figure | None:
    """Plot the kernel names with the longest total time (A10, longest first)."""
    time, share = numbers(table, "latency_ns"), numbers(table, "share_percent")
    rows = np.flatnonzero(time > 0)[:_MOST_BARS].tolist()
    if not rows:
        return None
    scale, unit = step_of("ns", [time[rows[0]]])
    names, count = [str(name) for name in cells(table, "kernel")], cells(table, "count")
    # The arguments of a C++ template are longer than the chart is wide.
    brief = [names[row].removeprefix("void ").partition("(")[0] or names[row] for row in rows]
    bar = bars(
        time[rows] / scale,
        [f"{place}. {plain(text if len(text) <= 64 else f'{text[:63]}…')}" for place, text in enumerate(brief, 1)],
        BLUE,
        f"%{{hovertext}}<br>%{{x:.4g}} {unit}",
        text=[f" x {count[row]}" + (f", {share[row]:.3g} %" if share[row] > 0 else "") for row in rows],
        textposition="auto",
        hovertext=[plain(names[row]) for row in rows],
    )
    axes = rows_layout(f"sum over executions in one call, {unit}", bargap=0.2, yaxis_tickfont_size=11, showlegend=False)
    rest = len(table) - len(rows)
    note = "executions in a call, and share of its latency" + (f"; {rest} more names in A10" if rest > 0 else "")
    return Figure(title="Kernels by name", data=(bar,), layout=axes, note=note, height=90 + 24 * len(rows))


def level_overhead(table: Table) -> Figure | None:
    """Plot the latency of a call at each tracing level, with intervals; None for a single level."""
    levels, batch = cells(table, "levels"), cells(table, "batch")
    if len(set(levels)) < 2:
        return None
    columns = ("latency_ns", "low_ns", "high_ns", "added_percent")
    latency, low, high, added = (numbers(table, name) for name in columns)
    scale, unit = step_of("ns", [latency.max()])
    data = []
    for level, name, colour in (
        ("M", "call alone (M)", BLUE),
        ("ML", "and layers (ML)", ORANGE),
        ("MLK", "and kernels (MLK)", RED),
    ):
        rows = [row for row, each in enumerate(levels) if each == level]
        trace = go.Bar(
            name=name,
            x=[f"batch {batch[row]}" for row in rows],
            y=latency[rows] / scale,
            error_y=interval(latency[rows], low[rows], high[rows], scale),
            marker_color=colour,
            text=["" if np.isnan(added[row]) else f"{added[row]:+.1f}%" for row in rows],
            textposition="inside",
            insidetextanchor="end",
            hovertemplate=f"%{{x}}, %{{fullData.name}}: %{{y:.5g}} {unit}<extra></extra>",
        )
        data += [trace] if rows else []
    axes = layout("", f"latency of a call, {unit}", barmode="group", xaxis_type="category")
    note, title = "published latencies are those of the call alone", "Overhead of each tracing level"
    return Figure(title=title, data=tuple(data), layout=axes, note=note, wide=False, height=290)


def batches(table: Table) -> Figure | None:
    """Plot throughput and latency over batches (A1); None for a single batch."""
    batch, rate, latency = (numbers(table, name) for name in ("batch", "throughput_per_s", "latency_ns"))
    rows = np.flatnonzero((batch > 0) & (rate > 0) & (latency > 0))
    if len(rows) < 2:
        return None
    scale, unit = step_of("ns", latency[rows].tolist())
    sizes = batch[rows].tolist()
    data = [
        _line("throughput", sizes, rate[rows], BLUE, "batch %{x}: %{y:.4g} inputs/s"),
        _line("latency", sizes, latency[rows] / scale, ORANGE, f"batch %{{x}}: %{{y:.4g}} {unit}", yaxis="y2"),
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


def _line(name: str, x: Any, y: Any, colour: str, hover: str, **more: Any) -> go.Scatter:
    """Return points that are joined by lines, with a template for their hover text."""
    template = f"{hover}<extra></extra>"
    return go.Scatter(mode="lines+markers", name=name, x=x, y=y, line_color=colour, hovertemplate=template, **more)


def device_states(states: Sequence[tuple[LevelRun, Sequence[DeviceSamples]]]) -> Figure | None:
    """Plot the device samples of the first run, one subplot per unit.

    Args:
        states: runs with their samples (``analysis.runs.states_of``).
    """
    run, samples = states[0] if states else (None, ())
    lines = [line for line in samples if not line.are_reasons]
    if run is None or not lines:
        return None
    units = list(dict.fromkeys(line.unit for line in lines))
    axes_of = {unit: f"y{place}" if place > 1 else "y" for place, unit in enumerate(units, 1)}
    begin = min(int(line.times_ns[0]) for line in samples)
    several = len({line.lane.device for line in lines}) > 1
    data = []
    for place, line in enumerate(lines):
        name = f"{line.lane.device} {line.quantity}" if several else line.quantity
        colour, hover = PALETTE[place % len(PALETTE)], f"%{{fullData.name}}: %{{y:.5g}} {line.unit}"
        steps = {"yaxis": axes_of[line.unit], "line_shape": "hv", "marker_size": 4}
        data.append(_line(name, _seconds(line, begin), list(line.values), colour, hover, **steps))
    for reasons in (line for line in samples if line.are_reasons):
        # Marks lie on the first curve of the same device.
        same = (line for line in lines if line.lane == reasons.lane and len(line.values) == len(reasons.values))
        places = [place for place, value in enumerate(reasons.values) if int(value) & sum(LOWERED)]
        if places and (curve := next(same, None)) is not None:
            marks = go.Scatter(
                mode="markers",
                name="clocks lowered",
                x=[_seconds(reasons, begin)[place] for place in places],
                y=[curve.values[place] for place in places],
                yaxis=axes_of[curve.unit],
                marker={"color": RED, "size": 9, "symbol": "x"},
                text=[throttle_text(int(reasons.values[place])) for place in places],
                hovertemplate="clocks lowered: %{text}<extra></extra>",
            )
            data.append(marks)
    height = (1 - _GAP * (len(units) - 1)) / len(units)
    ends = [1 - place * (height + _GAP) for place in range(len(units))]
    axes = {
        f"yaxis{place}": {"title": unit, "domain": [max(0.0, end - height), end]}
        for place, (unit, end) in enumerate(zip(units, ends, strict=True), 1)
    }
    below = {"title": "seconds after the first sample", "anchor": f"y{len(units)}"}
    return Figure(
        title="Clocks, power and temperature",
        data=tuple(data),
        layout=go.Layout(xaxis=below, legend=LEGEND, **axes),
        note=f"samples while calls of level {run.levels} were recorded" + (f", batch {run.batch}" if run.batch else ""),
        height=120 + 130 * len(units),
    )


def _seconds(samples: DeviceSamples, begin: int) -> list[float]:
    return [round((time - begin) / 1e9, 6) for time in samples.times_ns.tolist()]


def network_latencies(networks: Table, titles: Sequence[str], *, wide: bool) -> Figure | None:
    """Plot the latency of every network with its interval."""
    latency, low, high, batch = (numbers(networks, name) for name in ("latency_ns", "low_ns", "high_ns", "batch"))
    rows = np.flatnonzero(latency > 0).tolist()
    if not rows:
        return None
    scale, unit = step_of("ns", latency[rows].tolist())
    bar = bars(
        latency[rows] / scale,
        [plain(titles[row]) for row in rows],
        BLUE,
        f"%{{y}}: %{{x:.5g}} {unit}",
        error_x=interval(latency[rows], low[rows], high[rows], scale),
        text=[f"  {format_ns(latency[row])}" + (f", batch {batch[row]:g}" if batch[row] > 0 else "") for row in rows],
        textposition="auto",
        insidetextanchor="start",
    )
    height = 130 + _ROW_PIXELS * len(rows)
    axes = rows_layout(f"latency of a call, {unit}", yaxis_type="category", showlegend=False)
    note, height = "smallest batch; median and 95 % interval", height if wide else max(360, height)
    return Figure(title="Latency", data=(bar,), layout=axes, note=note, wide=wide, height=height)


def roofline(
    table: Table,
    types: Sequence[Cell],
    roofs: Roofs | None,
    colours: Mapping[str, str],
    title: str,
    *,
    wide: bool = True,
) -> Figure | None:
    """Plot rate over arithmetic intensity of layers or kernels (A9, A14) with the roofs of a machine.

    Both axes are logarithmic (Williams et al., CACM 52-4, 2009).

    Args:
        table: with ``intensity`` and ``flops_per_s``; rows without FLOPs or bytes are omitted.
        types: layer type of each row.
        roofs: measured roofs are solid, theoretical roofs dashed; None for no roofs.
        colours: colours of types.
        title: title of the chart.
        wide: see ``Figure``.
    """
    intensity, rate = numbers(table, "intensity"), numbers(table, "flops_per_s")
    drawn = np.flatnonzero((intensity > 0) & (rate > 0))
    if not len(drawn):
        return None
    scale, unit = step_of("flop/s", [rate[drawn].max()])
    times = np.nan_to_num(numbers(table, "latency_ns"))
    sizes = _SMALLEST + (_LARGEST - _SMALLEST) * np.sqrt(times / (times[drawn].max() or 1.0))
    data = _roofs(roofs, intensity[drawn], scale) if roofs else []
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
    axes = go.Layout(
        xaxis=_log_axis("arithmetic intensity, flop/B", [x for trace in data for x in trace.x]),
        yaxis=_log_axis(unit, [y for trace in data for y in trace.y]),
        legend=LEGEND,
        hovermode="closest",
    )
    omitted, note = len(table) - len(drawn), "area: time"
    if roofs:
        note += f"; roofs measured on {roofs.device}" + (", dashed: theoretical" if roofs.stated_flops_per_s else "")
    if omitted:
        note += f"; {omitted} without FLOPs or bytes omitted"
    return Figure(title=title, data=tuple(data), layout=axes, note=note, wide=wide, height=440 if wide else 360)


def _log_axis(title: str, values: Sequence[float]) -> dict[str, Any]:
    low, high = min(values), max(values)
    return {
        "title": title,
        "type": "log",
        "range": [math.log10(low) - _MARGIN, math.log10(high) + _MARGIN],
        # Powers of ten alone would leave an axis of few decades with a single label.
        "dtick": "D2" if high < 300 * low else 1,
        "exponentformat": "none",
        "tickformat": "~g",
    }


def _work_texts(table: Table, types: Sequence[Cell]) -> list[str]:
    """Return the hover text of every layer or kernel."""
    names, kernels, networks = (cells(table, name) for name in ("layer", "kernel", "network"))
    columns = (numbers(table, name) for name in ("latency_ns", "flops", "read_bytes", "written_bytes"))
    texts = []
    for row, (time, flops, read, written) in enumerate(zip(*columns, strict=True)):
        scale, unit = step_of("flop", [flops])
        work = [] if np.isnan(flops) else [f"{flops / scale:.4g} {unit}"]
        work += [] if np.isnan(read + written) else [f"{format_bytes(read)} read, {format_bytes(written)} written"]
        lines = (
            f"<b>{plain(kernels[row] or names[row] or networks[row])}</b>",
            plain(names[row]) if kernels[row] else "",
            plain(types[row]),
            "" if np.isnan(time) else format_ns(time),
            "; ".join(work),
        )
        texts.append("<br>".join(filter(None, lines)))
    return texts


def _roofs(roofs: Roofs, intensities: Floats, scale: float) -> list[go.Scatter]:
    """Return a solid line per measured element type, and dashed lines for theoretical roofs."""
    extent = [*intensities, *(peak / roofs.copied_bytes_per_s for peak in roofs.flops_per_s.values())]
    first, last = min(extent) / _ROOM, max(extent) * _ROOM
    lines = []
    for kind, dash, peaks, bandwidth in (
        ("measured", "solid", roofs.flops_per_s, roofs.copied_bytes_per_s),
        ("theoretical", "dash", roofs.stated_flops_per_s, roofs.stated_bytes_per_s),
    ):
        for dtype, peak in sorted(peaks.items(), key=lambda pair: -pair[1]):
            # Without a bandwidth only the peak is known, which is a flat line.
            corner, name = peak / bandwidth if bandwidth else first, f"{dtype} {kind}"
            xs = [first, corner, last] if first < corner < last else [first, last]
            divisor, unit = step_of("flop/s", [peak])
            hover = f"{name}: {peak / divisor:.4g} {unit}" + (f", {bandwidth / 1e9:.4g} GB/s" if bandwidth else "")
            line = go.Scatter(
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
            lines.append(line)
    return lines
