"""SQLite exports of Nsight Systems, in the documented schema: what was written is read, and damage is one line."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks import limits
from dlbricks.analysis.executions import kernels_in, model_times
from dlbricks.errors import InputError
from dlbricks.plugins.training.nsys import read_nsys
from dlbricks.profile.open import name_of, read_any
from dlbricks.trace import kinds
from dlbricks.trace.types import Level, Role, Span, Trace
from dlbricks.whatif.sources import graph_of_files

SCHEMA = {
    "StringIds": "id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL",
    "TARGET_INFO_GPU": "vmId INTEGER, id INTEGER, name TEXT, busLocation TEXT, isDiscrete INTEGER",
    "TARGET_INFO_SESSION_START_TIME": "utcEpochNs INTEGER, utcTime TEXT, localTime TEXT",
    "CUPTI_ACTIVITY_KIND_RUNTIME": (
        "start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, "
        "correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER"
    ),
    "CUPTI_ACTIVITY_KIND_KERNEL": (
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
        "greenContextId INTEGER, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, "
        "demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER, launchType INTEGER, "
        "cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL, "
        "gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL, "
        "staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER"
    ),
    "CUPTI_ACTIVITY_KIND_MEMCPY": (
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
        "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL, "
        "copyKind INTEGER NOT NULL, srcKind INTEGER, dstKind INTEGER"
    ),
    "CUPTI_ACTIVITY_KIND_MEMSET": (
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, "
        "streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, value INTEGER NOT NULL, "
        "bytes INTEGER NOT NULL, memKind INTEGER"
    ),
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": (
        "start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, streamId INTEGER NOT NULL, "
        "correlationId INTEGER, globalPid INTEGER, graphId INTEGER NOT NULL, graphExecId INTEGER NOT NULL"
    ),
    "NVTX_EVENTS": (
        "start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, "
        "color INTEGER, text TEXT, globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER"
    ),
}
EMPTIED = [f"DELETE FROM {table}" for table in SCHEMA]  # noqa: S608 - of this file
REPORT = "a report of Nsight Systems: run the program in 'nsys profile' and use the file of 'nsys export --type sqlite'"
ENDLESS = (
    "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n) "
    "SELECT start, start AS end, 59 AS eventType, 'x' AS text, 5 AS globalTid FROM n"
)
ODD = (
    "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET gridX = 'x', registersPerThread = x'00', streamId = -5, "
    "deviceId = 1e300, correlationId = 'a', globalPid = NULL, dynamicSharedMemory = 9e18"
)
START = 1_700_000_000_000_000_000


def owner(process: int, thread: int = 0) -> int:
    """Number of a process or thread, with the hardware and the machine above it."""
    return 0x0100_0000_0000_0000 | process << 24 | thread


class Export:
    """Writes an export row by row."""

    def __init__(self, path: Path, *without: str) -> None:
        """Begin with empty tables."""
        self.path, self._texts = path, dict[str, int]()
        path.unlink(missing_ok=True)
        self.rows: list[tuple[str, dict[str, Any]]] = []
        self._tables = {table: columns for table, columns in SCHEMA.items() if table not in without}

    def text(self, text: str) -> int:
        """Number of a text."""
        return self._texts.setdefault(text, len(self._texts) + 1)

    def row(self, table: str, start: int | None = None, end: int | None = None, **columns: Any) -> None:
        """Add a row; columns that are missing are 0."""
        times = {} if start is None else {"start": start, "end": end}
        self.rows.append((table, {**times, **columns}))

    def call(self, name: str, start: int, end: int, number: int, process: int = 77, thread: int = 5) -> None:
        """Add a call of CUDA."""
        table, own = "CUPTI_ACTIVITY_KIND_RUNTIME", owner(process, thread)
        self.row(table, start, end, globalTid=own, correlationId=number, nameId=self.text(name))

    def kernel(self, name: str, start: int, end: int, number: int, process: int = 77, **columns: Any) -> None:
        """Add a kernel on stream 7 of device 0, of 4 x 2 x 1 blocks of 128 threads."""
        own = {
            "deviceId": 0,
            "streamId": 7,
            "gridX": 4,
            "gridY": 2,
            "gridZ": 1,
            "blockX": 128,
            "blockY": 1,
            "blockZ": 1,
        }
        own |= {"demangledName": self.text(name), "registersPerThread": 40, "staticSharedMemory": 1024}
        own |= {"correlationId": number, "globalPid": owner(process), "dynamicSharedMemory": 24}
        self.row("CUPTI_ACTIVITY_KIND_KERNEL", start, end, **own | columns)

    def range(self, name: str | None, start: int, end: int | None, kind: int = 59, **columns: Any) -> None:
        """Add an event of NVTX."""
        self.row("NVTX_EVENTS", start, end, **{"eventType": kind, "text": name, "globalTid": owner(77, 5)} | columns)

    def written(self) -> Path:
        """Write the file."""
        with closing(sqlite3.connect(self.path)) as database, database:
            for table, columns in self._tables.items():
                database.execute(f"CREATE TABLE {table} ({columns})")
            for text, number in self._texts.items():
                database.execute("INSERT INTO StringIds VALUES (?, ?)", (number, text))
            for table, own in self.rows:
                must = [part.split()[0] for part in self._tables[table].split(", ") if "NOT NULL" in part]
                values = dict.fromkeys(must, 0) | own
                names = ", ".join(f'"{name}"' for name in values)
                marks = ", ".join("?" * len(values))
                sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608 - of this file
                database.execute(sql, list(values.values()))
        return self.path


def only(trace: Trace, name: str) -> Span:
    """Return the span of a name."""
    (span,) = [span for span in trace if span.name == name]
    return span


def steps(path: Path, count: int = 3) -> Export:
    """Write steps of 100 us each, of a copy, two kernels and a wait, in ranges of NVTX."""
    export = Export(path)
    export.row("TARGET_INFO_GPU", name="NVIDIA H100 80GB HBM3", id=0)
    export.row("TARGET_INFO_SESSION_START_TIME", utcEpochNs=START)
    for step in range(count):
        at, first = 100_000 * step, 10 * step
        export.range(f"train step {step}", at, at + 95_000)
        export.range(None, at + 1_000, at + 40_000, textId=export.text("forward"))
        export.range("marker", at + 2_000, None, kind=34)
        export.call("cudaMemcpyAsync_v3020", at + 2_000, at + 4_000, first + 1)
        export.call("cudaLaunchKernel_v7000", at + 6_000, at + 9_000, first + 2)
        export.call("cuLaunchKernelEx", at + 12_000, at + 15_000, first + 3)
        export.call("cudaStreamSynchronize_ptsz_v7000", at + 50_000, at + 90_000, first + 4)
        export.row(
            "CUPTI_ACTIVITY_KIND_MEMCPY", at + 10_000, at + 20_000, deviceId=0, streamId=7, correlationId=first + 1,
            globalPid=owner(77), bytes=4096, copyKind=1,
        )  # fmt: skip
        export.kernel("gemm", at + 20_000, at + 60_000, first + 2)
        export.kernel("ncclDevKernel_AllReduce_Sum_f32", at + 60_000, at + 88_000, first + 3)
    return export


def test_what_an_export_holds_is_read(tmp_path: Path) -> None:
    """Kernels with their launches, copies, calls by their names, ranges by text or number, clock and device."""
    trace = read_nsys(steps(tmp_path / "run.sqlite", 1).written())
    assert (trace.device, trace.clock.unix_offset_ns, trace.notes) == ("NVIDIA H100 80GB HBM3", START, ())
    gemm, reduction, copy = (only(trace, name) for name in ("gemm", "ncclDevKernel_AllReduce_Sum_f32", "Memcpy HtoD"))
    assert (gemm.level, gemm.kind, gemm.role) == (Level.KERNEL, kinds.KERNEL, Role.EXECUTION)
    assert (gemm.start_ns, gemm.end_ns, gemm.lane.device, gemm.lane.name) == (20_000, 60_000, "gpu 0", "stream 7")
    assert gemm.attributes == {
        "stream": 7, "grid": "4,2,1", "block": "128,1,1", "registers": 40, "shared_bytes": 1048,
    }  # fmt: skip
    assert (copy.kind, copy.attributes) == (kinds.COPY, {"stream": 7, "bytes": 4096, "copy": "host to device"})
    assert reduction.kind == kinds.COLLECTIVE
    launch = only(trace, "cudaLaunchKernel")
    assert (launch.kind, launch.role, gemm.parent) == (kinds.RUNTIME, Role.LAUNCH, launch.row)
    assert only(trace, "cuLaunchKernelEx").kind == kinds.DRIVER
    assert only(trace, "cudaStreamSynchronize").kind == kinds.SYNCHRONISATION
    forward = only(trace, "forward")
    assert (forward.kind, forward.lane.process, forward.lane.name) == (kinds.RANGE, "77", "thread 5")
    assert launch.parent == forward.row
    assert "marker" not in trace.names


def test_an_export_is_analysed_and_asked_as_any_trace(tmp_path: Path) -> None:
    """Steps follow from the ranges, roofs from the device."""
    path = steps(tmp_path / "run.sqlite").written()
    profile = read_any(path)
    assert (profile.network, name_of(path)) == ("run", "run")
    assert profile.roofs is not None
    times = model_times(profile)
    assert times is not None
    assert (times.unit, times.median_ns, len(times.samples_ns)) == ("step", 95_000, 3)
    kernels, _ = kernels_in(profile)
    assert dict(zip(kernels.names, kernels.latencies().median.tolist(), strict=True))["gemm"] == 40_000
    assert len(graph_of_files([path]).steps) == 3


def test_processes_have_correlation_numbers_of_their_own(tmp_path: Path) -> None:
    """Two ranks in one file launch with the same numbers."""
    export = Export(tmp_path / "ranks.sqlite")
    for process in (77, 78):
        export.call("cudaLaunchKernel_v7000", process, process + 5, 1, process)
        export.kernel(f"kernel of {process}", 100, 200, 1, process)
    trace = read_nsys(export.written())
    for process in (77, 78):
        kernel = only(trace, f"kernel of {process}")
        assert kernel.parent is not None
        assert trace.span(kernel.parent).lane.process == kernel.lane.process == str(process)


def test_graphs_that_were_recorded_as_a_whole_keep_the_device_busy(tmp_path: Path) -> None:
    """The default of 'nsys profile' records a launch of a graph as one."""
    export = Export(tmp_path / "graph.sqlite")
    export.call("cudaGraphLaunch_v10000", 0, 10, 1)
    export.row("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", 20, 90, correlationId=1, globalPid=owner(77), streamId=7)
    kernels, _ = kernels_in(read_any(export.written()))
    assert (kernels.kinds, kernels.durations_ns.tolist()) == ((kinds.GRAPH,), [70])


def test_ranges_without_end_and_impossible_times_are_counted(tmp_path: Path) -> None:
    """They are left out."""
    export = steps(tmp_path / "run.sqlite", 1)
    export.range("open", 5, None)
    export.kernel("backwards", 9, 5, 90)
    export.kernel("late", 5, 1 << 62, 91)
    trace = read_nsys(export.written())
    assert not {"open", "backwards", "late"} & set(trace.names)
    left_out = "without an end, or of an impossible time, are left out:"
    rows = {"CUPTI_ACTIVITY_KIND_KERNEL": 2, "NVTX_EVENTS": 1}
    assert [*trace.notes] == [f"rows of {table} {left_out} {count}" for table, count in rows.items()]


def test_of_two_kinds_of_devices_none_is_stated(tmp_path: Path) -> None:
    """Which of them ran the kernels is unknown, and so are the roofs."""
    export = steps(tmp_path / "run.sqlite", 1)
    export.row("TARGET_INFO_GPU", name="NVIDIA T4", id=1)
    assert read_nsys(export.written()).device == ""


@pytest.mark.parametrize(
    ("statements", "reason"),
    [
        (["DROP TABLE StringIds"], "is not a database of Nsight Systems: export it again with"),
        (["ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN globalPid"], "lacks the column globalPid: export it"),
        (EMPTIED, "holds no spans of CUDA or NVTX: record with"),
        (["DROP TABLE NVTX_EVENTS", ENDLESS], ""),
        ([ODD, "UPDATE StringIds SET value = CAST(x'ff00fe' AS TEXT)"], ""),
    ],
)
def test_damage_is_one_line(statements: Sequence[str], reason: str, tmp_path: Path) -> None:
    """What is no such export is refused; views are not read; values of other types are left out."""
    path = steps(tmp_path / "run.sqlite").written()
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)
    if not reason:
        assert kernels_in(read_any(path))[0].names
        return
    with pytest.raises(InputError, match=reason) as error:
        read_any(path)
    assert "\n" not in str(error.value)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_any_byte_may_be_wrong(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Read or refused in one line."""
    path = tmp_path_factory.getbasetemp() / "damaged.sqlite"
    content = bytearray(steps(path, 2).written().read_bytes())
    for at in data.draw(st.lists(st.integers(16, len(content) - 1), max_size=5)):
        content[at] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(16, len(content)))])
    try:
        read_any(path)
    except InputError as error:
        assert "\n" not in str(error)


