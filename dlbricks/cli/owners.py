"""``withdraw``, ``key`` and ``challenge``: what is said of a result, and of the name of a system, after they came."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dlbricks.cli.options import json_flag, store_option
from dlbricks.cli.output import present
from dlbricks.errors import CheckError, InputError
from dlbricks.estimating import open_store

if TYPE_CHECKING:
    from dlbricks.store.database import ResultStore

_KEY = "Sign it with this ssh key (Ed25519), that of the name's owner."
_OUT = "Write what is signed there, to be sent and taken in by 'submit'; no store is asked."


@click.command(short_help="Take a result out of use; it stays in the store.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Why; shown wherever the result is asked for.")
@click.option("--restore", is_flag=True, help="Use a withdrawn result again.")
@click.option("--confirm", is_flag=True, help="A provisional result stands; nothing is taken out of use.")
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
    """Take a result out of use: no estimate rests on it from now on.

    RESULT is the submitted file, or the beginning of its digest as 'submit' and 'systems --all' show it. Nothing is
    deleted: the store keeps the result, the reason and the time, and 'systems --all' lists them.

    With --key the owner of the name says so, which the store keeps and pages show; without, whoever has the store.
    """
    from dlbricks.store.document import read_document, read_file
    from dlbricks.store.ranking import is_provisional
    from dlbricks.store.submission import digest_given, digest_of

    if restore + confirm + bool(replaced_by) > 1:
        raise InputError("a result cannot be two of these: give one of --restore, --confirm and --replaced-by")
    says = "restored" if restore else "confirmed" if confirm else "corrected" if replaced_by else "withdrawn"
    if given["out"]:
        data = read_file(Path(result))
        digest, system, new = digest_of(data), read_document(data)["system"]["name"], True
        by = digest_of(read_file(Path(replaced_by))) if replaced_by else ""
        _write(Path(given["out"]), given["key"], says=says, system=system, reason=reason, result=digest, by=by)
    else:
        with open_store(store) as opened:
            one = opened.find(digest_given(result))
            digest, system, new = one.digest, one.configuration.system, (one.withdrawn is None) != restore
            new = is_provisional(one.trust) if confirm else new
            by = opened.find(digest_given(replaced_by)).digest if replaced_by else ""
            if new and given["key"]:
                said = {"says": says, "system": system, "reason": reason, "result": digest, "by": by}
                _say(opened, Path(given["key"]), said)
            elif new and by:
                opened.correct(one, by, reason)
            elif new and confirm:
                opened.confirm(digest, reason)
            elif new:
                opened.withdraw(digest, reason, restore=restore)
    if given["out"]:
        line = f"{given['out']} says that {digest[:12]} of {system} is {says}"
    else:
        state = {"restored": "in use", "confirmed": "confirmed"}.get(says, "withdrawn")
        line = f"{digest[:12]} of {system} is {state}{'' if new else ' already'}"
    facts = {"digest": digest, "withdrawn": not (restore or confirm), "new": new}
    present("withdraw", facts, lambda: [line], as_json=as_json)


@click.command(short_help="Show or change the key that a system's name belongs to.")
@click.argument("system", metavar="SYSTEM")
@click.option("--next", "following", metavar="KEY.pub", help="The public key that the name passes to.")
@click.option("--reason", metavar="TEXT", help="Why it passes; shown with the name.")
@click.option("--key", metavar="KEY", help=_KEY)
@click.option("-o", "--out", metavar="FILE.json", help=_OUT)
@store_option
@json_flag
def key(
    system: str, following: str | None, reason: str | None, store: str | None, as_json: bool, **given: str | None
) -> None:
    """Show the keys to which the name of a system belonged, or let it pass to the next one.

    With --key the owner says so, before the old key is given up. Where it was lost, whoever has the store says so,
    without --key, once convinced of who asks: --reason should tell how. Results of former keys stay as they are; all
    keys, dates and reasons are shown with the name.
    """
    from dlbricks.report.results import keys_report
    from dlbricks.signing import fingerprint_of

    if (following is None) != (reason is None) or (following is None and (given["key"] or given["out"])):
        raise InputError("give the next key and why: --next KEY.pub --reason TEXT")
    by = fingerprint_of(Path(following)) if following else ""
    if given["out"]:
        _write(Path(given["out"]), given["key"], says="key", system=system, reason=reason or "", by=by)
        line = f"{given['out']} says that the name {system} passes to {by}"
        present("key", {"system": system, "keys": []}, lambda: [line], as_json=as_json)
        return
    with open_store(store) as opened:
        if by and given["key"]:
            _say(opened, Path(given["key"]), {"says": "key", "system": system, "reason": reason or "", "by": by})
        elif by:
            opened.pass_on(system, by, reason or "")
        keys = opened.keys(system)
    present("key", {"system": system, "keys": keys}, lambda: keys_report(system, keys), as_json=as_json)


def _say(store: "ResultStore", signing: Path, said: dict[str, str]) -> None:
    """Sign what the owner says, and let the store take it in."""
    from dlbricks.signing import sign, signer
    from dlbricks.store.statements import make_statement
    from dlbricks.store.submission import state
    from dlbricks.store.types import Signed

    data = make_statement(**said)
    signature = sign(data, signing)
    state(store, data, Signed(key=signer(data, signature), signature=signature, content=data))


def _write(out: Path, signing: str | None, **said: str) -> None:
    """Write what the owner says, and its signature beside.

    Raises:
        InputError: there is no key, or nothing can be written there.
    """
    from dlbricks.files import write_bytes, write_text
    from dlbricks.signing import SUFFIX, sign
    from dlbricks.store.statements import make_statement

    if not signing:
        raise InputError("what is sent has to be signed: name the owner's key with --key")
    data = make_statement(**said)
    signature = sign(data, Path(signing))
    write_bytes(out, data)
    write_text(out.with_name(out.name + SUFFIX), signature)


@click.group(short_help="Make a system prove its latencies, and verify what it answers.")
def challenge() -> None:
    """Make a system prove its latencies, and verify what it answers.

    A challenge asks for calls in a chain: each input follows from a secret and from the answer before, so answers can
    be neither kept nor prepared. It proves that whoever answered computed the sequences, and how quickly at least,
    counted from 'make' to 'verify'. It cannot prove on which hardware: a quicker machine can answer for a slower one.
    """


@challenge.command(short_help="Make a challenge for a result.")
@click.argument("result", metavar="RESULT.json")
@click.option("--suite", required=True, metavar="SUITE", help="The suite that was run, as you know it.")
@click.option("-o", "--out", required=True, metavar="FILE.zip", help="The challenge; keep it, send a copy.")
@click.option("--time", "length", default="10m", show_default=True, help="Time the calls should take, as claimed.")
@click.option("--due", metavar="TIME", help="Time until the answer has to be here; else what an honest system needs.")
@json_flag
def make(result: str, suite: str, out: str, length: str, due: str | None, as_json: bool) -> None:
    """Make a challenge for a result: sequences drawn by importance, and a secret. 'python FILE.zip' answers it.

    Time runs from now on: make it when the other side is ready to run it on a machine as quiet as it was measured. An
    answer that comes in time proves that the claims are no more times too fast than is said: the longer --time and the
    shorter --due, the less.
    """
    from dlbricks.challenge.make import make_challenge
    from dlbricks.files import write_bytes
    from dlbricks.store.document import read_document, read_file
    from dlbricks.suite.reading import opened, read_suite
    from dlbricks.units import format_ns, parse_duration

    document = read_document(read_file(Path(result)))
    with opened(Path(suite)) as folder:
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
        f"in time it proves that no call is slower than {wait_ns / made.claimed_ns:.1f} times its claim in the mean",
    )
    present("challenge", facts, lambda: lines, as_json=as_json)


@challenge.command(short_help="Say that somebody else measured on the system, and agrees.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Who measured, and what was found; kept with the result.")
@store_option
@json_flag
def audit(result: str, reason: str, store: str | None, as_json: bool) -> None:
    """Say of a result that somebody else measured on the system, and agrees: it counts as audited from now on.

    RESULT is the submitted file, or the beginning of its digest as 'submit' and 'systems --all' show it.
    """
    from dlbricks.store.submission import digest_given

    with open_store(store) as opened:
        one = opened.find(digest_given(result))
        opened.believe(one.digest, "audited", reason)
    line = f"{one.digest[:12]} of {one.configuration.system} is audited"
    present("audit", {"digest": one.digest, "trust": "audited"}, lambda: [line], as_json=as_json)


@challenge.command(short_help="Verify the answer to a challenge.")
@click.argument("challenge_file", metavar="FILE.zip")
@click.argument("answer", metavar="ANSWER.json")
@click.option("--allow-lower-precision", is_flag=True, help="The system declared that it computes float32 in less.")
@click.option("--record", is_flag=True, help="Say in the store that the result was challenged and held.")
@store_option
@json_flag
def verify(
    challenge_file: str, answer: str, allow_lower_precision: bool, record: bool, store: str | None, as_json: bool
) -> None:
    """Verify the answer to a challenge as it was kept here; exit code 1 when it proves nothing.

    Some of the calls are made again here, on the processor, and compared with what the answer committed to.
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
    proof = f"{found.links} of {found.calls} calls were made again, in {format_ns(found.verified_ns)}"
    proof += f" ({found.verified_ns / max(1, found.answered_ns):.1%} of what answering took); "
    proof += f"no call is slower than {found.factor:.1f} times its claim in the mean"
    verdict = {**dataclasses.asdict(found), "factor": found.factor, "result": asked.result}
    lines = [] if found.faults else [f"{asked.system} {asked.result[:12]}: the answer holds; {proof}"]
    present("challenge-verdict", verdict, lambda: lines, as_json=as_json)
    if found.faults:
        more = f" (and {len(found.faults) - 1} more)" if len(found.faults) > 1 else ""
        raise CheckError(f"{answer} proves nothing: {found.faults[0]}{more}")
    if record:
        with open_store(store) as opened:
            opened.believe(asked.result, "challenged", f"challenge held: {proof}")
