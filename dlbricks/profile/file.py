"""Traces as plain data that any JSON writer takes: column by column, times as steps, every text once.

Nothing is lost. Columns of one value are that value; times are steps from row to row and durations, since small numbers
take little room; parents are counted back from their child, 0 for none. Parquet would be smaller for large traces, but
a profile has to stay one file that a standard library reads.
"""

import gzip
import math
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.profile.types import LEVELS, LevelRun, Profile, Roofs
from dlbricks.trace.build import attribute_of, from_columns
from dlbricks.trace.types import NONE, Attribute, Lane, Level, Longs, Role, Trace, TraceClock, Value

_SMALL = ("level", "role", "kind", "name", "lane")
_TYPES: Mapping[str, type] = {"int": int, "float": float, "str": str, "bool": bool}


def to_plain(trace: Trace) -> dict[str, Any]:
    """Give a trace as dictionaries, lists, texts and numbers."""
    rows = np.arange(len(trace))
    return {
        "clock": {
            "name": trace.clock.name,
            "unix_offset_ns": trace.clock.unix_offset_ns,
            "resolution_ns": trace.clock.resolution_ns,
        },
        "spans": len(trace),
        "names": list(trace.names),
        "kinds": list(trace.kinds),
        "lanes": [[lane.process, lane.name, lane.device] for lane in trace.lanes],
        **{key: _column(getattr(trace, key)) for key in _SMALL},
        "start_ns": _column(_steps(trace.start_ns)),
        "duration_ns": _column(trace.end_ns - trace.start_ns),
        "parent": _column(np.where(trace.parent == NONE, 0, rows - trace.parent)),
        "correlation": _column(_steps(trace.correlation)),
        "attributes": {name: _attribute(trace.attributes[name]) for name in sorted(trace.attributes)},
        "notes": list(trace.notes),
    }


def from_plain(plain: Mapping[str, Any]) -> Trace:
    """Give the trace that ``to_plain`` was given.

    Raises:
        InputError: something is missing, of another length, or points to what is not there.
    """
    try:
        return _trace(plain)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        why = f"'{error.args[0]}' is missing" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"this is no trace of a dlbricks profile: {why}; write it again with 'dlbricks profile'"
        ) from error


def _trace(plain: Mapping[str, Any]) -> Trace:
    count = plain["spans"]
    names, kinds = tuple(map(str, plain["names"])), tuple(map(str, plain["kinds"]))
    lanes = tuple(Lane(process=process, name=name, device=device) for process, name, device in plain["lanes"])
    start = np.cumsum(_numbers(plain, "start_ns", count))
    back = _numbers(plain, "parent", count)
    columns = {key: _numbers(plain, key, count) for key in _SMALL} | {
        "start_ns": start,
        "end_ns": start + _numbers(plain, "duration_ns", count),
        "parent": np.where(back == 0, NONE, np.arange(count) - back),
        "correlation": np.cumsum(_numbers(plain, "correlation", count)),
    }
    for key, limit in zip(_SMALL, (len(Level), len(Role), len(kinds), len(names), len(lanes)), strict=True):
        _check_range(key, columns[key], 0, limit)
    _check_range("parent", columns["parent"], NONE, count)
    clock = plain["clock"]
    return from_columns(
        TraceClock(name=clock["name"], unix_offset_ns=clock["unix_offset_ns"], resolution_ns=clock["resolution_ns"]),
        names=names,
        kinds=kinds,
        lanes=lanes,
        columns=columns,
        attributes={name: _read_attribute(name, stored, count) for name, stored in plain["attributes"].items()},
        notes=tuple(map(str, plain["notes"])),
    )


def _check_range(what: str, column: Longs, low: int, limit: int) -> None:
    if len(column) and (int(column.min()) < low or int(column.max()) >= limit):
        raise ValueError(f"'{what}' points to what is not there")


def _steps(column: Longs) -> Longs:
    return np.diff(column, prepend=0)


def _column(column: Any) -> int | list[int]:
    """Give one number where all are equal, else all."""
    if len(column) and (column == column[0]).all():
        return int(column[0])
    listed: list[int] = column.tolist()
    return listed


def _numbers(plain: Mapping[str, Any], key: str, count: int) -> Longs:
    stored = plain[key]
    if isinstance(stored, int):
        return np.full(count, stored, np.int64)
    made = np.array(stored, np.int64)
    if len(made) != count:
        raise ValueError(f"'{key}' has {len(made)} entries, there are {count} spans")
    return made


def _attribute(attribute: Attribute) -> dict[str, Any]:
    kind = type(attribute.values[0]).__name__ if attribute.values else "str"
    stored: dict[str, Any] = {"type": kind, "rows": _column(_steps(attribute.rows))}
    if kind == "str":
        texts = {text: number for number, text in enumerate(dict.fromkeys(attribute.values))}
        return {**stored, "texts": list(texts), "values": [texts[text] for text in attribute.values]}
    if kind == "float":
        return {**stored, "values": [_float(value) for value in attribute.values]}
    return {**stored, "values": list(attribute.values)}


