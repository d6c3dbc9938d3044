"""Two systems or two runtimes beside each other, on a terminal."""

from typing import TYPE_CHECKING

from rich.console import RenderableType

from dlbricks.construct.comparison import Comparison
from dlbricks.harness.pair import NEEDED
from dlbricks.report.console import table
from dlbricks.report.results import date, name_of
from dlbricks.units import counted, format_ns

if TYPE_CHECKING:
    from dlbricks.repro.search import Question, Reproduction


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
        return "; no significant difference"
    return "; B is slower" if one.low > 1 else "; B is quicker"


def repro_report(made: "Reproduction", question: "Question", file: str | None, tells: str) -> list[RenderableType]:
    """Show both sides, the network, the slower pieces, and what the file gives away."""
    items: list[RenderableType] = []
    for letter, side, runtime in zip("AB", question.sides, made.runtimes, strict=True):
        options = "".join(f", {key}={value}" for key, value in side.options)
        items.append(f"{letter}: {runtime}{options} ({side.python})")
    whole = made.whole
    items.append(
        f"{made.network}, {counted(made.units, 'layer')}: A {format_ns(whole.first_ns)}, "
        f"B {format_ns(whole.second_ns)}, B by A {whole.ratio:.3f} in three pairs of processes"
    )
    if not made.slower:
        items.append(
            f"no piece of {made.measured} is surely slower on B by {question.least:.0%} "
            f"({counted(NEEDED[0], 'pair')} of fresh processes); nothing is written"
        )
        if made.unconfirmed:
            items.append(f"{counted(made.unconfirmed, 'piece')} could not be confirmed in time: give a longer --budget")
        return items
    shown = table("type", "piece", ">layers", ">uses", ">A", ">B by A", ">of fresh pairs", ">explains", keys=2)
    for one in made.slower:
        found = one.found
        shown.add_row(
            one.name,
            one.fingerprint[:12],
            str(one.units),
            str(one.uses),
            format_ns(found.first_ns),
            f"{found.ratio:.3f}",
            f"{found.low:.3f} to {found.high:.3f} ({found.pairs})",
            f"{one.explains:+.1%}",
        )
    return [*items, shown, f"{file}: python {file} runs the first; {tells}"]
