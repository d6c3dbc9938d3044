"""Charts of layers and layer types as plotly.js JSON, from tables of analyses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dlbricks.analysis.table import Cell, Table
from dlbricks.report.page.sheets import step_of
from dlbricks.report.page.types import Figure
from dlbricks.units import format_bytes, format_ns

PALETTE = (
    "#4e79a7",
    "#f28e2b",
    "#59a14f",
    "#e15759",
    "#b07aa1",
    "#edc948",
    "#76b7b2",
    "#9c755f",
    "#ff9da7",
)
"""Tableau 10 without grey."""
OTHER = "other types"
OTHER_COLOUR = "#9aa5b1"


def colours_of(shares: Iterable[Mapping[str, float]]) -> dict[str, str]:
    """Assign colours to the types with the longest total time, the same for all networks of a report.

    Args:
        shares: for each network, the share of time by type.
    """
    total: dict[str, float] = defaultdict(float)
    for one in shares:
        for type_, share in one.items():
            total[type_] += share
    ranked = sorted(total, key=lambda type_: (-total[type_], type_))
    return dict(zip(ranked, PALETTE, strict=False))


LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}}
"""Legend above a chart, left-aligned."""
_LEGEND_LETTERS = 30
_MOST_GROUPS = 12


def cells(table: Table, name: str) -> tuple[Cell, ...]:
    """Return the cells of a column, or empty ones if the table lacks it."""
    found = next((column for column in table.columns if column.name == name), None)
    return found.cells if found else (None,) * len(table)


def numbers(table: Table, name: str) -> list[float | None]:
    """Return a column of numbers, or None values if the table lacks it."""
    return [None if cell is None or isinstance(cell, str) else float(cell) for cell in cells(table, name)]


def coloured(types: Sequence[Cell], colours: Mapping[str, str]) -> dict[str, tuple[str, list[int]]]:
    """Group rows by colour: each type that has one, and all other types.

    Returns:
        Colour and rows of each group, in the order of ``colours``, without empty groups.
    """
    groups: dict[str, list[int]] = {type_: [] for type_ in (*colours, OTHER)}
    for row, type_ in enumerate(types):
        groups[str(type_) if type_ in colours else OTHER].append(row)
    return {type_: (colours.get(type_, OTHER_COLOUR), rows) for type_, rows in groups.items() if rows}


def bar_width(table: Table) -> float:
    """Return the width of a bar; without gaps for many layers."""
    return 0.88 if len(table) < 300 else 1.0


def plain(text: Cell) -> str:
    """Escape a text for plotly and shorten it to fit a hover label."""
    shown = "" if text is None else str(text)
    shown = shown if len(shown) <= 120 else f"{shown[:119]}…"
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(text: str) -> str:
    """Shorten a name for a legend to its end, which distinguishes autograd functions."""
    return plain(text if len(text) <= _LEGEND_LETTERS else f"\N{HORIZONTAL ELLIPSIS}{text[1 - _LEGEND_LETTERS :]}")


def size_text(flops: float | None, read: float | None, written: float | None) -> str:
    """Format the FLOPs and bytes of a layer or kernel."""
    parts = []
    if flops is not None:
        scale, unit = step_of("flop", [flops])
        parts.append(f"{flops / scale:.4g} {unit}")
    if read is not None and written is not None:
        parts.append(f"{format_bytes(read)} read, {format_bytes(written)} written")
    return "; ".join(parts)


def divided(value: float | None, scale: float) -> float | None:
    """Divide a value that may be None."""
    return None if value is None else value / scale


_LEAST_LABEL = 4.0
"""Least width of a bar segment with a label, %."""


def latency_by_layer(table: Table, shapes: Sequence[Cell], colours: Mapping[str, str]) -> Figure:
    """Plot the latency of every layer (A3), in order of execution, coloured by type.

    Args:
        table: A3.
        shapes: output shapes, one per row, or empty.
        colours: colours of types.
    """
    latency, low, high = (numbers(table, name) for name in ("latency_ns", "low_ns", "high_ns"))
    scale, unit = step_of("ns", [max((one for one in latency if one), default=0.0)])
    names, types, shares = cells(table, "layer"), cells(table, "type"), numbers(table, "share_percent")
    index = cells(table, "index")

    def hover(row: int) -> str:
        first, second, third, share = latency[row], low[row], high[row], shares[row]
        spread = "" if second is None or third is None else f" ({format_ns(second)} to {format_ns(third)})"
        shape = f"<br>{plain(shapes[row])}" if shapes and shapes[row] else ""
        part = "" if share is None else f", {share:.3g} % of all layers"
        when = "" if first is None else f"<br>{format_ns(first)}{spread}{part}"
        return f"<b>{index[row]} {plain(names[row])}</b><br>{plain(types[row])}{shape}{when}"

    layout: dict[str, Any] = {
        "barmode": "overlay",
        "xaxis": {"title": "layer, in order of execution", "showgrid": False, "range": [-0.7, len(table) - 0.3]},
        "yaxis": {"title": f"latency, {unit}", "rangemode": "tozero"},
        "legend": LEGEND,
        "shapes": _stage_lines(cells(table, "stage")),
    }
    return Figure(
        title="Latency by layer",
        data=_layer_bars(table, [divided(one, scale) for one in latency], colours, hover),
        layout=layout,
        note="median over calls; dotted: thirds of the layers" if layout["shapes"] else "median over calls",
    )


def _layer_bars(
    table: Table, values: Sequence[float | None], colours: Mapping[str, str], hover: Callable[[int], str]
) -> tuple[dict[str, Any], ...]:
    """Return the bars of a value per layer, one trace per colour; ``hover`` gives the hover text of a row."""
    return tuple(
        {
            "type": "bar",
            "name": short(name),
            "x": list(rows),
            "width": bar_width(table),
            "y": [values[row] for row in rows],
            "marker": {"color": colour, "line": {"width": 0}},
            "hovertext": [hover(row) for row in rows],
            "hoverinfo": "text",
        }
        for name, (colour, rows) in coloured(cells(table, "type"), colours).items()
    )


def _stage_lines(stages: Sequence[Cell]) -> list[dict[str, Any]]:
    ends = [place for place in range(1, len(stages)) if stages[place] != stages[place - 1]]
    return [
        {
            "type": "line",
            "x0": end - 0.5,
            "x1": end - 0.5,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": "--thin", "width": 1, "dash": "dot"},
        }
        for end in ends
    ]


def distribution(shares: Mapping[str, Mapping[str, float]], colours: Mapping[str, str]) -> Figure | None:
    """Plot the distribution of count, time and memory over types, one stacked bar each.

    Args:
        shares: shares by type (``grouped_shares``) for each bar (``count``, ``time``, ``memory``); empty ones are
            left out.
        colours: colours of types.

    Returns:
        None if all are empty.
    """
    shares = {measure: one for measure, one in shares.items() if any(one.values())}
    if not shares:
        return None
    measures = list(reversed(shares))
    data = []
    for name in (*colours, OTHER):
        values = [shares[measure].get(name, 0.0) for measure in measures]
        if not any(values):
            continue
        data.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": short(name),
                "y": measures,
                "x": values,
                "marker": {"color": colours.get(name, OTHER_COLOUR), "line": {"width": 0}},
                "text": [f"{short(name)} {value:.3g} %" if value >= _LEAST_LABEL else "" for value in values],
                "textposition": "inside",
                "insidetextanchor": "middle",
                "textangle": 0,
                "hovertemplate": f"{plain(name)}: %{{x:.3g}} % of %{{y}}<extra></extra>",
            }
        )
    layout = {
        "barmode": "stack",
        "bargap": 0.25,
        "xaxis": {"title": "share, %", "range": [0, 100]},
        "yaxis": {"ticklabelstandoff": 6},
        "showlegend": True,
        "legend": {**LEGEND, "traceorder": "normal"},
        "uniformtext": {"mode": "hide", "minsize": 11},
    }
    return Figure(title="Distribution by type", data=tuple(data), layout=layout, height=130 + 42 * len(shares))


def grouped_shares(table: Table, colours: Mapping[str, str], column: str = "share_percent") -> dict[str, float]:
    """Return the share of each coloured type, and of all others, in a column, %."""
    made: dict[str, float] = {}
    for type_, value in zip(cells(table, "type"), numbers(table, column), strict=True):
        name = str(type_) if type_ in colours else OTHER
        made[name] = made.get(name, 0.0) + max(value or 0.0, 0.0)
    whole = sum(made.values())
    return {name: 100 * value / whole for name, value in made.items()} if whole else {}


def by_layer(table: Table, column: str, title: str, colours: Mapping[str, str]) -> Figure | None:
    """Plot bytes or FLOPs of every layer, in order of execution, coloured by type.

    Returns:
        None if no layer has a value.
    """
    values = numbers(table, column)
    known = [value for value in values if value]
    if not known:
        return None
    unit_of = next(one.unit for one in table.columns if one.name == column)
    scale, unit = step_of(unit_of, [max(abs(value) for value in known)])
    names, types, scaled = cells(table, "layer"), cells(table, "type"), [divided(value, scale) for value in values]

    def hover(row: int) -> str:
        value = scaled[row]
        size = "" if value is None else f"<br>{value:.4g} {unit}"
        return f"<b>{plain(names[row])}</b><br>{plain(types[row])}{size}"

    layout = {
        "barmode": "overlay",
        "xaxis": {"title": "layer, in order of execution", "showgrid": False},
        "yaxis": {"title": unit, "rangemode": "tozero"},
        "showlegend": False,
    }
    data = _layer_bars(table, scaled, colours, hover)
    return Figure(title=title, data=data, layout=layout, wide=False, height=290)


def memory_over_time(table: Table) -> Figure | None:
    """Plot memory in use and live bytes after every layer, over time since the start of the call.

    Returns:
        None if neither is known.
    """
    times, names = numbers(table, "time_ns"), cells(table, "layer")
    lines = (("in use", "in_use_bytes", "#4e79a7"), ("live tensors", "live_bytes", "#f28e2b"))
    known: dict[str, list[tuple[float, float, str]]] = {}
    for name, column, _ in lines:
        given = zip(times, numbers(table, column), names, strict=True)
        known[name] = sorted((at, used, str(layer)) for at, used, layer in given if at is not None and used is not None)
    points = [point for one in known.values() for point in one]
    if not points:
        return None
    time_scale, time_unit = step_of("ns", [max(at for at, _, _ in points)])
    scale, unit = step_of("B", [max(used for _, used, _ in points)])
    hover = f"%{{y:.4g}} {unit} at %{{x:.4g}} {time_unit}<extra></extra>"
    data = [
        {
            "type": "scatter",
            "mode": "lines",
            "name": name,
            "line": {"shape": "hv", "color": colour, "width": 1.6},
            "x": [at / time_scale for at, _, _ in known[name]],
            "y": [used / scale for _, used, _ in known[name]],
            "hovertext": [plain(layer) for _, _, layer in known[name]],
            "hovertemplate": f"<b>%{{hovertext}}</b><br>{name}: {hover}",
        }
        for name, _, colour in lines
        if known[name]
    ]
    layout = {
        "xaxis": {"title": f"time since the start of the call, {time_unit}"},
        "yaxis": {"title": unit, "rangemode": "tozero"},
        "legend": LEGEND,
        "showlegend": True,
    }
    return Figure(title=table.title, data=tuple(data), layout=layout, wide=False, height=290)


def headroom(table: Table) -> Figure | None:
    """Plot the groups of layers with the largest headroom to the roofline; None without any.

    The table ``headroom`` has the largest first.
    """
    gained, least = numbers(table, "headroom_ns"), numbers(table, "least_ns")
    rows = [row for row in range(len(table)) if (gained[row] or 0.0) > 0][:_MOST_GROUPS]
    if not rows:
        return None
    scale, unit = step_of("ns", [max((gained[row] or 0.0) + (least[row] or 0.0) for row in rows)])
    types, shapes, count, example = (cells(table, name) for name in ("type", "shape", "count", "example"))
    labels = [
        f"{plain(example[row])}: {plain(types[row])} {plain(shapes[row])}"
        + (f" x {count[row]}" if count[row] != 1 else "")
        for row in rows
    ]
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": labels,
            "x": [divided(values[row], scale) for row in rows],
            "marker": {"color": colour, "line": {"width": 0}},
            "hovertemplate": f"%{{y}}<br>{name}: %{{x:.4g}} {unit}<extra></extra>",
        }
        for name, values, colour in (("minimum by roofline", least, "#4e79a7"), ("headroom", gained, "#e15759"))
    ]
    layout = {
        "barmode": "stack",
        "bargap": 0.2,
        "xaxis": {"title": f"sum over equal layers, {unit}", "rangemode": "tozero"},
        "yaxis": {"autorange": "reversed", "tickfont": {"size": 11}},
        "legend": {**LEGEND, "traceorder": "normal"},
    }
    return Figure(
        title=table.title,
        data=tuple(data),
        layout=layout,
        note="equal layers are summed",
        height=90 + 24 * len(rows),
    )
