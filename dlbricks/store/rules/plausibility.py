"""Rules on plausibility (DB8xx: possible rates, scatter of measured times) and on cache states (DB901 to DB905)."""

import math
import statistics
from collections.abc import Iterator
from typing import Any

from dlbricks.harness.cache_state import (
    CONSTANTS,
    EMPTY_ROLES,
    NEAR,
    REPEATED,
    CacheDistances,
    is_cold,
)
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.stats import counted
from dlbricks.store.rules.rule import (
    Measured,
    Occurrence,
    SubmissionView,
    cache_distances_of,
    error,
    get_path,
    info,
    warning,
)
from dlbricks.units import format_bytes, format_ns

# the empty graph has a node, too, so another call may be somewhat shorter
_OVERHEAD_SHARE = 0.5
"""Minimum ratio of a latency to the fastest call of an empty graph."""

_STATE_SHARE = 0.2
"""The same within one cache state, where calls vary more; honest results have 0.3 or more."""

# the highest boost clock of a processor on sale in 2024 was 6.2 GHz
_CLOCK_GHZ = 6.5
"""Upper bound of the clock of processors."""

_CPU_BYTES_PER_NS = 128 * _CLOCK_GHZ
"""832 GB/s per thread: two vectors of 64 bytes per cycle."""

_ANY_BYTES_PER_NS = 100_000
"""100 TB/s: upper bound for accelerators."""

_READS_WEIGHTS = frozenset(
    {"Conv", "ConvTranspose", "FusedConv", "Gemm", "FusedGemm", "MatMul", "FusedMatMul", "MatMulNBits"}
    | {"QLinearConv", "ConvInteger", "QLinearMatMul", "MatMulInteger", "DynamicQuantizeMatMul"}
)
"""Operators that have to read all their weights (a Gather does not)."""

_COPIED = 6
"""Number of samples that are never equal in two benchmarks by chance."""


@error(
    "DB801: not below the call overhead",
    why="A call cannot be faster than a call of an empty graph. Noise only adds time, so a latency below half of the "
    "fastest one is impossible.",
    fix="Run again on a quiet machine, and send the result as the harness wrote it.",
)
def _below_overhead(context: SubmissionView) -> Iterator[Occurrence]:
    for empty in context.of_role("overhead"):
        call_ns = min(empty.samples)
        for entry in context.of_role("sequence", "whole", "anchor"):
            latency_ns = min(summary.latency_ns for summary in entry.states.values())
            if latency_ns < _OVERHEAD_SHARE * call_ns:
                said = f"{entry.name} takes {format_ns(latency_ns)}"
                yield entry.where, f"{said}, the fastest call of an empty graph {format_ns(call_ns)}"
            for state, summary in entry.states.items():
                empty_ns = _settled(context, empty, state, empty.states[state].low_ns) if state in empty.states else 0
                if summary.latency_ns < _STATE_SHARE * empty_ns:
                    said = f"{entry.name} takes {format_ns(summary.latency_ns)} in state {state}"
                    yield entry.where, f"{said}, a call of an empty graph {format_ns(empty_ns)} or more"


_SETTLED_VISITS, _SETTLED_VISITS_OF_SMOKE = 3, 12
"""Minimum number of undisturbed visits of the empty graph for using its summary; fewer may all be slow by chance.
A smoke test has about 5, all within 0.1 s."""
_LEAST_CALLS_OF_SMOKE = 3
"""Minimum number of calls in a smoke test for the fastest to be used; one or two may be slow on a busy machine."""


def _settled(context: SubmissionView, empty: Measured, state: str, summary_ns: int) -> int:
    """Return the latency of a benchmark in a state; with few visits, the time of the fastest call of all visits.

    A smoke test with fewer than ``_LEAST_CALLS_OF_SMOKE`` calls says nothing: 0.
    """
    visits = [visit for visit in empty.row["visits"] if visit["state"] == state]
    least = _SETTLED_VISITS_OF_SMOKE if context.is_smoke else _SETTLED_VISITS
    if sum(not visit.get("disturbed") for visit in visits) >= least:
        return summary_ns
    samples = [int(sample) for visit in visits for sample in visit["samples_ns"]]
    if context.is_smoke and len(samples) < _LEAST_CALLS_OF_SMOKE:
        return 0
    return min([summary_ns, *samples])


