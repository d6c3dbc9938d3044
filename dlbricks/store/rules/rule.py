"""Types of rules and of their view of a submission, and access to the facts of a system."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.harness.cache_state import CacheDistances, cache_distances
from dlbricks.harness.stats import Summary, latency_of, summaries
from dlbricks.store.document import Document
from dlbricks.store.types import CopiedResult
from dlbricks.suite.manifest import Suite

Occurrence: TypeAlias = tuple[str, str]
"""Path in the document, and message."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Entry):
    """An entry with status ``ok`` and samples."""

    summary: Summary
    """Summary of its latency."""
    states: Mapping[str, Summary]
    """Summaries by cache state."""
    samples: tuple[int, ...]
    """All samples in order, ns."""


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

    def of_role(self, *roles: str) -> tuple[Measured, ...]:
        """Return the entries of some roles with a latency."""
        return tuple(entry for entry in self.measured if entry.row["role"] in roles)


def arrange(
    document: Document,
    *,
    suite: Suite | None,
    known_suites: Collection[str] | None,
    now_unix_ns: int,
    copied_from: Sequence[CopiedResult] = (),
) -> SubmissionView:
    """Return the view of a document; see ``SubmissionView``."""
    listed = {benchmark["fingerprint"]: benchmark for benchmark in document["suite"]["manifest"]["benchmarks"]}
    entries = tuple(
        _entry(f"benchmarks[{index}]", row, listed.get(row["fingerprint"]))
        for index, row in enumerate(document["benchmarks"])
    )
    return SubmissionView(
        document=document,
        entries=entries,
        measured=tuple(entry for entry in entries if isinstance(entry, Measured)),
        listed=listed,
        suite=suite,
        known_suites=known_suites,
        now_unix_ns=now_unix_ns,
        copied_from=copied_from,
    )


def _entry(where: str, row: dict[str, Any], listed: dict[str, Any] | None) -> Entry:
    if row["status"] != "ok" or not row["visits"]:
        return Entry(where=where, row=row, listed=listed)
    samples = tuple(sample for visit in row["visits"] for sample in visit["samples_ns"])
    return Measured(
        where=where, row=row, listed=listed, summary=latency_of(row), states=summaries(row), samples=samples
    )


Finder: TypeAlias = Callable[[SubmissionView], Iterator[Occurrence]]
"""Yields every violation of a rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """A rule that every submission is checked by."""

    id: str
    """``DB`` and three digits; the first is the group."""
    severity: str
    """``error``, ``warning`` or ``info``."""
    title: str
    explanation: str
    """Reason for the rule, one or two sentences."""
    fix: str
    """Suggested remedy."""
    find: Finder


AS_WRITTEN = "Send the result as the harness wrote it."
"""Remedy for results that the harness does not write."""


def _rule(severity: str, head: str, *, why: str, fix: str = AS_WRITTEN) -> Callable[[Finder], CheckRule]:
    identity, _, title = head.partition(": ")
    return lambda find: CheckRule(id=identity, severity=severity, title=title, explanation=why, fix=fix, find=find)


error, warning, info = (functools.partial(_rule, severity) for severity in ("error", "warning", "info"))
"""Decorators that make a function a rule, as in ``@error("DB205: each benchmark once", why="...")``."""


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


def load_average(facts: Mapping[str, Any]) -> float | None:
    """Return the load average over the last minute; None if it is unknown."""
    averages = get_path(facts, "load.average")
    return number({"first": averages[0]}, "first") if isinstance(averages, list) and averages else None


def format_fact(value: object) -> str:
    """Format a value of the facts for a message, truncated to 80 characters."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def cache_distances_of(context: SubmissionView) -> CacheDistances:
    """Return the reuse distances that the harness chose, from the caches in the facts that are valid."""
    listed = get_path(context.document["system"]["facts_before"], "cpu.caches")
    caches = [cache for cache in listed if _is_cache(cache)] if isinstance(listed, list) else []
    return cache_distances(caches, cold=context.document["runtime"]["provider"] == "cpu")


def _is_cache(cache: object) -> bool:
    if not isinstance(cache, Mapping) or not isinstance(cache.get("type"), str):
        return False
    return all(type(cache.get(key)) is int and cache[key] >= 0 for key in ("level", "size_bytes"))
