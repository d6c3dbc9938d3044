"""Checking a submission: every rule over the whole document, the same code for who sends it and for who stores it."""

from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from dlbricks.store.document import Document
from dlbricks.store.nouns import Finding
from dlbricks.store.rules import RULES
from dlbricks.store.rules.rule import Context, Rule, arrange
from dlbricks.suite.manifest import Suite
from dlbricks.typed_json import one_line

SEVERITIES = ("error", "warning", "info")
"""Worst first."""

SHOWN = 20
"""Places that one rule names; the rest is counted in one more finding."""


def check(
    document: Document, *, suite: Suite | None = None, known_suites: Collection[str] | None = None
) -> tuple[Finding, ...]:
    """Apply every rule to a submission that has been read.

    Args:
        document: what ``read_document`` gave.
        suite: the suite that it should be a result of; None if any will do.
        known_suites: digests of suites that are known; None if that does not matter.

    Returns:
        What the rules found, worst severity first, then by rule and place in the document.
    """
    context = arrange(document, suite=suite, known_suites=known_suites)
    found = [finding for rule in RULES for finding in _findings(rule, context)]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def worst_severity(findings: Sequence[Finding]) -> str:
    """Give the worst severity that occurs, or ``clean``."""
    occurring = {finding.severity for finding in findings}
    return next((severity for severity in SEVERITIES if severity in occurring), "clean")


def _findings(rule: Rule, context: Context) -> Iterator[Finding]:
    occurrences = rule.find(context)
    for where, message in islice(occurrences, SHOWN):
        yield _finding(rule, where, one_line(message))
    rest = sum(1 for _ in occurrences)
    if rest:
        yield _finding(rule, "", f"the same in {rest} more places")


def _finding(rule: Rule, where: str, message: str) -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        title=rule.title,
        message=message,
        where=where,
        explanation=rule.explanation,
        fix=rule.fix,
    )
