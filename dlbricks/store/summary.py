"""From the raw samples of a submission to what is known of each sequence; statistics are those of ``harness.stats``."""

import dataclasses
import math
import re
from collections.abc import Collection, Mapping
from typing import Any
from urllib.parse import quote

from dlbricks.harness.cache_state import CONSTANTS, NEAR, REPEATED
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.machine.gpu import device_words
from dlbricks.harness.openvino_session import HINTS
from dlbricks.harness.openvino_session import THREADS as OPENVINO_THREADS
from dlbricks.harness.session import FIXED_OPTIONS, usual_provider_options
from dlbricks.harness.stats import Summary, latency_of, summaries
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.caches import anchor_drift, caches_of
from dlbricks.store.document import INPUTS, OUTPUTS, Document
from dlbricks.store.types import (
    CallOverheads,
    Measurement,
    QueueConstants,
    QueueTimes,
    SystemConfiguration,
    SystemResults,
)
from dlbricks.typed_json import LARGEST

_INSTEAD = {
    NEAR: (NEAR, REPEATED, CONSTANTS, INPUTS, OUTPUTS),
    CONSTANTS: (CONSTANTS, OUTPUTS, INPUTS, NEAR, REPEATED),
    REPEATED: (REPEATED, NEAR, CONSTANTS, INPUTS, OUTPUTS),
}
"""For each state itself and the others, nearest first: the first that was measured stands for it."""

_EXTENSION = re.compile(r"[!-<>-~]{1,64}")
_OF_THREADS = {"intra_op_num_threads", "use_per_session_threads", OPENVINO_THREADS}
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
