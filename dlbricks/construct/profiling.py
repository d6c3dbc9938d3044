"""Taking the runtime's own profile of a whole network: in this process, after everything else was measured."""

import statistics
import tempfile
from pathlib import Path

from dlbricks.construct.profile import place_nodes, read_durations
from dlbricks.construct.validation_nouns import Profile
from dlbricks.errors import DlbricksError
from dlbricks.harness.layerprofile import LayerProfile, load_profile
from dlbricks.harness.measure import Bound
from dlbricks.harness.runner import session_settings
from dlbricks.harness.schedule import RunOptions
from dlbricks.harness.session import RUNTIME_ERRORS, open_session
from dlbricks.model.emit import network_bytes, whole_contract, whole_inputs, whole_network, write_weights
from dlbricks.model.types import Model

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
            undisturbed_ns, taken, warm_up = _run(lowered, network_bytes(network), options, weights, Path(scratch))
    except _FAILURES:
        return None
    durations = read_durations(taken.calls, warm_up=warm_up, visit=VISIT_CALLS)
    nodes = place_nodes(lowered, split, durations)
    return Profile(undisturbed_ns=undisturbed_ns, nodes=nodes) if nodes else None


def _run(
    model: Model, network: bytes, options: RunOptions, weights: Path, scratch: Path
) -> tuple[int, LayerProfile, int]:
    """Give the median undisturbed latency, the profile, and how many profiled calls were made to warm up."""
    settings = session_settings(options).with_optimization("none")
    contracts = whole_contract(model)
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
    return round(statistics.median(samples)), load_profile(path), len(warm_up)
