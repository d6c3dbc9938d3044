"""Two systems beside each other, on a terminal."""

from rich.console import RenderableType

from dlbricks.construct.versus import Comparison
from dlbricks.report.console import table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_ns


def shortly(one: Comparison) -> str:
    """Write a comparison in a line."""
    what = one.network or f"median of {counted(len(one.rows), 'sequence')}"
    return f"{what}: {one.ratio:.3f} times as long, {one.low:.3f} to {one.high:.3f} (90 %)"


def comparison_report(one: Comparison, *, rows: int) -> list[RenderableType]:
    """Show the ratio with its interval, where that comes from, and the ``rows`` sequences that explain most."""
    sides = [
        f"{letter}: {name_of(side.configuration)}, measured {date(side.newest_unix_ns)}, {side.trust}, "
        f"{format_ns(side.total_ns)}"
        for letter, side in (("A", one.first), ("B", one.second))
    ]
    parts = one.parts
    items: list[RenderableType] = [*sides, f"B by A, {shortly(one)}{verdict(one)}"]
    items.append(
        f"interval: sampling ±{parts.sampling:.1%}, drift ±{parts.drift:.1%}"
        + (f", another hour or machine ±{parts.hours:.0%}" if parts.hours else "")
        + (f", composing ±{parts.composing:.0%}" if parts.composing else "")
    )
    made = table("type", "sequence", ">uses", ">A", ">B", ">B by A", ">95 % interval", ">explains", keys=2)
    shown = one.rows[:rows] if rows else one.rows
    for row in shown:
        made.add_row(
            row.name,
            row.fingerprint[:12],
            str(row.count),
            format_ns(row.first_ns),
            format_ns(row.second_ns),
            f"{row.ratio:.3f}",
            f"{row.low:.3f} to {row.high:.3f}",
            f"{row.explains:+.1%}",
        )
    items.append(made)
    rest = one.rows[len(shown) :]
    if rest:
        explains = sum(row.explains for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')}, which explain {explains:+.1%} (--rows 0 shows all)")
    if one.left_out:
        items.append(f"left out: {counted(one.left_out, 'sequence')}")
    return items


def verdict(one: Comparison) -> str:
    """Say whether the two differ at all."""
    if one.low <= 1 <= one.high:
        return "; no difference can be told"
    return "; B is slower" if one.low > 1 else "; B is quicker"
