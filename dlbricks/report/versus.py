"""Tables that compare two systems or two runtimes."""

from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.construct.comparison import Comparison
from dlbricks.harness.pair import PAIRS_NEEDED
from dlbricks.report.console import rows_table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_ns

if TYPE_CHECKING:
    from dlbricks.repro.pieces import Reproduction, SearchSettings


def shortly(one: Comparison) -> str:
    """Format a comparison in one line."""
    what = one.network or f"median of {counted(len(one.rows), 'sequence')}"
    return f"{what}: {one.ratio:.3f} times as long, {one.low:.3f} to {one.high:.3f} (90 %)"


def comparison_report(one: Comparison, *, rows: int) -> list[RenderableType]:
    """Show the ratio with its interval and parts, and the ``rows`` sequences that explain most of it."""
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
    shown = one.rows[:rows] if rows else one.rows
    made = rows_table(
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
    items.append(made)
    rest = one.rows[len(shown) :]
    if rest:
        explains = sum(row.explains for row in rest)
        items.append(f"and {counted(len(rest), 'more sequence')}, which explain {explains:+.1%} (--rows 0 shows all)")
    return [*items, *([f"left out: {counted(one.left_out, 'sequence')}"] if one.left_out else [])]


def verdict(one: Comparison) -> str:
    """Describe whether the two sides differ significantly."""
    if one.low <= 1 <= one.high:
        return "; no significant difference"
    return "; B is slower" if one.low > 1 else "; B is faster"


def repro_report(
    made: "Reproduction", settings: "SearchSettings", file: str | None, tells: str
) -> list[RenderableType]:
    """Show both sides, the network, the slower pieces, and what the file reveals."""
    items: list[RenderableType] = []
    for letter, side, runtime in zip("AB", settings.sides, made.runtimes, strict=True):
        options = "".join(f", {key}={value}" for key, value in side.options)
        items.append(f"{letter}: {runtime}{options} ({side.python})")
    whole = made.whole
    items.append(
        f"{made.network}, {counted(made.units, 'layer')}: A {format_ns(whole.first_ns)}, "
        f"B {format_ns(whole.second_ns)}, B by A {whole.ratio:.3f} in three pairs of processes"
    )
    if not made.slower:
        items.append(
            f"none of {made.measured} pieces is significantly slower on B by {settings.least:.0%} "
            f"({counted(PAIRS_NEEDED[0], 'pair')} of fresh processes); no file is written"
        )
        if made.unconfirmed:
            items.append(f"{counted(made.unconfirmed, 'piece')} could not be confirmed in time: increase --budget")
        return items
    shown = rows_table(
        made.slower,
        {
            "type": lambda one: one.name,
            "piece": lambda one: one.fingerprint[:12],
            ">layers": lambda one: str(one.units),
            ">uses": lambda one: str(one.uses),
            ">A": lambda one: format_ns(one.found.first_ns),
            ">B by A": lambda one: f"{one.found.ratio:.3f}",
            ">of fresh pairs": lambda one: f"{one.found.low:.3f} to {one.found.high:.3f} ({one.found.pairs})",
            ">explains": lambda one: f"{one.explains:+.1%}",
        },
        keys=2,
    )
    return [*items, shown, f"{file}: python {file} runs the first; {tells}"]