def _float(value: Value) -> float | str:
    """JSON knows neither infinities nor what is no number; as texts they survive."""
    number = float(value)
    return number if math.isfinite(number) else str(number)


def _read_attribute(name: str, stored: Mapping[str, Any], count: int) -> Attribute:
    values: Sequence[Any] = stored["values"]
    rows = np.cumsum(_numbers(stored, "rows", len(values)))
    _check_range(f"rows of {name}", rows, 0, count)
    if "texts" in stored:
        return attribute_of(rows, [stored["texts"][number] for number in values])
    kind = _TYPES[stored["type"]]
    return attribute_of(rows, [kind(value) for value in values])


PROFILE_FORMAT = "dlbricks-profile"
PROFILE_SCHEMA_VERSION = 1
SUFFIX = ".profile.json.gz"
"""Of files that ``dlbricks profile`` names itself."""
_LARGEST_BYTES = 4 << 30
_GZIP = b"\x1f\x8b"


class _Head(msgspec.Struct):
    format: str
    schema_version: int


class _Run(msgspec.Struct, forbid_unknown_fields=False):
    batch: int
    levels: str
    samples_ns: tuple[int, ...]
    trace: dict[str, Any]
    serialised: bool = False


class _Content(msgspec.Struct):
    format: str
    schema_version: int
    network: str
    system: dict[str, Any]
    runtime: dict[str, Any]
    runs: tuple[_Run, ...]
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()


def profile_bytes(profile: Profile) -> bytes:
    """Write a profile as JSON; the same profile gives the same bytes."""
    content = _Content(
        format=PROFILE_FORMAT,
        schema_version=PROFILE_SCHEMA_VERSION,
        network=profile.network,
        system=dict(profile.system),
        runtime=dict(profile.runtime),
        roofs=profile.roofs,
        notes=profile.notes,
        runs=tuple(
            _Run(
                batch=run.batch,
                levels=run.levels,
                samples_ns=run.samples_ns,
                serialised=run.serialised,
                trace=to_plain(run.trace),
            )
            for run in profile.runs
        ),
    )
    return msgspec.json.encode(content)


def write_profile(path: Path, profile: Profile) -> None:
    """Write a profile to a file, whole or not at all; compressed where its name ends in ``.gz``.

    Raises:
        InputError: it cannot be written.
    """
    data = profile_bytes(profile)
    write_bytes(path, gzip.compress(data, compresslevel=6, mtime=0) if path.suffix == ".gz" else data)


def read_profile(path: Path) -> Profile:
    """Read a profile.

    Raises:
        InputError: missing, no profile, of a newer version, cut off, or a field is missing or of a wrong type.
    """
    return profile_from(read_whole(path), path)


def profile_from(data: bytes, path: Path) -> Profile:
    """Read a profile from the content of its file, uncompressed.

    Args:
        data: JSON.
        path: of the file, for messages.

    Raises:
        InputError: as ``read_profile``.
    """
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no profile, or is cut off: {error}; make one with 'dlbricks profile'") from error
    if head.format != PROFILE_FORMAT:
        raise InputError(f"{path} is a {head.format}, no profile: make one with 'dlbricks profile'")
    if head.schema_version > PROFILE_SCHEMA_VERSION:
        raise InputError(
            f"{path} has schema version {head.schema_version}, this dlbricks reads up to {PROFILE_SCHEMA_VERSION}: "
            "update dlbricks"
        )
    try:
        content = msgspec.json.decode(data, type=_Content)
    except msgspec.DecodeError as error:
        raise InputError(f"{path} is damaged: {error}; make it again with 'dlbricks profile'") from error
    return Profile(
        network=content.network,
        system=content.system,
        runtime=content.runtime,
        runs=tuple(_run(run, path) for run in content.runs),
        roofs=content.roofs,
        notes=content.notes,
    )


def _run(run: _Run, path: Path) -> LevelRun:
    where = f"{path}: the run {run.levels} of batch {run.batch}"
    if run.levels not in LEVELS:
        raise InputError(f"{path} is damaged: '{run.levels}' is no level; levels are {', '.join(LEVELS)}")
    try:
        trace = from_plain(run.trace)
    except InputError as error:
        raise InputError(f"{where} is damaged: {error}") from error
    return LevelRun(
        batch=run.batch,
        levels=run.levels,
        samples_ns=run.samples_ns,
        trace=trace,
        serialised=run.serialised,
    )


def read_whole(path: Path) -> bytes:
    """Give the content of a file, uncompressed if it is a gzip file, whatever its name.

    Raises:
        InputError: missing, a folder, unreadable, or cut off.
    """
    try:
        with gzip.open(path, "rb") if is_compressed(path) else path.open("rb") as file:
            return file.read(_LARGEST_BYTES)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path} is cut off or damaged: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def is_compressed(path: Path) -> bool:
    """Whether a file is one of gzip, whatever its name.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        return file.read(len(_GZIP)) == _GZIP
