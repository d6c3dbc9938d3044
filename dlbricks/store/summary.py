"""From the raw samples of a submission to what is known of each sequence; statistics are those of ``harness.stats``.

What the calls of a run say of the machine is found here, too: its miss curve, what others bring into its caches, what
bytes cost. They are those of the benchmark of role ``curve``, nearly all of whose time goes into reading one constant:
it is called after different amounts of other memory were read, and after different times in which nothing was touched.
"""

import dataclasses
import itertools
import math
import re
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any
from urllib.parse import quote

from dlbricks.harness.cache_state import CONSTANTS, NEAR, NEAR_CACHES, REPEATED
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.machine.gpu import device_words
from dlbricks.harness.run.verdict import context
from dlbricks.harness.runtimes.openvino_session import HINTS
from dlbricks.harness.runtimes.openvino_session import SHARED as OPENVINO_SHARED
from dlbricks.harness.runtimes.openvino_session import THREADS as OPENVINO_THREADS
from dlbricks.harness.session import FIXED_OPTIONS, usual_provider_options
from dlbricks.harness.stats import Summary, latency_of, summaries, summary_of
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.document import INPUTS, OUTPUTS, Document
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

_TELLING = (0.05, 0.9)
"""Shares of what memory costs between which a wait tells how fast others fill the cache."""
_LEAST_RISE = 0.02
"""Share by which a call has to take longer from memory than from the caches, for a curve to be told from noise."""
_THIRDS = 3


def levels(document: Mapping[str, Any]) -> dict[int, Summary]:
    """Summarise the calls of the curve benchmark by reuse distance in bytes, ascending; empty if there are none.

    Args:
        document: a result document.
    """
    visits = _visits(document)
    return _summarised((one for one in visits if one["distance_bytes"] and not one.get("wait_ns")), "distance_bytes")


def caches_of(document: Mapping[str, Any], call_overhead_ns: int = 0) -> Caches:
    """Say how the caches of a machine behave.

    The latencies by distance are made to rise (isotonic regression, weighted by the number of calls); their share of
    the way from the first to the last is the miss curve. From the nearest distances the constant is read from the last
    level of cache, from the farthest from memory, which says what a byte costs from either. Nothing is known without
    two distances and a rise between them that is more than noise.

    Args:
        document: a result document.
        call_overhead_ns: of a call in state ``near``.
    """
    found = levels(document)
    if len(found) < 2:
        return Caches()
    from scipy.optimize import isotonic_regression

    weights = [one.samples for one in found.values()]
    risen = [float(one) for one in isotonic_regression([one.latency_ns for one in found.values()], weights=weights).x]
    low, span = risen[0], risen[-1] - risen[0]
    if span <= _LEAST_RISE * low:
        return Caches()
    curve = tuple((distance, (latency - low) / span) for distance, latency in zip(found, risen, strict=True))
    nbytes, near = _curve_bytes(document), _near_distances(document)
    return Caches(
        curve=curve,
        brought_in=_brought_in(document, curve, low, span),
        second_level_bytes=max(near) // NEAR_CACHES if near and nbytes else 0,
        second_level_byte_ns=max(0.0, low - call_overhead_ns) / nbytes if near and nbytes else 0.0,
        memory_byte_ns=span / nbytes if nbytes else 0.0,
    )


def _brought_in(
    document: Mapping[str, Any], curve: Sequence[tuple[int, float]], low: float, span: float
) -> tuple[tuple[int, int], ...]:
    """Give waits in ns, and as many bytes as others bring into the last level of cache meanwhile; both rise.

    A call that comes some time after the one before, nothing touched in between, pays as much as one after reading so
    many bytes. Waits after which hardly anything is gone do not count; of those after which nearly all is gone the
    shortest does, as the least that was brought in.
    """
    waited = [visit for visit in _visits(document) if visit.get("wait_ns")]
    own_bytes = max((visit["distance_bytes"] for visit in waited), default=0)
    found: list[tuple[int, int]] = []
    for wait_ns, summary in _summarised(waited, "wait_ns").items():
        share = (summary.latency_ns - low) / span
        nbytes = max(0, round(_distance_at(curve, min(share, _TELLING[1]))) - own_bytes)
        if share >= _TELLING[0] and (not found or nbytes > found[-1][1]):
            found.append((wait_ns, nbytes))
        if share >= _TELLING[1]:
            break
    return tuple(found)


def _distance_at(curve: Sequence[tuple[int, float]], share: float) -> float:
    """Give the distance at which a miss curve reaches a share, linear between points; the last one if it never does."""
    for (near, low), (far, high) in pairwise(curve):
        if low <= share < high:
            return near + (far - near) * (share - low) / (high - low)
    return curve[-1][0]


