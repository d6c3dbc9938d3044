"""Records of CUPTI become activities, whichever release's classes hold them."""

from typing import Any

import numpy as np
import pytest

from dlbricks.harness.trace.activities import FIELDS, Activity, Kind, activity_from, copied
from dlbricks.trace import kinds

cupti = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")

from tests.harness.cupti_contract import classes, dtype_of  # noqa: E402


def made_of(record: Any) -> Activity:
    """Copy a record and make an activity of it."""
    found = copied(record)
    assert found is not None
    return activity_from(*found)


def record(made: type, kind: Kind, **fields: Any) -> Any:
    """Build a record byte by byte; a path as in ``data_.speed.sm_clock`` is a field of a field."""
    data = np.zeros(1, dtype=dtype_of(made))
    data["kind"] = int(kind)
    name = fields.pop("name", None)
    for path, value in fields.items():
        place = data
        *outer, last = path.split(".")
        for part in outer:
            place = place[part]
        place[last] = value
    built = made.from_data(data)  # type: ignore[attr-defined]
    if name is not None:
        built.name = name
    return built


def every(*wanted: Kind) -> list[Any]:
    """Give every pair of a kind and one of its classes."""
    return [pytest.param(made, kind, id=f"{kind.name}-{made.__name__}") for kind in wanted for made in classes(kind)]


def read(made: type, kind: Kind, **fields: Any) -> Activity:
    """Build a record and read it."""
    return made_of(record(made, kind, **fields))


def test_numbers_of_kinds_are_those_of_cupti() -> None:
    """The numbers of the header are those of the package, and every kind is copied."""
    assert {kind.name: int(kind) for kind in Kind} == {kind.name: int(cupti.ActivityKind[kind.name]) for kind in Kind}
    assert set(FIELDS) == set(Kind)


@pytest.mark.parametrize(("made", "kind"), every(Kind.CONCURRENT_KERNEL))
def test_kernel(made: type, kind: Kind) -> None:
    """Every class of kernel records gives name, times, place, shape of the launch and resources."""
    found = read(
        made,
        kind,
        name="volta_scudnn_128x64",
        start=2**61 + 1,
        end=2**61 + 1001,
        correlation_id=7,
        device_id=0,
        stream_id=13,
        graph_id=0,
        graph_node_id=5,
        grid_x=80,
        grid_y=2,
        grid_z=1,
        block_x=256,
        block_y=1,
        block_z=1,
        registers_per_thread=128,
        static_shared_memory=1024,
        dynamic_shared_memory=4096,
        shared_memory_executed=65536,
    )
    assert (found.kind, found.name, found.duration_ns, found.start_ns) == (
        "kernel",
        "volta_scudnn_128x64",
        1000,
        2**61 + 1,
    )
    assert (found.correlation, found.device, found.stream, found.thread) == (7, 0, 13, None)
    assert dict(found.attributes) == {
        "grid": "80,2,1",
        "block": "256,1,1",
        "registers": 128,
        "shared_bytes": 5120,
        "shared_executed_bytes": 65536,
        "graph_node": 5,
    }


@pytest.mark.parametrize(("made", "kind"), every(Kind.MEMCPY, Kind.MEMCPY2))
def test_copy(made: type, kind: Kind) -> None:
    """Copies say how much, from where to where."""
    found = read(made, kind, copy_kind=1, src_kind=2, dst_kind=3, bytes=4096, start=10, end=30, correlation_id=3)
    assert (found.kind, found.name) == ("memcpy", "Memcpy HtoD (Pinned -> Device)")
    assert dict(found.attributes) == {"bytes": 4096, "copy": "host to device"}
    assert read(made, kind, copy_kind=99, start=1, end=2).attributes["copy"] == "unknown"


@pytest.mark.parametrize(("made", "kind"), every(Kind.MEMSET))
def test_memset(made: type, kind: Kind) -> None:
    """Memsets say how much."""
    found = read(made, kind, bytes=64, memory_kind=3, start=10, end=30, stream_id=7)
    assert (found.kind, found.name, found.stream, found.attributes["bytes"]) == ("memset", "Memset (Device)", 7, 64)


