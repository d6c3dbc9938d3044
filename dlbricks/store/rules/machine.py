"""Rules on the machine (DB5xx), the runtime (DB6xx), and on what machines can do (DB8xx, DB908)."""

import math
import re
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import HOT_LOOP, LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.machine import device_words
from dlbricks.harness.stats import counted
from dlbricks.operators.table import reads_all_weights
from dlbricks.store.rules import (
    Measured,
    Occurrence,
    SubmissionView,
    change,
    error,
    format_fact,
    get_path,
    number,
    warning,
)
from dlbricks.store.summary import backends
from dlbricks.units import format_bytes, format_ns

# facts that identify the machine
_MACHINE = ("cpu.model", "cpu.threads", "cpu.instruction_set", "memory.total_bytes", "os.system")
# facts that are constant on one machine
_SAME = ("cpu.model", "cpu.sockets", "cpu.cores", "cpu.threads", "cpu.instruction_set", "os.system", "numa_nodes")
# processors used by others: another computation takes a whole one; below half of one it is the system itself
_OTHERS = 0.5
# a share of stolen time makes calls longer by about that share
_STEAL = 0.01
# clock event reasons of NVIDIA GPUs that mean heat or power: HW slowdown, SW thermal, HW thermal, power brake
_THROTTLED = 0x08 | 0x20 | 0x40 | 0x80


@error("DB501: the machine is unknown", "Report systems on which the harness does not find these facts.")
def _unknown_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """A latency is useless without the machine that it was measured on."""
    for name, facts in view.facts.items():
        missing = [path for path in _MACHINE if get_path(facts, path) in (None, [], "", 0)]
        if missing:
            yield f"system.{name}", f"unknown: {', '.join(missing)}"


@error("DB503: the machine changed during the run", "Run the whole suite on one machine.")
def _another_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """A run that was resumed on another machine combines two machines in one result."""
    before, after = view.facts.values()
    pairs = [(path, get_path(before, path), get_path(after, path)) for path in _SAME]
    for path, first, last in (*pairs, ("gpus", _gpu_names(before), _gpu_names(after))):
        if first != last:
            yield f"system.facts_after.{path}", f"{format_fact(first)} before the run, {format_fact(last)} after it"


@warning("DB505: other processes ran during the run", "Stop other processes, and run again.")
def _others(view: SubmissionView) -> Iterator[Occurrence]:
    """Other processes compete for caches, memory bandwidth and clock."""
    before, after = view.facts.values()
    busy, elapsed = change(before, after, "load.busy_s"), _elapsed_s(before, after)
    if busy is None or elapsed is None:
        return
    measured = view.runtime["threads"] * sum(entry.row["wall_ns"] for entry in view.entries) / 1e9
    own = max(measured, change(before, after, "load.own_s") or 0.0)  # a resumed run is another process
    if (busy - own) / elapsed > _OTHERS:
        text = f"{(busy - own) / elapsed:.1f} processors were busy with something else on average"
        yield "system.facts_after.load.busy_s", text


@warning("DB506: the host took processor time", "Run on dedicated processors, or state that the machine is shared.")
def _stolen(view: SubmissionView) -> Iterator[Occurrence]:
    """On a virtual machine the host may give the processor to others during a call."""
    before, after = view.facts.values()
    steal, elapsed = change(before, after, "load.steal_s"), _elapsed_s(before, after)
    processors = number(before, "cpu.threads")
    if steal is None or elapsed is None or not processors:
        return
    share = steal / (elapsed * processors)
    if share > _STEAL:
        yield "system.facts_after.load.steal_s", f"the host gave {share:.1%} of the processors' time to others"


@warning("DB509: the GPU was throttled", "Improve the cooling, or lock the clock at a sustainable value.")
def _throttled(view: SubmissionView) -> Iterator[Occurrence]:
    """Heat and power limits lower the clock of a GPU."""
    for name, facts in view.facts.items():
        for index, gpu in enumerate(_gpus(facts)):
            reasons = str(gpu.get("throttle_reasons"))
            if re.fullmatch("0x[0-9a-fA-F]{1,16}", reasons) and int(reasons, 16) & _THROTTLED:
                yield f"system.{name}.gpus[{index}].throttle_reasons", f"reasons {format_fact(reasons)}"


