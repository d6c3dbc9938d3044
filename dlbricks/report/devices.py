"""Charts of what runs on devices, from the tables of analyses. Pure: plain JSON for plotly.js."""

from dlbricks.analysis.nouns import Table
from dlbricks.report.drawing import LEGEND, bar_width, cells, divided, numbers, plain
from dlbricks.report.page import Figure
from dlbricks.report.sheets import step_of


def kernels_by_name(table: Table, most: int = 12) -> Figure | None:
    """Draw the kernels that take most time, those of one name together (A10); None without any.

    Args:
        table: A10, largest first.
        most: names that are drawn.
    """
    time, share = numbers(table, "latency_ns"), numbers(table, "share_percent")
    rows = [row for row in range(len(table)) if time[row]][:most]
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
    """Cut the name of a kernel: what tells most stands before its arguments."""
    text = name.removeprefix("void ").partition("(")[0] or name
    return plain(text if len(text) <= 64 else f"{text[:63]}…")


def device_share(table: Table) -> Figure | None:
    """Draw, layer by layer, the time at work and the rest (A13); None without layers."""
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
        for name, values, colour in (("at work", busy, "#4e79a7"), ("not at work", other, "#e15759"))
    ]
    whole = sum(totals)
    layout = {
        "barmode": "stack",
        "xaxis": {"title": "layer, in order of execution", "showgrid": False},
        "yaxis": {"title": unit, "rangemode": "tozero"},
        "legend": {**LEGEND, "traceorder": "normal"},
    }
    note = f"at work {sum(one or 0.0 for one in busy) / whole:.1%} of the layers' time" if whole else ""
    return Figure(title=table.title, data=tuple(data), layout=layout, note=note, wide=False, height=290)
