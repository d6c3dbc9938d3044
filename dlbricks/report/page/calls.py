"""Charts of calls and devices: tracing levels, batches, kernels, clocks."""

from collections.abc import Sequence
from typing import Any

from dlbricks.analysis.runs import LevelOverhead
from dlbricks.analysis.table import Table
from dlbricks.profile.types import LevelRun
from dlbricks.report.page.charts import bar_width, cells, numbers, plain
from dlbricks.report.page.plot import (
    BLUE,
    GREEN,
    LAYERS,
    LEGEND,
    ORANGE,
    RED,
    divided,
    interval,
    layout,
    rows_layout,
)
from dlbricks.report.page.plot import (
    graph_objects as go,
)
from dlbricks.report.page.sheets import step_of
from dlbricks.report.page.types import Figure
from dlbricks.trace.devices import LOWERED, DeviceSamples, throttle_text

_MOST_NAMES = 12
_COLOURS = (BLUE, ORANGE, GREEN, "#b07aa1", "#76b7b2", "#9c755f")
_GAP = 0.08
"""Gap between stacked subplots, as a share of the height."""


def level_overhead(overheads: Sequence[LevelOverhead]) -> Figure | None:
    """Plot the latency of a call at each tracing level, with intervals; None for a single level."""
    if len({row.levels for row in overheads}) < 2:
        return None
    scale, unit = step_of("ns", [max(row.latency.median_ns for row in overheads)])
    data = []
    for levels, name, colour in (
        ("M", "call alone (M)", BLUE),
        ("ML", "and layers (ML)", ORANGE),
        ("MLK", "and kernels (MLK)", RED),
    ):
        rows = [row for row in overheads if row.levels == levels]
        medians = [row.latency.median_ns for row in rows]
        low, high = [row.latency.low_ns for row in rows], [row.latency.high_ns for row in rows]
        bars = go.Bar(
            name=name,
            x=[f"batch {row.batch}" for row in rows],
            y=divided(medians, scale),
            error_y=interval(medians, low, high, scale),
            marker_color=colour,
            text=["" if row.relative is None else f"{row.relative:+.1%}" for row in rows],
            textposition="inside",
            insidetextanchor="end",
            hovertemplate=f"%{{x}}, %{{fullData.name}}: %{{y:.5g}} {unit}<extra></extra>",
        )
        data += [bars] if rows else []
    return Figure(
        title="Overhead of each tracing level",
        data=tuple(data),
        layout=layout("", f"latency of a call, {unit}", barmode="group", xaxis_type="category"),
        note="published latencies are those of the call alone",
        wide=False,
        height=290,
    )


def batches(table: Table) -> Figure | None:
    """Plot throughput and latency over batches (A1); None for a single batch."""
    batch, rate, latency = (numbers(table, name) for name in ("batch", "throughput_per_s", "latency_ns"))
    rows = [row for row in range(len(table)) if batch[row] and rate[row] and latency[row]]
    if len(rows) < 2:
        return None
    scale, unit = step_of("ns", [latency[row] or 0.0 for row in rows])
    optimal = [row for row in rows if cells(table, "optimal")[row]]
    x, rates = [batch[row] for row in rows], [rate[row] for row in rows]
    data = [
        _line("throughput", x, rates, BLUE, "batch %{x}: %{y:.4g} inputs/s"),
        _line(
            "latency",
            x,
            divided([latency[row] for row in rows], scale),
            ORANGE,
            f"batch %{{x}}: %{{y:.4g}} {unit}",
            yaxis="y2",
        ),
    ]
    if optimal:
        ring = go.Scatter(
            mode="markers",
            name="optimal batch",
            x=[batch[row] for row in optimal],
            y=[rate[row] for row in optimal],
            marker={"symbol": "circle-open", "size": 16, "color": GREEN, "line": {"width": 2}},
            hoverinfo="skip",
        )
        data.append(ring)
    right = {"overlaying": "y", "side": "right", "rangemode": "tozero", "showgrid": False, "tickmode": "auto"}
    axes = layout(
        "batch",
        "inputs/s",
        xaxis={"type": "log", "tickvals": x, "ticktext": [f"{size:g}" for size in x if size]},
        yaxis2={"title": f"latency, {unit}", **right},
        margin={"l": 60, "r": 60, "t": 12, "b": 44},
    )
    return Figure(title="Batches", data=tuple(data), layout=axes, wide=False, height=290)


def _line(name: str, x: Sequence[Any], y: Sequence[Any], colour: str, hover: str, **more: Any) -> go.Scatter:
    """Return points that are joined by lines, with a template for their hover text."""
    template = f"{hover}<extra></extra>"
    return go.Scatter(mode="lines+markers", name=name, x=x, y=y, line_color=colour, hovertemplate=template, **more)


