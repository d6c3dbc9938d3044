"""Where the time of a step goes, on one screen: its duration, how busy the device is, and what takes most time."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from dlbricks.analysis import table
from dlbricks.analysis.calls import latency_by_type, layer_latency
from dlbricks.analysis.executions import kernels_in, model_times
from dlbricks.analysis.kernels import kernels_by_name
from dlbricks.analysis.roofline import device_work
from dlbricks.analysis.table import Breakdown, Table, TableContent, grouped, over_calls, ranked, select_rows, whole
from dlbricks.errors import InputError
from dlbricks.trace.types import LEVELS, Profile
from dlbricks.units import format_ns
from dlbricks.whatif.answer import replay_error_note, timing
from dlbricks.whatif.explain import BETWEEN_LAYERS, WAITING, WORDS, device_shares
from dlbricks.whatif.graph import TaskKind
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources import graph_of_profile

# Usual number of rows of each table.
MOST = 10
# What a device does, by category of ``explain``; the other categories keep their names.
_USES = {WORDS[TaskKind.KERNEL]: "compute", WAITING: "idle"}


def breakdown(profile: Profile, most: int = MOST) -> Breakdown:
    """Return where the time of a profile's median step or call goes, at the smallest batch size.

    For a trace that cannot be replayed, the result has only the time, the tables, and a note with the reason. ``most``
    is the number of rows of each table, 0 for all.
    """
    run, times = profile.run(LEVELS[0]), model_times(profile)
    untraced = run.samples_ns if run is not None and len(profile.runs) > 1 else ()
    screen = Breakdown(
        unit="whole" if times is None or times.unit == "trace" else times.unit,
        steps=0 if times is None else len(times.samples_ns),
        time_ns=0 if times is None else round(times.median_ns),
        untraced_ns=round(float(np.median(untraced))) if untraced else None,
        tables=_kernel_tables(profile, "call" if times is None else times.unit, most) or _layer_tables(profile, most),
    )
    try:
        graph = graph_of_profile(profile, profile.network)
    except InputError as error:
        return replace(screen, notes=(str(error),))
    schedule = replay(graph)
    now = timing(graph, schedule)
    shares, waits = device_shares(graph, schedule)
    # without a device, all other categories are operators
    others = {WORDS[TaskKind.DATA], BETWEEN_LAYERS, WAITING}
    on_host = {word: "operators" for word in now.shares_ns if word not in others}
    host_ns = float(np.median(now.steps_ns or now.time_ns))
    corrections = [
        note.partition(", so")[0] for note in graph.notes if "are scaled" in note or "time is left out" in note
    ]
    notes = [f"{note} (tables: as recorded)" for note in corrections]
    if host_ns < now.busy_ns:
        host = f"longer than the step on the host ({format_ns(host_ns)})"
        notes.append(f"the device with its gaps takes {host}: its time counts; causes of gaps are not recorded")
    return replace(
        screen,
        steps=len(now.steps_ns),
        time_ns=now.time_ns,
        device=graph.device,
        shares_ns=_translated(shares, _USES) if shares else _translated(now.shares_ns, on_host),
        waits_ns=waits,
        path_ns=now.shares_ns,
        notes=(*notes, *replay_error_note(graph, schedule)),
    )


def _translated(times: Mapping[str, int], words: Mapping[str, str]) -> dict[str, int]:
    # Return times with other names of categories.
    added = Counter[str]()
    for word, time_ns in times.items():
        added[words.get(word, word)] += time_ns
    return dict(added)


def _kernel_tables(profile: Profile, unit: str, most: int) -> tuple[Table, ...]:
    kernels = kernels_by_name.compute(profile)
    operators = table.table_of("operators", "", lambda: _operators(profile))
    if kernels.unavailable:
        return ()
    return _top(kernels, "kernels", unit, most), _top(operators, "operators", "device_time", most)


def _operators(profile: Profile) -> TableContent:
    # Return the device time of kernels by the operator that launched them, and the operator's time on the host.
    kernels, _ = kernels_in(profile)
    layers = kernels.layers
    types, group = grouped(layers.types)
    of_kernels = np.append(group, len(types))[kernels.layer]
    busy = device_work(kernels, of_kernels[kernels.which], len(types) + 1).busy_ns
    host = over_calls(group[layers.which], layers.call, layers.durations_ns, len(types) + 1).median
    names = [*types, "outside operators"]
    order = ranked(busy, names)[: np.count_nonzero(~np.isnan(busy))]
    return (
        table.text("type", [names[row] for row in order.tolist()], "Operator that launched kernels."),
        whole("count", np.append(np.bincount(group), np.nan)[order], "", "Executions per step or call."),
        whole("device_ns", busy[order], "ns", "Time for which its kernels and copies keep a device busy."),
        table.real("share_percent", table.percent(busy, np.nansum(busy))[order], "%", "Share of the sum over types."),
        whole("host_ns", host[order], "ns", "Time of these operators on the host."),
    ), []


def _layer_tables(profile: Profile, most: int) -> tuple[Table, ...]:
    layers, types = layer_latency.compute(profile), latency_by_type.compute(profile)
    if layers.unavailable:
        return ()
    order = ranked(np.array(layers.column("latency_ns").cells, np.float64), [""] * len(layers))
    return (
        _top(replace(layers, columns=select_rows(layers.columns, order)), "layers", "layers", most),
        _top(types, "operators", "layers", most),
    )


_SHOWN = frozenset(("kernel", "layer", "type", "count", "latency_ns", "device_ns", "share_percent", "host_ns"))


def _top(longest: Table, what: str, whole: str, most: int) -> Table:
    # Return the first rows of a table and the columns of the screen; its shares are of ``whole``, as their name says.
    some = (column for column in longest.columns if column.name in _SHOWN)
    columns = [replace(column, name=column.name.replace("share", f"share_of_{whole}")) for column in some]
    shown = min(most or len(longest), len(longest))
    title = "by time" if shown == len(longest) else f"by time, {shown} of {len(longest):,}"
    return Table(id=what, title=title, columns=select_rows(columns, range(shown)), unavailable=longest.unavailable)
