"""From the bytes of a result file into a store: read, check, summarise, add.

Every rule is applied to the document; sender and store run the same code.
"""

import json
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from dlbricks.errors import CheckError, InputError
from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.signing import signer
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document, read_document, read_file
from dlbricks.store.ranking import is_provisional
from dlbricks.store.replays import StoredTimes, nearest, stored_times
from dlbricks.store.rules import RULES
from dlbricks.store.rules.rule import CheckRule, SubmissionView, arrange
from dlbricks.store.statements import is_statement, read_statement
from dlbricks.store.summary import labels_of, measurements
from dlbricks.store.tables import split_document
from dlbricks.store.types import Finding, Signed, Submission, SubmissionReceipt
from dlbricks.suite.manifest import Suite, to_document
from dlbricks.typed_json import one_line
from dlbricks.units import counted

SEVERITIES = ("error", "warning", "info")
"""Worst first."""

SHOWN = 20
"""Places that one rule names; the rest is counted in one more finding."""


def check(
    document: Document,
    *,
    suite: Suite | None = None,
    known_suites: Collection[str] | None = None,
    stored: Sequence[StoredTimes] = (),
) -> tuple[Finding, ...]:
    """Apply every rule to a submission that has been read.

    Args:
        document: what ``read_document`` gave.
        suite: the suite that it should be a result of; None if any will do.
        known_suites: digests of suites that are known; None if that does not matter.
        stored: results that it may have been made from (``similar``).

    Returns:
        What the rules found, worst severity first, then by rule and place in the document.
    """
    now_unix_ns = time.time_ns()
    context = arrange(document, suite=suite, known_suites=known_suites, now_unix_ns=now_unix_ns, stored=stored)
    found = [finding for rule in RULES for finding in _findings(rule, context)]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def worst_severity(findings: Sequence[Finding]) -> str:
    """Give the worst severity that occurs, or ``clean``."""
    occurring = {finding.severity for finding in findings}
    return next((severity for severity in SEVERITIES if severity in occurring), "clean")


def _findings(rule: CheckRule, context: SubmissionView) -> Iterator[Finding]:
    occurrences = rule.find(context)
    for where, message in islice(occurrences, SHOWN):
        yield _finding(rule, where, one_line(message))
    rest = sum(1 for _ in occurrences)
    if rest:
        yield _finding(rule, "", f"the same in {rest} more places")


def _finding(rule: CheckRule, where: str, message: str) -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity,
        title=rule.title,
        message=message,
        where=where,
        explanation=rule.explanation,
        fix=rule.fix,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """How a result is submitted, beside what it holds."""

    signature: str = ""
    """Of the file (``dlbricks.signing``); empty for none."""
    embargo_unix_ns: int | None = None
    """Until when it is not shown."""
    provisional: bool = False
    """Whether its sender does not stand for it yet: it goes after others that are believed as far, until confirmed."""
    corrects: str = ""
    """Beginning of the digest of a result of the same system and key that it replaces."""
    reason: str = ""
    """Why it replaces that one."""


def submit(
    store: ResultStore, data: bytes, *, suite: Suite | None = None, conditions: Conditions | None = None
) -> SubmissionReceipt:
    """Read, check and store a submission document; one that is there already changes nothing.

    A result of a suite that the store does not know is kept apart until the suite is registered (``register``).

    Args:
        store: where.
        data: content of a result file.
        suite: the suite that it has to be a result of, which is registered; None if any that the store knows will do.
        conditions: how it is submitted; None for unsigned and shown at once.

    Raises:
        InputError: the document cannot be read, or the store cannot be written.
        CheckError: a rule of severity error fails, the signature does not hold, or the name belongs to another key.
    """
    asked = conditions or Conditions()
    signed = None
    if asked.signature:
        signed = Signed(key=signer(data, asked.signature), signature=asked.signature, content=data)
    if is_statement(data):
        return state(store, data, signed)
    former = store.find(asked.corrects) if asked.corrects else None
    if former is not None and not asked.reason.strip():
        raise InputError("say with --reason why the result replaces another one")
    known = {one.digest for one in store.suites()} | ({suite.digest} if suite else set())
    replaces = former.digest if former else ""
    submission, findings = prepare(data, suite=suite, known_suites=known, store=store, replaces=replaces)
    waits = submission.suite_digest not in known
    if waits and (former is not None or asked.embargo_unix_ns is not None or asked.provisional):
        raise InputError(f"the store does not know suite {submission.suite}: name it with --suite")
    if suite is not None:
        store.register(to_document(suite))
    if waits:
        new = store.keep_apart(read_document(data), submission.digest, signed)
        return SubmissionReceipt(
            digest=submission.digest, new=new, results=0, waits_for=submission.suite, findings=findings
        )
    new = store.add(submission, signed=signed, embargo_unix_ns=asked.embargo_unix_ns, provisional=asked.provisional)
    if former is not None and new:
        store.correct(former, submission.digest, asked.reason)
    if suite is not None:
        register(store, suite)
    held = store.find(submission.digest)
    return SubmissionReceipt(
        digest=submission.digest,
        new=new,
        results=len(submission.results.measurements),
        findings=findings,
        key=signed.key if signed else "",
        withdrawn=held.withdrawn,
        provisional=is_provisional(held.trust),
    )


