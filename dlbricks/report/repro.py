"""What a search for a slower piece found, on a terminal."""

from rich.console import RenderableType

from dlbricks.harness.pair import NEEDED
from dlbricks.report.console import table
from dlbricks.repro.search import Question, Reproduction
from dlbricks.units import counted, format_ns


def repro_report(made: Reproduction, question: Question, file: str | None, tells: str) -> list[RenderableType]:
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
