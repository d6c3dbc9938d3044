"""Make a system prove its latencies, and verify its answer."""

from pathlib import Path

import click

from dlbricks.api.estimates import open_store
from dlbricks.cli.options import json_flag, store_option
from dlbricks.cli.output import present
from dlbricks.errors import CheckError, InputError, named_out


@click.group(short_help=__doc__)
def challenge() -> None:
    """Make a system prove its latencies, and verify its answer.

    A challenge requires a chain of calls: each input depends on a nonce and on the previous output, so outputs cannot
    be stored or precomputed. An answer proves that the sequences were computed. The time between the commands 'make'
    and 'verify' proves an upper bound of their latencies. A challenge does not prove which hardware ran the sequences:
    a faster machine can answer for a slower one.
    """


@challenge.command(short_help="Make a challenge for a result.")
@click.argument("result", metavar="RESULT.json")
@click.option("--suite", required=True, metavar="SUITE", help="Your copy of the suite that was run.")
@click.option("-o", "--out", metavar="FILE.zip", help="File of the challenge; keep it, and send a copy.  [required]")
@click.option("--time", "length", default="10m", show_default=True, help="Total of the claimed latencies of all calls.")
@click.option("--due", metavar="TIME", help="Time until the deadline; by default the time that an honest system needs.")
@json_flag
def make(result: str, suite: str, out: str | None, length: str, due: str | None, as_json: bool) -> None:
    """Make a challenge for a result: sequences drawn by importance, and a nonce. 'python FILE.zip' answers it.

    The time starts now, so run this when the system is ready to answer, in the state in which it was measured. An
    answer in time proves that calls take at most the printed multiple of their claimed latencies; a longer --time and a
    shorter --due lower this multiple.
    """
    from dlbricks.files import write_bytes
    from dlbricks.plugins.trust.make import make_challenge
    from dlbricks.store.document import read_document, read_file
    from dlbricks.store.submission import digest_of
    from dlbricks.suite.manifest import read_suite, unpacked_suite
    from dlbricks.units import counted, format_ns, parse_duration

    if out and Path(out).exists():
        raise InputError(f"{out} exists, and only it verifies its answer: name another file")
    data = read_file(Path(result))
    with unpacked_suite(Path(suite)) as folder:
        issued, archive = make_challenge(
            read_document(data),
            digest_of(data),
            read_suite(folder),
            folder,
            time_ns=parse_duration(length),
            due_ns=parse_duration(due) if due else None,
        )
    place = named_out(Path(out) if out else None, "the file of the challenge, as in -o challenge.zip")
    write_bytes(place, archive)
    calls = sum(sequence.calls for sequence in issued.sequences)
    wait_ns = issued.due_unix_ns - issued.issued_unix_ns
    facts = {
        "result": issued.result,
        "sequences": len(issued.sequences),
        "calls": calls,
        "claimed_ns": issued.claimed_ns,
        "issued_unix_ns": issued.issued_unix_ns,
        "due_unix_ns": issued.due_unix_ns,
    }
    lines = (
        f"{out}: {counted(calls, 'call')}, claimed to take {format_ns(issued.claimed_ns)}",
        f"on the system: python {place.name} -o answer.json; the answer is due in {format_ns(wait_ns)}",
        f"an answer in time proves a mean latency of at most {wait_ns / issued.claimed_ns:.1f} times the claimed one",
    )
    present("challenge", facts, lambda: lines, as_json=as_json)


@challenge.command(short_help="Record that an independent measurement confirmed a result.")
@click.argument("result", metavar="RESULT")
@click.option("--reason", required=True, metavar="TEXT", help="Who measured, and the outcome; stored with the result.")
@store_option
@json_flag
def audit(result: str, reason: str, store: str | None, as_json: bool) -> None:
    """Record that an independent measurement on the system confirmed a result; its level of trust becomes audited.

    RESULT is the submitted file, or a prefix of its digest as shown by 'submit' and 'systems --all'.
    """
    from dlbricks.store.submission import digest_given

    with open_store(store, write=True) as opened:
        submission = opened.history.find(digest_given(result, opened))
        opened.history.set_trust(submission.digest, "audited", reason)
    line = f"{submission.digest[:12]} of {submission.configuration.system} is audited"
    present("audit", {"digest": submission.digest, "trust": "audited"}, lambda: [line], as_json=as_json)


@challenge.command(short_help="Verify the answer to a challenge.")
@click.argument("challenge_file", metavar="FILE.zip")
@click.argument("answer", metavar="ANSWER.json")
@click.option("--allow-lower-precision", is_flag=True, help="Accept precision below float32 if the answer declares it.")
@click.option("--record", is_flag=True, help="Record in the store that the result passed a challenge.")
@store_option
@json_flag
def verify(
    challenge_file: str, answer: str, allow_lower_precision: bool, record: bool, store: str | None, as_json: bool
) -> None:
    """Verify the answer to your copy of a challenge; exit code 1 if the answer is not accepted.

    This command repeats some calls on the processor, and compares their outputs with those that the answer commits to.
    """
    import dataclasses
    import time

    from dlbricks.plugins.trust.verify import read_answer, read_challenge
    from dlbricks.plugins.trust.verify import verify as verify_answer
    from dlbricks.units import format_ns

    issued, networks = read_challenge(Path(challenge_file))
    outcome = verify_answer(
        issued, networks, read_answer(Path(answer)), now_unix_ns=time.time_ns(), allow_lower=allow_lower_precision
    )
    proof = f"{outcome.links} of {outcome.calls} calls were repeated, in {format_ns(outcome.verified_ns)}"
    proof += f" ({outcome.verified_ns / max(1, outcome.answered_ns):.1%} of the time of the answer); "
    proof += f"the mean latency is at most {outcome.factor:.1f} times the claimed one"
    verdict = {**dataclasses.asdict(outcome), "factor": outcome.factor, "result": issued.result}
    lines = [] if outcome.faults else [f"{issued.system} {issued.result[:12]}: the answer is accepted; {proof}"]
    present("challenge-verdict", verdict, lambda: lines, as_json=as_json)
    if outcome.faults:
        more = f" (and {len(outcome.faults) - 1} more)" if len(outcome.faults) > 1 else ""
        raise CheckError(f"{answer} does not prove the latencies: {outcome.faults[0]}{more}")
    if record:
        with open_store(store, write=True) as opened:
            opened.history.set_trust(issued.result, "challenged", f"passed a challenge: {proof}")
