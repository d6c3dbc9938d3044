"""Taking the runtime's own profile of a whole network: in this process, after everything else was measured."""

import dataclasses
import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from dlbricks.construct.profile import place_nodes, read_events
from dlbricks.construct.validation_nouns import Profile
from dlbricks.errors import DlbricksError
from dlbricks.harness.measure import Bound
from dlbricks.harness.runner import session_settings
from dlbricks.harness.schedule import RunOptions
from dlbricks.harness.session import RUNTIME_ERRORS, open_session
from dlbricks.model.emit import network_bytes
from dlbricks.model.nouns import Model
from dlbricks.model.synthesis import input_generator
from dlbricks.model.whole import whole_inputs, whole_network, write_weights

PROFILE_NS = 3_000_000_000
"""About how long the calls of a profile take, disturbed and undisturbed ones together."""
VISIT_CALLS = 4
"""Calls back to back; the first of them finds other things in the caches and is left out."""
MAX_VISITS = 20
_MIN_VISITS = 2
_FAILURES: tuple[type[Exception], ...] = (DlbricksError, *RUNTIME_ERRORS)


def profile_network(lowered: Model, split: Model, options: RunOptions, weights: Path) -> Profile | None:
    """Run a lowered network with the runtime's profile on and off by turns; None where there is nothing to be read.

    Args:
        lowered: the graph that the runtime executes.
        split: the network whose layers are estimated, the same or the portable one.
        options: of the run; provider and threads are those of the measurement.
        weights: folder of weight files.
    """
    try:
        network, blobs = whole_network(lowered)
        write_weights(weights, blobs)
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            undisturbed_ns, events, visits = _run(lowered, network_bytes(network), options, weights, Path(scratch))
    except _FAILURES:
        return None
    durations = read_events(events, warm_up=len(visits), visit=VISIT_CALLS)
    nodes = place_nodes(lowered, split, durations)
    return Profile(undisturbed_ns=undisturbed_ns, nodes=nodes) if nodes else None


def _run(
    model: Model, network: bytes, options: RunOptions, weights: Path, scratch: Path
) -> tuple[int, list[dict[str, Any]], list[int]]:
    """Give the median undisturbed latency, the events of the profile, and the profiled calls made to warm up."""
    settings = session_settings(options).with_optimization("none")
    contracts = _contracts(model)
    inputs = dict(whole_inputs(model))
    plain = Bound(open_session(network, weights, settings), contracts, inputs)
    session = open_session(network, weights, settings, profile=scratch / "profile")
    profiled = Bound(session, contracts, inputs)
    plain.warm_up()
    warm_up = profiled.warm_up()
    call_ns = max(1, plain.visit(1)[0])
    visits = min(MAX_VISITS, max(_MIN_VISITS, round(PROFILE_NS / (2 * VISIT_CALLS * call_ns))))
    samples: list[int] = []
    for _ in range(1 if options.smoke else visits):
        samples += plain.visit(VISIT_CALLS)[1:]
        profiled.visit(VISIT_CALLS)
    path = Path(session.inference.end_profiling())
    return round(statistics.median(samples)), json.loads(path.read_text(encoding="utf-8")), warm_up


def _contracts(model: Model) -> dict[str, Any]:
    """Describe inputs and outputs as the harness binds them."""
    layers = range(len(model.layers))
    return {
        "inputs": [
            {
                "name": name,
                "dtype": model.spec(name).dtype,
                "shape": list(model.spec(name).shape),
                "generator": dataclasses.asdict(input_generator(model, layers, name)),
            }
            for name in model.inputs
        ],
        "outputs": [
            {"name": name, "dtype": model.spec(name).dtype, "shape": list(model.spec(name).shape)}
            for name in model.outputs
        ],
        "overwrites": "",
    }
