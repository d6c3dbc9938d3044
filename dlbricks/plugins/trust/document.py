"""The types of challenges and answers, and of their files."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta, Struct

from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.values import PERIOD
from dlbricks.limits import CHALLENGE_CALLS
from dlbricks.model.types import WeightBlob
from dlbricks.plugins.trust.answering import DISCLOSED, LEAF_BYTES, ROOT_BYTES
from dlbricks.suite.manifest import Benchmark, TensorContract
from dlbricks.typed_json import Amount, Count, Digest

CHALLENGE_FORMAT = "dlbricks-challenge"
CHALLENGE_SCHEMA_VERSION = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengedSequence:
    """A layer sequence in a challenge, and its number of calls."""

    benchmark: Benchmark
    calls: Annotated[int, Meta(ge=1, le=CHALLENGE_CALLS)]
    claimed_ns: Amount
    """Latency of a call in the challenged result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """Session settings of the challenged result."""

    provider: str
    provider_options: dict[str, str]
    threads: Annotated[int, Meta(ge=1, le=65536)]
    config: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Content of ``challenge.json``, without format and version."""

    nonce: Digest
    """Random number, from which all inputs follow."""
    result: Digest
    """Digest of the challenged result."""
    system: str
    issued_unix_ns: Count
    due_unix_ns: Count
    """Deadline of the answer on the collector's clock."""
    seed: Count
    """Seed of the weights."""
    runtime: Runtime
    weights: tuple[WeightBlob, ...]
    sequences: tuple[ChallengedSequence, ...]

    @property
    def work_ns(self) -> int:
        """Estimated time of generating inputs and hashing outputs, ns."""
        return sum(sequence.calls * work_ns(sequence.benchmark) for sequence in self.sequences)

    @property
    def claimed_ns(self) -> int:
        """Time of all calls according to the challenged result, ns."""
        return sum(sequence.calls * sequence.claimed_ns for sequence in self.sequences)


def leaf_count(benchmark: Benchmark) -> int:
    """Return the number of leaves of all outputs of a call."""
    return sum(map(leaves_of_output, benchmark.outputs))


def leaves_of_output(output: TensorContract) -> int:
    """Return the number of single tensors that an output consists of."""
    return -(-byte_size(output.dtype, math.prod(output.shape)) // LEAF_BYTES)


def work_ns(benchmark: Benchmark) -> int:
    """Estimate how long a slow processor takes to generate inputs and hash outputs of a call, ns."""
    numbers = sum(math.prod(tensor.shape) for tensor in benchmark.inputs)
    distinct = sum(min(PERIOD, math.prod(tensor.shape)) for tensor in benchmark.inputs)
    nbytes = sum(byte_size(tensor.dtype, math.prod(tensor.shape)) for tensor in benchmark.outputs)
    return round(_CALL_NS + _NUMBER_NS * distinct + _COPY_NS * numbers + _COMMIT_NS * nbytes)


# Work per call, per generated number of an input, per copied number, and per byte of an output. On a busy AMD EPYC the
# work of a challenge took 0.98 times the estimate, in processor time.
_CALL_NS, _NUMBER_NS, _COPY_NS, _COMMIT_NS = 100_000, 5.0, 0.5, 1.5

_Part = Annotated[str, Meta(max_length=1 << 16)]


class AnsweredCalls(Struct):
    """Answer for one layer sequence; if ``failed`` has a reason, the other fields are empty."""

    fingerprint: Digest
    roots: Annotated[str, Meta(max_length=2 * CHALLENGE_CALLS * ROOT_BYTES)] = ""
    leaves: Annotated[list[_Part], Meta(max_length=DISCLOSED)] = []
    paths: Annotated[list[_Part], Meta(max_length=DISCLOSED)] = []
    durations_ns: Annotated[list[Amount], Meta(max_length=CHALLENGE_CALLS)] = []
    failed: str = ""


class ChallengeAnswer(Struct):
    """File with the answer to a challenge."""

    format: str
    schema_version: int
    nonce: Digest
    runtime: dict[str, Any]
    wall_ns: Amount
    sequences: Annotated[list[AnsweredCalls], Meta(max_length=4096)]
