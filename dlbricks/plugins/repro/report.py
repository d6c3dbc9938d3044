"""Tables of the slower pieces."""

from rich.console import RenderableType

from dlbricks.plugins.repro.pair import PAIRS_NEEDED
from dlbricks.plugins.repro.pieces import Reproduction, SearchSettings
from dlbricks.report.console import rows_table
from dlbricks.units import counted, format_ns


def repro_report(result: Reproduction, settings: SearchSettings, file: str | None, tells: str) -> list[RenderableType]:
    """Return tables of both sides, the network and the slower pieces, and a line on what the written file discloses."""
    items: list[RenderableType] = []
    for letter, side, runtime in zip("AB", settings.sides, result.runtimes, strict=True):
        options = "".join(f", {key}={value}" for key, value in side.options)
        items.append(f"{letter}: {runtime}{options} ({side.python})")
    whole = result.whole
    items.append(
        f"{result.network}, {counted(result.units, 'layer')}: A {format_ns(whole.first_ns)}, "
        f"B {format_ns(whole.second_ns)}, B by A {whole.ratio:.3f} in three pairs of processes"
    )
    if not result.slower:
        items.append(
            f"none of {result.measured} pieces is significantly slower on B by {settings.least:.0%} "
            f"({counted(PAIRS_NEEDED[0], 'pair')} of fresh processes), so no file was written"
        )
        if result.unconfirmed:
            items.append(f"{counted(result.unconfirmed, 'piece')} could not be confirmed in time: increase --budget")
        return items
    shown = rows_table(
        result.slower,
        {
            "type": lambda piece: piece.name,
            "piece": lambda piece: piece.fingerprint[:12],
            ">layers": lambda piece: str(piece.units),
            ">uses": lambda piece: str(piece.uses),
            ">A": lambda piece: format_ns(piece.slowdown.first_ns),
            ">B by A": lambda piece: f"{piece.slowdown.ratio:.3f}",
            ">of fresh pairs": lambda piece: (
                f"{piece.slowdown.low:.3f} to {piece.slowdown.high:.3f} ({piece.slowdown.pairs})"
            ),
            ">explains": lambda piece: f"{piece.explains:+.1%}",
        },
        keys=2,
    )
    return [*items, shown, f"{file}: run the first piece with 'python {file}'; {tells}"]
