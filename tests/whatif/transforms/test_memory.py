"""Memory that is not reused: each step takes the time that its own reuse distances give."""

from dataclasses import replace

import pytest

from dlbricks.errors import InputError
from dlbricks.store.types import Caches
from dlbricks.whatif.answer import ask
from dlbricks.whatif.sources.networks import graph_of_model
from dlbricks.whatif.transforms.memory import MEM_REUSE
from tests.construct.made_up import composition, placed, results

CURVE = ((2**20, 0.0), (2**24, 1.0))
RESULTS = replace(results({"a": 1000, "b": 2000}), caches=Caches(curve=CURVE, written=CURVE, memory_byte_ns=1.0))
BUFFER_BYTES = 100


def test_times_without_reuse_replace_those_with_it() -> None:
    """A buffer that was touched long ago costs its bytes; a near one costs nothing."""
    far, near = (placed(composition(["a", "b"]), 0, outputs=((BUFFER_BYTES, at, 1),)) for at in (2**30, 0))
    graph, estimate = graph_of_model(far, RESULTS, {}, near)
    answer = ask(graph, [(MEM_REUSE, {"state": "off"})]).answer
    assert (answer.before.time_ns, answer.after.time_ns) == (estimate.total_ns, estimate.total_ns - BUFFER_BYTES)


def test_other_graphs_and_states_are_refused() -> None:
    """A recorded run does not say how its memory was planned, and reuse is on already."""
    steps = composition(["a", "b"])
    with pytest.raises(InputError, match="it needs a network of --system with onnxruntime, cpu"):
        ask(graph_of_model(steps, RESULTS, {})[0], [(MEM_REUSE, {"state": "off"})])
    with pytest.raises(InputError, match="invalid state 'on' of mem-reuse: expected off"):
        ask(graph_of_model(steps, RESULTS, {}, steps)[0], [(MEM_REUSE, {"state": "on"})])
