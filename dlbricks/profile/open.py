"""Opening whatever holds a profile: a file of ours, somebody's Kineto or Chrome trace, a raw profile of onnxruntime."""

import gzip
import zlib
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.harness.layerprofile import is_layer_profile
from dlbricks.profile.file import PROFILE_FORMAT, profile_from, read_whole
from dlbricks.profile.nouns import Profile
from dlbricks.trace.onnxruntime import read_onnxruntime

_HEAD_BYTES = 65_536
_OURS = "dlbricks-"
_REMEDY = "give a file of 'dlbricks profile', a Kineto or Chrome trace (.json, .json.gz), or a profile of onnxruntime"


def read_any(path: Path) -> Profile:
    """Read a profile, by what the file holds, whatever its name.

    Args:
        path: a file of ``dlbricks profile``; a Kineto or Chrome trace; a profile that onnxruntime wrote. Any of them
            may be compressed with gzip, the last one excepted.

    Raises:
        InputError: missing, unreadable, of no such kind, damaged, or of a newer version.
    """
    head = _head(path)
    begin = head.lstrip("\ufeff \t\r\n")
    if f'"{PROFILE_FORMAT}"' in begin[:200]:
        return profile_from(read_whole(path), path)
    from dlbricks.profile.foreign import profile_of
    from dlbricks.trace.kineto import read_kineto

    if is_layer_profile(begin):
        return profile_of(read_onnxruntime(path), name_of(path))
    if begin[:1] not in {"{", "["}:
        raise InputError(f"{path} {'is empty' if not begin else 'is no JSON'}: {_REMEDY}")
    if '"format"' in begin[:200] and f'"{_OURS}' in begin[:200]:
        kind = begin[:200].partition(f'"{_OURS}')[2].partition('"')[0]
        raise InputError(f"{path} is a {kind} of dlbricks, no profile: {_REMEDY}")
    return profile_of(read_kineto(path), name_of(path))


def name_of(path: Path) -> str:
    """Give a file's name without what says how it is written: ``run`` for ``run.pt.trace.json.gz``."""
    name = path.name
    for suffix in (".gz", ".json", ".trace", ".pt", ".profile"):
        name = name.removesuffix(suffix)
    return name or path.name


def _head(path: Path) -> str:
    """Give the beginning of a file, uncompressed.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(_HEAD_BYTES)
        if begin[:2] == b"\x1f\x8b":
            with gzip.open(path, "rb") as packed:
                begin = packed.read(_HEAD_BYTES)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"{path} is cut off or damaged: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    return begin.decode("utf-8", errors="replace")
