"""Computes the time of each step (use of a sequence in a network) from the latencies of the sequence by cache state.

A step takes the latency in state ``llc_warm``, plus a share of the difference to state ``weights_cold``: the share of
its constants that has left the caches. The miss curve of the machine gives this share for a reuse distance
(``construct.memory_layout``). The curve is measured (``store.summary``), since the caches of real processors differ
from a fully associative LRU cache (Mattson et al. 1970). Short benchmarks are also measured by consecutive calls
(``cached_ns``).
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from dlbricks.construct.types import CompositionPair, CompositionStep, PlacedSequence, Reuses
from dlbricks.store.summary import backends
from dlbricks.store.types import Caches, Measurement, SystemResults

# Fits 1 MiB of L2 per core and a share of 32 MiB of L3: the reuse distance at which the assumed miss curve is 0.5.
ASSUMED_HALF_BYTES = 7 * 2**20
# Exponent of the assumed miss curve.
ASSUMED_STEEPNESS = 3.0
# Upper bound of the cost of a byte of a constant, relative to a byte in the curve's benchmark, which streams.
MAX_BYTE_RATIO = 3.0
# Share of a call's time in which the processor prefetches inputs, so that fetching them adds nothing.
PREFETCHED = 0.1
# Upper bound of what state ``weights_cold`` costs beyond the bytes of constants: runtime data of a layer, and latency.
MAX_RUNTIME_OVERHEAD_NS = 2_000
# Reuse distance at which half of a tensor has left the second-level cache, in sizes of that cache; and the exponent of
# that share, which is logistic in the logarithm of the distance.
SECOND_LEVEL_REACH = 1.5
SECOND_LEVEL_STEEPNESS = 3.0
# Reuse distance at which half of what makes repeated calls quicker is lost: besides constants, code and what the
# processor knows of branches. Fitted on OpenVINO to networks of packages, and to a Xeon (docs/decisions.md).
HOT_LOOP_REACH = 10.0
# Most iterations to find the time of a network, and the relative change that ends them.
_ROUNDS, _SETTLED = 8, 0.001


@dataclass(frozen=True, slots=True, kw_only=True)
class Latencies:
    """Latencies of a sequence by cache state, ns, without call overhead."""

    llc_warm_ns: float
    """Latency with all data in the last-level cache."""
    weights_cold_ns: float
    """Latency with constants in memory."""
    hot_loop_ns: float | None = None
    """Latency of consecutive calls; None if unknown."""
    outputs_cold_ns: float | None = None
    """Latency with output buffers in memory, at least ``llc_warm_ns``; None if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """Time of one step by cause, ns, without call overhead."""

    llc_warm_ns: int = 0
    weights_cold_ns: int = 0
    """Time added by constants that come from memory."""
    outputs_ns: int = 0
    """Time added by output buffers that come from memory."""
    inputs_ns: int = 0
    """Time added by the network's inputs that come from memory."""

    @property
    def total_ns(self) -> int:
        """Sum of the four times."""
        return self.llc_warm_ns + self.weights_cold_ns + self.outputs_ns + self.inputs_ns


def net_latencies(measured: Measurement, results: SystemResults) -> Latencies:
    """Return the latencies of a measurement, minus the call overhead in each state, plus ``Calibration.step_ns``."""
    over, more = results.overheads, results.calibration.step_ns
    if measured.llc_warm_ns == measured.weights_cold_ns:
        net = max(0.0, measured.llc_warm_ns - results.call_overhead_ns + more)
        return Latencies(llc_warm_ns=net, weights_cold_ns=net)
    near = max(0.0, measured.llc_warm_ns - over.llc_warm_ns + more)
    again, written = measured.hot_loop_ns, measured.outputs_cold_ns
    return Latencies(
        llc_warm_ns=near,
        weights_cold_ns=max(0.0, measured.weights_cold_ns - over.weights_cold_ns + more),
        hot_loop_ns=None if again is None else min(near, max(0.0, again - over.hot_loop_ns + more)),
        outputs_cold_ns=None if written is None else max(near, written - over.llc_warm_ns + more),
    )


