"""Rules on the content of a document (DB0xx to DB3xx): traces, consistency, the suite, and correctness of outputs."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import REPEATED
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.harness.output_digest import compare
from dlbricks.harness.run.files import TEXT_COLUMNS
from dlbricks.store.rules.rule import Measured, Occurrence, SubmissionView, error, info, warning
from dlbricks.suite.manifest import content_digest
from dlbricks.units import format_ns
from dlbricks.version import __version__

_EARLIEST_UNIX_NS = 1_735_689_600 * 10**9
"""2025-01-01; the program did not exist before."""


@error(
    "DB101: complete means complete",
    why="A store prefers complete submissions, so the flag has to agree with the benchmarks that were run.",
    fix="Resume the run (run --resume) instead of editing the result.",
)
def _complete(context: SubmissionView) -> Iterator[Occurrence]:
    missing = sum(entry.row["status"] == "not run" for entry in context.entries)
    if context.document["complete"] and missing:
        yield "complete", f"it is true, yet {missing} benchmarks were not run"
    if not context.document["complete"] and not missing:
        yield "complete", "it is false, yet every benchmark was run"


@error(
    "DB102: status agrees with content",
    why="The harness writes samples for status ok, and a reason for any other status; anything else was edited.",
    fix="Send the result as the harness wrote it, or run again.",
)
def _status(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        row = entry.row
        if row["status"] == "ok" and not row["visits"]:
            yield f"{entry.where}.visits", "the status is ok, yet there are no samples"
        if row["status"] == "ok" and row["verdict"]["kind"] == "failed":
            yield f"{entry.where}.verdict", "the status is ok, yet the verdict is failed"
        if row["status"] != "ok" and not row["reason"]:
            yield f"{entry.where}.reason", f"the status is {row['status']}, yet no reason is given"
        if row["status"] == "not run" and row["visits"]:
            yield f"{entry.where}.visits", "the status is not run, yet there are samples"


@info(
    "DB103: harness of another version",
    why="Another version of the harness may measure differently.",
    fix="None needed; generate the suite again to use this version.",
)
def _harness(context: SubmissionView) -> Iterator[Occurrence]:
    version = context.document["harness_version"]
    if version != __version__:
        yield "harness_version", f"measured by harness {version}, checked by dlbricks {__version__}"


@warning(
    "DB104: start time plausible",
    why="The newest submission of a system is preferred, so its clock has to be set.",
    fix="Set the clock of the machine and run again.",
)
def _start(context: SubmissionView) -> Iterator[Occurrence]:
    if context.document["started_unix_ns"] < _EARLIEST_UNIX_NS:
        yield "started_unix_ns", "the start of the run is before 2025"


# a clock that shows local time instead of UTC is at most 14 hours ahead
_AHEAD_NS = 86_400 * 10**9
"""Maximum difference of clocks and time zones."""


@error(
    "DB105: not in the future",
    why="A run cannot start after it is submitted, by the collector's clock.",
    fix="Set the clock of the machine and run again.",
)
def _future(context: SubmissionView) -> Iterator[Occurrence]:
    ahead_ns = context.document["started_unix_ns"] - context.now_unix_ns
    if ahead_ns > _AHEAD_NS:
        yield "started_unix_ns", f"the start of the run is {ahead_ns / _AHEAD_NS:.0f} days from now"


@error(
    "DB201: suite intact",
    why="The digest identifies what was measured; a manifest with another digest was changed.",
    fix="Run the suite as it was published.",
)
def _intact(context: SubmissionView) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    manifest = suite["manifest"]
    digest = content_digest(manifest)
    if manifest["digest"] != digest:
        yield "suite.manifest.digest", f"it says {_short(manifest['digest'])}, the content gives {_short(digest)}"
    if suite["digest"] != manifest["digest"]:
        yield "suite.digest", f"it says {_short(suite['digest'])}, the manifest {_short(manifest['digest'])}"
    if suite["name"] != manifest["name"]:
        yield "suite.name", f"it says {suite['name']}, the manifest {manifest['name']}"


@warning(
    "DB202: suite known",
    why="An unknown suite may have been made to give good results.",
    fix="Name the suite with --suite, or register it in the store.",
)
def _known(context: SubmissionView) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    if context.known_suites is not None and suite["digest"] not in context.known_suites:
        yield "suite.digest", f"suite {suite['name']} ({_short(suite['digest'])}) is not among the known ones"


@error(
    "DB203: suite as expected",
    why="Results of another suite, or of another revision of it, have other benchmarks.",
    fix="Check against the suite that was run, or run the expected suite.",
)
def _expected(context: SubmissionView) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    if context.suite is not None and suite["digest"] != context.suite.digest:
        found, wanted = f"{suite['name']} ({_short(suite['digest'])})", context.suite
        yield "suite.digest", f"the result is of suite {found}, not of {wanted.name} ({_short(wanted.digest)})"


@error(
    "DB204: no benchmark from elsewhere",
    why="A benchmark that is not in the suite's manifest has no network and no reference.",
)
def _strangers(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.listed is None:
            yield f"{entry.where}.fingerprint", f"the suite has no benchmark {entry.name}"


@error("DB205: each benchmark once", why="With two entries for one benchmark it is not defined which one is used.")
def _twice(context: SubmissionView) -> Iterator[Occurrence]:
    counts = Counter(entry.row["fingerprint"] for entry in context.entries)
    for entry in context.entries:
        if counts.pop(entry.row["fingerprint"], 0) > 1:
            yield f"{entry.where}.fingerprint", f"benchmark {entry.name} is listed more than once"


@error(
    "DB206: no benchmark left out",
    why="The harness also lists benchmarks that were not measured, with the reason; leaving one out would hide it.",
)
def _absent(context: SubmissionView) -> Iterator[Occurrence]:
    present = {entry.row["fingerprint"] for entry in context.entries}
    for fingerprint, benchmark in context.listed.items():
        if fingerprint not in present:
            yield "benchmarks", f"benchmark {benchmark['name']} {fingerprint[:12]} of the suite is not listed"


@error(
    "DB207: roles and importance as in the suite",
    why="Anchors and the overhead benchmark are used for all other figures, and the importance of a sequence decides "
    "the target for its interval.",
)
def _roles(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.listed is not None and entry.row["role"] != entry.listed["role"]:
            yield f"{entry.where}.role", f"it says {entry.row['role']}, the suite {entry.listed['role']}"
        if entry.listed is not None and entry.row["importance"] != entry.listed["importance"]:
            said = f"it says {entry.row['importance']:g}, the suite {entry.listed['importance']:g}"
            yield f"{entry.where}.importance", said


@warning(
    "DB208: all of the suite was run",
    why="A partial result is stored, but complete ones of the same system are preferred.",
    fix="Finish the run: run --resume.",
)
def _partial(context: SubmissionView) -> Iterator[Occurrence]:
    missing = sum(entry.row["status"] == "not run" for entry in context.entries)
    if missing:
        yield "benchmarks", f"{missing} of {len(context.entries)} benchmarks were not run"


@warning(
    "DB209: benchmarks failed",
    why="A failed benchmark has no latency, and networks that use it cannot be estimated in full.",
    fix="See the reason; often it is memory, an operator that the runtime lacks, or wrong outputs.",
)
def _failed(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.row["status"] == "failed":
            yield entry.where, f"{entry.name} failed: {entry.row['reason']}"


@error(
    "DB210: something was measured",
    why="A result without any latency is useless.",
    fix="Run more of the suite, or see why all benchmarks failed.",
)
def _nothing(context: SubmissionView) -> Iterator[Occurrence]:
    if not context.of_role("sequence", "whole"):
        yield "benchmarks", "no sequence has a latency"


def _short(digest: str) -> str:
    return digest[:12]


@error(
    "DB301: a digest per output",
    why="Without a digest of every output it cannot be checked whether the network was run.",
)
def _count(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        if entry.listed is not None and len(entry.row["sketches"]) != len(entry.listed["outputs"]):
            said = f"{entry.name} has {len(entry.row['sketches'])} digests for {len(entry.listed['outputs'])} outputs"
            yield f"{entry.where}.sketches", said


@error(
    "DB302: outputs of the right form",
    why="Shape and element type of an output follow from the network; others are of another network.",
    fix="Run the networks of the suite unchanged.",
)
def _form(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        outputs = [] if entry.listed is None else entry.listed["outputs"]
        for index, (digest, output) in enumerate(zip(entry.row["sketches"], outputs, strict=False)):
            found, wanted = _form_of(digest), _form_of(output)
            if found != wanted:
                yield f"{entry.where}.sketches[{index}]", f"{entry.name} gives {found}, the suite says {wanted}"


@error(
    "DB303: answers are right",
    why="Inputs and weights are the same numbers everywhere, so outputs have to agree within the tolerance of their "
    "element type. References are public and the norms of different inputs can agree, so right outputs show that the "
    "runtime works, but not that calls were made: only a challenge shows that.",
    fix="Report the benchmark to the makers of the runtime, or remove the option that causes wrong outputs.",
)
def _answers(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, (digest, reference) in enumerate(zip(entry.row["sketches"], _references(entry), strict=False)):
            if _form_of(digest) == _form_of(reference):
                reason = compare(digest, reference, _operators(entry))
                if reason is not None:
                    yield f"{entry.where}.sketches[{index}]", f"{entry.name} answers wrongly: {reason}"


@warning(
    "DB304: outputs are finite",
    why="Arithmetic with infinities and NaN can take another time than with finite values.",
    fix="Generate the suite again if its reference has them too; otherwise check the runtime.",
)
def _finite(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, digest in enumerate(entry.row["sketches"]):
            if digest["finite"] < 1:
                share = 1 - digest["finite"]
                yield f"{entry.where}.sketches[{index}]", f"{share:.3%} of an output of {entry.name} are not finite"


@info(
    "DB305: answers without a reference",
    why="The suite has no reference for these outputs, so they were not compared.",
    fix="None needed.",
)
def _unreferenced(context: SubmissionView) -> Iterator[Occurrence]:
    missing = [entry for entry in context.measured if entry.listed is not None and entry.listed["reference"] is None]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        yield missing[0].where, f"the suite has no reference for {missing[0].name}{more}"


def _references(entry: Measured) -> list[dict[str, Any]]:
    if entry.listed is None or entry.listed["reference"] is None:
        return []
    references: list[dict[str, Any]] = entry.listed["reference"]
    return references


def _operators(entry: Measured) -> list[str]:
    return [] if entry.listed is None else list(entry.listed["operators"])


def _form_of(value: dict[str, Any]) -> str:
    return f"{value['dtype']}[{','.join(map(str, value['shape']))}]"


_ABOVE = {"layers": "parent", "kernels": "layer"}
"""Column with indices of rows of ``layers``."""

# the medians of layers may be of different calls, so their sum may exceed the median call
_SLACK = 1.5
"""Tolerated ratio of the sum of medians to the median of the sum."""

# profiling only adds time; half allows for a machine that was slower when it was measured
_FASTEST = 0.5
"""Minimum ratio of a profiled call to the latency of repeated calls."""

_COARSE_NS = 20_000
"""Shorter calls are not compared: a profile has a resolution of 1 us, and recording a layer takes a few us."""


def _traces(context: SubmissionView) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Yield path, name and trace of every entry with a trace."""
    for entry in context.entries:
        trace = entry.row.get("trace", {})
        if "layers" in trace:
            yield f"{entry.where}.trace", entry.name, trace


