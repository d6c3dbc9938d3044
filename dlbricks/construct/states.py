"""From the latencies of a sequence in four states of the caches to its time at its place in a network. Pure.

What a call finds in the caches decides much of its time, and inside a network it is rarely what a loop of the same call
would find. So benchmarks are measured with everything in the caches (near), with constants fetched from memory, with
output buffers fetched besides, and with inputs fetched besides; how much of each difference a step pays follows from
how far back the network touched these (``construct.memory``) and from the miss curve of the machine.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from dlbricks.construct.missrate import MissCurve, Others, nothing
from dlbricks.construct.second_level import latecomers_ns
from dlbricks.store.nouns import SecondLevel, SystemResults

DEAREST = 4.0
"""How many times as dear as usual on the machine a byte of an input or output from memory can be."""
LATENCY_NS = 1_000
"""What fetching may cost beyond its bytes: where few are fetched, latency counts."""
ONCE = 1.5
"""How many times as far back constants count as they are, by what the network and by what others touched since. The
curve's benchmark is called twice before other memory is read, and what was just used again stays longer than what is
used once an inference: in turns of one call and other memory as much is gone as at 1.3 times the distance; networks
agree best with 1.5 to 2 (docs/decisions.md)."""
_TELLING_BYTES = 1 << 16
"""Sequences that touch so much of a kind say what a byte costs, if there are enough of them."""
_ENOUGH = 6
_TURNS = (2, 2, 1)
"""How often near, constants and outputs are visited, relative to each other."""


class FourStates(Protocol):
    """Latencies in ns; constants from memory are part of ``outputs_ns`` and of ``inputs_ns``."""

    @property
    def near_ns(self) -> float:
        """Everything lies in the caches."""

    @property
    def constants_ns(self) -> float:
        """Constants come from memory."""

    @property
    def outputs_ns(self) -> float:
        """Constants and output buffers come from memory."""

    @property
    def inputs_ns(self) -> float:
        """Constants and inputs come from memory."""


class Placed(Protocol):
    """What a step touches: bytes, reuse distance in bytes and age in steps, of one tensor after another."""

    @property
    def constants(self) -> Sequence[tuple[int, int, int]]:
        """Constants of all its layers."""

    @property
    def inputs(self) -> Sequence[tuple[int, int, int]]:
        """Tensors from outside."""

    @property
    def outputs(self) -> Sequence[tuple[int, int, int]]:
        """Buffers of tensors that are used outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """Latencies in four states, call overhead taken out, none below 0."""

    near_ns: float
    constants_ns: float
    outputs_ns: float
    inputs_ns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Time of one step by where it comes from, call overhead taken out; none below 0."""

    near_ns: int = 0
    constants_ns: int = 0
    outputs_ns: int = 0
    inputs_ns: int = 0

    @property
    def total_ns(self) -> int:
        """All of it."""
        return self.near_ns + self.constants_ns + self.outputs_ns + self.inputs_ns


def net_latencies(measured: FourStates, results: SystemResults) -> Latencies:
    """Take the call overhead out, of each state its own.

    What was measured in one state only (an accelerator, calls back to back) has four equal latencies; the call
    overhead of calls back to back belongs to it.

    Fetching more cannot take less: where noise has it so, neighbours become their mean, weighted by how often a state
    is visited (isotonic regression: Barlow et al., "Statistical Inference under Order Restrictions", 1972).
    """
    gross = (measured.near_ns, measured.constants_ns, measured.outputs_ns, measured.inputs_ns)
    over = results.overheads
    calls = (over.near_ns, over.constants_ns, over.outputs_ns, over.inputs_ns)
    if len(set(gross)) == 1:
        calls = (results.call_overhead_ns,) * 4
    near, constants, outputs, inputs = (max(0.0, own - call) for own, call in zip(gross, calls, strict=True))
    near, constants, outputs = _risen((near, constants, outputs), _TURNS)
    return Latencies(near_ns=near, constants_ns=constants, outputs_ns=outputs, inputs_ns=inputs)


def _risen(values: Sequence[float], weights: Sequence[int]) -> list[float]:
    """Make values rise by pooling adjacent violators; scipy's takes longer to import than all that is done here."""
    pools: list[tuple[float, int, int]] = []
    for value, weight in zip(values, weights, strict=True):
        pool = (value, weight, 1)
        while pools and pools[-1][0] > pool[0]:
            before = pools.pop()
            total = before[1] + pool[1]
            pool = ((before[0] * before[1] + pool[0] * pool[1]) / total, total, before[2] + pool[2])
        pools.append(pool)
    return [value for value, _, count in pools for _ in range(count)]


