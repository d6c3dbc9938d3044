"""Summarises a result document as measurements of its sequences (``harness.stats``) and facts of the machine.

Visits of the benchmark of role ``curve`` describe the caches. Accesses to buffers at different reuse distances give the
miss curves. Accesses after idle times show how much other cores disturb the caches. Calls of the benchmark give the
cost of a byte; an older harness has only such calls.
"""

import dataclasses
import functools
import itertools
import math
import re
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import ModuleType
from typing import Any
from urllib.parse import quote

from dlbricks.extensions import load, offered
from dlbricks.harness.cache_state import (
    HOT_LOOP,
    LLC_WARM,
    LLC_WARM_CACHES,
    OUTPUTS_COLD,
    READ_AFTER_WRITE,
    READ_IN_TURN,
    WEIGHTS_COLD,
    WRITTEN_IN_TURN,
)
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.machine import device_words, sliced
from dlbricks.harness.runtimes import USUAL
from dlbricks.harness.session import SessionSettings, backend
from dlbricks.harness.stats import Summary, context, latency_of, summaries, summary_of
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.document import INPUTS, OUTPUTS, Document
from dlbricks.store.records import older_caches, typed
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    Measurement,
    QueueConstants,
    QueueTimes,
    SequenceLabel,
    SystemConfiguration,
    SystemResults,
)
from dlbricks.typed_json import LARGEST

# Range of the miss share in which an idle wait shows how fast other cores fill the cache. Below it, hardly any data are
# evicted; above it, nearly all data are evicted, and longer waits show nothing more.
_LEAST_SHARE, _MOST_SHARE = 0.05, 0.9
# Minimum relative difference between calls from memory and from the caches; a smaller one may be noise.
_LEAST_RISE = 0.02
_THIRDS = 3


def levels(document: Mapping[str, Any]) -> dict[int, Summary]:
    """Return a summary of the latencies of reads for each reuse distance in bytes, ascending."""
    return _levels(document, READ_IN_TURN) or _levels(document, WEIGHTS_COLD)


def _levels(document: Mapping[str, Any], state: str) -> dict[int, Summary]:
    visits = (visit for visit in _curve_visits(document) if visit["state"] == state and not visit.get("wait_ns"))
    return _summarised((visit for visit in visits if visit["distance_bytes"]), "distance_bytes")


def caches_of(document: Mapping[str, Any], call_overhead_ns: int = 0) -> Caches:
    """Estimate the behaviour of a machine's caches; ``call_overhead_ns`` is measured in state ``llc_warm``.

    The miss curve is an isotonic regression of the latency over the reuse distance, weighted by the number of calls. It
    is scaled to 0 at the first distance (last-level cache) and to 1 at the last (memory). The result is empty with
    fewer than two distances, or if latencies hardly differ.
    """
    curve, low, span = _curve(levels(document))
    if not curve:
        return Caches()
    visits = (visit for entry in document["benchmarks"] for visit in entry["visits"])
    near = [visit["distance_bytes"] for visit in visits if visit["state"] == LLC_WARM]
    nbytes = sum(row["weight_bytes"] for row in document["suite"]["manifest"]["benchmarks"] if row["role"] == "curve")
    written, _, _ = _curve(_levels(document, WRITTEN_IN_TURN))
    brought_in = _brought_in(document, curve, low, span)
    fresh, _, _ = _curve(_levels(document, READ_AFTER_WRITE))
    if written:
        # buffers give the shares, the benchmark itself the costs of a byte, which are unknown without its calls
        own = summaries({"role": "curve", "visits": _curve_visits(document)})
        both = {LLC_WARM, WEIGHTS_COLD} <= own.keys()
        low, cold = (own[state].latency_ns if both else 0 for state in (LLC_WARM, WEIGHTS_COLD))
        span = max(0, cold - low)
    caches = Caches(
        curve=curve,
        written=written,
        fresh=fresh,
        brought_in=brought_in,
        second_level_bytes=max(near) // LLC_WARM_CACHES if near and nbytes else 0,
        second_level_byte_ns=max(0.0, low - call_overhead_ns) / nbytes if near and nbytes else 0.0,
        memory_byte_ns=span / nbytes if nbytes else 0.0,
    )
    return caches if written else older_caches(caches)