@error(
    "DB001: traces hold together",
    why="The columns of a trace have one length and refer to existing names and earlier rows.",
)
def _columns(context: SubmissionView) -> Iterator[Occurrence]:
    names = len(context.document.get("names", []))
    for where, name, trace in _traces(context):
        rows = len(trace["layers"]["name"])
        for part in ("layers", "kernels"):
            columns = {column: cells for column, cells in trace.get(part, {}).items() if isinstance(cells, list)}
            if len({len(column) for column in columns.values()}) > 1:
                yield f"{where}.{part}", f"columns of {name} are not of one length"
                continue
            if any(max(columns[column], default=-1) >= names for column in TEXT_COLUMNS if column in columns):
                yield f"{where}.{part}", f"a column of {name} points beyond the {names} names of the document"
            above = columns.get(_ABOVE[part], [])
            limits = range(len(above)) if part == "layers" else [rows] * len(above)
            if any(row >= limit for row, limit in zip(above, limits, strict=True)):
                yield f"{where}.{part}.{_ABOVE[part]}", f"a row of {name} lies in one that does not come before it"


@warning(
    "DB002: layers within their call",
    why="The layers of a call together cannot take longer than the call, except for differences between medians.",
    fix="Send the result as the harness wrote it, or trace again on a quiet machine.",
)
def _within(context: SubmissionView) -> Iterator[Occurrence]:
    for where, name, trace in _traces(context):
        layers = trace["layers"]
        columns = zip(layers["duration_ns"], layers["count"], layers["parent"], strict=False)
        total = sum(duration * count for duration, count, parent in columns if parent < 0)
        lanes = len(set(layers["lane"])) or 1
        if total > lanes * (_SLACK * trace["call_ns"] + _COARSE_NS):
            said = f"layers of {name} make {format_ns(total)}"
            yield where, f"{said}, their calls take {format_ns(trace['call_ns'])}"