def dearest_byte(sequences: Iterable[tuple[FourStates, Placed]]) -> float:
    """Say what fetching a byte of an input or output from memory costs at most, ns; infinite where too little is known.

    The states ``outputs`` and ``inputs`` rest on very few calls. In a sequence that computes for long, what is left of
    a disturbed call after ``constants`` is taken off would count as time of fetching, although its tensors are small.
    So the usual cost of a byte is taken from all sequences (median of the differences by bytes, weighted by bytes over
    time, the precision of such a figure), and no sequence pays more than ``DEAREST`` times that.

    Args:
        sequences: latencies and what is touched, each sequence once.
    """
    costs: list[float] = []
    weights: list[float] = []
    for net, placed in sequences:
        for tensors, cost_ns in (
            (placed.outputs, net.outputs_ns - net.constants_ns),
            (placed.inputs, net.inputs_ns - net.constants_ns),
        ):
            nbytes = _bytes(tensors)
            if nbytes >= _TELLING_BYTES:
                costs.append(cost_ns / nbytes)
                weights.append(nbytes / max(1.0, net.near_ns))
    if len(costs) < _ENOUGH:
        return math.inf
    usual = float(np.quantile(costs, 0.5, weights=weights, method="inverted_cdf"))
    return DEAREST * usual if usual > 0 else math.inf


def _bytes(tensors: Iterable[tuple[int, int, int]]) -> int:
    return sum(nbytes for nbytes, _, _ in tensors)


def step_time(
    net: FourStates,
    step: Placed,
    curve: MissCurve,
    *,
    second_level: SecondLevel,
    others: Others = nothing,
    dearest: float = math.inf,
) -> StepTime:
    """Give the time of a step at its place.

    near + (constants - near) * F(constants) + (outputs - constants) * F(outputs) + (inputs - constants) * F(inputs),
    where F is the miss curve, averaged by bytes over the tensors of a kind, that of constants at ``ONCE`` times their
    distance, and no difference counts below 0; outputs also pay for coming from behind the second level of cache
    (``second_level``).

    Calls in state near come after one of the same benchmark, so constants that do not fit the caches came from memory
    there, too: fetching them adds no more than the share of the call in which they can have been found.

    Args:
        net: latencies, call overhead taken out.
        step: reuse distances of what it touches.
        curve: of the machine.
        second_level: of the machine.
        others: what others brought into its caches meanwhile.
        dearest: what a byte of an input or output from memory costs at most, ns.
    """

    def fetched(cost_ns: float, tensors: Sequence[tuple[int, int, int]]) -> float:
        most = LATENCY_NS + dearest * _bytes(tensors) if tensors else 0.0
        return min(max(0.0, cost_ns), most) * curve.mean_share(tensors, others)

    found = (1 - curve.share(_bytes(step.constants))) * net.constants_ns
    more = min(max(0, net.constants_ns - net.near_ns), found)
    constants = more * curve.mean_share(step.constants, others, ONCE)
    return StepTime(
        near_ns=round(max(0, net.near_ns)),
        constants_ns=round(constants),
        outputs_ns=round(
            fetched(net.outputs_ns - net.constants_ns, step.outputs)
            + latecomers_ns(step.inputs, step.outputs, second_level)
        ),
        inputs_ns=round(fetched(net.inputs_ns - net.constants_ns, step.inputs)),
    )


def summed(times: Iterable[StepTime]) -> StepTime:
    """Add up times, each part by itself."""
    kept = list(times)
    return StepTime(
        near_ns=sum(one.near_ns for one in kept),
        constants_ns=sum(one.constants_ns for one in kept),
        outputs_ns=sum(one.outputs_ns for one in kept),
        inputs_ns=sum(one.inputs_ns for one in kept),
    )
