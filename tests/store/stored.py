"""Small submissions for the tests of the store, made without a run."""

import hashlib
import subprocess
from pathlib import Path
from typing import Any

from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.model.types import SequenceFeatures
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    Measurement,
    QueueConstants,
    QueueTimes,
    SequenceLabel,
    Submission,
    SystemConfiguration,
    SystemResults,
)


def fingerprint(number: int) -> str:
    """Give the fingerprint of an invented sequence."""
    return hashlib.sha256(str(number).encode()).hexdigest()


_MANIFEST: dict[str, Any] = {
    "granularity": "1",
    "splitter": "block",
    "target": {"name": "portable"},
    "benchmarks": [
        {
            "fingerprint": fingerprint(number),
            "operators": ["Conv", "Relu"],
            "flops": 7,
            "weight_bytes": 8,
            "inputs": [{"dtype": "uint8", "shape": [9]}],
            "outputs": [{"dtype": "uint8", "shape": [10]}],
            "kinds": ["a", "b"],
            "shape": [3, 4],
        }
        for number in range(20)
    ],
}
"""Of the suite that all submissions are of: what their features follow from."""


def configuration(system: str = "lab", *, threads: int = 1, provider: str = "cpu") -> SystemConfiguration:
    """Give a configuration of a system."""
    return SystemConfiguration(system=system, runtime="onnxruntime 1.31.1", provider=provider, threads=threads)


QUEUE = QueueConstants(
    call_ns=12_000, launch_lag_ns=4_000, synchronise_ns=6_000, kernel_gap_ns=1_000, queue_depth=1022, cache_bytes=2**22
)


def queue_times(number: int) -> QueueTimes:
    """Give invented times of host and device."""
    host, device = 6_000 + number, 20_000 * number
    return QueueTimes(
        host_ns=host,
        host_low_ns=host - 100,
        host_high_ns=host + 200,
        device_ns=device,
        device_low_ns=device,
        device_high_ns=device + 1,
        kernels=number,
        synchronises=bool(number % 2),
        device_cold_ns=device + 5 if number % 3 else None,
    )


def submission(
    sequences: range,
    *,
    latency_ns: int = 100_000,
    of: SystemConfiguration | None = None,
    started: int = 1,
    complete: bool = True,
    smoke: bool = False,
    body: bytes = b"{}",
    asynchronous: bool = False,
) -> Submission:
    """Make a submission that holds the given sequences, all with one latency."""
    operators = ("Conv", "Relu")
    measured = {
        fingerprint(number): Measurement(
            fingerprint=fingerprint(number),
            near_ns=latency_ns - 7,
            constants_ns=latency_ns,
            latency_ns=latency_ns,
            low_ns=latency_ns - 1000,
            high_ns=latency_ns + 1000,
            samples=64,
            verdict="stable",
            wall_ns=10 * latency_ns,
            queue=queue_times(number) if asynchronous else None,
        )
        for number in sequences
    }
    measured = dict(sorted(measured.items()))
    results = SystemResults(
        configuration=of or configuration(),
        call_overhead_ns=latency_ns // 50,
        measurements=measured,
        overheads=CallOverheads(
            near_ns=latency_ns // 60,
            constants_ns=latency_ns // 40,
            repeated_ns=latency_ns // 50,
        ),
        caches=Caches(curve=((2**20, 0.0), (2**23, 0.3), (2**26, 1.0)), brought_in=((5, 6),), memory_byte_ns=0.5),
        queue=QUEUE if asynchronous else None,
        features={
            name: SequenceFeatures(
                operators=operators,
                flops=7,
                weight_bytes=8,
                input_bytes=9,
                output_bytes=10,
                kinds=("a", "b"),
                shape=(3, 4),
            )
            for name in measured
        },
    )
    return Submission(
        digest=digest_bytes(repr((results, started, complete, smoke, body)).encode()),
        suite="smoke",
        suite_digest=fingerprint(-1),
        manifest=canonical_json(_MANIFEST),
        body=body,
        started_unix_ns=started,
        complete=complete,
        smoke=smoke,
        severity="clean",
        results=results,
        labels=tuple(
            SequenceLabel(fingerprint=name, name="Conv_Relu", operators=operators, layers=2) for name in measured
        ),
    )


def new_key(path: Path, *, kind: str = "ed25519") -> Path:
    """Make a key without a passphrase, as a vendor does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path
