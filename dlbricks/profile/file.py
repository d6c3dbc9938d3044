"""Profiles as files: JSON, compressed where the name ends in ``.gz``; ``docs/schemas/profile.schema.json``.

Everything that a reader of another program wants first (network, machine, runtime, latencies of every call) stands in
plain fields; each run's spans follow column by column, as ``trace.codec`` writes them. ``msgspec`` decodes and checks
types in one pass; ``pickle`` and ``parquet`` were looked at: the one runs code, the other needs a library to be read.
"""

import gzip
import zlib
from pathlib import Path
from typing import Any

import msgspec

from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.profile.nouns import LEVELS, LevelRun, Profile, Roofs
from dlbricks.trace.codec import from_plain, to_plain

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