def miss_share(curve: Sequence[tuple[int, float]], distance_bytes: float) -> float:
    """Return the share of data, 0 to 1, that has left the caches at a reuse distance.

    Between the points of ``curve``, the share is linear in the logarithm of the distance. Beyond them, it is that of
    the nearest point. An empty curve stands for an assumed logistic curve.
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


def lost_share(time_ns: float, lost: Sequence[tuple[int, float]]) -> float:
    """Return the share of data, 0 to 1, that other users of the machine evict from shared caches within ``time_ns``.

    ``lost`` has pairs of a measured time (ns) and a share, both ascending; it is empty without other users. Shares are
    linear between (0, 0) and these points; after the last point, what is left shrinks at the mean rate.
    """
    at, share = 0, 0.0
    for wait_ns, more in lost:
        if time_ns <= wait_ns:
            return share + (more - share) * (time_ns - at) / (wait_ns - at)
        at, share = wait_ns, more
    return float(1 - (1 - share) ** (time_ns / at)) if at else 0.0


def second_level_ns(inputs: Reuses, outputs: Reuses, caches: Caches) -> float:
    """Return the time to fetch outputs into the second-level cache, ns; 0 if the size of this cache is unknown.

    It counts where state ``outputs_cold``, which contains it, was not measured.
    """
    # Before a call in state llc_warm, outputs and inputs are read, so small ones are in the second-level cache. Inside
    # a network inputs are there, too, but output buffers were used some layers ago. An output written over an input has
    # distance 0.
    if not caches.second_level_bytes:
        return 0.0
    reach = SECOND_LEVEL_REACH * caches.second_level_bytes
    within = max(0.0, 1 - (_bytes(inputs) + _bytes(outputs)) / reach)
    return within * _left_second_level(outputs, caches) * caches.second_level_byte_ns


def cached_ns(net: Latencies, constants: Reuses, caches: Caches) -> float:
    """Return the time of a step whose constants are in the caches, ns."""
    # Between two calls one at a time much other memory is read: the second-level cache, and what the processor
    # remembers of code and branches, are of something else then. So it is in a network that is larger than this cache,
    # when a layer comes again; in a smaller one layers find both as repeated calls do. In between, the reuse distance
    # of the constants decides.
    nbytes = _bytes(constants)
    if net.hot_loop_ns is None or not caches.second_level_bytes or not nbytes:
        return net.llc_warm_ns
    left = _left_second_level(constants, caches, HOT_LOOP_REACH) / nbytes
    return net.hot_loop_ns + left * (net.llc_warm_ns - net.hot_loop_ns)


def _left_second_level(tensors: Reuses, caches: Caches, reach_caches: float = SECOND_LEVEL_REACH) -> float:
    # Return the bytes that have left the second-level cache, whose size is known.
    reach = reach_caches * caches.second_level_bytes
    return float(sum(nbytes / (1 + (reach / far) ** SECOND_LEVEL_STEEPNESS) for nbytes, far, _ in tensors if far > 0))


class CacheModel:
    """Times of the steps of one network on one system."""

    def __init__(self, steps: Sequence[CompositionStep], nets: Mapping[str, Latencies], results: SystemResults) -> None:
        """Compute when each step starts; steps without latencies in ``nets`` take no time."""
        # What others bring into the caches depends on how long the network takes, and that on what is fetched.
        # Iteration starts with all constants from memory and ends when the time of the network no longer changes.
        self._steps, self._nets, self._caches = steps, nets, results.caches
        self._reach = results.calibration.reach
        # for each wait, the share of the curve's nearest buffers that is lost: that of as many bytes more read
        curve, brought_in = self._caches.curve, self._caches.brought_in
        nearest = curve[0][0] if curve else 0
        self._lost = tuple((wait_ns, miss_share(curve, nearest + nbytes)) for wait_ns, nbytes in brought_in)
        backend = backends().get(results.configuration.runtime.partition(" ")[0])
        self._unexplained: float = backend.UNEXPLAINED_CONSTANT_SHARE if backend else 0.0
        usual = [nets[step.fingerprint].weights_cold_ns if self._known(step) else 0.0 for step in steps]
        self._ends = list(itertools.accumulate(usual, initial=0.0))
        for _ in range(_ROUNDS if self._caches.brought_in else 0):
            slow_ns = self._ends[-1]
            self._ends = list(itertools.accumulate((float(time.total_ns) for time in self.times()), initial=0.0))
            if abs(slow_ns - self._ends[-1]) <= _SETTLED * slow_ns:
                break

    def times(self) -> list[StepTime]:
        """Return the time of every step; 0 for views and for steps without a latency."""
        return [self._time(step, index) if self._known(step) else StepTime() for index, step in enumerate(self._steps)]

    def union(self, pair: CompositionPair) -> StepTime:
        """Return the time of two steps that were measured together as one sequence."""
        return self._time(pair, pair.first)

    def elapsed_ns(self, index: int, age: int) -> float:
        """Return the time from the end of step ``index - age`` to the start of step ``index``, ns.

        Negative indices are steps of the previous inference.
        """
        # The time of step ``index`` itself is left out, since other users of the caches disturbed its benchmark in the
        # same way.
        if age <= 0:
            return 0.0
        before = index - age
        rounds = -(before // len(self._steps)) if before < 0 else 0
        return self._ends[index] - self._ends[before % len(self._steps) + 1] + rounds * self._ends[-1]

    def _known(self, step: CompositionStep) -> bool:
        return not step.free and step.fingerprint in self._nets

    def _time(self, placed: PlacedSequence, index: int) -> StepTime:
        # Output buffers cost time by their bytes: those fetched from memory, by the miss curve, and those that have
        # left the second-level cache. The same holds for inputs that no layer has touched since the previous inference
        # (inputs of the network, such as the state of a recurrent one), whose reuse distance is the footprint of an
        # inference; other inputs were written since, and pay if their writer had to write to memory and they left the
        # caches before they were read. An input in whose buffer an output is made, such as the key-value cache of a
        # decoder, counts as a constant: its benchmark finds it in memory, since kernels that stream a cache compute
        # meanwhile. The last-level cache is shared: other cores or virtual machines evict a share of it meanwhile.
        # ``benchmarks/ablation.py`` measures what each of these terms is worth.
        net, caches = self._nets[placed.fingerprint], self._caches
        old = self._missed_bytes((tensor for tensor in placed.inputs if tensor[2] >= len(self._steps)), index)
        fetched = (old + self._fresh_bytes(placed.inputs, index)) * caches.memory_byte_ns
        return StepTime(
            llc_warm_ns=round(cached_ns(net, placed.constants, caches)),
            weights_cold_ns=round(self._constants_ns(net, placed.constants, index)),
            outputs_ns=round(self._outputs_ns(net, placed, index)),
            inputs_ns=round(max(0.0, fetched - PREFETCHED * net.llc_warm_ns)),
        )

    def _constants_ns(self, net: Latencies, constants: Reuses, index: int) -> float:
        # Return what fetching constants adds, bounded by their bytes and ``MAX_RUNTIME_OVERHEAD_NS``.
        #
        # Before a call in state ``weights_cold`` much other memory is read, which on some machines slows down calls
        # without constants by far more than is seen in networks.
        nbytes, more = _bytes(constants), max(0.0, net.weights_cold_ns - net.llc_warm_ns)
        if not nbytes or not more:
            return 0.0
        if self._caches.memory_byte_ns:
            more = min(more, MAX_RUNTIME_OVERHEAD_NS + MAX_BYTE_RATIO * self._caches.memory_byte_ns * nbytes)
        fetched = more * self._missed_bytes(constants, index) / nbytes
        return max(0.0, fetched - self._unexplained * net.llc_warm_ns)

    def _outputs_ns(self, net: Latencies, placed: PlacedSequence, index: int) -> float:
        # Return what writing outputs that have left the caches adds.
        missed = self._missed_bytes(placed.outputs, index, written=True)
        if net.outputs_cold_ns is None:
            nearer_ns = second_level_ns(placed.inputs, placed.outputs, self._caches)
            return nearer_ns + missed * self._caches.memory_byte_ns
        return (net.outputs_cold_ns - net.llc_warm_ns) * missed / max(1, _bytes(placed.outputs))

    def _fresh_bytes(self, inputs: Reuses, index: int) -> float:
        # Return the bytes of inputs that left the caches since the step before that wrote them to memory. The writer is
        # recognised by an output of the same size; what another step has read since stays longer.
        missed = 0.0
        for nbytes, distance, age in inputs if self._caches.fresh else ():
            writer = index - age
            outputs = self._steps[writer].outputs if 0 <= writer < index else ()
            for written in [output for output in outputs if output[0] == nbytes][:1]:
                to_memory = self._missed_bytes([written], writer, written=True)
                missed += to_memory * self._miss_share(self._caches.fresh, distance, age, index)
        return missed

    def _missed_bytes(self, reuses: Iterable[tuple[int, int, int]], index: int, *, written: bool = False) -> float:
        # ``index`` is that of the step that reads the tensors, or writes them.
        curve = self._caches.written if written else self._caches.curve
        return sum(nbytes * self._miss_share(curve, distance, age, index) for nbytes, distance, age in reuses)

    def _miss_share(self, curve: Sequence[tuple[int, float]], distance_bytes: int, age: int, index: int) -> float:
        # Others evict by chance what the network itself keeps: both shares that are left multiply.
        left = 1 - lost_share(self.elapsed_ns(index, age), self._lost)
        return 1 - left * (1 - miss_share(curve, distance_bytes / self._reach))


def _bytes(tensors: Iterable[tuple[int, int, int]]) -> int:
    return sum(nbytes for nbytes, _, _ in tensors)
