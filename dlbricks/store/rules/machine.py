"""Defines the rules on the machine (DB5xx), the runtime (DB6xx) and physical limits (DB8xx, DB908)."""

import math
import re
import statistics
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import HOT_LOOP, LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.cpu import suits
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.machine import device_words
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.harness.output_digest import QUANTISED_SIGNS
from dlbricks.harness.session import GRAPHS
from dlbricks.harness.stats import lower_quartile
from dlbricks.operators.table import reads_all_weights
from dlbricks.settings import usual_target
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
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.units import counted, format_ns

# Facts that identify the machine.
_MACHINE = ("cpu.model", "cpu.threads", "cpu.instruction_set", "memory.total_bytes", "os.system")
# Facts that do not change on one machine.
_SAME = ("cpu.model", "cpu.sockets", "cpu.cores", "cpu.threads", "cpu.instruction_set", "os.system", "numa_nodes")
# Tolerated number of processors that others use: another computation uses 1, the operating system less than 0.5.
_OTHERS = 0.5
# Tolerated share of processor time that the host takes: calls become longer by about this share.
_STEAL = 0.01
# Clock event reasons of NVIDIA GPUs that mean heat or power: HW slowdown, SW thermal, HW thermal, power brake.
_THROTTLED = 0x08 | 0x20 | 0x40 | 0x80


@error("DB501: the machine is unknown", "Report systems on which the harness does not find these facts.")
def _unknown_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """A latency means nothing without facts of the machine that it was measured on."""
    for name, facts in view.facts.items():
        missing = [path for path in _MACHINE if get_path(facts, path) in (None, [], "", 0)]
        if missing:
            yield f"system.{name}", f"facts of the machine are missing: {', '.join(missing)}"


@error("DB503: the machine changed during the run", "Run the whole suite on one machine.")
def _another_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """A run that was resumed on another machine combines two machines in one result."""
    before, after = view.facts.values()
    pairs = [(path, get_path(before, path), get_path(after, path)) for path in _SAME]
    for path, first, last in (*pairs, ("gpus", _gpu_names(before), _gpu_names(after))):
        if first != last:
            yield f"system.facts_after.{path}", f"the value changed from {format_fact(first)} to {format_fact(last)}"


# Return the average number of processors that others used, and the share of processor time that the host took.
def _load_of_others(view: SubmissionView) -> tuple[float, float]:
    before, after = view.facts.values()
    busy, own, steal, elapsed_s = (
        change(before, after, name) for name in ("load.busy_s", "load.own_s", "load.steal_s", "unix_ns")
    )
    if elapsed_s is None or elapsed_s <= 0:
        return 0.0, 0.0
    elapsed_s /= 1e9
    if own is None or own * 1e9 < view.document["timing"]["timed_ns"]:  # a resumed run is another process
        own = view.runtime["threads"] * sum(entry.row["wall_ns"] for entry in view.entries) / 1e9
    processors = number(before, "cpu.threads") or math.inf
    return 0.0 if busy is None else (busy - own) / elapsed_s, (steal or 0.0) / (elapsed_s * processors)


@warning("DB505: other processes ran during the run", "Stop other processes, and run again.")
def _others(view: SubmissionView) -> Iterator[Occurrence]:
    """Other processes compete for caches, memory bandwidth and the processor's power limit."""
    others, _ = _load_of_others(view)
    if others > _OTHERS:
        yield "system.facts_after.load.busy_s", f"other processes used {others:.1f} processors on average"


@warning("DB506: the host took processor time", "Run on dedicated processors, or state that the machine is shared.")
def _stolen(view: SubmissionView) -> Iterator[Occurrence]:
    """The host of a virtual machine takes the processor for other work during calls, which makes calls longer."""
    _, share = _load_of_others(view)
    if share > _STEAL:
        yield "system.facts_after.load.steal_s", f"the host took {share:.1%} of the processor time"


# Honest runs beside other processes, by share of disturbed visits: up to 0.4, the latencies of 0 to 18 % of the
# sequences were wrong by more than 15 %; from 0.67 (two threads), 22 to 100 %. On eight threads a share of 0.6 to 0.8
# is usual without other processes, so the rule also requires signs of these.
_MOSTLY_DISTURBED = 0.5


