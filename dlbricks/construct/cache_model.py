"""From what sequences take in two states of the caches to what each step of a network takes at its place. Pure.

What a call finds in the caches decides much of its time, and inside a network it is rarely what a loop of the same call
would find. So benchmarks are measured with everything in the caches (near) and with constants fetched from memory. How
much of the difference a step pays follows from how far back the network touched its constants
(``construct.memory_layout``), and from the miss curve of the machine: the share of what lies at some reuse distance
that has left the caches. A cache that forgets strictly what was used longest ago would be a step (Mattson et al. 1970);
real ones blur it, so the curve is measured (``store.summary``).

Output buffers pay by their bytes: from memory as far as the curve says, and from the last level of cache where they
have left the second. So do inputs that nobody touched since the inference before: inputs of the network, such as the
key-value cache of a decoder or the state of a recurrent one, are as far away as all that an inference touches. Other
inputs were just made. The last level is shared: what other cores, or other guests of the processor, bring in during the
time since a tensor was touched adds to its reuse distance. ``benchmarks/ablation.py`` says what each of these is worth.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.construct.types import CompositionPair, CompositionStep, Reuses
from dlbricks.store.types import Caches, Measurement, SystemResults

ASSUMED_HALF_BYTES = 7 * 2**20
"""Distance at which the assumed curve is at one half: it suits 1 MiB of L2 per core and a share of 32 MiB of L3."""
ASSUMED_STEEPNESS = 3.0
"""Exponent of the assumed curve."""
CONSTANT_REUSE_FACTOR = 1.5
"""Factor on the reuse distance of constants: the curve's benchmark is called twice before other memory is
read, and what was just used again stays longer than what is used once an inference."""
MAX_BYTE_RATIO = 3.0
"""Most that a byte of a constant can cost, by the cost of a byte in the curve's benchmark, which streams."""
OUTPUT_BYTE_RATIO = 1.0
"""Cost of a byte of an output buffer, by the same."""
INPUT_BYTE_RATIO = 1.0
"""Cost of a byte of an input of the network, by the same."""
PREFETCHED = 0.1
"""Share of a call's time during which the processor fetches inputs ahead, which then add nothing."""
AHEAD = {"openvino": 0.06}
"""Share of a call's time, by runtime, that state ``constants`` costs beyond what constants cost inside networks."""
RUNTIME_NS = 2_000
"""What state ``constants`` may cost beyond the bytes of constants: the runtime's own data of a layer, and latency."""
SECOND_LEVEL_REACH = 1.5
"""Reuse distance at which half of a tensor has left the second level of cache, in sizes of it."""
SECOND_LEVEL_STEEPNESS = 3.0
"""Of the share that has left it: logistic in the logarithm of the distance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """Latencies in two states, call overhead taken out, none below 0."""

    near_ns: float
    """Everything lies in the caches."""
    constants_ns: float
    """Constants come from memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Time of one step by where it comes from, call overhead taken out; none below 0."""

    near_ns: int = 0
    constants_ns: int = 0
    """What fetching constants adds."""
    outputs_ns: int = 0
    """What fetching output buffers adds."""
    inputs_ns: int = 0
    """What fetching inputs of the network adds."""

    @property
    def total_ns(self) -> int:
        """All of it."""
        return self.near_ns + self.constants_ns + self.outputs_ns + self.inputs_ns


def net_latencies(measured: Measurement, results: SystemResults) -> Latencies:
    """Take the call overhead out, of each state its own.

    What was measured in one state only (an accelerator, calls back to back) has two equal latencies; the call overhead
    of calls back to back belongs to it.
    """
    over = results.overheads
    if measured.near_ns == measured.constants_ns:
        net = max(0.0, measured.near_ns - results.call_overhead_ns)
        return Latencies(near_ns=net, constants_ns=net)
    return Latencies(
        near_ns=max(0.0, measured.near_ns - over.near_ns),
        constants_ns=max(0.0, measured.constants_ns - over.constants_ns),
    )


def miss_share(curve: Sequence[tuple[int, float]], distance_bytes: float) -> float:
    """Give the share, 0 to 1, that has to come from memory at a reuse distance.

    Between measured points it is linear in the logarithm of the distance, outside as at the nearest point. Without
    points a curve is assumed, logistic in that logarithm.
    """
    if distance_bytes <= 0:
        return 0.0
    if not curve:
        return float(1 / (1 + (ASSUMED_HALF_BYTES / distance_bytes) ** ASSUMED_STEEPNESS))
    if distance_bytes >= curve[-1][0]:
        return curve[-1][1]
    for (left, low), (right, high) in itertools.pairwise(curve):
        if left <= distance_bytes < right:
            return low + (high - low) * math.log(distance_bytes / left) / math.log(right / left)
    return curve[0][1]


def bytes_after(time_ns: float, brought_in: Sequence[tuple[int, int]]) -> float:
    """Say how many bytes others bring into the caches in some time.

    Linear between measured times and before the first; after the last as fast as on the whole until then.

    Args:
        time_ns: 0 or more.
        brought_in: times in ns and bytes, both rising; without any nobody else uses the caches.
    """
    at, held = 0, 0
    for wait_ns, nbytes in brought_in:
        if time_ns <= wait_ns:
            return held + (nbytes - held) * (time_ns - at) / (wait_ns - at)
        at, held = wait_ns, nbytes
    return held * time_ns / at if at else 0.0


def second_level_ns(inputs: Reuses, outputs: Reuses, caches: Caches) -> float:
    """Give the time in which outputs are fetched from the last level of cache into the second, ns.

    Before a call in state near its outputs and inputs are read, so small ones lie in the second level. Inside a network
    an input was just made and does, too, but the buffer of an output was used some layers ago. What is written over an
    input has distance 0. Without a size nothing is known and nothing is added.
    """
    if not caches.second_level_bytes:
        return 0.0
    reach = SECOND_LEVEL_REACH * caches.second_level_bytes
    within = max(0.0, 1 - (_bytes(inputs) + _bytes(outputs)) / reach)
    left = sum(nbytes / (1 + (reach / far) ** SECOND_LEVEL_STEEPNESS) for nbytes, far, _ in outputs if far > 0)
    return float(within * left * caches.second_level_byte_ns)


class CacheModel:
    """The times of the steps of one network on one system."""

    def __init__(self, steps: Sequence[CompositionStep], nets: Mapping[str, Latencies], results: SystemResults) -> None:
        """Take note of how long everything takes, constants from memory, and so of when it runs.

        Args:
            steps: of the network, in order.
            nets: latencies by fingerprint; what is missing takes no time.
            results: of the machine.
        """
        self._steps, self._nets, self._caches = steps, nets, results.caches
        self._ahead = AHEAD.get(results.configuration.runtime.partition(" ")[0], 0.0)
        usual = [nets[step.fingerprint].constants_ns if self._known(step) else 0.0 for step in steps]
        self._ends = list(itertools.accumulate(usual, initial=0.0))

    def times(self) -> list[StepTime]:
        """Give the time of every step; views and what is missing take none."""
        return [self._time(step, index) if self._known(step) else StepTime() for index, step in enumerate(self._steps)]

    def union(self, pair: CompositionPair) -> StepTime:
        """Give the time of a pair of steps taken together, whose latencies are known."""
        return self._time(pair, pair.first)

    def elapsed_ns(self, index: int, age: int) -> float:
        """Give the time from the end of the step that is ``age`` steps before a step to the start of that step.

        Steps before the first belong to the inference before. What others do during the step itself its benchmark has
        seen, too.
        """
        if age <= 0:
            return 0.0
        before = index - age
        rounds = -(before // len(self._steps)) if before < 0 else 0
        return self._ends[index] - self._ends[before % len(self._steps) + 1] + rounds * self._ends[-1]

    def _known(self, step: CompositionStep) -> bool:
        return not step.free and step.fingerprint in self._nets

    def _time(self, placed: CompositionStep | CompositionPair, index: int) -> StepTime:
        net, caches = self._nets[placed.fingerprint], self._caches
        missed = self._missed_bytes(placed.outputs, index)
        old = self._missed_bytes((one for one in placed.inputs if one[2] >= len(self._steps)), index)
        fetched = old * INPUT_BYTE_RATIO * caches.memory_byte_ns
        return StepTime(
            near_ns=round(net.near_ns),
            constants_ns=round(self._constants_ns(net, placed.constants, index)),
            outputs_ns=round(
                missed * OUTPUT_BYTE_RATIO * caches.memory_byte_ns
                + second_level_ns(placed.inputs, placed.outputs, caches)
            ),
            inputs_ns=round(max(0.0, fetched - PREFETCHED * net.near_ns)),
        )

    def _constants_ns(self, net: Latencies, constants: Reuses, index: int) -> float:
        """Give what fetching constants adds: no more than their bytes and the runtime's own data can cost.

        A call in state ``constants`` comes after much other memory was read, which on some machines slows down what has
        no constants, too, by far more than is seen in networks.
        """
        nbytes, more = _bytes(constants), max(0.0, net.constants_ns - net.near_ns)
        if not nbytes or not more:
            return 0.0
        if self._caches.memory_byte_ns:
            more = min(more, RUNTIME_NS + MAX_BYTE_RATIO * self._caches.memory_byte_ns * nbytes)
        fetched = more * self._missed_bytes(constants, index, CONSTANT_REUSE_FACTOR) / nbytes
        return max(0.0, fetched - self._ahead * net.near_ns)

    def _missed_bytes(self, reuses: Iterable[tuple[int, int, int]], index: int, factor: float = 1.0) -> float:
        """Give the bytes that come from memory.

        Args:
            reuses: bytes, reuse distance and age in steps of one tensor after another.
            index: of the step that uses them.
            factor: how many times as far back as the curve's benchmark would feel it distances are felt.
        """
        curve, others = self._caches.curve, self._caches.brought_in
        return sum(
            nbytes * miss_share(curve, factor * (distance + bytes_after(self.elapsed_ns(index, age), others)))
            for nbytes, distance, age in reuses
        )


def _bytes(tensors: Iterable[tuple[int, int, int]]) -> int:
    return sum(nbytes for nbytes, _, _ in tensors)


def summed(times: Iterable[StepTime]) -> StepTime:
    """Add up times, each part by itself."""
    kept = list(times)
    return StepTime(
        near_ns=sum(one.near_ns for one in kept),
        constants_ns=sum(one.constants_ns for one in kept),
        outputs_ns=sum(one.outputs_ns for one in kept),
        inputs_ns=sum(one.inputs_ns for one in kept),
    )
