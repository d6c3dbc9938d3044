"""Table of the slower pieces that a search found."""

from rich.console import RenderableType

from dlbricks.harness.pair import PAIRS_NEEDED
from dlbricks.plugins.repro.pieces import Reproduction, SearchSettings
from dlbricks.report.console import rows_table
from dlbricks.units import counted, format_ns


def repro_report(made: Reproduction, settings: SearchSettings, file: str | None, tells: str) -> list[RenderableType]:
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
