"""Charts of layers and layer types, from tables of analyses."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from dlbricks.analysis.table import Cell, Table
from dlbricks.report.page.plot import BLUE, LAYERS, ORANGE, PALETTE, RED, THIN, divided, layout, rows_layout
from dlbricks.report.page.plot import graph_objects as go
from dlbricks.report.page.sheets import step_of
from dlbricks.report.page.types import Figure
from dlbricks.units import format_bytes, format_ns

OTHER = "other types"
OTHER_COLOUR = "#9aa5b1"
_LEGEND_LETTERS = 30
_MOST_GROUPS = 12
_LEAST_LABEL = 4.0
"""Least width of a bar segment with a label, %."""


def colours_of(shares: Iterable[Mapping[str, float]]) -> dict[str, str]:
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


def cells(table: Table, name: str) -> tuple[Cell, ...]:
    """Return the cells of a column, or empty ones if the table lacks it."""
    return next((column.cells for column in table.columns if column.name == name), (None,) * len(table))


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
    label = "" if text is None else str(text)
    label = label if len(label) <= 120 else f"{label[:119]}…"
    return label.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


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


def latency_by_layer(table: Table, shapes: Sequence[Cell], colours: Mapping[str, str]) -> Figure:
    """Plot the latency of every layer (A3), in order of execution, coloured by type.

    Args:
        table: A3.
        shapes: output shapes, one per row, or empty.
        colours: colours of types.
    """
    latency, low, high, shares = (numbers(table, name) for name in ("latency_ns", "low_ns", "high_ns", "share_percent"))
    index, names, types, stages = (cells(table, name) for name in ("index", "layer", "type", "stage"))
    scale, unit = step_of("ns", [max((time for time in latency if time), default=0.0)])

    def hover(row: int) -> str:
        time, first, last, share = latency[row], low[row], high[row], shares[row]
        spread = "" if first is None or last is None else f" ({format_ns(first)} to {format_ns(last)})"
        shape = f"<br>{plain(shapes[row])}" if shapes and shapes[row] else ""
        part = "" if share is None else f", {share:.3g} % of all layers"
        when = "" if time is None else f"<br>{format_ns(time)}{spread}{part}"
        return f"<b>{index[row]} {plain(names[row])}</b><br>{plain(types[row])}{shape}{when}"

    borders = [row - 0.5 for row in range(1, len(stages)) if stages[row] != stages[row - 1]]
    dotted = {"type": "line", "y0": 0, "y1": 1, "yref": "paper", "line": {"color": THIN, "width": 1, "dash": "dot"}}
    return Figure(
        title="Latency by layer",
        data=_layer_bars(table, divided(latency, scale), colours, hover),
        layout=layout(
            LAYERS,
            f"latency, {unit}",
            barmode="overlay",
            xaxis={"showgrid": False, "range": [-0.7, len(table) - 0.3]},
            shapes=[{**dotted, "x0": border, "x1": border} for border in borders],
        ),
        note="median over calls; dotted: thirds of the layers" if borders else "median over calls",
    )


def _layer_bars(
    table: Table, values: Sequence[float | None], colours: Mapping[str, str], hover: Callable[[int], str]
) -> tuple[go.Bar, ...]:
    """Return the bars of a value per layer, one trace per colour; ``hover`` gives the hover text of a row."""
    return tuple(
        go.Bar(
            name=short(name),
            x=rows,
            y=[values[row] for row in rows],
            width=bar_width(table),
            marker_color=colour,
            hovertext=[hover(row) for row in rows],
            hoverinfo="text",
        )
        for name, (colour, rows) in coloured(cells(table, "type"), colours).items()
    )


def distribution(shares: Mapping[str, Mapping[str, float]], colours: Mapping[str, str]) -> Figure | None:
    """Plot the distribution of count, time and memory over types, one stacked bar each.

    Args:
        shares: shares by type (``grouped_shares``) for each bar (``count``, ``time``, ``memory``); empty ones are
            left out.
        colours: colours of types.

    Returns:
        None if all are empty.
    """
    measures = [measure for measure in list(shares)[::-1] if any(shares[measure].values())]
    if not measures:
        return None
    values = {name: [shares[measure].get(name, 0.0) for measure in measures] for name in (*colours, OTHER)}
    data = tuple(
        go.Bar(
            orientation="h",
            name=short(name),
            x=widths,
            y=measures,
            marker_color=colours.get(name, OTHER_COLOUR),
            text=[f"{short(name)} {width:.3g} %" if width >= _LEAST_LABEL else "" for width in widths],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            hovertemplate=f"{plain(name)}: %{{x:.3g}} % of %{{y}}<extra></extra>",
        )
        for name, widths in values.items()
        if any(widths)
    )
    return Figure(
        title="Distribution by type",
        data=data,
        layout=layout(
            "share, %",
            "",
            barmode="stack",
            bargap=0.25,
            xaxis_range=[0, 100],
            yaxis_ticklabelstandoff=6,
            showlegend=True,
            uniformtext={"mode": "hide", "minsize": 11},
        ),
        height=130 + 42 * len(measures),
    )


def grouped_shares(table: Table, colours: Mapping[str, str], column: str = "share_percent") -> dict[str, float]:
    """Return the share of each coloured type, and of all others, in a column, %."""
    shares: dict[str, float] = defaultdict(float)
    for type_, value in zip(cells(table, "type"), numbers(table, column), strict=True):
        shares[str(type_) if type_ in colours else OTHER] += max(value or 0.0, 0.0)
    whole = sum(shares.values())
    return {name: 100 * value / whole for name, value in shares.items()} if whole else {}


def by_layer(table: Table, column: str, title: str, colours: Mapping[str, str]) -> Figure | None:
    """Plot bytes or FLOPs of every layer, in order of execution, coloured by type.

    Returns:
        None if no layer has a value.
    """
    values = numbers(table, column)
    if not any(values):
        return None
    scale, unit = step_of(table.column(column).unit, [max(abs(value) for value in values if value)])
    names, types, scaled = cells(table, "layer"), cells(table, "type"), divided(values, scale)

    def hover(row: int) -> str:
        value = scaled[row]
        size = "" if value is None else f"<br>{value:.4g} {unit}"
        return f"<b>{plain(names[row])}</b><br>{plain(types[row])}{size}"

    return Figure(
        title=title,
        data=_layer_bars(table, scaled, colours, hover),
        layout=layout(LAYERS, unit, barmode="overlay", xaxis_showgrid=False, showlegend=False),
        wide=False,
        height=290,
    )


def memory_over_time(table: Table) -> Figure | None:
    """Plot memory in use and live bytes after every layer, over time since the start of the call.

    Returns:
        None if neither is known.
    """
    points: dict[str, list[tuple[float, float, str]]] = {}
    for name, column in (("in use", "in_use_bytes"), ("live tensors", "live_bytes")):
        rows = zip(numbers(table, "time_ns"), numbers(table, column), cells(table, "layer"), strict=True)
        points[name] = sorted(
            (at, used, plain(layer)) for at, used, layer in rows if at is not None and used is not None
        )
    ends = [(at, used) for line in points.values() for at, used, _ in line]
    if not ends:
        return None
    time_scale, time_unit = step_of("ns", [max(at for at, _ in ends)])
    scale, unit = step_of("B", [max(used for _, used in ends)])
    hover = f"%{{y:.4g}} {unit} at %{{x:.4g}} {time_unit}<extra></extra>"
    data = tuple(
        go.Scatter(
            mode="lines",
            name=name,
            line={"shape": "hv", "color": colour, "width": 1.6},
            x=[at / time_scale for at, _, _ in line],
            y=[used / scale for _, used, _ in line],
            hovertext=[layer for _, _, layer in line],
            hovertemplate=f"<b>%{{hovertext}}</b><br>{name}: {hover}",
        )
        for (name, line), colour in zip(points.items(), (BLUE, ORANGE), strict=True)
        if line
    )
    axes = layout(f"time since the start of the call, {time_unit}", unit, showlegend=True)
    return Figure(title=table.title, data=data, layout=axes, wide=False, height=290)


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
    data = tuple(
        go.Bar(
            orientation="h",
            name=name,
            x=divided([values[row] for row in rows], scale),
            y=labels,
            marker_color=colour,
            hovertemplate=f"%{{y}}<br>{name}: %{{x:.4g}} {unit}<extra></extra>",
        )
        for name, values, colour in (("minimum by roofline", least, BLUE), ("headroom", gained, RED))
    )
    return Figure(
        title=table.title,
        data=data,
        layout=rows_layout(f"sum over equal layers, {unit}", barmode="stack", bargap=0.2, yaxis_tickfont_size=11),
        note="equal layers are summed",
        height=90 + 24 * len(rows),
    )
