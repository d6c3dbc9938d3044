"""From the bytes of a result file to what a store takes in: read, check, summarise. Pure."""

import json

from dlbricks.errors import CheckError, InputError
from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.store.checks import check, worst_severity
from dlbricks.store.document import Document, read_document
from dlbricks.store.nouns import Finding, SequenceLabel, Submission
from dlbricks.store.summary import measurements


def prepare(data: bytes) -> tuple[Submission, tuple[Finding, ...]]:
    """Read, check and summarise a submission document.

    Returns:
        The submission, and the findings that do not stand in its way.

    Raises:
        InputError: the document cannot be read.
        CheckError: a rule of severity error fails, or nothing was measured.
    """
    document = read_document(data)
    findings = check(document)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        rules = sorted({finding.rule for finding in errors})
        raise CheckError(
            f"the result is refused: {errors[0].rule} {errors[0].where}: {errors[0].message}"
            f" ({len(errors)} findings of {', '.join(rules)}; dlbricks check lists them)"
        )
    return submission_of(document, worst_severity(findings)), findings


def submission_of(document: Document, severity: str) -> Submission:
    """Turn a document that was read and checked into what a store takes in."""
    suite = document["suite"]
    results = measurements(document)
    entries = {entry["fingerprint"]: entry for entry in suite["manifest"]["benchmarks"]}
    manifest, body = split_document(document)
    return Submission(
        digest=digest_bytes(canonical_json(document)),
        suite=suite["name"],
        suite_digest=suite["digest"],
        manifest=manifest,
        body=body,
        started_unix_ns=document["started_unix_ns"],
        complete=document["complete"] and not document["options"].get("smoke", False),
        severity=severity,
        results=results,
        labels=tuple(
            SequenceLabel(
                fingerprint=fingerprint,
                name=entries[fingerprint]["name"],
                operators=tuple(entries[fingerprint]["operators"]),
                layers=entries[fingerprint]["layers"],
            )
            for fingerprint in results.measurements
        ),
    )


def split_document(document: Document) -> tuple[bytes, bytes]:
    """Take the suite's manifest out of a document: many submissions share it. Both as canonical JSON."""
    suite = document["suite"]
    rest = {key: value for key, value in suite.items() if key != "manifest"}
    return canonical_json(suite["manifest"]), canonical_json(document | {"suite": rest})


def join_document(body: bytes, manifest: bytes, *, digest: str) -> bytes:
    """Put a document together again, as canonical JSON.

    Raises:
        InputError: the parts do not give the document that ``digest`` names.
    """
    try:
        document = json.loads(body)
        document["suite"]["manifest"] = json.loads(manifest)
        joined = canonical_json(document)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"what is stored of {digest} is no document") from error
    if digest_bytes(joined) != digest:
        raise InputError(f"what is stored of {digest} is another document")
    return joined