@error(
    "DB802: bandwidth possible",
    why="Outputs have to be written and the weights of products read; no memory or cache has more than 832 GB/s per "
    "thread on a CPU, or 100 TB/s on other devices.",
    fix="Check whether the runtime ran the network, and send the result as the harness wrote it.",
)
def _too_fast(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    limit = _CPU_BYTES_PER_NS * runtime["threads"] if runtime["provider"] == "cpu" else _ANY_BYTES_PER_NS
    for entry in context.measured:
        moved, latency_ns = _bytes_moved(entry), _least_ns(entry)
        if moved > limit * latency_ns:
            said = f"{entry.name} moves {format_bytes(moved)} in {format_ns(latency_ns)}"
            yield entry.where, f"{said}, more than {limit / 1000:g} TB/s"


def _bytes_moved(entry: Measured) -> int:
    """Return the number of bytes that have to be moved: outputs, and weights if all have to be read."""
    if entry.listed is None:
        return 0
    written = sum(byte_size(output["dtype"], math.prod(output["shape"])) for output in entry.listed["outputs"])
    reads = _READS_WEIGHTS.issuperset(entry.listed["operators"])
    return written + (int(entry.listed["weight_bytes"]) if reads else 0)


def _least_ns(entry: Measured) -> int:
    """Return the shortest latency of an entry in any state, at least 1."""
    return max(1, min(summary.latency_ns for summary in entry.states.values()))


_LANES = (("amx", 64, 2048), ("avx512", 64, 512), ("sve", 64, 512), ("avx", 32, 256), ("asimd", 32, 512))
"""Prefix of an instruction set's name, and maximum operations per cycle and core: in float32, and in narrower types.

It is two fused multiply-add instructions on vectors; for narrower types the throughput of their instructions. Other
processors get the largest values."""

_ANY_OPERATIONS_PER_NS = 20_000_000
"""20 PFLOP/s: upper bound for accelerators in any type."""

_WIDE = {"float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64", "bool"}
"""Element types for which a processor has no faster instructions than for float32."""


@error(
    "DB804: arithmetic possible",
    why="The number of operations per cycle of a core is bounded, and no clock is above 6.5 GHz; a faster call did not "
    "compute its outputs.",
    fix="Check whether the runtime ran the network, and send the result as the harness wrote it.",
)
def _too_much(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    wide, narrow = _peaks(context)
    for entry in context.measured:
        listed = entry.listed or {}
        types = {one["dtype"] for one in (*listed.get("inputs", ()), *listed.get("outputs", ()))}
        is_wide = types <= _WIDE and not any(_is_narrow(operator) for operator in listed.get("operators", ()))
        limit = (wide if is_wide else narrow) * runtime["threads"]
        limit = limit if runtime["provider"] == "cpu" else _ANY_OPERATIONS_PER_NS
        work, latency_ns = listed.get("work", 0), _least_ns(entry)
        if work > limit * latency_ns:
            said = f"{entry.name} executes {work:.3g} operations in {format_ns(latency_ns)}"
            yield entry.where, f"{said}, more than {limit / 1000:g} TFLOP/s"


def _is_narrow(operator: str) -> bool:
    """Return whether an operator computes in a narrower type than that of its inputs."""
    return any(sign in operator for sign in ("Quant", "QLinear", "Integer", "QGemm", "QAttention", "NBits"))


def _peaks(context: SubmissionView) -> tuple[float, float]:
    """Return the maximum operations per ns and core: in float32, and in narrower types."""
    names = get_path(context.document["system"]["facts_before"], "cpu.instruction_set")
    known = [str(name) for name in names] if isinstance(names, list) else []
    rows = [(wide, narrow) for sign, wide, narrow in _LANES if any(name.startswith(sign) for name in known)]
    wide, narrow = rows[0] if rows else (64, 2048)
    return wide * _CLOCK_GHZ, narrow * _CLOCK_GHZ


_LEAST_VISITS = 5
"""Minimum number of visits of a benchmark in a state for its scatter to be used."""

_LEAST_GROUPS = 20
"""Minimum number of benchmarks in a state for the rule to apply."""

_FAR = 4
"""Distance from the median in median absolute deviations: 3 to 17 % of honest visits are farther above, and at most 4 %
farther below; with invented times both shares are equal."""

_SKEW = 0.22
"""Lower bound for the mean deviation plus two standard errors, in median absolute deviations bounded by 10. The mean is
0.16 to 1.4 in honest runs, least for long sequences, and 0.0 to 0.1 for symmetric scatter. The standard error of 500
visits is 0.1, so a bound for the mean alone would refuse honest runs by chance."""


@error(
    "DB805: times scatter upwards",
    why="Disturbances make calls longer, never shorter, so the distribution of measured times is skewed. Times with a "
    "symmetric distribution were invented. The rule applies to processors, for which this is established.",
)
def _symmetric(context: SubmissionView) -> Iterator[Occurrence]:
    scores, groups = [], 0
    for entry in context.measured if context.document["runtime"]["provider"] == "cpu" else ():
        for times in _undisturbed_times(entry):
            if len(times) < _LEAST_VISITS:
                continue
            logarithms = [math.log(max(time, 1)) for time in times]
            middle = statistics.median(logarithms)
            spread = statistics.median(abs(one - middle) for one in logarithms)
            if spread:
                scores += [(one - middle) / spread for one in logarithms]
                groups += 1
    if groups < _LEAST_GROUPS:
        return
    bounded = [max(-10.0, min(10.0, one)) for one in scores]
    error = statistics.stdev(bounded) / math.sqrt(len(bounded))
    tail = sum(one > _FAR for one in scores) / len(scores)
    if statistics.fmean(bounded) + 2 * error < _SKEW:
        yield "benchmarks", f"{tail:.1%} of {len(scores)} visits are much longer than the median, as many much shorter"


def _undisturbed_times(entry: Measured) -> Iterator[list[float]]:
    """Yield, for each state, the median calls of undisturbed visits in ns; nothing for the benchmark of role curve."""
    for state in entry.states if entry.row["role"] != "curve" else ():
        visits = (one for one in entry.row["visits"] if one["state"] == state and not one.get("disturbed"))
        yield [statistics.median(counted(one["samples_ns"])) for one in visits]


_LEAST_MARKED = 12
"""Minimum number of benchmarks in a state with disturbed and undisturbed visits; in honest results the times of a half
to two thirds of them overlap."""


@error(
    "DB806: disturbed visits overlap with others",
    why="Visits are marked as disturbed by a calibration loop before and after them, not by their times, so some of "
    "them are as fast as others. Marks that separate slow from fast visits perfectly were made from the times.",
)
def _separated(context: SubmissionView) -> Iterator[Occurrence]:
    apart = []
    for entry in context.measured if context.document["runtime"]["provider"] == "cpu" else ():
        for state, quiet in zip(entry.states, _undisturbed_times(entry), strict=False):
            marked = [
                statistics.median(counted(one["samples_ns"]))
                for one in entry.row["visits"]
                if one["state"] == state and one.get("disturbed")
            ]
            if len(quiet) > 1 and marked:
                apart.append(min(marked) > max(quiet))
    if len(apart) >= _LEAST_MARKED and all(apart):
        yield "benchmarks", f"in all {len(apart)} cases every disturbed visit took longer than all others"


@error("DB803: no copied samples", why="Two benchmarks never have equal sequences of samples.")
def _copies(context: SubmissionView) -> Iterator[Occurrence]:
    first: dict[tuple[int, ...], Measured] = {}
    for entry in context.measured:
        if len(entry.samples) >= _COPIED and first.setdefault(entry.samples, entry) is not entry:
            yield entry.where, f"{entry.name} has the same samples as {first[entry.samples].name}"


@error(
    "DB807: not made from a stored result",
    why="The disturbances of two runs are independent: if the scatter of times correlates with that of a stored result "
    "by more than 0.8 (honest runs: at most 0.41), the times were copied, possibly scaled.",
    fix="Send the result as the harness wrote it, and once; withdraw the other one if it is yours under another name.",
)
def _replayed(context: SubmissionView) -> Iterator[Occurrence]:
    for former in context.copied_from:
        yield "benchmarks", f"the scatter of the times correlates with that of {former.digest[:12]} of {former.system}"


_COLD_EMPTY, _NEAR_EMPTY = 20, 12
"""Maximum ratio of a call of the empty graph with cold constants, and with warm ones, to a repeated call: honest runs
have 3.2 to 6.4, and 1.04 to 3.8."""

_EMPTY_NS = 300_000
"""Upper bound of a call of an empty graph; known processors take 2 to 3 us."""


@error(
    "DB808: call overhead possible",
    why="The latency of an empty graph is subtracted from every other latency, so increasing it would make all "
    "networks faster. An empty graph cannot take so long.",
    fix="Run again on a quiet machine, and send the result as the harness wrote it.",
)
def _heavy_empty(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.of_role("overhead") if context.document["runtime"]["provider"] == "cpu" else ():
        repeated = entry.states.get(REPEATED)
        if repeated is None:
            continue
        usual_ns = max(1, repeated.latency_ns)
        if usual_ns > _EMPTY_NS:
            yield entry.where, f"repeated calls of an empty graph take {format_ns(usual_ns)}"
        for state, most in ((CONSTANTS, _COLD_EMPTY), (NEAR, _NEAR_EMPTY)):
            found = entry.states.get(state)
            found_ns = 0 if found is None else _settled(context, entry, state, found.latency_ns)
            if found_ns > most * usual_ns:
                said = f"a call of an empty graph takes {format_ns(found_ns)} in state {state}"
                yield entry.where, f"{said}, {found_ns / usual_ns:.0f} times as long as a repeated call"


_HEAVY_BYTES = 1 << 20
"""Size of constants from which on reading them from memory dominates."""

_SLOWER = 1.25
"""Tolerated ratio of a call with all data in the caches to a call with constants in memory."""


def _places(context: SubmissionView) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield path, role and content of every visit."""
    for entry in context.entries:
        for index, visit in enumerate(entry.row["visits"]):
            yield f"{entry.where}.visits[{index}]", entry.row["role"], visit


_FEWEST_REPEATED = 2
"""Calls of a visit in state ``repeated`` to a sequence; the first does not count."""


@error(
    "DB901: states fit the benchmarks",
    why="On a processor sequences are timed by single calls, as inside a network: repeated calls find their constants "
    "in the caches, and only add to the others. All other benchmarks are timed by repeated calls.",
    fix="Run the suite with the harness that came with it, and send the result as it wrote it.",
)
def _belong(context: SubmissionView) -> Iterator[Occurrence]:
    around = cache_distances_of(context)
    single = {NEAR, CONSTANTS}
    for entry in context.entries:
        states = {visit["state"] for visit in entry.row["visits"]}
        if (
            states
            and is_cold(entry.row["role"], around)
            and entry.row["role"] not in EMPTY_ROLES
            and not states & single
        ):
            yield entry.where, f"a benchmark of role {entry.row['role']} was timed by repeated calls alone"
    for where, role, visit in _places(context):
        state, cold = visit["state"], is_cold(role, around)
        if state == REPEATED and role == "sequence" and cold and len(visit["samples_ns"]) < _FEWEST_REPEATED:
            yield f"{where}.samples_ns", f"{len(visit['samples_ns'])} call is of state {state}, which has several"
        if state != REPEATED and not cold:
            provider = context.document["runtime"]["provider"]
            yield f"{where}.state", f"state {state} does not apply to a benchmark of role {role} on {provider}"


@error(
    "DB902: one call at a time",
    why="The first call fills the caches, so the next one is in another state.",
)
def _single(context: SubmissionView) -> Iterator[Occurrence]:
    for where, _, visit in _places(context):
        if visit["state"] != REPEATED and len(visit["samples_ns"]) > 1:
            yield f"{where}.samples_ns", f"{len(visit['samples_ns'])} consecutive calls are of state {visit['state']}"


@error(
    "DB903: reuse distances fit the states",
    why="Data are evicted from the caches only after touching more memory than these hold; at a smaller reuse "
    "distance a call finds data in the caches that should be in memory.",
)
def _reach(context: SubmissionView) -> Iterator[Occurrence]:
    around = cache_distances_of(context)
    for where, role, visit in _places(context):
        state, distance = visit["state"], visit["distance_bytes"]
        least, most = (0, None) if visit.get("wait_ns") else _range(role, state, around)
        if not least <= distance <= (distance if most is None else most):
            wanted = f"at least {format_bytes(least)}" if distance < least else f"at most {format_bytes(most or 0)}"
            yield f"{where}.distance_bytes", f"{format_bytes(distance)} before a call in state {state}: {wanted}"


def _range(role: str, state: str, around: CacheDistances) -> tuple[int, int | None]:
    """Return the minimum and maximum reuse distance of a state in bytes; None for no limit."""
    if state == REPEATED:
        return 0, 0
    if role == "curve":
        return 1, None
    near, far = around.near_bytes, around.far_bytes
    return (near, max(near, far)) if state == NEAR else (far, None)


@warning(
    "DB904: measured in every state",
    why="The time of a call inside a network lies between those of the states; estimates replace a missing state by "
    "the nearest one.",
    fix="Give the run a larger budget.",
)
def _all(context: SubmissionView) -> Iterator[Occurrence]:
    around = cache_distances_of(context)
    for entry in () if context.is_smoke else context.of_role("sequence", *EMPTY_ROLES):
        if entry.listed is None or not is_cold(entry.row["role"], around):
            continue
        missing = [state for state in (NEAR, CONSTANTS) if state not in entry.states]
        if missing:
            yield entry.where, f"{entry.name} was not measured in state {', '.join(missing)}"


_NEAR_REPEATED, _NEAR_REPEATED_IN_ALL = 5.0, 2.5
"""Maximum ratio of the latency of single calls with all data in the caches to that of repeated calls, of one sequence
and of the sum of all: honest runs have up to 2.8 and 1.34."""


@error(
    "DB908: repeated calls near single ones",
    why="Repeated calls of a sequence are quicker than single ones by what the processor and its nearest caches still "
    "know of the last call, which is little. Estimates of short sequences rest on them.",
    fix="Run again on a quiet machine, and send the result as the harness wrote it.",
)
def _quicker(context: SubmissionView) -> Iterator[Occurrence]:
    near_ns = repeated_ns = 0
    for entry in context.of_role("sequence"):
        if NEAR not in entry.states or REPEATED not in entry.states:
            continue
        single, often = _settled(context, entry, NEAR, entry.states[NEAR].latency_ns), entry.states[REPEATED].latency_ns
        near_ns, repeated_ns = near_ns + single, repeated_ns + often
        if single > _NEAR_REPEATED * often:
            said = f"repeated calls of {entry.name} take {format_ns(often)}"
            yield entry.where, f"{said}, single ones with all data in the caches {format_ns(single)}"
    if near_ns > _NEAR_REPEATED_IN_ALL * repeated_ns > 0:
        said = f"repeated calls of all sequences take {format_ns(repeated_ns)}"
        yield "benchmarks", f"{said}, single ones with all data in the caches {format_ns(near_ns)}"


@info(
    "DB905: memory slower than caches",
    why="Reading large constants from memory takes longer than from a cache; otherwise the two states were measured "
    "under different conditions.",
    fix="Run again on a quiet machine.",
)
def _upside_down(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.of_role("sequence"):
        near, constants = entry.states.get(NEAR), entry.states.get(CONSTANTS)
        heavy = entry.listed is not None and entry.listed["weight_bytes"] >= _HEAVY_BYTES
        if near and constants and heavy and near.low_ns > _SLOWER * constants.high_ns:
            said = f"{entry.name} takes {format_ns(near.latency_ns)} with its constants in the caches"
            yield entry.where, f"{said}, {format_ns(constants.latency_ns)} with constants in memory"
