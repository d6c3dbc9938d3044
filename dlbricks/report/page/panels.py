"""Profiles as panels of a report's page: figures that stand out, charts, the timeline, and all tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.analysis.catalogue import ANALYSES
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
"""Bars of the distribution by type, from the lowest up, and the tables they are from."""
_MOST_BLOCKS_OF_PAGE = 120_000


def tables_of(profile: Profile, analyses: Sequence[Analysis]) -> Tables:
    """Make every analysis of a profile."""
    return {one.id: one.compute(profile) for one in analyses}


def type_colours(found: Sequence[Tables]) -> dict[str, str]:
    """Give the types that take most time over all networks their colours (A6)."""
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
        profile: any.
        tables: of it.
        colours: of layer types.
        more: what is told of it besides: its cards, notes, figures and sheets are added.
        panels: of the page; the more there are, the fewer blocks each timeline has.
    """
    drawn, said = _timeline(profile, min(MOST_BLOCKS, _MOST_BLOCKS_OF_PAGE // max(1, panels)))
    sheets = [sheet(one) for one in tables.values()]
    return Panel(
        title=profile.network,
        facts=facts(profile),
        cards=(*cards(profile, tables), *(more.cards if more else ())),
        notes=(*profile.all_notes, *(more.notes if more else ())),
        figures=(*_figures(profile, tables, colours), *(more.figures if more else ())),
        sheets=(*(more.sheets if more else ()), *sheets),
        timeline=drawn,
        timeline_note=said,
    )


def _figures(profile: Profile, tables: Tables, colours: Mapping[str, str]) -> tuple[Figure, ...]:
    made: list[Figure | None] = []
    layers = tables.get("A2", NOTHING)
    if len(tables.get("A3", NOTHING)):
        made.append(latency_by_layer(tables["A3"], cells(layers, "shape"), colours))
    shares = {what: grouped_shares(tables.get(id_, NOTHING), colours) for what, id_ in _SHARES.items()}
    of_device = tables.get("A11", NOTHING)
    shares["device time"] = grouped_shares(of_device, colours, "busy_ns")
    made.append(distribution(shares, colours))
    roofs = profile.roofs
    of_layers, of_kernels = tables.get("A14", NOTHING), tables.get("A9", NOTHING)
    made.append(roofline(of_layers, cells(of_layers, "type"), roofs, colours, "Roofline of layers"))
    made.append(roofline(of_kernels, _types_of(of_kernels, layers), roofs, colours, "Roofline of kernels"))
    made.append(kernels_by_name(tables.get("A10", NOTHING)))
    made.append(headroom(tables.get("headroom", NOTHING)))
    made.append(level_overhead(overheads(profile)))
    made.append(batches(tables.get("A1", NOTHING)))
    made.append(by_layer(tables.get("A4", NOTHING), "memory_bytes", "Memory by layer", colours))
    made.append(memory_over_time(tables.get("memory", NOTHING)))
    made.append(device_share(tables.get("A13", NOTHING)))
    made.append(by_layer(of_device, "busy_ns", "Device time by layer", colours))
    device = tables.get("A12", NOTHING)
    for column, title in (
        ("flops", "Arithmetic by layer"),
        ("read_bytes", "Bytes read by layer"),
        ("written_bytes", "Bytes written by layer"),
    ):
        made.append(by_layer(device, column, title, colours))
    made.append(device_states(states_of(profile)))
    return tuple(one for one in made if one is not None)


def _types_of(kernels: Table, layers: Table) -> list[Cell]:
    """Give the type of the layer of every kernel."""
    known = dict(zip(cells(layers, "index"), cells(layers, "type"), strict=True))
    return [known.get(index) for index in cells(kernels, "layer_index")]


def _timeline(profile: Profile, most: int) -> tuple[Timeline | None, str]:
    """Lay out the deepest run of the smallest batch, and say which one it is."""
    run = _deepest(profile)
    if run is None:
        return None, ""
    made = timeline(run.trace, most)
    what = counted(len(made.calls), made.unit) if made.calls else counted(len(run.trace), "span")
    batch = f", batch {run.batch}" if run.batch else ""
    said = f"run {run.levels}{batch}, {what}" + (f"; {made.note}" if made.note else "")
    return made, said


def _deepest(profile: Profile) -> LevelRun | None:
    for levels in ("MLK", "ML", "M"):
        run = profile.run(levels)
        if run is not None and len(run.trace):
            return run
    return None


def save_report(
    path: Path, title: str, profiles: Sequence[Profile], more: Mapping[int, Panel] | None = None
) -> tuple[Panel, ...]:
    """Write profiles as one page, with every analysis of the catalogue, and give what is on it.

    Args:
        path: the HTML file.
        title: of the page.
        profiles: one or more.
        more: what is told of some of them besides, by their place.

    Raises:
        MissingDependencyError: plotly is not installed.
        InputError: the file cannot be written.
    """
    found = [tables_of(profile, ANALYSES) for profile in profiles]
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
    """Name every profile: by its network, by its place, too, where several are of one network."""
    names = [profile.network for profile in profiles]
    return [
        name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelContent:
    """What a panel of a page holds, and what it cannot hold and why."""

    title: str
    charts: tuple[str, ...]
    """Titles."""
    tables: tuple[str, ...]
    """Ids of analyses."""
    unavailable: Mapping[str, str]
    """Ids of the others, and what would be needed."""
    timeline: str
    """What the timeline leaves out, or why there is none; empty if it is whole."""
    notes: tuple[str, ...]


def content_of(panel: Panel) -> PanelContent:
    """Say what a panel holds."""
    return PanelContent(
        title=panel.title,
        charts=tuple(figure.title for figure in panel.figures),
        tables=tuple(sheet["id"] for sheet in panel.sheets if not sheet["unavailable"]),
        unavailable={sheet["id"]: sheet["unavailable"] for sheet in panel.sheets if sheet["unavailable"]},
        timeline=panel.timeline_note,
        notes=panel.notes,
    )
