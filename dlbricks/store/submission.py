"""Submission of result files: read, check by all rules, summarise, and add to a store.

The sender's ``dlbricks check`` runs the same code.
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
from dlbricks.store.rules import all_rules
from dlbricks.store.rules.rule import CheckRule, SubmissionView, arrange
from dlbricks.store.statements import is_statement, read_statement
from dlbricks.store.summary import labels_of, measurements
from dlbricks.store.tables import split_document
from dlbricks.store.types import Finding, Signed, Submission, SubmissionReceipt
from dlbricks.suite.manifest import Suite, to_document
from dlbricks.typed_json import one_line
from dlbricks.units import counted

SEVERITIES = ("error", "warning", "info")
"""Severities, worst first."""

SHOWN = 20
"""Maximum number of findings of a rule; further ones are counted in one more finding."""


def check(
    document: Document,
    *,
    suite: Suite | None = None,
    known_suites: Collection[str] | None = None,
    stored: Sequence[StoredTimes] = (),
) -> tuple[Finding, ...]:
    """Apply all rules to a result.

    Args:
        document: from ``read_document``.
        suite: the suite that it has to be a result of; None for any.
        known_suites: digests of known suites; None to accept all.
        stored: results that it may have been copied from (``similar``).

    Returns:
        The findings by severity (worst first), rule and place in the document.
    """
    now_unix_ns = time.time_ns()
    context = arrange(document, suite=suite, known_suites=known_suites, now_unix_ns=now_unix_ns, stored=stored)
    found = [finding for rule in all_rules() for finding in _findings(rule, context)]
    return tuple(sorted(found, key=lambda finding: SEVERITIES.index(finding.severity)))


def worst_severity(findings: Sequence[Finding]) -> str:
    """Return the worst severity of some findings; ``clean`` if there are none."""
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
class SubmitOptions:
    """Options of a submission."""

    signature: str = ""
    """Signature of the file (``dlbricks.signing``); empty for none."""
    embargo_unix_ns: int | None = None
    """Time until which it is not shown."""
    provisional: bool = False
    """Whether it is provisional: until it is confirmed, it ranks below others of its tier."""
    corrects: str = ""
    """Prefix of the digest of a result of the same system and key that it replaces."""
    reason: str = ""
    """Reason of the correction."""


def submit(
    store: ResultStore, data: bytes, *, suite: Suite | None = None, options: SubmitOptions | None = None
) -> SubmissionReceipt:
    """Read, check and store a result, or apply a signed statement; repeating it changes nothing.

    A result of an unregistered suite waits until the suite is registered (``register``).

    Args:
        store: the store.
        data: content of a result file or of a statement.
        suite: the suite that it has to be a result of, which is registered; None for any registered suite.
        options: options of the submission; None for the default ones.

    Raises:
        InputError: the document cannot be read, or the store cannot be written.
        CheckError: a rule of severity error is violated, the signature is not valid, or the name belongs to another
            key.
    """
    asked = options or SubmitOptions()
    signed = None
    if asked.signature:
        signed = Signed(key=signer(data, asked.signature), signature=asked.signature, content=data)
    if is_statement(data):
        return submit_statement(store, data, signed)
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
        new = store.add_waiting(read_document(data), submission.digest, signed)
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


def submit_statement(store: ResultStore, data: bytes, signed: Signed | None) -> SubmissionReceipt:
    """Apply a signed statement of a name's owner; repeating it changes nothing.

    Raises:
        InputError: it cannot be read, or its result is not in the store.
        CheckError: it is not signed by the owner of the name.
    """
    said = read_statement(data)
    if signed is None:
        raise CheckError("the statement is not signed: 'ssh-keygen -Y sign -n dlbricks -f KEY FILE' does it")
    digest = digest_bytes(data)
    new = store.accept_statement(said, digest, signed)
    return SubmissionReceipt(digest=said.result or digest, new=new, results=0, key=signed.key, says=said.says)


def register(store: ResultStore, suite: Suite) -> tuple[str, ...]:
    """Register a suite, and submit the results that waited for it.

    Returns:
        Messages on results that are refused and remain waiting.

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
                submit(store, content, options=SubmitOptions(signature=signed.signature if signed else ""))
            except CheckError as error:
                refused.append(f"{one.digest[:12]} of {one.system}: {error}")
    return tuple(refused)


def digest_of(data: bytes) -> str:
    """Return the digest of a result document, which identifies it in a store.

    Raises:
        InputError: the document cannot be read.
    """
    return digest_bytes(canonical_json(read_document(data)))


def digest_given(text: str) -> str:
    """Return the digest of a result that is given as a file, or as its digest or a prefix of it.

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
    """Read, check and summarise a result; see ``check``.

    Args:
        data: content of the result file.
        suite: see ``check``.
        known_suites: see ``check``.
        store: whose results it is compared with to detect copies; None for no comparison.
        replaces: digest of a result that it replaces and may have the times of.

    Returns:
        The submission, and findings of severity warning or info.

    Raises:
        InputError: the document cannot be read.
        CheckError: a rule of severity error is violated.
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
    """Return the times of stored results, including withdrawn ones, that a new one may have been copied from.

    The result ``replaces`` is left out.
    """
    own, found = digest_bytes(canonical_json(document)), measurements(document).measurements
    widths = {name: (one.high_ns - one.low_ns) / max(one.latency_ns, 1) for name, one in found.items()}
    chosen = nearest(widths, store.widths(document["suite"]["digest"]))
    return tuple(stored_times(json.loads(store.document(one)), one) for one in chosen if one not in (own, replaces))


def submission_of(document: Document, severity: str) -> Submission:
    """Return the submission of a document that was read and checked."""
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