@pytest.mark.parametrize(
    ("kind", "cbid", "name"),
    [
        (Kind.RUNTIME, "cudaLaunchKernel_v7000", "cudaLaunchKernel"),
        (Kind.RUNTIME, "cudaMemcpyAsync_ptsz_v7000", "cudaMemcpyAsync"),
        (Kind.DRIVER, "cuLaunchKernel", "cuLaunchKernel"),
        (Kind.DRIVER, "cuMemcpyHtoDAsync_v2", "cuMemcpyHtoDAsync_v2"),
    ],
)
def test_calls_have_their_names(kind: Kind, cbid: str, name: str) -> None:
    """Calls are named as in the documentation of CUDA: versions of the runtime's are left out, the driver's stay."""
    numbers = cupti.RuntimeApiTraceCbid if kind == Kind.RUNTIME else cupti.DriverApiTraceCbid
    found = read(cupti.ActivityAPI, kind, cbid=int(numbers[cbid]), start=5, end=9, thread_id=4711, correlation_id=8)
    assert (found.kind, found.name, found.thread, found.correlation) == (kind.name.lower(), name, 4711, 8)
    assert dict(found.attributes) == {}


def test_a_call_that_is_not_known_has_its_number() -> None:
    """A newer driver's calls are not lost; a call that failed says so."""
    found = read(cupti.ActivityAPI, Kind.RUNTIME, cbid=10**6, start=1, end=2, return_value=2)
    assert (found.name, found.attributes["error"]) == ("runtime call 1000000", 2)


@pytest.mark.parametrize(("made", "kind"), every(Kind.SYNCHRONIZATION))
def test_synchronisation(made: type, kind: Kind) -> None:
    """What is waited for; the number that means none becomes none."""
    found = read(made, kind, type=3, start=10, end=90, stream_id=7, cuda_event_id=0xFFFFFFFF, correlation_id=4)
    assert (found.kind, found.name, found.stream, dict(found.attributes)) == (
        "synchronisation",
        "Stream Synchronize",
        7,
        {},
    )
    waiting = read(made, kind, type=2, start=10, end=90, stream_id=0xFFFFFFFF, cuda_event_id=3)
    assert (waiting.stream, waiting.attributes["event"]) == (None, 3)


def test_other_kinds_are_passed_over() -> None:
    """A kind that is not read gives nothing."""
    assert copied(cupti.ActivityStream.from_data(np.zeros(1, cupti.activity_stream_dtype))) is None


class Sparse:
    """A record of a release that renamed and dropped fields."""

    kind = 10
    start = 5
    end = 8
    stream_id_ = 3


def test_fields_may_be_missing_or_renamed() -> None:
    """What is missing is left out; an underscore at the end is no other name; without times there is no activity."""
    found = made_of(Sparse())
    assert found == Activity(kind="kernel", name="unnamed kernel", start_ns=5, end_ns=8, stream=3)
    with pytest.raises(KeyError, match="start"):
        activity_from(10, {"end": 8})


def test_copies_outlive_records() -> None:
    """What was copied stays when CUPTI takes its buffer back."""
    data = np.zeros(1, dtype=cupti.activity_memset5_dtype)
    data["kind"], data["start"], data["end"] = int(Kind.MEMSET), 10, 20
    taken = copied(cupti.ActivityMemset5.from_data(data))
    data["start"] = 15
    assert taken is not None
    assert activity_from(*taken).start_ns == 10


def test_words_are_those_of_traces() -> None:
    """Kinds of activities have the names that spans of traces have."""
    known = {kinds.RUNTIME, kinds.DRIVER, kinds.SYNCHRONISATION, kinds.KERNEL, kinds.COPY, kinds.MEMSET}
    fields = {"start": 1, "end": 2, "timestamp": 1}
    assert {activity_from(kind, fields).kind for kind in Kind} == known