def test_a_damaged_schema_is_refused_in_one_line(tmp_path: Path) -> None:
    """SQLite's message quotes the damaged bytes, which are no UTF-8."""
    path = tmp_path / "damaged.sqlite"
    content = bytearray(steps(path, 2).written().read_bytes())
    content[17] = content[24] = 0
    content[4000] = 128
    path.write_bytes(content[:36865])
    with pytest.raises(InputError, match=r"cannot be read as a database"):
        read_any(path)


def test_more_spans_than_are_read_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before they are all in memory."""
    monkeypatch.setattr(limits, "PROFILE_SPANS", 10)
    with pytest.raises(InputError, match="has more than 10 spans: record fewer steps"):
        read_nsys(steps(tmp_path / "run.sqlite").written())


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("a.nsys-rep", "x", REPORT),
        ("a.json", '{"CudaEvent": {}}', REPORT),
        ("a.xplane.pb", "\n", "an XPlane of XLA: use the trace.json.gz that JAX or TensorFlow writes beside it"),
        ("a.pftrace", "\n", "a trace of Perfetto: convert it with Perfetto's 'traceconv json'"),
        ("a.json", '{\n "rocprofiler-sdk-tool": [{}]}', "JSON of rocprofv3: record it with torch.profiler"),
        ("a.json", '[\n  { "count" : 100 }\n, { "name" : "conv", "timeMs" : 1.0 }]', "a profile of TensorRT"),
        ("a.json", '[{"id":1,"model_name":"net"},{"id":1,"timestamps":[]}]', "a trace of the Triton server"),
        (
            "a.json",
            '[\n {\n  "system": "a",\n  "runtime": "b"}]',
            "a list of estimates by 'dlbricks site': open index.html",
        ),
        ("a.json", '[{"children": [], "frame": {"name": "ROOT"}, "metrics": {}}]', 'start it with data="trace"'),
    ],
)
def test_other_formats_are_named_with_what_to_give(name: str, text: str, reason: str, tmp_path: Path) -> None:
    """Not with the advice to give JSON, which they are."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=f"{name} is .*{reason}"):
        read_any(path)
