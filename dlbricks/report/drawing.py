"""What charts share: columns of tables, groups of types that are drawn alike, and texts for boxes. Pure."""

from collections.abc import Mapping, Sequence

from dlbricks.analysis.nouns import Cell, Table
from dlbricks.report.colours import OTHER, OTHER_COLOUR
from dlbricks.report.sheets import step_of
from dlbricks.units import format_bytes

LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}}
"""Above a chart, from its left edge."""
_LEGEND_LETTERS = 30


def cells(table: Table, name: str) -> tuple[Cell, ...]:
    """Give a column, or as many empty cells where the table has none."""
    found = next((column for column in table.columns if column.name == name), None)
    return found.cells if found else (None,) * len(table)


def numbers(table: Table, name: str) -> list[float | None]:
    """Give a column of numbers, or as many None where the table has none."""
    return [None if cell is None or isinstance(cell, str) else float(cell) for cell in cells(table, name)]


def coloured(types: Sequence[Cell], colours: Mapping[str, str]) -> dict[str, tuple[str, list[int]]]:
    """Group rows by what they are drawn as: a type that has a colour, or all others together.

    Returns:
        Colour and rows of each group, in the order of ``colours``; none is empty.
    """
    groups: dict[str, list[int]] = {type_: [] for type_ in (*colours, OTHER)}
    for row, type_ in enumerate(types):
        groups[str(type_) if type_ in colours else OTHER].append(row)
    return {type_: (colours.get(type_, OTHER_COLOUR), rows) for type_, rows in groups.items() if rows}


def bar_width(table: Table) -> float:
    """Give the width of a bar: bars of many layers touch each other."""
    return 0.88 if len(table) < 300 else 1.0


def plain(text: Cell) -> str:
    """Write a text so that plotly takes none of it for markup of its own, short enough for a box beside the pointer."""
    shown = "" if text is None else str(text)
    shown = shown if len(shown) <= 120 else f"{shown[:119]}…"
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def short(text: str) -> str:
    """Write a name for a legend: of a long one the end, which tells autograd's functions apart."""
    return plain(text if len(text) <= _LEGEND_LETTERS else f"\N{HORIZONTAL ELLIPSIS}{text[1 - _LEGEND_LETTERS :]}")


def size_text(flops: float | None, read: float | None, written: float | None) -> str:
    """Say what a layer or kernel computes and moves."""
    parts = []
    if flops is not None:
        scale, unit = step_of("flop", [flops])
        parts.append(f"{flops / scale:.4g} {unit}")
    if read is not None and written is not None:
        parts.append(f"{format_bytes(read)} read, {format_bytes(written)} written")
    return "; ".join(parts)


def divided(value: float | None, scale: float) -> float | None:
    """Divide what is there."""
    return None if value is None else value / scale
