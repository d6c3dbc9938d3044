"""DB2xx: is the suite known and intact, and was all of it measured."""

from collections import Counter
from collections.abc import Iterator

from dlbricks.store.rules.rule import Context, Occurrence, Rule
from dlbricks.suite.manifest import content_digest


def _intact(context: Context) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    manifest = suite["manifest"]
    digest = content_digest(manifest)
    if manifest["digest"] != digest:
        yield "suite.manifest.digest", f"it says {_short(manifest['digest'])}, the content gives {_short(digest)}"
    if suite["digest"] != manifest["digest"]:
        yield "suite.digest", f"it says {_short(suite['digest'])}, the manifest {_short(manifest['digest'])}"
    if suite["name"] != manifest["name"]:
        yield "suite.name", f"it says {suite['name']}, the manifest {manifest['name']}"


def _known(context: Context) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    if context.known_suites is not None and suite["digest"] not in context.known_suites:
        yield "suite.digest", f"suite {suite['name']} ({_short(suite['digest'])}) is not among the known ones"


def _expected(context: Context) -> Iterator[Occurrence]:
    suite = context.document["suite"]
    if context.suite is not None and suite["digest"] != context.suite.digest:
        found, wanted = f"{suite['name']} ({_short(suite['digest'])})", context.suite
        yield "suite.digest", f"the result is of suite {found}, not of {wanted.name} ({_short(wanted.digest)})"


def _strangers(context: Context) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.listed is None:
            yield f"{entry.where}.fingerprint", f"the suite has no benchmark {entry.name}"


def _twice(context: Context) -> Iterator[Occurrence]:
    counts = Counter(entry.row["fingerprint"] for entry in context.entries)
    for entry in context.entries:
        if counts.pop(entry.row["fingerprint"], 0) > 1:
            yield f"{entry.where}.fingerprint", f"benchmark {entry.name} is listed more than once"


def _absent(context: Context) -> Iterator[Occurrence]:
    present = {entry.row["fingerprint"] for entry in context.entries}
    for fingerprint, benchmark in context.listed.items():
        if fingerprint not in present:
            yield "benchmarks", f"benchmark {benchmark['name']} {fingerprint[:12]} of the suite is not listed"


def _roles(context: Context) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.listed is not None and entry.row["role"] != entry.listed["role"]:
            yield f"{entry.where}.role", f"it says {entry.row['role']}, the suite {entry.listed['role']}"
        if entry.listed is not None and entry.row["importance"] != entry.listed["importance"]:
            said = f"it says {entry.row['importance']:g}, the suite {entry.listed['importance']:g}"
            yield f"{entry.where}.importance", said


def _partial(context: Context) -> Iterator[Occurrence]:
    missing = sum(entry.row["status"] == "not run" for entry in context.entries)
    if missing:
        yield "benchmarks", f"{missing} of {len(context.entries)} benchmarks were not run"


def _failed(context: Context) -> Iterator[Occurrence]:
    for entry in context.entries:
        if entry.row["status"] == "failed":
            yield entry.where, f"{entry.name} failed: {entry.row['reason']}"


def _nothing(context: Context) -> Iterator[Occurrence]:
    if not context.of_role("sequence", "whole"):
        yield "benchmarks", "no sequence has a latency"


def _short(digest: str) -> str:
    return digest[:12]


RULES = (
    Rule(
        id="DB201",
        severity="error",
        title="suite intact",
        explanation="The digest seals what was measured; a manifest that does not give it was changed by hand.",
        fix="Run the suite as it was published.",
        find=_intact,
    ),
    Rule(
        id="DB202",
        severity="warning",
        title="suite known",
        explanation="A suite that nobody here has seen may have been made to look good.",
        fix="Name the suite to the check, or publish it.",
        find=_known,
    ),
    Rule(
        id="DB203",
        severity="error",
        title="suite as expected",
        explanation="Results of another suite, or of another revision of it, answer other questions.",
        fix="Check against the suite that was run, or run the suite that is asked for.",
        find=_expected,
    ),
    Rule(
        id="DB204",
        severity="error",
        title="no benchmark from elsewhere",
        explanation="A benchmark that the suite does not list has no network, no reference and no meaning here.",
        fix="Send the result as the harness wrote it.",
        find=_strangers,
    ),
    Rule(
        id="DB205",
        severity="error",
        title="each benchmark once",
        explanation="Two answers for one benchmark leave open which of them counts.",
        fix="Send the result as the harness wrote it.",
        find=_twice,
    ),
    Rule(
        id="DB206",
        severity="error",
        title="no benchmark left out",
        explanation="What was not measured is listed as such with its reason; leaving it out would hide it.",
        fix="Send the result as the harness wrote it.",
        find=_absent,
    ),
    Rule(
        id="DB207",
        severity="error",
        title="roles and importance as in the suite",
        explanation="Anchors and overhead decide over the other figures and cannot be exchanged for them; the "
        "importance of a sequence decides how narrow is narrow enough.",
        fix="Send the result as the harness wrote it.",
        find=_roles,
    ),
    Rule(
        id="DB208",
        severity="warning",
        title="all of the suite was run",
        explanation="A partial result is stored, but complete ones of the same system go before it.",
        fix="Finish the run: run --resume.",
        find=_partial,
    ),
    Rule(
        id="DB209",
        severity="warning",
        title="benchmarks failed",
        explanation="A failed benchmark has no latency, and networks that use it cannot be estimated in full.",
        fix="Read its reason; often memory, a missing operator of the runtime, or a wrong answer.",
        find=_failed,
    ),
    Rule(
        id="DB210",
        severity="error",
        title="something was measured",
        explanation="A result without a single latency says nothing and must not pass for one.",
        fix="Run more of the suite, or read why everything failed.",
        find=_nothing,
    ),
)
"""Rules of this group."""