def _visits(document: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """List the visits of the curve benchmark."""
    rows = (entry for entry in document["benchmarks"] if entry["role"] == "curve" and entry["status"] == "ok")
    return [visit for entry in rows for visit in entry["visits"]]


def _summarised(visits: Iterable[Mapping[str, Any]], key: str) -> dict[int, Summary]:
    """Summarise visits by what they have of ``key``, ascending."""
    found: dict[int, list[Mapping[str, Any]]] = {}
    for visit in visits:
        found.setdefault(visit[key], []).append(visit)
    return {value: summary_of(found[value]) for value in sorted(found)}


def _curve_bytes(document: Mapping[str, Any]) -> int:
    """Give the size of the constant of the curve benchmark; 0 without one."""
    return sum(row["weight_bytes"] for row in document["suite"]["manifest"]["benchmarks"] if row["role"] == "curve")


def _near_distances(document: Mapping[str, Any]) -> list[int]:
    """Give how much memory was read before each call in state near."""
    visits = (visit for entry in document["benchmarks"] for visit in entry["visits"])
    return [visit["distance_bytes"] for visit in visits if visit["state"] == NEAR]


def anchor_drift(document: Mapping[str, Any]) -> float:
    """Give half the range of the anchors' medians over the first, middle and last third of a run, relative.

    Noise within a third does not count; a run with fewer visits to anchors than thirds tells nothing and gives 0.

    Args:
        document: a result document.
    """
    found = context(document).anchor_levels
    if len(found) < _THIRDS:
        return 0.0
    ends = [len(found) * third // _THIRDS for third in range(_THIRDS + 1)]
    medians = [statistics.median(found[begin:end]) for begin, end in itertools.pairwise(ends)]
    return (max(medians) - min(medians)) / 2


_INSTEAD = {
    NEAR: (NEAR, REPEATED, CONSTANTS, INPUTS, OUTPUTS),
    CONSTANTS: (CONSTANTS, OUTPUTS, INPUTS, NEAR, REPEATED),
    REPEATED: (REPEATED, NEAR, CONSTANTS, INPUTS, OUTPUTS),
}
"""For each state itself and the others, nearest first: the first that was measured stands for it."""

_EXTENSION = re.compile(r"[!-<>-~]{1,64}")
_OF_THREADS = {"intra_op_num_threads", "use_per_session_threads", OPENVINO_THREADS, OPENVINO_SHARED}
_PLAIN = "/:,;@*+-"
"""Signs that need no quoting in an option."""


def measurements(document: Document, *, roles: Collection[str] = ("sequence",)) -> SystemResults:
    """Summarise a submission: what was measured, by fingerprint; failed ones and those not run are left out.

    Args:
        document: what ``read_document`` gave.
        roles: roles that are taken; the overhead benchmark always becomes ``overheads``, all 0 if it has no latency.
    """
    entries = [entry for entry in document["benchmarks"] if entry["status"] == "ok" and entry["visits"]]
    found: dict[str, Measurement] = {}
    overheads = chain = CallOverheads()
    for entry in sorted(entries, key=lambda entry: str(entry["fingerprint"])):
        if entry["role"] not in roles and entry["role"] not in {"overhead", "nodes"}:
            continue
        states = summaries(entry)
        if entry["role"] == "nodes":
            chain = _overheads(states)
        if entry["role"] == "overhead":
            overheads = _overheads(states)
        if entry["role"] in roles:
            found[entry["fingerprint"]] = _measurement(entry, states)
    overheads = _without_node(overheads, chain, document)
    return SystemResults(
        configuration=configuration(document),
        call_overhead_ns=overheads.repeated_ns,
        measurements=found,
        drift=anchor_drift(document),
        overheads=overheads,
        caches=caches_of(document, overheads.near_ns),
        queue=QueueConstants(**document["queue"]) if "queue" in document else None,
        features=features_of(document["suite"]["manifest"], found),
    )


def _measured(state: str, states: Mapping[str, Summary]) -> str:
    return next(other for other in _INSTEAD[state] if other in states)


def _measurement(entry: Mapping[str, Any], states: Mapping[str, Summary]) -> Measurement:
    latency = latency_of(entry)
    return Measurement(
        fingerprint=entry["fingerprint"],
        near_ns=states[_measured(NEAR, states)].latency_ns,
        constants_ns=states[_measured(CONSTANTS, states)].latency_ns,
        latency_ns=latency.latency_ns,
        low_ns=latency.low_ns,
        high_ns=latency.high_ns,
        samples=sum(summary.samples for summary in states.values()),
        verdict=entry["verdict"]["kind"],
        wall_ns=entry["wall_ns"],
        queue=QueueTimes(**entry["queue"]) if "queue" in entry else None,
    )


def _overheads(states: Mapping[str, Summary]) -> CallOverheads:
    return CallOverheads(
        near_ns=states[_measured(NEAR, states)].latency_ns,
        constants_ns=states[_measured(CONSTANTS, states)].latency_ns,
        repeated_ns=states[_measured(REPEATED, states)].latency_ns,
    )


def _without_node(overheads: CallOverheads, chain: CallOverheads, document: Document) -> CallOverheads:
    """Take out of a call of the empty graph what the runtime needs for its node: each node of a network has that, too.

    On an accelerator nodes are started while others run, and what a chain of empty ones takes tells nothing.

    Args:
        overheads: of the empty graph, which has one node.
        chain: of the chain of empty nodes; all 0 if it was not measured.
        document: a result document.
    """
    listed = document["suite"]["manifest"]["benchmarks"]
    nodes = max((one["layers"] for one in listed if one["role"] == "nodes"), default=0)
    if not chain.repeated_ns or nodes < 2 or document["runtime"]["provider"] != "cpu":
        return overheads
    one, many = dataclasses.asdict(overheads), dataclasses.asdict(chain)
    nodes_ns = {state: max(0.0, (many[state] - one[state]) / (nodes - 1)) for state in one}
    return CallOverheads(**{state: max(0, round(one[state] - nodes_ns[state])) for state in one})


def features_of(manifest: Mapping[str, Any], fingerprints: Collection[str]) -> dict[str, SequenceFeatures]:
    """Read from a suite's manifest what the cost of the sequences depends on; in the order of ``fingerprints``."""
    listed = {row["fingerprint"]: row for row in manifest["benchmarks"]}
    known = [listed[fingerprint] for fingerprint in fingerprints if fingerprint in listed]
    return {
        row["fingerprint"]: SequenceFeatures(
            operators=tuple(row["operators"]),
            flops=row["flops"],
            weight_bytes=row["weight_bytes"],
            input_bytes=_nbytes(row["inputs"]),
            output_bytes=_nbytes(row["outputs"]),
            work=row.get("work", 0),
            fetched_bytes=row.get("fetched_bytes", 0),
            kinds=tuple(row.get("kinds", ())),
            shape=tuple(row.get("shape", ())),
        )
        for row in known
    }


def labels_of(manifest: Mapping[str, Any], fingerprints: Collection[str]) -> tuple[SequenceLabel, ...]:
    """Read from a suite's manifest what it calls sequences; in the order of ``fingerprints``."""
    listed = {row["fingerprint"]: row for row in manifest["benchmarks"]}
    return tuple(
        SequenceLabel(
            fingerprint=name,
            name=listed[name]["name"],
            operators=tuple(listed[name]["operators"]),
            layers=listed[name]["layers"],
        )
        for name in fingerprints
    )


def _nbytes(contracts: Collection[Mapping[str, Any]]) -> int:
    return min(LARGEST, sum(byte_size(contract["dtype"], math.prod(contract["shape"])) for contract in contracts))


def configuration(document: Document) -> SystemConfiguration:
    """Say what system a submission is of, as far as latencies may be mixed."""
    runtime, facts = document["runtime"], document["system"]["facts_before"]
    cpu = facts.get("cpu")
    extensions = cpu.get("instruction_set") if isinstance(cpu, dict) else None
    device = () if runtime["provider"] == "cpu" else device_words(facts.get("gpus"))
    return SystemConfiguration(
        system=document["system"]["name"],
        runtime=f"{runtime['name']} {runtime['version']}",
        provider=runtime["provider"],
        threads=runtime["threads"],
        instruction_set=tuple(
            name
            for name in (*(extensions if isinstance(extensions, list) else ()), *device)
            if isinstance(name, str) and _EXTENSION.fullmatch(name)
        ),
        options=_options(runtime),
    )


def _options(runtime: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the options of session and provider that are not the usual ones, as ``key=value``, sorted.

    The number of threads, and what follows from it, is a part of the configuration by itself.
    """
    usual = {**FIXED_OPTIONS, **HINTS, **usual_provider_options(runtime["provider"])}
    given = {**runtime["session_options"], **runtime["provider_options"]}
    return tuple(
        sorted(
            f"{quote(key, safe=_PLAIN)}={quote(str(value), safe=_PLAIN)}"
            for key, value in given.items()
            if key not in _OF_THREADS and str(value) != str(usual.get(key))
        )
    )
