"""Makes challenges: random sequences, a nonce, and a zip archive for the system."""

import io
import json
import secrets
import time
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from dlbricks.errors import CheckError, InputError
from dlbricks.harness.cpu import benchmarks_for
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.session import SessionSettings, backend
from dlbricks.limits import CHALLENGE_CALLS
from dlbricks.plugins.trust.answering import CHALLENGE
from dlbricks.plugins.trust.document import (
    CHALLENGE_FORMAT,
    CHALLENGE_SCHEMA_VERSION,
    Challenge,
    ChallengedSequence,
    Runtime,
    leaf_count,
    work_ns,
)
from dlbricks.store.document import Document
from dlbricks.store.submission import check
from dlbricks.store.summary import measurements
from dlbricks.store.types import Measurement, QueueConstants
from dlbricks.suite.manifest import Suite, read_network, to_document
from dlbricks.suite.writing import harness_files, module_in_suite, render_file

_HERE = Path(__file__).parent
# Number of sequences drawn, with replacement: cheating on a tenth of the importance is detected with 99 %.
DRAWS = 45
# Minimum number of calls of a drawn sequence.
LEAST_CALLS = 4
# The same for calls shorter than the work between them: on a busy machine the fastest of a few proves nothing.
_LEAST_QUICK = 32
# For such sequences, the maximum share of the work in their time; the remaining time goes to other sequences.
_WORK = 0.25
# Tolerated ratio of measured to claimed time of calls, and time for sending two files and starting. Calls between other
# work take 0.9 to 1.2 times as long as claimed on a quiet machine.
_SLACK, _SENDING_NS = 1.25, 60 * 10**9


def make_challenge(
    document: Document, digest: str, suite: Suite, folder: Path, *, time_ns: int, due_ns: int | None = None
) -> tuple[Challenge, bytes]:
    """Make a challenge for a result; return the challenge, and the zip archive that the system runs.

    ``digest`` is the digest of the result as written, and ``folder`` the folder of the suite. ``time_ns`` is the total
    of the claimed latencies of all calls, and ``due_ns`` the time to the deadline (default: ``wait_ns``). Raises
    ``CheckError`` if the result violates a rule of severity error, and ``InputError`` if its runtime is not
    onnxruntime, or if latencies are missing.
    """
    broken = [finding for finding in check(document, suite=suite) if finding.severity == "error"]
    if broken:
        raise CheckError(f"the result breaks {broken[0].rule}: {broken[0].message} (dlbricks check lists all)")
    results = measurements(document)
    claims = {name: claimed_ns(each, results.queue) for name, each in results.measurements.items()}
    rows = benchmarks_for(to_document(suite), document["system"]["facts_before"]["cpu"]["instruction_set"])
    comparable = {row["fingerprint"] for row in rows if row["reference"]}
    answers = [each for each in suite.benchmarks if each.fingerprint in comparable and leaf_count(each)]
    measured = [benchmark for benchmark in answers if benchmark.fingerprint in claims]
    if not measured:
        raise InputError("the result cannot be challenged: it has no latency of a sequence with a reference output")
    if document["runtime"]["name"] != ONNXRUNTIME:
        raise InputError(f"the runtime is {document['runtime']['name']}: only onnxruntime's results can be challenged")
    weights = [benchmark.importance for benchmark in measured]
    drawn = Counter(secrets.SystemRandom().choices(range(len(measured)), weights, k=DRAWS))
    claimed = {place: max(1, claims[measured[place].fingerprint]) for place in sorted(drawn)}
    calls = calls_of(
        {place: drawn[place] * time_ns / DRAWS for place in claimed},
        claimed,
        {place: work_ns(measured[place]) for place in claimed},
    )
    sequences = tuple(
        ChallengedSequence(benchmark=measured[place], calls=calls[place], claimed_ns=claimed[place])
        for place in claimed
    )
    usual = backend(SessionSettings()).usual_options("cpu")
    runtime, now = document["runtime"], time.time_ns()
    challenge = Challenge(
        nonce=secrets.token_hex(32),
        result=digest,
        system=document["system"]["name"],
        issued_unix_ns=now,
        due_unix_ns=now,
        seed=suite.seed,
        runtime=Runtime(
            provider=runtime["provider"],
            provider_options={key: str(value) for key, value in runtime["provider_options"].items()},
            threads=runtime["threads"],
            config={
                key: str(value)
                for key, value in runtime["session_options"].items()
                if "." in key and str(value) != str(usual.get(key))
            },
        ),
        weights=suite.weights,
        sequences=sequences,
    )
    challenge = replace(challenge, due_unix_ns=now + (wait_ns(challenge) if due_ns is None else due_ns))
    networks = {
        sequence.benchmark.network: read_network(folder, sequence.benchmark.fingerprint) for sequence in sequences
    }
    return challenge, _archive(challenge, networks)


def claimed_ns(measured: Measurement, machine: QueueConstants | None) -> int:
    """Return the time of a call that a result claims, ns: the lesser of its latency and of host and device together."""
    # estimates for a GPU consist of times of host and device, so a challenge has to prove these, too
    if measured.queue is None or machine is None:
        return measured.latency_ns
    around_ns = machine.call_ns + machine.launch_lag_ns + machine.synchronise_ns
    return min(measured.latency_ns, measured.queue.host_ns + measured.queue.device_ns + around_ns)


def wait_ns(challenge: Challenge) -> int:
    """Return the time to wait for an answer, ns: the longest time that an honest system needs, plus a minute."""
    return round(_SLACK * challenge.claimed_ns + challenge.work_ns) + _SENDING_NS


def calls_of(shares: Mapping[int, float], claimed: Mapping[int, int], work: Mapping[int, int]) -> dict[int, int]:
    """Return the number of calls of each layer sequence; if a sequence cannot fill its time, others get the rest.

    The arguments are times by sequence, ns: to fill (``shares``), of a call (``claimed``), and around a call
    (``work``).
    """
    fixed = {
        place: min(share * _WORK * claimed[place] / work[place], float(CHALLENGE_CALLS * claimed[place]))
        for place, share in shares.items()
        if work[place] > claimed[place]
    }
    for _ in shares:
        free = sum(share for place, share in shares.items() if place not in fixed)
        more = (sum(shares.values()) - sum(fixed.values())) / free if free else 1.0
        full = {place: float(CHALLENGE_CALLS * claimed[place]) for place in shares if place not in fixed}
        fixed |= {place: most for place, most in full.items() if most < more * shares[place]}
    times = {place: fixed.get(place, more * share) for place, share in shares.items()}
    least = {place: _LEAST_QUICK if work[place] > claimed[place] else LEAST_CALLS for place in shares}
    return {
        place: max(least[place], min(CHALLENGE_CALLS, round(time / claimed[place]))) for place, time in times.items()
    }


def _archive(challenge: Challenge, networks: dict[str, bytes]) -> bytes:
    head = {"format": CHALLENGE_FORMAT, "schema_version": CHALLENGE_SCHEMA_VERSION}
    files = {
        "__main__.py": render_file(_HERE / "challenge_main.py.j2").encode(),
        CHALLENGE: json.dumps({**head, **msgspec.to_builtins(challenge)}, indent=1).encode(),
        **harness_files({ONNXRUNTIME}),
        "answering.py": module_in_suite(_HERE / "answering.py"),
        **networks,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w", compression=zipfile.ZIP_DEFLATED) as stream:
        for path, data in files.items():
            stream.writestr(path, data)
    return buffer.getvalue()