def _elapsed_s(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    elapsed_ns = change(before, after, "unix_ns")
    return elapsed_ns / 1e9 if elapsed_ns is not None and elapsed_ns > 0 else None


def _gpus(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    gpus = get_path(facts, "gpus")
    return [gpu for gpu in gpus if isinstance(gpu, dict)] if isinstance(gpus, list) else []


def _gpu_names(facts: Mapping[str, Any]) -> list[str]:
    return [f"{gpu.get('name')} (driver {gpu.get('driver')})" for gpu in _gpus(facts)]


def _short_provider(name: str) -> str:
    return name.lower().removesuffix("executionprovider")


@error("DB601: another execution provider was used", "Install what the provider needs; see dlbricks doctor.")
def _provider(view: SubmissionView) -> Iterator[Occurrence]:
    """A runtime that falls back to another execution provider measures another device."""
    provider, used = view.runtime["provider"], view.runtime["providers"]
    if not used or _short_provider(used[0]) != provider.lower():
        yield "runtime.providers", f"{', '.join(used) or 'none'} instead of {provider}"


@error("DB602: session options are not recorded")
def _options(view: SubmissionView) -> Iterator[Occurrence]:
    """Threads, spinning, arenas and prepacking can change latencies by more than machines differ."""
    backend = backends().get(view.runtime["name"])
    if missing := sorted((backend.RECORDED_OPTIONS if backend else set()) - view.runtime["session_options"].keys()):
        yield "runtime.session_options", f"not recorded: {', '.join(missing)}"


@error("DB603: the numbers of threads disagree")
def _threads(view: SubmissionView) -> Iterator[Occurrence]:
    """A store separates results of different thread counts, so the count has to be right."""
    threads = view.runtime["threads"]
    for name in (backend.OPTIONS_OF_THREADS[0] for backend in backends().values()):
        option = view.runtime["session_options"].get(name, threads)
        if option != threads:
            yield "runtime.threads", f"{threads} threads, the option {name} is {option}"


@error("DB604: the version of the runtime is unknown", "Run with a released build of the runtime.")
def _version(view: SubmissionView) -> Iterator[Occurrence]:
    """Kernels and fusions change between versions of the runtime."""
    if not view.runtime["version"][0].isdigit():
        yield "runtime.version", f"'{view.runtime['version']}' is not a version"


@error("DB606: another version of the runtime lowered the suite", "Install that version, or generate the suite again.")
def _lowered_runtime(view: SubmissionView) -> Iterator[Occurrence]:
    """A lowered suite has graphs that were optimised by one version of the runtime."""
    lowered_by, version = view.document["suite"]["manifest"]["target"]["runtime"], view.runtime["version"]
    if lowered_by not in ("", version):
        yield "runtime.version", f"lowered by {lowered_by}, run with {version}"


@error("DB607: the suite was lowered for other machines", "Generate it on such a machine, or use target portable.")
def _lowered_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """Fusions and layouts of the runtime depend on the processor's vector extensions."""
    target, facts = view.document["suite"]["manifest"]["target"], view.facts["facts_before"]
    on_gpu = target["name"] == "onnxruntime-cuda"
    place = "gpus" if on_gpu else "cpu.instruction_set"
    actual = list(device_words(facts.get("gpus"))) if on_gpu else get_path(facts, place)
    if target["instruction_set"] and actual != target["instruction_set"]:
        text = f"lowered for {format_fact(target['instruction_set'])}, the machine has {format_fact(actual)}"
        yield f"system.facts_before.{place}", text


@warning("DB608: nodes ran on another provider", "Leave these benchmarks out, unless the network is used like this.")
def _placement(view: SubmissionView) -> Iterator[Occurrence]:
    """Nodes without a kernel in the provider run on another one, which needs copies."""
    wanted = view.runtime["provider"].lower()
    for entry in view.measured:
        placed = sorted(entry.row.get("placement", {}).items())
        others = [f"{count} nodes on {name}" for name, count in placed if _short_provider(name) != wanted]
        if others:
            yield f"{entry.where}.placement", f"{entry.name}: {', '.join(others)}"


# the empty graph has a node, too, so another call may be somewhat shorter
_LEAST_OF_OVERHEAD = 0.5
# the same within one cache state, where calls vary more; honest results have 0.3 or more
_LEAST_OF_OVERHEAD_IN_STATE = 0.2
# fewer undisturbed visits of the empty graph may all be slow by chance; a smoke test has about 5, all within 0.1 s
_SETTLED_VISITS, _SETTLED_VISITS_OF_SMOKE = 3, 12
# one or two calls of a smoke test may be slow on a busy machine
_LEAST_CALLS_OF_SMOKE = 3
_RUN_AGAIN = "Run again on a quiet machine, and send the result as the harness wrote it."
_CHECK_RUNTIME = "Check whether the runtime ran the network, and send the result as the harness wrote it."


@error("DB801: a latency is below the call overhead", _RUN_AGAIN)
def _below_overhead(view: SubmissionView) -> Iterator[Occurrence]:
    """A call cannot be faster than a call of an empty graph, and noise only adds time."""
    for empty in view.of_role("overhead"):
        call_ns = min(empty.samples)
        for entry in view.of_role("sequence", "whole", "anchor"):
            if entry.least_ns < _LEAST_OF_OVERHEAD * call_ns:
                yield entry.where, f"{entry.name}: {format_ns(entry.least_ns)}, an empty graph {format_ns(call_ns)}"
            for state, summary in entry.states.items():
                empty_ns = _settled(view, empty, state, empty.states[state].low_ns) if state in empty.states else 0
                if summary.latency_ns < _LEAST_OF_OVERHEAD_IN_STATE * empty_ns:
                    text = f"{format_ns(summary.latency_ns)}, an empty graph {format_ns(empty_ns)} or more"
                    yield entry.where, f"{entry.name} in state {state}: {text}"


# Return the latency of a benchmark in a state; with few visits, the time of the fastest call of all visits.
# It is 0 for a smoke test with fewer than ``_LEAST_CALLS_OF_SMOKE`` calls, which show nothing.
def _settled(view: SubmissionView, empty: Measured, state: str, summary_ns: int) -> int:
    visits = [visit for visit in empty.row["visits"] if visit["state"] == state]
    least = _SETTLED_VISITS_OF_SMOKE if view.is_smoke else _SETTLED_VISITS
    if sum(not visit.get("disturbed") for visit in visits) >= least:
        return summary_ns
    samples = [int(sample) for visit in visits for sample in visit["samples_ns"]]
    return 0 if view.is_smoke and len(samples) < _LEAST_CALLS_OF_SMOKE else min([summary_ns, *samples])


# the highest boost clock of a processor on sale in 2024 was 6.2 GHz
_CLOCK_GHZ = 6.5
# 832 GB/s per thread: two vectors of 64 bytes per cycle
_CPU_BYTES_PER_NS = 128 * _CLOCK_GHZ
# 100 TB/s and 20 PFLOP/s: upper bounds for accelerators
_ANY_BYTES_PER_NS = 100_000
_ANY_OPERATIONS_PER_NS = 20_000_000
# Prefix of an instruction set's name, and maximum operations per cycle and core, in float32 and in narrower types: two
# fused multiply-add instructions on vectors; for narrower types the throughput of their instructions. Other processors
# get the largest values.
_LANES = (("amx", 64, 2048), ("avx512", 64, 512), ("sve", 64, 512), ("avx", 32, 256), ("asimd", 32, 512))
# element types for which a processor has no faster instructions than for float32
_WIDE = {"float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64", "bool"}
# operators with these words compute in a narrower type than that of their inputs
_NARROW = ("Quant", "QLinear", "Integer", "QGemm", "QAttention", "NBits")


@error("DB802: the bandwidth is impossible", _CHECK_RUNTIME)
def _too_fast(view: SubmissionView) -> Iterator[Occurrence]:
    """Outputs are written and weights of products read, at up to 832 GB/s per thread of a CPU or 100 TB/s of others."""
    limit = _CPU_BYTES_PER_NS * view.runtime["threads"] if view.on_cpu else _ANY_BYTES_PER_NS
    for entry in view.measured:
        nbytes, latency_ns = _bytes_moved(entry), max(1, entry.least_ns)
        if nbytes > limit * latency_ns:
            text = f"{format_bytes(nbytes)} in {format_ns(latency_ns)}, more than {limit / 1000:g} TB/s"
            yield entry.where, f"{entry.name}: {text}"


# Return the number of bytes that have to be moved: outputs, and weights if all have to be read.
def _bytes_moved(entry: Measured) -> int:
    if entry.listed is None:
        return 0
    written = sum(byte_size(output["dtype"], math.prod(output["shape"])) for output in entry.listed["outputs"])
    reads = all(map(reads_all_weights, entry.listed["operators"]))
    return written + (int(entry.listed["weight_bytes"]) if reads else 0)


@error("DB803: samples were copied")
def _copies(view: SubmissionView) -> Iterator[Occurrence]:
    """Two benchmarks never have equal sequences of samples."""
    first: dict[tuple[int, ...], Measured] = {}
    for entry in view.measured:
        # fewer samples may be equal by chance
        if len(entry.samples) >= 6 and first.setdefault(entry.samples, entry) is not entry:
            yield entry.where, f"{entry.name} has the same samples as {first[entry.samples].name}"


@error("DB804: the arithmetic is impossible", _CHECK_RUNTIME)
def _too_much(view: SubmissionView) -> Iterator[Occurrence]:
    """Operations per cycle and clock of a core are bounded, so a faster call did not compute its outputs."""
    names = get_path(view.facts["facts_before"], "cpu.instruction_set")
    words = [str(name) for name in names] if isinstance(names, list) else []
    lanes = [peaks for sign, *peaks in _LANES if any(word.startswith(sign) for word in words)]
    wide, narrow = lanes[0] if lanes else (64, 2048)
    for entry in view.measured:
        listed = entry.listed or {}
        types = {tensor["dtype"] for tensor in (*listed.get("inputs", ()), *listed.get("outputs", ()))}
        operators = listed.get("operators", ())
        is_wide = types <= _WIDE and not any(word in operator for operator in operators for word in _NARROW)
        limit = (wide if is_wide else narrow) * _CLOCK_GHZ * view.runtime["threads"]
        limit = limit if view.on_cpu else _ANY_OPERATIONS_PER_NS
        work, latency_ns = listed.get("work", 0), max(1, entry.least_ns)
        if work > limit * latency_ns:
            text = f"{work:.3g} operations in {format_ns(latency_ns)}, more than {limit / 1000:g} TFLOP/s"
            yield entry.where, f"{entry.name}: {text}"


# minimum number of visits of a benchmark in a state for its scatter to be used, and of such groups for the rule
_LEAST_VISITS, _LEAST_GROUPS = 5, 20
# Distance from the median in median absolute deviations: 3 to 17 % of honest visits are farther above, and at most 4 %
# farther below; with invented times both shares are equal.
_FAR = 4
# Lower bound for the mean deviation plus two standard errors, in median absolute deviations bounded by 10. The mean is
# 0.16 to 1.4 in honest runs, least for long sequences, and 0.0 to 0.1 for symmetric scatter. The standard error of 500
# visits is 0.1, so a bound for the mean alone would refuse honest runs by chance.
_SKEW = 0.22


@error("DB805: the times scatter symmetrically")
def _symmetric(view: SubmissionView) -> Iterator[Occurrence]:
    """Disturbances make calls on a processor longer, never shorter: times that scatter symmetrically were invented."""
    scores, groups = [], 0
    for entry in view.measured if view.on_cpu else ():
        for state in entry.states:
            times = _visit_times(entry, state, disturbed=False)
            logarithms = [math.log(max(time, 1)) for time in times]
            center = statistics.median(logarithms) if logarithms else 0.0
            spread = statistics.median(abs(value - center) for value in logarithms) if logarithms else 0.0
            if len(times) >= _LEAST_VISITS and spread:
                scores += [(value - center) / spread for value in logarithms]
                groups += 1
    if groups < _LEAST_GROUPS:
        return
    bounded = [max(-10.0, min(10.0, score)) for score in scores]
    standard_error = statistics.stdev(bounded) / math.sqrt(len(bounded))
    tail = sum(score > _FAR for score in scores) / len(scores)
    if statistics.fmean(bounded) + 2 * standard_error < _SKEW:
        yield "benchmarks", f"{tail:.1%} of {len(scores)} visits are much longer than the median, as many much shorter"


# Return the median calls in ns of the visits in a state that were disturbed, or were not.
def _visit_times(entry: Measured, state: str, *, disturbed: bool) -> list[float]:
    visits = (visit for visit in entry.row["visits"] if visit["state"] == state and entry.row["role"] != "curve")
    own = (visit for visit in visits if bool(visit.get("disturbed")) == disturbed)
    return [statistics.median(counted(visit["samples_ns"])) for visit in own]


# minimum number of benchmarks in a state with disturbed and undisturbed visits; in honest results the times of a half
# to two thirds of them overlap
_LEAST_MARKED = 12


@error("DB806: disturbed visits are all the slow ones")
def _separated(view: SubmissionView) -> Iterator[Occurrence]:
    """Visits are marked as disturbed by a calibration loop, so some are as fast as others; not if marked by times."""
    apart = []
    for entry in view.measured if view.on_cpu else ():
        for state in entry.states:
            quiet, marked = (_visit_times(entry, state, disturbed=disturbed) for disturbed in (False, True))
            if len(quiet) > 1 and marked:
                apart.append(min(marked) > max(quiet))
    if len(apart) >= _LEAST_MARKED and all(apart):
        yield "benchmarks", f"in all {len(apart)} cases every disturbed visit took longer than all others"


@error("DB807: the times are those of a stored result", "Send a result once; withdraw the other one if it is yours.")
def _replayed(view: SubmissionView) -> Iterator[Occurrence]:
    """Quantiles of two runs' times differ by 0.27 of their spread or more, of a scaled or reordered copy by less."""
    for former in view.copied_from:
        yield "benchmarks", f"the times are distributed as those of {former.digest[:12]} of {former.system}"


# upper bound of a call of an empty graph; known processors take 2 to 3 us
_EMPTY_NS = 300_000
# maximum ratio of a single call of the empty graph to a repeated one: honest runs have 3.2 to 6.4, and 1.04 to 3.8
_EMPTY_RATIOS = ((WEIGHTS_COLD, 20), (LLC_WARM, 12))
# maximum ratio of the latency of single calls with all data in the caches to that of repeated calls, of one sequence
# and of the sum of all: honest runs have up to 2.8 and 1.34
_LLC_WARM_RATIO, _LLC_WARM_RATIO_IN_ALL = 5.0, 2.5


@error("DB808: the call overhead is impossible", _RUN_AGAIN)
def _heavy_empty(view: SubmissionView) -> Iterator[Occurrence]:
    """The latency of an empty graph is subtracted from every other one; increasing it would make networks faster."""
    for entry in view.of_role("overhead") if view.on_cpu else ():
        if HOT_LOOP not in entry.states:
            continue
        usual_ns = max(1, entry.states[HOT_LOOP].latency_ns)
        if usual_ns > _EMPTY_NS:
            yield entry.where, f"repeated calls of an empty graph take {format_ns(usual_ns)}"
        for state, most in _EMPTY_RATIOS:
            single_ns = _settled(view, entry, state, entry.states[state].latency_ns) if state in entry.states else 0
            if single_ns > most * usual_ns:
                text = f"{format_ns(single_ns)}, {single_ns / usual_ns:.0f} times as long as a repeated call"
                yield entry.where, f"a call of an empty graph in state {state} takes {text}"


@error("DB908: repeated calls are too quick", _RUN_AGAIN)
def _quick_repeats(view: SubmissionView) -> Iterator[Occurrence]:
    """Repeated calls are quicker than single ones only by what the nearest caches hold; estimates rest on them."""
    llc_warm_ns = hot_loop_ns = 0
    for entry in view.of_role("sequence"):
        if LLC_WARM not in entry.states or HOT_LOOP not in entry.states:
            continue
        single = _settled(view, entry, LLC_WARM, entry.states[LLC_WARM].latency_ns)
        often = entry.states[HOT_LOOP].latency_ns
        llc_warm_ns, hot_loop_ns = llc_warm_ns + single, hot_loop_ns + often
        if single > _LLC_WARM_RATIO * often:
            yield entry.where, f"{entry.name}: repeated calls {format_ns(often)}, single ones {format_ns(single)}"
    if llc_warm_ns > _LLC_WARM_RATIO_IN_ALL * hot_loop_ns > 0:
        text = f"repeated calls {format_ns(hot_loop_ns)}, single ones {format_ns(llc_warm_ns)}"
        yield "benchmarks", f"all sequences: {text}"
