"""Tables that compare two systems."""

from rich.console import RenderableType

from dlbricks.construct.comparison import Comparison
from dlbricks.report.console import rows_table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_ns


def shortly(comparison: Comparison) -> str:
    """Format a comparison in one line."""
    what = comparison.network or f"median of {counted(len(comparison.rows), 'sequence')}"
    return f"{what}: {comparison.ratio:.3f} times as long, {comparison.low:.3f} to {comparison.high:.3f} (90 %)"


def comparison_report(comparison: Comparison, *, rows: int) -> list[RenderableType]:
    """Show the ratio with its interval and parts, and the ``rows`` sequences that explain most of it."""
    sides = [
        f"{letter}: {name_of(side.configuration)}, measured {date(side.newest_unix_ns)}, {side.trust}, "
        f"{format_ns(side.total_ns)}"
        for letter, side in (("A", comparison.first), ("B", comparison.second))
    ]
    parts = comparison.parts
    items: list[RenderableType] = [*sides, f"B by A, {shortly(comparison)}{verdict(comparison)}"]
    items.append(
        f"interval: sampling ±{parts.sampling:.1%}, drift ±{parts.drift:.1%}"
        + (f", another hour or machine ±{parts.hours:.0%}" if parts.hours else "")
        + (f", composing ±{parts.composing:.0%}" if parts.composing else "")
    )
    shown = comparison.rows[:rows] if rows else comparison.rows
    listing = rows_table(
        shown,
        {
            "type": lambda row: row.name,
            "sequence": lambda row: row.fingerprint[:12],
            ">uses": lambda row: str(row.count),
            ">A": lambda row: format_ns(row.first_ns),
            ">B": lambda row: format_ns(row.second_ns),
            ">B by A": lambda row: f"{row.ratio:.3f}",
            ">95 % interval": lambda row: f"{row.low:.3f} to {row.high:.3f}",
            ">explains": lambda row: f"{row.explains:+.1%}",
        },
        keys=2,
    )
    items.append(listing)
    rest = comparison.rows[len(shown) :]
    if rest:
        explains = sum(row.explains for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')}, which explain {explains:+.1%} (--rows 0 shows all)")
    return [*items, *([f"left out: {counted(comparison.left_out, 'sequence')}"] if comparison.left_out else [])]


def verdict(comparison: Comparison) -> str:
    """Describe whether the two sides differ significantly."""
    if comparison.low <= 1 <= comparison.high:
        return "; no significant difference"
    return "; B is slower" if comparison.low > 1 else "; B is faster"
