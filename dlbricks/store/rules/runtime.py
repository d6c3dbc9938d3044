"""DB6xx: was it the runtime that is named, with the options that are recorded, and the one the suite was made for."""

from collections.abc import Iterator

from dlbricks.store.rules.facts import look, shown
from dlbricks.store.rules.rule import Context, Occurrence, Rule

SESSION_OPTIONS = frozenset(
    {
        "intra_op_num_threads",
        "inter_op_num_threads",
        "execution_mode",
        "enable_cpu_mem_arena",
        "enable_mem_pattern",
        "enable_mem_reuse",
        "use_deterministic_compute",
        "session.intra_op.allow_spinning",
        "session.inter_op.allow_spinning",
        "session.set_denormal_as_zero",
        "session.disable_prepacking",
    }
)
"""Options of onnxruntime that a result records in any case; those of ``harness.session``."""

_SUFFIX = "executionprovider"


def _provider(context: Context) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    provider, found = runtime["provider"], runtime["providers"]
    if not found or found[0].lower() != provider.lower() + _SUFFIX:
        yield "runtime.providers", f"{provider} was asked for, the sessions had {', '.join(found) or 'none'}"


def _placement(context: Context) -> Iterator[Occurrence]:
    wanted = context.document["runtime"]["provider"].lower() + _SUFFIX
    for entry in context.measured:
        placed = entry.row.get("placement", {})
        others = [f"{count} nodes on {name}" for name, count in sorted(placed.items()) if name.lower() != wanted]
        if others:
            yield f"{entry.where}.placement", f"{entry.name} ran in part elsewhere: {', '.join(others)}"


def _options(context: Context) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    missing = sorted(SESSION_OPTIONS - runtime["session_options"].keys())
    if runtime["name"] == "onnxruntime" and missing:
        yield "runtime.session_options", f"not recorded: {', '.join(missing)}"


def _threads(context: Context) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    option = runtime["session_options"].get("intra_op_num_threads", runtime["threads"])
    if option != runtime["threads"]:
        yield "runtime.threads", f"it says {runtime['threads']}, the option intra_op_num_threads {option}"


def _version(context: Context) -> Iterator[Occurrence]:
    runtime = context.document["runtime"]
    if not runtime["version"][0].isdigit():
        yield "runtime.version", f"'{runtime['version']}' is no version"


def _build(context: Context) -> Iterator[Occurrence]:
    if not context.document["runtime"].get("build"):
        yield "runtime.build", "the build of the runtime is not recorded"


def _lowered_runtime(context: Context) -> Iterator[Occurrence]:
    target = context.document["suite"]["manifest"]["target"]
    version = context.document["runtime"]["version"]
    if target["runtime"] not in ("", version):
        yield "runtime.version", f"the suite was lowered by {target['runtime']}, it was run with {version}"


def _lowered_machine(context: Context) -> Iterator[Occurrence]:
    target = context.document["suite"]["manifest"]["target"]
    found = look(context.document["system"]["facts_before"], "cpu.instruction_set")
    if target["instruction_set"] and found != target["instruction_set"]:
        said = f"the suite was lowered for {shown(target['instruction_set'])}, the machine has {shown(found)}"
        yield "system.facts_before.cpu.instruction_set", said


RULES = (
    Rule(
        id="DB601",
        severity="error",
        title="the provider asked for",
        explanation="A runtime that falls back to another execution provider measures another machine.",
        fix="Install what the provider needs (dlbricks doctor tells), and run again.",
        find=_provider,
    ),
    Rule(
        id="DB602",
        severity="error",
        title="session options recorded",
        explanation="Threads, spinning, arenas and prepacking change latencies by more than machines differ.",
        fix="Send the result as the harness wrote it.",
        find=_options,
    ),
    Rule(
        id="DB603",
        severity="error",
        title="threads agree",
        explanation="A store keeps results of different thread counts apart, so the count must be the true one.",
        fix="Send the result as the harness wrote it.",
        find=_threads,
    ),
    Rule(
        id="DB604",
        severity="error",
        title="version of the runtime known",
        explanation="Latencies belong to one version of the runtime: kernels and fusions change with each.",
        fix="Run with a released build of the runtime.",
        find=_version,
    ),
    Rule(
        id="DB605",
        severity="info",
        title="build of the runtime recorded",
        explanation="Builds of one version differ in compiler flags and libraries.",
        fix="Nothing.",
        find=_build,
    ),
    Rule(
        id="DB606",
        severity="error",
        title="lowered suite on its runtime",
        explanation="A lowered suite is the graph that one version of the runtime made for itself.",
        fix="Install that version, or generate the suite again with this one.",
        find=_lowered_runtime,
    ),
    Rule(
        id="DB607",
        severity="error",
        title="lowered suite on its kind of machine",
        explanation="What the runtime fuses, and which layout it takes, depends on the processor's vector extensions.",
        fix="Generate the suite on a machine of this kind, or use target portable.",
        find=_lowered_machine,
    ),
    Rule(
        id="DB608",
        severity="warning",
        title="all nodes on the provider",
        explanation="Nodes that the provider has no kernel for go to another one, and copies go with them.",
        fix="Nothing, if that is how it is used; else leave these benchmarks out.",
        find=_placement,
    ),
)
"""Rules of this group."""
