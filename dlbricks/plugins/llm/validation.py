"""Validates estimates of decoders: a generation alternates with measurements of the decoder's layer sequences.

The physical memory of a process decides part of its speed: a decoder that was loaded seven times had steps of 25 to 37
ms. Therefore benchmarks and loop are loaded anew in several runs. The latency over several loads is a winsorised mean
(``harness.stats.bounded_mean``).
"""

import contextlib
import math
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Estimate, Rule
from dlbricks.errors import BenchmarkError, InputError, UnsupportedModelError
from dlbricks.harness.machine import small_blocks_held
from dlbricks.harness.options import ONNXRUNTIME, RunOptions
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.session import SPINNING_S, session_settings, with_shared_pool
from dlbricks.model.read.decoders import PAST, SEQUENCE, network_name, refuse_no_decoder
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.plugins.llm.answers import EstimatedCalls, LoopCheck, check
from dlbricks.plugins.llm.decoder_loop import FilledDecoder, Loop, PlainLoop, filled, on_one_core
from dlbricks.plugins.llm.estimates import DecoderSplits
from dlbricks.plugins.llm.generation import chunks_of, step_lengths
from dlbricks.plugins.llm.lengths import (
    LengthInterpolator,
    MeasuredPoint,
    Point,
    check_comparable_first_step,
    refuse_unreachable,
    usable_points,
)
from dlbricks.plugins.llm.loops import PLAIN, USUAL_ANSWERS, InterleavedLoop, LoopProcess
from dlbricks.settings import SplitSettings
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import merge_benchmarks
from dlbricks.validate.measure import ValidationPlan, apart, dissect, run_benchmarks, settings_of
from dlbricks.validate.types import ValidationSettings

# Graphs that the runtime's loop can execute, by execution provider.
TARGETS = {"cpu": ("portable", "onnxruntime-cpu"), "cuda": ("portable", "onnxruntime-cuda")}
# Free blocks of memory below this size are occupied during the measurement. Otherwise whichever is loaded first, loop
# or benchmarks, gets the smallest blocks: steps that read 540 MB took 27.7 ms in blocks of 64 KiB and more, 26.7 ms in
# 256 KiB, 25.8 ms in 512 KiB, and 25.2 ms in 2 MiB.
_WHOLE_BLOCK_BYTES = 2 << 20
# A loaded decoder takes at most twice the bytes of its weights, since they are packed; the benchmarks take as much.
_LOADED_COPIES = 4
# Number of runs: if one of three loads is unusual, it raises a latency by at most 1/12.
LOADS = 3
# Least number of visits to a sequence in each run. A layer of a decoder occurs some tens of times, and the errors of
# its occurrences are equal: the steps of eleven decoders were off by 15 % after one visit in each run, 12 % after two,
# and 8 % after three or more (90th percentiles).
VISITS = 4
_WIDEST = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationValidation:
    """Estimated and measured times of a generation."""

    network: str
    settings: ValidationSettings
    prompt: int
    generate: int
    batch: int
    chunk: int
    """Tokens of the prompt per call."""
    points: tuple[Point, ...]
    """Points (past and new tokens) at which layer sequences were measured."""
    pieces: int
    """Number of benchmarks."""
    pieces_ns: int
    """Time of measuring the benchmarks, ns."""
    guessed: float
    """Share of layers that are interpolated, 0 to 1 (``Generation.guessed``)."""
    loops: tuple[LoopCheck, ...]