# Return a miss curve, the latency in the caches, and how much longer a call from memory takes; all empty if unknown.
def _curve(by_distance: Mapping[int, Summary]) -> tuple[tuple[tuple[int, float], ...], float, float]:
    risen = ascending([(summary.latency_ns, summary.samples) for summary in by_distance.values()]) or [0.0]
    low, span = risen[0], risen[-1] - risen[0]
    if span <= _LEAST_RISE * low:
        return (), 0.0, 0.0
    return tuple((each, (time - low) / span) for each, time in zip(by_distance, risen, strict=True)), low, span


def ascending(weighted: Sequence[tuple[int, int]]) -> list[float]:
    """Return the non-decreasing values that fit ``weighted`` (pairs of value and weight) by least squares."""
    # not scipy.optimize.isotonic_regression: importing scipy takes longer than the rest of a check
    # sum of weight times value, sum of weights, and number of values
    pools: list[tuple[int, int, int]] = []
    for value, weight in weighted:
        total, mass, count = value * weight, weight, 1
        while pools and pools[-1][0] * mass >= total * pools[-1][1]:
            before = pools.pop()
            total, mass, count = before[0] + total, before[1] + mass, before[2] + count
        pools.append((total, mass, count))
    return [total / mass for total, mass, count in pools for _ in range(count)]


# Return idle waits in ns and the bytes that others bring into the last-level cache meanwhile; both are ascending.
# A call after an idle wait is as slow as a call after reading that many bytes. Waits are left out if hardly any data
# are evicted; of the waits after which nearly all data are evicted only the shortest is used, as a lower bound.
def _brought_in(
    document: Mapping[str, Any], curve: Sequence[tuple[int, float]], low: float, span: float
) -> tuple[tuple[int, int], ...]:
    waited = [visit for visit in _curve_visits(document) if visit.get("wait_ns")]
    own_bytes = max((visit["distance_bytes"] for visit in waited), default=0)
    points: list[tuple[int, int]] = []
    for wait_ns, summary in _summarised(waited, "wait_ns").items():
        share = (summary.latency_ns - low) / span
        nbytes = max(0, round(_distance_at(curve, min(share, _MOST_SHARE))) - own_bytes)
        if share >= _LEAST_SHARE and (not points or nbytes > points[-1][1]):
            points.append((wait_ns, nbytes))
        if share >= _MOST_SHARE:
            break
    return tuple(points)


# Return the distance at which a miss curve reaches a share, by linear interpolation; at most the last distance.
def _distance_at(curve: Sequence[tuple[int, float]], share: float) -> float:
    for (near, low), (far, high) in itertools.pairwise(curve):
        if low <= share < high:
            return near + (far - near) * (share - low) / (high - low)
    return curve[-1][0]


