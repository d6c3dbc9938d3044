"""Answers a challenge: a chain of calls, in which the outputs of a call determine the inputs of the next call.

The inputs of call i + 1 follow from a nonce of the collector and from all outputs of call i, so calls can be neither
precomputed nor made in parallel. The commitment to a call is the root of a hash tree over its outputs (Merkle, CRYPTO
1987). For some calls, the answer discloses one leaf with its path to the root. A slow hash of all roots selects these
calls (Fiat and Shamir, CRYPTO 1986); the root of a call selects the leaf.
"""

import argparse
import base64
import functools
import hashlib
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dlbricks.harness.dtypes import Numbers, as_bytes
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.network import prepare
from dlbricks.harness.run.files import write_json
from dlbricks.harness.session import SessionSettings, backend, check_settings, runtime_errors, with_shared_pool
from dlbricks.harness.values import ensure_weights, fill

# Name of the challenge's file.
CHALLENGE = "challenge.json"
ANSWER_FORMAT = "dlbricks-challenge-answer"
LEAF_BYTES = 4096
ROOT_BYTES = 32
# Calls per sequence with a disclosed leaf. If a fifth of the calls are wrong, none is disclosed with chance 4e-13.
DISCLOSED = 128
# Rounds of the slow hash, about 0.1 s.
_ROUNDS = 200_000


def seed_of(nonce: str, fingerprint: str, root: bytes) -> int:
    """Return the seed of a call's inputs; ``root`` is the root of the previous call, empty for the first call."""
    return int.from_bytes(hashlib.sha256(f"{nonce}/{fingerprint}/".encode() + root).digest(), "big")


def leaves_of(outputs: Sequence[Numbers]) -> list[bytes]:
    """Split the bytes of each output into leaves of ``LEAF_BYTES``; the last leaf of an output may be shorter."""
    contents = [as_bytes(values) for values in outputs]
    return [content[begin : begin + LEAF_BYTES] for content in contents for begin in range(0, len(content), LEAF_BYTES)]


