"""Converts CUPTI's records to activities: kernels, copies and memsets of a GPU, and calls of its host."""

import ctypes
import enum
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Any

from ..machine import load_library

# Abbreviation and description of a copy's direction, by ``CUpti_ActivityMemcpyKind``.
DIRECTIONS: Mapping[int, tuple[str, str]] = {
    1: ("HtoD", "host to device"),
    2: ("DtoH", "device to host"),
    3: ("HtoA", "host to array"),
    4: ("AtoH", "array to host"),
    5: ("AtoA", "array to array"),
    6: ("AtoD", "array to device"),
    7: ("DtoA", "device to array"),
    8: ("DtoD", "device to device"),
    9: ("HtoH", "host to host"),
    10: ("PtoP", "device to another device"),
}
# Names of memories by ``CUpti_ActivityMemoryKind``.
MEMORIES: Mapping[int, str] = {
    1: "Pageable",
    2: "Pinned",
    3: "Device",
    4: "Array",
    5: "Managed",
    6: "Device Static",
    7: "Managed Static",
}
# Names of waits by ``CUpti_ActivitySynchronizationType``.
WAITS: Mapping[int, str] = {
    1: "Event Synchronize",
    2: "Stream Wait Event",
    3: "Stream Synchronize",
    4: "Context Synchronize",
}


def call_name(library: str, number: int) -> str:
    """Return the name of function ``number`` of the CUDA ``runtime`` or ``driver``, without its version."""
    names = _calls(library)
    return re.sub(r"(_ptsz|_ptds)?(_v\d{4,})?$", "", names[number]) if number in names else f"{library} call {number}"


@cache
def _calls(library: str) -> Mapping[int, str]:
    # Return the names of calls by number, from cupti-python; empty if it is not installed. The enumeration is
    # ``RuntimeApiTraceCbid`` from release 13.4 on, ``runtime_api_trace_cbid`` before.
    try:
        from cupti import cupti
    except ImportError:
        return {}
    for name in (f"{library.title()}ApiTraceCbid", f"{library}_api_trace_cbid"):
        if hasattr(cupti, name):
            return {int(member): member.name for member in getattr(cupti, name)}
    return {}


# Calls that are recorded: launches, copies, memsets, waits and the events for which they wait, and allocations, which
# wait for the device. Other calls take less time than recording them.
_RECORDED = re.compile(r"Launch|Memcpy|Memset|Synchronize|WaitEvent|EventRecord|Malloc|Free|MemAlloc")


@cache
def unrecorded(library: str) -> frozenset[int]:
    """Return the numbers of the functions of the CUDA ``runtime`` or ``driver`` whose calls are not recorded."""
    return frozenset(number for number, name in _calls(library).items() if number and not _RECORDED.search(name))


@cache
def _demangler() -> Callable[..., bytes | None]:
    library = load_library("libstdc++.so.6", "libc++abi.so.1", "libc++abi.dylib")
    if library is None:
        return lambda *_: None
    function: Callable[..., bytes | None] = library["__cxa_demangle"]
    function.restype = ctypes.c_char_p  # type: ignore[attr-defined]
    return function


@lru_cache(maxsize=1 << 14)
def demangled(name: str) -> str:
    """Return the name of a kernel as C++ code has it; unchanged if it is not mangled or no C++ runtime is installed.

    A malicious name may take all memory, so names in files are demangled in a worker. Results are not freed: each name
    is demangled once.
    """
    text = _demangler()(name.encode(), None, None, None) if name.startswith("_Z") else None
    return name if text is None else text.decode(errors="replace")


class Kind(enum.IntEnum):
    """The kinds of CUPTI's records that are read."""

    MEMCPY = 1
    MEMSET = 2
    KERNEL = 3
    DRIVER = 4
    RUNTIME = 5
    CONCURRENT_KERNEL = 10
    MEMCPY2 = 22
    SYNCHRONIZATION = 38


# Library of the functions that records of a kind are of.
LIBRARIES: Mapping[int, str] = {Kind.RUNTIME: "runtime", Kind.DRIVER: "driver"}
_TIMES = ("start", "end")
_PLACE = ("correlation_id", "device_id", "stream_id", "graph_id", "graph_node_id")
_KERNEL = (
    *("name", *_TIMES, *_PLACE, "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z"),
    *("cluster_x", "cluster_y", "cluster_z", "registers_per_thread", "static_shared_memory", "dynamic_shared_memory"),
    *("shared_memory_executed", "local_memory_per_thread"),
)
_CALL = ("cbid", *_TIMES, "thread_id", "process_id", "correlation_id", "return_value")
_COPY = ("copy_kind", "src_kind", "dst_kind", "bytes", "src_device_id", "dst_device_id", *_TIMES, *_PLACE)
# Fields to copy from a record, by kind. A field may also have an underscore at its end, or lack it, since names differ
# between releases.
FIELDS: Mapping[int, tuple[str, ...]] = {
    Kind.KERNEL: _KERNEL,
    Kind.CONCURRENT_KERNEL: _KERNEL,
    Kind.MEMCPY: _COPY,
    Kind.MEMCPY2: _COPY,
    Kind.MEMSET: ("value", "bytes", "memory_kind", *_TIMES, *_PLACE),
    Kind.RUNTIME: _CALL,
    Kind.DRIVER: _CALL,
    Kind.SYNCHRONIZATION: ("type", *_TIMES, "correlation_id", "stream_id", "cuda_event_id"),
}

Fields = dict[str, Any]
_GETTERS: dict[tuple[type, int], tuple[tuple[str, ...], Callable[[Any], Any]]] = {}