@error("DB507: other work disturbed most visits", "Run again on an idle machine with dedicated processors.")
def _busy_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """In runs with so many disturbed visits, 22% to 100% of the latencies were wrong by more than 15%."""
    others, stolen = _load_of_others(view)
    if view.disturbed_share > _MOSTLY_DISTURBED and (others > _OTHERS or stolen > _STEAL) and not view.is_smoke:
        yield "benchmarks", f"other work disturbed {view.disturbed_share:.0%} of the visits: run on an idle machine"


@warning("DB509: the GPU was throttled", "Improve the cooling, or lock the clock at a sustainable value.")
def _throttled(view: SubmissionView) -> Iterator[Occurrence]:
    """Heat and power limits lower the clock of a GPU, which makes calls longer."""
    for name, facts in view.facts.items():
        for index, gpu in enumerate(_gpus(facts)):
            reasons = str(gpu.get("throttle_reasons"))
            if re.fullmatch("0x[0-9a-fA-F]{1,16}", reasons) and int(reasons, 16) & _THROTTLED:
                yield f"system.{name}.gpus[{index}].throttle_reasons", f"nvidia-smi reports {format_fact(reasons)}"


def _gpus(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    gpus = get_path(facts, "gpus")
    return [gpu for gpu in gpus if isinstance(gpu, dict)] if isinstance(gpus, list) else []


def _gpu_names(facts: Mapping[str, Any]) -> list[str]:
    return [f"{gpu.get('name')} (driver {gpu.get('driver')})" for gpu in _gpus(facts)]


def _short_provider(name: str) -> str:
    return name.lower().removesuffix("executionprovider")


@error("DB601: another execution provider was used", "Run 'dlbricks doctor', and install what the provider needs.")
def _provider(view: SubmissionView) -> Iterator[Occurrence]:
    """If a runtime falls back to another execution provider, the latencies are those of another device."""
    provider, used = view.runtime["provider"], view.runtime["providers"]
    if not used or _short_provider(used[0]) != provider.lower():
        yield "runtime.providers", f"the run used {', '.join(used) or 'no provider'} instead of {provider}"


@error("DB602: session options are not recorded")
def _options(view: SubmissionView) -> Iterator[Occurrence]:
    """An option that is not recorded, such as prepacking, may change latencies more than another machine does."""
    backend = backends().get(view.runtime["name"])
    if missing := sorted((backend.RECORDED_OPTIONS if backend else set()) - view.runtime["session_options"].keys()):
        yield "runtime.session_options", f"these options are missing: {', '.join(missing)}"


@error("DB603: the numbers of threads disagree")
def _threads(view: SubmissionView) -> Iterator[Occurrence]:
    """A store separates results by number of threads, so the stated number must agree with the session options."""
    threads = view.runtime["threads"]
    for name in (backend.OPTIONS_OF_THREADS[0] for backend in backends().values()):
        option = view.runtime["session_options"].get(name, threads)
        if option != threads:
            yield "runtime.threads", f"the result states --threads {threads}, but the option {name} is {option}"


@error("DB604: the version of the runtime is unknown", "Run with a released build of the runtime.")
def _version(view: SubmissionView) -> Iterator[Occurrence]:
    """Kernels and fusions change between versions of the runtime, so a latency is valid for one version only."""
    if not view.runtime["version"][0].isdigit():
        yield "runtime.version", f"invalid version '{view.runtime['version']}': it must begin with a digit"


@error("DB606: another version of the runtime lowered the suite", "Install that version, or generate the suite again.")
def _lowered_runtime(view: SubmissionView) -> Iterator[Occurrence]:
    """One version of the runtime optimised the networks of the suite; another version runs other kernels."""
    lowered_by, version = view.document["suite"]["manifest"]["target"]["runtime"], view.runtime["version"]
    if lowered_by not in ("", version):
        yield "runtime.version", f"version {lowered_by} lowered the suite, but version {version} ran it"


@error("DB607: the suite was lowered for other machines", "Generate it on such a machine, or for target portable.")
def _lowered_machine(view: SubmissionView) -> Iterator[Occurrence]:
    """The suite's networks were optimised for the vector extensions or the compute capability of other machines."""
    target, facts = view.document["suite"]["manifest"]["target"], view.facts["facts_before"]
    on_gpu = target["name"] == "onnxruntime-cuda"
    place = "gpus" if on_gpu else "cpu.instruction_set"
    actual = list(device_words(facts.get("gpus"))) if on_gpu else get_path(facts, place)
    same = actual == target["instruction_set"]
    if target["instruction_set"] and not (suits(target, actual or []) if target["name"] == usual_target() else same):
        text = f"lowered for {format_fact(target['instruction_set'])}, but the machine has {format_fact(actual)}"
        yield f"system.facts_before.{place}", text


@warning("DB608: nodes ran on another provider", "Leave these benchmarks out, unless the network also runs like this.")
def _placement(view: SubmissionView) -> Iterator[Occurrence]:
    """Nodes for which the provider has no kernel run on another provider, which requires copies."""
    wanted = view.runtime["provider"].lower()
    for entry in view.measured:
        placed = sorted(entry.row.get("placement", {}).items())
        others = [f"{counted(count, 'node')} on {name}" for name, count in placed if _short_provider(name) != wanted]
        if others:
            yield f"{entry.where}.placement", f"{entry.name}: {', '.join(others)}"


# Minimum ratio of a latency to the call overhead: the empty graph has one node, so another call may be shorter.
_LEAST_OF_OVERHEAD = 0.5
# The same within one cache state, where calls vary more; honest results have 0.3 or more.
_LEAST_OF_OVERHEAD_IN_STATE = 0.2
# Minimum number of calls for a quartile: fewer calls may all have been interrupted.
_FEWEST_CALLS = 3
_RUN_AGAIN = "Run again on an idle machine, and send the result as the harness wrote it."
_CHECK_RUNTIME = "Check whether the runtime ran the network, and send the result as the harness wrote it."


# Return the empty graphs; none in a smoke test, whose calls of them lie within a tenth of a second and may all be slow.
def _empty_graphs(view: SubmissionView) -> Iterable[Measured]:
    return () if view.is_smoke else view.of_role("overhead")


# Return the lower quartile of an entry's calls in ns by state.
def _quick_calls(entry: Measured) -> dict[str, float]:
    calls: dict[str, list[int]] = {}
    for visit in entry.row["visits"]:
        calls.setdefault(visit["state"], []).extend(visit["samples_ns"])
    return {state: lower_quartile(samples) for state, samples in calls.items() if len(samples) >= _FEWEST_CALLS}


@error("DB801: a latency is below the call overhead", _RUN_AGAIN)
def _below_overhead(view: SubmissionView) -> Iterator[Occurrence]:
    """A call cannot be much faster than a call of an empty graph, which has the same overhead."""
    for empty in _empty_graphs(view):
        call_ns, quick_ns = min(empty.samples), _quick_calls(empty)
        for entry in view.of_role("sequence", "whole", "anchor"):
            if entry.least_ns < _LEAST_OF_OVERHEAD * call_ns:
                yield (
                    entry.where,
                    f"{entry.name}: {format_ns(entry.least_ns)}, but an empty graph {format_ns(call_ns)}",
                )
            for state, summary in entry.states.items():
                if summary.latency_ns < _LEAST_OF_OVERHEAD_IN_STATE * quick_ns.get(state, 0):
                    text = f"{format_ns(summary.latency_ns)}, but an empty graph takes {format_ns(quick_ns[state])}"
                    yield entry.where, f"{entry.name} in state {state} takes {text}"


# The highest boost clock of a processor on sale in 2024 was 6.2 GHz.
_CLOCK_GHZ = 6.5
# 832 GB/s per thread: two vectors of 64 bytes per cycle.
_CPU_BYTES_PER_NS = 128 * _CLOCK_GHZ
# 100 TB/s and 20 PFLOP/s: upper bounds for accelerators.
_ANY_BYTES_PER_NS = 100_000
_ANY_OPERATIONS_PER_NS = 20_000_000
# Tolerated ratio to the peaks that a GPU's maker states, and the most bytes that its second-level cache holds: what
# exceeds the cache passes through the device's memory.
_BEYOND_STATED, _MOST_CACHE_BYTES = 1.1, 1 << 28
# Prefix of an instruction set's name, and maximum operations per cycle and core, for float32 and for narrower types.
# float32: two vector fused multiply-add instructions per cycle. Narrower types: the throughput of their instructions.
# Processors without these instruction sets get the largest values.
_LANES = (("amx", 64, 2048), ("avx512", 64, 512), ("sve", 64, 512), ("avx", 32, 256), ("asimd", 32, 512))
# Element types for which a processor has no faster instructions than for float32.
_WIDE = {"float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64", "bool"}


# Return the minimum ns for a benchmark's bytes (outputs, and weights if all must be read), and for its operations.
def _least_ns(view: SubmissionView, entry: Measured) -> tuple[float, float]:
    listed = entry.listed or {"inputs": (), "outputs": (), "operators": (), "weight_bytes": 0}
    nbytes = sum(byte_size(output["dtype"], math.prod(output["shape"])) for output in listed["outputs"])
    nbytes += listed["weight_bytes"] if all(map(reads_all_weights, listed["operators"])) else 0
    work, threads = listed.get("work", 0), view.runtime["threads"]
    if not view.on_cpu:
        stated = [gpu_peaks(str(gpu.get("name"))) for gpu in _gpus(view.facts["facts_before"])]
        flops = max((max(of.flops_per_s.values(), default=math.inf) for of in stated), default=math.inf)
        memory = max((of.bytes_per_s or math.inf for of in stated), default=math.inf)
        fetched = max(0, nbytes - min(_MOST_CACHE_BYTES, view.document.get("queue", {}).get("cache_bytes") or math.inf))
        least_ns = 1e9 * fetched / (_BEYOND_STATED * memory), 1e9 * work / (_BEYOND_STATED * flops)
        return max(nbytes / _ANY_BYTES_PER_NS, least_ns[0]), max(work / _ANY_OPERATIONS_PER_NS, least_ns[1])
    names = get_path(view.facts["facts_before"], "cpu.instruction_set")
    words = [str(name) for name in names] if isinstance(names, list) else []
    lanes = [peaks for sign, *peaks in _LANES if any(word.startswith(sign) for word in words)]
    types = {tensor["dtype"] for tensor in (*listed["inputs"], *listed["outputs"])}
    is_narrow = any(sign in name for name in listed["operators"] for sign in QUANTISED_SIGNS) or not types <= _WIDE
    peak = (lanes[0] if lanes else (64, 2048))[is_narrow]
    return nbytes / (_CPU_BYTES_PER_NS * threads), work / (peak * _CLOCK_GHZ * threads)


@error("DB802: the bandwidth is impossible", _CHECK_RUNTIME)
def _too_fast(view: SubmissionView) -> Iterator[Occurrence]:
    """A CPU thread moves outputs and weights at most at 832 GB/s, a GPU at 100 TB/s, and beyond its cache as stated."""
    for entry in view.measured:
        bytes_ns, _ = _least_ns(view, entry)
        if entry.least_ns < bytes_ns:
            yield entry.where, f"{entry.name}: {format_ns(entry.least_ns)}, but its bytes take {format_ns(bytes_ns)}"


@error("DB803: samples of two benchmarks are equal")
def _copies(view: SubmissionView) -> Iterator[Occurrence]:
    """Two benchmarks never have the same list of 10 or more samples by chance."""
    first: dict[tuple[int, ...], Measured] = {}
    for entry in view.measured:
        # fewer samples may be equal by chance
        if len(entry.samples) >= 10 and first.setdefault(entry.samples, entry) is not entry:
            yield entry.where, f"{entry.name} has the same samples as {first[entry.samples].name}"


@error("DB804: the arithmetic is impossible", _CHECK_RUNTIME)
def _too_much(view: SubmissionView) -> Iterator[Occurrence]:
    """A call that executes more operations per second than any machine did not compute its outputs."""
    for entry in view.measured:
        _, work_ns = _least_ns(view, entry)
        if entry.least_ns < work_ns:
            text = f"{format_ns(entry.least_ns)}, but its operations take at least {format_ns(work_ns)}"
            yield entry.where, f"{entry.name} takes {text}"


@error("DB807: the times are those of a stored result", "Send a result once; withdraw the other result if it is yours.")
def _replayed(view: SubmissionView) -> Iterator[Occurrence]:
    """Between honest runs, quantiles differ by 0.27 of their spread or more, and at most 35% of the times recur."""
    for former in view.copied_from:
        yield "benchmarks", f"the times have the same distribution as in {former.digest[:12]} of {former.system}"


# Maximum time of a call of an empty graph; processors take 2 to 3 us.
_EMPTY_NS = 300_000
# Maximum ratio of a single call of the empty graph to a consecutive call: honest runs have 3.2 to 6.4, and 1.04 to 3.8.
_EMPTY_RATIOS = {WEIGHTS_COLD: 20, LLC_WARM: 12}


@error("DB808: the call overhead is impossible", _RUN_AGAIN)
def _heavy_empty(view: SubmissionView) -> Iterator[Occurrence]:
    """Estimates subtract the latency of an empty graph, so a value that is too large makes networks look faster."""
    for entry in _empty_graphs(view) if view.on_cpu else ():
        usual_ns = max(1, entry.states[HOT_LOOP].latency_ns) if HOT_LOOP in entry.states else _EMPTY_NS
        if usual_ns > _EMPTY_NS:
            yield entry.where, f"an empty graph takes {format_ns(usual_ns)}, more than {format_ns(_EMPTY_NS)}"
        for state, quick_ns in _quick_calls(entry).items():
            if quick_ns > _EMPTY_RATIOS.get(state, 20) * usual_ns:
                text = f"{format_ns(quick_ns)}, {quick_ns / usual_ns:.0f} times as long as a consecutive call"
                yield entry.where, f"a call of an empty graph in state {state} takes {text}"


# Ratio of a call to the sum of its parts: in honest results of an H200 the median is 0.77 to 0.99, that of a sequence
# 0.55 to 1.18. Calls take 1.17 times the device's time or longer.
_LEAST_OF_PARTS, _MOST_OF_PARTS, _MOST_OF_ONE, _LEAST_OF_DEVICE = 0.5, 1.3, 1.5, 0.8
_AROUND = ("call_ns", "launch_lag_ns", "synchronise_ns")


# Yield the entries with times of host and device, these times, and the latency of consecutive calls or None, ns.
def _queues(view: SubmissionView, *roles: str) -> Iterator[tuple[Measured, dict[str, Any], int | None]]:
    for entry in view.of_role(*roles):
        state = None if view.is_smoke else entry.states.get(HOT_LOOP)
        if queue := entry.row.get("queue"):
            yield entry, queue, None if state is None else state.latency_ns


@error("DB809: times of host and device are impossible", _CHECK_RUNTIME)
def _queued(view: SubmissionView) -> Iterator[Occurrence]:
    """Device times satisfy DB802 and DB804, launches take host time, and a call takes about the sum of its parts."""
    constants, provider, ratios = view.document.get("queue", {}), view.runtime["provider"].lower(), list[float]()
    around_ns = sum(constants.get(name, 0) for name in _AROUND)
    # one call launches a whole graph
    captured = view.runtime.get("provider_options", {}).get(GRAPHS) == "1"
    for entry, queue, call_ns in _queues(view, "sequence", "overhead", "nodes", "whole", "network"):
        placed = {_short_provider(name) for name in entry.row.get("placement", {})} or {provider}
        least_ns = max(_least_ns(view, entry))
        enqueued = queue["kernels"] and (queue["synchronises"] or queue["host_high_ns"] or captured)
        if provider in placed and not (enqueued and queue["device_high_ns"] >= least_ns):
            host_ns, device_ns = (format_ns(queue[name]) for name in ("host_high_ns", "device_high_ns"))
            text = f"the host takes {host_ns} and the device {device_ns} for {queue['kernels']} launches"
            yield f"{entry.where}.queue", f"{entry.name}: {text}"
        if call_ns:
            ratios.append(call_ns / max(1, queue["host_ns"] + queue["device_ns"] + around_ns))
    if ratios and not _LEAST_OF_PARTS <= (ratio := statistics.median(ratios)) <= _MOST_OF_PARTS:
        yield "benchmarks", f"calls take {ratio:.2g} times as long as the sum of their host and device times"


@error("DB810: a call contradicts its times of host and device", _CHECK_RUNTIME)
def _contradicted(view: SubmissionView) -> Iterator[Occurrence]:
    """A call takes at least the time of its device, and at most the times of host and device, and its overhead."""
    constants = view.document.get("queue", {})
    around_ns = sum(constants.get(name, 0) for name in (*_AROUND, "half_width_ns"))
    for entry, queue, call_ns in _queues(view, "sequence", "overhead", "whole", "network"):
        most_ns = _MOST_OF_ONE * (queue["host_high_ns"] + queue["device_high_ns"] + around_ns)
        if call_ns and not _LEAST_OF_DEVICE * queue["device_low_ns"] <= call_ns <= most_ns:
            times = (format_ns(ns) for ns in (call_ns, queue["host_ns"], queue["device_ns"], around_ns))
            text = "a call takes {}, but the host {}, the device {} and all else {}".format(*times)
            yield f"{entry.where}.queue", f"{entry.name}: {text}"


# Ratio of what single calls of one launch take beside host and device to what the result states of that: honest results
# of an H200 have medians of 0.5 to 1.03. Fewer such sequences say little.
_LEAST_OF_AROUND, _MOST_OF_AROUND, _LEAST_LAUNCHES = 0.25, 3, 4


@error("DB811: launch lag and overhead contradict single calls", _CHECK_RUNTIME)
def _lag(view: SubmissionView) -> Iterator[Occurrence]:
    """A call of one launch takes what host and device take, and the call overhead, launch lag and synchronisation."""
    stated_ns = sum(view.document.get("queue", {}).get(name, 0) for name in _AROUND)
    rest = [
        call_ns - queue["host_ns"] - queue["device_ns"]
        for _, queue, call_ns in _queues(view, "sequence")
        if call_ns and queue["kernels"] == 1 and not queue["synchronises"]
    ]
    actual_ns = statistics.median(rest) if len(rest) >= _LEAST_LAUNCHES else None
    if actual_ns is not None and not _LEAST_OF_AROUND * stated_ns <= actual_ns <= _MOST_OF_AROUND * stated_ns:
        yield "queue", f"{format_ns(stated_ns)} is stated, but single calls of one launch show {format_ns(actual_ns)}"


# Ratios of stated to traced device times, of which honest results have 0.99 to 1.01, and of numbers of launches: traces
# have sessions of their own, which may choose other algorithms.
_LEAST_OF_TRACED, _MOST_OF_TRACED = 0.5, 2


@error("DB812: traced kernels contradict times of the device", _CHECK_RUNTIME)
def _traced(view: SubmissionView) -> Iterator[Occurrence]:
    """Kernels, copies and fills in a trace are those of the stated launches, and take the stated device time."""
    gap_ns = view.document.get("queue", {}).get("kernel_gap_ns", 0)
    for entry, queue, _ in _queues(view, *TRACED_ROLES):
        kernels = entry.row.get("trace", {}).get("kernels", {}).get("duration_ns", ())
        if not kernels or queue["synchronises"]:
            continue
        traced_ns, launches = sum(kernels) + gap_ns * len(kernels), queue["kernels"]
        # durations of calls only bound the time of the device, and do not show the number of launches
        bounds = ("device_ns", "device_ns") if queue.get("traced") else ("device_high_ns", "device_low_ns")
        least, most = (queue[name] for name in bounds)
        if not (_LEAST_OF_TRACED * traced_ns <= least and most <= _MOST_OF_TRACED * traced_ns):
            stated = f"{queue['device_ns']} ns are stated"
            yield f"{entry.where}.queue", f"{entry.name}: {stated}, but the trace shows {traced_ns}"
        if queue.get("traced") and not len(kernels) * _LEAST_OF_TRACED <= launches <= _MOST_OF_TRACED * len(kernels):
            stated = f"{launches} launches are stated"
            yield f"{entry.where}.queue", f"{entry.name}: {stated}, but the trace shows {len(kernels)}"


# Bounds of the ratio of a single call with all data in the caches to consecutive calls, as the median over at least
# this many sequences: honest runs have 0.95 to 1.27.
_LEAST_SEQUENCES, _LEAST_OF_REPEATED, _MOST_OF_REPEATED = 5, 0.8, 2.5


@error("DB908: single and consecutive calls contradict each other", _RUN_AGAIN)
def _repeated(view: SubmissionView) -> Iterator[Occurrence]:
    """Consecutive calls are never slower than single calls, and faster only as far as the nearest caches help."""
    ratios = [
        entry.states[LLC_WARM].latency_ns / max(1, entry.states[HOT_LOOP].latency_ns)
        for entry in view.of_role("sequence")
        if LLC_WARM in entry.states and HOT_LOOP in entry.states
    ]
    ratio = statistics.median(ratios) if len(ratios) >= _LEAST_SEQUENCES and not view.is_smoke else 1.0
    if not _LEAST_OF_REPEATED <= ratio <= _MOST_OF_REPEATED:
        yield "benchmarks", f"a single call with all data in the caches takes {ratio:.2f} times a consecutive call"
