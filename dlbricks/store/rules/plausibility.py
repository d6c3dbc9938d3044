"""Rules on plausibility (DB8xx): rates that processors reach, and samples that scatter as measured ones do."""

import math
import statistics
from collections.abc import Iterator

from dlbricks.harness.cache_state import CONSTANTS, NEAR, REPEATED
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.stats import counted
from dlbricks.store.replays import is_continued, is_copy, stored_times
from dlbricks.store.rules.rule import Measured, Occurrence, SubmissionView, error, look
from dlbricks.units import format_bytes, format_ns

_OVERHEAD_SHARE = 0.5
"""A call that does something cannot take less than this share of the fastest call that does nothing."""

_STATE_SHARE = 0.2
"""The same share within one state of the caches, whose calls differ more; honest ones have 0.3 or more."""

_CLOCK_GHZ = 6.5
"""Above the clock of any processor."""

_CPU_BYTES_PER_NS = 128 * _CLOCK_GHZ
"""832 GB/s for a thread: two vectors of 64 bytes a cycle."""

_ANY_BYTES_PER_NS = 100_000
"""100 TB/s: the same for accelerators."""

_READS_WEIGHTS = frozenset(
    {"Conv", "ConvTranspose", "FusedConv", "Gemm", "FusedGemm", "MatMul", "FusedMatMul", "MatMulNBits"}
    | {"QLinearConv", "ConvInteger", "QLinearMatMul", "MatMulInteger", "DynamicQuantizeMatMul"}
)
"""Operators that cannot answer without reading all their weights (a Gather can)."""

_COPIED = 6
"""So many samples in a row are never the same in two benchmarks by chance."""


