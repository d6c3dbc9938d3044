"""Tables of networks that were left out."""

from collections.abc import Sequence

from rich.console import RenderableType

from dlbricks.construct.leaveout import LeftOut, LeftOutSummary, summarise_left_out
from dlbricks.report.console import table
from dlbricks.units import format_ns


def left_out_report(rows: Sequence[LeftOut], by: str) -> list[RenderableType]:
    """Show what was estimated of each network from the others beside what was measured.

    Args:
        rows: one for each network.
        by: ``network`` or ``family``.
    """
    made = table(
        "network", "left out with", ">measured", ">estimated", ">interval", ">error", ">guessed", title=f"{by} left out"
    )
    for row in sorted(rows, key=lambda row: -abs(row.error) if not row.missing else -float("inf")):
        group = row.group if row.group != row.model else ""
        if row.missing:
            unknown = f"{len(row.missing)} kinds of sequences cannot be guessed: {', '.join(row.missing[:3])}"
            made.add_row(row.model, group, format_ns(row.measured_ns), "refused", unknown, "", "")
            continue
        made.add_row(
            row.model,
            group,
            format_ns(row.measured_ns),
            format_ns(row.estimated_ns),
            f"{format_ns(row.low_ns)} to {format_ns(row.high_ns)}",
            f"{row.error:+.1%}",
            f"{row.interpolated:.0%}",
        )
    return [made, left_out_line(summarise_left_out(rows))]


def left_out_line(one: LeftOutSummary) -> str:
    """Put the figures over all networks into a line."""
    refused = f"; {len(one.refused)} refused, since parts of them cannot be guessed" if one.refused else ""
    if not one.networks:
        return f"none estimated{refused}"
    return (
        f"{one.networks} estimated: |error| median {one.median_error:.1%}, 90th percentile {one.p90_error:.1%}, worst "
        f"{one.worst_error:.1%}; bias {one.bias:+.1%}; {one.coverage:.0%} inside their interval of median width "
        f"{one.width:.1%}; {one.interpolated:.0%} of the time guessed in the middle one{refused}"
    )
