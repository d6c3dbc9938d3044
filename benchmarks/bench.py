"""Speed and memory of dlbricks itself: ``make bench`` prints the table and writes it to ``benchmarks/results.md``.

Wall times of a shared machine: read them as orders of magnitude, compare only what was taken in one run. Where two
things are compared they take turns and the median counts.
"""

import argparse
import hashlib
import itertools
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import onnx
import onnxruntime
import trace_rows
import whatif_rows
from onnx import TensorProto, helper
from rows import Part, Row, peak_mb

ROOT = Path(__file__).parents[1]
NETWORKS = ROOT / "suites" / "networks"
DIMS = ("--dim", "batch=1", "--dim", "seq=64")


class Usage(NamedTuple):
    """What a command cost."""

    seconds: float
    peak_mb: float
    """Of the largest of its processes."""


def measure(*command: str) -> Usage:
    """Run a dlbricks command and see what it cost.

    Raises:
        SystemExit: it failed.
    """
    began = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen([sys.executable, "-m", "dlbricks", *command], stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - began
        if process.returncode != 0:
            said.seek(0)
            sys.exit(f"dlbricks {' '.join(command)} failed:\n{said.read().decode()}")
    return Usage(seconds, peak_mb(usage))


def folder_bytes(folder: Path) -> int:
    """Add up the files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def generating(scratch: Path) -> Iterator[Row]:
    """Generate all networks of the repository, and the size of what comes out."""
    suite, packed = scratch / "all", scratch / "all.tar.gz"
    costs = [measure("generate", str(NETWORKS), "-H", "1", "-o", str(suite), "--jobs", "2", *DIMS) for _ in range(3)]
    yield Row(
        f"generate all {len(list(NETWORKS.glob('*.onnx')))} networks, H = 1, portable, --jobs 2",
        "25 s, 1 GB peak per process",
        f"{statistics.median(cost.seconds for cost in costs):.1f} s, {max(cost.peak_mb for cost in costs):.0f} MB",
    )
    measure("generate", str(NETWORKS), "-H", "1", "-o", str(packed), "--pack", "--jobs", "2", *DIMS)
    yield Row(
        "suite of all networks at H = 1",
        "15 MB unpacked, 2.5 MB packed",
        f"{folder_bytes(suite) / 1e6:.1f} MB unpacked, {packed.stat().st_size / 1e6:.2f} MB packed",
    )


def deep_network(path: Path, layers: int) -> None:
    """Write a network of repeated blocks (matrix product, bias, activation, residual sum) of four layers each."""
    nodes, initializers, last = [], [], "x"
    for block in range(layers // 4):
        weight, bias = f"w{block}", f"b{block}"
        for name, dims in ((weight, [64, 64]), (bias, [64])):
            tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=dims, data_location=TensorProto.EXTERNAL)
            tensor.external_data.add(key="location", value="weights.bin")
            initializers.append(tensor)
        nodes += [
            helper.make_node("MatMul", [last, weight], [f"p{block}"]),
            helper.make_node("Add", [f"p{block}", bias], [f"s{block}"]),
            helper.make_node("Tanh", [f"s{block}"], [f"a{block}"]),
            helper.make_node("Add", [f"a{block}", last], [f"y{block}"]),
        ]
        last = f"y{block}"
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [8, 64]) for name in ("x", last)]
    graph = helper.make_graph(nodes, "deep", ends[:1], ends[1:], initializers)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)], ir_version=10), path)


def per_layer(scratch: Path) -> Iterator[Row]:
    """Compare the cost per layer of a long network with that of a short one, taking turns."""
    from dlbricks.model.read.network import read_model
    from dlbricks.sequences.canonical import canonicalise
    from dlbricks.sequences.split import split
    from dlbricks.sequences.types import Granularity
    from dlbricks.suite.benchmarks import build_benchmark, group_index

    sizes = (5_000, 50_000)
    for size in sizes:
        deep_network(scratch / f"deep{size}.onnx", size)
    costs: dict[int, list[float]] = {size: [] for size in sizes}
    for _ in range(3):
        for size in sizes:
            began = time.perf_counter()
            model = read_model(scratch / f"deep{size}.onnx")
            groups = group_index(model)
            forms = [canonicalise(model, sequence) for sequence in split(model, Granularity(1)).sequences]
            for form in {form.fingerprint: form for form in forms}.values():
                build_benchmark(model, form, group_of=groups)
            costs[size].append((time.perf_counter() - began) / size * 1e6)
    short, long = (statistics.median(costs[size]) for size in sizes)
    yield Row(
        "cost per layer (read, split, fingerprint, emit), 50,000 layers against 5,000",
        "within 1.5 times",
        f"{long / short:.2f} times ({long:.0f} us against {short:.0f} us)",
    )


def starting(_scratch: Path) -> Iterator[Row]:
    """How long a user waits for help."""
    yield Row("dlbricks --help", "0.3 s", f"{statistics.median(measure('--help').seconds for _ in range(7)):.2f} s")


def storing(scratch: Path) -> Iterator[Row]:
    """Fill a store with 100 systems, then estimate one network from it."""
    from dlbricks.construct.compose import compose
    from dlbricks.model.read.network import read_model
    from dlbricks.model.types import SequenceFeatures
    from dlbricks.sequences.split import split
    from dlbricks.sequences.types import Granularity
    from dlbricks.store.database import ResultStore
    from dlbricks.store.types import (
        CallOverheads,
        Measurement,
        SequenceLabel,
        Submission,
        SystemConfiguration,
        SystemResults,
    )

    network = NETWORKS / "tv_resnet50.onnx"
    steps = compose(split(read_model(network), Granularity(1))).steps
    fingerprints = list(dict.fromkeys(step.fingerprint for step in steps))
    fingerprints += [hashlib.sha256(str(i).encode()).hexdigest() for i in range(3_000 - len(fingerprints))]
    labels = tuple(SequenceLabel(fingerprint=f, name="Conv", operators=("Conv",), layers=1) for f in fingerprints)
    feature = SequenceFeatures(
        operators=("Conv",), flops=10**9, weight_bytes=10**6, input_bytes=10**6, output_bytes=10**6
    )
    features = dict.fromkeys(fingerprints, feature)
    url = f"sqlite:///{scratch / 'store.sqlite'}"
    began = time.perf_counter()
    manifest = b'{"granularity": "1", "splitter": "block", "target": {"name": "portable"}}'
    with ResultStore.open(url, create=True) as store:
        for number in range(100):
            configuration = SystemConfiguration(
                system=f"system-{number:03}", runtime="onnxruntime 1.31.1", provider="cpu", threads=1
            )
            measured = {
                f: Measurement(fingerprint=f, llc_warm_ns=45_000 + i, weights_cold_ns=50_000 + i,
                               latency_ns=50_000 + i, low_ns=49_000 + i, high_ns=51_000 + i,
                               samples=60, verdict="stable", wall_ns=9_000_000)
                for i, f in enumerate(fingerprints)
            }  # fmt: skip
            store.add(
                Submission(
                    digest=hashlib.sha256(str(number).encode()).hexdigest(), suite="all", suite_digest="0" * 64,
                    manifest=manifest, body=json.dumps({"number": number}).encode(), started_unix_ns=number,
                    complete=True, smoke=False, severity="clean", labels=labels,
                    results=SystemResults(configuration=configuration, call_overhead_ns=3_000, measurements=measured,
                                          overheads=CallOverheads(hot_loop_ns=3_000), features=features),
                )
            )  # fmt: skip
    yield Row(
        "storing 300,000 results (100 submissions, already checked)", "10 s", f"{time.perf_counter() - began:.1f} s"
    )
    asked = ("estimate", str(network), "--system", "system-042", "--store", url)
    yield Row(
        "estimate of one network from a store with 100 systems x 3,000 sequences",
        "1.5 s",
        f"{statistics.median(measure(*asked).seconds for _ in range(5)):.2f} s",
    )


def bundling(scratch: Path) -> Iterator[Row]:
    """Ask a bundle of ten million results, by DuckDB and by an estimate."""
    import duckdb
    import numpy as np
    import pyarrow as pa

    from dlbricks.settings import SystemQuery
    from dlbricks.store.bundle import (
        BUNDLE_SCHEMA_VERSION,
        Bundle,
        BundleHead,
        PublishedSystem,
        arrow_schema,
        write_tables,
    )
    from dlbricks.store.history import signer_of
    from dlbricks.store.types import Caches, CallOverheads, SystemConfiguration

    systems, sequences, path = 1000, 10_000, scratch / "many.parquet"
    rng = np.random.default_rng(1)
    names = pa.array([hashlib.sha256(str(i).encode()).hexdigest() for i in range(sequences)])
    operators = pa.array([("Conv Relu", "MatMul", "Conv Add Relu", "Gemm")[i % 4] for i in range(sequences)])
    head = BundleHead(
        schema_version=BUNDLE_SCHEMA_VERSION,
        published_unix_ns=1,
        systems=tuple(
            PublishedSystem(
                number=number, call_overhead_ns=3000, drift=0.0, overheads=CallOverheads(), caches=Caches(), queue=None,
                configuration=SystemConfiguration(
                    system=f"system-{number:04}", runtime="onnxruntime 1.31.1", provider="cpu", threads=1
                ),
                settings=(),
            )
            for number in range(systems)
        ),
    )  # fmt: skip
    schema = arrow_schema(head)
    base = np.exp(rng.normal(11, 2, sequences))

    def rows() -> Iterator[pa.Table]:
        for one in head.systems:
            times = pa.array((base * rng.lognormal(0, 0.1, sequences) + 1).astype(np.int64))
            given = {"fingerprint": names, "operators": operators, "configuration": one.number, "threads": 1}
            figures = ("llc_warm_ns", "weights_cold_ns", "latency_ns", "low_ns", "high_ns", "wall_ns")
            given |= dict.fromkeys(figures, times)
            given |= {"system": one.configuration.system, "runtime": "onnxruntime 1.31.1", "provider": "cpu"}
            given |= {"samples": 60, "verdict": "stable", "submission": "0" * 64, "started_unix_ns": 1, "smoke": False}
            given |= {"trust": "consistent"}
            whole = [
                found if isinstance(found, pa.Array) else pa.repeat(pa.scalar(found, field.type), sequences)
                for found, field in ((given.get(field.name), field) for field in schema)
            ]
            yield pa.Table.from_arrays(whole, schema=schema)

    write_tables(path, schema, rows())
    wanted = hashlib.sha256(b"77").hexdigest()
    asked = {
        "one sequence on all systems": f"SELECT system, latency_ns FROM t WHERE fingerprint = '{wanted}'",  # noqa: S608 - a digest
        "one system": "SELECT fingerprint, latency_ns FROM t WHERE system = 'system-0042'",
        "medians of all systems": "SELECT system, median(latency_ns) FROM t GROUP BY system",
        "operators of two systems": (
            "SELECT a.operators, sum(a.latency_ns) / sum(b.latency_ns) FROM t a JOIN t b "
            "USING (fingerprint) WHERE a.system = 'system-0001' AND b.system = 'system-0002' GROUP BY 1"
        ),
    }
    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW t AS FROM '{path}'")
    for name, query in asked.items():
        times, work = [], []
        for _ in range(3):
            began, used = time.perf_counter(), time.process_time()
            connection.execute(query).fetchall()
            times.append(time.perf_counter() - began)
            work.append(time.process_time() - used)
        size = path.stat().st_size / 1e6
        measured = f"{statistics.median(times):.2f} s, {statistics.median(work):.2f} s of processors"
        yield Row(f"DuckDB, 10 million results ({size:.0f} MB): {name}", "1 s", measured)
    began = time.perf_counter()
    found = Bundle.open(path, signer_of).results_each(SystemQuery(system="system-0042"), [None])[0]
    taken = time.perf_counter() - began
    yield Row(
        f"the same bundle: all {len(found.measurements):,} sequences of a system for an estimate",
        "2 s",
        f"{taken:.2f} s",
    )


def harnessing(scratch: Path) -> Iterator[Row]:
    """Run a suite with the harness's own defaults and see how much of the time was timed calls."""
    suite, result = scratch / "some", scratch / "some.json"
    chosen = [str(NETWORKS / f"{name}.onnx") for name in ("tv_resnet18", "tv_mobilenet_v3_small", "hf_distilbert")]
    measure("generate", *chosen, "-H", "1", "-o", str(suite), "--jobs", "2")
    measure("run", str(suite), "-o", str(result), "--name", "bench")
    timing = json.loads(result.read_text())["timing"]
    rest = 1 - timing["timed_ns"] / timing["wall_ns"]
    yield Row(
        f"harness time that is not a timed sample ({timing['wall_ns'] / 1e9:.0f} s run)", "under 35 %", f"{rest:.0%}"
    )


PARTS: dict[str, tuple[Part, ...]] = {
    "generate": (generating,),
    "layers": (per_layer,),
    "start": (starting,),
    "store": (storing,),
    "bundle": (bundling,),
    "harness": (harnessing,),
    "trace": trace_rows.PARTS,
    "whatif": whatif_rows.PARTS,
}


def table(rows: list[Row]) -> str:
    """Write the rows as Markdown, with the machine named."""
    about = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    lines = [
        "# Speed and memory of dlbricks",
        "",
        f"Measured by `make bench` on {about}, onnx {onnx.__version__}, onnxruntime {onnxruntime.__version__}.",
        "",
        "| what | reach | measured |",
        "| --- | --- | --- |",
        *(f"| {row.what} | {row.reach} | {row.measured} |" for row in rows),
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measure the parts that are asked for, print each row as it comes, and write the whole table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="only these; nothing is written then")
    chosen = parser.parse_args().parts
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as scratch:
        parts = [part for name, some in PARTS.items() if not chosen or name in chosen for part in some]
        for row in itertools.chain.from_iterable(part(Path(scratch)) for part in parts):
            print(*row, sep=" | ", flush=True)
            rows.append(row)
    if not chosen:
        (ROOT / "benchmarks" / "results.md").write_text(table(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