def kernels_by_name(table: Table) -> Figure | None:
    """Plot the kernel names with the longest total time (A10, longest first); None without kernels."""
    time, share = numbers(table, "latency_ns"), numbers(table, "share_percent")
    rows = [row for row in range(len(table)) if time[row]][:_MOST_NAMES]
    if not rows:
        return None
    scale, unit = step_of("ns", [time[rows[0]] or 0.0])
    names, count = cells(table, "kernel"), cells(table, "count")
    bars = go.Bar(
        orientation="h",
        x=divided([time[row] for row in rows], scale),
        y=[f"{place + 1}. {_short(str(names[row]))}" for place, row in enumerate(rows)],
        marker_color=BLUE,
        text=[f" x {count[row]}" + (f", {share[row]:.3g} %" if share[row] else "") for row in rows],
        textposition="auto",
        hovertext=[plain(names[row]) for row in rows],
        hovertemplate=f"%{{hovertext}}<br>%{{x:.4g}} {unit}<extra></extra>",
    )
    axes = rows_layout(f"sum over executions in one call, {unit}", bargap=0.2, yaxis_tickfont_size=11, showlegend=False)
    left = len(table) - len(rows)
    note = "executions in a call, and share of its latency" + (f"; {left} more names in A10" if left > 0 else "")
    return Figure(title="Kernels by name", data=(bars,), layout=axes, note=note, height=90 + 24 * len(rows))


def _short(name: str) -> str:
    """Shorten a kernel name to the part before its arguments."""
    text = name.removeprefix("void ").partition("(")[0] or name
    return plain(text if len(text) <= 64 else f"{text[:63]}…")


def device_share(table: Table) -> Figure | None:
    """Plot busy and other time by layer (A13); None without layers."""
    if not len(table):
        return None
    busy, other = numbers(table, "busy_ns"), numbers(table, "other_ns")
    totals = [(one or 0.0) + (two or 0.0) for one, two in zip(busy, other, strict=True)]
    scale, unit = step_of("ns", [max(totals)])
    data = tuple(
        go.Bar(
            name=name,
            x=list(range(len(table))),
            y=divided(values, scale),
            width=bar_width(table),
            marker_color=colour,
            hovertext=[f"<b>{plain(layer)}</b>" for layer in cells(table, "layer")],
            hovertemplate=f"%{{hovertext}}<br>{name} %{{y:.4g}} {unit}<extra></extra>",
        )
        for name, values, colour in (("busy", busy, BLUE), ("other", other, RED))
    )
    whole = sum(totals)
    note = f"busy {sum(time or 0.0 for time in busy) / whole:.1%} of the layers' time" if whole else ""
    axes = layout(LAYERS, unit, barmode="stack", xaxis_showgrid=False)
    return Figure(title=table.title, data=data, layout=axes, note=note, wide=False, height=290)


def device_states(states: Sequence[tuple[LevelRun, Sequence[DeviceSamples]]]) -> Figure | None:
    """Plot the device samples of the first run, one subplot per unit; None without samples.

    Args:
        states: runs with their samples (``analysis.runs.states_of``).
    """
    run, samples = states[0] if states else (None, ())
    lines = [line for line in samples if not line.are_reasons]
    if run is None or not lines:
        return None
    units = list(dict.fromkeys(line.unit for line in lines))
    begin = min(int(line.times_ns[0]) for line in samples)
    several = len({line.lane.device for line in lines}) > 1
    data = [
        _line(
            f"{line.lane.device} {line.quantity}" if several else line.quantity,
            _seconds(line, begin),
            list(line.values),
            _COLOURS[place % len(_COLOURS)],
            f"%{{fullData.name}}: %{{y:.5g}} {line.unit}",
            yaxis=_axis(units.index(line.unit)),
            line_shape="hv",
            marker_size=4,
        )
        for place, line in enumerate(lines)
    ]
    for reasons in (line for line in samples if line.are_reasons):
        data += _lowered(reasons, lines, begin, units)
    height = (1 - _GAP * (len(units) - 1)) / len(units)
    ends = [1 - place * (height + _GAP) for place in range(len(units))]
    axes = {
        f"yaxis{place + 1}": {"title": unit, "domain": [max(0.0, end - height), end]}
        for place, (unit, end) in enumerate(zip(units, ends, strict=True))
    }
    return Figure(
        title="Clocks, power and temperature",
        data=tuple(data),
        layout=go.Layout(
            xaxis={"title": "seconds after the first sample", "anchor": f"y{len(units)}"}, legend=LEGEND, **axes
        ),
        note=f"samples while calls of level {run.levels} were recorded" + (f", batch {run.batch}" if run.batch else ""),
        height=120 + 130 * len(units),
    )


def _lowered(
    reasons: DeviceSamples, lines: Sequence[DeviceSamples], begin: int, units: Sequence[str]
) -> list[go.Scatter]:
    """Mark the samples with lowered clocks and the reasons, on the first curve of the device; empty without any."""
    same = (line for line in lines if line.lane == reasons.lane and len(line.values) == len(reasons.values))
    line = next(same, None)
    places = [place for place, value in enumerate(reasons.values) if int(value) & sum(LOWERED)]
    if line is None or not places:
        return []
    times = _seconds(reasons, begin)
    marks = go.Scatter(
        mode="markers",
        name="clocks lowered",
        x=[times[place] for place in places],
        y=[line.values[place] for place in places],
        yaxis=_axis(units.index(line.unit)),
        marker={"color": RED, "size": 9, "symbol": "x"},
        text=[throttle_text(int(reasons.values[place])) for place in places],
        hovertemplate="clocks lowered: %{text}<extra></extra>",
    )
    return [marks]


def _seconds(samples: DeviceSamples, begin: int) -> list[float]:
    return [round((time - begin) / 1e9, 6) for time in samples.times_ns.tolist()]


def _axis(place: int) -> str:
    return f"y{place + 1}" if place else "y"
