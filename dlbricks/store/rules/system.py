"""DB5xx: is it known what machine it was, was it one machine, and was it left alone."""

from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.store.rules.facts import change, load_average, look, number, shown
from dlbricks.store.rules.rule import Context, Occurrence, Rule

_MACHINE = ("cpu.model", "cpu.threads", "cpu.instruction_set", "memory.total_bytes", "os.system")
"""Facts without which nobody knows what machine it was."""

_SAME = ("cpu.model", "cpu.sockets", "cpu.cores", "cpu.threads", "cpu.instruction_set", "os.system", "numa_nodes")
"""Facts that do not change while a machine stays the same."""

_STATE = ("cpu.frequency_khz", "load.average", "load.busy_s")
"""Facts that tell of clock and load."""

_LOAD = 0.5
"""Load per processor before the run, above which the machine was not idle."""

_OTHERS = 0.5
"""Processors that may be busy with something else."""

_STEAL = 0.01
"""Share of the processors' time that the host may give to others."""

_SLOW_GOVERNORS = ("powersave", "conservative")

_THROTTLED = 0x08 | 0x20 | 0x40 | 0x80
"""Clock event reasons of NVIDIA GPUs that mean heat or power: HW slowdown, SW thermal, HW thermal, power brake."""


def _known(context: Context) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        missing = [path for path in _MACHINE if look(facts, path) in (None, "", [], 0)]
        if missing:
            yield f"system.{name}", f"not known: {', '.join(missing)}"


def _state(context: Context) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        missing = [path for path in _STATE if look(facts, path) in (None, [])]
        if missing:
            yield f"system.{name}", f"not known: {', '.join(missing)}"


def _same(context: Context) -> Iterator[Occurrence]:
    (_, before), (_, after) = _facts(context)
    for path in _SAME:
        first, last = look(before, path), look(after, path)
        if first != last:
            yield f"system.facts_after.{path}", f"it was {shown(first)} before the run and {shown(last)} after it"
    if _gpu_names(before) != _gpu_names(after):
        said = f"before the run {shown(_gpu_names(before))}, after it {shown(_gpu_names(after))}"
        yield "system.facts_after.gpus", said


def _loaded(context: Context) -> Iterator[Occurrence]:
    (name, before), _ = _facts(context)
    load, processors = load_average(before), number(before, "cpu.threads")
    if load is not None and processors and load > _LOAD * processors:
        yield f"system.{name}.load.average", f"load {load:.2f} on {processors:g} processors before the run began"


def _others(context: Context) -> Iterator[Occurrence]:
    (_, before), (name, after) = _facts(context)
    busy, elapsed = change(before, after, "load.busy_s"), _elapsed_s(before, after)
    if busy is None or elapsed is None:
        return
    measured = context.document["runtime"]["threads"] * sum(entry.row["wall_ns"] for entry in context.entries) / 1e9
    own = max(measured, change(before, after, "load.own_s") or 0.0)  # a resumed run is another process
    others = (busy - own) / elapsed
    if others > _OTHERS:
        yield f"system.{name}.load.busy_s", f"{others:.1f} processors were busy with something else on average"


def _stolen(context: Context) -> Iterator[Occurrence]:
    (_, before), (name, after) = _facts(context)
    steal, elapsed = change(before, after, "load.steal_s"), _elapsed_s(before, after)
    processors = number(before, "cpu.threads")
    if steal is None or elapsed is None or not processors:
        return
    share = steal / (elapsed * processors)
    if share > _STEAL:
        yield f"system.{name}.load.steal_s", f"the host gave {share:.1%} of the processors' time to others"


def _governor(context: Context) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        governor = look(facts, "cpu.governor")
        if governor in _SLOW_GOVERNORS:
            yield f"system.{name}.cpu.governor", f"the frequency governor was {governor}"


