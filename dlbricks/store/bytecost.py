"""What fetching an activation costs where it was not measured: its bytes by what a byte costs on the machine. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from dlbricks.harness.cache_state import CONSTANTS, INPUTS, LARGE_BYTES, OUTPUTS
from dlbricks.harness.stats import Summary
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.nouns import CallOverheads, Measurement

_ENOUGH = 6

States = Mapping[str, Summary]


def usual_byte_ns(measured: Iterable[tuple[States, SequenceFeatures]], over: CallOverheads, streamed: float) -> float:
    """Say what a byte of an input or output usually costs from memory, beyond what it costs from the caches, ns.

    Median of such differences by bytes over all benchmarks with large inputs or outputs, weighted by bytes over time,
    the precision of such a figure; what is streamed stands for it where there are fewer than six of them.

    Args:
        measured: states and features of one benchmark after another.
        over: call overheads.
        streamed: what a byte of a constant costs that is read once, front to back.
    """
    costs: list[float] = []
    weights: list[float] = []
    for states, features in measured:
        if CONSTANTS not in states:
            continue
        net_ns = states[CONSTANTS].latency_ns - over.constants_ns
        for state, nbytes, call_ns in (
            (OUTPUTS, features.output_bytes, over.outputs_ns),
            (INPUTS, features.input_bytes, over.inputs_ns),
        ):
            if state in states and nbytes >= LARGE_BYTES:
                cost_ns = states[state].latency_ns - call_ns - net_ns
                costs.append(cost_ns / nbytes)
                weights.append(nbytes / max(1, net_ns))
    if len(costs) < _ENOUGH:
        return streamed
    return max(0.0, float(np.quantile(costs, 0.5, weights=weights, method="inverted_cdf")))


def with_unmeasured(
    one: Measurement, states: States, features: SequenceFeatures, over: CallOverheads, byte_ns: float
) -> Measurement:
    """Fill in states ``outputs`` and ``inputs`` that were not measured since little is fetched in them.

    Args:
        one: a sequence, with some other state in the place of what was not measured.
        states: that were measured; without ``constants`` nothing is filled in.
        features: of the sequence.
        over: call overheads.
        byte_ns: what a byte costs.
    """
    if CONSTANTS not in states:
        return one
    net_ns = one.constants_ns - over.constants_ns
    if OUTPUTS not in states:
        one = replace(one, outputs_ns=max(0, round(net_ns + over.outputs_ns + byte_ns * features.output_bytes)))
    if INPUTS not in states:
        one = replace(one, inputs_ns=max(0, round(net_ns + over.inputs_ns + byte_ns * features.input_bytes)))
    return one
