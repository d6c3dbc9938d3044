"""Reads and writes profile files: JSON, compressed if the name ends in ``.gz`` (``docs/schemas.json``).

Spans are stored by columns. A constant column is one value. Starts are differences from row to row, and ends are
durations. A parent is its distance from the child in rows, 0 for none. Each text is stored once. In a file for a trace
viewer, each run of an experiment starts at time 0.
"""

import gzip
import math
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypeVar

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.limits import PROFILE_BYTES, PROFILE_SPANS, TRACE_LANES
from dlbricks.trace.build import attribute_of, from_columns, joined_traces
from dlbricks.trace.export import ExportPart, write_chrome, write_otlp
from dlbricks.trace.types import (
    NONE,
    Attribute,
    Lane,
    Level,
    LevelRun,
    Longs,
    Profile,
    Role,
    Roofs,
    Trace,
    TraceClock,
)
from dlbricks.typed_json import Count, read_json
from dlbricks.units import format_bytes

# Pickle was rejected because it executes code, Parquet because readers need a library.
PROFILE_FORMAT = "dlbricks-profile"
PROFILE_SCHEMA_VERSION = 1
# Suffix of the files that ``dlbricks profile`` names itself.
SUFFIX = ".profile.json.gz"
_GZIP = b"\x1f\x8b"
_REMEDY = "make a profile with 'dlbricks profile'"

# A column of numbers; a single number if all are equal.
_Column: TypeAlias = int | list[int]
# Columns of indices, which are stored unchanged.
_PLAIN = ("level", "role", "kind", "name", "lane")
_TYPES = {"int": int, "float": float, "str": str, "bool": bool}


class _Attribute(msgspec.Struct, kw_only=True):
    """An attribute, and the spans that have it."""

    type: Literal["int", "float", "str", "bool"]
    rows: _Column
    """Rows of these spans, ascending: the first row, then differences."""
    texts: list[str] | UnsetType = UNSET
    """Distinct texts, to which ``values`` refer by index; for type ``str`` only."""
    values: list[Any]
    """One value per row. Infinities and NaN are texts, since JSON does not have them."""


class _Trace(msgspec.Struct, kw_only=True):
    """Spans as columns; a constant column is a single value."""

    clock: TraceClock
    spans: Count
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    lanes: tuple[tuple[str, str, str], ...]
    """Process, name and device of each lane."""
    level: _Column
    role: _Column
    kind: _Column
    name: _Column
    lane: _Column
    start_ns: _Column
    duration_ns: _Column
    parent: _Column
    correlation: _Column
    attributes: dict[str, _Attribute]
    notes: tuple[str, ...]


class _Run(msgspec.Struct):
    """All calls at one level with one batch size."""

    batch: int
    levels: Literal["M", "ML", "MLK"]
    """Recorded levels: ``M`` calls; ``ML`` calls and layers; ``MLK`` calls, layers and kernels."""
    samples_ns: tuple[Count, ...]
    """Latency of each call; the n-th call of every level belongs to the n-th round."""
    trace: _Trace
    serialised: bool = False
    """True in files of old versions only, in which parallel work was serialised; such runs are not read."""


class _Head(msgspec.Struct):
    format: str
    schema_version: int


_Kind = TypeVar("_Kind", bound=_Head)


class _Content(_Head):
    """What ``dlbricks profile`` measured of one network. Times are integer nanoseconds (_ns), sizes bytes."""

    network: str
    system: dict[str, Any]
    """Name and facts of the machine; empty for a trace of another program."""
    runtime: dict[str, Any]
    """Name, version, provider, threads and options; empty for a trace of another program."""
    runs: tuple[_Run, ...]
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """Sentences on what is not available, and why."""


def profile_bytes(profile: Profile) -> bytes:
    """Return the content of a profile file; equal profiles give equal bytes."""
    return msgspec.json.encode(
        _Content(
            format=PROFILE_FORMAT,
            schema_version=PROFILE_SCHEMA_VERSION,
            network=profile.network,
            system=dict(profile.system),
            runtime=dict(profile.runtime),
            runs=tuple(
                _Run(run.batch, run.levels, run.samples_ns, _stored(run.trace))  # type: ignore[arg-type]
                for run in profile.runs
            ),
            roofs=profile.roofs,
            notes=profile.notes,
        )
    )


def write_profile(path: Path, profile: Profile) -> None:
    """Write a profile to a file, compressed if the name ends in ``.gz``.

    Raises:
        InputError: the file cannot be written.
    """
    data = profile_bytes(profile)
    write_bytes(path, gzip.compress(data, compresslevel=6, mtime=0) if path.suffix == ".gz" else data)