@error(
    "DB801: not below the call overhead",
    why="Every call costs what a call of an empty graph costs; noise only adds to that, so half of the "
    "fastest is beyond it.",
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
                empty_ns = _settled(empty, state, empty.states[state].low_ns) if state in empty.states else 0
                if summary.latency_ns < _STATE_SHARE * empty_ns:
                    said = f"{entry.name} takes {format_ns(summary.latency_ns)} in state {state}"
                    yield entry.where, f"{said}, a call of an empty graph {format_ns(empty_ns)} or more"


_SETTLED_VISITS = 3
"""So many undisturbed visits of the empty graph in a state tell what a call takes; fewer may all be slow by chance."""


def _settled(empty: Measured, state: str, summary_ns: int) -> int:
    """Give what calls of the empty graph take by their summary; of few visits their fastest call, disturbed or not."""
    visits = [visit for visit in empty.row["visits"] if visit["state"] == state]
    if sum(not visit.get("disturbed") for visit in visits) >= _SETTLED_VISITS:
        return summary_ns
    return min([summary_ns, *(int(sample) for visit in visits for sample in visit["samples_ns"])])


@error(
    "DB802: bandwidth possible",
    why="Outputs have to be written and the weights of a product have to be read; 832 GB/s for a thread on a CPU "
    "and 100 TB/s elsewhere are above what any memory or cache gives.",
    fix="Look whether the runtime really ran the network, and send the result as the harness wrote it.",
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
    """Count the bytes that no implementation can leave untouched: outputs, and weights where all must be read."""
    if entry.listed is None:
        return 0
    written = sum(byte_size(output["dtype"], math.prod(output["shape"])) for output in entry.listed["outputs"])
    reads = _READS_WEIGHTS.issuperset(entry.listed["operators"])
    return written + (int(entry.listed["weight_bytes"]) if reads else 0)


def _least_ns(entry: Measured) -> int:
    """Give the shortest latency of an entry in any state, 1 or more."""
    return max(1, min(summary.latency_ns for summary in entry.states.values()))


_LANES = (("amx", 64, 2048), ("avx512", 64, 512), ("sve", 64, 512), ("avx", 32, 256), ("asimd", 32, 512))
"""Beginning of an instruction set's name, and arithmetic in a cycle of a core: of float32, and of narrower types.

Two fused products and sums of a vector each; for narrower types what their own instructions do. Any other processor is
taken for the best."""

_ANY_OPERATIONS_PER_NS = 20_000_000
"""20 PFLOP/s: above what a device does in any type."""

_WIDE = {"float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64", "bool"}
"""Element types for which a processor has no faster instructions than for float32."""


@error(
    "DB804: arithmetic possible",
    why="A core does a known number of operations in a cycle, and no clock is above 6.5 GHz; whoever is faster did not "
    "compute the answer in that time.",
    fix="Look whether the runtime really ran the network, and send the result as the harness wrote it.",
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
            said = f"{entry.name} makes {work:.3g} operations in {format_ns(latency_ns)}"
            yield entry.where, f"{said}, more than {limit / 1000:g} TFLOP/s"


def _is_narrow(operator: str) -> bool:
    """Whether an operator computes in a narrower type than its inputs show."""
    return any(sign in operator for sign in ("Quant", "QLinear", "Integer", "QGemm", "QAttention", "NBits"))


def _peaks(context: SubmissionView) -> tuple[float, float]:
    """Give the most operations per ns of a core: of float32, and of narrower types."""
    names = look(context.document["system"]["facts_before"], "cpu.instruction_set")
    known = [str(name) for name in names] if isinstance(names, list) else []
    rows = [(wide, narrow) for sign, wide, narrow in _LANES if any(name.startswith(sign) for name in known)]
    wide, narrow = rows[0] if rows else (64, 2048)
    return wide * _CLOCK_GHZ, narrow * _CLOCK_GHZ


_LEAST_VISITS = 5
"""Visits of a benchmark in a state by which its scatter is judged."""

_LEAST_GROUPS = 20
"""Benchmarks in a state by which a run is judged."""

_FAR = 4
"""Median absolute deviations: farther than this lie 3 to 17 % of honest visits above their median, 4 % at most below,
and in made-up times as many below as above."""

_SKEW = 0.22
"""Least mean deviation, in the same unit and bounded by 10, that a run may have two standard errors above its own.
Honest runs have 0.16 to 1.4, least where sequences are long; symmetric scatter 0.0 to 0.1. Of 500 visits the standard
error is 0.1, so a bound for the mean alone would refuse by chance."""


@error(
    "DB805: times scatter upwards",
    why="Whatever disturbs a call makes it longer, never shorter: measured times have a tail above and none below. "
    "Times that scatter to both sides alike were made up. Judged on processors, where runs are known to do so.",
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
        yield "benchmarks", f"of {len(scores)} visits {tail:.1%} are much longer than usual, and as many are shorter"


def _undisturbed_times(entry: Measured) -> Iterator[list[float]]:
    """Give the median call of each undisturbed visit, ns, by state; nothing of the benchmark of role curve."""
    for state in entry.states if entry.row["role"] != "curve" else ():
        visits = (one for one in entry.row["visits"] if one["state"] == state and not one.get("disturbed"))
        yield [statistics.median(counted(one["samples_ns"])) for one in visits]


_LEAST_MARKED = 12
"""Benchmarks in a state with disturbed and undisturbed visits; of honest ones a half to two thirds overlap."""


@error(
    "DB806: disturbed visits overlap with others",
    why="A calibration loop before and after a visit tells whether it was disturbed, its time does not: some of "
    "those marked are as quick as others. Marks that separate slow from quick perfectly were made from the times.",
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
        yield "benchmarks", f"in all {len(apart)} cases every disturbed visit took longer than every other"


@error("DB803: no copied samples", why="Two benchmarks never give the same row of times to the nanosecond.")
def _copies(context: SubmissionView) -> Iterator[Occurrence]:
    first: dict[tuple[int, ...], Measured] = {}
    for entry in context.measured:
        if len(entry.samples) >= _COPIED and first.setdefault(entry.samples, entry) is not entry:
            yield entry.where, f"{entry.name} has sample for sample what {first[entry.samples].name} has"


@error(
    "DB807: not made from a stored result",
    why="No two runs are disturbed alike: where the scatter of times correlates with that of a stored result by more "
    "than 0.8 (honest runs: 0.41 at most), the times were taken from there, whatever factor they were given.",
    fix="Send the result as the harness wrote it, and once; withdraw the other one if it is yours under another name.",
)
def _replayed(context: SubmissionView) -> Iterator[Occurrence]:
    own = stored_times(context.document, "")
    for one in context.stored:
        if not is_continued(own, one) and is_copy(own.times, one.times):
            yield "benchmarks", f"the times scatter as those of {one.digest[:12]} of {one.system} do"


_COLD_EMPTY, _NEAR_EMPTY = 20, 12
"""Times as long as a repeated call of the empty graph one takes with cold constants, and one with warm ones, at most:
honest runs have 3.2 to 6.4 and 1.04 to 3.8."""

_EMPTY_NS = 300_000
"""Longer than a call of an empty graph takes on any processor that runs suites; known ones take 2 to 3 us."""


@error(
    "DB808: call overhead possible",
    why="What a call of an empty graph takes is taken off every other call; one that was made longer makes all "
    "networks quicker. It does nothing that could take so long.",
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
            found_ns = 0 if found is None else _settled(entry, state, found.latency_ns)
            if found_ns > most * usual_ns:
                said = f"a call of an empty graph takes {format_ns(found_ns)} in state {state}"
                yield entry.where, f"{said}, {found_ns / usual_ns:.0f} times as long as a repeated one"
