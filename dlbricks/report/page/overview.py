"""Key figures of a profile, and the overview panel of several profiles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from dlbricks.analysis.comparison import compare, networks_table
from dlbricks.analysis.runs import overheads
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile, Roofs
from dlbricks.report.page.charts import cells as cells_of
from dlbricks.report.page.charts import distribution, grouped_shares, numbers, plain
from dlbricks.report.page.plot import BLUE, PALETTE, divided, interval, rows_layout
from dlbricks.report.page.plot import graph_objects as go
from dlbricks.report.page.roofline import roofline
from dlbricks.report.page.sheets import sheet, step_of
from dlbricks.report.page.types import Card, Figure, Panel
from dlbricks.units import counted, format_ns

Tables = Mapping[str, Table]
"""Tables of one profile by analysis id, in catalogue order."""
NOTHING = Table(id="", title="")


def facts(profile: Profile) -> tuple[tuple[str, str], ...]:
    """Return labelled facts on machine, runtime and settings of a profile."""
    system, runtime = profile.system, profile.runtime
    cpu = system.get("cpu")
    processor = cpu.get("model") if isinstance(cpu, Mapping) else cpu
    gpus = [str(one.get("name")) for one in system.get("gpus") or () if isinstance(one, Mapping)]
    labelled: list[tuple[str, Any]] = [
        ("system", system.get("name")),
        ("processor", processor),
        ("GPU", ", ".join(gpus)),
        ("runtime", " ".join(str(runtime[key]) for key in ("name", "version") if runtime.get(key))),
        ("provider", runtime.get("provider")),
        ("threads", runtime.get("threads")),
        ("batches", ", ".join(str(one) for one in profile.batches if one)),
        ("levels", ", ".join(dict.fromkeys(run.levels for run in profile.runs))),
    ]
    return tuple((label, str(text)) for label, text in labelled if text not in (None, ""))


def cards(profile: Profile, tables: Tables) -> list[Card]:
    """Return the key figures: latency, throughput, layers, largest type, bounds, tracing overhead."""
    figures = _call_cards(tables.get("A1", NOTHING))
    layers = tables.get("A2", NOTHING)
    if len(layers):
        types = len(set(cells_of(layers, "type")))
        figures.append(Card(label="layers executed", value=f"{len(layers):,}", note=counted(types, "type")))
    figures += _work_cards(tables)
    for overhead in overheads(profile)[:3]:
        if overhead.relative is not None:
            what = {"ML": "layers", "MLK": "kernels"}.get(overhead.levels, overhead.levels)
            low_, high_ = overhead.relative_low or 0.0, overhead.relative_high or 0.0
            note = f"{low_:+.1%} to {high_:+.1%}; not included in the latencies above"
            figures.append(Card(label=f"tracing {what} adds", value=f"{overhead.relative:+.1%}", note=note))
    return figures


def _call_cards(calls: Table) -> list[Card]:
    """Return the cards of latency and throughput (A1)."""
    figures = []
    latency, low, high, rate = (
        numbers(calls, name) for name in ("latency_ns", "low_ns", "high_ns", "throughput_per_s")
    )
    if len(calls) and latency[0] is not None:
        batch = cells_of(calls, "batch")[0]
        first, last = low[0], high[0]
        spread = "" if first is None or last is None else f"{format_ns(first)} to {format_ns(last)} (95 %)"
        label = f"latency, batch {batch}" if batch else "latency"
        figures.append(Card(label=label, value=format_ns(latency[0]), note=spread))
    rows = [row for row, value in enumerate(rate) if value]
    if rows:
        best = max(rows, key=lambda row: rate[row] or 0.0)
        optimal = next((cells_of(calls, "batch")[row] for row in rows if cells_of(calls, "optimal")[row]), None)
        note = f"at batch {cells_of(calls, 'batch')[best]}" + (f"; optimal batch {optimal}" if optimal else "")
        figures.append(Card(label="throughput", value=f"{rate[best]:.4g}/s", note=note))
    return figures


def _work_cards(tables: Tables) -> list[Card]:
    figures = []
    by_type = tables.get("A6", NOTHING)
    share = numbers(by_type, "share_percent")
    if len(by_type) and share[0] is not None:
        note = f"{share[0]:.3g} % of the time in layers"
        figures.append(Card(label="longest type", value=str(cells_of(by_type, "type")[0]), note=note))
    roofs = tables.get("A14", NOTHING)
    flops = [value for value in numbers(roofs, "flops") if value]
    times = [value for value in numbers(roofs, "latency_ns") if value]
    if flops and times:
        scale, unit = step_of("flop", [sum(flops)])
        rate_scale, rate_unit = step_of("flop/s", [sum(flops) / sum(times) * 1e9])
        note = f"{sum(flops) / sum(times) * 1e9 / rate_scale:.4g} {rate_unit} over layers"
        figures.append(Card(label="arithmetic of a call", value=f"{sum(flops) / scale:.4g} {unit}", note=note))
    bound = [value for value in cells_of(roofs, "memory_bound") if value is not None]
    if bound:
        note = f"of {len(bound)} layers under the measured roofs"
        figures.append(Card(label="memory-bound", value=f"{sum(map(bool, bound))} layers", note=note))
    kernels = tables.get("A15", NOTHING)
    busy = numbers(kernels, "busy_percent")
    if len(kernels) and busy[0] is not None:
        figures.append(Card(label="device busy", value=f"{busy[0]:.3g} %", note="of the latency of a call"))
    return figures


_ROW_PIXELS = 26


def overview(
    profiles: Sequence[Profile], titles: Sequence[str], tables: Sequence[Tables], colours: Mapping[str, str]
) -> Panel:
    """Make the overview panel of several profiles.

    Args:
        profiles: at least two; two profiles of one network are also compared by layer.
        titles: unique titles of their panels.
        tables: their tables.
        colours: colours of layer types.
    """
    networks = networks_table([replace(item, network=title) for item, title in zip(profiles, titles, strict=True)])
    own = dict(zip(titles, PALETTE, strict=False))
    roofs = roofline(networks, titles, _common_roofs(profiles), own, "Roofline of networks", wide=False)
    figures = (_latencies(networks, titles, wide=roofs is None), roofs, _types(titles, tables, colours))
    sheets = [sheet(networks, shown=True)]
    if len(profiles) == 2 and profiles[0].network == profiles[1].network:
        sheets += [sheet(table) for table in compare(*profiles)]
    return Panel(
        title="All profiles",
        facts=(("profiles", str(len(profiles))),),
        figures=tuple(item for item in figures if item is not None),
        sheets=tuple(sheets),
    )


def _common_roofs(profiles: Sequence[Profile]) -> Roofs | None:
    """Return the roofs of the first profile if all profiles are of one device, else None."""
    roofs = [profile.roofs for profile in profiles]
    first = roofs[0]
    if first is None or any(other is None or other.device != first.device for other in roofs):
        return None
    return first


def _height(rows: int) -> int:
    return 130 + _ROW_PIXELS * rows


def _latencies(networks: Table, titles: Sequence[str], *, wide: bool) -> Figure | None:
    """Plot the latency of every network with its interval."""
    latency, low, high = (numbers(networks, name) for name in ("latency_ns", "low_ns", "high_ns"))
    rows = [row for row in range(len(networks)) if latency[row]]
    if not rows:
        return None
    scale, unit = step_of("ns", [latency[row] or 0.0 for row in rows])
    batch, times = numbers(networks, "batch"), [latency[row] for row in rows]
    bars = go.Bar(
        orientation="h",
        x=divided(times, scale),
        y=[plain(titles[row]) for row in rows],
        error_x=interval(times, [low[row] for row in rows], [high[row] for row in rows], scale),
        marker_color=BLUE,
        text=[
            f"  {format_ns(latency[row] or 0.0)}" + (f", batch {batch[row]:g}" if batch[row] else "") for row in rows
        ],
        textposition="auto",
        insidetextanchor="start",
        hovertemplate=f"%{{y}}: %{{x:.5g}} {unit}<extra></extra>",
    )
    return Figure(
        title="Latency",
        data=(bars,),
        layout=rows_layout(f"latency of a call, {unit}", yaxis_type="category", showlegend=False),
        note="smallest batch; median and 95 % interval",
        wide=wide,
        height=_height(len(rows)) if wide else max(360, _height(len(rows))),
    )


def _types(titles: Sequence[str], tables_of_all: Sequence[Tables], colours: Mapping[str, str]) -> Figure | None:
    """Plot the distribution of layer time over types in every network."""
    pairs = zip(titles, tables_of_all, strict=True)
    shares = {plain(title): grouped_shares(tables.get("A6", NOTHING), colours) for title, tables in pairs}
    figure, count = distribution(shares, colours), sum(any(types.values()) for types in shares.values())
    note = f"share of the time in layers; {counted(count, 'profile')}"
    return None if figure is None else replace(figure, title="Time by type", note=note, height=_height(count))
