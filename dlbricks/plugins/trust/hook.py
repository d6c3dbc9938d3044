"""The ``StoreHook`` of the plug-in: signatures, statements, and detection of copies."""

import json
import time
from typing import Any

from dlbricks.errors import CheckError, InputError
from dlbricks.plugins.trust.replays import copied_from, nearest
from dlbricks.plugins.trust.signing import sign, signer
from dlbricks.plugins.trust.statements import KEY, Statement, is_statement, make_statement, read_statement
from dlbricks.store.database import ResultStore
from dlbricks.store.document import Document, as_current
from dlbricks.store.history import checked_reason, has_signature, keep_signature, keys_of, transfer_name
from dlbricks.store.queries import CORRECTED
from dlbricks.store.records import CONFIRMED, is_provisional
from dlbricks.store.summary import measurements
from dlbricks.store.types import CopiedResult, NameKey, Signed, SubmissionReceipt
from dlbricks.typed_json import digest_bytes


class TrustHook:
    """Signs files, verifies signatures, applies statements, and finds copied results."""

    tables: tuple[Any, ...] = ()
    sign = staticmethod(sign)
    signer = staticmethod(signer)
    statement = staticmethod(make_statement)

    def receive(self, store: ResultStore, data: bytes, signature: str) -> Signed | SubmissionReceipt | None:
        """Verify the signature of a file; apply a statement."""
        signed = Signed(key=signer(data, signature), signature=signature, content=data) if signature else None
        return submit_statement(store, data, signed) if is_statement(data) else signed

    def before_add(self, store: ResultStore, document: Document, exempt: tuple[str, str]) -> tuple[CopiedResult, ...]:
        """Return the stored results whose times have the same distribution as the times of a new result."""
        widths = {
            fingerprint: (measurement.high_ns - measurement.low_ns) / max(measurement.latency_ns, 1)
            for fingerprint, measurement in measurements(document).measurements.items()
        }
        stored = [each for each in nearest(widths, store.widths(document["suite"]["digest"])) if each not in exempt]
        return copied_from(document, ((each, as_current(json.loads(store.document(each)))) for each in stored))


TRUST = TrustHook()


def submit_statement(store: ResultStore, data: bytes, signed: Signed | None) -> SubmissionReceipt:
    """Apply a signed statement (a withdrawal, a correction ...); a second application changes nothing.

    Raises ``InputError`` if the statement cannot be applied, and ``CheckError`` if its signer does not own the name.
    """
    statement = read_statement(data)
    if signed is None:
        raise CheckError("the statement is not signed: run 'ssh-keygen -Y sign -n dlbricks -f KEY FILE'")
    digest = digest_bytes(data)
    new = _apply(store, statement, digest, signed)
    says = statement.says
    return SubmissionReceipt(digest=statement.result or digest, new=new, results=0, key=signed.key, says=says)


def _apply(store: ResultStore, statement: Statement, digest: str, signed: Signed) -> bool:
    """Apply a statement; returns False if it was applied before."""
    history, system = store.history, statement.system
    submission = None if statement.says == KEY else history.find(statement.result)
    if submission is not None and statement.says == CORRECTED:
        history.check_correction(submission, history.find(statement.by))
    if submission is not None and submission.configuration.system != system:
        raise CheckError(f"{statement.result[:12]} is a result of {submission.configuration.system}, not of {system}")
    now, reason = time.time_ns(), checked_reason(statement.reason)
    with store.database.writing() as connection:
        if has_signature(connection, digest):
            return False
        owners = keys_of(connection, system)
        if not owners or owners[-1].key != signed.key:
            owner = f"belongs to key {owners[-1].key}" if owners else "belongs to no key"
            raise CheckError(f"the name {system} {owner}, and the statement is signed by {signed.key}")
        if submission is None:
            to = NameKey(key=statement.by, since_unix_ns=now, reason=reason, statement=digest)
            transfer_name(connection, system, to)
        elif statement.says == CONFIRMED and not is_provisional(submission.trust):
            raise InputError(f"{submission.digest[:12]} is not provisional")
        else:
            reason = f"{statement.by[:12]} replaces it: {reason}" if statement.by else reason
            history.add_event(
                connection, submission.digest, statement.says, reason, recorded_unix_ns=now, statement=digest
            )
        return keep_signature(connection, digest, signed)