def profile_from(data: bytes, path: Path) -> Profile:
    """Parse the uncompressed content of a profile file; ``path`` is for messages.

    Raises:
        InputError: the content is not a profile, or is of a newer version, truncated, damaged or too large.
    """
    head = _read(_Head, data, path)
    if head.format != PROFILE_FORMAT:
        raise InputError(f"{path} is a {head.format}, not a profile; {_REMEDY}")
    if head.schema_version > PROFILE_SCHEMA_VERSION:
        most = f"this dlbricks reads up to {PROFILE_SCHEMA_VERSION}: update dlbricks"
        raise InputError(f"{path} has schema version {head.schema_version}, {most}")
    content = _read(_Content, data, path)
    spans = sum(run.trace.spans for run in content.runs)
    if spans > PROFILE_SPANS:  # a column of equal numbers is one number in the file
        raise InputError(f"{path} has {spans:,} spans, the limit is {PROFILE_SPANS:,}: profile fewer calls")
    if any(len(run.trace.lanes) > TRACE_LANES for run in content.runs):
        raise InputError(f"{path} has more than {TRACE_LANES:,} threads and streams (the limit): profile fewer threads")
    runs = []
    for run in content.runs:
        levels, batch = run.levels, run.batch
        try:
            trace = _restored(run.trace)
        except (TypeError, ValueError, OverflowError) as error:
            raise InputError(f"{path}: the run {levels} of batch {batch} is damaged: {error}; {_REMEDY}") from error
        if not run.serialised:  # serialised work, in files of old versions, has other times than the program itself
            runs.append(LevelRun(batch=batch, levels=levels, samples_ns=run.samples_ns, trace=trace))
    return Profile(
        network=content.network,
        system=content.system,
        runtime=content.runtime,
        runs=tuple(runs),
        roofs=content.roofs,
        notes=content.notes,
    )


def _read(kind: type[_Kind], data: bytes, path: Path) -> _Kind:
    try:
        return read_json(kind, data, str(path))
    except InputError as error:
        raise InputError(f"{error}; {_REMEDY}") from error


def read_whole(path: Path) -> bytes:
    """Return the content of a file, decompressed if its first bytes are those of gzip.

    Raises:
        InputError: the file is missing, a folder, unreadable, too large, or truncated.
    """
    try:
        with gzip.open(path, "rb") if is_compressed(path) else path.open("rb") as file:
            data = file.read(PROFILE_BYTES + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path} is truncated or damaged: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if len(data) > PROFILE_BYTES:
        raise InputError(f"{path} holds more than {format_bytes(PROFILE_BYTES)} (the limit): profile fewer calls")
    return data


