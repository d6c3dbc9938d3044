"""Small submissions for the tests of the store, made without a run."""

import hashlib

from dlbricks.fingerprint import digest_bytes
from dlbricks.store.nouns import Measurement, SequenceLabel, Submission, SystemConfiguration, SystemResults


def fingerprint(number: int) -> str:
    """Give the fingerprint of an invented sequence."""
    return hashlib.sha256(str(number).encode()).hexdigest()


def configuration(system: str = "lab", *, threads: int = 1, provider: str = "cpu") -> SystemConfiguration:
    """Give a configuration of a system."""
    return SystemConfiguration(system=system, runtime="onnxruntime 1.31.1", provider=provider, threads=threads)


def submission(
    sequences: range,
    *,
    latency_ns: int = 100_000,
    of: SystemConfiguration | None = None,
    started: int = 1,
    complete: bool = True,
    body: bytes = b"{}",
) -> Submission:
    """Make a submission that holds the given sequences, all with one latency."""
    measured = {
        fingerprint(number): Measurement(
            fingerprint=fingerprint(number),
            near_ns=latency_ns,
            constants_ns=latency_ns,
            outputs_ns=latency_ns,
            inputs_ns=latency_ns,
            latency_ns=latency_ns,
            low_ns=latency_ns - 1000,
            high_ns=latency_ns + 1000,
            samples=64,
            verdict="stable",
            wall_ns=10 * latency_ns,
        )
        for number in sequences
    }
    measured = dict(sorted(measured.items()))
    results = SystemResults(
        configuration=of or configuration(), call_overhead_ns=latency_ns // 50, measurements=measured
    )
    operators = ("Conv", "Relu")
    return Submission(
        digest=digest_bytes(repr((results, started, complete, body)).encode()),
        suite="smoke",
        suite_digest=fingerprint(-1),
        manifest=b"{}",
        body=body,
        started_unix_ns=started,
        complete=complete,
        severity="clean",
        results=results,
        labels=tuple(
            SequenceLabel(fingerprint=name, name="Conv_Relu", operators=operators, layers=2) for name in measured
        ),
    )
