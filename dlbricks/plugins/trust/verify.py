"""Verifies that an answer is in time and complete, and that repeated calls give the committed outputs."""

import base64
import binascii
import lzma
import math
import secrets
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dlbricks.errors import InputError
from dlbricks.files import check_directory
from dlbricks.harness.dtypes import BY_NAME, decode, from_bytes
from dlbricks.harness.network import Bound
from dlbricks.harness.output_digest import tolerance
from dlbricks.harness.session import SessionSettings, open_session, runtime_errors
from dlbricks.harness.values import ensure_weights
from dlbricks.limits import CHALLENGE_BYTES
from dlbricks.plugins.trust.answering import (
    ANSWER_FORMAT,
    CHALLENGE,
    DISCLOSED,
    ROOT_BYTES,
    disclosed_of,
    inputs_of,
    leaves_of,
    place_of,
    root_by_path,
    seed_of,
)
from dlbricks.plugins.trust.document import (
    CHALLENGE_FORMAT,
    AnsweredCalls,
    Challenge,
    ChallengeAnswer,
    ChallengedSequence,
    leaf_count,
    leaves_of_output,
)
from dlbricks.typed_json import checked, digest_bytes, parse_object

# Number of calls that are repeated: an answer of which a fifth is wrong is detected with 99.9 %.
LINKS = 32
# Relative root mean square difference above which an answer was not computed in float32. Sums of float32 in another
# order differ by less than 1e-5, float16 and TF32 by 3e-4 or more.
_LOWER = 2e-4
# What reading a damaged zip archive raises.
_DAMAGES = (
    OSError,
    EOFError,
    KeyError,
    NotImplementedError,
    RuntimeError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
)
# Maximum ratio of an answer's stated times to the claimed ones, by the fastest call of each sequence. Honest answers
# have 0.8 to 1.04, on a machine with a load of four per processor.
_SLOWER = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Verdict on the answer to a challenge."""

    faults: tuple[str, ...]
    """Reasons to refuse the answer; empty for an accepted one."""
    links: int
    """Number of calls that this machine repeated."""
    calls: int
    elapsed_ns: int
    """Time from making the challenge to verifying the answer, ns."""
    claimed_ns: int
    """Time of the calls according to the challenged result, ns."""
    difference: float
    """Largest relative root mean square difference of float32 outputs."""
    verified_ns: int
    """Duration of the verification, ns."""
    answered_ns: int
    """Duration of the answer as stated in it, ns."""

    @property
    def factor(self) -> float:
        """Proven upper bound of the mean latency, as a multiple of the claimed latency."""
        return self.elapsed_ns / max(self.claimed_ns, 1)


def read_challenge(path: Path) -> tuple[Challenge, dict[str, bytes]]:
    """Read a challenge and its networks, without running its code; raises ``InputError`` if it is damaged."""
    try:
        check_directory(path)
        with zipfile.ZipFile(path) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > CHALLENGE_BYTES:
                raise InputError(f"{path} is not a challenge: it unpacks to more than 256 MiB")
            if len(set(archive.namelist())) < len(archive.namelist()):
                raise InputError(f"{path} is not a challenge: two of its files have the same name")
            document = parse_object(archive.read(CHALLENGE), f"{path}: {CHALLENGE}")
            if document.get("format") != CHALLENGE_FORMAT:
                raise InputError(f"{path} is not a challenge")
            challenge = checked(Challenge, document, f"{path}: {CHALLENGE}")
            networks = {
                sequence.benchmark.network: archive.read(sequence.benchmark.network) for sequence in challenge.sequences
            }
    except _DAMAGES as error:
        raise InputError(f"{path} is not a challenge, or is damaged: {error}") from error
    for sequence in challenge.sequences:
        if digest_bytes(networks[sequence.benchmark.network]) != sequence.benchmark.digest:
            raise InputError(f"{path}: {sequence.benchmark.network} was changed")
        if not leaf_count(sequence.benchmark):
            raise InputError(f"{path}: {sequence.benchmark.name} has no outputs, so an answer cannot commit to any")
    return challenge, networks


def read_answer(path: Path) -> ChallengeAnswer:
    """Read an answer; raises ``InputError`` if the file is not an answer, or is too large."""
    try:
        if path.stat().st_size > CHALLENGE_BYTES:
            raise InputError(f"{path} is not an answer to a challenge: it is larger than 256 MiB")
        document = parse_object(path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if document.get("format") != ANSWER_FORMAT:
        raise InputError(f"{path} is not an answer to a challenge")
    return checked(ChallengeAnswer, document, str(path))


def verify(
    challenge: Challenge,
    networks: Mapping[str, bytes],
    answer: ChallengeAnswer,
    *,
    now_unix_ns: int,
    allow_lower: bool = False,
) -> Verdict:
    """Verify an answer to a challenge; ``now_unix_ns`` is the time of its arrival.

    With ``allow_lower``, a lower precision than float32 is accepted if the answer declares it.
    """
    begin = time.perf_counter_ns()
    faults = [*_complete(challenge, answer, now_unix_ns)]
    chains = {chain.fingerprint: chain for chain in answer.sequences}
    difference, links = 0.0, 0
    if not faults:
        faults = [
            fault
            for sequence in challenge.sequences
            for fault in _check_commitments(sequence, chains[sequence.benchmark.fingerprint])
        ]
    if not faults:
        faults, difference, links = _repeat(challenge, networks, chains)
    if difference > _LOWER and not allow_lower:
        faults.append(
            f"float32 outputs differ by {difference:.1e} from ours, as float16 or TF32 outputs do: lower precision "
            "has to be declared (--allow-lower-precision)"
        )
    return Verdict(
        faults=tuple(faults),
        links=links,
        calls=sum(sequence.calls for sequence in challenge.sequences),
        elapsed_ns=max(0, now_unix_ns - challenge.issued_unix_ns),
        claimed_ns=challenge.claimed_ns,
        difference=difference,
        verified_ns=time.perf_counter_ns() - begin,
        answered_ns=answer.wall_ns,
    )


def _complete(challenge: Challenge, answer: ChallengeAnswer, now_unix_ns: int) -> Iterator[str]:
    """Yield the faults that an answer shows before any call is repeated."""
    if answer.nonce != challenge.nonce:
        yield "it is the answer to another challenge"
        return
    if now_unix_ns > challenge.due_unix_ns:
        late_s = (now_unix_ns - challenge.due_unix_ns) / 1e9
        yield f"it arrived {late_s:.0f} s after the deadline"
    chains = {chain.fingerprint: chain for chain in answer.sequences}
    for sequence in challenge.sequences:
        chain, name = chains.get(sequence.benchmark.fingerprint), sequence.benchmark.name
        if chain is None or chain.failed:
            yield f"{name}: {chain.failed if chain else 'the answer lacks this sequence'}"
        elif len(chain.durations_ns) != sequence.calls:
            yield f"{name}: the answer has {len(chain.durations_ns)} of {sequence.calls} calls"
        elif not len(chain.leaves) == len(chain.paths) == min(sequence.calls, DISCLOSED):
            yield f"{name}: it discloses {len(chain.leaves)} of {min(sequence.calls, DISCLOSED)} calls"
    if answer.wall_ns > now_unix_ns - challenge.issued_unix_ns:
        yield "its stated duration is longer than the time between issue and arrival"
    taken = sum(len(chain.durations_ns) * min(chain.durations_ns, default=0) for chain in answer.sequences)
    if taken > _SLOWER * challenge.claimed_ns:
        yield f"its calls took {taken / challenge.claimed_ns:.1f} times as long as the result claims"


def _check_commitments(sequence: ChallengedSequence, chain: AnsweredCalls) -> Iterator[str]:
    """Yield a fault for each disclosed leaf that does not match the root of its call."""
    name, count, roots = sequence.benchmark.name, leaf_count(sequence.benchmark), _bytes(chain.roots)
    if len(roots) != ROOT_BYTES * sequence.calls:
        yield f"{name}: it commits to {len(roots) // ROOT_BYTES} of {sequence.calls} calls"
        return
    for call, leaf, beside in zip(disclosed_of(roots), chain.leaves, chain.paths, strict=True):
        root = roots[ROOT_BYTES * call :][:ROOT_BYTES]
        path = _bytes(beside)
        hashes = [path[at : at + ROOT_BYTES] for at in range(0, len(path), ROOT_BYTES)]
        if root_by_path(_bytes(leaf), place_of(root, count), hashes, count) != root:
            yield f"{name}: the disclosed output of call {call + 1} does not match its commitment"
            return


def _bytes(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _repeat(
    challenge: Challenge, networks: Mapping[str, bytes], chains: Mapping[str, AnsweredCalls]
) -> tuple[list[str], float, int]:
    """Repeat random calls, weighted by claimed time; return faults, the largest difference and the number of calls."""
    random = secrets.SystemRandom()
    weights = [sequence.calls * sequence.claimed_ns for sequence in challenge.sequences]
    drawn = sorted(random.choices(range(len(weights)), weights, k=LINKS))
    faults, squares = [], [0.0]
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        ensure_weights(Path(folder), [msgspec.to_builtins(blob) for blob in challenge.weights], challenge.seed)
        bounds: dict[int, Bound] = {}
        for place in drawn:
            sequence = challenge.sequences[place]
            benchmark: dict[str, Any] = msgspec.to_builtins(sequence.benchmark)
            which = random.randrange(min(sequence.calls, DISCLOSED))
            settings = SessionSettings(optimization=sequence.benchmark.optimization)
            try:
                if place not in bounds:
                    session = open_session(networks[sequence.benchmark.network], Path(folder), settings)
                    bounds = {place: Bound(session, benchmark, inputs_of(benchmark, challenge.seed))}
                fault, square = _repeat_call(challenge, sequence, benchmark, bounds[place], chains, which)
            except runtime_errors(settings) as error:
                raise InputError(f"{sequence.benchmark.name} cannot be run here: {error}") from error
            faults += [fault] if fault else []
            squares += [square]
    return faults, max(squares), len(drawn)


def _repeat_call(
    challenge: Challenge,
    sequence: ChallengedSequence,
    benchmark: Mapping[str, Any],
    bound: Bound,
    chains: Mapping[str, AnsweredCalls],
    which: int,
) -> tuple[str, float]:
    """Repeat a disclosed call; return its fault, or "", and the difference of float32 outputs."""
    name, chain = sequence.benchmark.fingerprint, chains[sequence.benchmark.fingerprint]
    roots = _bytes(chain.roots)
    call = disclosed_of(roots)[which]
    before = roots[ROOT_BYTES * (call - 1) :][:ROOT_BYTES] if call else b""
    bound.refill(inputs_of(benchmark, seed_of(challenge.nonce, name, before)))
    bound.call()
    own = leaves_of(bound.outputs())
    place = place_of(roots[ROOT_BYTES * call :][:ROOT_BYTES], len(own))
    dtype = _dtype_at(sequence, place)
    ours, theirs = _numbers(own[place], dtype), _numbers(_bytes(chain.leaves[which]), dtype)
    operators = sequence.benchmark.operators
    fault, square = difference(ours, theirs, dtype, operators)
    return (f"{sequence.benchmark.name}: the answer to call {call + 1} is wrong: {fault}" if fault else ""), square


def _dtype_at(sequence: ChallengedSequence, place: int) -> str:
    for output in sequence.benchmark.outputs:
        count = leaves_of_output(output)
        if place < count:
            return output.dtype
        place -= count
    raise InputError("a disclosed leaf lies beyond the outputs")


def _numbers(leaf: bytes, dtype: str) -> Any:
    count = 8 * len(leaf) // BY_NAME[dtype].bits
    numbers = decode(from_bytes(leaf, dtype, (count,)), dtype, count)
    return numbers.view(numbers.real.dtype) if np.iscomplexobj(numbers) else numbers


def difference(repeated: Any, disclosed: Any, dtype: str, operators: Sequence[str]) -> tuple[str, float]:
    """Compare disclosed output values with those of the repeated call.

    Finite values have to agree within the tolerance of their type, relative to the values or to their root mean square;
    infinities have to be equal; a NaN is a fault. Returns the fault, or "", and the relative root mean square
    difference of float32 values.
    """
    if repeated.shape != disclosed.shape:
        return f"{disclosed.size} values of {repeated.size}", 0.0
    ours, theirs = repeated.astype(np.float64), disclosed.astype(np.float64)
    finite = np.isfinite(ours)
    if (finite != np.isfinite(theirs)).any() or (ours[~finite] != theirs[~finite]).any():
        return "infinities or NaN differ", 0.0
    ours, theirs = ours[finite], theirs[finite]
    if not ours.size:
        return "", 0.0
    allowed, usual = tolerance(dtype, operators), math.sqrt(float(np.square(ours).mean()))
    steps = 1.0 if dtype in {"int8", "uint8", "int4", "uint4"} else 0.0
    off = np.abs(ours - theirs)
    worst = int(np.argmax(off - allowed * np.abs(ours)))
    if off[worst] > allowed * (abs(ours[worst]) + usual) + steps:
        return f"{theirs[worst]:.6g} instead of {ours[worst]:.6g}", 0.0
    plain = dtype == "float32" and allowed < 0.01
    return "", math.sqrt(float(np.square(off).mean())) / usual if plain and usual else 0.0
