"""Rules on the machine (DB5xx), the runtime (DB6xx) and the machine's miss curve (DB906, DB907)."""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import is_cold
from dlbricks.harness.machine.gpu import device_words
from dlbricks.store.rules.rule import (
    Occurrence,
    SubmissionView,
    cache_distances_of,
    change,
    error,
    format_fact,
    get_path,
    info,
    load_average,
    number,
    warning,
)
from dlbricks.store.summary import BACKENDS, caches_of, levels
from dlbricks.units import format_bytes, format_ns

_MACHINE = ("cpu.model", "cpu.threads", "cpu.instruction_set", "memory.total_bytes", "os.system")
"""Facts that identify the machine."""

_SAME = ("cpu.model", "cpu.sockets", "cpu.cores", "cpu.threads", "cpu.instruction_set", "os.system", "numa_nodes")
"""Facts that are constant on one machine."""

_STATE = ("cpu.frequency_khz", "load.average", "load.busy_s")
"""Facts on clock and load."""

# the program that reads the load average is itself a part of it
_LOAD = 0.5
"""Load per processor before the run above which the machine was not idle."""

# another computation takes a whole processor; what stays below half of one is taken for the system itself
_OTHERS = 0.5
"""Tolerated average number of processors that other processes use."""

# a share of stolen time makes calls longer by about that share
_STEAL = 0.01
"""Tolerated share of steal time."""

_SLOW_GOVERNORS = ("powersave", "conservative")

_THROTTLED = 0x08 | 0x20 | 0x40 | 0x80
"""Clock event reasons of NVIDIA GPUs that mean heat or power: HW slowdown, SW thermal, HW thermal, power brake."""


@error(
    "DB501: machine known",
    why="A latency is useless without the machine that it was measured on.",
    fix="Send the result as the harness wrote it; report systems on which the harness does not find these facts.",
)
def _known(context: SubmissionView) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        missing = [path for path in _MACHINE if get_path(facts, path) in (None, "", [], 0)]
        if missing:
            yield f"system.{name}", f"not known: {', '.join(missing)}"


@warning(
    "DB502: clock and load known",
    why="Without clock and load a slow machine cannot be distinguished from a busy one.",
    fix="Run where /proc and /sys can be read, if the system has them.",
)
def _state(context: SubmissionView) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        missing = [path for path in _STATE if get_path(facts, path) in (None, [])]
        if missing:
            yield f"system.{name}", f"not known: {', '.join(missing)}"


@error(
    "DB503: one machine",
    why="A run that was resumed on another machine combines two machines in one result.",
    fix="Run the whole suite on one machine.",
)
def _same(context: SubmissionView) -> Iterator[Occurrence]:
    (_, before), (_, after) = _facts(context)
    for path in _SAME:
        first, last = get_path(before, path), get_path(after, path)
        if first != last:
            yield (
                f"system.facts_after.{path}",
                f"it was {format_fact(first)} before the run and {format_fact(last)} after it",
            )
    if _gpu_names(before) != _gpu_names(after):
        said = f"before the run {format_fact(_gpu_names(before))}, after it {format_fact(_gpu_names(after))}"
        yield "system.facts_after.gpus", said


@warning(
    "DB504: idle before the run",
    why=f"A load above {_LOAD:g} per processor before the run means that other processes were running.",
    fix="Stop other processes, and run again.",
)
def _loaded(context: SubmissionView) -> Iterator[Occurrence]:
    (name, before), _ = _facts(context)
    load, processors = load_average(before), number(before, "cpu.threads")
    if load is not None and processors and load > _LOAD * processors:
        yield f"system.{name}.load.average", f"load {load:.2f} on {processors:g} processors before the run began"


@warning(
    "DB505: no other load during the run",
    why="Other processes compete for caches, memory bandwidth and clock.",
    fix="Stop other processes, and run again.",
)
def _others(context: SubmissionView) -> Iterator[Occurrence]:
    (_, before), (name, after) = _facts(context)
    busy, elapsed = change(before, after, "load.busy_s"), _elapsed_s(before, after)
    if busy is None or elapsed is None:
        return
    measured = context.document["runtime"]["threads"] * sum(entry.row["wall_ns"] for entry in context.entries) / 1e9
    own = max(measured, change(before, after, "load.own_s") or 0.0)  # a resumed run is another process
    others = (busy - own) / elapsed
    if others > _OTHERS:
        yield f"system.{name}.load.busy_s", f"{others:.1f} processors were busy with something else on average"


