"""Opens profiles and recordings: files of dlbricks, Kineto and Chrome traces, profiles of onnxruntime.

A traced run of a suite becomes a profile of all benchmarks one after the other, as one call.
"""

import zlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from dlbricks.errors import InputError
from dlbricks.extensions import extensions
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.harness.trace.layer_profile import is_layer_profile
from dlbricks.profile.file import PROFILE_FORMAT, is_compressed, profile_from, read_whole
from dlbricks.profile.steps import with_steps
from dlbricks.profile.types import LevelRun, Profile, Roofs
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.checks import findings
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.read.onnxruntime import CALL_CLOCK, read_onnxruntime, short_traces
from dlbricks.trace.types import Lane, Level, Trace, TraceClock, TraceReader
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
        path: of one of the files in ``_REMEDY``, optionally compressed with gzip.
        checked: whether to check a recording of another program for errors, which takes time.

    Raises:
        InputError: the file is missing, unreadable, of another kind, damaged, or of a newer version.
    """
    head = _head(path)
    begin = head.lstrip("\ufeff \t\r\n")
    if f'"{PROFILE_FORMAT}"' in begin[:200]:
        return profile_from(read_whole(path), path)
    if is_layer_profile(begin):
        return _recorded(read_onnxruntime(path, read_whole(path)), path, checked=checked)
    if '"format"' in begin[:200] and f'"{_OURS}' in begin[:200]:
        kind = begin[:200].partition(f'"{_OURS}')[2].partition('"')[0]
        if kind == "submission":
            try:
                document = parse_object(read_whole(path), str(path))
            except InputError as error:
                raise InputError(f"{error}; {_REMEDY}") from error
            return profile_of_run(document, str(path))
        raise InputError(f"{path} is a {kind} of dlbricks, not a profile: {_REMEDY}")
    for reader in extensions("dlbricks.readers", TraceReader):
        if reader.recognises(begin):
            return _recorded(reader.read(path), path, checked=checked)
    if path.suffix == ".onnx":
        raise InputError(f"{path} is a network: make a profile of it with 'dlbricks profile {path} -o FILE.json.gz'")
    reason = "is recognised by no installed reader" if begin[:1] in {"{", "["} else "is not JSON"
    raise InputError(f"{path} {reason if begin else 'is empty'}: {_REMEDY}")


def _recorded(trace: Trace, path: Path, *, checked: bool) -> Profile:
    # Make a profile of a recording of another program, with notes on its errors if ``checked``.
    profile = profile_of(trace, name_of(path))
    if not checked:
        return profile
    run = profile.runs[0]
    read = replace(run.trace, notes=(*run.trace.notes, *findings(run.trace)))
    return replace(profile, runs=(replace(run, trace=read),))


def name_of(path: Path) -> str:
    """Return a file's name without the suffixes of its format: ``run`` for ``run.pt.trace.json.gz``."""
    name = path.name
    for suffix in (".gz", ".json", ".trace", ".pt", ".profile"):
        name = name.removesuffix(suffix)
    return name or path.name


def _head(path: Path) -> str:
    # A truncated file gives less; what the file is follows from its first bytes.
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
    return Profile(network=name, system={}, runtime={}, runs=(run,), roofs=stated_of(trace.device), notes=tuple(notes))


def stated_of(device: str) -> Roofs | None:
    """Return the stated peaks of a device as its roofs; None if unknown."""
    stated = gpu_peaks(device)
    flops, nbytes = stated.flops_per_s, stated.bytes_per_s
    if nbytes is None:
        return None
    return Roofs(
        device=device, flops_per_s=flops, copied_bytes_per_s=nbytes,
        stated_flops_per_s=flops, stated_bytes_per_s=nbytes, source=stated.source, measured=False,
    )  # fmt: skip


def levels_of(trace: Trace) -> str:
    """Return what a trace records: one of ``LEVELS``."""
    if len(trace.rows(Level.KERNEL)):
        return "MLK"
    return "ML" if len(trace.rows(Level.LAYER)) else "M"


_RUN = Lane(process="suite", name="run")


def profile_of_run(document: Mapping[str, Any], place: str) -> Profile:
    """Make a profile of the result of a suite that was run with ``--trace``; ``place`` is its origin, for messages.

    Each benchmark is the median of its traced calls; benchmarks follow each other in the order of the suite, and layers
    are named after their benchmarks.

    Raises:
        InputError: the result has no traces, or is damaged.
    """
    try:
        names = {
            benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]
        }
        traces = short_traces(document)
        runtime, system, suite = document["runtime"], document["system"], document["suite"]["name"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{place} is a damaged result: 'dlbricks check' says what is wrong with it") from error
    if not traces:
        raise InputError(f"{place} is the result of a suite without traces: run it with --trace ML, or --trace MLK")
    levels = "MLK" if any(len(trace.rows(Level.KERNEL)) for trace in traces.values()) else "ML"
    trace = _in_a_row({f"{names[key]} {key[:12]}": trace for key, trace in traces.items()}, suite)
    run = LevelRun(batch=0, levels=levels, samples_ns=(int(trace.end_ns[0]),), trace=trace)
    traceable = sum(benchmark["role"] in TRACED_ROLES for benchmark in document["benchmarks"])
    count = f"{len(traces)} of {traceable} benchmarks were traced"
    return Profile(
        network=suite,
        system={"name": system["name"], **system["facts_before"]},
        runtime=runtime,
        runs=(run,),
        notes=(f"benchmarks of a suite one after the other, each the median of its traced calls; {count}",),
    )


def _in_a_row(traces: Mapping[str, Trace], name: str) -> Trace:
    # Concatenate traces of one call each as the layers of one call.
    clock = next(iter(traces.values())).clock
    builder = TraceBuilder(clock=TraceClock(name=CALL_CLOCK, resolution_ns=clock.resolution_ns))
    lengths = [int(trace.end_ns.max()) for trace in traces.values()]
    call = builder.add(Level.MODEL, kinds.CALL, name, _RUN, 0, sum(lengths), index=0)
    # Layers are numbered on over all benchmarks; correlation numbers are shifted so that they stay unique.
    since = layers = launches = 0
    for (benchmark, trace), length in zip(traces.items(), lengths, strict=True):
        rows: dict[int, int] = {}
        for span in trace:
            if span.level == Level.MODEL:
                rows[span.row] = call
                continue
            own = dict(span.attributes)
            if "index" in own:
                own["index"] = int(own["index"]) + layers
            rows[span.row] = builder.add(
                span.level,
                span.kind,
                f"{benchmark}: {span.name}" if span.level == Level.LAYER else span.name,
                Lane(process=_RUN.process, name=span.lane.name, device=span.lane.device),
                span.start_ns + since,
                span.end_ns + since,
                role=span.role,
                parent=None if span.parent is None else rows[span.parent],
                correlation=None if span.correlation is None else span.correlation + launches,
                **own,
            )
        since += length
        layers += sum("index" in span.attributes and span.level == Level.LAYER for span in trace)
        launches += 1 + int(trace.correlation.max())
    return builder.built()
