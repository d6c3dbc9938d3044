"""Traces of PyTorch's profiler before and after changes, many in one small Parquet file.

A row is an event that what-if questions use: kernels, copies, calls of runtime and driver, operators around calls, and
marks of steps. Columns with few distinct values are dictionaries; a start is the difference to the
event before in the file, and a launch is named by its number among the launching calls of the trace. Times are exact.
Pairs (``backtest.traces``) and what was measured without the profiler are metadata of the file.
"""

import gzip
import json
import tempfile
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from backtest.cases import BackTests
from backtest.traces import LIST, trace_backtests
from dlbricks import limits
from dlbricks.trace.types import NONE
from dlbricks.whatif.transform import Transform

TIMES = "times.json"
"""Time of a step of each trace, measured without the profiler."""
_DOCUMENTS = (LIST, TIMES)
_HEAD = b"dlbricks"
_TEXTS = ("trace", "category", "name", "thread", "arguments")
_NUMBERS = ("start_ns", "duration_ns", "launch", "sequence")
_DEVICE = ("kernel", "gpu_memset", "gpu_memcpy")
_CALLS = ("cuda_runtime", "cuda_driver")
_MARKS, _OPERATORS = ("user_annotation",), ("cpu_op",)
_KEPT = frozenset({
    "Input Dims", "Input type", "Input Strides", "Concrete Inputs", "stream", "bytes", "grid", "block",
    "registers per thread", "shared memory", "Fwd thread id", "event_id", "wait_on_stream", "wait_on_cuda_event_id",
})  # fmt: skip
"""Arguments that are kept. All others are numbers of the profiler, or follow from these."""
_SEQUENCE = "Sequence number"
"""Argument that ties backward operators to forward ones; a column of its own, since it has many values."""
_GRADIENT = "AccumulateGrad"
"""Operators that tell how large gradients are; kept, though most call nothing."""
_SUFFIX = ".json.gz"

Event = Mapping[str, Any]


class _Text(NamedTuple):
    """A column of texts."""

    values: tuple[str, ...]
    """Its distinct values."""
    places: NDArray[np.int32]
    """Of each row, among them."""

    def at(self, row: int) -> str:
        """Return the value of a row."""
        return self.values[int(self.places[row])]


class _Columns(NamedTuple):
    """Columns of a file."""

    texts: dict[str, _Text]
    numbers: dict[str, NDArray[np.int64]]


def pack(folder: Path, path: Path) -> None:
    """Write all traces of a folder, its pairs and its times into one file."""
    columns: dict[str, list[Any]] = {name: [] for name in (*_TEXTS, *_NUMBERS)}
    devices = {}
    for file in sorted(folder.glob(f"*{_SUFFIX}")):
        document = json.loads(gzip.decompress(file.read_bytes()))
        name = file.name.removesuffix(_SUFFIX)
        devices[name] = [one["name"] for one in document["deviceProperties"]]
        for row in _rows(document["traceEvents"]):
            for key, value in {"trace": name, **row}.items():
                columns[key].append(value)
    head = {name: json.loads((folder / name).read_text(encoding="utf-8")) for name in _DOCUMENTS}
    arrays = [pa.array(columns[name], pa.string()).dictionary_encode() for name in _TEXTS]
    arrays += [pa.array(columns[name], pa.int32()) for name in _NUMBERS]
    said = json.dumps({**head, "devices": devices})
    table = pa.Table.from_arrays(arrays, names=[*_TEXTS, *_NUMBERS]).replace_schema_metadata({_HEAD: said})
    pq.write_table(
        table,
        path,
        compression="brotli",
        compression_level=11,
        use_dictionary=list(_TEXTS),
        column_encoding=dict.fromkeys(_NUMBERS, "BYTE_STREAM_SPLIT"),
        row_group_size=limits.TRACE_EVENTS,
        data_page_size=limits.DOCUMENT_BYTES,
        dictionary_pagesize_limit=limits.DOCUMENT_BYTES,
        write_statistics=False,
    )


