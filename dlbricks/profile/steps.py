"""Finds the steps of traces that mark none, and parses the names of steps of language model servers.

Steps follow from weight updates, named ranges, loads of batches, or a period of launches. Servers write phase,
requests, tokens and cache into the names of their steps. vLLM (``gpu_worker.py``, ``annotate_profile``):
``execute_context_1(512)_generation_8(8)``, earlier ``execute_new_1_cached_8``. SGLang (``step_span_utils.py``):
``step[EXTEND bs=2 toks=4096]``, ``step[DECODE bs=16]``, with annotations for rooflines also the tokens in the cache, as
in ``step[DECODE bs=2 g_sk=30]``.
"""

import itertools
import re
from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder, joined_traces
from dlbricks.trace.types import Level, Longs, Role, Trace
from dlbricks.units import format_ns

# Name of a weight update in PyTorch's profiler.
_UPDATE = re.compile(r"Optimizer\.step#")
# Usual names of steps: vLLM and SGLang, users of NVTX and ``record_function``.
_RANGE = re.compile(
    r"execute_|step\[|((train|training|eval|test|inference)?[ _-]?(step|iteration|iter)\b)", re.IGNORECASE
)
_LOAD = re.compile(r"enumerate\(DataLoader\)")
# steps of one program may differ in some launches
# Share of launches that must equal the launch one period later.
_ALIKE = 0.95
# layers of one call repeat as well, but their first and last are unlike the others
# More than this share of the first period must equal the second, and of the last the one before; more than this share
# of the periods must hold two different names.
_MOST = 0.5
# three repetitions or launches also agree by chance
# Minimum of launches in a period, and of periods in a trace.
_LEAST = 4
# enough for the noise of the autocorrelation (1/sqrt(16 n)) to stay below the 0.1 that candidates may lack
# Number of random sign vectors for the autocorrelation of names, which finds candidate lags.
_SIGNS = 16


def with_steps(trace: Trace) -> tuple[Trace, str]:
    """Mark the steps of a trace that has none; also return a note on how they were found.

    Tried in this order: weight updates (each ends a step), ranges named as steps, loads of batches (a step goes from
    one to the next), a period of launches.
    """
    for find in (_by_updates, _by_ranges, _by_loads, _by_period):
        steps, how = find(trace)
        if steps.steps:
            return joined_traces(trace, steps.builder.built()), f"no steps are marked: {steps.steps} steps {how}"
    whole = int(max(trace.end_ns.max() - trace.start_ns.min(), 0)) if len(trace) else 0
    return trace, f"no steps were found: the whole trace counts as one call of {format_ns(whole)}"


class _Steps:
    """Steps found so far."""

    def __init__(self, trace: Trace) -> None:
        self.builder, self.steps, self._trace = TraceBuilder(clock=trace.clock), 0, trace

    def add(self, lane: int, start: int, end: int, name: str = "") -> None:
        """Add a step on a lane of the trace, named by its number unless ``name`` is given."""
        name = name or f"step {self.steps}"
        self.builder.add(Level.APPLICATION, kinds.STEP, name, self._trace.lanes[lane], start, end)
        self.steps += 1


def _named(trace: Trace, pattern: re.Pattern[str]) -> Longs:
    # Return ranges on the host whose name matches, by start.
    fitting = [number for number, name in enumerate(trace.names) if pattern.match(name)]
    rows = trace.rows(Level.APPLICATION)
    on_host = np.array([not lane.device for lane in trace.lanes] or [True], bool)[trace.lane[rows]]
    rows = rows[np.isin(trace.name[rows], fitting) & (trace.role[rows] == Role.PLAIN) & on_host]
    ranges: Longs = rows[np.argsort(trace.start_ns[rows], kind="stable")]
    return ranges


def _by_updates(trace: Trace) -> tuple[_Steps, str]:
    # End a step with each weight update.
    # A step of a process begins where the previous one ended, the first one with the first span of the process's
    # threads. Of several optimizers the last one of a step counts.
    steps, updates = _Steps(trace), _named(trace, _UPDATE)
    process = np.array([_number(trace, lane.process) for lane in trace.lanes], np.int64)
    on_host = np.array([not lane.device for lane in trace.lanes], bool)
    for number in np.unique(process[trace.lane[updates]]).tolist():
        mine = updates[process[trace.lane[updates]] == number]
        mine = mine[np.argsort(trace.end_ns[mine], kind="stable")]
        mine = mine[trace.name[mine] == trace.name[mine[-1]]]
        began = trace.start_ns[(process[trace.lane] == number) & on_host[trace.lane]].min()
        edges = [int(began), *trace.end_ns[mine].tolist()]
        for row, start, end in zip(mine.tolist(), edges, edges[1:], strict=False):
            steps.add(int(trace.lane[row]), start, end)
    return steps, "end with updates of the weights"


def _by_ranges(trace: Trace) -> tuple[_Steps, str]:
    # Take ranges named as steps, but those of servers without requests; of nested ones the outer one.
    steps, last, first = _Steps(trace), -1, ""
    for row in _named(trace, _RANGE).tolist():
        if trace.start_ns[row] >= last:
            last, name = int(trace.end_ns[row]), trace.names[trace.name[row]]
            served = serving_step(name)
            if served is not None and not served.requests:
                continue
            first = first or name
            steps.add(int(trace.lane[row]), int(trace.start_ns[row]), last, name)
    return steps, f"are ranges like '{first[:40]}'"


def _by_loads(trace: Trace) -> tuple[_Steps, str]:
    # Begin a step with each load of a batch; the last load only ends a step.
    steps, rows = _Steps(trace), _named(trace, _LOAD)
    for row, following in zip(rows.tolist(), rows[1:].tolist(), strict=False):
        steps.add(int(trace.lane[row]), int(trace.start_ns[row]), int(trace.start_ns[following]))
    return steps, "go from one load of a batch to the next"


def _by_period(trace: Trace) -> tuple[_Steps, str]:
    # Find the period of the launches of the busiest thread, or of its outermost operators if nothing was launched.
    steps, what = _Steps(trace), "launches"
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
        return steps, ""
    lanes = trace.lane[calls]
    thread = int(np.bincount(lanes).argmax())
    rows, calls = rows[lanes == thread], calls[lanes == thread]
    order = np.lexsort((trace.start_ns[rows], trace.start_ns[calls]))
    calls, names = calls[order], trace.name[rows][order]
    period = period_of(names)
    starts = trace.start_ns[calls[::period]].tolist() if period else []
    for start, end in itertools.pairwise([*starts, int(trace.end_ns[calls].max())]):
        steps.add(thread, start, end)
    return steps, f"repeat each {period} {what}"


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


def _number(trace: Trace, process: str) -> int:
    return next(index for index, lane in enumerate(trace.lanes) if lane.process == process)


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
