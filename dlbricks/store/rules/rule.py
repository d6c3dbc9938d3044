"""Definition of a rule, its view of a submission, and its access to the facts of a system."""

import functools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.harness.stats import Summary, latency_of, summaries
from dlbricks.store.document import Document
from dlbricks.store.replays import StoredTimes
from dlbricks.suite.manifest import Suite

Occurrence: TypeAlias = tuple[str, str]
"""Place in the document, and what was found there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One item of ``benchmarks`` with the benchmark of the suite that it is of."""

    where: str
    """As in ``benchmarks[3]``."""
    row: dict[str, Any]
    """The item; not to be changed."""
    listed: dict[str, Any] | None
    """The benchmark in the suite's manifest; None if the suite has none of this fingerprint."""

    @property
    def name(self) -> str:
        """Readable name with the beginning of the fingerprint."""
        short: str = self.row["fingerprint"][:12]
        return short if self.listed is None else f"{self.listed['name']} {short}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured(Entry):
    """An entry whose status is ``ok`` and that has samples."""

    summary: Summary
    """Of its latency."""
    states: Mapping[str, Summary]
    """Of every state that it was measured in."""
    samples: tuple[int, ...]
    """All samples in their order, ns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionView:
    """A submission that can be read, arranged for the rules; nothing in it is to be changed."""

    document: Document
    entries: tuple[Entry, ...]
    measured: tuple[Measured, ...]
    """Those of ``entries`` that have a latency."""
    listed: Mapping[str, dict[str, Any]]
    """Benchmarks of the suite's manifest by fingerprint."""
    suite: Suite | None = None
    """The suite that the submission should be of; None if it was not given."""
    known_suites: Collection[str] | None = None
    """Digests of the suites that are known; None if that is not asked."""
    stored: Sequence[StoredTimes] = ()
    """Stored results of the same suite that this one may have been made from; none where there is no store."""
    now_unix_ns: int
    """The collector's clock."""

    @property
    def is_smoke(self) -> bool:
        """Whether the run was a smoke test."""
        return bool(self.document["options"].get("smoke"))

    def of_role(self, *roles: str) -> tuple[Measured, ...]:
        """Give the entries of these roles that have a latency."""
        return tuple(entry for entry in self.measured if entry.row["role"] in roles)


def arrange(
    document: Document,
    *,
    suite: Suite | None,
    known_suites: Collection[str] | None,
    now_unix_ns: int,
    stored: Sequence[StoredTimes] = (),
) -> SubmissionView:
    """Lay a document out for the rules; see ``SubmissionView``."""
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
        stored=stored,
    )


def _entry(where: str, row: dict[str, Any], listed: dict[str, Any] | None) -> Entry:
    if row["status"] != "ok" or not row["visits"]:
        return Entry(where=where, row=row, listed=listed)
    samples = tuple(sample for visit in row["visits"] for sample in visit["samples_ns"])
    return Measured(
        where=where, row=row, listed=listed, summary=latency_of(row), states=summaries(row), samples=samples
    )


Finder: TypeAlias = Callable[[SubmissionView], Iterator[Occurrence]]
"""Gives every place where a rule is broken, and what is wrong there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRule:
    """One condition that every submission is checked for."""

    id: str
    """``DB`` and three digits; the first is the group."""
    severity: str
    """``error``, ``warning`` or ``info``."""
    title: str
    explanation: str
    """Why it matters, one or two sentences."""
    fix: str
    """What to do."""
    find: Finder


AS_WRITTEN = "Send the result as the harness wrote it."
"""What to do about what the harness never writes."""


def _rule(severity: str, head: str, *, why: str, fix: str = AS_WRITTEN) -> Callable[[Finder], CheckRule]:
    identity, _, title = head.partition(": ")
    return lambda find: CheckRule(id=identity, severity=severity, title=title, explanation=why, fix=fix, find=find)


error, warning, info = (functools.partial(_rule, severity) for severity in ("error", "warning", "info"))
"""Make a rule of a function, as in ``@error("DB205: each benchmark once", why="...")``."""


def look(facts: Mapping[str, Any], path: str) -> Any:
    """Follow a dotted path, as in ``cpu.model``; None where it leads nowhere."""
    found: Any = facts
    for key in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(key)
    return found


def number(facts: Mapping[str, Any], path: str) -> float | None:
    """Give the number at a path; None if there is none."""
    found = look(facts, path)
    is_number = isinstance(found, int | float) and not isinstance(found, bool)
    return float(found) if is_number else None


def change(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> float | None:
    """Give by how much a number grew from the one to the other; None if it is not known of both."""
    first, last = number(before, path), number(after, path)
    return None if first is None or last is None else last - first


def load_average(facts: Mapping[str, Any]) -> float | None:
    """Give the load of the last minute; None if it is not known."""
    averages = look(facts, "load.average")
    return number({"first": averages[0]}, "first") if isinstance(averages, list) and averages else None


def shown(value: object) -> str:
    """Write a value of the facts in a message: plain, and not too long."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