@warning(
    "DB003: profiled calls are no quicker",
    why="Profiling makes calls slower; if profiled calls take less than half of repeated ones, they are of another "
    "benchmark, or the machine was slower during the measurement.",
    fix="Run again on a quiet machine.",
)
def _undisturbed(context: SubmissionView) -> Iterator[Occurrence]:
    for entry in context.measured:
        call_ns = entry.row.get("trace", {}).get("call_ns")
        repeated_ns = entry.states[REPEATED].latency_ns if REPEATED in entry.states else 0
        if call_ns is not None and repeated_ns > _COARSE_NS and call_ns < _FASTEST * repeated_ns:
            said = f"traced calls of {entry.name} take {format_ns(call_ns)}"
            yield f"{entry.where}.trace.call_ns", f"{said}, measured ones {format_ns(repeated_ns)}"


@warning(
    "DB004: requested traces are present",
    why="Analyses of layers lack these benchmarks; their latencies are used.",
    fix="Give the run a larger budget, or continue it with run --resume --trace.",
)
def _missing(context: SubmissionView) -> Iterator[Occurrence]:
    asked = context.document["options"].get("trace")
    if not asked:
        return
    for entry in context.of_role(*TRACED_ROLES):
        trace = entry.row.get("trace")
        if trace is None or "failed" in trace:
            reason = "it was not traced in time" if trace is None else trace["failed"]
            yield entry.where, f"{entry.name} has no trace: {reason}"
