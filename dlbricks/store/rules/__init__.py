"""The type of rules, and the rules on traces (DB0xx), structure (DB1xx), suite (DB2xx) and outputs (DB3xx)."""

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.harness.cache_state import CacheDistances, cache_distances
from dlbricks.harness.cpu import benchmarks_for
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.harness.output_digest import compare
from dlbricks.harness.run.files import TEXT_COLUMNS
from dlbricks.harness.stats import Summary, latency_of, summaries
from dlbricks.store.document import Document
from dlbricks.store.types import CopiedResult
from dlbricks.suite.manifest import Suite, content_digest

# A violation of a rule: the path in the document, and the message.
Occurrence: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Entry of one benchmark in a result, with the benchmark's description in the suite."""

    where: str
    """Path of the entry, as in ``benchmarks[3]``."""
    row: dict[str, Any]
    listed: dict[str, Any] | None
    """Description in the suite; None if the suite lacks the benchmark."""

    @property
    def name(self) -> str:
        """Name of the benchmark and a prefix of its fingerprint."""
        short: str = self.row["fingerprint"][:12]
        return short if self.listed is None else f"{self.listed['name']} {short}"

    @property
    def visits(self) -> list[tuple[str, dict[str, Any]]]:
        """Path and content of each visit."""
        return [(f"{self.where}.visits[{index}]", visit) for index, visit in enumerate(self.row["visits"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Entry):
    """Entry of a measured benchmark."""

    summary: Summary
    states: Mapping[str, Summary]
    samples: tuple[int, ...]
    """All samples in ns, in their order."""

    @property
    def least_ns(self) -> int:
        """Latency in the fastest cache state, ns."""
        return min(summary.latency_ns for summary in self.states.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    """A result document in the form that rules read; do not modify it."""

    document: Document
    entries: tuple[Entry, ...]
    measured: tuple[Measured, ...]
    listed: Mapping[str, dict[str, Any]]
    """Descriptions in the suite of what the machine is meant to run, by fingerprint."""
    suite: Suite | None = None
    known_suites: Collection[str] | None = None
    """Digests of the registered suites; None accepts all suites."""
    copied_from: Sequence[CopiedResult] = ()
    """Stored results with the same times as this result; empty without a store."""
    now_unix_ns: int
    """Time of the check, ns since 1970."""

    @property
    def is_smoke(self) -> bool:
        """Whether the run was a smoke test."""
        return bool(self.document["options"].get("smoke"))

    @property
    def runtime(self) -> dict[str, Any]:
        """The runtime and its options."""
        runtime: dict[str, Any] = self.document["runtime"]
        return runtime

    @property
    def on_cpu(self) -> bool:
        """Whether the run used the processor: provider ``cpu``, or a machine without GPUs."""
        return bool(self.runtime["provider"] == "cpu" or not get_path(self.facts["facts_before"], "gpus"))

    @property
    def facts(self) -> dict[str, dict[str, Any]]:
        """Facts of the machine before and after the run: ``facts_before``, ``facts_after``."""
        return {name: self.document["system"][name] for name in ("facts_before", "facts_after")}

    @property
    def distances(self) -> CacheDistances:
        """Bytes that the harness reads before calls; they depend on the machine's cache sizes."""
        listed = get_path(self.facts["facts_before"], "cpu.caches")
        caches = [cache for cache in listed if _is_cache(cache)] if isinstance(listed, list) else []
        return cache_distances(caches, cold=self.runtime["provider"] == "cpu")

    @property
    def disturbed_share(self) -> float:
        """Share of disturbed visits: those during which another process used the core."""
        disturbed = [bool(visit.get("disturbed")) for entry in self.measured for visit in entry.row["visits"]]
        return sum(disturbed) / max(1, len(disturbed))

    def of_role(self, *roles: str) -> tuple[Measured, ...]:
        """Return the entries of measured benchmarks with some roles, such as ``sequence``."""
        return tuple(entry for entry in self.measured if entry.row["role"] in roles)


def _is_cache(cache: object) -> bool:
    if not isinstance(cache, Mapping) or not isinstance(cache.get("type"), str):
        return False
    # type() instead of isinstance(), since true is an int in Python
    return all(type(cache.get(key)) is int and cache[key] >= 0 for key in ("level", "size_bytes"))


def arrange(document: Document, **context: Any) -> SubmissionView:
    """Prepare a result document for the rules; ``context`` has other fields of ``SubmissionView``."""
    code = get_path(document, "system.facts_before.cpu.instruction_set")
    rows = benchmarks_for(document["suite"]["manifest"], code if isinstance(code, list) else [])
    listed = {benchmark["fingerprint"]: benchmark for benchmark in rows}
    entries = tuple(
        _entry(f"benchmarks[{index}]", row, listed.get(row["fingerprint"]))
        for index, row in enumerate(document["benchmarks"])
    )
    measured = tuple(entry for entry in entries if isinstance(entry, Measured))
    return SubmissionView(document=document, entries=entries, measured=measured, listed=listed, **context)


def _entry(where: str, row: dict[str, Any], listed: dict[str, Any] | None) -> Entry:
    if row["status"] != "ok" or not row["visits"]:
        return Entry(where=where, row=row, listed=listed)
    samples = tuple(sample for visit in row["visits"] for sample in visit["samples_ns"])
    summary, states = latency_of(row), summaries(row)
    return Measured(where=where, row=row, listed=listed, summary=summary, states=states, samples=samples)


# Yields every violation of a rule.
Finder: TypeAlias = Callable[[SubmissionView], Iterator[Occurrence]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """A rule for submissions."""

    id: str
    """``DB`` and three digits; the first digit is the group."""
    severity: str
    title: str
    explanation: str
    fix: str
    find: Finder


def _rule(
    severity: str, head: str, fix: str = "Send the result as the harness wrote it."
) -> Callable[[Finder], CheckRule]:
    identity, _, title = head.partition(": ")

    def rule(find: Finder) -> CheckRule:
        explanation = " ".join((find.__doc__ or "").split())
        return CheckRule(id=identity, severity=severity, title=title, explanation=explanation, fix=fix, find=find)

    return rule


# Decorators that turn a function into a rule, as in ``@error("DB205: a benchmark is listed twice")``. The function's
# docstring is the explanation and the second argument is the remedy; the default is for results that were edited.
error, warning, info = (functools.partial(_rule, severity) for severity in ("error", "warning", "info"))


def get_path(facts: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path such as ``cpu.model``; None if it is missing."""
    value: Any = facts
    for key in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def number(facts: Mapping[str, Any], path: str) -> float | None:
    """Return the number at a dotted path; None if it is missing."""
    value = get_path(facts, path)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None


def change(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> float | None:
    """Return the increase of a number from ``before`` to ``after``; None if the number is missing in either."""
    first, last = number(before, path), number(after, path)
    return None if first is None or last is None else last - first


def format_fact(value: object) -> str:
    """Format a fact for a message, in at most 80 characters."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


# For each part of a trace, its column with indices of rows of ``layers``.
_ABOVE = {"layers": "parent", "kernels": "layer"}


# Yield path, name and trace of every entry with a trace.
def _traces(view: SubmissionView) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    for entry in view.entries:
        trace = entry.row.get("trace", {})
        if "layers" in trace:
            yield f"{entry.where}.trace", entry.name, trace


@error("DB001: the columns of a trace contradict each other")
def _columns(view: SubmissionView) -> Iterator[Occurrence]:
    """All columns of a trace have equal lengths. Its indices refer to existing names and to earlier rows."""
    names = len(view.document.get("names", []))
    for where, name, trace in _traces(view):
        rows = len(trace["layers"]["name"])
        for part, above_name in _ABOVE.items():
            columns = {column: cells for column, cells in trace.get(part, {}).items() if isinstance(cells, list)}
            if len({len(column) for column in columns.values()}) > 1:
                yield f"{where}.{part}", f"{name}: the columns differ in length"
                continue
            if any(max(columns[column], default=-1) >= names for column in TEXT_COLUMNS if column in columns):
                yield f"{where}.{part}", f"{name}: an index exceeds the {names} names of the document"
            above = columns.get(above_name, [])
            limits = range(len(above)) if part == "layers" else [rows] * len(above)
            if any(row >= limit for row, limit in zip(above, limits, strict=True)):
                yield f"{where}.{part}.{above_name}", f"{name}: a row refers to itself or to a later row"


@warning("DB004: a requested trace is missing", "Give the run more time: 'dlbricks run --resume --trace ML'.")
def _missing(view: SubmissionView) -> Iterator[Occurrence]:
    """Analyses of single layers leave out a benchmark that has no trace; its latency remains usable."""
    for entry in view.of_role(*TRACED_ROLES) if view.document["options"].get("trace") else ():
        trace = entry.row.get("trace", {"failed": "the run ended before its trace"})
        if "failed" in trace:
            yield entry.where, f"{entry.name}: {trace['failed']}"


@error(
    "DB101: the key 'complete' contradicts the benchmarks",
    "Finish the run with 'dlbricks run --resume'; do not edit it.",
)
def _complete(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness sets ``complete`` only if all benchmarks were run; a store prefers complete submissions."""
    complete, not_run = view.document["complete"], _not_run(view)
    if complete == bool(not_run):
        yield "complete", f"the value is {str(complete).lower()}, but benchmarks were not run: {not_run}"


def _not_run(view: SubmissionView) -> int:
    return sum(entry.row["status"] == "not run" for entry in view.entries)


@error("DB102: the status contradicts the content", "Send the result as the harness wrote it, or run again.")
def _status(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness writes either samples, for status ok, or a reason, for any other status."""
    for entry in view.entries:
        row, status = entry.row, entry.row["status"]
        for key, contradicts, text in (
            ("visits", status == "ok" and not row["visits"], "samples are missing"),
            ("verdict", status == "ok" and row["verdict"]["kind"] == "failed", "the verdict is failed"),
            ("reason", status != "ok" and not row["reason"], "the reason is missing"),
            ("visits", status == "not run" and row["visits"], "samples are present"),
        ):
            if contradicts:
                yield f"{entry.where}.{key}", f"the status is {status}, but {text}"


# more than 14 hours, by which a clock that shows local time instead of UTC may be ahead
_DAY_NS = 86_400 * 10**9


@error("DB105: the run starts in the future", "Set the clock of the machine and run again.")
def _future(view: SubmissionView) -> Iterator[Occurrence]:
    """If a run starts later than it is checked, the clock of its machine was wrong."""
    ahead_ns = view.document["started_unix_ns"] - view.now_unix_ns
    if ahead_ns > _DAY_NS:
        yield "started_unix_ns", f"the start of the run is {ahead_ns / _DAY_NS:.0f} days in the future"


@error("DB201: the suite was changed", "Run the suite as it was published.")
def _changed(view: SubmissionView) -> Iterator[Occurrence]:
    """The digest identifies the suite; a manifest with a different digest was changed."""
    suite, manifest = view.document["suite"], view.document["suite"]["manifest"]
    for path, stated, actual in (
        ("suite.manifest.digest", manifest["digest"], content_digest(manifest)),
        ("suite.digest", suite["digest"], manifest["digest"]),
        ("suite.name", suite["name"], manifest["name"]),
    ):
        if stated != actual:
            yield path, f"the result states '{stated}', but the manifest has '{actual}'"


@error("DB202: the suite is not registered", "Name the suite with --suite, or run 'dlbricks suites --add SUITE'.")
def _known_suite(view: SubmissionView) -> Iterator[Occurrence]:
    """A store compares results of one suite with each other, so it accepts only suites that it has."""
    suite = view.document["suite"]
    if view.suite is None and view.known_suites is not None and suite["digest"] not in view.known_suites:
        text = f"suite {suite['name']} ({suite['digest'][:12]}) is not registered in the store"
        yield "suite.digest", f"{text}: name it with --suite, or run 'dlbricks suites --add SUITE'"


@error("DB203: the result is of another suite", "Check against the suite that was run, or run the expected suite.")
def _expected(view: SubmissionView) -> Iterator[Occurrence]:
    """Results of another suite, or of another revision of the suite, have other benchmarks than expected."""
    suite, wanted = view.document["suite"], view.suite
    if wanted is not None and suite["digest"] != wanted.digest:
        measured = f"{suite['name']} ({suite['digest'][:12]})"
        yield "suite.digest", f"the result is of suite {measured}, not of {wanted.name} ({wanted.digest[:12]})"


@error("DB204: a benchmark is not in the suite")
def _strangers(view: SubmissionView) -> Iterator[Occurrence]:
    """A benchmark that the suite's manifest does not list has neither a network nor reference outputs."""
    for entry in view.entries:
        if entry.listed is None:
            yield f"{entry.where}.fingerprint", f"the suite has no benchmark {entry.name}"


@error("DB205: a benchmark is listed twice")
def _twice(view: SubmissionView) -> Iterator[Occurrence]:
    """A benchmark has two entries, so that it is undefined which of them counts."""
    counts = Counter(entry.row["fingerprint"] for entry in view.entries)
    for entry in view.entries:
        if counts.pop(entry.row["fingerprint"], 0) > 1:
            yield f"{entry.where}.fingerprint", f"benchmark {entry.name} is listed more than once"


@error("DB206: a benchmark is left out")
def _absent(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness lists every benchmark of the suite, with a reason if it was not measured, so an entry was removed."""
    present = {entry.row["fingerprint"] for entry in view.entries}
    for fingerprint, benchmark in view.listed.items():
        if fingerprint not in present:
            yield "benchmarks", f"benchmark {benchmark['name']} {fingerprint[:12]} of the suite is not listed"


@error("DB207: role or importance differs from the suite")
def _roles(view: SubmissionView) -> Iterator[Occurrence]:
    """The harness copies role and importance from the suite, so another value was edited."""
    for entry in view.entries:
        for key in ("role", "importance") if entry.listed is not None else ():
            stated, listed = entry.row[key], (entry.listed or {})[key]
            if stated != listed:
                yield f"{entry.where}.{key}", f"the result has {stated}, but the suite has {listed}"


@warning("DB208: the run is partial", "Finish the run with 'dlbricks run --resume'.")
def _partial(view: SubmissionView) -> Iterator[Occurrence]:
    """The store accepts a partial result, but prefers complete results of the same system."""
    if not_run := _not_run(view):
        yield "benchmarks", f"{not_run} of {len(view.entries)} benchmarks were not run"


@warning("DB209: a benchmark failed", "Fix the stated reason, such as lack of memory or wrong outputs.")
def _failed(view: SubmissionView) -> Iterator[Occurrence]:
    """A failed benchmark has no latency, so estimates of networks that contain it are incomplete."""
    for entry in view.entries:
        if entry.row["status"] == "failed":
            yield entry.where, f"{entry.name}: {entry.row['reason']}"


@error("DB210: the result has no latency", "Run more of the suite, or fix the reason why all benchmarks failed.")
def _nothing(view: SubmissionView) -> Iterator[Occurrence]:
    """A result without the latency of a sequence is of no use for estimates."""
    if not view.of_role("sequence", "whole"):
        yield "benchmarks", "no sequence has a latency"


@error("DB301: output digests are missing")
def _count(view: SubmissionView) -> Iterator[Occurrence]:
    """If the digest of an output is missing, the result does not show that the network was run."""
    for entry in view.measured:
        if entry.listed is not None and len(entry.row["output_digests"]) != len(entry.listed["outputs"]):
            digests, outputs = len(entry.row["output_digests"]), len(entry.listed["outputs"])
            yield f"{entry.where}.output_digests", f"{entry.name}: number of digests {digests}, of outputs {outputs}"


# Yield path and digest of each output, and its entry in the manifest's list ``key``.
def _digests(entry: Measured, key: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    listed = (entry.listed or {}).get(key) or []
    for index, (digest, expected) in enumerate(zip(entry.row["output_digests"], listed, strict=False)):
        yield f"{entry.where}.output_digests[{index}]", digest, expected


def _form(value: dict[str, Any]) -> str:
    return f"{value['dtype']}[{','.join(map(str, value['shape']))}]"


@error("DB302: an output has another form", "Run the networks of the suite unchanged.")
def _other_form(view: SubmissionView) -> Iterator[Occurrence]:
    """The network determines the shape and element type of its outputs, so this output is of another network."""
    for entry in view.measured:
        for where, digest, output in _digests(entry, "outputs"):
            if _form(digest) != _form(output):
                yield where, f"{entry.name}: the form is {_form(digest)}, but the suite has {_form(output)}"


@error("DB303: an output is wrong", "Remove the option that causes it, or report it to the runtime's developers.")
def _wrong(view: SubmissionView) -> Iterator[Occurrence]:
    """Inputs and weights are the same on all machines, so outputs must agree within the tolerance of their type."""
    options = " ".join(f"{name}={value}" for name, value in view.runtime["session_options"].items())
    exact = view.on_cpu and not re.search(r"f(loat)?16\b", options)  # other devices may use TF32
    for entry in view.measured:
        for where, digest, reference in _digests(entry, "reference"):
            if _form(digest) == _form(reference):
                difference = compare(digest, reference, (entry.listed or {})["operators"], exact=exact)
                if difference is not None:
                    yield where, f"{entry.name}: {difference}"


@warning("DB304: an output is not finite", "Check the runtime, unless the suite's reference has such values.")
def _infinite(view: SubmissionView) -> Iterator[Occurrence]:
    """Arithmetic with infinities or NaN may take more or less time than arithmetic with usual values."""
    for entry in view.measured:
        for index, digest in enumerate(entry.row["output_digests"]):
            if digest["finite"] < 1:
                text = f"{entry.name}: {1 - digest['finite']:.3%} of an output are NaN or infinite"
                yield f"{entry.where}.output_digests[{index}]", text
