"""The rules by which a submission is checked, one pure function each: their types, and access to facts of a system."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.harness.cache_state import CacheDistances, cache_distances
from dlbricks.harness.stats import Summary, latency_of, summaries
from dlbricks.store.document import Document
from dlbricks.store.types import CopiedResult
from dlbricks.suite.manifest import Suite

# Path in the document, and message.
Occurrence: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An item of ``benchmarks`` with its benchmark in the suite's manifest."""

    where: str
    """Path, as in ``benchmarks[3]``."""
    row: dict[str, Any]
    """The item; not to be modified."""
    listed: dict[str, Any] | None
    """The benchmark in the suite's manifest; None if the suite has no benchmark of this fingerprint."""

    @property
    def name(self) -> str:
        """Name of the benchmark with a prefix of its fingerprint."""
        short: str = self.row["fingerprint"][:12]
        return short if self.listed is None else f"{self.listed['name']} {short}"

    @property
    def visits(self) -> list[tuple[str, dict[str, Any]]]:
        """Path and content of each visit."""
        return [(f"{self.where}.visits[{index}]", visit) for index, visit in enumerate(self.row["visits"])]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Entry):
    """An entry with status ``ok`` and samples."""

    summary: Summary
    """Summary of its latency."""
    states: Mapping[str, Summary]
    """Summaries by cache state."""
    samples: tuple[int, ...]
    """All samples in order, ns."""

    @property
    def least_ns(self) -> int:
        """The shortest latency in any state."""
        return min(summary.latency_ns for summary in self.states.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    """A valid submission in the form that the rules need; not to be modified."""

    document: Document
    entries: tuple[Entry, ...]
    measured: tuple[Measured, ...]
    """The entries with a latency."""
    listed: Mapping[str, dict[str, Any]]
    """Benchmarks of the suite's manifest by fingerprint."""
    suite: Suite | None = None
    """The suite that the submission has to be of; None for any."""
    known_suites: Collection[str] | None = None
    """Digests of known suites; None to accept all."""
    copied_from: Sequence[CopiedResult] = ()
    """Stored results that its times were copied from; empty without a store."""
    now_unix_ns: int
    """Time of the check, by the collector's clock."""

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
        """Whether the run was on the processor."""
        return bool(self.runtime["provider"] == "cpu")

    @property
    def facts(self) -> dict[str, dict[str, Any]]:
        """Facts of the machine, before and after the run, by their key."""
        return {name: self.document["system"][name] for name in ("facts_before", "facts_after")}

    @property
    def distances(self) -> CacheDistances:
        """The reuse distances that the harness chose, from the caches in the facts that are valid."""
        listed = get_path(self.facts["facts_before"], "cpu.caches")
        caches = [cache for cache in listed if _is_cache(cache)] if isinstance(listed, list) else []
        return cache_distances(caches, cold=self.on_cpu)

    def of_role(self, *roles: str) -> tuple[Measured, ...]:
        """Return the entries of some roles with a latency."""
        return tuple(entry for entry in self.measured if entry.row["role"] in roles)


def _is_cache(cache: object) -> bool:
    if not isinstance(cache, Mapping) or not isinstance(cache.get("type"), str):
        return False
    # true is an int as well
    return all(type(cache.get(key)) is int and cache[key] >= 0 for key in ("level", "size_bytes"))


def arrange(document: Document, **context: Any) -> SubmissionView:
    """Return the view of a document; ``context`` are the fields of ``SubmissionView`` that do not follow from it."""
    listed = {benchmark["fingerprint"]: benchmark for benchmark in document["suite"]["manifest"]["benchmarks"]}
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
    """A rule that every submission is checked by."""

    id: str
    """``DB`` and three digits; the first is the group."""
    severity: str
    """``error``, ``warning`` or ``info``."""
    title: str
    """What is wrong."""
    explanation: str
    """Reason for the rule, one or two sentences."""
    fix: str
    """Suggested remedy."""
    find: Finder


def _rule(
    severity: str, head: str, fix: str = "Send the result as the harness wrote it."
) -> Callable[[Finder], CheckRule]:
    identity, _, title = head.partition(": ")

    def rule(find: Finder) -> CheckRule:
        explanation = " ".join((find.__doc__ or "").split())
        return CheckRule(id=identity, severity=severity, title=title, explanation=explanation, fix=fix, find=find)

    return rule


# Decorators that make a function a rule, as in ``@error("DB205: a benchmark is listed twice")``; the function's
# docstring is the explanation, and the second argument the remedy, by default for what the harness does not write.
error, warning, info = (functools.partial(_rule, severity) for severity in ("error", "warning", "info"))


def get_path(facts: Mapping[str, Any], path: str) -> Any:
    """Return the value at a dotted path, as in ``cpu.model``; None if there is none."""
    value: Any = facts
    for key in path.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(key)
    return value


def number(facts: Mapping[str, Any], path: str) -> float | None:
    """Return the number at a path; None if there is none."""
    value = get_path(facts, path)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number else None


def change(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> float | None:
    """Return the increase of a number from ``before`` to ``after``; None if either is unknown."""
    first, last = number(before, path), number(after, path)
    return None if first is None or last is None else last - first


def format_fact(value: object) -> str:
    """Format a value of the facts for a message, truncated to 80 characters."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