@warning(
    "DB506: no time stolen",
    why="On a virtual machine the host may give the processor to others during a call.",
    fix="Run on dedicated processors, or mention that the machine is shared.",
)
def _stolen(context: SubmissionView) -> Iterator[Occurrence]:
    (_, before), (name, after) = _facts(context)
    steal, elapsed = change(before, after, "load.steal_s"), _elapsed_s(before, after)
    processors = number(before, "cpu.threads")
    if steal is None or elapsed is None or not processors:
        return
    share = steal / (elapsed * processors)
    if share > _STEAL:
        yield f"system.{name}.load.steal_s", f"the host gave {share:.1%} of the processors' time to others"


@warning(
    "DB507: frequency governor",
    why="A governor that saves power changes the clock during the run.",
    fix="Set the governor to performance for the run: cpupower frequency-set -g performance.",
)
def _governor(context: SubmissionView) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        governor = get_path(facts, "cpu.governor")
        if governor in _SLOW_GOVERNORS:
            yield f"system.{name}.cpu.governor", f"the frequency governor was {governor}"


@warning(
    "DB508: enough processors allowed",
    why="A container that may use fewer processors than there are threads is throttled during calls.",
    fix="Raise the limit of the container, or use fewer threads.",
)
def _quota(context: SubmissionView) -> Iterator[Occurrence]:
    threads = context.document["runtime"]["threads"]
    for name, facts in _facts(context):
        limit = number(facts, "cpu_limit")
        if limit is not None and limit < threads:
            yield (
                f"system.{name}.cpu_limit",
                f"the container may use {limit:g} processors, the run had {threads} threads",
            )


@warning(
    "DB509: GPU not throttled",
    why="Heat and power limits lower the clock of a GPU.",
    fix="Improve the cooling, or lock the clock at a sustainable value.",
)
def _throttled(context: SubmissionView) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        for index, gpu in enumerate(_gpus(facts)):
            reasons = str(gpu.get("throttle_reasons"))
            if reasons.startswith("0x") and _hexadecimal(reasons) & _THROTTLED:
                yield f"system.{name}.gpus[{index}].throttle_reasons", f"the GPU was throttled ({format_fact(reasons)})"


def _facts(context: SubmissionView) -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    system = context.document["system"]
    return ("facts_before", system["facts_before"]), ("facts_after", system["facts_after"])


