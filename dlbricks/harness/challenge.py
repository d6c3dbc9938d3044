"""The vendor's part of a challenge: calls in a chain, each input made from the answer before, each answer committed to.

What call i + 1 computes follows from a secret that the collector drew and from every byte of the answer to call i, so
answers can be neither kept nor made at once. Of each call stays the root of a hash tree (Merkle, CRYPTO 1987) over its
whole answer. Of some calls one leaf is disclosed with its path, at a place that the root decides; all roots together
decide of which calls, by a slow hash, so that nobody can try many roots (Fiat and Shamir, CRYPTO 1986).
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

from .dtypes import Numbers, as_bytes
from .errors import HarnessError
from .machine.runtime import runtime_facts
from .network import prepare
from .run.result_file import write_json
from .session import RUNTIME_ERRORS, SessionSettings, check_settings, prepare_runtime, with_shared_pool
from .values import ensure_weights, fill

CHALLENGE = "challenge.json"
"""Name of the file that says what is asked."""
ANSWER_FORMAT = "dlbricks-challenge-answer"
LEAF_BYTES = 4096
ROOT_BYTES = 32
DISCLOSED = 128
"""Calls of a sequence of which a leaf is disclosed: who answers a fifth of them wrongly shows it but for 4e-13."""
_ROUNDS = 200_000
"""Of the hash that says which: some 0.1 s."""


def seed_of(nonce: str, fingerprint: str, root: bytes) -> int:
    """Give the seed of the inputs of a call.

    Args:
        nonce: of the challenge.
        fingerprint: of the sequence.
        root: of the answer before; empty for the first call.
    """
    return int.from_bytes(hashlib.sha256(f"{nonce}/{fingerprint}/".encode() + root).digest(), "big")


def leaves_of(outputs: Sequence[Numbers]) -> list[bytes]:
    """Cut the bytes of all outputs into leaves; none holds parts of two outputs."""
    made = [as_bytes(values) for values in outputs]
    return [one[begin : begin + LEAF_BYTES] for one in made for begin in range(0, len(one), LEAF_BYTES)]


def tree_of(leaves: Sequence[bytes]) -> list[list[bytes]]:
    """Hash leaves in pairs, level by level up to one hash; one that is left over goes up as it is."""
    levels = [[hashlib.sha256(b"\0" + leaf).digest() for leaf in leaves]]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([_pair(*below[at : at + 2]) for at in range(0, len(below), 2)])
    return levels


def _pair(left: bytes, right: bytes | None = None) -> bytes:
    return left if right is None else hashlib.sha256(b"\1" + left + right).digest()


def root_of(top: bytes, count: int) -> bytes:
    """Give the commitment to an answer of so many leaves."""
    return hashlib.sha256(b"\2" + count.to_bytes(8, "big") + top).digest()


def place_of(root: bytes, count: int) -> int:
    """Say which of the leaves is disclosed."""
    return int.from_bytes(hashlib.sha256(b"\3" + root).digest(), "big") % count


@functools.lru_cache(maxsize=64)
def disclosed_of(roots: bytes) -> tuple[int, ...]:
    """Say of which calls a leaf is disclosed, by the commitments to all of them, one after the other."""
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
    """Make the inputs of a call: as those of the suite, of another seed, and no more numbers than they hold."""
    return {
        one["name"]: fill(one["dtype"], one["shape"], one["generator"], seed, f"inputs/{one['name']}")
        for one in benchmark["inputs"]
    }


def path_of(levels: Sequence[Sequence[bytes]], place: int) -> list[bytes]:
    """Give the hashes beside the way from a leaf to the top; none where a hash goes up as it is."""
    path = []
    for level in levels[:-1]:
        if place ^ 1 < len(level):
            path.append(level[place ^ 1])
        place //= 2
    return path


def root_by_path(leaf: bytes, place: int, path: Sequence[bytes], count: int) -> bytes | None:
    """Give the commitment that a leaf and its path lead to; None if the path is of another length."""
    made, left, total = hashlib.sha256(b"\0" + leaf).digest(), list(path), count
    while total > 1:
        if place ^ 1 < total:
            if not left:
                return None
            beside = left.pop(0)
            made = _pair(beside, made) if place % 2 else _pair(made, beside)
        place, total = place // 2, -(-total // 2)
    return None if left else root_of(made, count)


def answer(challenge: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Make all calls of a challenge.

    Args:
        challenge: content of ``challenge.json``.
        folder: where ``networks/`` lies.

    Returns:
        The answer: for each sequence the commitments of all calls one after the other, leaves and paths of those that
        are disclosed (base64), and how long each call took; or why it failed.

    Raises:
        HarnessError: the provider cannot be had.
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
    prepare_runtime(settings)
    weights = folder / "weights"
    ensure_weights(weights, challenge["weights"], challenge["seed"])
    begin = time.perf_counter_ns()
    made = []
    for number, sequence in enumerate(challenge["sequences"]):
        sys.stderr.write(f"\r{number + 1} of {len(challenge['sequences'])} sequences")
        sys.stderr.flush()
        made.append(_chain(challenge, sequence, folder, weights, settings))
    sys.stderr.write("\n")
    return {
        "format": ANSWER_FORMAT,
        "schema_version": 1,
        "nonce": challenge["nonce"],
        "runtime": {**runtime_facts(settings)},
        "wall_ns": time.perf_counter_ns() - begin,
        "sequences": made,
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
    roots, kept, durations = bytearray(), list[tuple[bytes, bytes]](), []
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
            kept.append((cut[place], b"".join(path_of(levels, place))))
    except RUNTIME_ERRORS as error:
        return {"fingerprint": name, "failed": " ".join(str(error).split())[:400]}
    shown = [kept[call] for call in disclosed_of(bytes(roots))]
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
    """Answer the challenge that lies in a folder; give the exit code."""
    parser = argparse.ArgumentParser(description="Answer a challenge; nothing is sent by itself.")
    parser.add_argument("-o", "--out", type=Path, default=Path("answer.json"), help="file of the answer")
    chosen = parser.parse_args(arguments)
    challenge = json.loads((folder / CHALLENGE).read_text(encoding="utf-8"))
    try:
        with tempfile.TemporaryDirectory(dir=chosen.out.parent):
            pass  # the place can be written
        write_json(chosen.out, answer(challenge, folder))
    except HarnessError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except OSError as error:
        sys.stderr.write(f"error: cannot write {chosen.out}: {error.strerror or error}\n")
        return 2
    sys.stdout.write(f"{chosen.out} holds the answer: send it back now, its time counts\n")
    return 0
