"""Opens files as profiles: profiles and results of dlbricks, Kineto and Chrome traces, onnxruntime's profiles.

A result with traces becomes a profile with one call, in which the benchmarks follow each other. Unmarked steps are
found by weight updates, named ranges, loads of batches, or the period of launches.
"""

import gzip
import itertools
import re
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import InputError
from dlbricks.extensions import extensions
from dlbricks.harness.options import TRACED_ROLES
from dlbricks.harness.trace.layer_profile import is_layer_profile
from dlbricks.profile.file import PROFILE_FORMAT, is_compressed, profile_from, read_whole
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, joined_traces, part_of, with_columns
from dlbricks.trace.correlate import findings
from dlbricks.trace.cupti import readable_names, with_kernel_work
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.intervals import ancestors, split_by
from dlbricks.trace.onnxruntime import CALL_CLOCK, read_onnxruntime, short_traces
from dlbricks.trace.types import (
    LEVELS,
    Lane,
    Level,
    LevelRun,
    Longs,
    Profile,
    Role,
    Roofs,
    Trace,
    TraceClock,
    TraceReader,
)
from dlbricks.typed_json import parse_object
from dlbricks.units import counted, format_ns

# Bytes of a file by which its kind is recognised: they hold format and version, or onnxruntime's first events.
_HEAD_BYTES = 65_536
_OURS = "dlbricks-"
_REMEDY = (
    "expected a file of 'dlbricks profile', the result of a suite run with --trace, a Kineto or Chrome trace (.json, "
    ".json.gz), a profile of onnxruntime, or an SQLite export of Nsight Systems"
)
_NSYS = "run the program in 'nsys profile' and use the file of 'nsys export --type sqlite'"
# Files of other profilers, by a pattern for their name and first characters, and what to use instead.
_OTHERS = (
    (r'.*\.(nsys-rep|qdrep)\n|.*\n\{"(CudaEvent|NvtxEvent|TraceProcessEvent)"', "a report of Nsight Systems", _NSYS),
    (r".*\.xplane\.pb\n", "an XPlane of XLA", "use the trace.json.gz that JAX or TensorFlow writes beside it"),
    (r".*\.(pftrace|perfetto-trace)\n", "a trace of Perfetto", "convert it with Perfetto's 'traceconv json'"),
    (r'.*\n\{\s*"rocprofiler-sdk-tool"', "JSON of rocprofv3", "record it with torch.profiler, which traces ROCm"),
    (r'.*\n\[\s*\{\s*"count"\s*:', "a profile of TensorRT, which has sums and no times of calls", _NSYS),
    (r'.*\n\[\s*\{\s*"(id|timestamps)"\s*:', "a trace of the Triton server, which has no kernels", _NSYS),
    (r'.*\n\[\s*\{\s*"system"', "a list of estimates by 'dlbricks site'", "open index.html beside it"),
    (r'.*\n\[\s*\{\s*"(children|frame)"', "a tree of Triton's Proton, without times", 'start it with data="trace"'),
)


# Begin of the timelines that 'whatif' writes.
_PREDICTED = '"producer":"dlbricks","prediction":'