def validate_generation(  # noqa: PLR0913 - the lengths of the generation, and what is measured
    path: Path,
    plan: ValidationPlan,
    prompt: int,
    generate: int,
    *,
    chunk: int | None,
    points: Sequence[Point],
    extrapolate: bool,
    progress: Callable[[Progress], None],
) -> GenerationValidation:
    """Measure the layer sequences of a decoder, alternating with a generation, and compare both times.

    Args:
        plan: settings, with all sizes (such as the batch) except the lengths.
        generate: number of generated tokens, including the first.
        chunk: tokens of the prompt per call; None for the whole prompt.
        extrapolate: whether lengths may be more than twice the measured lengths.

    Raises:
        InputError: the network is not a decoder, or lengths exceed its context or are too far from the measured ones.
        BenchmarkError: a sequence has no latency.
        UnsupportedModelError: a part of the decoder cannot be measured.
        HarnessError: the run was interrupted, or the runtime or an option is not available.
    """
    refuse_no_decoder(path, dimensions_of(path).short)
    if not any(PAST in point for point in points):
        raise InputError("--prompt needs lengths to measure, as in --dim past=0,512,2048 --dim sequence=1,256")
    _refuse_other_runtime(plan)
    usable = usable_points(points, chunk if chunk and chunk < prompt else None)
    others = {name: value for name, value in points[0].items() if name not in {PAST, SEQUENCE}}
    with DecoderSplits(path, plan.settings) as splits:
        measured = splits.at_each(usable)
        measured_pasts = [point.at[PAST] for point in measured if point.at[SEQUENCE] == 1]
        pasts = step_lengths(prompt, generate, measured_pasts)
        read = chunks_of(prompt, chunk, measured_pasts)
        calls = [*read, *({PAST: past, SEQUENCE: 1} for past in pasts)]
        targets = splits.at_each({**others, **call} for call in calls)
        for target in () if extrapolate else targets:
            refuse_unreachable(target.at, [point.at for point in measured])
        _refuse_unusable(path, measured, targets)
        own = [benchmark for point in measured for benchmark in benchmarks_from(splits.split(point.at), unions=False)]
        benchmarks = (*anchors(), *merge_benchmarks(own))
    alone = plan.options.threads == 1 and plan.options.provider == "cpu"
    with (
        tempfile.TemporaryDirectory(prefix="dlbricks-") as folder,
        on_one_core() if alone else contextlib.nullcontext(),
        contextlib.ExitStack() as running,
    ):
        scratch = Path(folder)
        step = replace(plan, settings=splits.settings_at({**others, PAST: prompt, SEQUENCE: 1}))
        decoder = filled(path, apart(dissect, path, step).portable, scratch, batch=splits.batch)
        loop = _interleaved_loop(decoder, plan.options, (prompt, generate), chunk, running)
        begin_ns = time.perf_counter_ns()
        document = run_after_reload(plan.settings, benchmarks, plan.options, progress, weights=scratch, loop=loop)
        pieces_ns = time.perf_counter_ns() - begin_ns - loop.spent_ns - loop.loading_ns
        loop.finish()
    results, failed = measurements(document), _failures(document, benchmarks)
    estimates = [_estimated(target, measured, results, failed) for target in targets]
    compared = EstimatedCalls(prompt=prompt, chunk=chunk, read=read, pasts=pasts, targets=targets)
    return GenerationValidation(
        network=network_name(path),
        settings=settings_of(plan),
        prompt=prompt,
        generate=generate,
        batch=splits.batch,
        chunk=read[0][SEQUENCE],
        points=tuple({PAST: 0, SEQUENCE: 1, **point} for point in usable),
        pieces=len(benchmarks),
        pieces_ns=pieces_ns,
        guessed=max(call.interpolated_layers / max(1, call.layers) for call in estimates),
        loops=(check(PLAIN, loop.answers, compared, estimates),),
    )


def _refuse_other_runtime(plan: ValidationPlan) -> None:
    # Raise InputError for runtimes, providers and targets on which the loop cannot run.
    provider, target = plan.options.provider, plan.settings.target
    if plan.options.runtime != ONNXRUNTIME or provider not in TARGETS:
        raise InputError("--prompt needs onnxruntime with --provider cpu or cuda: leave --provider and --runtime out")
    if target not in TARGETS[provider]:
        usable = " and ".join(TARGETS[provider])
        raise InputError(f"--prompt works with --target {usable} on provider {provider}, not with {target}")


def _refuse_unusable(path: Path, measured: Sequence[MeasuredPoint], targets: Sequence[MeasuredPoint]) -> None:
    # Raise UnsupportedModelError if a part cannot be measured, and InputError if steps differ from the measured ones.
    for point in (*measured, *targets):
        skip = next((step.skip for step in point.composition.steps if step.skip), None)
        if skip:
            raise UnsupportedModelError(f"{path}: a part of it cannot be measured: {skip}")
    for target in targets:
        check_comparable_first_step(target, measured)


def _interleaved_loop(
    decoder: FilledDecoder,
    options: RunOptions,
    lengths: tuple[int, int],
    chunk: int | None,
    running: contextlib.ExitStack,
) -> InterleavedLoop:
    # Load the loop in a process that ends with ``running``, or when the loop is loaded again.
    settings = with_shared_pool(session_settings(options))
    make = partial(PlainLoop, decoder, settings, room=sum(lengths), chunk=chunk)
    touched = sum(constant.spec.nbytes for constant in decoder.model.constants.values())

    def load() -> Loop:
        running.close()
        if not options.smoke:  # held until the next load, so that loop and benchmarks get equal memory
            running.enter_context(small_blocks_held(_WHOLE_BLOCK_BYTES, _LOADED_COPIES * touched))
        return running.enter_context(contextlib.closing(LoopProcess(make, settings)))

    return InterleavedLoop(
        load,
        *lengths,
        touched,
        usual=USUAL_ANSWERS if options.budget_ns is None else 0,
        budget_ns=options.budget_ns,
        pause_s=SPINNING_S if options.threads > 1 else 0.0,
    )