def _curve_visits(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    rows = (entry for entry in document["benchmarks"] if entry["role"] == "curve" and entry["status"] == "ok")
    return [visit for entry in rows for visit in entry["visits"]]


# Return summaries of visits by their value of ``key``, ascending.
def _summarised(visits: Iterable[Mapping[str, Any]], key: str) -> dict[int, Summary]:
    by_value: dict[int, list[Mapping[str, Any]]] = {}
    for visit in visits:
        by_value.setdefault(visit[key], []).append(visit)
    return {value: summary_of(by_value[value]) for value in sorted(by_value)}


def anchor_drift(document: Mapping[str, Any]) -> float:
    """Return the drift of a run: half the range of the anchors' relative medians in the three thirds of the run.

    The drift is 0 with fewer than three visits to anchors.
    """
    anchors = context(document).anchor_levels
    if len(anchors) < _THIRDS:
        return 0.0
    ends = [len(anchors) * third // _THIRDS for third in range(_THIRDS + 1)]
    medians = [statistics.median(anchors[begin:end]) for begin, end in itertools.pairwise(ends)]
    return (max(medians) - min(medians)) / 2


# For each cache state, the states to use: the first that was measured.
_INSTEAD = {
    LLC_WARM: (LLC_WARM, HOT_LOOP, WEIGHTS_COLD, INPUTS, OUTPUTS),
    WEIGHTS_COLD: (WEIGHTS_COLD, OUTPUTS, INPUTS, LLC_WARM, HOT_LOOP),
    HOT_LOOP: (HOT_LOOP, LLC_WARM, WEIGHTS_COLD, INPUTS, OUTPUTS),
}
# Without =, since a word with = means an option (records.configuration_of).
_EXTENSION = re.compile(r"[!-<>-~]{1,64}")
# Characters that stay unquoted in an option.
_UNQUOTED = "/:,;@*+-"


def measurements(document: Document, *, roles: Collection[str] = ("sequence",)) -> SystemResults:
    """Return the measurements of benchmarks of some roles, and the facts of the machine."""
    entries = [entry for entry in document["benchmarks"] if entry["status"] == "ok" and entry["visits"]]
    measured: dict[str, Measurement] = {}
    overheads = chain = CallOverheads()
    # the order of benchmarks differs between revisions of a suite
    for entry in sorted(entries, key=lambda entry: str(entry["fingerprint"])):
        if entry["role"] not in {*roles, "overhead", "nodes"}:
            continue
        states = summaries(entry)
        if entry["role"] == "nodes":
            chain = CallOverheads(**_by_state(states))
        if entry["role"] == "overhead":
            overheads = CallOverheads(**_by_state(states))
        if entry["role"] in roles:
            measured[entry["fingerprint"]] = _measurement(entry, states)
    overheads = _without_node(overheads, chain, document)
    if document["options"].get("smoke"):
        overheads = _limited(overheads, measured.values())
    return SystemResults(
        configuration=configuration(document),
        call_overhead_ns=overheads.hot_loop_ns,
        measurements=measured,
        drift=anchor_drift(document),
        overheads=overheads,
        caches=caches_of(document, overheads.llc_warm_ns),
        queue=QueueConstants(**document["queue"]) if "queue" in document else None,
        features=features_of(document["suite"]["manifest"], measured),
    )


# Return the latency of each state (``llc_warm_ns`` ...), or of another state if it was not measured.
def _by_state(states: Mapping[str, Summary]) -> dict[str, int]:
    return {
        f"{state}_ns": next(states[other] for other in (*others, *states) if other in states).latency_ns
        for state, others in _INSTEAD.items()
    }


def _measurement(entry: Mapping[str, Any], states: Mapping[str, Summary]) -> Measurement:
    latency = latency_of(entry)
    by_state: dict[str, Any] = _by_state(states) | ({} if HOT_LOOP in states else {"hot_loop_ns": None})
    if OUTPUTS_COLD in states:
        by_state["outputs_cold_ns"] = states[OUTPUTS_COLD].latency_ns
    return Measurement(
        fingerprint=entry["fingerprint"],
        **by_state,
        latency_ns=latency.latency_ns,
        low_ns=latency.low_ns,
        high_ns=latency.high_ns,
        samples=sum(summary.samples for summary in states.values()),
        verdict=entry["verdict"]["kind"],
        wall_ns=entry["wall_ns"],
        queue=QueueTimes(**entry["queue"]) if "queue" in entry else None,
    )


# Subtract the runtime's cost of a node from the overhead of the empty graph, which has one node: the nodes of a network
# include this cost. Not on an accelerator: nodes start while other nodes run, so the chain of empty nodes does not
# measure the cost of a node.
def _without_node(overheads: CallOverheads, chain: CallOverheads, document: Document) -> CallOverheads:
    listed = document["suite"]["manifest"]["benchmarks"]
    nodes = max((row["layers"] for row in listed if row["role"] == "nodes"), default=0)
    if not chain.hot_loop_ns or nodes < 2 or document["runtime"]["provider"] != "cpu":
        return overheads
    single, many = dataclasses.asdict(overheads), dataclasses.asdict(chain)
    nodes_ns = {state: max(0.0, (many[state] - single[state]) / (nodes - 1)) for state in single}
    return CallOverheads(**{state: max(0, round(single[state] - nodes_ns[state])) for state in single})


# Limit the overheads of a smoke test to possible values, since its single call may have been preempted. An overhead
# cannot exceed the overhead with colder caches, or the latency of the quickest sequence, which includes it.
def _limited(overheads: CallOverheads, sequences: Collection[Measurement]) -> CallOverheads:
    constants = min((overheads.weights_cold_ns, *(sequence.weights_cold_ns for sequence in sequences)))
    near = min((overheads.llc_warm_ns, constants, *(sequence.llc_warm_ns for sequence in sequences)))
    return CallOverheads(llc_warm_ns=near, weights_cold_ns=constants, hot_loop_ns=min(overheads.hot_loop_ns, near))


def features_of(manifest: Mapping[str, Any], fingerprints: Collection[str]) -> dict[str, SequenceFeatures]:
    """Return the cost features of sequences in a manifest, in the order of ``fingerprints``."""
    listed = {row["fingerprint"]: row for row in manifest["benchmarks"]}
    rows = (listed[fingerprint] for fingerprint in fingerprints if fingerprint in listed)
    return {
        row["fingerprint"]: typed(
            SequenceFeatures, **row | {"input_bytes": _nbytes(row["inputs"]), "output_bytes": _nbytes(row["outputs"])}
        )
        for row in rows
    }


def labels_of(manifest: Mapping[str, Any], fingerprints: Collection[str]) -> tuple[SequenceLabel, ...]:
    """Return the labels of sequences in a manifest, in the order of ``fingerprints``."""
    listed = {row["fingerprint"]: row for row in manifest["benchmarks"]}
    return tuple(typed(SequenceLabel, **listed[name]) for name in fingerprints)


def _nbytes(contracts: Collection[Mapping[str, Any]]) -> int:
    return min(LARGEST, sum(byte_size(contract["dtype"], math.prod(contract["shape"])) for contract in contracts))


def configuration(document: Document) -> SystemConfiguration:
    """Return the configuration of a result."""
    runtime, facts = document["runtime"], document["system"]["facts_before"]
    cpu = facts.get("cpu")
    extensions = cpu.get("instruction_set") if isinstance(cpu, dict) else None
    gpus = None if runtime["provider"] == "cpu" else facts.get("gpus")
    words = (*(extensions if isinstance(extensions, list) else ()), *device_words(gpus))
    # a slice of a GPU is another system than the whole GPU, whatever name its owner gives it
    slices = tuple(f"mig={quote(name, safe=_UNQUOTED)}" for name in sliced(gpus))
    return SystemConfiguration(
        system=document["system"]["name"],
        runtime=f"{runtime['name']} {runtime['version']}",
        provider=runtime["provider"],
        threads=runtime["threads"],
        instruction_set=tuple(word for word in words if isinstance(word, str) and _EXTENSION.fullmatch(word)),
        options=tuple(sorted((*_options(runtime), *slices))),
    )


@functools.cache
def backends() -> Mapping[str, Any]:
    """Return the modules of the installed runtimes by name."""
    return {
        USUAL: backend(SessionSettings()),
        **{name: load(point, ModuleType) for name, point in offered("dlbricks.runtimes").items()},
    }


# Return the session and provider options that differ from their defaults, as ``key=value``, sorted. Options of threads
# are left out, since the number of threads is a field of the configuration.
def _options(runtime: Mapping[str, Any]) -> tuple[str, ...]:
    usual: dict[str, object] = {}
    for runtime_module in backends().values():
        usual |= runtime_module.usual_options(runtime["provider"])
    of_threads = {key for backend in backends().values() for key in backend.OPTIONS_OF_THREADS}
    options = {**runtime["session_options"], **runtime["provider_options"]}
    return tuple(
        sorted(
            f"{quote(key, safe=_UNQUOTED)}={quote(str(value), safe=_UNQUOTED)}"
            for key, value in options.items()
            if key not in of_threads and str(value) != str(usual.get(key))
        )
    )
