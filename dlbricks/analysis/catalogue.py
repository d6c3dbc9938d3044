"""The catalogue of the analyses of one profile; comparisons of two profiles; a table with a row per network.

Two profiles (of two machines or runtimes, or before and after a change) are compared by layer, matched by name and
occurrence, and by kernel name. Layers and kernels of a single profile are listed, too, so that sums agree. A difference
is ``certain`` if, given the 95 % intervals, two runs on one machine rarely differ so much (``store.spread``, measured
on processors). At most 5 % of a table's ``certain`` rows are expected to be wrong (Benjamini and Hochberg 1995).
"""

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

import numpy as np

from dlbricks.analysis import calls, device_time, kernels
from dlbricks.analysis.calls import call_counters, optimal_batch, throughputs
from dlbricks.analysis.executions import (
    Executions,
    KernelTable,
    LayerTable,
    all_model_times,
    kernels_if_any,
    kernels_in,
    layers_if_any,
    layers_in,
    model_times,
)
from dlbricks.analysis.kernels import call_points, launches
from dlbricks.analysis.roofline import COMPUTED, bound_columns, costs_note, work_by_call
from dlbricks.analysis.table import (
    Analysis,
    Column,
    Floats,
    Summaries,
    Table,
    TableContent,
    UnavailableError,
    concatenated,
    flag,
    grouped,
    latency,
    over_calls,
    percent,
    quotient,
    real,
    summary,
    table_of,
    text,
    whole,
)
from dlbricks.errors import InputError
from dlbricks.extensions import extensions
from dlbricks.store.spread import LEVELS, default_spread, stated
from dlbricks.trace.build import joined_traces
from dlbricks.trace.types import Longs, Profile, Trace
from dlbricks.units import counted
from dlbricks.whatif.sources import collectives
from dlbricks.whatif.sources.traces import graph_of_trace

_MODULES = (calls, kernels, device_time)
_DEFINED = {each.id: each for module in _MODULES for each in vars(module).values() if isinstance(each, Analysis)}
_BEYOND = ("overhead", "headroom", "launch-bound", "overlap", "counters", "python")
# The fifteen analyses of XSP (IPDPS 2020), Table I and section III-D.
XSP: tuple[Analysis, ...] = tuple(_DEFINED[f"A{number}"] for number in range(1, 16))
# All analyses of one profile; those of several profiles are ``networks_table``, ``ranks_table`` and ``compare``.
ANALYSES = (*XSP, *(_DEFINED[name] for name in _BEYOND))


def chosen(ids: Sequence[str]) -> tuple[Analysis, ...]:
    """Return the analyses with these ids (such as ``A2``), or all if ``ids`` is empty; those of plug-ins come last.

    Raises:
        InputError: an id is unknown, or an extension uses the id of another analysis.
    """
    analyses = {analysis.id.lower(): analysis for analysis in ANALYSES}
    for analysis in extensions("dlbricks.analyses", Analysis):
        if analyses.setdefault(analysis.id.lower(), analysis) is not analysis:
            raise InputError(f"an extension: an analysis '{analysis.id}' exists already: choose another id")
    for name in ids:
        if name.lower() not in analyses:
            known_ids = ", ".join(analysis.id for analysis in analyses.values())
            raise InputError(f"unknown analysis '{name}': choose from {known_ids}")
    wanted = {name.lower() for name in ids}
    return tuple(analysis for key, analysis in analyses.items() if not wanted or key in wanted)


# Largest expected share of wrong rows among the rows called certain.
_ERRING = 0.05
_RECORDINGS = (
    "each side is a single recording, and two recordings of one program differ by up to {:.0%} (as measured "
    "on processors): record each side three times, alternately"
)
# A note is added if fewer than this share of layers match by name: times per layer then say nothing about the change.
FEW = 0.5

_Key = TypeVar("_Key")
_Side = TypeVar("_Side")


def compare(a: Profile, b: Profile) -> tuple[Table, ...]:
    """Return tables that compare calls, layers, layer types and kernels; columns ``a_...`` belong to profile ``a``."""
    names = a.network if a.network == b.network else f"{a.network} and {b.network}"
    return (
        table_of("compare-model", f"Calls of {names}", lambda: _calls(a, b)),
        table_of("compare-layers", f"Layers of {names}", lambda: _layers(*_both(a, b, layers_in))),
        table_of("compare-types", f"Layer types of {names}", lambda: _types(*_both(a, b, layers_in))),
        table_of("compare-kernels", f"Kernels of {names}", lambda: _kernels(*_both(a, b, kernels_in))),
    )


def _both(
    a: Profile, b: Profile, of: Callable[[Profile, int | None], tuple[_Side, tuple[str, ...]]]
) -> tuple[_Side, _Side, list[str]]:
    # Return the data of both profiles for their smallest common batch size, with notes.
    # If a batch size is unknown, as in traces of other tools, each side has its default batch size.
    batch = next((batch for batch in a.batches if batch in b.batches), None)
    if batch is None and 0 not in {*a.batches, *b.batches}:
        raise UnavailableError(_no_common_batch(a, b))
    sides = []
    for which, profile in (("first", a), ("second", b)):
        try:
            sides.append(of(profile, batch))
        except UnavailableError as error:
            raise UnavailableError(f"the {which} {error}") from error
    (first, notes), (second, more) = sides
    which_batch = [f"of batch {batch}"] if batch and len({*a.batches, *b.batches}) > 1 else []
    return first, second, [*notes, *more, *which_batch]


