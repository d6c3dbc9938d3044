"""The commands ``check``, ``submit``, ``withdraw``, ``suites``, ``systems``, ``query`` and ``publish``."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from dlbricks.api.estimates import open_store, shipped_bundle, store_exists
from dlbricks.cli.options import at_least, json_flag, out_option, store_option
from dlbricks.cli.output import present, tell
from dlbricks.errors import CheckError, InputError, named_out
from dlbricks.units import counted, parse_day

if TYPE_CHECKING:
    from dlbricks.store.types import SystemSummary

KEY_HELP = "Sign the statement with this ssh key (Ed25519), which must own the name of the system."
OUT_HELP = "Write the signed statement to this file for 'submit', and use no store."
_REFUSED_SHOWN = 3


@click.command(short_help="Check a result by the rules, without a store.")
@click.argument("results", nargs=-1, required=True, metavar="RESULT.json...")
@click.option("--suite", metavar="SUITE", help="Suite that was run, to compare the result with it.")
@click.option("--strict", is_flag=True, help="Exit with code 1 for warnings, too.")
@json_flag
def check(results: tuple[str, ...], suite: str | None, strict: bool, as_json: bool) -> None:
    """Check results by the rules (docs/rules.md): structure, suite, outputs, samples, machine, reference benchmarks.

    The exit code is 1 if a rule of severity error is violated, with --strict also if a rule of severity warning is.
    """
    from dlbricks.api.results import check as findings_of
    from dlbricks.report.results import findings_report

    checked = {result: findings_of(Path(result), suite=Path(suite) if suite else None) for result in results}
    for result, findings in checked.items() if len(checked) == 1 or not as_json else ():
        lines = [*([f"{result}:"] if len(checked) > 1 else []), *findings_report(findings)]
        present("check", {"result": result, "findings": findings}, partial(iter, lines), as_json=as_json)
    if len(checked) > 1 and as_json:
        present("checked", {"results": checked}, list, as_json=True)
    failing = {"error", "warning"} if strict else {"error"}
    for result, findings in checked.items():
        if count := sum(finding.severity in failing for finding in findings):
            raise CheckError(f"{result} violates {count} rules" if count > 1 else f"{result} breaks a rule")


@click.command(short_help="Check a result and add it to a store.")
@click.argument("results", nargs=-1, required=True, metavar="RESULT.json|DIR...")
@click.option("--suite", metavar="SUITE", help="Suite that was run; the command also registers it in the store.")
@click.option("--key", metavar="KEY", help="Sign the result with this ssh key (Ed25519), and write RESULT.json.sig.")
@click.option("--embargo", metavar="DATE", help="Do not show the result before this day, as in 2027-03-01 (UTC).")
@click.option("--provisional", is_flag=True, help="Mark the result as provisional until 'withdraw --confirm'.")
@click.option("--corrects", metavar="DIGEST", help="Replace this earlier result of the same system and key.")
@click.option("--reason", metavar="TEXT", help="Reason for the correction (--corrects).")
@store_option
@json_flag
def submit(
    *,
    results: tuple[str, ...],
    suite: str | None,
    store: str | None,
    as_json: bool,
    provisional: bool,
    **texts: str | None,
) -> None:
    """Check results and add them to a store; submitting one again changes nothing.

    A result of a run that was resumed replaces the result that was submitted before.

    The suite of a result must be registered in the store: name it with --suite, or register it with 'suites --add'. A
    result of another suite is refused, since the suite may have been written to give good results.

    If there is a signature file RESULT.json.sig, as 'ssh-keygen -Y sign -n dlbricks' writes it, it must be valid. A
    system's name belongs to the key that first signed a result of the system; other keys cannot submit under it.
    Statements that an owner has signed (see 'withdraw --key' and 'key') are submitted in the same way.

    For a folder, all .json files in it and its subfolders are submitted, except hidden ones. If some are refused, the
    others are stored, the refused ones are listed, and the exit code is 1, or 2 if one of them cannot be read.
    """
    from dlbricks.api.results import submit_all
    from dlbricks.report.results import receipt_report

    places, key = list(map(Path, results)), Path(texts["key"]) if texts["key"] else None
    several = len(places) > 1 or places[0].is_dir()
    if several and (texts["corrects"] or texts["reason"]):
        raise InputError("--corrects and --reason need a single result: name one file")
    options = {name: texts[name] or "" for name in ("corrects", "reason")}
    embargo = parse_day(texts["embargo"]) if texts["embargo"] else None
    url, receipts, refused = submit_all(
        places, suite=suite, store=store, key=key, embargo_unix_ns=embargo, provisional=provisional, **options
    )
    if not several:
        (receipt,) = receipts.values()
        present("submit", receipt, lambda: receipt_report(receipt, url), as_json=as_json)
        return
    new, total = sum(receipt.new for receipt in receipts.values()), counted(len(receipts) + len(refused), "result")
    line = f"{url if receipts else 'nothing stored'}: {new} of {total} new, {len(receipts) - new} stored already"
    reasons = {path: str(error) for path, error in refused.items()}
    present("submitted", {"receipts": receipts, "refused": reasons}, lambda: [line], as_json=as_json)
    if refused:
        lines = "; ".join(f"{path}: {reason}" for path, reason in list(reasons.items())[:_REFUSED_SHOWN])
        failure = InputError if any(isinstance(error, InputError) for error in refused.values()) else CheckError
        raise failure(f"{counted(len(refused), 'result')} refused: {lines}")


@click.command(short_help="Withdraw a result, so that no estimate uses it.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Reason; it is shown with the result.")
@click.option("--restore", is_flag=True, help="Restore a withdrawn result instead of withdrawing it.")
@click.option("--confirm", is_flag=True, help="Confirm a provisional result instead of withdrawing it.")
@click.option("--replaced-by", metavar="RESULT", help="Result that replaces RESULT; it has the same system and key.")
@click.option("--key", metavar="KEY", help=KEY_HELP)
@out_option(metavar="FILE.json", help=OUT_HELP)
@store_option
@json_flag
def withdraw(
    result: str, restore: bool, confirm: bool, replaced_by: str | None, store: str | None, as_json: bool, **texts: Any
) -> None:
    """Withdraw a result, so that no estimate uses it.

    RESULT is the submitted file, or a prefix of its digest as 'submit' and 'systems --all' show it. Nothing is deleted:
    the store keeps the result, and 'systems --all' lists it with the reason and the time of the withdrawal.

    With --key the owner of the system's name signs the withdrawal as a statement, which is stored and published.
    Without --key the store's operator withdraws the result.
    """
    from dlbricks.api.results import withdraw as change_state

    if restore + confirm + bool(replaced_by) > 1:
        raise InputError("--restore, --confirm and --replaced-by exclude each other: give one of them")
    says = "restored" if restore else "confirmed" if confirm else "corrected" if replaced_by else "withdrawn"
    digest, system, new = change_state(result, says, replaced_by=replaced_by, store=store, **texts)
    state = {"restored": "in use", "confirmed": "confirmed"}.get(says, "withdrawn")
    line = f"{digest[:12]} of {system} is {state}{'' if new else ' already'}"
    if texts["out"]:
        line = f"{texts['out']} has the statement that {digest[:12]} of {system} is {says}"
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
    from dlbricks.api.results import register
    from dlbricks.report.results import suites_report

    registered = register(added, store)
    present("suites", {"suites": registered}, lambda: suites_report(registered), as_json=as_json)


@click.command(short_help="List the systems of a store, and those that ship with dlbricks.")
@click.option("--all", "runs", is_flag=True, help="List every run with its digest, and withdrawn runs with the reason.")
@store_option
@json_flag
def systems(runs: bool, store: str | None, as_json: bool) -> None:
    """List systems with runtime, provider, threads and numbers of runs; last those that ship with dlbricks."""
    from dlbricks.report.results import runs_report, systems_report

    summaries: Sequence[SystemSummary] = ()
    try:
        with open_store(store) as opened:
            if runs:
                listed = opened.runs()
                present("submissions", {"submissions": listed}, lambda: runs_report(listed), as_json=as_json)
                return
            summaries = opened.systems()
    except InputError as error:
        source = click.get_current_context().get_parameter_source("store")
        if runs or source is ParameterSource.COMMANDLINE or store_exists(store):
            raise
        tell(str(error))
    shipped = shipped_bundle().systems()
    facts = [{"configuration": each.configuration, "processor": each.processor} for each in shipped]
    document = {"systems": summaries, "shipped": facts}
    present("systems", document, lambda: systems_report(summaries, shipped), as_json=as_json)


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
@out_option(metavar="FILE.parquet", help="File of the bundle.  [required]")
@click.option("--key", metavar="KEY", help="Sign the bundle with this ssh key (Ed25519), and write FILE.parquet.sig.")
@json_flag
def publish(store: str, out: str | None, key: str | None, as_json: bool) -> None:
    """Write a bundle: the latencies of all systems of a store, without raw samples.

    'estimate --bundle FILE' reads the file without a server, so no server learns which networks are estimated. DuckDB,
    pandas and others can read the file, too. Embargoed and withdrawn results are left out.
    """
    from dlbricks.api.results import publish as write_bundle

    with open_store(store):
        place = named_out(Path(out) if out else None, "the file of the bundle, as in -o results.parquet")
    systems, signer_key = write_bundle(store, place, key=key)
    facts = {"bundle": out, "systems": systems, "bytes": place.stat().st_size, "key": signer_key}
    signed = f", signed by {signer_key}" if signer_key else ", not signed"
    present("publish", facts, lambda: [f"{place}: {counted(systems, 'system')}{signed}"], as_json=as_json)
