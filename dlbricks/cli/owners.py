"""The commands ``withdraw``, ``key`` and ``challenge``: events of results and owners of names."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag, store_option
from dlbricks.cli.output import present
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import open_store

if TYPE_CHECKING:
    from dlbricks.store.database import ResultStore

_KEY = "Sign the statement with this ssh key (Ed25519) of the name's owner."
_OUT = "Write the signed statement to this file, for 'submit'; no store is used."


@click.command(short_help="Withdraw a result from use; it stays in the store.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Reason, which is shown with the result.")
@click.option("--restore", is_flag=True, help="Restore a withdrawn result.")
@click.option("--confirm", is_flag=True, help="Confirm a provisional result instead of withdrawing it.")
@click.option("--replaced-by", metavar="RESULT", help="The result of the same system and key that replaces it.")
@click.option("--key", metavar="KEY", help=_KEY)
@click.option("-o", "--out", metavar="FILE.json", help=_OUT)
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
    **given: str | None,
) -> None:
    """Withdraw a result, so that no estimate uses it.

    RESULT is the submitted file, or a prefix of its digest as shown by 'submit' and 'systems --all'. Nothing is
    deleted: the store keeps the result with reason and time, and 'systems --all' lists them.

    With --key it is a signed statement of the name's owner, which is stored and published; without, an act of the
    store's operator.
    """
    from dlbricks.store.document import read_document, read_file
    from dlbricks.store.ranking import is_provisional
    from dlbricks.store.submission import digest_given, digest_of

    if restore + confirm + bool(replaced_by) > 1:
        raise InputError("give only one of --restore, --confirm and --replaced-by")
    says = "restored" if restore else "confirmed" if confirm else "corrected" if replaced_by else "withdrawn"
    if given["out"]:
        data = read_file(Path(result))
        digest, system, new = digest_of(data), read_document(data)["system"]["name"], True
        by = digest_of(read_file(Path(replaced_by))) if replaced_by else ""
        _write(Path(given["out"]), given["key"], says=says, system=system, reason=reason, result=digest, by=by)
    else:
        with open_store(store, write=True) as opened:
            one = opened.history.find(digest_given(result))
            digest, system, new = one.digest, one.configuration.system, (one.withdrawn is None) != restore
            new = is_provisional(one.trust) if confirm else new
            by = opened.history.find(digest_given(replaced_by)).digest if replaced_by else ""
            if new and given["key"]:
                said = {"says": says, "system": system, "reason": reason, "result": digest, "by": by}
                _submit_signed(opened, Path(given["key"]), said)
            elif new and by:
                opened.history.correct(one, by, reason)
            elif new and confirm:
                opened.history.confirm(digest, reason)
            elif new:
                opened.history.withdraw(digest, reason, restore=restore)
    if given["out"]:
        line = f"{given['out']} says that {digest[:12]} of {system} is {says}"
    else:
        state = {"restored": "in use", "confirmed": "confirmed"}.get(says, "withdrawn")
        line = f"{digest[:12]} of {system} is {state}{'' if new else ' already'}"
    facts = {"digest": digest, "withdrawn": not (restore or confirm), "new": new}
    present("withdraw", facts, lambda: [line], as_json=as_json)


@click.command(short_help="Show or change the owner of a system's name.")
@click.argument("system", metavar="SYSTEM")
@click.option("--next", "following", metavar="KEY.pub", help="Transfer the name to this public key.")
@click.option("--reason", metavar="TEXT", help="Reason of the transfer, which is shown with the name.")
@click.option("--key", metavar="KEY", help=_KEY)
@click.option("-o", "--out", metavar="FILE.json", help=_OUT)
@store_option
@json_flag
def key(
    system: str, following: str | None, reason: str | None, store: str | None, as_json: bool, **given: str | None
) -> None:
    """Show the keys that owned the name of a system, or transfer the name to another key.

    With --key it is a signed statement of the owner, made before the old key is given up. If that key was lost, the
    operator of the store transfers the name without --key, after verifying the identity of the owner; --reason should
    say how. Results of former keys stay valid; all keys, dates and reasons are shown with the name.
    """
    from dlbricks.report.results import keys_report
    from dlbricks.signing import fingerprint_of

    if (following is None) != (reason is None) or (following is None and (given["key"] or given["out"])):
        raise InputError("give the next key and a reason: --next KEY.pub --reason TEXT")
    by = fingerprint_of(Path(following)) if following else ""
    if given["out"]:
        _write(Path(given["out"]), given["key"], says="key", system=system, reason=reason or "", by=by)
        line = f"{given['out']} says that the name {system} passes to {by}"
        present("key", {"system": system, "keys": []}, lambda: [line], as_json=as_json)
        return
    with open_store(store, write=True) as opened:
        if by and given["key"]:
            said = {"says": "key", "system": system, "reason": reason or "", "by": by}
            _submit_signed(opened, Path(given["key"]), said)
        elif by:
            opened.names.transfer(system, by, reason or "")
        keys = opened.names.keys(system)
    present("key", {"system": system, "keys": keys}, lambda: keys_report(system, keys), as_json=as_json)


def _submit_signed(store: "ResultStore", signing: Path, said: dict[str, str]) -> None:
    """Sign a statement and submit it to a store."""
    from dlbricks.challenge.hook import submit_statement
    from dlbricks.signing import sign, signer
    from dlbricks.store.statements import make_statement
    from dlbricks.store.types import Signed

    data = make_statement(**said)
    signature = sign(data, signing)
    submit_statement(store, data, Signed(key=signer(data, signature), signature=signature, content=data))


def _write(out: Path, signing: str | None, **said: str) -> None:
    """Write a statement and its signature.

    Raises:
        InputError: there is no key, or the files cannot be written.
    """
    from dlbricks.files import write_bytes, write_text
    from dlbricks.signing import SUFFIX, sign
    from dlbricks.store.statements import make_statement

    if not signing:
        raise InputError("a statement has to be signed: name the owner's key with --key")
    data = make_statement(**said)
    signature = sign(data, Path(signing))
    write_bytes(out, data)
    write_text(out.with_name(out.name + SUFFIX), signature)


@click.group(short_help="Make a system prove its latencies, and verify its answer.")
def challenge() -> None:
    """Make a system prove its latencies, and verify its answer.

    A challenge requires a chain of calls: each input depends on a nonce and on the previous output, so outputs cannot
    be stored or precomputed. It proves that the sequences were computed, and an upper bound of their latencies, from
    the time between 'make' and 'verify'. It does not prove on which hardware: a faster machine can answer for a slower
    one.
    """


@challenge.command(short_help="Make a challenge for a result.")
@click.argument("result", metavar="RESULT.json")
@click.option("--suite", required=True, metavar="SUITE", help="Your copy of the suite that was run.")
@click.option("-o", "--out", required=True, metavar="FILE.zip", help="The challenge; keep it, and send a copy.")
@click.option("--time", "length", default="10m", show_default=True, help="Total time of the calls, as claimed.")
@click.option("--due", metavar="TIME", help="Time until the deadline; by default what an honest system needs.")
@json_flag
def make(result: str, suite: str, out: str, length: str, due: str | None, as_json: bool) -> None:
    """Make a challenge for a result: sequences drawn by importance, and a nonce. 'python FILE.zip' answers it.

    The time starts now: make it when the system is ready to run it under the conditions of the measurement. An answer
    in time proves the printed bound on how much too low the claimed latencies can be; a longer --time and a shorter
    --due give a tighter bound.
    """
    from dlbricks.challenge.make import make_challenge
    from dlbricks.files import write_bytes
    from dlbricks.store.document import read_document, read_file
    from dlbricks.suite.reading import read_suite, unpacked_suite
    from dlbricks.units import format_ns, parse_duration

    document = read_document(read_file(Path(result)))
    with unpacked_suite(Path(suite)) as folder:
        made, archive = make_challenge(
            document,
            read_suite(folder),
            folder,
            time_ns=parse_duration(length),
            due_ns=parse_duration(due) if due else None,
        )
    write_bytes(Path(out), archive)
    calls = sum(one.calls for one in made.sequences)
    wait_ns = made.due_unix_ns - made.issued_unix_ns
    facts = {
        "result": made.result,
        "sequences": len(made.sequences),
        "calls": calls,
        "claimed_ns": made.claimed_ns,
        "issued_unix_ns": made.issued_unix_ns,
        "due_unix_ns": made.due_unix_ns,
    }
    lines = (
        f"{out}: {calls} calls of {len(made.sequences)} sequences, {format_ns(made.claimed_ns)} as claimed",
        f"on the system: python {Path(out).name} -o answer.json; the answer is due in {format_ns(wait_ns)}",
        f"in time it proves that calls take at most {wait_ns / made.claimed_ns:.1f} times their claim on average",
    )
    present("challenge", facts, lambda: lines, as_json=as_json)


@challenge.command(short_help="Record that an independent measurement confirmed a result.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Who measured, and the outcome; stored with the result.")
@store_option
@json_flag
def audit(result: str, reason: str, store: str | None, as_json: bool) -> None:
    """Record that somebody else measured on the system and confirmed a result, whose tier of trust becomes audited.

    RESULT is the submitted file, or a prefix of its digest as shown by 'submit' and 'systems --all'.
    """
    from dlbricks.store.submission import digest_given

    with open_store(store, write=True) as opened:
        one = opened.history.find(digest_given(result))
        opened.history.set_trust(one.digest, "audited", reason)
    line = f"{one.digest[:12]} of {one.configuration.system} is audited"
    present("audit", {"digest": one.digest, "trust": "audited"}, lambda: [line], as_json=as_json)


@challenge.command(short_help="Verify the answer to a challenge.")
@click.argument("challenge_file", metavar="FILE.zip")
@click.argument("answer", metavar="ANSWER.json")
@click.option("--allow-lower-precision", is_flag=True, help="The system declared lower precision for float32.")
@click.option("--record", is_flag=True, help="Record in the store that the result passed a challenge.")
@store_option
@json_flag
def verify(
    challenge_file: str, answer: str, allow_lower_precision: bool, record: bool, store: str | None, as_json: bool
) -> None:
    """Verify the answer to your copy of a challenge; exit code 1 if it is not accepted.

    Some of the calls are repeated here, on the processor, and compared with the outputs that the answer committed to.
    """
    import dataclasses
    import time

    from dlbricks.challenge.verify import read_answer, read_challenge
    from dlbricks.challenge.verify import verify as verify_answer
    from dlbricks.units import format_ns

    asked, networks = read_challenge(Path(challenge_file))
    found = verify_answer(
        asked, networks, read_answer(Path(answer)), now_unix_ns=time.time_ns(), allow_lower=allow_lower_precision
    )
    proof = f"{found.links} of {found.calls} calls were repeated, in {format_ns(found.verified_ns)}"
    proof += f" ({found.verified_ns / max(1, found.answered_ns):.1%} of the time of the answer); "
    proof += f"calls take at most {found.factor:.1f} times their claim on average"
    verdict = {**dataclasses.asdict(found), "factor": found.factor, "result": asked.result}
    lines = [] if found.faults else [f"{asked.system} {asked.result[:12]}: the answer holds; {proof}"]
    present("challenge-verdict", verdict, lambda: lines, as_json=as_json)
    if found.faults:
        more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
        raise CheckError(f"{answer} proves nothing: {found.faults[0]}{more}")
    if record:
        with open_store(store, write=True) as opened:
            opened.history.set_trust(asked.result, "challenged", f"challenge held: {proof}")
