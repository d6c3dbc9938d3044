"""The files of a challenge and of its answer."""

import math
from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta, Struct

from dlbricks.harness.challenge import DISCLOSED, LEAF_BYTES, ROOT_BYTES
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.values import PERIOD
from dlbricks.model.types import WeightBlob
from dlbricks.suite.manifest import Benchmark, TensorContract
from dlbricks.typed_json import Amount, Count, Digest

CHALLENGE_FORMAT = "dlbricks-challenge"
CHALLENGE_SCHEMA_VERSION = 2
MOST_CALLS = 1 << 14
"""Most calls of a sequence: some 5 KB of the vendor's memory each, 50 bytes of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChallengedSequence:
    """A sequence of a challenge."""

    benchmark: Benchmark
    calls: Annotated[int, Meta(ge=1, le=MOST_CALLS)]
    claimed_ns: Amount
    """Latency of a call that the result claims."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """How the sessions of the result were opened."""

    provider: str
    provider_options: dict[str, str]
    threads: Annotated[int, Meta(ge=1, le=65536)]
    config: dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What is asked of a system; the content of ``challenge.json`` beside format and version."""

    nonce: Digest
    """Drawn for this challenge alone; whoever does not know it can prepare nothing."""
    result: Digest
    """Digest of the submission that is challenged."""
    system: str
    issued_unix_ns: Count
    due_unix_ns: Count
    """By the collector's clock."""
    seed: Count
    """Of the weights."""
    runtime: Runtime
    weights: tuple[WeightBlob, ...]
    sequences: tuple[ChallengedSequence, ...]

    @property
    def work_ns(self) -> int:
        """What making inputs and commitments takes beside the calls, as estimated."""
        return sum(one.calls * work_ns(one.benchmark) for one in self.sequences)

    @property
    def claimed_ns(self) -> int:
        """What all calls take together, by the result."""
        return sum(one.calls * one.claimed_ns for one in self.sequences)


def leaf_count(benchmark: Benchmark) -> int:
    """Give the leaves into which the answer to a call is cut."""
    return sum(map(leaves_of_output, benchmark.outputs))


def leaves_of_output(output: TensorContract) -> int:
    """Give the leaves into which one output is cut."""
    return -(-byte_size(output.dtype, math.prod(output.shape)) // LEAF_BYTES)


def work_ns(benchmark: Benchmark) -> int:
    """Estimate what making the inputs of a call and committing to its outputs takes on a processor without haste."""
    numbers = sum(math.prod(one.shape) for one in benchmark.inputs)
    distinct = sum(min(PERIOD, math.prod(one.shape)) for one in benchmark.inputs)
    nbytes = sum(byte_size(one.dtype, math.prod(one.shape)) for one in benchmark.outputs)
    return round(_CALL_NS + _NUMBER_NS * distinct + _COPY_NS * numbers + _COMMIT_NS * nbytes)


_CALL_NS, _NUMBER_NS, _COPY_NS, _COMMIT_NS = 100_000, 5.0, 0.5, 1.5
"""A call's own work; of an input's number that is made, and of one that is copied; of an output's byte. On an AMD EPYC
with much else to do the work of a challenge took 0.98 times the estimate, in processor time."""

_Part = Annotated[str, Meta(max_length=1 << 16)]


class AnsweredCalls(Struct):
    """The calls of one sequence; empty with the reason in ``failed``."""

    fingerprint: Digest
    roots: Annotated[str, Meta(max_length=2 * MOST_CALLS * ROOT_BYTES)] = ""
    leaves: Annotated[list[_Part], Meta(max_length=DISCLOSED)] = []
    paths: Annotated[list[_Part], Meta(max_length=DISCLOSED)] = []
    durations_ns: Annotated[list[Amount], Meta(max_length=MOST_CALLS)] = []
    failed: str = ""


class ChallengeAnswer(Struct):
    """What a system sends back."""

    format: str
    schema_version: int
    nonce: Digest
    runtime: dict[str, Any]
    wall_ns: Amount
    sequences: Annotated[list[AnsweredCalls], Meta(max_length=4096)]