def read_any(path: Path, *, checked: bool = True, predicted: bool = False) -> Profile:
    """Read a profile, or a trace of another program as a profile; the file may be compressed with gzip.

    With ``checked``, errors of another program's trace are noted, which takes time; with ``predicted``, the timelines
    of a prediction are read, too. Raises ``InputError`` for a file that is unreadable, damaged, of another kind or of a
    newer version.
    """
    head = _head(path)
    begin = head.lstrip("\ufeff \t\r\n")
    if f'"{PROFILE_FORMAT}"' in begin[:200]:
        profile = profile_from(read_whole(path), path)
        # kernels of earlier versions have neither readable names nor the work of their layers
        named = [replace(run.trace, names=readable_names(run.trace.names)) for run in profile.runs]
        runs = zip(profile.runs, map(with_kernel_work, named), strict=True)
        return replace(profile, runs=tuple(replace(run, trace=trace) for run, trace in runs))
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
        raise InputError(f"{path} is a file of format {_OURS}{kind}, not a profile: {_REMEDY}")
    for pattern, what, instead in _OTHERS:
        if re.match(pattern, f"{path.name}\n{begin}"):
            raise InputError(f"{path} is {what}: {instead}")
    for reader in extensions("dlbricks.readers", TraceReader):
        if reader.recognises(begin):
            foreign = reader.read(path)
            is_prediction = _PREDICTED in begin[:200]
            timelines = _timelines(foreign, path, predicted=predicted) if is_prediction else None
            return timelines or _recorded(foreign, path, checked=checked)
    if path.suffix == ".onnx":
        from dlbricks.model.read.skim import skim

        skim(path)  # raises for a file of another kind
        advice = f"make a profile of it with 'dlbricks profile {path} -o FILE.json.gz', or give --system to 'whatif'"
        raise InputError(f"{path} is a network: {advice}")
    reason = "is recognised by no installed reader" if begin[:1] in {"{", "["} else "is not JSON"
    raise InputError(f"{path} {reason if begin else 'is empty'}: {_REMEDY}")


def _timelines(trace: Trace, path: Path, *, predicted: bool) -> Profile:
    # Return the timelines of a prediction as a profile; the first line of the file holds the prediction.
    if not predicted:
        raise InputError(f"{path} holds timelines of a prediction, not a recording: 'dlbricks report' shows them")
    with gzip.open(path, "rb") if is_compressed(path) else path.open("rb") as file:
        head = parse_object(file.readline().rpartition(b',"traceEvents"')[0] + b"}", str(path))
    run = LevelRun(batch=0, levels=LEVELS[0], samples_ns=(), trace=trace)
    prediction = head["otherData"]["prediction"]
    return Profile(network=name_of(path), system={}, runtime={}, runs=(run,), prediction=prediction)


def _recorded(trace: Trace, path: Path, *, checked: bool) -> Profile:
    # Return the profile of another program's recording, with notes on errors in it if ``checked``.
    profile = profile_of(trace, name_of(path))
    if not checked:
        return profile
    texts = dict.fromkeys(text for run in profile.runs for text in findings(run.trace))
    return replace(profile, notes=(*profile.notes, *texts))


def name_of(path: Path) -> str:
    """Return a file's name without the suffixes of its format, as in ``run`` for ``run.pt.trace.json.gz``."""
    name = path.name
    for suffix in (".gz", ".json", ".sqlite", ".trace", ".pt", ".profile"):
        name = name.removesuffix(suffix)
    return name or path.name


def _head(path: Path) -> str:
    # Return the first characters of a file, decompressed; a truncated file has fewer.
    try:
        with path.open("rb") as file:
            begin = file.read(_HEAD_BYTES)
        if is_compressed(path):
            begin = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(begin, _HEAD_BYTES)
    except zlib.error as error:
        raise InputError(f"{path} is truncated or damaged: {error}") from error
    except OSError as error:
        reason = "it is a folder: name its files" if path.is_dir() else error.strerror or error
        raise InputError(f"cannot read {path}: {reason}") from error
    return begin.decode("utf-8", errors="replace")


def profile_of(trace: Trace, name: str) -> Profile:
    """Return a recorded trace as a profile.

    Latencies are the durations of calls, else of steps (``with_steps``), else of the whole trace. If the input shapes
    of calls differ, calls of equal shapes form a run, and the batch size follows from the shapes. Otherwise the batch
    size is 0 (unknown).
    """
    notes = ["the file is a trace without facts on its origin: machine and batch size are unknown"]
    if not len(trace.rows(Level.MODEL, kinds.CALL)) and not len(trace.rows(Level.APPLICATION, kinds.STEP)):
        trace, note = with_steps(trace)
        notes.append(note)
    trace = _without_empty_steps(trace)
    parts, unlike = _alike(trace)
    runs = [_run(part, batch) for batch, part in parts]
    return Profile(
        network=name, system={}, runtime={}, runs=tuple(runs), roofs=stated_of(trace.device),
        notes=(*notes, *unlike, *trace.notes),
    )  # fmt: skip


