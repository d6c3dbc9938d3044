"""Submits result files: reads, checks and summarises them, and adds them to a store."""

import json
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from dlbricks.errors import CheckError, InputError, MissingDependencyError
from dlbricks.extensions import extensions
from dlbricks.store import rules
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document, as_current, read_file, read_versions
from dlbricks.store.queries import is_complete
from dlbricks.store.records import is_provisional, split_document
from dlbricks.store.rules import CheckRule, SubmissionView, arrange, machine, samples
from dlbricks.store.summary import labels_of, measurements
from dlbricks.store.types import Calibration, CopiedResult, Finding, Submission, SubmissionReceipt, SystemResults
from dlbricks.suite.manifest import Suite, to_document
from dlbricks.typed_json import canonical_json, digest_bytes, one_line

_VALUES = (value for module in (rules, samples, machine) for value in vars(module).values())
# The built-in rules, by id.
RULES = tuple(sorted((value for value in _VALUES if isinstance(value, CheckRule)), key=lambda rule: rule.id))
# Severities of rules, the worst first.
SEVERITIES = ("error", "warning", "info")
# Maximum number of findings of a rule; one more finding counts the rest.
MAX_FINDINGS = 20


def all_rules() -> tuple[CheckRule, ...]:
    """Return all rules, those of extensions included; raises ``InputError`` for a repeated id."""
    rules = {rule.id: rule for rule in RULES}
    for rule in extensions("dlbricks.rules", CheckRule):
        if rules.setdefault(rule.id, rule) is not rule:
            raise InputError(f"duplicate rule id '{rule.id}' in an extension: choose another id")
    return tuple(rules.values())


def check(
    document: Document,
    *,
    suite: Suite | None = None,
    known_suites: Collection[str] | None = None,
    copied_from: Sequence[CopiedResult] = (),
) -> tuple[Finding, ...]:
    """Apply all rules to a document from ``read_document``; return findings, the worst first.

    ``suite`` is the expected suite (None allows any), and ``known_suites`` has digests of allowed suites (None allows
    all). ``copied_from`` has stored results with the same times (``StoreHook.before_add``).
    """
    now_unix_ns = time.time_ns()
    view = arrange(document, suite=suite, known_suites=known_suites, now_unix_ns=now_unix_ns, copied_from=copied_from)
    findings = [finding for rule in all_rules() for finding in _findings(rule, view)]
    return tuple(sorted(findings, key=lambda finding: SEVERITIES.index(finding.severity)))


def worst_severity(findings: Sequence[Finding]) -> str:
    """Return the worst severity, or ``clean`` without findings."""
    return min((finding.severity for finding in findings), key=SEVERITIES.index, default="clean")


