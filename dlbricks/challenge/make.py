"""Making a challenge: sequences drawn by their importance, a secret, and one file that the system runs."""

import io
import json
import secrets
import time
import zipfile
from collections import Counter
from pathlib import Path

import msgspec

from dlbricks.challenge.document import (
    CHALLENGE_FORMAT,
    CHALLENGE_SCHEMA_VERSION,
    MOST_CALLS,
    Challenge,
    ChallengedSequence,
    Runtime,
    leaf_count,
)
from dlbricks.errors import CheckError, InputError
from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.harness.backend import ONNXRUNTIME
from dlbricks.harness.challenge import CHALLENGE
from dlbricks.harness.session import FIXED_OPTIONS
from dlbricks.store.document import Document
from dlbricks.store.submission import check
from dlbricks.store.summary import measurements
from dlbricks.suite.manifest import Suite
from dlbricks.suite.reading import read_network
from dlbricks.suite.writing import challenge_files, render_challenge_main

DRAWS = 45
"""Sequences that are drawn, with replacement: who cheats on a tenth of the importance is met with 99 %."""
LEAST_CALLS = 4
_NS = 10**9


def make_challenge(
    document: Document, suite: Suite, folder: Path, *, time_ns: int, due_ns: int
) -> tuple[Challenge, bytes]:
    """Draw a challenge for a result.

    Args:
        document: the result, as it was read.
        suite: that was run.
        folder: of the suite.
        time_ns: what the calls should take together, by the result.
        due_ns: time from now until the answer is due.

    Returns:
        The challenge, and the zip archive that the system runs.

    Raises:
        CheckError: the result breaks a rule.
        InputError: it is of another suite or runtime, or nothing in it can be challenged.
    """
    broken = [finding for finding in check(document, suite=suite) if finding.severity == "error"]
    if broken:
        raise CheckError(f"the result breaks {broken[0].rule}: {broken[0].message} (dlbricks check lists all)")
    claims = measurements(document).measurements
    known = [one for one in suite.benchmarks if one.fingerprint in claims and leaf_count(one)]
    if not known:
        raise InputError("the result has no latency of a sequence: nothing to challenge")
    if document["runtime"]["name"] != ONNXRUNTIME:
        raise InputError(f"the result is of {document['runtime']['name']}: only those of onnxruntime can be challenged")
    weights = [one.importance for one in known]
    drawn = Counter(secrets.SystemRandom().choices(range(len(known)), weights, k=DRAWS))
    sequences = []
    for place in sorted(drawn):
        claimed_ns = max(1, claims[known[place].fingerprint].latency_ns)
        calls = round(drawn[place] * time_ns / DRAWS / claimed_ns)
        calls = max(LEAST_CALLS, min(MOST_CALLS, calls))
        sequences.append(ChallengedSequence(benchmark=known[place], calls=calls, claimed_ns=claimed_ns))
    runtime, now = document["runtime"], time.time_ns()
    challenge = Challenge(
        nonce=secrets.token_hex(32),
        result=digest_bytes(canonical_json(document)),
        system=document["system"]["name"],
        issued_unix_ns=now,
        due_unix_ns=now + due_ns,
        seed=suite.seed,
        runtime=Runtime(
            provider=runtime["provider"],
            provider_options={key: str(value) for key, value in runtime["provider_options"].items()},
            threads=runtime["threads"],
            config={
                key: str(value)
                for key, value in runtime["session_options"].items()
                if "." in key and str(value) != str(FIXED_OPTIONS.get(key))
            },
        ),
        weights=suite.weights,
        sequences=tuple(sequences),
    )
    networks = {one.benchmark.network: read_network(folder, one.benchmark.fingerprint) for one in sequences}
    return challenge, _archive(challenge, networks)


def _archive(challenge: Challenge, networks: dict[str, bytes]) -> bytes:
    head = {"format": CHALLENGE_FORMAT, "schema_version": CHALLENGE_SCHEMA_VERSION}
    files = {
        "__main__.py": render_challenge_main().encode(),
        CHALLENGE: json.dumps({**head, **msgspec.to_builtins(challenge)}, indent=1).encode(),
        **challenge_files(),
        **networks,
    }
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, mode="w", compression=zipfile.ZIP_DEFLATED) as stream:
        for path, data in files.items():
            stream.writestr(path, data)
    return buffer.getvalue()