def _run(trace: Trace, batch: int) -> LevelRun:
    calls = trace.rows(Level.MODEL, kinds.CALL)
    if not len(calls):
        calls = trace.rows(Level.APPLICATION, kinds.STEP)
    samples = np.maximum(trace.duration_ns[calls], 0).tolist()
    if not samples and len(trace):
        samples = [int(max(trace.end_ns.max() - trace.start_ns.min(), 0))]
    return LevelRun(batch=batch, levels=levels_of(trace), samples_ns=tuple(samples), trace=trace)


# Most groups of like calls that are distinguished; calls that are like none of them are left out.
_MOST_GROUPS = 20
# First words of the note on these groups.
UNLIKE = "calls differ in the shapes of their layers"


def _alike(trace: Trace) -> tuple[list[tuple[int, Trace]], list[str]]:
    # Split a trace by the shapes of its calls: return the batch and the trace of each group of like calls, and notes.
    # If all calls are alike, there is one group with batch 0.
    # Calls are alike if most layers outside of bodies have equal outputs: caches grow, and numbers of detections vary,
    # from call to call, while another batch or length changes nearly all layers. If two groups have the same batch,
    # only the largest group remains. Calls without layers are left out, since their shapes are unknown.
    held = {call: Counter[tuple[int, str]]() for call in trace.rows(Level.MODEL, kinds.CALL).tolist()}
    rows = trace.rows(Level.LAYER) if len(held) > 1 else np.zeros(0, np.int64)
    columns = trace.parent[rows].tolist(), trace.name[rows].tolist(), trace.string_column("shape", rows)
    for call, name, shape in zip(*columns, strict=True):
        if call in held:
            held[call][name, shape] += 1
    groups: list[tuple[Counter[tuple[int, str]], list[int]]] = []
    for call, layers in ((call, layers) for call, layers in held.items() if layers):
        fits = (calls for first, calls in groups if 2 * (first & layers).total() >= max(first.total(), layers.total()))
        if (calls := next(fits, None)) is not None:
            calls.append(call)
        elif len(groups) < _MOST_GROUPS:
            groups.append((layers, [call]))
    if len(groups) < 2:
        return [(0, trace)], []
    groups.sort(key=lambda group: -len(group[1]))
    texts = []
    for place, (layers, calls) in enumerate(groups):
        own = next(iter(layers - groups[not place][0]), None)
        texts.append(f"{len(calls)} with {' '.join((trace.names[own[0]], own[1])) if own else 'fewer layers'}")
    if lost := len(held) - sum(len(calls) for _, calls in groups):
        texts.append(f"{counted(lost, 'other call')} left out")
    # the most frequent first dimension of outputs, as in float32[8,1000]; 0 if there is none
    leading = [Counter(re.findall(r"\[(\d{1,18})\b", " ".join(shape for _, shape in layers))) for layers, _ in groups]
    batches = [int(max(sizes, key=sizes.__getitem__, default=0)) for sizes in leading]
    apart = 0 not in batches and len(set(batches)) == len(batches)
    shown = "the batch size is the first dimension of most shapes" if apart else "figures cover the first group only"
    top = ancestors(trace, Level.MODEL, outermost=True)
    shares = zip(batches if apart else [0], groups, strict=False)
    parts = [(batch, part_of(trace, np.flatnonzero(np.isin(top, calls)))) for batch, (_, calls) in shares]
    return parts, [f"{UNLIKE} ({'; '.join(texts)}): {shown}"]