def _elapsed_s(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    elapsed_ns = change(before, after, "unix_ns")
    return elapsed_ns / 1e9 if elapsed_ns is not None and elapsed_ns > 0 else None


def _gpus(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = get_path(facts, "gpus")
    return [gpu for gpu in found if isinstance(gpu, dict)] if isinstance(found, list) else []


def _gpu_names(facts: Mapping[str, Any]) -> list[str]:
    return [f"{gpu.get('name')} (driver {gpu.get('driver')})" for gpu in _gpus(facts)]


def _hexadecimal(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0


_SUFFIX = "executionprovider"


@error(
    "DB601: the requested provider",
    why="A runtime that falls back to another execution provider measures another device.",
    fix="Install what the provider needs (see dlbricks doctor), and run again.",
)
def _provider(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    provider, found = runtime["provider"], runtime["providers"]
    if not found or found[0].lower().removesuffix(_SUFFIX) != provider.lower():
        yield "runtime.providers", f"{provider} was requested, the sessions had {', '.join(found) or 'none'}"


@warning(
    "DB608: all nodes on the provider",
    why="Nodes without a kernel in the provider run on another one, which needs copies.",
    fix="None needed if the network is used like this; otherwise leave these benchmarks out.",
)
def _placement(context: SubmissionView) -> Iterator[Occurrence]:
    wanted = context.document["runtime"]["provider"].lower()
    for entry in context.measured:
        placed = entry.row.get("placement", {})
        others = [
            f"{count} nodes on {name}"
            for name, count in sorted(placed.items())
            if name.lower().removesuffix(_SUFFIX) != wanted
        ]
        if others:
            yield f"{entry.where}.placement", f"{entry.name} ran in part on other providers: {', '.join(others)}"


@error(
    "DB602: session options recorded",
    why="Threads, spinning, arenas and prepacking can change latencies by more than machines differ.",
)
def _options(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    backend = BACKENDS.get(runtime["name"])
    if missing := sorted((backend.RECORDED_OPTIONS if backend else set()) - runtime["session_options"].keys()):
        yield "runtime.session_options", f"not recorded: {', '.join(missing)}"


@error(
    "DB603: threads agree",
    why="A store separates results of different thread counts, so the count has to be right.",
)
def _threads(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    for name in (backend.OPTIONS_OF_THREADS[0] for backend in BACKENDS.values()):
        option = runtime["session_options"].get(name, runtime["threads"])
        if option != runtime["threads"]:
            yield "runtime.threads", f"it says {runtime['threads']}, the option {name} {option}"


@error(
    "DB604: version of the runtime known",
    why="Kernels and fusions change between versions of the runtime.",
    fix="Run with a released build of the runtime.",
)
def _version(context: SubmissionView) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    if not runtime["version"][0].isdigit():
        yield "runtime.version", f"'{runtime['version']}' is not a version"


@info(
    "DB605: build of the runtime recorded",
    why="Builds of one version differ in compiler flags and libraries.",
    fix="None needed.",
)
def _build(context: SubmissionView) -> Iterator[Occurrence]:
    if not context.document["runtime"].get("build"):
        yield "runtime.build", "the build of the runtime is not recorded"


@error(
    "DB606: lowered suite on its runtime",
    why="A lowered suite has graphs that were optimised by one version of the runtime.",
    fix="Install that version, or generate the suite again with the installed one.",
)
def _lowered_runtime(context: SubmissionView) -> Iterator[Occurrence]:
    target = context.document["suite"]["manifest"]["target"]
    version = context.document["runtime"]["version"]
    if target["runtime"] not in ("", version):
        yield "runtime.version", f"the suite was lowered by {target['runtime']}, it was run with {version}"


@error(
    "DB607: lowered suite on its kind of machine",
    why="Fusions and layouts of the runtime depend on the processor's vector extensions.",
    fix="Generate the suite on a machine with these extensions, or use target portable.",
)
def _lowered_machine(context: SubmissionView) -> Iterator[Occurrence]:
    target = context.document["suite"]["manifest"]["target"]
    facts = context.document["system"]["facts_before"]
    place, found = "cpu.instruction_set", get_path(facts, "cpu.instruction_set")
    if target["name"] == "onnxruntime-cuda":
        place, found = "gpus", list(device_words(facts.get("gpus")))
    if target["instruction_set"] and found != target["instruction_set"]:
        said = (
            f"the suite was lowered for {format_fact(target['instruction_set'])}, the machine has {format_fact(found)}"
        )
        yield f"system.facts_before.{place}", said


# noise changes neighbouring points, so only a decrease that is large beside the whole increase counts
_FALL = 0.1
"""Tolerated decrease of the miss curve, as a share of its total increase."""


@warning(
    "DB906: miss curve known",
    why="The cost of a call by reuse distance is measured by the benchmark of role curve; without it estimates use the "
    "curves of other machines.",
    fix="Give the run a larger budget, or see why that benchmark failed.",
)
def _curve(context: SubmissionView) -> Iterator[Occurrence]:
    around = cache_distances_of(context)
    listed = any(benchmark["role"] == "curve" for benchmark in context.listed.values())
    if listed and is_cold("curve", around) and not context.is_smoke and not caches_of(context.document).curve:
        yield "benchmarks", "the benchmark of role curve does not give a miss curve"


@warning(
    "DB907: miss curve rises",
    why="Calls cannot become faster at larger reuse distances; a significant decrease means that the machine changed "
    "during the run.",
    fix="Run again on a quiet machine.",
)
def _rises(context: SubmissionView) -> Iterator[Occurrence]:
    by_distance = levels(context.document)
    summaries = list(by_distance.values())
    span = summaries[-1].latency_ns - summaries[0].latency_ns if summaries else 0
    for (before, high), (after, low) in itertools.combinations(by_distance.items(), 2):
        fall = high.latency_ns - low.latency_ns
        if high.low_ns > low.high_ns and fall > _FALL * abs(span):
            said = f"a call takes {format_ns(high.latency_ns)} after {format_bytes(before)} of other memory"
            yield "benchmarks", f"{said}, and {format_ns(low.latency_ns)} after {format_bytes(after)}"
            return