def is_compressed(path: Path) -> bool:
    """Return whether a file's first bytes are those of gzip.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(_GZIP)) == _GZIP


def _stored(trace: Trace) -> _Trace:
    back = np.where(trace.parent == NONE, 0, np.arange(len(trace)) - trace.parent)
    return _Trace(
        clock=trace.clock,
        spans=len(trace),
        names=trace.names,
        kinds=trace.kinds,
        lanes=tuple((lane.process, lane.name, lane.device) for lane in trace.lanes),
        **{key: _column(getattr(trace, key)) for key in _PLAIN},
        # Differences compress better than times: they have fewer digits, and they repeat.
        start_ns=_column(np.diff(trace.start_ns, prepend=0)),
        duration_ns=_column(trace.end_ns - trace.start_ns),
        parent=_column(back),
        correlation=_column(np.diff(trace.correlation, prepend=0)),
        attributes={name: _stored_attribute(trace.attributes[name]) for name in sorted(trace.attributes)},
        notes=trace.notes,
    )


def _restored(stored: _Trace) -> Trace:
    # Return the trace of stored columns.
    # Raises:
    #     ValueError: a column has a wrong length, or an index is out of range.
    #     TypeError, OverflowError: a value has a wrong type or size.
    count = stored.spans
    start = np.cumsum(_numbers("start_ns", stored.start_ns, count))
    back = _numbers("parent", stored.parent, count)
    columns = {
        "start_ns": start,
        "end_ns": start + _numbers("duration_ns", stored.duration_ns, count),
        "parent": _in_range("parent", np.where(back == 0, NONE, np.arange(count) - back), count, low=NONE),
        "correlation": np.cumsum(_numbers("correlation", stored.correlation, count)),
    }
    limits = (len(Level), len(Role), len(stored.kinds), len(stored.names), len(stored.lanes))
    for key, limit in zip(_PLAIN, limits, strict=True):
        columns[key] = _in_range(key, _numbers(key, getattr(stored, key), count), limit)
    return from_columns(
        stored.clock,
        names=stored.names,
        kinds=stored.kinds,
        lanes=tuple(Lane(process=process, name=name, device=device) for process, name, device in stored.lanes),
        columns=columns,
        attributes={name: _restored_attribute(name, attribute, count) for name, attribute in stored.attributes.items()},
        notes=stored.notes,
    )


def _column(column: Any) -> _Column:
    if len(column) and (column == column[0]).all():
        return int(column[0])
    return column.tolist()


def _numbers(key: str, stored: _Column, count: int) -> Longs:
    if isinstance(stored, int):
        return np.full(count, stored, np.int64)
    if len(stored) != count:
        raise ValueError(f"'{key}' has {len(stored)} entries for {count} spans")
    return np.array(stored, np.int64)


def _in_range(what: str, column: Longs, limit: int, low: int = 0) -> Longs:
    if len(column) and (int(column.min()) < low or int(column.max()) >= limit):
        raise ValueError(f"'{what}' has an index out of range")
    return column


def _stored_attribute(attribute: Attribute) -> _Attribute:
    kind: Any = type(attribute.values[0]).__name__ if attribute.values else "str"
    rows = _column(np.diff(attribute.rows, prepend=0))
    if kind == "str":
        places = {text: number for number, text in enumerate(dict.fromkeys(attribute.values))}
        values = [places[text] for text in attribute.values]
        return _Attribute(type=kind, rows=rows, texts=[str(text) for text in places], values=values)
    numbers: list[Any] = [*attribute.values]
    if kind == "float":
        numbers = [value if math.isfinite(value) else str(value) for value in numbers]
    return _Attribute(type=kind, rows=rows, values=numbers)


def _restored_attribute(name: str, stored: _Attribute, count: int) -> Attribute:
    steps = _numbers(f"rows of {name}", stored.rows, len(stored.values))
    rows = _in_range(f"rows of {name}", np.cumsum(steps), count)
    texts: Sequence[str] | UnsetType = stored.texts
    if isinstance(texts, UnsetType):
        kind = _TYPES[stored.type]
        return attribute_of(rows, [kind(value) for value in stored.values])
    try:
        return attribute_of(rows, [texts[number] for number in stored.values])
    except IndexError as error:
        raise ValueError(f"values of '{name}' have an index out of range") from error


# Writers for trace viewers, by name of the format.
WRITERS: Mapping[str, Callable[[Sequence[ExportPart], Path], None]] = {"chrome": write_chrome, "otlp": write_otlp}
# Format by suffix of the file name; ``.gz`` may follow the suffix.
SUFFIXES = {".json": "chrome", ".jsonl": "otlp"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedPart:
    """One trace in a file for a trace viewer."""

    name: str
    """Network, level and batch size; empty for the only part of a file."""
    spans: int
    lanes: int
    findings: tuple[str, ...]
    """Notes on the trace, and errors of the recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A file for a trace viewer."""

    file: str
    file_format: str
    """``chrome`` or ``otlp``."""
    parts: tuple[ExportedPart, ...]


def format_of(path: Path) -> str:
    """Return the format of a file by its suffix: ``chrome`` or ``otlp``.

    Raises:
        InputError: the suffix is unknown.
    """
    if (suffix := Path(path.name.removesuffix(".gz")).suffix) in SUFFIXES:
        return SUFFIXES[suffix]
    endings = ", ".join(f"{suffix} ({format_})" for suffix, format_ in SUFFIXES.items())
    raise InputError(f"{path} has an unknown suffix: use {endings}, or name the format with --format")


def parts_of(profiles: Sequence[Profile]) -> tuple[ExportPart, ...]:
    """Return the runs of profiles as traces to export, named by what differs: network, level, batch size."""
    runs = [(profile, run) for profile in profiles for run in profile.runs]
    parts = []
    for profile, run in runs:
        words = (
            profile.network if len(profiles) > 1 else "",
            run.levels if len(profile.runs) > 1 else "",
            f"batch {run.batch}" if len(profile.batches) > 1 else "",
        )
        parts.append(ExportPart(name=", ".join(filter(None, words)), trace=run.trace))
    return tuple(parts)


def joined_part(profiles: Sequence[Profile]) -> ExportPart:
    """Return the traces of all runs as one, on one time axis, as for ranks of a distributed run.

    Raises:
        InputError: the clocks of two traces cannot be compared.
    """
    traces = [
        replace(run.trace, notes=tuple(f"{profile.network}: {note}" for note in run.trace.notes))
        if len(profiles) > 1
        else run.trace
        for profile in profiles
        for run in profile.runs
    ]
    return ExportPart(name="", trace=joined_traces(*traces))