def _without_empty_steps(trace: Trace) -> Trace:
    # Turn steps without device work and calls of the host into ranges, and the last step of a process also if it has
    # only calls: PyTorch's profiler begins a new step when it ends one. Work of a device counts where it is launched.
    steps, work = trace.rows(Level.APPLICATION, kinds.STEP), trace.rows(Level.KERNEL, role=Role.EXECUTION)
    begun = np.where(trace.parent[work] < 0, work, trace.parent[work])
    called = np.flatnonzero(np.isin(trace.level, (Level.LAYER, Level.LIBRARY)))
    begun = begun if len(work) else called
    names = [lane.process for lane in trace.lanes]
    process = np.array([names.index(name) for name in names] or [0])[trace.lane]
    left_out = list[int]()
    for own in split_by(process[steps], steps):
        rows = own[np.argsort(trace.start_ns[own], kind="stable")]
        mine = [starts[process[starts] == process[rows[0]]] for starts in (begun, np.append(begun, called))]
        times = [np.sort(trace.start_ns[starts]) for starts in mine]
        launched, filled = (
            np.searchsorted(at, trace.start_ns[rows]) < np.searchsorted(at, trace.end_ns[rows]) for at in times
        )
        if launched.any():
            filled[-1] = launched[-1]
            left_out += rows[~filled].tolist()
    if not left_out:
        return trace
    kind, names = np.array(trace.kind), [*dict.fromkeys((*trace.kinds, kinds.RANGE))]
    kind[left_out] = names.index(kinds.RANGE)
    text = f"{counted(len(left_out), 'step')} without work, which all figures leave out"
    return with_columns(replace(trace, kinds=tuple(names)), text, kind=kind)


def stated_of(device: str) -> Roofs | None:
    """Return the roofs that a device's maker states; None for an unknown device."""
    stated = gpu_peaks(device)
    flops, nbytes = stated.flops_per_s, stated.bytes_per_s
    if nbytes is None:
        return None
    return Roofs(
        device=device, flops_per_s=flops, copied_bytes_per_s=nbytes,
        stated_flops_per_s=flops, stated_bytes_per_s=nbytes, source=stated.source, measured=False,
    )  # fmt: skip


def levels_of(trace: Trace) -> str:
    """Return the recorded levels: ``M`` (calls), ``ML`` (and layers) or ``MLK`` (and kernels)."""
    if len(trace.rows(Level.KERNEL)):
        return "MLK"
    return "ML" if len(trace.rows(Level.LAYER)) else "M"


_RUN = Lane(process="suite", name="run")


def profile_of_run(document: Mapping[str, Any], place: str) -> Profile:
    """Return a result with traces as a profile; ``place`` names the file in messages.

    The profile has one call, in which the benchmarks follow each other with median times. Raises ``InputError`` if the
    result has no traces, or is damaged.
    """
    try:
        names = {
            benchmark["fingerprint"]: benchmark["name"] for benchmark in document["suite"]["manifest"]["benchmarks"]
        }
        traces = short_traces(document)
        runtime, system, suite = document["runtime"], document["system"], document["suite"]["name"]
    except (KeyError, TypeError) as error:
        raise InputError(f"{place} is a damaged result: run 'dlbricks check', which names the damage") from error
    if not traces:
        raise InputError(f"{place} is a result without traces: run the suite with --trace ML or --trace MLK")
    trace = _in_a_row({f"{names[key]} {key[:12]}": trace for key, trace in traces.items()}, suite)
    run = LevelRun(batch=0, levels=levels_of(trace), samples_ns=(int(trace.end_ns[0]),), trace=trace)
    traceable = sum(benchmark["role"] in TRACED_ROLES for benchmark in document["benchmarks"])
    count = f"{len(traces)} of {traceable} benchmarks were traced"
    return Profile(
        network=suite,
        system={"name": system["name"], **system["facts_before"]},
        runtime=runtime,
        runs=(run,),
        notes=(f"the call consists of the benchmarks of a suite, each with its median traced times; {count}",),
    )