def state(store: ResultStore, data: bytes, signed: Signed | None) -> SubmissionReceipt:
    """Take in what the owner of a name says of its results or of its key; heard twice it changes nothing.

    Raises:
        InputError: it cannot be read, or what it is of is not there.
        CheckError: it is not signed by the owner of the name.
    """
    said = read_statement(data)
    if signed is None:
        raise CheckError("the statement is not signed: 'ssh-keygen -Y sign -n dlbricks -f KEY FILE' does it")
    digest = digest_bytes(data)
    new = store.state(said, digest, signed)
    return SubmissionReceipt(digest=said.result or digest, new=new, results=0, key=signed.key, says=said.says)


def register(store: ResultStore, suite: Suite) -> tuple[str, ...]:
    """Hold results against a suite from now on, and take in those that waited for it.

    Returns:
        Messages of what is refused, and waits on.

    Raises:
        InputError: the store cannot be written.
    """
    store.register(to_document(suite))
    refused = []
    for one in store.waiting():
        if one.suite_digest == suite.digest:
            try:
                signed = store.signature(one.digest)
                content = signed.content if signed else store.waiting_document(one.digest)
                submit(store, content, conditions=Conditions(signature=signed.signature if signed else ""))
            except CheckError as error:
                refused.append(f"{one.digest[:12]} of {one.system}: {error}")
    return tuple(refused)


def digest_of(data: bytes) -> str:
    """Give the digest by which a store knows a submission document.

    Raises:
        InputError: the document cannot be read.
    """
    return digest_bytes(canonical_json(read_document(data)))


def digest_given(text: str) -> str:
    """Give the digest of a result that is named by its file, or by its digest or the beginning of that.

    Raises:
        InputError: the file cannot be read.
    """
    return digest_of(read_file(Path(text))) if Path(text).is_file() else text


def prepare(
    data: bytes,
    *,
    suite: Suite | None = None,
    known_suites: Collection[str] | None = None,
    store: ResultStore | None = None,
    replaces: str = "",
) -> tuple[Submission, tuple[Finding, ...]]:
    """Read, check and summarise a submission document; see ``check``.

    It is compared with what a store has, if any, but for the result that it replaces.

    Returns:
        The submission, and the findings that do not stand in its way.

    Raises:
        InputError: the document cannot be read.
        CheckError: a rule of severity error fails, or nothing was measured.
    """
    document = read_document(data)
    stored = similar(store, document, replaces) if store is not None else ()
    findings = check(document, suite=suite, known_suites=known_suites, stored=stored)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        rules = sorted({finding.rule for finding in errors})
        raise CheckError(
            f"the result is refused: {errors[0].rule} {errors[0].where}: {errors[0].message}"
            f" ({counted(len(errors), 'finding')} of {', '.join(rules)}; dlbricks check lists them)"
        )
    return submission_of(document, worst_severity(findings)), findings


def similar(store: ResultStore, document: Document, replaces: str) -> tuple[StoredTimes, ...]:
    """Read the stored results, withdrawn ones too, that a new one may have been made from.

    It replaces ``replaces``, and may have its times.
    """
    own, found = digest_bytes(canonical_json(document)), measurements(document).measurements
    widths = {name: (one.high_ns - one.low_ns) / max(one.latency_ns, 1) for name, one in found.items()}
    chosen = nearest(widths, store.widths(document["suite"]["digest"]))
    return tuple(stored_times(json.loads(store.document(one)), one) for one in chosen if one not in (own, replaces))


def submission_of(document: Document, severity: str) -> Submission:
    """Turn a document that was read and checked into what a store takes in."""
    suite = document["suite"]
    results = measurements(document)
    manifest, body = split_document(document)
    smoke = bool(document["options"].get("smoke", False))
    return Submission(
        digest=digest_bytes(canonical_json(document)),
        suite=suite["name"],
        suite_digest=suite["digest"],
        manifest=manifest,
        body=body,
        started_unix_ns=document["started_unix_ns"],
        complete=document["complete"] and not smoke and all(one["status"] == "ok" for one in document["benchmarks"]),
        smoke=smoke,
        severity=severity,
        results=results,
        labels=labels_of(suite["manifest"], results.measurements),
    )
