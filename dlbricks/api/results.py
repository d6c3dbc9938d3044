"""Results: check them, submit them to a store, withdraw them, and publish a store's latencies as a bundle."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from dlbricks.api.estimates import IN_MEMORY, open_store, store_exists
from dlbricks.errors import CheckError, InputError
from dlbricks.files import write_text, writing
from dlbricks.store import bundle, submission
from dlbricks.store.document import read_document, read_file, results_of
from dlbricks.store.history import signature_of, signature_path, signed_statement, signing_hook, write_statement
from dlbricks.store.records import is_provisional
from dlbricks.store.submission import SubmitOptions, digest_given, digest_of
from dlbricks.store.types import Finding, RegisteredSuite, SubmissionReceipt
from dlbricks.suite.manifest import read_suite, to_document
from dlbricks.validate.references import calibration_of


def check(result: Path, *, suite: Path | None = None) -> tuple[Finding, ...]:
    """Return findings on a result file by the rules in docs/rules.md; with ``suite``, also against the suite."""
    return submission.check(read_document(read_file(result), str(result)), suite=read_suite(suite) if suite else None)


def submit(result: str | Path, *, suite: str | Path | None = None, store: str | None = None) -> SubmissionReceipt:
    """Check a result file and add it to a database of results; submitting it again changes nothing.

    If there is a signature file (``.sig``), it must be valid. ``suite`` is the suite that was run; None if the store
    has it. ``store`` is a URL; None for the default. Raises ``CheckError`` if a rule of severity error is violated, and
    ``InputError`` if a file or the store cannot be used.
    """
    if Path(result).is_dir():
        raise InputError(f"{result} is a folder: name a single result")
    return submit_all([Path(result)], suite=suite, store=store)[1][str(Path(result))]


def submit_all(
    places: Sequence[Path], *, suite: str | Path | None, store: str | None, key: Path | None = None, **options: Any
) -> tuple[str, dict[str, SubmissionReceipt], dict[str, InputError | CheckError]]:
    """Submit result files, or all results in folders, to a store; ``options`` are ``SubmitOptions``.

    With ``key``, each result is signed first. Returns the place of the store, receipts by file, and errors by file that
    is refused. If ``places`` is a single result that is refused, raises the errors of ``submit``.
    """
    suite_run = read_suite(Path(suite)) if suite else None

    def submitted(url: str | None) -> tuple[str, dict[str, SubmissionReceipt], dict[str, InputError | CheckError]]:
        receipts, refused = {}, dict[str, InputError | CheckError]()
        with open_store(url, create=True) as opened:
            for path in (path for place in places for path in (results_of(place) if place.is_dir() else [place])):
                try:
                    data = read_file(path)
                    signed = SubmitOptions(signature=signature_of(path, data, key), **options)
                    receipts[str(path)] = submission.submit(
                        opened, data, suite=suite_run, options=signed, calibrate=calibration_of
                    )
                except (InputError, CheckError) as error:
                    # a refused result does not keep the other results of a folder from the store
                    if list(places) == [path]:
                        raise
                    refused[str(path)] = error
            return opened.place, receipts, refused

    # if all results are refused they must not leave an empty store
    written = submitted(store if store_exists(store) else IN_MEMORY)
    return submitted(store) if written[1] and not store_exists(store) else written


def withdraw(
    result: str, says: str, *, reason: str, replaced_by: str | None, key: str | None, out: str | None, store: str | None
) -> tuple[str, str, bool]:
    """Change the state of a stored result to ``says``, for example ``withdrawn``; nothing is deleted.

    ``result`` is a file or the prefix of a digest. ``says`` is ``withdrawn``, ``restored``, ``confirmed`` or
    ``corrected`` (by ``replaced_by``). With ``key``, the owner signs a statement about the change. With ``out``, this
    statement is written to a file, and no store is needed. Returns digest, system and whether the state is new.
    """
    if out:
        data = read_file(Path(result))
        digest, system = digest_of(data), read_document(data)["system"]["name"]
        by = digest_of(read_file(Path(replaced_by))) if replaced_by else ""
        write_statement(Path(out), key, system=system, result=digest, by=by, says=says, reason=reason)
        return digest, system, True
    with open_store(store, write=True) as opened:
        run = opened.history.find(digest_given(result, opened))
        digest, system = run.digest, run.configuration.system
        new = is_provisional(run.trust) if says == "confirmed" else (run.withdrawn is None) != (says == "restored")
        by = opened.history.find(digest_given(replaced_by, opened)).digest if replaced_by else ""
        if new and key:
            data, signature = signed_statement(key, system=system, result=digest, by=by, says=says, reason=reason)
            submission.submit(opened, data, options=SubmitOptions(signature=signature))
        elif new and by:
            opened.history.correct(run, by, reason)
        elif new and says == "confirmed":
            opened.history.confirm(digest, reason)
        elif new:
            opened.history.withdraw(digest, reason, restore=says == "restored")
    return digest, system, new


def register(suites: Sequence[str], store: str | None) -> tuple[RegisteredSuite, ...]:
    """Add suites to a store, which checks results against them; return all suites that the store has."""
    read = [read_suite(Path(path)) for path in suites]
    with open_store(store, create=bool(suites)) as opened:
        for suite in read:
            opened.registry.register(to_document(suite))
        return opened.registry.suites()


def publish(store: str, out: Path, *, key: str | None = None) -> tuple[int, str]:
    """Write a store's results to a file (bundle), signed with ``key``; return number of systems and public key."""
    hook = signing_hook() if key else None
    # the bundle is signed before it is moved to its place, so that no unsigned one is seen there
    with open_store(store) as opened, writing(out) as scratch:
        head = bundle.publish(opened, scratch)
        signature = hook.sign(scratch.read_bytes(), Path(key)) if hook and key else ""
        signer_key = hook.signer(scratch.read_bytes(), signature) if hook else ""
    if signature:
        write_text(signature_path(out), signature)
    else:
        signature_path(out).unlink(missing_ok=True)  # the signature of an older bundle
    return len(head.systems), signer_key