def _in_a_row(traces: Mapping[str, Trace], name: str) -> Trace:
    # Join traces of one call each into a single call, in which their layers follow each other.
    clock = next(iter(traces.values())).clock
    builder = TraceBuilder(clock=TraceClock(name=CALL_CLOCK, resolution_ns=clock.resolution_ns))
    lengths = [int(trace.end_ns.max()) for trace in traces.values()]
    call = builder.add(Level.MODEL, kinds.CALL, name, _RUN, 0, sum(lengths), index=0)
    # Indices of layers count over all benchmarks; correlation numbers are shifted so that they stay unique.
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


# Name of a weight update in traces of PyTorch's profiler.
_UPDATE = re.compile(r"Optimizer\.step#")
# Usual names of ranges that are steps: of vLLM and SGLang, and of users of NVTX and ``record_function``.
_RANGE = re.compile(
    r"execute_|step\[|((train|training|eval|test|inference)?[ _-]?(step|iteration|iter)\b)", re.IGNORECASE
)
_LOAD = re.compile(r"enumerate\(DataLoader\)")
# Least share of launches that equal the launch one period later. It is below 1 because steps may differ in some
# launches.
_ALIKE = 0.95
# More than this share of the first period equals the second, and of the last period the one before it. More than this
# share of the periods hold two different names. Layers of one call repeat as well, but the first and last ones differ.
_MOST = 0.5
# Least number of launches in a period, and of periods in a trace: three agree by chance.
_LEAST = 4
# Number of random sign vectors for the autocorrelation of names, by which candidates for the period are found. With 16,
# its noise (1/sqrt(16 n)) is below the 0.1 by which a candidate may miss ``_ALIKE``.
_SIGNS = 16


def with_steps(trace: Trace) -> tuple[Trace, str]:
    """Return a trace with marked steps, and a note on how they were found.

    Steps end with weight updates; without these, they are ranges that are named as steps, begin with loads of batches,
    or are periods of launches. If a trace has none of these, it does not change.
    """
    for find in (_by_updates, _by_ranges, _by_loads, _by_period):
        steps, how = find(trace)
        if steps:
            builder = TraceBuilder(clock=trace.clock)
            for number, (lane, start, end, name) in enumerate(steps):
                builder.add(Level.APPLICATION, kinds.STEP, name or f"step {number}", trace.lanes[lane], start, end)
            return joined_traces(trace, builder.built()), f"no steps are marked: {len(steps)} were found, which {how}"
    whole = int(max(trace.end_ns.max() - trace.start_ns.min(), 0)) if len(trace) else 0
    return trace, f"no steps were found: the whole trace counts as one call of {format_ns(whole)}"


# Lane, start, end and name of a step; a step with an empty name is called by its number.
_Step: TypeAlias = tuple[int, int, int, str]


