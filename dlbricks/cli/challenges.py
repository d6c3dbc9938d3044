"""``challenge make`` and ``challenge verify``."""

import click

from dlbricks.cli.options import json_flag, store_option
from dlbricks.cli.output import present
from dlbricks.errors import CheckError
from dlbricks.estimating import open_store


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
    from pathlib import Path

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
    from pathlib import Path

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
