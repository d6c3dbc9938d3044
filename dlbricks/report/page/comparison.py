"""Comparison of an estimate with the measured latency of a profile, as part of its panel."""

from dlbricks.analysis.executions import model_times
from dlbricks.analysis.table import Table, real, text, whole
from dlbricks.construct.estimate import remarks
from dlbricks.construct.types import Estimate
from dlbricks.profile.types import Profile
from dlbricks.report.page.plot import BLUE, ORANGE, divided, interval, rows_layout
from dlbricks.report.page.plot import graph_objects as go
from dlbricks.report.page.sheets import sheet, step_of
from dlbricks.report.page.types import Card, Figure, Panel
from dlbricks.units import counted, format_ns


def compare_with_estimate(profile: Profile, estimate: Estimate, batch: int) -> Panel:
    """Compare an estimate with the measurement.

    Args:
        profile: measured profile.
        estimate: estimate of the same network from stored results.
        batch: batch size of the estimate.

    Returns:
        Cards, notes, figures and tables to add to the panel of the profile.
    """
    times = model_times(profile, batch)
    notes = [f"estimate: {note}" for note in _doubts(estimate)]
    if times is None:
        there = ", ".join(map(str, profile.batches))
        notes.append(
            f"the estimate is for batch {batch}, which was not measured (measured: {there}): nothing to compare"
        )
        return Panel(title=profile.network, notes=tuple(notes), sheets=(sheet(_rows(estimate)),))
    measured, error = times.median_ns, estimate.total_ns / times.median_ns - 1
    low, high = float(times.summary.low[0]), float(times.summary.high[0])
    inside = estimate.low_ns <= measured <= estimate.high_ns
    card = Card(
        label=f"estimated, batch {batch}",
        value=format_ns(estimate.total_ns),
        note=f"{error:+.1%}; the measured latency is {'inside' if inside else 'outside'} its 90 % interval",
    )
    figure = _figure(estimate, measured, (low, high), batch)
    return Panel(
        title=profile.network, cards=(card,), notes=tuple(notes), figures=(figure,), sheets=(sheet(_rows(estimate)),)
    )


def _figure(estimate: Estimate, measured: float, ends: tuple[float, float], batch: int) -> Figure:
    """Plot estimate and measurement with intervals; the ends of that of the measurement may be NaN."""
    scale, unit = step_of("ns", [measured])
    values = [measured, float(estimate.total_ns)]
    bars = go.Bar(
        orientation="h",
        x=divided(values, scale),
        y=["measured", "estimated"],
        error_x=interval(values, [ends[0], estimate.low_ns], [ends[1], estimate.high_ns], scale),
        marker_color=[BLUE, ORANGE],
        text=[format_ns(value) for value in values],
        textposition="inside",
        insidetextanchor="start",
        hovertemplate=f"%{{y}}: %{{x:.5g}} {unit}<extra></extra>",
    )
    error = estimate.total_ns / measured - 1
    return Figure(
        title="Estimate against measurement",
        data=(bars,),
        layout=rows_layout(f"latency of a call, {unit}", showlegend=False),
        note=f"batch {batch}; {error:+.1%}; intervals: 95 % of the measured, 90 % of the estimated",
        wide=False,
        height=200,
    )


def _doubts(estimate: Estimate) -> list[str]:
    """Return the source and the caveats of an estimate."""
    of = estimate.configuration
    notes = [f"from results of {of.system}, {of.runtime}, {of.provider}, {counted(of.threads, 'thread')}"]
    notes += remarks(estimate)
    if estimate.missing:
        notes.append(
            f"{counted(len(estimate.missing), 'sequence')} without a result are missing, so it is a lower bound"
        )
    if any(row.mismatch for row in estimate.rows):
        notes.append("some results are from another configuration than the profile")
    if estimate.interpolated_layers:
        notes.append(f"{counted(estimate.interpolated_layers, 'layer')} in interpolated sequences")
    return notes


def _rows(estimate: Estimate) -> Table:
    rows = estimate.rows
    nothing = [row.tier == "missing" for row in rows]

    def measured(values: list[int] | list[float]) -> list[float]:
        return [float("nan") if none else float(value) for value, none in zip(values, nothing, strict=True)]

    return Table(
        id="estimate",
        title="Estimate by layer sequence",
        columns=(
            text("sequence", [row.name for row in rows]),
            whole("count", [row.count for row in rows], "", "Uses in the network."),
            whole("each_ns", measured([row.each_ns for row in rows]), "ns", "Mean over its uses."),
            whole("total_ns", measured([row.total_ns for row in rows]), "ns", "Sum over its uses."),
            real("share_percent", measured([100 * row.share for row in rows]), "%", "Share of the sequential total."),
            text("tier", [row.tier for row in rows], "Source of the latency."),
            text("verdict", [row.verdict for row in rows], "Verdict of the measurement, or why it is missing."),
            text("fingerprint", [row.fingerprint[:12] for row in rows]),
        ),
        notes=(f"rule {estimate.rule}; call overhead {format_ns(estimate.call_overhead_ns)}",),
    )
