"""Charts of calls and devices as plotly.js JSON: tracing levels, batches, kernels, clocks."""

from collections.abc import Sequence
from typing import Any

from dlbricks.analysis.runs import LevelOverhead
from dlbricks.analysis.table import Table
from dlbricks.profile.types import LevelRun
from dlbricks.report.page.charts import LEGEND, bar_width, cells, divided, numbers, plain
from dlbricks.report.page.sheets import step_of
from dlbricks.report.page.types import Figure
from dlbricks.trace.devices import LOWERED, DeviceSamples, throttle_text


def level_overhead(found: Sequence[LevelOverhead]) -> Figure | None:
    """Plot the latency of a call at each tracing level, with intervals; None for a single level."""
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
        title="Overhead of each tracing level",
        data=tuple(data),
        layout=layout,
        note="published latencies are those of the call alone",
        wide=False,
        height=290,
    )


def batches(table: Table) -> Figure | None:
    """Plot throughput and latency over batches (A1); None for a single batch."""
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


def kernels_by_name(table: Table) -> Figure | None:
    """Plot the kernel names with the longest total time (A10, longest first); None without kernels."""
    time, share = numbers(table, "latency_ns"), numbers(table, "share_percent")
    rows = [row for row in range(len(table)) if time[row]][:_MOST_NAMES]
    if not rows:
        return None
    scale, unit = step_of("ns", [time[rows[0]] or 0.0])
    names, count = cells(table, "kernel"), cells(table, "count")
    labels = [f"{place + 1}. {_short(str(names[row]))}" for place, row in enumerate(rows)]
    data = {
        "type": "bar",
        "orientation": "h",
        "y": labels,
        "x": [divided(time[row], scale) for row in rows],
        "marker": {"color": "#4e79a7", "line": {"width": 0}},
        "text": [f" x {count[row]}" + (f", {share[row]:.3g} %" if share[row] else "") for row in rows],
        "textposition": "auto",
        "hovertext": [plain(names[row]) for row in rows],
        "hovertemplate": f"%{{hovertext}}<br>%{{x:.4g}} {unit}<extra></extra>",
    }
    layout = {
        "bargap": 0.2,
        "xaxis": {"title": f"sum over executions in one call, {unit}", "rangemode": "tozero"},
        "yaxis": {"title": "", "autorange": "reversed", "tickfont": {"size": 11}},
        "showlegend": False,
    }
    left = len(table) - len(rows)
    note = "executions in a call, and share of its latency" + (f"; {left} more names in A10" if left > 0 else "")
    return Figure(title="Kernels by name", data=(data,), layout=layout, note=note, height=90 + 24 * len(rows))


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
    names = cells(table, "layer")
    data = [
        {
            "type": "bar",
            "name": name,
            "x": list(range(len(table))),
            "width": bar_width(table),
            "y": [divided(value, scale) for value in values],
            "marker": {"color": colour, "line": {"width": 0}},
            "hovertext": [f"<b>{plain(one)}</b>" for one in names],
            "hovertemplate": f"%{{hovertext}}<br>{name} %{{y:.4g}} {unit}<extra></extra>",
        }
        for name, values, colour in (("busy", busy, "#4e79a7"), ("other", other, "#e15759"))
    ]
    whole = sum(totals)
    layout = {
        "barmode": "stack",
        "xaxis": {"title": "layer, in order of execution", "showgrid": False},
        "yaxis": {"title": unit, "rangemode": "tozero"},
        "legend": {**LEGEND, "traceorder": "normal"},
    }
    note = f"busy {sum(one or 0.0 for one in busy) / whole:.1%} of the layers' time" if whole else ""
    return Figure(title=table.title, data=tuple(data), layout=layout, note=note, wide=False, height=290)


_MOST_NAMES = 12
_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f")
_GAP = 0.08
"""Gap between stacked subplots, as a share of the height."""


def device_states(found: Sequence[tuple[LevelRun, Sequence[DeviceSamples]]]) -> Figure | None:
    """Plot the device samples of the first run, one subplot per unit; None without samples.

    Args:
        found: runs with their samples (``analysis.runs.states_of``).
    """
    if not found:
        return None
    run, sampled = found[0]
    lines = [one for one in sampled if not one.are_reasons]
    if not lines:
        return None
    units = list(dict.fromkeys(one.unit for one in lines))
    begin = min(int(one.times_ns[0]) for one in sampled)
    several = len({one.lane.device for one in lines}) > 1
    data = [
        _sampled(one, begin, units.index(one.unit), _COLOURS[place % len(_COLOURS)], several=several)
        for place, one in enumerate(lines)
    ]
    data += [mark for one in sampled if one.are_reasons and (mark := _lowered(one, lines, begin, units)) is not None]
    height = (1 - _GAP * (len(units) - 1)) / len(units)
    axes: dict[str, Any] = {}
    for place, unit in enumerate(units):
        low = 1 - (place + 1) * height - place * _GAP
        axes[f"yaxis{place + 1 if place else ''}"] = {"title": unit, "domain": [max(0.0, low), low + height]}
    layout = {
        "xaxis": {"title": "seconds after the first sample", "anchor": f"y{len(units)}"},
        **axes,
        "legend": LEGEND,
    }
    return Figure(
        title="Clocks, power and temperature",
        data=tuple(data),
        layout=layout,
        note=f"samples while calls of level {run.levels} were recorded" + (f", batch {run.batch}" if run.batch else ""),
        height=120 + 130 * len(units),
    )


def _sampled(one: DeviceSamples, begin: int, axis: int, colour: str, *, several: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{one.lane.device} {one.quantity}" if several else one.quantity,
        "x": _seconds(one, begin),
        "y": list(one.values),
        "yaxis": _axis(axis),
        "line": {"color": colour, "shape": "hv"},
        "marker": {"size": 4},
        "hovertemplate": f"%{{fullData.name}}: %{{y:.5g}} {one.unit}<extra></extra>",
    }


def _lowered(
    one: DeviceSamples, lines: Sequence[DeviceSamples], begin: int, units: Sequence[str]
) -> dict[str, Any] | None:
    """Mark the samples with lowered clocks and the reasons, on the first curve of the device; None without any."""
    line = next((other for other in lines if other.lane == one.lane and len(other.values) == len(one.values)), None)
    places = [place for place, value in enumerate(one.values) if int(value) & sum(LOWERED)]
    if line is None or not places:
        return None
    times = _seconds(one, begin)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "clocks lowered",
        "x": [times[place] for place in places],
        "y": [line.values[place] for place in places],
        "yaxis": _axis(units.index(line.unit)),
        "marker": {"color": "#e15759", "size": 9, "symbol": "x"},
        "text": [throttle_text(int(one.values[place])) for place in places],
        "hovertemplate": "clocks lowered: %{text}<extra></extra>",
    }


def _seconds(one: DeviceSamples, begin: int) -> list[float]:
    return [round((time - begin) / 1e9, 6) for time in one.times_ns.tolist()]


def _axis(place: int) -> str:
    return f"y{place + 1}" if place else "y"