def copied(record: Any) -> tuple[int, Fields] | None:
    """Return kind and fields of a CUPTI record, which is valid in CUPTI's callback only; None for one not wanted."""
    kind = int(record.kind)
    wanted = FIELDS.get(kind)
    if wanted is None or (kind in LIBRARIES and int(record.cbid) in unrecorded(LIBRARIES[kind])):
        return None
    key = (type(record), kind)
    if key not in _GETTERS:
        _GETTERS[key] = _getter(record, wanted)
    names, get = _GETTERS[key]
    return kind, dict(zip(names, get(record), strict=True))


def _getter(record: Any, wanted: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
    # Return the names of the fields that this class of records has, and a function that reads them from a record
    paths = [(name, path) for name in wanted if (path := _path(record, name)) is not None]
    names = tuple(name for name, _ in paths)
    if not paths:
        return (), lambda _: ()
    get = attrgetter(*(path for _, path in paths))
    return names, get if len(paths) > 1 else lambda source: (get(source),)


def _path(record: Any, name: str) -> str | None:
    for path in (name, f"{name}_", name.removesuffix("_")):
        try:
            attrgetter(path)(record)
        except AttributeError:
            continue
        return path
    return None


Value = int | float | str | bool

# Value of 32-bit fields in synchronisation records that do not apply.
NOT_APPLICABLE = 0xFFFFFFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """An activity of a GPU or of its host, with times of CUPTI's clock."""

    kind: str
    """``runtime`` or ``driver`` (a call), ``synchronisation``, ``kernel``, ``memcpy`` or ``memset``."""
    name: str
    start_ns: int
    end_ns: int
    correlation: int | None = None
    """Number that a launch shares with the work that it launched."""
    stream: int | None = None
    device: int | None = None
    thread: int | None = None
    """Thread id of the operating system, as returned by ``threading.get_native_id``."""
    attributes: Mapping[str, Value] = field(default_factory=dict)
    """``grid``, ``block``, ``registers``, ``shared_bytes``, ``bytes``, ``copy``, ``graph``, ``graph_node``, ``event``;
    unknown attributes are absent."""

    @property
    def duration_ns(self) -> int:
        """Duration, ns."""
        return self.end_ns - self.start_ns


def activity_from(kind: int, fields: Fields) -> Activity:
    """Convert the fields of a CUPTI record to an activity; raises ``KeyError`` without start or end."""
    return _MAKERS[kind](fields)


def _activity(fields: Fields, kind: str, name: str, **attributes: Value | None) -> Activity:
    # Make an activity; a correlation of 0 means none, and attributes that are None are left out
    return Activity(
        kind=kind,
        name=name,
        start_ns=int(fields["start"]),
        end_ns=int(fields["end"]),
        correlation=fields.get("correlation_id") or None,
        stream=fields.get("stream_id"),
        device=fields.get("device_id"),
        thread=fields.get("thread_id"),
        attributes={key: value for key, value in attributes.items() if value is not None},
    )


def _executed(fields: Fields, kind: str, name: str, **attributes: Value | None) -> Activity:
    graph, node = fields.get("graph_id") or None, fields.get("graph_node_id") or None
    return _activity(fields, kind, name, **attributes, graph=graph, graph_node=node)


def _kernel(fields: Fields) -> Activity:
    static, dynamic = fields.get("static_shared_memory"), fields.get("dynamic_shared_memory")
    cluster = _triple(fields, "cluster")
    return _executed(
        fields,
        "kernel",
        demangled(str(fields.get("name") or "unnamed kernel")),
        grid=_triple(fields, "grid"),
        block=_triple(fields, "block"),
        cluster=cluster if cluster not in {"0,0,0", "1,1,1"} else None,
        registers=fields.get("registers_per_thread"),
        shared_bytes=None if static is None and dynamic is None else (static or 0) + (dynamic or 0),
        shared_executed_bytes=fields.get("shared_memory_executed") or None,
    )


def _copy(fields: Fields) -> Activity:
    short, direction = DIRECTIONS.get(int(fields.get("copy_kind") or 0), ("Unknown", "unknown"))
    source, target = (MEMORIES.get(int(fields.get(key) or 0), "Unknown") for key in ("src_kind", "dst_kind"))
    name = f"Memcpy {short} ({source} -> {target})"
    return _executed(fields, "memcpy", name, bytes=fields.get("bytes"), copy=direction)


def _memset(fields: Fields) -> Activity:
    memory = MEMORIES.get(int(fields.get("memory_kind") or 0), "Unknown")
    return _executed(fields, "memset", f"Memset ({memory})", bytes=fields.get("bytes"))


def _synchronisation(fields: Fields) -> Activity:
    stated = {key: value for key, value in fields.items() if value != NOT_APPLICABLE}
    name = WAITS.get(int(fields.get("type") or 0), "Synchronize")
    return _activity(stated, "synchronisation", name, event=stated.get("cuda_event_id"))


def _call(library: str, fields: Fields) -> Activity:
    number = int(fields.get("cbid") or 0)
    return _activity(fields, library, call_name(library, number), error=fields.get("return_value") or None)


def _triple(fields: Fields, name: str) -> str | None:
    values = [fields.get(f"{name}_{axis}") for axis in "xyz"]
    return None if None in values else ",".join(str(int(value)) for value in values if value is not None)


_MAKERS: Mapping[int, Callable[[Fields], Activity]] = {
    Kind.KERNEL: _kernel,
    Kind.CONCURRENT_KERNEL: _kernel,
    Kind.MEMCPY: _copy,
    Kind.MEMCPY2: _copy,
    Kind.MEMSET: _memset,
    Kind.RUNTIME: partial(_call, "runtime"),
    Kind.DRIVER: partial(_call, "driver"),
    Kind.SYNCHRONIZATION: _synchronisation,
}
