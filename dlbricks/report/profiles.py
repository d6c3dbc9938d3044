"""Tables of profiles: latency and overhead of each level, slowest layers, roofs of the machine."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.console import RenderableType
from rich.table import Table

from dlbricks.analysis.executions import layers_of
from dlbricks.analysis.runs import LevelOverhead, overheads
from dlbricks.profile.types import LevelRun, Profile, Roofs
from dlbricks.report.console import table
from dlbricks.units import counted, format_ns


def profiles_report(profiles: Sequence[Profile], *, rows: int) -> list[RenderableType]:
    """Show the levels and slowest layers of every profile, and what is missing.

    Args:
        profiles: profiles of one machine.
        rows: number of layers shown of each; 0 for all.
    """
    levels = [(profile.network, overhead) for profile in profiles for overhead in overheads(profile)]
    items: list[RenderableType] = [levels_table(levels)]
    for profile in profiles:
        run = profile.run("ML") or profile.run("MLK")
        if run is not None:
            items += _layers(profile.network, run, rows)
    roofs = next((profile.roofs for profile in profiles if profile.roofs is not None), None)
    return [*items, *([_roofs(roofs)] if roofs else []), *_notes(profiles)]


def levels_table(rows: Sequence[tuple[str, LevelOverhead]]) -> Table:
    """Show the latency of each level and its overhead over the level above, with 95 % intervals."""
    levels = ("network", ">batch", "levels", ">calls", ">latency", ">95 % interval")
    adding = any(row.added is not None for _, row in rows)
    listing = table(*levels, *((">adds", ">adds %", ">95 % interval") if adding else ()), keys=3)
    for network, row in rows:
        latency, added = row.latency, ("", "", "")
        if row.added is not None and None not in (row.relative, row.relative_low, row.relative_high):
            added = (
                format_ns(row.added.median_ns),
                f"{row.relative:+.1%}",
                f"{row.relative_low:+.1%} to {row.relative_high:+.1%}",
            )
        listing.add_row(
            network,
            str(row.batch),
            row.levels,
            str(row.calls),
            format_ns(latency.median_ns),
            f"{format_ns(max(0.0, latency.low_ns))} to {format_ns(latency.high_ns)}",
            *(added if adding else ()),
        )
    return listing


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkLevels:
    """Latency of a network at each tracing level."""

    network: str
    file: str | None
    """File of the profile; None if none was written."""
    levels: tuple[LevelOverhead, ...]
    roofs: Roofs | None
    notes: tuple[str, ...]


def network_levels(profiles: Sequence[Profile], places: Sequence[str | None]) -> list[NetworkLevels]:
    """Return the latency at each level.

    Args:
        profiles: profiles of one machine.
        places: file of each, or None.
    """
    return [
        NetworkLevels(
            network=profile.network,
            file=place,
            levels=overheads(profile),
            roofs=profile.roofs,
            notes=(*profile.notes, *_run_notes(profile)),
        )
        for profile, place in zip(profiles, places, strict=True)
    ]


def _layers(network: str, run: LevelRun, rows: int) -> list[RenderableType]:
    """Show the slowest layers and the total of all layers."""
    layers = layers_of(run.trace)
    if not len(layers):
        return []
    times = layers.latencies().median
    order = np.argsort(-times, kind="stable")[: rows or None].tolist()
    listing = table(">#", "layer", "type", "shape", ">latency", ">share", title=f"{network}, batch {run.batch}: layers")
    for number in order:
        share = times[number] / times.sum() if times.sum() else 0.0
        index, name = str(layers.index[number]), layers.names[number]
        shown = (layers.types[number], layers.shapes[number], format_ns(times[number]), f"{share:.1%}")
        listing.add_row(index, name, *shown)
    together = f"{counted(len(layers), 'layer')} together {format_ns(float(times.sum()))}"
    return [listing, f"{together}; {len(layers) - len(order)} not shown" if len(order) < len(layers) else together]


def _notes(profiles: Sequence[Profile]) -> list[str]:
    """Return the notes of profiles: shared ones once, others with the name of their network."""
    shared = set.intersection(*(set(profile.notes) for profile in profiles)) if profiles else set()
    notes = [note if note in shared else f"{profile.network}, {note}" for profile in profiles for note in profile.notes]
    return list(dict.fromkeys([*notes, *(note for profile in profiles for note in _run_notes(profile))]))


def _run_notes(profile: Profile) -> list[str]:
    return [f"{profile.network}, {run.levels}: {note}" for run in profile.runs for note in run.trace.notes]


def _roofs(roofs: Roofs) -> str:
    rates = ", ".join(f"{rate / 1e9:.4g} Gflop/s {dtype}" for dtype, rate in roofs.flops_per_s.items())
    return f"measured roofs of {roofs.device}: {rates}, {roofs.copied_bytes_per_s / 1e9:.4g} GB/s"


def roofs_report(roofs: Roofs) -> list[RenderableType]:
    """Show measured and theoretical peak rates, and the source of the latter."""
    listing = table("roof", ">measured", ">theoretical", ">share")
    dtypes = list(dict.fromkeys([*roofs.flops_per_s, *roofs.stated_flops_per_s]))
    for dtype in dtypes:
        stated = roofs.stated_flops_per_s.get(dtype)
        listing.add_row(f"product of {dtype}", *_row(roofs.flops_per_s.get(dtype), stated, "flop/s"))
    listing.add_row("copy", *_row(roofs.copied_bytes_per_s, roofs.stated_bytes_per_s, "B/s"))
    items: list[RenderableType] = [f"roofs of {roofs.device}", listing]
    intensity = roofs.ideal_intensity()
    if intensity is not None:
        items.append(f"float32: above {intensity:.3g} flop/B arithmetic is the limit, below it memory")
    return [*items, f"theoretical: {roofs.source}"] if roofs.source else items


def _row(measured: float | None, stated: float | None, unit: str) -> tuple[str, str, str]:
    share = f"{100 * measured / stated:.0f} %" if measured and stated else ""
    return _rate(measured, unit), _rate(stated, unit), share


def _rate(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    scale, prefix = (1e12, "T") if value >= 1e12 else (1e9, "G")
    return f"{value / scale:.4g} {prefix}{unit}"
