"""The commands ``check``, ``submit``, ``withdraw``, ``suites``, ``systems``, ``query`` and ``publish``."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.api.estimates import IN_MEMORY, open_store, store_exists
from dlbricks.cli.options import at_least, json_flag, store_option
from dlbricks.cli.output import present
from dlbricks.errors import CheckError, InputError

if TYPE_CHECKING:
    from dlbricks.store.database import ResultStore
    from dlbricks.store.types import SubmissionReceipt

KEY_HELP = "Sign the statement with this ssh key (Ed25519), which must own the name of the system."
OUT_HELP = "Write the signed statement to this file for 'submit', and use no store."
_REFUSED_SHOWN = 3


@click.command(short_help="Check a result by the rules, without a store.")
@click.argument("result", metavar="RESULT.json")
@click.option("--suite", metavar="SUITE", help="Suite that was run, to compare the result with it.")
@click.option("--strict", is_flag=True, help="Exit with code 1 for warnings, too.")
@json_flag
def check(result: str, suite: str | None, strict: bool, as_json: bool) -> None:
    """Check a result by the rules (docs/rules.md): structure, suite, outputs, samples, machine, reference benchmarks.

    The exit code is 1 if a rule of severity error is violated, with --strict also if a rule of severity warning is.
    """
    from dlbricks.report.results import findings_report
    from dlbricks.store.document import read_document, read_file
    from dlbricks.store.submission import check as apply_rules
    from dlbricks.suite.manifest import read_suite

    document = read_document(read_file(Path(result)))
    findings = apply_rules(document, suite=read_suite(Path(suite)) if suite else None)
    present("check", {"result": result, "findings": findings}, lambda: findings_report(findings), as_json=as_json)
    failing = {"error", "warning"} if strict else {"error"}
    count = sum(finding.severity in failing for finding in findings)
    if count:
        raise CheckError(f"{result} violates {count} rules" if count > 1 else f"{result} breaks a rule")


@click.command(short_help="Check a result and add it to a store.")
@click.argument("result", metavar="RESULT.json|DIR")
@click.option("--suite", metavar="SUITE", help="Suite that was run; it is registered in the store.")
@click.option("--key", metavar="KEY", help="Sign the result with this ssh key (Ed25519), and write RESULT.json.sig.")
@click.option("--embargo", metavar="DATE", help="Do not show the result before this day, as in 2027-03-01 (UTC).")
@click.option("--provisional", is_flag=True, help="Mark the result as provisional until 'withdraw --confirm'.")
@click.option("--corrects", metavar="DIGEST", help="Replace this result of the same system and key.")
@click.option("--reason", metavar="TEXT", help="Reason of --corrects.")
@store_option
@json_flag
def submit(
    result: str, suite: str | None, store: str | None, as_json: bool, provisional: bool, **texts: str | None
) -> None:
    """Check a result and add it to a store; submitting it again changes nothing.

    The suite of a result must be registered in the store: name it with --suite, or register it with 'suites --add'. A
    result of another suite is refused, since the suite may have been written to give good results.

    If there is a signature file RESULT.json.sig, as 'ssh-keygen -Y sign -n dlbricks' writes it, it must be valid. A
    system's name belongs to the key that first signed a result of the system; other keys cannot submit under it.

    A --provisional result ranks below others of its tier of trust. The option does not change a result that is stored.

    Statements that an owner has signed (see 'withdraw --key' and 'key') are submitted in the same way.

    For a folder, all .json files in it and its subfolders are submitted, except hidden ones. If some are refused, the
    others are stored, the refused ones are listed, and the exit code is 1.
    """
    from dlbricks.report.results import receipt_report
    from dlbricks.store.document import read_file, results_of
    from dlbricks.store.history import signature_of
    from dlbricks.store.submission import SubmitOptions
    from dlbricks.store.submission import submit as submit_result
    from dlbricks.suite.manifest import read_suite
    from dlbricks.units import counted, parse_day

    suite_run, place = read_suite(Path(suite)) if suite else None, Path(result)
    if place.is_dir() and (texts["corrects"] or texts["reason"]):
        raise InputError("--corrects and --reason need a single result: name its file instead of a folder")

    def stored(path: Path, opened: "ResultStore") -> "SubmissionReceipt":
        data = read_file(path)
        options = SubmitOptions(
            signature=signature_of(path, data, Path(texts["key"]) if texts["key"] else None),
            embargo_unix_ns=parse_day(texts["embargo"]) if texts["embargo"] else None,
            provisional=provisional,
            corrects=texts["corrects"] or "",
            reason=texts["reason"] or "",
        )
        return submit_result(opened, data, suite=suite_run, options=options)

    def stored_each(url: str | None) -> "tuple[str, dict[str, SubmissionReceipt], dict[str, str]]":
        receipts, refused = {}, {}
        with open_store(url, create=True) as opened:
            for path in results_of(place) if place.is_dir() else [place]:
                try:
                    receipts[str(path)] = stored(path, opened)
                except (InputError, CheckError) as error:
                    # a refused result does not keep the other results of a folder from the store
                    if not place.is_dir():
                        raise
                    refused[str(path)] = str(error)
            return opened.place, receipts, refused

    # if all results are refused they must not leave an empty store
    at, receipts, refused = stored_each(store if store_exists(store) else IN_MEMORY)
    if receipts and not store_exists(store):
        at, receipts, refused = stored_each(store)
    if not place.is_dir():
        present("submit", receipts[str(place)], lambda: receipt_report(receipts[str(place)], at), as_json=as_json)
        return
    new, total = sum(receipt.new for receipt in receipts.values()), counted(len(receipts) + len(refused), "result")
    line = f"{at}: {new} of {total} new, {len(receipts) - new} stored already"
    present("submitted", {"receipts": receipts, "refused": refused}, lambda: [line], as_json=as_json)
    if refused:
        lines = "; ".join(f"{path}: {reason}" for path, reason in list(refused.items())[:_REFUSED_SHOWN])
        raise CheckError(f"{counted(len(refused), 'result')} refused: {lines}")


@click.command(short_help="Withdraw a result, so that no estimate uses it.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Reason; it is shown with the result.")
@click.option("--restore", is_flag=True, help="Restore a withdrawn result instead of withdrawing it.")
@click.option("--confirm", is_flag=True, help="Confirm a provisional result instead of withdrawing it.")
@click.option("--replaced-by", metavar="RESULT", help="Result of the same system and key that replaces it.")
@click.option("--key", metavar="KEY", help=KEY_HELP)
@click.option("-o", "--out", metavar="FILE.json", help=OUT_HELP)
@store_option
@json_flag
def withdraw(
    result: str,
    reason: str,
    restore: bool,
    confirm: bool,
    replaced_by: str | None,
    store: str | None,
    as_json: bool,
    **texts: str | None,
) -> None:
    """Withdraw a result, so that no estimate uses it.

    RESULT is the submitted file, or a prefix of its digest as 'submit' and 'systems --all' show it. Nothing is deleted:
    the store keeps the result with reason and time, and 'systems --all' lists these.

    With --key the owner of the system's name signs the withdrawal as a statement, which is stored and published.
    Without --key the store's operator withdraws the result.
    """
    from dlbricks.store.document import read_document, read_file
    from dlbricks.store.history import signed_statement, write_statement
    from dlbricks.store.records import is_provisional
    from dlbricks.store.submission import SubmitOptions, digest_given, digest_of
    from dlbricks.store.submission import submit as submit_data

    if restore + confirm + bool(replaced_by) > 1:
        raise InputError("--restore, --confirm and --replaced-by exclude each other: give one of them")
    says = "restored" if restore else "confirmed" if confirm else "corrected" if replaced_by else "withdrawn"
    statement: dict[str, str] = {"says": says, "reason": reason}
    # with --out the owner signs a statement on a machine without the store
    if texts["out"]:
        data = read_file(Path(result))
        digest, system, new = digest_of(data), read_document(data)["system"]["name"], True
        by = digest_of(read_file(Path(replaced_by))) if replaced_by else ""
        write_statement(Path(texts["out"]), texts["key"], system=system, result=digest, by=by, **statement)
        line = f"{texts['out']} has the statement that {digest[:12]} of {system} is {says}"
    else:
        with open_store(store, write=True) as opened:
            run = opened.history.find(digest_given(result))
            digest, system = run.digest, run.configuration.system
            new = is_provisional(run.trust) if confirm else (run.withdrawn is None) != restore
            by = opened.history.find(digest_given(replaced_by)).digest if replaced_by else ""
            if new and texts["key"]:
                data, signature = signed_statement(texts["key"], system=system, result=digest, by=by, **statement)
                submit_data(opened, data, options=SubmitOptions(signature=signature))
            elif new and by:
                opened.history.correct(run, by, reason)
            elif new and confirm:
                opened.history.confirm(digest, reason)
            elif new:
                opened.history.withdraw(digest, reason, restore=restore)
        state = {"restored": "in use", "confirmed": "confirmed"}.get(says, "withdrawn")
        line = f"{digest[:12]} of {system} is {state}{'' if new else ' already'}"
    facts = {"digest": digest, "withdrawn": not (restore or confirm), "new": new}
    present("withdraw", facts, lambda: [line], as_json=as_json)


@click.command(short_help="List or register suites of a store.")
@click.option("--add", "added", multiple=True, metavar="SUITE", help="Register this suite; repeat for more.")
@store_option
@json_flag
def suites(added: tuple[str, ...], store: str | None, as_json: bool) -> None:
    """List the registered suites of a store.

    Results are checked against their registered suite. Register only suites that you wrote or read.
    """
    from dlbricks.report.results import suites_report
    from dlbricks.suite.manifest import read_suite, to_document

    read = [read_suite(Path(path)) for path in added]
    with open_store(store, create=bool(added)) as opened:
        for suite in read:
            opened.registry.register(to_document(suite))
        registered = opened.registry.suites()
    present("suites", {"suites": registered}, lambda: suites_report(registered), as_json=as_json)


@click.command(short_help="List the systems of a store.")
@click.option("--all", "runs", is_flag=True, help="List every run with its digest; withdrawn ones with the reason.")
@store_option
@json_flag
def systems(runs: bool, store: str | None, as_json: bool) -> None:
    """List the systems of a store with runtime, provider, threads, and numbers of runs and sequences."""
    from dlbricks.report.results import runs_report, systems_report
    from dlbricks.store.types import UNCONFIRMED

    with open_store(store) as opened:
        if runs:
            odd, submissions = opened.unconfirmed(), opened.history.submissions()
            listed = [replace(each, trust=UNCONFIRMED) if each.digest in odd else each for each in submissions]
            present("submissions", {"submissions": listed}, lambda: runs_report(listed), as_json=as_json)
        else:
            summaries = opened.systems()
            present("systems", {"systems": summaries}, lambda: systems_report(summaries), as_json=as_json)


@click.command(short_help="List single measurements of a store.")
@click.option("--fingerprint", default="", metavar="PREFIX", help="Only sequences whose fingerprint begins with this.")
@click.option("--operator", metavar="NAME", help="Only sequences with this operator, as in Conv.")
@click.option("--system", metavar="NAME", help="Only measurements of this system.")
@click.option("--limit", type=at_least(1), default=50, show_default=True, help="Maximum number of rows.")
@store_option
@json_flag
def query(
    fingerprint: str, operator: str | None, system: str | None, limit: int, store: str | None, as_json: bool
) -> None:
    """List single measurements of a store, selected by sequence, operator or system."""
    from dlbricks.report.results import stored_results_report

    with open_store(store) as opened:
        results = opened.query(fingerprint=fingerprint, operator=operator, system=system, limit=limit)
    present("query", {"results": results}, lambda: stored_results_report(results), as_json=as_json)


@click.command(short_help="Write the latencies of a store to one file, a bundle.")
@click.argument("store", metavar="STORE")
@click.option("-o", "--out", required=True, metavar="FILE.parquet", help="File of the bundle.")
@click.option("--key", metavar="KEY", help="Sign the bundle with this ssh key (Ed25519), and write FILE.parquet.sig.")
@json_flag
def publish(store: str, out: str, key: str | None, as_json: bool) -> None:
    """Write a bundle: the latencies of all systems of a store, without raw samples.

    'estimate --bundle FILE' reads the file without a server, so no server learns which networks are estimated. DuckDB,
    pandas and others can read the file, too. Embargoed and withdrawn results are left out.
    """
    from dlbricks.files import write_text, writing
    from dlbricks.store.bundle import publish as write_bundle
    from dlbricks.store.history import signature_path, signing_hook
    from dlbricks.units import counted

    place, hook, signature, signer_key = Path(out), signing_hook() if key else None, "", ""
    # the bundle is signed before it is moved to its place, so that no unsigned one is seen there
    with open_store(store) as opened, writing(place) as scratch:
        head = write_bundle(opened, scratch)
        if hook is not None and key:
            data = scratch.read_bytes()
            signature = hook.sign(data, Path(key))
            signer_key = hook.signer(data, signature)
    if signature:
        write_text(signature_path(place), signature)
    else:
        signature_path(place).unlink(missing_ok=True)  # the signature of an older bundle
    facts = {"bundle": out, "systems": len(head.systems), "bytes": place.stat().st_size, "key": signer_key}
    signed = f", signed by {signer_key}" if signer_key else ", not signed"
    present("publish", facts, lambda: [f"{out}: {counted(len(head.systems), 'system')}{signed}"], as_json=as_json)
