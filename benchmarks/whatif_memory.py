"""Back-tests of ``mem-reuse:off``: networks measured with and without memory reuse, predicted from a shipped system.

``python benchmarks/whatif_memory.py SYSTEM NETWORK...`` runs on a machine of the kind of SYSTEM and writes
``suites/results/whatif-memory.json``. Both sessions of a network are called in turns in one process, in two processes
that open them in either order: the session opened second takes up to 7 % less, however it uses memory.
"""

import math
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from hashlib import sha256
from pathlib import Path
from statistics import median

import msgspec
from archives import RESULTS
from backtest.cases import BackTest, BackTests, report, write_tests

import dlbricks
from dlbricks.harness.network import prepare
from dlbricks.harness.session import SessionSettings
from dlbricks.harness.values import ensure_weights
from dlbricks.report.console import show
from dlbricks.sequences.split import read_network
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.validate.measure import end_to_end_benchmark

OUT = RESULTS / "whatif-memory.json"
_OPTION, _SETTINGS = "enable_mem_reuse", SplitSettings(target="onnxruntime-cpu")
_NETWORK_S, _LEAST_ROUNDS, _CALLS = 8, 4, 3


def measured(path: Path, order: tuple[bool, bool]) -> dict[bool, float]:
    """Return the latency with and without memory reuse, ns, of sessions opened in this order."""
    built = end_to_end_benchmark(read_network(path, _SETTINGS))
    benchmark = {**msgspec.to_builtins(built.benchmark), "digest": sha256(built.network).hexdigest()}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "networks").mkdir()
        (folder / built.benchmark.network).write_bytes(built.network)
        ensure_weights(folder, [msgspec.to_builtins(blob) for blob in built.weights], 0)
        settings = {reuses: SessionSettings(threads=1, options=((_OPTION, reuses),)) for reuses in order}
        networks = {reuses: prepare(benchmark, folder, folder, settings[reuses], 0).bound for reuses in order}
        samples: dict[bool, list[int]] = {reuses: [] for reuses in order}
        end = time.monotonic() + _NETWORK_S
        while time.monotonic() < end or len(samples[True]) < _LEAST_ROUNDS * _CALLS:
            for reuses, network in networks.items():
                # the first call finds the other session's data in the caches
                samples[reuses] += network.visit(1 + _CALLS)[1:]
    return {reuses: median(times) for reuses, times in samples.items()}


def backtest(path: Path, system: str) -> BackTest:
    """Measure a network in both orders, and predict it from the sequences of a system."""
    orders = []
    for order in ((True, False), (False, True)):
        with ProcessPoolExecutor(1) as fresh:
            orders.append(fresh.submit(measured, path, order).result())
    before_ns, truth_ns = (math.prod(times[reuses] for times in orders) ** 0.5 for reuses in (True, False))
    query = SystemQuery(system=system, runtime="onnxruntime", threads=1)
    answer = dlbricks.what_if([], ["mem-reuse:off"], network=dlbricks.split(dlbricks.read(path)), system=query)
    return BackTest(
        transform="mem-reuse:off",
        case=f"{path.stem}, one thread",
        before_ns=before_ns,
        predicted_ns=before_ns * (1 - answer.gain),
        truth_ns=truth_ns,
        knew="its sequences, measured in another run",
        kind="inference on a processor",
    )


if __name__ == "__main__":
    tests = [backtest(Path(path), sys.argv[1]) for path in sys.argv[2:]]
    write_tests(tests, OUT)
    show(*report(BackTests(tests=tuple(tests))))
