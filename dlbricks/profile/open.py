"""Opens profiles and recordings: files of dlbricks, Kineto and Chrome traces, profiles of onnxruntime.

A traced run of a suite becomes a profile of all benchmarks one after the other, as one call. Where a recording marks no
steps, they follow from weight updates, named ranges, loads of batches, or a period of launches.
"""

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
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.intervals import ancestors, split_by
from dlbricks.trace.onnxruntime import CALL_CLOCK, read_onnxruntime, short_traces
from dlbricks.trace.types import Lane, Level, LevelRun, Longs, Profile, Role, Roofs, Trace, TraceClock, TraceReader
from dlbricks.typed_json import parse_object
from dlbricks.units import format_ns

# Bytes that tell the kind of a file: format and version are at the start, and so are onnxruntime's first events.
_HEAD_BYTES = 65_536
_OURS = "dlbricks-"
_REMEDY = (
    "give a file of 'dlbricks profile', the result of a suite run with --trace, a Kineto or Chrome trace (.json, "
    ".json.gz), a profile of onnxruntime, or an SQLite export of Nsight Systems"
)
_NSYS = "run it in 'nsys profile' and give the file of 'nsys export --type sqlite'"
# Files of other profilers, by their name or their begin, and what to give instead.
_OTHERS = (
    (r'.*\.(nsys-rep|qdrep)\n|.*\n\{"(CudaEvent|NvtxEvent|TraceProcessEvent)"', "a report of Nsight Systems", _NSYS),
    (r".*\.xplane\.pb\n", "an XPlane of XLA", "give the trace.json.gz that JAX or TensorFlow writes beside it"),
    (r".*\.(pftrace|perfetto-trace)\n", "a trace of Perfetto", "convert it with Perfetto's 'traceconv json'"),
    (r'.*\n\{\s*"rocprofiler-sdk-tool"', "JSON of rocprofv3", "record it with torch.profiler, which traces ROCm"),
    (r'.*\n\[\s*\{\s*"count"\s*:', "a profile of TensorRT, which has sums and no times of calls", _NSYS),
    (r'.*\n\[\s*\{\s*"(id|timestamps)"\s*:', "a trace of the Triton server, which has no kernels", _NSYS),
    (r'.*\n\[\s*\{\s*"(children|frame)"', "a tree of Triton's Proton, without times", 'start it with data="trace"'),
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
    for pattern, what, instead in _OTHERS:
        if re.match(pattern, f"{path.name}\n{begin}"):
            raise InputError(f"{path} is {what}: {instead}")
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
    texts = dict.fromkeys(text for run in profile.runs for text in findings(run.trace))
    return replace(profile, notes=(*profile.notes, *texts))


def name_of(path: Path) -> str:
    """Return a file's name without the suffixes of its format: ``run`` for ``run.pt.trace.json.gz``."""
    name = path.name
    for suffix in (".gz", ".json", ".sqlite", ".trace", ".pt", ".profile"):
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
    are marked, ``with_steps`` looks for them. Such a trace does not contain the batch size: it is 0, but for calls of
    several shapes, which are a run each.
    """
    notes = ["a trace alone: machine and batch size are unknown"]
    if not len(trace.rows(Level.MODEL, kinds.CALL)) and not len(trace.rows(Level.APPLICATION, kinds.STEP)):
        trace, note = with_steps(trace)
        notes.append(note)
    trace = _without_empty_last_steps(trace)
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


# Groups of calls that are distinguished; calls that are like none of them are left out.
_MOST_GROUPS = 20
# Begin of the note on them.
UNLIKE = "calls differ in the shapes of their layers"


def _alike(trace: Trace) -> tuple[list[tuple[int, Trace]], list[str]]:
    # Split a trace into calls of like shapes, with their batch, and a note; one part of batch 0 if all are alike.
    # Calls are alike if most layers outside of bodies have the same outputs: caches grow and numbers of detections
    # vary from call to call, while another batch or length changes nearly all layers. Where groups have the same
    # batch, only the largest one remains. Calls without layers are of unknown shapes.
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
        texts.append(f"{lost} others are left out")
    # the most frequent first dimension of outputs, as in float32[8,1000]; 0 if there is none
    leading = [Counter(re.findall(r"\[(\d{1,18})\b", " ".join(shape for _, shape in layers))) for layers, _ in groups]
    batches = [int(max(sizes, key=sizes.__getitem__, default=0)) for sizes in leading]
    apart = 0 not in batches and len(set(batches)) == len(batches)
    shown = "the batch is the first dimension of most of them" if apart else "figures are of the first"
    top = ancestors(trace, Level.MODEL, outermost=True)
    shares = zip(batches if apart else [0], groups, strict=False)
    parts = [(batch, part_of(trace, np.flatnonzero(np.isin(top, calls)))) for batch, (_, calls) in shares]
    return parts, [f"{UNLIKE} ({'; '.join(texts)}): {shown}"]


def _without_empty_last_steps(trace: Trace) -> Trace:
    # Make a range of the last step of a process if only the others hold work: PyTorch's profiler begins a step at the
    # end of each. Work is what a device executes, by its launch, or without a device layers and calls.
    steps, work = trace.rows(Level.APPLICATION, kinds.STEP), trace.rows(Level.KERNEL, role=Role.EXECUTION)
    begun = np.where(trace.parent[work] < 0, work, trace.parent[work])
    if not len(work):
        begun = np.flatnonzero(np.isin(trace.level, (Level.LAYER, Level.LIBRARY)))
    numbers: dict[str, int] = {}
    process = np.array([numbers.setdefault(lane.process, len(numbers)) for lane in trace.lanes] or [0])[trace.lane]
    empty = []
    for own in split_by(process[steps], steps):
        rows = own[np.argsort(trace.start_ns[own], kind="stable")]
        times = np.sort(trace.start_ns[begun[process[begun] == process[rows[0]]]])
        has_work = np.searchsorted(times, trace.start_ns[rows]) < np.searchsorted(times, trace.end_ns[rows])
        if has_work[:-1].any() and not has_work[-1]:
            empty.append(int(rows[-1]))
    if not empty:
        return trace
    kind, names = np.array(trace.kind), tuple(dict.fromkeys((*trace.kinds, kinds.RANGE)))
    kind[empty] = names.index(kinds.RANGE)
    return with_columns(replace(trace, kinds=names), "the last step holds no work: left out", kind=kind)


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
    trace = _in_a_row({f"{names[key]} {key[:12]}": trace for key, trace in traces.items()}, suite)
    run = LevelRun(batch=0, levels=levels_of(trace), samples_ns=(int(trace.end_ns[0]),), trace=trace)
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


# Name of a weight update in PyTorch's profiler.
_UPDATE = re.compile(r"Optimizer\.step#")
# Usual names of steps: vLLM and SGLang, users of NVTX and ``record_function``.
_RANGE = re.compile(
    r"execute_|step\[|((train|training|eval|test|inference)?[ _-]?(step|iteration|iter)\b)", re.IGNORECASE
)
_LOAD = re.compile(r"enumerate\(DataLoader\)")
# Share of launches that must equal the launch one period later: steps of one program may differ in some launches.
_ALIKE = 0.95
# More than this share of the first period must equal the second, and of the last the one before; more than this share
# of the periods must hold two different names. Layers of one call repeat as well, but their first and last differ.
_MOST = 0.5
# Minimum of launches in a period, and of periods in a trace: three also agree by chance.
_LEAST = 4
# Number of random sign vectors for the autocorrelation of names, which finds candidate lags: its noise (1/sqrt(16 n))
# stays below the 0.1 that candidates may lack.
_SIGNS = 16


def with_steps(trace: Trace) -> tuple[Trace, str]:
    """Mark the steps of a trace that has none; also return a note on how they were found.

    Tried in this order: weight updates (each ends a step), ranges named as steps, loads of batches (a step goes from
    one to the next), a period of launches.
    """
    for find in (_by_updates, _by_ranges, _by_loads, _by_period):
        steps, how = find(trace)
        if steps:
            builder = TraceBuilder(clock=trace.clock)
            for number, (lane, start, end, name) in enumerate(steps):
                builder.add(Level.APPLICATION, kinds.STEP, name or f"step {number}", trace.lanes[lane], start, end)
            return joined_traces(trace, builder.built()), f"no steps are marked: {len(steps)} steps {how}"
    whole = int(max(trace.end_ns.max() - trace.start_ns.min(), 0)) if len(trace) else 0
    return trace, f"no steps were found: the whole trace counts as one call of {format_ns(whole)}"


# Lane, start, end and name of a step; an empty name stands for its number.
_Step: TypeAlias = tuple[int, int, int, str]


def _named(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    # Return ranges on the host whose name matches, by start.
    fitting = [number for number, name in enumerate(trace.names) if pattern.match(name)]
    rows = trace.rows(Level.APPLICATION)
    on_host = np.array([not lane.device for lane in trace.lanes] or [True], bool)[trace.lane[rows]]
    rows = rows[np.isin(trace.name[rows], fitting) & (trace.role[rows] == Role.PLAIN) & on_host]
    return rows[np.argsort(trace.start_ns[rows], kind="stable")]


def _by_updates(trace: Trace) -> tuple[list[_Step], str]:
    # End a step with each weight update.
    # A step of a process begins where the previous one ended, the first one with the first span of the process's
    # threads. Of several optimizers the last one of a step counts.
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
    # Take ranges named as steps, but those of servers without requests; of nested ones the outer one.
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
    # Begin a step with each load of a batch; the last load only ends a step.
    rows = _named(trace, _LOAD)
    lanes, starts = trace.lane[rows].tolist(), trace.start_ns[rows].tolist()
    steps = [(lane, start, end, "") for lane, start, end in zip(lanes, starts, starts[1:], strict=False)]
    return steps, "go from one load of a batch to the next"


def _by_period(trace: Trace) -> tuple[list[_Step], str]:
    # Find the period of the launches of the busiest thread, or of its outermost operators if nothing was launched.
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
    return [(thread, start, end, "") for start, end in itertools.pairwise(edges)], f"repeat each {period} {what}"


def period_of(names: Longs) -> int:
    """Return the least lag at which nearly all of a series repeats, from first to last; 0 if there is none.

    It fits in at least four times, without a remainder, and most of the times it holds two different numbers.
    Layers of one call repeat, too, but not what comes before the first and after the last of them.
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
    # Return whether the first of some steps begins, and the last ends, like their neighbours, and most of it is so.
    begins, ends = steps[0] == steps[1], steps[-1] == steps[-2]
    return bool(begins[0] and ends[-1] and min(begins.mean(), ends.mean()) > _MOST)


# Servers write phase, requests, tokens and cache into the names of their steps. vLLM (``gpu_worker.py``,
# ``annotate_profile``): ``execute_context_1(512)_generation_8(8)``, earlier ``execute_new_1_cached_8``. SGLang
# (``step_span_utils.py``): ``step[EXTEND bs=2 toks=4096]``, ``step[DECODE bs=16]``, with annotations for rooflines also
# the tokens in the cache, as in ``step[DECODE bs=2 g_sk=30]``.
PREFILL, DECODE, MIXED, IDLE = "prefill", "decode", "mixed", "idle"
_VLLM = re.compile(r"execute_context_(\d+)\((\d+)\)_generation_(\d+)\((\d+)\)")
# Of either server with TraceLens annotations: sums over requests of new tokens and of cached tokens read.
_ROOFLINE = re.compile(
    r"execute_\d+_context_(\d+)\(sq(\d+)sk(\d+)sqsq\d+sqsk\d+\)_generation_(\d+)\(sq(\d+)sk(\d+)sqsq\d+sqsk\d+\)"
)
_VLLM_BEFORE = re.compile(r"execute_new_(\d+)_cached_(\d+)")
_SGLANG = re.compile(r"step\[([A-Z_]+)((?: \w+=\d+)+)\]")
# Of SGLang; others (TARGET_VERIFY, DRAFT_EXTEND, IDLE) keep their name in lower case.
_MODES = {"EXTEND": PREFILL, "SPLIT_PREFILL": PREFILL, "DECODE": DECODE, "MIXED": MIXED}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingStep:
    """One forward pass of a server, parsed from its name."""

    phase: str
    """``PREFILL``, ``DECODE``, ``MIXED``, ``IDLE`` (no requests), or another mode of SGLang."""
    requests: int
    tokens: int | None
    """Tokens processed, of prompts and answers; None if unknown."""
    cached: int | None
    """Tokens in the cache that all requests read, those of the step included; None if unknown."""


def serving_step(name: str) -> ServingStep | None:
    """Parse the name of a range; None if it does not name a step of vLLM or SGLang."""
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