def _named(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    # Return the rows of host ranges whose name matches a pattern, sorted by start.
    fitting = [number for number, name in enumerate(trace.names) if pattern.match(name)]
    rows = trace.rows(Level.APPLICATION)
    on_host = np.array([not lane.device for lane in trace.lanes] or [True], bool)[trace.lane[rows]]
    rows = rows[np.isin(trace.name[rows], fitting) & (trace.role[rows] == Role.PLAIN) & on_host]
    return rows[np.argsort(trace.start_ns[rows], kind="stable")]


def _by_updates(trace: Trace) -> tuple[list[_Step], str]:
    # Return steps that end with a weight update, and how they were found.
    # A step of a process begins where the previous step ended; the first begins with the first span of the process's
    # threads. If a step has several optimizers, the last one ends it.
    steps, updates = list[_Step](), _named(trace, _UPDATE)
    processes = [lane.process for lane in trace.lanes]
    process = np.array([processes.index(name) for name in processes], np.int64)
    on_host = np.array([not lane.device for lane in trace.lanes], bool)
    for number in np.unique(process[trace.lane[updates]]).tolist():
        mine = updates[process[trace.lane[updates]] == number]
        mine = mine[np.argsort(trace.end_ns[mine], kind="stable")]
        mine = mine[trace.name[mine] == trace.name[mine[-1]]]
        began = trace.start_ns[(process[trace.lane] == number) & on_host[trace.lane]].min()
        edges = [int(began), *trace.end_ns[mine].tolist()]
        steps += zip(trace.lane[mine].tolist(), edges, edges[1:], itertools.repeat(""), strict=False)
    return steps, "end with updates of the weights"


def _by_ranges(trace: Trace) -> tuple[list[_Step], str]:
    # Return ranges that are named as steps, and how they were found. Of nested ranges the outer counts; steps of
    # servers without requests are left out.
    steps, last, first = list[_Step](), -1, ""
    for row in _named(trace, _RANGE).tolist():
        if trace.start_ns[row] >= last:
            last, name = int(trace.end_ns[row]), trace.names[trace.name[row]]
            served = serving_step(name)
            if served is not None and not served.requests:
                continue
            first = first or name
            steps.append((int(trace.lane[row]), int(trace.start_ns[row]), last, name))
    return steps, f"are ranges like '{first[:40]}'"


def _by_loads(trace: Trace) -> tuple[list[_Step], str]:
    # Return steps that begin with the load of a batch, and how they were found; the last load only ends a step.
    rows = _named(trace, _LOAD)
    lanes, starts = trace.lane[rows].tolist(), trace.start_ns[rows].tolist()
    steps = [(lane, start, end, "") for lane, start, end in zip(lanes, starts, starts[1:], strict=False)]
    return steps, "go from one load of a batch to the next"


def _by_period(trace: Trace) -> tuple[list[_Step], str]:
    # Return steps by the period of the busiest thread's launches, or of its outermost operators if it launched nothing;
    # and how they were found.
    what = "launches"
    rows = trace.rows(Level.KERNEL, role=Role.EXECUTION)
    rows = rows[(trace.parent[rows] >= 0)]
    rows = rows[trace.level[trace.parent[rows]] == Level.LIBRARY]
    calls = trace.parent[rows]
    if not len(rows):
        rows, what = trace.rows(Level.LAYER, role=Role.PLAIN), "operators"
        within = trace.parent[rows]
        rows = rows[(within < 0) | (trace.level[within] != Level.LAYER)]
        calls = rows
    if not len(rows):
        return [], ""
    lanes = trace.lane[calls]
    thread = int(np.bincount(lanes).argmax())
    rows, calls = rows[lanes == thread], calls[lanes == thread]
    order = np.lexsort((trace.start_ns[rows], trace.start_ns[calls]))
    calls, names = calls[order], trace.name[rows][order]
    period = period_of(names)
    starts = trace.start_ns[calls[::period]].tolist() if period else []
    edges = [*starts, int(trace.end_ns[calls].max())]
    return [(thread, start, end, "") for start, end in itertools.pairwise(edges)], f"repeat every {period} {what}"


def period_of(names: Longs) -> int:
    """Return the least period with which nearly all of a series repeats; 0 without one.

    The series must have at least four whole periods, most of which contain different numbers. The first and the last
    period must match their neighbours, so repeated layers within one call are not periods.
    """
    count = len(names)
    longest = count // _LEAST
    if longest < _LEAST:
        return 0
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (int(names.max()) + 1, _SIGNS))[names]
    spectrum = np.fft.rfft(signs, 2 * count, axis=0)
    same = np.fft.irfft((np.abs(spectrum) ** 2).sum(axis=1), 2 * count)[: longest + 1] / _SIGNS
    likely = np.flatnonzero(same[_LEAST:] >= (_ALIKE - 0.1) * (count - np.arange(_LEAST, longest + 1))) + _LEAST
    whole = (names.reshape(-1, lag) for lag in likely.tolist() if count % lag == 0)
    fitting = (steps for steps in whole if np.mean(steps[1:] == steps[:-1]) >= _ALIKE and _has_equal_ends(steps))
    return next((steps.shape[1] for steps in fitting if (steps != steps[:, :1]).any(axis=1).mean() > _MOST), 0)


def _has_equal_ends(steps: Longs) -> bool:
    # Return whether the first step begins like the second, the last ends like the one before, and most of both agrees.
    begins, ends = steps[0] == steps[1], steps[-1] == steps[-2]
    return bool(begins[0] and ends[-1] and min(begins.mean(), ends.mean()) > _MOST)