def tree_of(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """Return the levels of the hash tree, leaves first; a last hash without a partner moves up unchanged."""
    levels = [[hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([_pair(*below[at : at + 2]) for at in range(0, len(below), 2)])
    return levels


def _pair(left: bytes, right: bytes | None = None) -> bytes:
    return left if right is None else hashlib.sha256(b"\1" + left + right).digest()


def root_of(top: bytes, count: int) -> bytes:
    """Return the root, from the top of the hash tree and the number of leaves."""
    return hashlib.sha256(b"\2" + count.to_bytes(8, "big") + top).digest()


def place_of(root: bytes, count: int) -> int:
    """Return the index of the leaf to disclose, which follows from the root of the call."""
    return int.from_bytes(hashlib.sha256(b"\3" + root).digest(), "big") % count


@functools.lru_cache(maxsize=64)
def disclosed_of(roots: bytes) -> tuple[int, ...]:
    """Return the indices of the calls to disclose, which follow from the joined roots of all calls."""
    count = len(roots) // ROOT_BYTES
    if count <= DISCLOSED:
        return tuple(range(count))
    key = hashlib.pbkdf2_hmac("sha256", roots, b"dlbricks", _ROUNDS)
    chosen: set[int] = set()
    number = 0
    while len(chosen) < DISCLOSED:
        chosen.add(int.from_bytes(hashlib.sha256(key + number.to_bytes(8, "big")).digest(), "big") % count)
        number += 1
    return tuple(sorted(chosen))


def inputs_of(benchmark: Mapping[str, Any], seed: int) -> dict[str, Numbers]:
    """Generate the inputs of a call."""
    return {
        tensor["name"]: fill(tensor["dtype"], tensor["shape"], tensor["generator"], seed, f"inputs/{tensor['name']}")
        for tensor in benchmark["inputs"]
    }


def path_of(levels: Sequence[Sequence[bytes]], place: int) -> list[bytes]:
    """Return the hashes that prove a leaf: its sibling at each level."""
    path = []
    for level in levels[:-1]:
        if place ^ 1 < len(level):
            path.append(level[place ^ 1])
        place //= 2
    return path


def root_by_path(leaf: bytes, place: int, path: Sequence[bytes], count: int) -> bytes | None:
    """Return the root that follows from a leaf and its path (``path_of``); None if the path has a wrong length."""
    top, left, total = hashlib.sha256(b"\0" + leaf).digest(), list(path), count
    while total > 1:
        if place ^ 1 < total:
            if not left:
                return None
            sibling = left.pop(0)
            top = _pair(sibling, top) if place % 2 else _pair(top, sibling)
        place, total = place // 2, -(-total // 2)
    return None if left else root_of(top, count)


def answer(challenge: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Make all calls of a challenge; ``networks/`` in the folder has the networks.

    For each sequence, the answer has the joined roots of all calls, disclosed leaves with their paths (base64), and
    durations in ns; a sequence that fails has only the reason. Raises ``HarnessError`` if the provider is missing.
    """
    runtime = challenge["runtime"]
    settings = SessionSettings(
        threads=runtime["threads"],
        provider=runtime["provider"],
        provider_options=tuple(runtime["provider_options"].items()),
        config=tuple(runtime["config"].items()),
    )
    check_settings(settings)
    settings = with_shared_pool(settings)
    backend(settings).prepare(settings)
    weights = folder / "weights"
    ensure_weights(weights, challenge["weights"], challenge["seed"])
    begin = time.perf_counter_ns()
    chains = []
    for number, sequence in enumerate(challenge["sequences"]):
        sys.stderr.write(f"\r{number + 1} of {len(challenge['sequences'])} sequences")
        sys.stderr.flush()
        chains.append(_chain(challenge, sequence, folder, weights, settings))
    sys.stderr.write("\n")
    return {
        "format": ANSWER_FORMAT,
        "schema_version": 1,
        "nonce": challenge["nonce"],
        "runtime": backend(settings).facts(settings),
        "wall_ns": time.perf_counter_ns() - begin,
        "sequences": chains,
    }


def _chain(
    challenge: Mapping[str, Any],
    sequence: Mapping[str, Any],
    folder: Path,
    weights: Path,
    settings: SessionSettings,
) -> dict[str, Any]:
    benchmark = sequence["benchmark"]
    name, root = benchmark["fingerprint"], b""
    roots, leaves, durations = bytearray(), list[tuple[bytes, bytes]](), []
    try:
        bound = prepare(benchmark, folder, weights, settings, challenge["seed"]).bound
        bound.visit(1)
        for _ in range(sequence["calls"]):
            bound.refill(inputs_of(benchmark, seed_of(challenge["nonce"], name, root)))
            durations.append(bound.call())
            cut = leaves_of(bound.outputs())
            levels = tree_of(cut)
            root = root_of(levels[-1][0], len(cut))
            place = place_of(root, len(cut))
            roots += root
            leaves.append((cut[place], b"".join(path_of(levels, place))))
    except runtime_errors(settings) as error:
        return {"fingerprint": name, "failed": " ".join(str(error).split())[:400]}
    shown = [leaves[call] for call in disclosed_of(bytes(roots))]
    return {
        "fingerprint": name,
        "roots": _text(bytes(roots)),
        "leaves": [_text(leaf) for leaf, _ in shown],
        "paths": [_text(path) for _, path in shown],
        "durations_ns": durations,
    }


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def main(arguments: Sequence[str], folder: Path) -> int:
    """Answer the challenge in a folder; return the exit code."""
    parser = argparse.ArgumentParser(description="Answer a challenge and write the answer to a file. Nothing is sent.")
    parser.add_argument("-o", "--out", type=Path, default=Path("answer.json"), help="file to write the answer to")
    chosen = parser.parse_args(arguments)
    if chosen.out.exists():
        sys.stderr.write(f"error: {chosen.out} exists: move it, or name another file with --out\n")
        return 2
    challenge = json.loads((folder / CHALLENGE).read_text(encoding="utf-8"))
    try:
        with tempfile.TemporaryDirectory(dir=chosen.out.parent):
            pass  # check that the folder can be written
        write_json(chosen.out, answer(challenge, folder))
    except HarnessError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error: cannot write {chosen.out}: {error.strerror or error}\n")
        return 2
    sys.stdout.write(f"{chosen.out} holds the answer: send it back now, before the deadline of the challenge\n")
    return 0
