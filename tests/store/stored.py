"""Small submissions for the tests of the store, made without a run."""

import dataclasses
import hashlib
import json
import lzma
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import create_engine, inspect, select, text, update

from dlbricks.model.types import SequenceFeatures
from dlbricks.store.tables import meta
from dlbricks.store.types import (
    FORMER_STATES,
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
from dlbricks.typed_json import canonical_json, digest_bytes


def without_origins(results: SystemResults) -> SystemResults:
    """Give results as they were before they were stored: no measurement has an origin."""
    held = {name: msgspec.structs.replace(one, origin=None) for name, one in results.measurements.items()}
    return dataclasses.replace(results, measurements=held)


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
            "name": "Conv_Relu",
            "layers": 2,
            "operators": ["Conv", "Relu"],
            "flops": 7,
            "weight_bytes": 8,
            "inputs": [{"dtype": "uint8", "shape": [9]}],
            "outputs": [{"dtype": "uint8", "shape": [10]}],
            "kinds": ["a", "b"],
            "shape": [3, 4],
        }
        for number in range(40)
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
            llc_warm_ns=latency_ns - 7,
            weights_cold_ns=latency_ns,
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
            llc_warm_ns=latency_ns // 60,
            weights_cold_ns=latency_ns // 40,
            hot_loop_ns=latency_ns // 50,
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


HONEST_RUNS = Path(__file__).parents[1] / "data" / "honest_runs.json.xz"
"""Latencies of 54 runs of this package on shared machines, busy and quiet: 34 of three networks, 20 of two others."""


def honest_runs() -> dict[tuple[str, str, int], list[dict[str, Any]]]:
    """Return honest runs by suite, runtime and threads, by start."""
    kinds = defaultdict(list)
    for run in sorted(json.loads(lzma.decompress(HONEST_RUNS.read_bytes())), key=lambda run: run["started_unix_ns"]):
        kinds[run["suite"], run["runtime"], run["threads"]].append(run)
    return kinds


def results_of_run(run: Mapping[str, Any], system: str = "here") -> SystemResults:
    """Return one of these runs as measurements; calls with all in the caches take ``warm`` times as long, or as all."""
    of = SystemConfiguration(
        system=system,
        runtime=run["runtime"],
        provider=run.get("provider", "cpu"),
        threads=run["threads"],
        instruction_set=tuple(run["instruction_set"]),
    )
    rows = {
        name: Measurement(
            fingerprint=name,
            llc_warm_ns=round(run.get("warm", 1) * latency),
            weights_cold_ns=latency,
            latency_ns=latency,
            low_ns=low,
            high_ns=high,
            samples=9,
            verdict=verdict,
            wall_ns=latency,
        )
        for name, (latency, low, high, verdict) in run["rows"].items()
    }
    return SystemResults(configuration=of, call_overhead_ns=0, measurements=rows, drift=run["drift"])


def new_key(path: Path, *, kind: str = "ed25519") -> Path:
    """Make a key without a passphrase, as a vendor does."""
    path.parent.mkdir(parents=True, exist_ok=True)
    command = ["ssh-keygen", "-q", "-t", kind, "-N", "", "-C", "", "-f", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


def make_older(url: str, version: int) -> None:
    """Turn a store into one as an older version would have made it."""
    labels = {"name": "TEXT NOT NULL DEFAULT 'another'", "operators": "TEXT NOT NULL DEFAULT ''", "layers": "BIGINT"}
    changes = [f"ALTER TABLE sequences ADD COLUMN {name} {kind}" for name, kind in labels.items()]
    changes += [f"ALTER TABLE listings DROP COLUMN {name}" for name in labels]
    changes.append("ALTER TABLE submissions DROP COLUMN profile")
    for table, prefix in (("results", ""), ("submissions", "overhead_")):
        names = {f"{prefix}{state}_ns": f"{prefix}{former}_ns" for former, state in FORMER_STATES.items()}
        changes += [f"ALTER TABLE {table} RENAME COLUMN {name} TO {former}" for name, former in names.items()]
    if version < 9:
        changes += ["DROP TABLE handovers", "ALTER TABLE events DROP COLUMN statement"]
    if version < 8:
        changes += ["DROP TABLE names", "DROP TABLE signatures", "ALTER TABLE events DROP COLUMN until_unix_ns"]
    if version < 7:
        changes.append("DROP TABLE listings")
        changes.append("ALTER TABLE sequences ADD COLUMN features TEXT NOT NULL DEFAULT '{}'")
    if version < 6:
        changes += ["DROP TABLE events", "ALTER TABLE submissions DROP COLUMN smoke"]
    if version < 5:
        former = {"submissions": ("overhead_outputs_ns", "overhead_inputs_ns"), "results": ("outputs_ns", "inputs_ns")}
        for table, columns in former.items():
            changes += [f"ALTER TABLE {table} ADD COLUMN {name} BIGINT NOT NULL DEFAULT 7" for name in columns]
            changes.append(f"ALTER TABLE {table} DROP COLUMN queue")
    engine = create_engine(url)
    with engine.begin() as connection:
        for change in changes:
            connection.execute(text(change))
        connection.execute(update(meta).where(meta.c.key == "schema_version").values(value=str(version)))
    engine.dispose()


def all_rows(url: str) -> dict[str, list[str]]:
    """Give all that a database holds, by table."""
    engine = create_engine(url)
    with engine.connect() as connection:
        found = {
            name: sorted(map(repr, connection.execute(select(text("*")).select_from(text(name))).mappings()))
            for name in inspect(connection).get_table_names()
        }
    engine.dispose()
    return found


_UPGRADE = """
import os, signal, sys
from sqlalchemy import event
from dlbricks.store import tables
from dlbricks.store.database import ResultStore
left, connect = int(sys.argv[2]), tables.connect

def killing(*arguments, **options):
    engine = connect(*arguments, **options)
    @event.listens_for(engine, "before_cursor_execute")
    def count(connection, cursor, statement, *_):
        global left
        if connection.get_execution_options().get("dlbricks_writes"):
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
    return engine

tables.connect = killing
ResultStore.open(sys.argv[1]).close()
"""


def upgraded_by_one_that_is_killed(url: str, statements: int) -> bool:
    """Open a store in a process that is killed after so many statements of the upgrade; whether it got to the end."""
    done = subprocess.run([sys.executable, "-c", _UPGRADE, url, str(statements)], check=False)
    assert done.returncode in (0, -signal.SIGKILL)
    return done.returncode == 0
