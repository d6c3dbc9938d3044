"""The panels of the report page: a panel of figures, charts, timeline and tables for each profile, and an overview."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import RenderableType

from dlbricks.analysis.breakdown import breakdown
from dlbricks.analysis.calls import overheads
from dlbricks.analysis.catalogue import chosen, compare, networks_table, ranks_table
from dlbricks.analysis.table import Analysis, Table
from dlbricks.harness.machine import listed
from dlbricks.report import charts
from dlbricks.report.charts import PALETTE, Card, Figure, Panel, cells, numbers, plain
from dlbricks.report.console import KeyedTable
from dlbricks.report.html import save_page
from dlbricks.report.tables import breakdown_report, format_cell, sheet
from dlbricks.report.timeline import MOST_BLOCKS, Timeline, timeline
from dlbricks.report.whatif import prediction_report
from dlbricks.trace.kinds import COLLECTIVE
from dlbricks.trace.types import Profile
from dlbricks.units import counted, format_ns

# Tables of one profile by the id of the analysis, in the order of the catalogue.
Tables = Mapping[str, Table]
_NO_TABLES = ("charts and tables describe recordings: these timelines are computed, so they have none",)
# Most blocks of all timelines on a page: a page with more takes seconds to load.
_MOST_BLOCKS_OF_PAGE = 120_000


def tables_of(profile: Profile, analyses: Sequence[Analysis]) -> Tables:
    """Run analyses on a profile; return their tables by id of the analysis."""
    return {analysis.id: analysis.compute(profile) for analysis in analyses}


def colours_of(tables_of_all: Sequence[Tables]) -> dict[str, str]:
    """Assign colours to the layer types that take most time over all networks."""
    types = [tables["A6"] for tables in tables_of_all if tables]
    shares = [(cells(table, "type"), np.nan_to_num(numbers(table, "share_percent")).tolist()) for table in types]
    return charts.type_colours(dict(zip(map(str, names), values, strict=True)) for names, values in shares)


def profile_panel(profile: Profile, tables: Tables, colours: Mapping[str, str], *, panels: int = 1) -> Panel:
    """Build the panel of a profile; if the page has many ``panels``, its timeline has fewer blocks."""
    drawn, description = _timeline(profile, min(MOST_BLOCKS, _MOST_BLOCKS_OF_PAGE // max(1, panels)))
    if profile.prediction is not None:
        lead = lead_of(prediction_report(profile.prediction))
        return Panel(
            title=profile.network, lead=lead, notes=_NO_TABLES, timeline=drawn, timeline_note="before and after"
        )
    screen = breakdown(profile)
    uses, total = sorted(screen.shares_ns.items(), key=lambda item: -item[1]), sum(screen.shares_ns.values())
    return Panel(
        title=profile.network,
        facts=_facts(profile),
        lead=lead_of(breakdown_report("", screen)),
        uses=tuple((word, 100 * time_ns / total) for word, time_ns in uses if time_ns),
        cards=tuple(_cards(profile, tables)),
        notes=profile.all_notes,
        figures=_figures(profile, tables, colours),
        sheets=tuple(map(sheet, tables.values())),
        timeline=drawn,
        timeline_note=description,
    )


def lead_of(items: Iterable[RenderableType]) -> tuple[Any, ...]:
    """Convert console output to texts (of lines) and dictionaries (of tables: ``title``, ``columns``, ``rows``)."""
    return tuple(
        {
            "title": str(item.title or ""),
            "columns": [{"head": str(column.header), "number": column.no_wrap} for column in item.columns],
            "rows": list(zip(*(map(item.brief, map(str, column.cells)) for column in item.columns), strict=True)),
        }
        if isinstance(item, KeyedTable)
        else str(item)
        for item in items
        if item
    )


def _figures(profile: Profile, tables: Tables, colours: Mapping[str, str]) -> tuple[Figure, ...]:
    # The bars of the distribution, from bottom to top.
    shares = {
        name: charts.grouped_shares(tables[id_], colours, column)
        for name, id_, column in (
            ("count", "A5", "share_percent"),
            ("memory", "A7", "share_percent"),
            ("time", "A6", "share_percent"),
            ("device time", "A11", "busy_ns"),
        )
    }
    types = dict(zip(cells(tables["A2"], "index"), cells(tables["A2"], "type"), strict=True))
    of_kernels = [types.get(index) for index in cells(tables["A9"], "layer_index")]
    roofs, layer_types = profile.roofs, cells(tables["A14"], "type")
    figures = (
        charts.by_layer(
            tables["A3"], "latency_ns", "Latency by layer", colours, shapes=cells(tables["A2"], "shape"), wide=True
        ),
        charts.distribution(shares, colours),
        charts.roofline(tables["A14"], layer_types, roofs, colours, "Roofline of layers"),
        charts.roofline(tables["A9"], of_kernels, roofs, colours, "Roofline of kernels"),
        charts.batches(tables["A1"]),
        charts.by_layer(tables["A4"], "memory_bytes", "Memory by layer", colours),
        charts.by_layer(tables["A11"], "busy_ns", "Device time by layer", colours),
        charts.by_layer(tables["A12"], "flops", "Arithmetic by layer", colours),
        charts.by_layer(tables["A12"], "read_bytes", "Bytes read by layer", colours),
        charts.by_layer(tables["A12"], "written_bytes", "Bytes written by layer", colours),
    )
    return tuple(figure for figure in figures if figure is not None)


def _timeline(profile: Profile, most: int) -> tuple[Timeline | None, str]:
    runs = (profile.run(levels) for levels in ("MLK", "ML", "M"))
    run = next((run for run in runs if run is not None and len(run.trace)), None)
    if run is None:
        return None, ""
    drawn = timeline(run.trace, most)
    what = counted(len(drawn.calls), drawn.unit) if drawn.calls else counted(len(run.trace), "span")
    batch = f", batch {run.batch}" if run.batch else ""
    return drawn, f"run {run.levels}{batch}, {what}" + (f"; {drawn.note}" if drawn.note else "")


def _facts(profile: Profile) -> tuple[tuple[str, str], ...]:
    # Return pairs of label and text on the machine, the runtime and the settings of a profile.
    system, runtime = profile.system, profile.runtime
    cpu = system.get("cpu")
    labelled: dict[str, Any] = {
        "system": system.get("name"),
        "processor": cpu.get("model") if isinstance(cpu, Mapping) else cpu,
        "GPU": ", ".join(str(gpu["name"]) for gpu in listed(system.get("gpus")) if gpu.get("name")),
        "runtime": " ".join(str(runtime[key]) for key in ("name", "version") if runtime.get(key)),
        "provider": runtime.get("provider"),
        "threads": runtime.get("threads"),
        "batches": ", ".join(str(batch) for batch in profile.batches if batch),
        "levels": ", ".join(dict.fromkeys(run.levels for run in profile.runs)),
    }
    return tuple((label, str(value)) for label, value in labelled.items() if value not in (None, ""))


def _cards(profile: Profile, tables: Tables) -> list[Card]:
    # Return the key figures: latency, throughput, layers, type with most time, limits, overhead of tracing.

    def first(id_: str, column: str) -> Any:
        return next(iter(cells(tables[id_], column)), None)

    rows: list[tuple[str, str, str]] = []
    latency, low, high, batch = (first("A1", name) for name in ("latency_ns", "low_ns", "high_ns", "batch"))
    if latency is not None:
        spread = "" if low is None else f"{format_ns(low)} to {format_ns(high)} (95 %)"
        rows.append((f"latency, batch {batch}" if batch else "latency", format_ns(latency), spread))
    rates, batches = np.nan_to_num(numbers(tables["A1"], "throughput_per_s")), cells(tables["A1"], "batch")
    if rates.any():
        best = int(rates.argmax())
        optimal = [size for size, chosen in zip(batches, cells(tables["A1"], "optimal"), strict=True) if chosen]
        note = f"at batch {batches[best]}" + (f"; optimal batch {optimal[0]}" if optimal else "")
        rows.append(("throughput", f"{rates[best]:.4g}/s", note))
    if layers := len(tables["A2"]):
        rows.append(("layers executed", f"{layers:,}", counted(len(set(cells(tables["A2"], "type"))), "type")))
    if (share := first("A6", "share_percent")) is not None:
        rows.append(("longest type", str(first("A6", "type")), f"{share:.3g} % of the time in layers"))
    flops, time_ns = (float(np.nansum(numbers(tables["A14"], name))) for name in ("flops", "latency_ns"))
    if flops and time_ns:
        rate = format_cell(flops / time_ns * 1e9, "flop/s")
        rows.append(("arithmetic of a call", format_cell(flops, "flop"), f"{rate} over layers"))
    bound = [value for value in cells(tables["A14"], "memory_bound") if value is not None]
    if bound:
        how = "measured" if profile.roofs is None or profile.roofs.measured else "theoretical"
        of_all = f"of {len(bound)} layers, by the {how} bandwidth and peak FLOP/s"
        rows.append(("memory-bound", counted(sum(map(bool, bound)), "layer"), of_all))
    for overhead in overheads(profile)[:3]:
        if overhead.relative is not None:
            what = {"ML": "layers", "MLK": "kernels"}.get(overhead.levels, overhead.levels)
            spread = f"{overhead.relative_low or 0:+.1%} to {overhead.relative_high or 0:+.1%}"
            note = f"median over rounds, {spread}; not included in the latencies above"
            rows.append((f"tracing {what} adds", f"{overhead.relative:+.1%}", note))
    return [Card(label=label, value=value, note=note) for label, value, note in rows]


def overview(
    profiles: Sequence[Profile], titles: Sequence[str], tables_of_all: Sequence[Tables], colours: Mapping[str, str]
) -> Panel:
    """Build the overview panel of several profiles; two profiles of one network are also compared layer by layer."""
    named = [replace(profile, network=title) for profile, title in zip(profiles, titles, strict=True)]
    networks = networks_table(named)
    # The limits of a single device are drawn; those of several devices would hide the points.
    devices = {profile.roofs.device if profile.roofs else "" for profile in profiles}
    shared = profiles[0].roofs if len(devices) == 1 else None
    own = dict(zip(titles, PALETTE, strict=False))
    roofs = charts.roofline(networks, titles, shared, own, "Roofline of networks", wide=False)
    shares = {
        plain(title): charts.grouped_shares(tables["A6"], colours)
        for title, tables in zip(titles, tables_of_all, strict=True)
    }
    types = charts.distribution(shares, colours, "Time by type")
    if types is not None:
        count = sum(map(any, shares.values()))
        types = replace(types, note=f"share of layers' time; {counted(count, 'profile')}", height=130 + 26 * count)
    figures = (charts.network_latencies(networks, titles, wide=roofs is None), roofs, types)
    more = compare(*profiles) if len(profiles) == 2 and profiles[0].network == profiles[1].network else []
    ranks = [ranks_table(named)] if all(COLLECTIVE in each.runs[-1].trace.kinds for each in named) else []
    return Panel(
        title="All profiles",
        facts=(("profiles", str(len(profiles))),),
        figures=tuple(figure for figure in figures if figure is not None),
        sheets=(sheet(networks, shown=True), *map(sheet, (*ranks, *more))),
    )


def save_report(path: Path, title: str, profiles: Sequence[Profile]) -> tuple[Panel, ...]:
    """Write an HTML page with all analyses of profiles; return the panels of the page."""
    analyses = chosen(())
    recorded = [profile.prediction is None for profile in profiles]
    tables_of_all = [
        tables_of(profile, analyses if is_recorded else ())
        for profile, is_recorded in zip(profiles, recorded, strict=True)
    ]
    colours, titles = colours_of(tables_of_all), titles_of(profiles)
    panels = [
        replace(profile_panel(profile, tables, colours, panels=len(profiles)), title=name)
        for profile, tables, name in zip(profiles, tables_of_all, titles, strict=True)
    ]
    if len(profiles) > 1 and all(recorded):
        panels.insert(0, overview(profiles, titles, tables_of_all, colours))
    save_page(path, title, panels, colours)
    return tuple(panels)


def titles_of(profiles: Sequence[Profile]) -> list[str]:
    """Return a unique title for each profile: the name of its network, and a number if networks have equal names."""
    names = [profile.network for profile in profiles]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


def content_of(panel: Panel) -> dict[str, object]:
    """Summarise a panel: titles of charts, ids of analyses, and what unavailable analyses need."""
    return {
        "title": panel.title,
        "charts": [figure.title for figure in panel.figures],
        "tables": [table["id"] for table in panel.sheets if not table["unavailable"]],
        "unavailable": {table["id"]: table["unavailable"] for table in panel.sheets if table["unavailable"]},
        "timeline": panel.timeline_note,
        "notes": panel.notes,
    }
