"""DB1xx: does the document agree with itself."""

from collections.abc import Iterator

import dlbricks
from dlbricks.store.rules.rule import Context, Occurrence, Rule

_EARLIEST_UNIX_NS = 1_735_689_600 * 10**9
"""2025-01-01: no run is older than the program."""


def _complete(context: Context) -> Iterator[Occurrence]:
    missing = sum(entry.row["status"] == "not run" for entry in context.entries)
    if context.document["complete"] and missing:
        yield "complete", f"it is true, yet {missing} benchmarks were not run"
    if not context.document["complete"] and not missing:
        yield "complete", "it is false, yet every benchmark was run"


def _status(context: Context) -> Iterator[Occurrence]:
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


def _harness(context: Context) -> Iterator[Occurrence]:
    version = context.document["harness_version"]
    if version != dlbricks.__version__:
        yield "harness_version", f"measured by harness {version}, checked by dlbricks {dlbricks.__version__}"


def _start(context: Context) -> Iterator[Occurrence]:
    if context.document["started_unix_ns"] < _EARLIEST_UNIX_NS:
        yield "started_unix_ns", "the run is said to have begun before 2025"


RULES = (
    Rule(
        id="DB101",
        severity="error",
        title="complete means complete",
        explanation="A store prefers complete submissions, so the flag must agree with what was run.",
        fix="Resume the run (run --resume) instead of editing the result.",
        find=_complete,
    ),
    Rule(
        id="DB102",
        severity="error",
        title="status agrees with content",
        explanation="A benchmark that is ok has samples, one that is not has a reason; anything else was edited.",
        fix="Send the result as the harness wrote it; run again if it is lost.",
        find=_status,
    ),
    Rule(
        id="DB103",
        severity="info",
        title="harness of another version",
        explanation="Statistics are recomputed from the samples here; another version may have measured otherwise.",
        fix="Nothing, or generate the suite again with this version.",
        find=_harness,
    ),
    Rule(
        id="DB104",
        severity="warning",
        title="start time plausible",
        explanation="Of several submissions of one system the newest counts, so a clock that was never set misleads.",
        fix="Set the clock of the machine and run again.",
        find=_start,
    ),
)
"""Rules of this group."""
