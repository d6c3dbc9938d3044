"""What is copied of CUPTI's records while they are valid.

The classes of cupti-python change their names and fields with every release (ActivityKernel9 to 13 so far), so a record
is told by its ``kind`` alone and a field that is not there is left out. Numbers of kinds: ``cupti_activity.h``.
"""

import enum
from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any


class Kind(enum.IntEnum):
    """The kinds of records that are read."""

    MEMCPY = 1
    MEMSET = 2
    KERNEL = 3
    DRIVER = 4
    RUNTIME = 5
    CONCURRENT_KERNEL = 10
    OVERHEAD = 17
    ENVIRONMENT = 20
    MEMCPY2 = 22
    SYNCHRONIZATION = 38
    EXTERNAL_CORRELATION = 39
    GRAPH_TRACE = 51


_TIMES = ("start", "end")
_PLACE = ("correlation_id", "device_id", "stream_id", "graph_id", "graph_node_id")
_KERNEL = (
    *("name", *_TIMES, *_PLACE, "grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z"),
    *("cluster_x", "cluster_y", "cluster_z", "registers_per_thread", "static_shared_memory", "dynamic_shared_memory"),
    *("shared_memory_executed", "local_memory_per_thread", "queued", "submitted"),
)
_CALL = ("cbid", *_TIMES, "thread_id", "process_id", "correlation_id", "return_value")
_COPY = ("copy_kind", "src_kind", "dst_kind", "bytes", "src_device_id", "dst_device_id", *_TIMES, *_PLACE)
FIELDS: Mapping[int, tuple[str, ...]] = {
    Kind.KERNEL: _KERNEL,
    Kind.CONCURRENT_KERNEL: _KERNEL,
    Kind.MEMCPY: _COPY,
    Kind.MEMCPY2: _COPY,
    Kind.MEMSET: ("value", "bytes", "memory_kind", *_TIMES, *_PLACE),
    Kind.RUNTIME: _CALL,
    Kind.DRIVER: _CALL,
    Kind.EXTERNAL_CORRELATION: ("external_kind", "external_id", "correlation_id"),
    Kind.SYNCHRONIZATION: ("type", *_TIMES, "correlation_id", "stream_id", "cuda_event_id"),
    Kind.OVERHEAD: (
        *("overhead_kind", *_TIMES, "correlation_id", "object_kind", "object_id.pt.thread_id"),
        "object_id.pt.process_id",
    ),
    Kind.GRAPH_TRACE: (*_TIMES, *_PLACE),
    Kind.ENVIRONMENT: (
        *("device_id", "timestamp", "environment_kind", "data_.speed.sm_clock", "data_.speed.memory_clock"),
        *("data_.speed.clocks_throttle_reasons", "data_.temperature.gpu_temperature", "data_.power.power"),
        *("data_.power.power_limit", "data_.cooling.fan_speed"),
    ),
}
"""What is copied of a record, by kind. A field with another name in some release is also looked for without and with
an underscore at its end."""

Fields = dict[str, Any]
_GETTERS: dict[tuple[type, int], tuple[tuple[str, ...], Callable[[Any], Any]]] = {}


def copied(record: Any) -> tuple[int, Fields] | None:
    """Copy what is read of a record, which is valid only while CUPTI lends it; None for a kind that is not read."""
    kind = int(record.kind)
    wanted = FIELDS.get(kind)
    if wanted is None:
        return None
    key = (type(record), kind)
    if key not in _GETTERS:
        _GETTERS[key] = _getter(record, wanted)
    names, get = _GETTERS[key]
    return kind, dict(zip(names, get(record), strict=True))


def _getter(record: Any, wanted: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
    """Find out which fields a class of records has; one getter reads them all."""
    paths = [(name, path) for name in wanted if (path := _path(record, name)) is not None]
    names = tuple(name for name, _ in paths)
    if not paths:
        return (), lambda _: ()
    get = attrgetter(*(path for _, path in paths))
    return names, get if len(paths) > 1 else lambda found: (get(found),)


def _path(record: Any, name: str) -> str | None:
    for path in (name, f"{name}_", name.replace("_.", "."), name.removesuffix("_")):
        try:
            attrgetter(path)(record)
        except AttributeError:
            continue
        return path
    return None
