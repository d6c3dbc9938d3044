"""Panels of a report's page: key figures, charts, timeline and tables of each profile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.runs import overheads, states_of
from dlbricks.analysis.table import Analysis, Cell, Table
from dlbricks.profile.types import LevelRun, Profile
from dlbricks.report.page.calls import batches, device_share, device_states, kernels_by_name, level_overhead
from dlbricks.report.page.charts import (
    by_layer,
    cells,
    colours_of,
    distribution,
    grouped_shares,
    headroom,
    latency_by_layer,
    memory_over_time,
    numbers,
)
from dlbricks.report.page.html import save_page
from dlbricks.report.page.overview import NOTHING, Tables, cards, facts, overview
from dlbricks.report.page.roofline import roofline
from dlbricks.report.page.sheets import sheet
from dlbricks.report.page.timeline import MOST_BLOCKS, Timeline, timeline
from dlbricks.report.page.types import Figure, Panel
from dlbricks.units import counted

_SHARES = {"count": "A5", "memory": "A7", "time": "A6"}
"""Bars of the distribution by type, from bottom to top, and their analyses."""
_MOST_BLOCKS_OF_PAGE = 120_000


def tables_of(profile: Profile, analyses: Sequence[Analysis]) -> Tables:
    """Compute analyses of a profile."""
    return {one.id: one.compute(profile) for one in analyses}


def type_colours(found: Sequence[Tables]) -> dict[str, str]:
    """Assign colours to the types with the longest total time over all networks (A6)."""
    shares = []
    for tables in found:
        table = tables.get("A6", NOTHING)
        pairs = zip(cells(table, "type"), numbers(table, "share_percent"), strict=True)
        shares.append({str(type_): share or 0.0 for type_, share in pairs})
    return colours_of(shares)


def profile_panel(
    profile: Profile, tables: Tables, colours: Mapping[str, str], *, more: Panel | None = None, panels: int = 1
) -> Panel:
    """Make the panel of one profile.

    Args:
        profile: the profile.
        tables: its tables.
        colours: colours of layer types.
        more: further cards, notes, figures and sheets to add.
        panels: number of panels on the page; more panels have fewer timeline blocks each.
    """
    drawn, description = _timeline(profile, min(MOST_BLOCKS, _MOST_BLOCKS_OF_PAGE // max(1, panels)))
    sheets = [sheet(one) for one in tables.values()]
    return Panel(
        title=profile.network,
        facts=facts(profile),
        cards=(*cards(profile, tables), *(more.cards if more else ())),
        notes=(*profile.all_notes, *(more.notes if more else ())),
        figures=(*_figures(profile, tables, colours), *(more.figures if more else ())),
        sheets=(*(more.sheets if more else ()), *sheets),
        timeline=drawn,
        timeline_note=description,
    )


def _figures(profile: Profile, tables: Tables, colours: Mapping[str, str]) -> tuple[Figure, ...]:
    layers, latency, of_device = (tables.get(id_, NOTHING) for id_ in ("A2", "A3", "A11"))
    shares = {what: grouped_shares(tables.get(id_, NOTHING), colours) for what, id_ in _SHARES.items()}
    shares["device time"] = grouped_shares(of_device, colours, "busy_ns")
    roofs, of_layers, of_kernels = profile.roofs, tables.get("A14", NOTHING), tables.get("A9", NOTHING)
    work = {"flops": "Arithmetic", "read_bytes": "Bytes read", "written_bytes": "Bytes written"}
    made = (
        latency_by_layer(latency, cells(layers, "shape"), colours) if len(latency) else None,
        distribution(shares, colours),
        roofline(of_layers, cells(of_layers, "type"), roofs, colours, "Roofline of layers"),
        roofline(of_kernels, _types_of(of_kernels, layers), roofs, colours, "Roofline of kernels"),
        kernels_by_name(tables.get("A10", NOTHING)),
        headroom(tables.get("headroom", NOTHING)),
        level_overhead(overheads(profile)),
        batches(tables.get("A1", NOTHING)),
        by_layer(tables.get("A4", NOTHING), "memory_bytes", "Memory by layer", colours),
        memory_over_time(tables.get("memory", NOTHING)),
        device_share(tables.get("A13", NOTHING)),
        by_layer(of_device, "busy_ns", "Device time by layer", colours),
        *(by_layer(tables.get("A12", NOTHING), column, f"{what} by layer", colours) for column, what in work.items()),
        device_states(states_of(profile)),
    )
    return tuple(one for one in made if one is not None)


def _types_of(kernels: Table, layers: Table) -> list[Cell]:
    """Return the layer type of every kernel."""
    known = dict(zip(cells(layers, "index"), cells(layers, "type"), strict=True))
    return [known.get(index) for index in cells(kernels, "layer_index")]


def _timeline(profile: Profile, most: int) -> tuple[Timeline | None, str]:
    """Lay out the deepest run of the smallest batch, with a description."""
    run = _deepest(profile)
    if run is None:
        return None, ""
    made = timeline(run.trace, most)
    what = counted(len(made.calls), made.unit) if made.calls else counted(len(run.trace), "span")
    batch = f", batch {run.batch}" if run.batch else ""
    description = f"run {run.levels}{batch}, {what}" + (f"; {made.note}" if made.note else "")
    return made, description


def _deepest(profile: Profile) -> LevelRun | None:
    for levels in ("MLK", "ML", "M"):
        run = profile.run(levels)
        if run is not None and len(run.trace):
            return run
    return None


def save_report(
    path: Path, title: str, profiles: Sequence[Profile], more: Mapping[int, Panel] | None = None
) -> tuple[Panel, ...]:
    """Write profiles as one page with all analyses, and return its panels.

    Args:
        path: the HTML file.
        title: title of the page.
        profiles: at least one.
        more: further content for some of them, by index.

    Raises:
        MissingDependencyError: plotly is not installed.
        InputError: the file cannot be written.
    """
    analyses = chosen(())
    found = [tables_of(profile, analyses) for profile in profiles]
    colours = type_colours(found)
    titles = titles_of(profiles)
    panels = [
        replace(profile_panel(profile, tables, colours, more=(more or {}).get(place), panels=len(profiles)), title=name)
        for place, (profile, tables, name) in enumerate(zip(profiles, found, titles, strict=True))
    ]
    if len(profiles) > 1:
        panels.insert(0, overview(profiles, titles, found, colours))
    save_page(path, title, panels, colours)
    return tuple(panels)


def titles_of(profiles: Sequence[Profile]) -> list[str]:
    """Return unique titles: the networks, numbered if several profiles are of one network."""
    names = [profile.network for profile in profiles]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelContent:
    """Content of a panel, and unavailable analyses with reasons."""

    title: str
    charts: tuple[str, ...]
    """Titles."""
    tables: tuple[str, ...]
    """Ids of analyses."""
    unavailable: Mapping[str, str]
    """Ids of unavailable analyses, and what they need."""
    timeline: str
    """What the timeline omits, or why there is none; empty if it is complete."""
    notes: tuple[str, ...]


def content_of(panel: Panel) -> PanelContent:
    """Summarise the content of a panel."""
    return PanelContent(
        title=panel.title,
        charts=tuple(figure.title for figure in panel.figures),
        tables=tuple(sheet["id"] for sheet in panel.sheets if not sheet["unavailable"]),
        unavailable={sheet["id"]: sheet["unavailable"] for sheet in panel.sheets if sheet["unavailable"]},
        timeline=panel.timeline_note,
        notes=panel.notes,
    )