def _quota(context: Context) -> Iterator[Occurrence]:
    threads = context.document["runtime"]["threads"]
    for name, facts in _facts(context):
        limit = number(facts, "cpu_limit")
        if limit is not None and limit < threads:
            yield (
                f"system.{name}.cpu_limit",
                f"the container may use {limit:g} processors, the run had {threads} threads",
            )


def _throttled(context: Context) -> Iterator[Occurrence]:
    for name, facts in _facts(context):
        for index, gpu in enumerate(_gpus(facts)):
            reasons = str(gpu.get("throttle_reasons"))
            if reasons.startswith("0x") and _hexadecimal(reasons) & _THROTTLED:
                yield f"system.{name}.gpus[{index}].throttle_reasons", f"the GPU held its clock back ({shown(reasons)})"


def _facts(context: Context) -> tuple[tuple[str, dict[str, Any]], tuple[str, dict[str, Any]]]:
    system = context.document["system"]
    return ("facts_before", system["facts_before"]), ("facts_after", system["facts_after"])


def _elapsed_s(before: Mapping[str, Any], after: Mapping[str, Any]) -> float | None:
    elapsed_ns = change(before, after, "unix_ns")
    return elapsed_ns / 1e9 if elapsed_ns is not None and elapsed_ns > 0 else None


def _gpus(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = look(facts, "gpus")
    return [gpu for gpu in found if isinstance(gpu, dict)] if isinstance(found, list) else []


def _gpu_names(facts: Mapping[str, Any]) -> list[str]:
    return [f"{gpu.get('name')} (driver {gpu.get('driver')})" for gpu in _gpus(facts)]


def _hexadecimal(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0


RULES = (
    Rule(
        id="DB501",
        severity="error",
        title="machine known",
        explanation="A latency without the machine it was measured on helps nobody.",
        fix="Send the result as the harness wrote it; on systems where it cannot find these facts, report that.",
        find=_known,
    ),
    Rule(
        id="DB502",
        severity="warning",
        title="clock and load known",
        explanation="Without clock and load nobody can tell a slow machine from a busy one.",
        fix="Nothing where the system does not tell; else run where /proc and /sys can be read.",
        find=_state,
    ),
    Rule(
        id="DB503",
        severity="error",
        title="one machine",
        explanation="A run that was resumed elsewhere mixes two machines in one result.",
        fix="Run the whole suite on one machine.",
        find=_same,
    ),
    Rule(
        id="DB504",
        severity="warning",
        title="idle before the run",
        explanation=f"A load above {_LOAD:g} per processor before the run means that something else was running.",
        fix="Stop what runs beside it, and run again.",
        find=_loaded,
    ),
    Rule(
        id="DB505",
        severity="warning",
        title="left alone during the run",
        explanation="Processors that work on something else take cache, memory bandwidth and clock away.",
        fix="Stop what runs beside it, and run again.",
        find=_others,
    ),
    Rule(
        id="DB506",
        severity="warning",
        title="no time stolen",
        explanation="On a virtual machine the host may give the processor to others in the middle of a call.",
        fix="Run on dedicated processors, or say that it is a shared machine.",
        find=_stolen,
    ),
    Rule(
        id="DB507",
        severity="warning",
        title="frequency governor",
        explanation="A governor that saves power changes the clock under the benchmarks.",
        fix="Set the governor to performance for the run: cpupower frequency-set -g performance.",
        find=_governor,
    ),
    Rule(
        id="DB508",
        severity="warning",
        title="enough processors allowed",
        explanation="A container that may use fewer processors than there are threads is halted in mid-call.",
        fix="Raise the limit of the container, or use fewer threads.",
        find=_quota,
    ),
    Rule(
        id="DB509",
        severity="warning",
        title="GPU not throttled",
        explanation="Heat and power limits lower the clock of a GPU.",
        fix="Cool it, or lock a clock that it can hold.",
        find=_throttled,
    ),
)
"""Rules of this group."""
