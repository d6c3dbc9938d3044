"""Tables of profiles: latency and overhead of each level, slowest layers, roofs of the machine."""

from collections.abc import Sequence

import numpy as np
from rich.console import RenderableType

from dlbricks.analysis.executions import layers_of
from dlbricks.analysis.runs import overheads
from dlbricks.profile.types import LevelRun, Profile, Roofs
from dlbricks.report.console import table
from dlbricks.units import counted, format_ns


def profiles_report(profiles: Sequence[Profile], *, rows: int) -> list[RenderableType]:
    """Show the levels and slowest layers of every profile, and what is missing.

    Args:
        profiles: profiles of one machine.
        rows: number of layers shown of each; 0 for all.
    """
    items: list[RenderableType] = [_levels_table(profiles)]
    for profile in profiles:
        run = profile.run("ML") or profile.run("MLK")
        items += _layers(profile.network, run, rows) if run is not None else []
    roofs = next((profile.roofs for profile in profiles if profile.roofs is not None), None)
    if roofs is not None:
        rates = ", ".join(f"{rate / 1e9:.4g} Gflop/s {dtype}" for dtype, rate in roofs.flops_per_s.items())
        items.append(f"measured roofs of {roofs.device}: {rates}, {roofs.copied_bytes_per_s / 1e9:.4g} GB/s")
    # A note that all profiles have is about the machine and is shown once.
    shared = set.intersection(*(set(profile.notes) for profile in profiles)) if profiles else set()
    notes = [note if note in shared else f"{profile.network}, {note}" for profile in profiles for note in profile.notes]
    return [*items, *dict.fromkeys([*notes, *(note for profile in profiles for note in _run_notes(profile))])]


def _levels_table(profiles: Sequence[Profile]) -> RenderableType:
    """Show the latency of each level and its overhead over the level above, with 95 % intervals."""
    rows = [(profile.network, overhead) for profile in profiles for overhead in overheads(profile)]
    columns = ("network", ">batch", "levels", ">calls", ">latency", ">95 % interval")
    adding = any(row.added is not None for _, row in rows)
    listing = table(*columns, *((">adds", ">adds %", ">95 % interval") if adding else ()), keys=3)
    for network, row in rows:
        latency, added = row.latency, ("", "", "") if adding else ()
        if row.added is not None and None not in (row.relative, row.relative_low, row.relative_high):
            interval = f"{row.relative_low:+.1%} to {row.relative_high:+.1%}"
            added = (format_ns(row.added.median_ns), f"{row.relative:+.1%}", interval)
        interval = f"{format_ns(max(0.0, latency.low_ns))} to {format_ns(latency.high_ns)}"
        listing.add_row(network, row.batch, row.levels, row.calls, format_ns(latency.median_ns), interval, *added)
    return listing


def network_levels(profiles: Sequence[Profile], places: Sequence[str | None]) -> list[dict[str, object]]:
    """Return the latency at each level of profiles of one machine, with the file of each profile, or None."""
    return [
        {
            "network": profile.network,
            "file": place,
            "levels": overheads(profile),
            "roofs": profile.roofs,
            "notes": (*profile.notes, *_run_notes(profile)),
        }
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
        head = (layers.index[number], layers.names[number], layers.types[number], layers.shapes[number])
        listing.add_row(*head, format_ns(times[number]), f"{share:.1%}")
    together = f"{counted(len(layers), 'layer')} together {format_ns(float(times.sum()))}"
    return [listing, f"{together}; {len(layers) - len(order)} not shown" if len(order) < len(layers) else together]


def _run_notes(profile: Profile) -> list[str]:
    return [f"{profile.network}, {run.levels}: {note}" for run in profile.runs for note in run.trace.notes]


def roofs_report(roofs: Roofs) -> list[RenderableType]:
    """Show measured and theoretical peak rates, and the source of the latter."""
    listing = table("roof", ">measured", ">theoretical", ">share")
    rates = {
        f"product of {dtype}": (roofs.flops_per_s.get(dtype), roofs.stated_flops_per_s.get(dtype), "flop/s")
        for dtype in (*roofs.flops_per_s, *roofs.stated_flops_per_s)
    }
    rates["copy"] = (roofs.copied_bytes_per_s, roofs.stated_bytes_per_s, "B/s")
    for name, (measured, stated, unit) in rates.items():
        share = f"{100 * measured / stated:.0f} %" if measured and stated else ""
        listing.add_row(name, _rate(measured, unit), _rate(stated, unit), share)
    items: list[RenderableType] = [f"roofs of {roofs.device}", listing]
    intensity = roofs.ideal_intensity()
    if intensity is not None:
        items.append(f"float32: above {intensity:.3g} flop/B arithmetic is the limit, below it memory")
    return [*items, f"theoretical: {roofs.source}"] if roofs.source else items


def _rate(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    scale, prefix = (1e12, "T") if value >= 1e12 else (1e9, "G")
    return f"{value / scale:.4g} {prefix}{unit}"