def _calls(a: Profile, b: Profile) -> TableContent:
    times_of = [(model_times(a, batch), model_times(b, batch)) for batch in a.batches if batch in b.batches]
    pairs = [(first, second) for first, second in times_of if first is not None and second is not None]
    if not pairs:
        raise UnavailableError(_no_common_batch(a, b))
    sides = [np.concatenate([_times(pair[at].summary) for pair in pairs], axis=1) for at in (0, 1)]
    notes = [_RECORDINGS.format(_apart()), *(note for pair in pairs for times in pair for note in times.notes)]
    return (
        whole("batch", [times.batch or np.nan for times, _ in pairs], "", "Inputs per call."),
        *_differences(*sides),
    ), notes


def _layers(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> TableContent:
    ours, theirs = first.keys(), second.keys()
    keys = list(dict.fromkeys((*ours, *theirs)))
    # If both profiles have a layer, its type is that of the first profile.
    types = dict(zip((*theirs, *ours), (*second.types, *first.types), strict=True))
    matching = sum(key in ours and key in theirs for key in keys)
    more = [f"{matching} of {len(keys)} layers are in both profiles"]
    if matching < FEW * len(keys):
        more.append("most layers have no match by name, so the networks or their lowering differ")
    sides = (
        _looked_up(_times(layers.latencies()), places, keys) for layers, places in ((first, ours), (second, theirs))
    )
    columns = (
        whole("index", _looked_up(first.index, ours, keys), "", "Position in the first profile; empty if not in it."),
        text("layer", [name for name, _ in keys]),
        text("type", [types[key] for key in keys], "Operator."),
        *_differences(*sides),
    )
    return columns, [_RECORDINGS.format(_apart()), *notes, *more]


def _types(first: LayerTable, second: LayerTable, notes: Sequence[str]) -> TableContent:
    sides = [_summed(layers, layers.types, lambda group, _: np.bincount(group)) for layers in (first, second)]
    return _by_label("type", "Layers of the type", sides), notes


def _kernels(first: KernelTable, second: KernelTable, notes: Sequence[str]) -> TableContent:
    sides = [_summed(kernels, kernels.names, functools.partial(launches, kernels)) for kernels in (first, second)]
    return _by_label("kernel", "Executions in one call", sides), notes


# Position of each label among the labels; times (``_times``) and counts, in the order of these positions.
_Summed: TypeAlias = tuple[Mapping[str, int], Floats, Floats | Longs]


def _summed(table: Executions, labels: Sequence[str], count: Callable[[Longs, int], Floats | Longs]) -> _Summed:
    # Return the times and counts of the layers or kernels of each label, summed per call.
    names, group = grouped(labels)
    times = over_calls(group[table.which], table.call, table.durations_ns, len(names))
    return {name: at for at, name in enumerate(names)}, _times(times), count(group, len(names))


def _by_label(what: str, meaning: str, sides: Sequence[_Summed]) -> tuple[Column, ...]:
    # Return the columns that compare the sums of two sides by label, largest time first.
    names = list(dict.fromkeys(name for places, _, _ in sides for name in places))
    a, b = (_looked_up(times, places, names) for places, times, _ in sides)
    counts = [np.nan_to_num(_looked_up(count, places, names)) for places, _, count in sides]
    order = np.argsort(-np.nan_to_num(a[0]) - np.nan_to_num(b[0]), kind="stable")
    return (
        text(what, [names[at] for at in order.tolist()]),
        whole("a_count", counts[0][order], "", f"{meaning}, in the first profile."),
        whole("b_count", counts[1][order], "", f"{meaning}, in the second profile."),
        *_differences(a[:, order], b[:, order]),
    )


def _times(times: Summaries) -> Floats:
    # Return an array with the rows median, low and high.
    return np.stack((times.median, times.low, times.high))


def _looked_up(values: np.ndarray[Any, Any], places: Mapping[_Key, int], keys: Sequence[_Key]) -> Floats:
    # Return the values of each key along the last axis; NaN for missing keys.
    extended = np.concatenate((values, np.full((*values.shape[:-1], 1), np.nan)), axis=-1)
    return extended[..., [places.get(key, -1) for key in keys]]


def _apart() -> float:
    # Return the relative difference that 95 % of pairs of recordings of one program stay below.
    return default_spread().medians[LEVELS.index(0.95)]


def _differences(a: Floats, b: Floats) -> tuple[Column, ...]:
    # Return the columns that compare two sides, each as in ``_times``.
    difference = b[0] - a[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        half = np.hypot(*((side[2] - side[1]) / 2 / side[0] for side in (a, b)))
        scores = np.abs(np.log(b[0] / a[0])) / stated(half, _apart())
    timed, certain = ~np.isnan(scores), np.full(len(scores), None)
    certain[timed] = _discovered(default_spread().chance(scores[timed]))
    return (
        whole("a_ns", a[0], "ns", "Time in the first profile, median over calls."),
        whole("b_ns", b[0], "ns", "Time in the second profile, median over calls."),
        whole("difference_ns", difference, "ns", "Second time minus first time."),
        real("ratio", quotient(b[0], a[0]), "", "Second time divided by first time."),
        flag("certain", certain.tolist(), "Whether the difference exceeds that of repeated runs; empty for one call."),
    )


def _discovered(chances: Floats) -> np.ndarray[Any, Any]:
    # Return which differences are not chance, with at most ``_ERRING`` of them wrong (Benjamini and Hochberg, 1995).
    # Not false_discovery_control of scipy: nothing else needs scipy, which would take 143 MB of an installation.
    ranked = np.sort(chances)
    below = ranked[ranked <= _ERRING * np.arange(1, len(ranked) + 1) / max(1, len(ranked))]
    return chances <= below.max(initial=-1)


def _no_common_batch(a: Profile, b: Profile) -> str:
    first, second = (", ".join(map(str, profile.batches)) or "none" for profile in (a, b))
    return f"no batch size was measured in both profiles: the first has {first}, the second {second}"


def networks_table(profiles: Sequence[Profile]) -> Table:
    """Return a table with a row per network: latency, throughput and the like, as in XSP (IPDPS 2020, section IV)."""
    rows = [_network(profile) for profile in profiles]
    notes = [f"{profile.network}: {note}" for profile, (_, more) in zip(profiles, rows, strict=True) for note in more]
    without = [profile.network for profile in profiles if profile.roofs is None]
    notes += [f"no roofs were measured for {', '.join(without)}"] if without else []
    columns = concatenated([columns for columns, _ in rows])
    return Table(id="networks", title="Networks", columns=columns, notes=tuple(dict.fromkeys(notes)))


def ranks_table(profiles: Sequence[Profile]) -> Table:
    """Return a table of the collectives that are in the traces of several ranks, sorted by last start."""
    return table_of("ranks", "Collectives of all ranks", lambda: _shared([each.runs[-1].trace for each in profiles]))


def _shared(traces: Sequence[Trace]) -> TableContent:
    if len({trace.start_ns.tobytes() for trace in traces}) < len(traces):
        raise UnavailableError("the same recording was given twice: name the recording of each rank once")
    try:
        graph = graph_of_trace(joined_traces(*traces), "ranks")
    except InputError as error:
        raise UnavailableError(str(error)) from error
    groups, alone = collectives(graph)
    starts, ends = graph.attributes["measured_start_ns"], graph.attributes["measured_end_ns"]
    last = np.array([starts[group].max() for group in groups])
    return (
        text("collective", [graph.named(group[0]) for group in groups]),
        whole("ranks", [len(group) for group in groups], "", "Number of ranks that recorded it."),
        whole("apart_ns", last - [starts[group].min() for group in groups], "ns", "From the first to the last start."),
        whole(
            "transfer_ns", [ends[group].max() for group in groups] - last, "ns", "From the last start to the last end."
        ),
    ), [f"{counted(alone, 'collective')} without a match on another rank"] if alone else []


def _network(profile: Profile) -> TableContent:
    timed = all_model_times(profile)
    rates = throughputs(timed)
    best, _ = optimal_batch([times.batch for times in timed], rates)
    layers, kernels = layers_if_any(profile), kernels_if_any(profile)
    work = None if kernels is None else work_by_call(kernels)
    first = timed[0].summary if timed else summary(np.zeros(0))
    counters = call_counters(profile, timed[0].batch) if timed else {}
    at, source = call_points(profile, layers, work, first.median, counters)
    busy = np.array([math.nan]) if work is None else percent(work.busy_ns, np.fmax(first.median, work.busy_ns))
    columns = (
        text("network", [profile.network]),
        text("system", [str(profile.system.get("name") or "")]),
        text("provider", [str(profile.runtime.get("provider") or "")], "Execution provider."),
        whole("batch", [(timed[0].batch if timed else 0) or math.nan], "", "Smallest measured."),
        *latency(first, "the network with that batch, without tracing"),
        whole("optimal_batch", [best or math.nan], "", "Smallest batch size whose doubling gains 5 % or less."),
        real("throughput_per_s", [np.fmax.reduce(rates, initial=math.nan)], "1/s", "Highest over the batch sizes."),
        whole("layers", [len(layers) if layers else math.nan], "", "Number of layers that a call executes."),
        real("busy_percent", busy, "%", "Share of the latency in which a device is busy."),
        real("flops", at.flops, "flop", "Of a call with the smallest batch."),
        *bound_columns(at),
    )
    notes = [note for times in timed for note in times.notes]
    return columns, [*notes, *(costs_note(layers) if layers is not None and source == COMPUTED else ())]