def _estimated(
    target: MeasuredPoint, measured: Sequence[MeasuredPoint], results: SystemResults, failed: Sequence[str]
) -> Estimate:
    call = estimate(
        target.composition,
        results,
        Rule.SEQUENTIAL,
        interpolator=LengthInterpolator(target, measured, results, far=True),
        interleaved=True,
    )
    if call.missing:
        at = ", ".join(f"{name}={value}" for name, value in target.at.items())
        late = any("no answer within" in reason for reason in failed)
        remedy = "use a longer --timeout" if late else "such networks cannot be validated here"
        raise BenchmarkError(
            f"{call.network} at {at} lacks latencies of sequences that cannot be interpolated ({len(call.missing)}): "
            + (f"{failed[0]}; {remedy}" if failed else "use a longer --budget, or measure more lengths")
        )
    return call


def _failures(document: Mapping[str, Any], benchmarks: Sequence[BuiltBenchmark]) -> tuple[str, ...]:
    # Return which benchmarks failed and why, as in ``Gather, MatMul: no answer within 60 s while loading``.
    operators = {benchmark.benchmark.fingerprint: benchmark.benchmark.operators for benchmark in benchmarks}
    return tuple(
        f"{', '.join(dict.fromkeys(operators[entry['fingerprint']]))}: {entry['reason']}"
        for entry in document["benchmarks"]
        if entry["status"] == "failed" and entry["fingerprint"] in operators
    )


def run_after_reload(
    settings: SplitSettings,
    benchmarks: Sequence[BuiltBenchmark],
    options: RunOptions,
    progress: Callable[[Progress], None],
    *,
    weights: Path,
    loop: InterleavedLoop,
) -> dict[str, Any]:
    """Measure benchmarks in several runs, each with a newly loaded loop that alternates with them; merge the results.

    With a budget, or as a smoke test, there is only one run.
    """
    runs = [options]
    if not options.smoke and options.budget_ns is None:
        # the interval of each run may be wider by the factor by which all runs together narrow it
        target = min(_WIDEST, options.target_relative * math.sqrt(LOADS))
        each = replace(options, target_relative=target, cold_min_visits=VISITS)
        runs = [replace(each, seed=options.seed + number) for number in range(LOADS)]
    documents = []
    for number, run in enumerate(runs):
        if number:
            loop.again()
        report = _overall(progress, number, len(runs))
        documents.append(
            run_benchmarks(
                settings, benchmarks, run, report, weights=weights, between=loop.between, whole_bytes=_WHOLE_BLOCK_BYTES
            )
        )
    return merged(documents)


def _overall(progress: Callable[[Progress], None], number: int, runs: int) -> Callable[[Progress], None]:
    # Return a progress function for one of several runs, which reports its progress as a part of all runs.
    begin_ns, left = time.perf_counter_ns(), runs - number - 1

    def report(run: Progress) -> None:
        left_ns = run.eta_ns
        if left_ns is not None:
            left_ns += left * (time.perf_counter_ns() - begin_ns + left_ns)
        progress(
            replace(
                run,
                phase="measuring" if run.phase == "done" and left else run.phase,
                done=run.done + number * run.total,
                total=runs * run.total,
                eta_ns=left_ns,
            )
        )

    return report


def merged(documents: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Merge the documents of several runs of a suite, with the timed calls of all runs.

    A benchmark counts as measured if any run has measured it. Times of host and device are medians over the runs.
    """
    entries: dict[str, dict[str, Any]] = {}
    queues: dict[str, list[dict[str, Any]]] = {}
    begin_ns = 0
    for number, document in enumerate(documents):
        for entry in document["benchmarks"]:
            fingerprint = entry["fingerprint"]
            later = [{**visit, "start_ns": visit["start_ns"] + begin_ns} for visit in entry["visits"]]
            earlier = entries.setdefault(fingerprint, {**entry, "visits": []})
            if earlier["status"] != "ok" and entry["status"] == "ok":
                earlier = {**entry, "visits": []}
            if entry["status"] == "ok" or not number:
                entries[fingerprint] = {**earlier, "visits": [*earlier["visits"], *later]}
            if entry.get("queue"):
                queues.setdefault(fingerprint, []).append(entry["queue"])
        begin_ns += document["timing"]["wall_ns"]
    for fingerprint, queue in queues.items():
        entries[fingerprint] = {**entries[fingerprint], "queue": middle_queue(queue)}
    timing = {key: sum(document["timing"][key] for document in documents) for key in documents[0]["timing"]}
    return {**documents[0], "timing": timing, "benchmarks": [*entries.values()]}


def middle_queue(queues: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Merge the times of host and device (``queue``) of a benchmark: medians, with intervals that cover all runs.

    If the host waits for the device in some runs only, the majority of the runs counts.
    """
    waits = statistics.median_low(queue["synchronises"] for queue in queues)
    alike = [queue for queue in queues if queue["synchronises"] == waits]
    names = set.intersection(*(set(queue) for queue in alike)) - {"synchronises"}
    ends = {"low_ns": min, "high_ns": max}
    times = {
        name: round(ends.get(name.partition("_")[2], statistics.median)(queue[name] for queue in alike))
        for name in sorted(names)
    }
    return {**times, "synchronises": waits}
