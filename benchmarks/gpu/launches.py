"""Time on the host that a network's parts take: in rows of copies, short and long, and in turns, beside the network's.

Parts are measured in rows of nine copies (``harness.trace.device_queue``). In a network a part comes behind others, and
among hundreds of nodes; this tells which of both makes a part take longer there.
"""

import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.construct.compose import compose
from dlbricks.harness.call_timer import bound_graph, slowness
from dlbricks.harness.model_file import copies, copy_name
from dlbricks.harness.network import Bound, Prepared, prepare
from dlbricks.harness.run.files import load_suite
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.harness.trace.device_queue import QueuedCalls, calls_of, timed
from dlbricks.harness.values import ensure_weights
from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.settings import SplitSettings
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import SuiteHead, assemble, merge_benchmarks, write_suite


def bound_network(model: Model, folder: Path, settings: SessionSettings) -> Bound:
    """Open a whole network and bind its inputs and outputs.

    Args:
        model: the network.
        folder: for its weights.
        settings: of the session.
    """
    network, blobs = end_to_end_network(model)
    write_weights(folder, blobs)
    contracts = {"inputs": _contracts(model, model.inputs), "outputs": _contracts(model, model.outputs)}
    session = open_session(network_bytes(network), folder, settings)
    bound = Bound(session, contracts, dict(end_to_end_inputs(model)))
    bound.visit(2)
    return bound


def _contracts(model: Model, names: Sequence[str]) -> list[dict[str, Any]]:
    specs = {name: model.spec(name) for name in names}
    return [{"name": name, "dtype": spec.dtype, "shape": list(spec.shape)} for name, spec in specs.items()]


def launch_times(
    model: Model, settings: SessionSettings, folder: Path, *, lengths: Sequence[int], rounds: int
) -> dict[str, Any]:
    """Measure a network and its parts, one layer each, in turns.

    Args:
        model: the network.
        settings: of the sessions.
        folder: for the suite and weights.
        lengths: numbers of copies in a row.
        rounds: of everything.

    Returns:
        ``network_ns``, the time of enqueueing the network, and sums over its parts: ``rows_ns`` by number of copies in
        a row, from the slope over that number (``turns_ns`` for what cannot be copied), and ``turns_ns``, each part
        alone behind the one before it, less what an empty graph takes there; and the same of each part. Medians of the
        rounds in which nobody shared the core.
    """
    parts = split(model, Granularity(1), "block")
    steps = [step for step in compose(parts).steps if not step.free]
    suite, weights = folder / "suite", folder / "weights"
    built = merge_benchmarks(benchmarks_from(parts, unions=False))
    head = SuiteHead(name="launches", settings=SplitSettings(target="portable"))
    write_suite(suite, assemble(head, built), {one.benchmark.fingerprint: one.network for one in built})
    manifest = load_suite(suite)
    ensure_weights(weights, manifest["weights"], manifest["seed"])
    entries = {one["fingerprint"]: one for one in manifest["benchmarks"]}
    count = Counter(step.fingerprint for step in steps)
    rows = {key: _rows(entries[key], suite, weights, settings, lengths) for key in count}
    empty = bound_graph("identity", settings, {"x": np.ones(1, np.float32)}, (1,), overwrites="x")
    empty.visit(2)
    whole = bound_network(model, weights, settings)
    order = [step.fingerprint for step in steps]
    found = _rounds(calls_of(whole.session, whole.binding, whole), _calls(empty), rows, order, settings, rounds)
    entry = {key: _entry(found, key, lengths) for key in count}
    return {
        "network_ns": found["network"],
        "rows_ns": {many: sum(count[key] * entry[key]["rows_ns"][many] for key in count) for many in lengths},
        "turns_ns": sum(count[key] * entry[key]["turns_ns"] for key in count),
        "parts": [{"operators": entries[key]["operators"], "count": count[key], **entry[key]} for key in count],
    }


def _calls(bound: Bound) -> QueuedCalls:
    return calls_of(bound.session, bound.binding, bound)


def _rows(
    benchmark: Mapping[str, Any], suite: Path, weights: Path, settings: SessionSettings, lengths: Sequence[int]
) -> dict[int, QueuedCalls]:
    """Open a part once, and in rows of so many copies; rows of what cannot be copied are left out."""
    prepared: Prepared = prepare(benchmark, suite, weights, settings, 0)
    prepared.bound.visit(2)
    made = {1: _calls(prepared.bound)}
    for many in lengths:
        longer = copies((suite / benchmark["network"]).read_bytes(), many)
        if longer is None:
            continue
        optimised = replace(settings, optimization=benchmark["optimization"])
        opened = open_session(longer, weights, optimised, constants=prepared.session.constants)
        binding = opened.inference.io_binding()
        for number in range(many):
            prepared.bound.bind_as(binding, benchmark, partial(copy_name, number=number))
        made[many] = calls_of(opened, binding, prepared.bound)
        made[many].call()
        made[many].call()
    return made


def _rounds(
    whole: QueuedCalls,
    empty: QueuedCalls,
    rows: Mapping[str, Mapping[int, QueuedCalls]],
    order: Sequence[str],
    settings: SessionSettings,
    rounds: int,
) -> dict[Any, float]:
    """Return medians, ns: of ``network``, of ``empty`` in turns, of (part, copies) and (part, ``turns``)."""
    is_slow = slowness(settings)
    made: list[tuple[bool, dict[Any, float]]] = []
    for _ in range(rounds):
        slow, took, turns = is_slow(), dict[Any, float](), dict[Any, list[int]]()
        whole.call()
        took["network"] = timed(whole.enqueue, time.perf_counter_ns)
        whole.wait()
        for key, row in rows.items():
            for many, calls in row.items():
                calls.call()
                took[key, many] = timed(calls.enqueue, time.perf_counter_ns)
                calls.wait()
        for key in (*order, *order):
            turns.setdefault((key, "turns"), []).append(timed(rows[key][1].enqueue, time.perf_counter_ns))
            turns.setdefault("empty", []).append(timed(empty.enqueue, time.perf_counter_ns))
        rows[order[-1]][1].wait()
        took |= {key: statistics.median(times) for key, times in turns.items()}
        made.append((slow or is_slow(), took))
    calm = [took for slow, took in made if not slow] or [took for _, took in made]
    return {key: statistics.median(took[key] for took in calm) for key in calm[0]}


def _entry(found: Mapping[Any, float], key: str, lengths: Sequence[int]) -> dict[str, Any]:
    alone_ns = found[key, 1]
    each = {many: (found[key, many] - alone_ns) / (many - 1) for many in lengths if (key, many) in found}
    turns_ns = found[key, "turns"] - found["empty"]
    return {"rows_ns": {many: each.get(many, turns_ns) for many in lengths}, "turns_ns": turns_ns}