# Inference servers write phase, requests, tokens and cache into the names of their steps. vLLM (``gpu_worker.py``,
# ``annotate_profile``) writes ``execute_context_1(512)_generation_8(8)``, formerly ``execute_new_1_cached_8``. SGLang
# (``step_span_utils.py``) writes ``step[EXTEND bs=2 toks=4096]`` and ``step[DECODE bs=16]``; with annotations for
# rooflines it adds the tokens in the cache, as in ``step[DECODE bs=2 g_sk=30]``.
PREFILL, DECODE, MIXED, IDLE = "prefill", "decode", "mixed", "idle"
_VLLM = re.compile(r"execute_context_(\d+)\((\d+)\)_generation_(\d+)\((\d+)\)")
# Name that either server writes with TraceLens annotations: sq and sk are new and cached tokens, summed over requests.
_ROOFLINE = re.compile(
    r"execute_\d+_context_(\d+)\(sq(\d+)sk(\d+)sqsq\d+sqsk\d+\)_generation_(\d+)\(sq(\d+)sk(\d+)sqsq\d+sqsk\d+\)"
)
_VLLM_BEFORE = re.compile(r"execute_new_(\d+)_cached_(\d+)")
_SGLANG = re.compile(r"step\[([A-Z_]+)((?: \w+=\d+)+)\]")
# Phase by mode of SGLang; other modes (TARGET_VERIFY, DRAFT_EXTEND, IDLE) are phases of their own, in lower case.
_MODES = {"EXTEND": PREFILL, "SPLIT_PREFILL": PREFILL, "DECODE": DECODE, "MIXED": MIXED}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingStep:
    """A forward pass of an inference server (vLLM, SGLang), from the name of a range."""

    phase: str
    """``PREFILL``, ``DECODE``, ``MIXED``, ``IDLE`` (no requests), or another mode of SGLang in lower case."""
    requests: int
    tokens: int | None
    """Number of tokens of prompts and answers that the pass processes; None if unknown."""
    cached: int | None
    """Number of tokens in the cache after the pass, summed over requests; None if unknown."""


def serving_step(name: str) -> ServingStep | None:
    """Return the forward pass that the name of a range describes; None for other names."""
    if match := _VLLM.match(name):
        prompts, prompt_tokens, answers, generated = map(int, match.groups())
        return _of_vllm(prompts, answers, prompt_tokens + generated)
    if match := _ROOFLINE.match(name):
        prompts, prompt_tokens, prompt_cache, answers, generated, cache = map(int, match.groups())
        return _of_vllm(prompts, answers, prompt_tokens + generated, prompt_cache + cache)
    if match := _VLLM_BEFORE.match(name):
        return _of_vllm(*map(int, match.groups()))
    if match := _SGLANG.match(name):
        figures = {key: int(value) for key, _, value in (word.partition("=") for word in match[2].split())}
        return _of_sglang(match[1], figures) if "bs" in figures else None
    return None


def _of_vllm(prompts: int, answers: int, tokens: int | None = None, cached: int | None = None) -> ServingStep:
    phase = MIXED if prompts and answers else PREFILL if prompts else DECODE if answers else IDLE
    return ServingStep(phase=phase, requests=prompts + answers, tokens=tokens, cached=cached)


def _of_sglang(mode: str, figures: dict[str, int]) -> ServingStep:
    tokens = figures.get("toks", figures["bs"] if mode == "DECODE" else None)
    if tokens is None and {"c_sq", "g_sq"} <= set(figures):
        tokens = figures["c_sq"] + figures["g_sq"]
    cached = [figures[key] for key in ("c_sk", "g_sk") if key in figures]
    phase, total = _MODES.get(mode, mode.lower()), sum(cached) if cached else None
    return ServingStep(phase=phase, requests=figures["bs"], tokens=tokens, cached=total)
