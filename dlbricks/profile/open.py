"""Opens profiles and recordings: files of dlbricks, Kineto and Chrome traces, profiles of onnxruntime."""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.harness.trace.layer_profile import is_layer_profile
from dlbricks.profile.file import PROFILE_FORMAT, is_compressed, profile_from, read_whole
from dlbricks.profile.steps import with_steps
from dlbricks.profile.types import LevelRun, Profile, Roofs
from dlbricks.trace import kinds
from dlbricks.trace.read.kineto import read_kineto
from dlbricks.trace.shape_work import with_work
from dlbricks.trace.types import Level, Trace
from dlbricks.typed_json import parse_object

# format and version are at the start of all files; a profile of onnxruntime is known by its first events
_HEAD_BYTES = 65_536
_OURS = "dlbricks-"
_REMEDY = (
    "give a file of 'dlbricks profile', the result of a suite run with --trace, a Kineto or Chrome trace (.json, "
    ".json.gz), or a profile of onnxruntime"
)


def read_any(path: Path, *, checked: bool = True) -> Profile:
    """Read a profile or recording; its kind follows from its content, not from its name.

    Args:
        path: a profile of ``dlbricks profile``, the result of a suite run with ``--trace``, a Kineto or Chrome trace,
            or a profile of onnxruntime; optionally compressed with gzip.
        checked: whether to check a recording of another program for errors, which takes time.

    Raises:
        InputError: the file is missing, unreadable, of another kind, damaged, or of a newer version.
    """
    head = _head(path)
    begin = head.lstrip("\ufeff \t\r\n")
    if f'"{PROFILE_FORMAT}"' in begin[:200]:
        return profile_from(read_whole(path), path)
    if is_layer_profile(begin):
        from dlbricks.trace.read.onnxruntime import read_onnxruntime

        return _recorded(read_onnxruntime(path, read_whole(path)), path, checked=checked)
    if begin[:1] not in {"{", "["}:
        if path.suffix == ".onnx":
            raise InputError(
                f"{path} is a network: make a profile of it with 'dlbricks profile {path} -o FILE.json.gz'"
            )
        raise InputError(f"{path} {'is empty' if not begin else 'is not JSON'}: {_REMEDY}")
    if '"format"' in begin[:200] and f'"{_OURS}' in begin[:200]:
        kind = begin[:200].partition(f'"{_OURS}')[2].partition('"')[0]
        if kind == "submission":
            from dlbricks.profile.suite_run import profile_of_run

            return profile_of_run(_parsed(path), str(path))
        raise InputError(f"{path} is a {kind} of dlbricks, not a profile: {_REMEDY}")
    return _recorded(with_work(read_kineto(path)), path, checked=checked)


def _recorded(trace: Trace, path: Path, *, checked: bool) -> Profile:
    """Make a profile of a recording of another program, with notes on its errors if ``checked``."""
    profile = profile_of(trace, name_of(path))
    if not checked:
        return profile
    from dlbricks.trace.checks import findings

    return replace(profile, notes=(*profile.notes, *findings(profile.runs[0].trace)))


def _parsed(path: Path) -> Mapping[str, Any]:
    """Read a JSON object.

    Raises:
        InputError: it is truncated, or no object.
    """
    try:
        return parse_object(read_whole(path), str(path))
    except InputError as error:
        raise InputError(f"{error}; {_REMEDY}") from error


def name_of(path: Path) -> str:
    """Return a file's name without the suffixes of its format: ``run`` for ``run.pt.trace.json.gz``."""
    name = path.name
    for suffix in (".gz", ".json", ".trace", ".pt", ".profile"):
        name = name.removesuffix(suffix)
    return name or path.name


def _head(path: Path) -> str:
    """Return the beginning of a file, decompressed; less if it is truncated.

    Raises:
        InputError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            begin = file.read(_HEAD_BYTES)
        if is_compressed(path):
            begin = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(begin, _HEAD_BYTES)
    except zlib.error as error:
        raise InputError(f"{path} is truncated or damaged: {error}") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    return begin.decode("utf-8", errors="replace")


def profile_of(trace: Trace, name: str) -> Profile:
    """Make a profile of a recorded trace, so that every analysis applies to it.

    Latencies are those of calls of the network, else of training steps, else the duration of the trace. Where no steps
    are marked, ``steps`` looks for them. Such a trace does not contain the batch size: it is 0.

    Args:
        trace: with parents.
        name: for titles.
    """
    notes = ["a trace by itself: neither the machine nor the batch is known"]
    if not len(trace.rows(Level.MODEL, kinds.CALL)) and not len(trace.rows(Level.APPLICATION, kinds.STEP)):
        trace, note = with_steps(trace)
        notes.append(note)
    calls = trace.rows(Level.MODEL, kinds.CALL)
    if not len(calls):
        calls = trace.rows(Level.APPLICATION, kinds.STEP)
    samples = np.maximum(trace.duration_ns[calls], 0).tolist()
    if not samples and len(trace):
        samples = [int(max(trace.end_ns.max() - trace.start_ns.min(), 0))]
    run = LevelRun(batch=0, levels=levels_of(trace), samples_ns=tuple(samples), trace=trace)
    return Profile(
        network=name, system={}, runtime={}, runs=(run,), roofs=stated_of(trace.device), notes=(*notes, *trace.notes)
    )


def stated_of(device: str) -> Roofs | None:
    """Return the stated peaks of a device as its roofs; None if unknown."""
    from dlbricks.profile.gpus import gpu_peaks

    stated = gpu_peaks(device)
    if stated.bytes_per_s is None:
        return None
    return Roofs(
        device=device,
        flops_per_s=stated.flops_per_s,
        copied_bytes_per_s=stated.bytes_per_s,
        stated_flops_per_s=stated.flops_per_s,
        stated_bytes_per_s=stated.bytes_per_s,
        source=stated.source,
        measured=False,
    )


def levels_of(trace: Trace) -> str:
    """Return what a trace records: one of ``LEVELS``."""
    if len(trace.rows(Level.KERNEL)):
        return "MLK"
    return "ML" if len(trace.rows(Level.LAYER)) else "M"
