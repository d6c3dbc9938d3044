"""Granularities of a set of networks side by side, and the one that is chosen."""

from rich.console import RenderableType

from dlbricks.construct.granularity import GranularityRow, GranularityTable
from dlbricks.report.console import table
from dlbricks.units import counted, format_ns


def granularity_report(made: GranularityTable) -> list[RenderableType]:
    """Show a row for each granularity and say which one is chosen, and by what."""
    shown = table(
        "H", "composed", ">benchmarks", ">uses", ">reuse", ">measuring", ">expected error", ">worst", "", keys=2
    )
    for row in made.rows:
        shown.add_row(
            row.granularity,
            row.rule if row.composed else "",
            str(row.benchmarks),
            str(row.uses),
            f"{row.reuse:.2f}",
            f"{row.cost_ns / 1e9:.1f} s",
            f"{row.error:.1%} ± {row.standard_error:.1%}",
            f"{row.worst_error:.1%}",
            "chosen" if row == made.chosen else "" if row.composed else "networks in one piece",
        )
    return [
        f"{counted(made.networks, 'network')}, target {made.target}",
        shown,
        chosen_line(made),
        f"errors and minutes as of {made.evidence}",
    ]


def chosen_line(made: GranularityTable) -> str:
    """Say which granularity is chosen, what to expect of it, and what estimates have to be asked with."""
    row = made.chosen
    return (
        f"-H auto is {_options(row)}: {counted(row.benchmarks, 'benchmark')} in about {format_ns(row.cost_ns)}, "
        f"expected error {row.error:.1%}; estimate with -H {row.granularity} --rule {row.rule}"
    )


def _options(row: GranularityRow) -> str:
    return f"-H {row.granularity}{' --pairs' if row.rule == 'pairs' else ''}"