def _rows(events: Sequence[Event]) -> Iterator[dict[str, Any]]:
    """Return the rows of one trace: marks, work of devices, calls, and operators, each by thread and start."""
    by_category: dict[str, list[Event]] = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            by_category[event.get("cat", "")].append(event)
    marks, device, calls, operators = (
        sorted(
            (event for category in categories for event in by_category[category]),
            key=lambda event: (str(event["tid"]), event["ts"], -event["dur"]),
        )
        for categories in (_MARKS, _DEVICE, _CALLS, _OPERATORS)
    )
    launched = {_correlation(event) for event in device}
    launching = sorted((one for one in calls if _correlation(one) in launched), key=lambda event: event["ts"])
    number = {_correlation(event): place for place, event in enumerate(launching)}

    begun: dict[Any, list[float]] = defaultdict(list)
    for call in calls:
        begun[call["tid"]].append(call["ts"])
    operators = [
        one
        for one in operators
        if _GRADIENT in one["name"]
        or np.searchsorted(begun[one["tid"]], one["ts"] + one["dur"]) > np.searchsorted(begun[one["tid"]], one["ts"])
    ]
    origin = min(event["ts"] for event in (*marks, *device, *calls, *operators))
    before, sequence = 0, 0
    for event in (*marks, *device, *calls, *operators):
        start = round(1000 * (event["ts"] - origin))
        arguments = {key: value for key, value in event.get("args", {}).items() if key in _KEPT}
        number_before, sequence = sequence, event.get("args", {}).get(_SEQUENCE, NONE)
        yield {
            "category": event["cat"],
            "name": event["name"],
            "thread": f"{event['pid']} {event['tid']}",
            "arguments": json.dumps(arguments, separators=(",", ":")),
            "start_ns": start - before,
            "duration_ns": round(1000 * event["dur"]),
            "launch": number.get(_correlation(event), NONE),
            "sequence": sequence - number_before,
        }
        before = start


def _correlation(event: Event) -> Any:
    return event.get("args", {}).get("correlation")


def unpack(path: Path, folder: Path, names: Collection[str] | None = None) -> None:
    """Write the traces of a file into a folder, as the profiler writes them, with their pairs and times.

    Args:
        path: of the file.
        folder: exists.
        names: of the traces, with the pairs among them; None for all.
    """
    columns, head = _read(path)
    if names is not None:
        files = {f"{name}{_SUFFIX}" for name in names}
        head[LIST] = [pair for pair in head[LIST] if files.issuperset((*pair["before"], *pair["after"]))]
    for document in _DOCUMENTS:
        (folder / document).write_text(json.dumps(head[document]), encoding="utf-8")
    trace = columns.texts["trace"]
    for number, name in enumerate(trace.values):
        if names is not None and name not in names:
            continue
        rows = np.flatnonzero(trace.places == number)
        begins, sequences = (np.cumsum(columns.numbers[key][rows]).tolist() for key in ("start_ns", "sequence"))
        events = [_event(columns, *event) for event in zip(rows.tolist(), begins, sequences, strict=True)]
        properties = [{"id": number, "name": device} for number, device in enumerate(head["devices"].get(name, ()))]
        made = {"schemaVersion": 1, "deviceProperties": properties, "traceEvents": events}
        data = gzip.compress(json.dumps(made).encode(), compresslevel=1)
        (folder / f"{name}{_SUFFIX}").write_bytes(data)


def packed_backtests(path: Path, known: Mapping[str, Transform]) -> BackTests:
    """Run every back-test of the pairs in a file."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / path.stem
        folder.mkdir()
        unpack(path, folder)
        return trace_backtests(folder, known)


def _event(columns: _Columns, row: int, begin: int, sequence: int) -> dict[str, Any]:
    category, name, thread, arguments = (columns.texts[key].at(row) for key in _TEXTS[1:])
    process, _, thread = thread.partition(" ")
    launch, duration_ns = (int(columns.numbers[key][row]) for key in ("launch", "duration_ns"))
    known = dict(json.loads(arguments))
    if category in (*_DEVICE, *_CALLS):  # of work whose launch was not recorded: a number that no call has
        known["correlation"] = launch + 1 if launch != NONE else -row - 1
    if category in _DEVICE:
        known["device"] = int(process)
    if sequence != NONE:
        known[_SEQUENCE] = sequence
    return {
        "ph": "X", "cat": category, "name": name, "pid": int(process), "tid": int(thread),
        "ts": begin / 1000, "dur": duration_ns / 1000, "args": known,
    }  # fmt: skip


def _read(path: Path) -> tuple[_Columns, dict[str, Any]]:
    """Return columns and metadata."""
    table = pq.read_table(path, use_threads=False).unify_dictionaries().combine_chunks()
    texts = {name: _text(table[name].combine_chunks()) for name in _TEXTS}
    numbers = {name: table[name].to_numpy().astype(np.int64) for name in _NUMBERS}
    return _Columns(texts=texts, numbers=numbers), json.loads(table.schema.metadata[_HEAD])


def _text(column: pa.Array) -> _Text:
    """Return a column of distinct values and places."""
    coded = column.chunk(0) if isinstance(column, pa.ChunkedArray) else column
    return _Text(values=tuple(coded.dictionary.to_pylist()), places=coded.indices.to_numpy().astype(np.int32))