def _findings(rule: CheckRule, view: SubmissionView) -> Iterator[Finding]:
    occurrences = rule.find(view)
    listed = [(where, one_line(message)) for where, message in islice(occurrences, MAX_FINDINGS)]
    rest = sum(1 for _ in occurrences)
    texts = {"title": rule.title, "explanation": rule.explanation, "fix": rule.fix}
    for where, message in [*listed, *([("", f"this rule has {rest} more findings")] if rest else [])]:
        yield Finding(rule=rule.id, severity=rule.severity, where=where, message=message, **texts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmitOptions:
    """Options for submitting a result."""

    signature: str = ""
    embargo_unix_ns: int | None = None
    """Time until which the store does not show the result."""
    provisional: bool = False
    """Whether the result ranks below others of its tier until the sender confirms it."""
    corrects: str = ""
    """Prefix of the digest of the earlier result that this result replaces."""
    reason: str = ""


def submit(
    store: ResultStore,
    data: bytes,
    *,
    suite: Suite | None = None,
    options: SubmitOptions | None = None,
    calibrate: Callable[[Document, SystemResults], Calibration] | None = None,
) -> SubmissionReceipt:
    """Read, check and store a result or a statement; storing the same file again changes nothing.

    ``suite`` is registered, and a result of another suite is refused. ``calibrate`` fits estimates to the reference
    networks of a result. Raises ``CheckError`` for a violated rule of severity error, an invalid signature, or a system
    name that belongs to another key.
    """
    options = options or SubmitOptions()
    if store.hook is None and options.signature:
        raise MissingDependencyError("the file is signed, but the plug-in 'trust' is missing: reinstall dlbricks")
    signed = store.hook.receive(store, data, options.signature) if store.hook is not None else None
    if isinstance(signed, SubmissionReceipt):
        return signed
    former = store.history.find(options.corrects) if options.corrects else None
    if former is not None and not options.reason.strip():
        raise InputError("--corrects requires --reason: state why the result replaces the earlier one")
    known_suites = {each.digest for each in store.registry.suites()} | ({suite.digest} if suite else set())
    replaces = former.digest if former else ""
    submission, findings = prepare(
        data, suite=suite, known_suites=known_suites, store=store, replaces=replaces, calibrate=calibrate
    )
    if suite is not None:
        store.registry.register(to_document(suite))
    new = store.add(submission, signed=signed, embargo_unix_ns=options.embargo_unix_ns, provisional=options.provisional)
    if former is not None and new:
        store.history.correct(former, submission.digest, options.reason)
    if new:
        _replace_beginning(store, submission.digest)
    stored = store.history.find(submission.digest)
    return SubmissionReceipt(
        digest=submission.digest,
        new=new,
        results=len(submission.results.measurements),
        findings=findings,
        key=signed.key if signed else "",
        withdrawn=stored.withdrawn,
        provisional=is_provisional(stored.trust),
        standing=store.standings(stored.configuration).get(stored.digest),
    )


def _replace_beginning(store: ResultStore, digest: str) -> None:
    # Of two results of one run, let the one after it was resumed replace the other, unless only it is unconfirmed:
    # nothing proves that results without a key have one sender.
    runs = {each.digest: each for each in store.history.submissions() if each.withdrawn is None}
    new = runs.pop(digest)
    of = (new.configuration, new.key, new.started_unix_ns)
    for each in (each for each in runs.values() if (each.configuration, each.key, each.started_unix_ns) == of):
        both = {run: as_current(json.loads(store.document(run.digest))) for run in (each, new)}
        before, after = sorted(both, key=lambda run: both[run]["timing"]["wall_ns"])
        resumed = is_one_run(*both.values()) and both[before]["timing"] != both[after]["timing"]
        odd = {name for name, standing in store.standings(new.configuration).items() if standing.unconfirmed}
        if resumed and (before.digest in odd or after.digest not in odd):
            store.history.correct(before, after.digest, "the same run, resumed")


def is_one_run(first: Document, second: Document) -> bool:
    """Return whether two results are of one run, before and after it was resumed: the longer has all earlier visits."""
    before, after = sorted((first, second), key=lambda each: each["timing"]["wall_ns"])
    runs = [(each["suite"]["digest"], each["system"]["name"], each["started_unix_ns"]) for each in (before, after)]
    old, new = ({row["fingerprint"]: row["visits"] for row in each["benchmarks"]} for each in (before, after))
    continues = all(new.get(name, [])[: len(visits)] == visits for name, visits in old.items())
    return runs[0] == runs[1] and any(old.values()) and continues


def digest_of(data: bytes) -> str:
    """Return the digest of a result document."""
    return digest_bytes(canonical_json(read_versions(data)[0]))


def digest_given(text: str, store: ResultStore) -> str:
    """Return the digest of the stored result in a file, or ``text`` itself, which is then a digest or a prefix."""
    digest = digest_of(read_file(Path(text))) if Path(text).is_file() else text
    if digest != text and all(each.digest != digest for each in store.history.submissions()):
        raise InputError(f"store {store.place} lacks the result in {text}: 'dlbricks systems --all' lists what it has")
    return digest


def prepare(
    data: bytes,
    *,
    suite: Suite | None = None,
    known_suites: Collection[str] | None = None,
    store: ResultStore | None = None,
    replaces: str = "",
    calibrate: Callable[[Document, SystemResults], Calibration] | None = None,
) -> tuple[Submission, tuple[Finding, ...]]:
    """Read, check and summarise a result; return the submission, and findings of severity warning or info.

    ``suite`` and ``known_suites`` are as in ``check``. Results in ``store`` are searched for copies, except the result
    with digest ``replaces``. Raises ``CheckError`` for a violated rule of severity error.
    """
    original, document = read_versions(data)
    digest = digest_bytes(canonical_json(original))
    copied_from = store.hook.before_add(store, document, (digest, replaces)) if store is not None and store.hook else ()
    findings = check(document, suite=suite, known_suites=known_suites, copied_from=copied_from)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        more = f" (and {len(errors) - 1} more: 'dlbricks check' lists all)" if len(errors) > 1 else ""
        raise CheckError(f"the result is refused: {errors[0].rule} {errors[0].where}: {errors[0].message}{more}")
    results = measurements(document)
    results = replace(results, calibration=calibrate(document, results)) if calibrate else results
    manifest, body = split_document(original)
    submission = Submission(
        digest=digest,
        suite=document["suite"]["name"],
        suite_digest=document["suite"]["digest"],
        manifest=manifest,
        body=body,
        started_unix_ns=document["started_unix_ns"],
        complete=is_complete(document),
        smoke=bool(document["options"].get("smoke", False)),
        severity=worst_severity(findings),
        results=results,
        labels=labels_of(document["suite"]["manifest"], results.measurements),
    )
    return submission, findings
