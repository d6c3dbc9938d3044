"""Validation of decoders: generation is measured alternately with the sequences that its time is estimated from."""

import contextlib
import dataclasses
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dlbricks.construct.estimate import estimate
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Estimate
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.harness.machine.facts import small_blocks_held
from dlbricks.harness.options import ONNXRUNTIME, RunOptions
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.session import SPINNING_S, session_settings, with_shared_pool
from dlbricks.model.passes.shape_inference import symbolic_inference
from dlbricks.model.read.decoders import PAST, SEQUENCE, network_name, refuse_no_decoder
from dlbricks.model.read.dimensions import dimensions_of
from dlbricks.plugins.llm.answers import AskedCalls, LoopCheck, check
from dlbricks.plugins.llm.call_watch import on_one_core
from dlbricks.plugins.llm.decoder_loop import (
    FilledDecoder,
    GeneratorLoop,
    Loop,
    PlainLoop,
    filled,
    require_generator,
)
from dlbricks.plugins.llm.generation import chunks_of, step_lengths
from dlbricks.plugins.llm.interleaved_loops import USUAL_ANSWERS, InterleavedLoops, refused
from dlbricks.plugins.llm.lengths import (
    LengthInterpolator,
    MeasuredPoint,
    Point,
    check_comparable_first_step,
    refuse_unreachable,
    usable_points,
)
from dlbricks.plugins.llm.loop_process import LoopProcess
from dlbricks.plugins.llm.options import LoopChoice
from dlbricks.plugins.llm.reloads import run_after_reload
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.writing import merge_benchmarks
from dlbricks.validate.measure import settings_of
from dlbricks.validate.prepare import SplitNetwork, ValidationPlan, apart, dissect
from dlbricks.validate.types import ValidationSettings

_RULE = Rule(kind="sequential")
TARGETS = {"cpu": ("portable", "onnxruntime-cpu"), "cuda": ("portable", "onnxruntime-cuda")}
"""Graphs that loops of the runtime execute, by execution provider."""
PLAIN, GENERATOR = "plain loop", "onnxruntime-genai"
_WHOLE_BLOCK_BYTES = 2 << 20
"""Smaller free blocks of memory are held. Whoever loads first gets the smallest that are left, loops or benchmarks:
steps that read 540 MB took 27.7 ms in blocks of 64 KiB and more, 26.7 of 256 KiB, 25.8 of 512 KiB, 25.2 of 2 MiB."""
_COPIES = 2
"""Times of its weights that a loaded decoder takes at most, as they are packed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationValidation:
    """A decoder's generation, estimated and measured in one run."""

    network: str
    settings: ValidationSettings
    prompt: int
    generate: int
    batch: int
    chunk: int
    """Tokens of the prompt per call."""
    points: tuple[Point, ...]
    """Lengths at which sequences were measured."""
    pieces: int
    """Number of benchmarks at these lengths."""
    pieces_ns: int
    """Time of measuring them."""
    guessed: float
    """Share of layers in sequences that were interpolated between lengths, 0 to 1; the maximum over the calls."""
    loops: tuple[LoopCheck, ...]


def validate_generation(
    path: Path, plan: ValidationPlan, loop: LoopChoice, progress: Callable[[Progress], None]
) -> GenerationValidation:
    """Measure the sequences of a decoder at some lengths, and its generation, in one run.

    Args:
        path: the decoder.
        plan: settings, with extents that the points do not have.
        loop: settings of the generation.
        progress: called with the progress of the run.

    Raises:
        InputError: it is not a decoder, or lengths are beyond its context or too far from the measured ones.
        BenchmarkError: a sequence has no latency.
        MissingDependencyError: onnxruntime-genai is requested and not installed.
        HarnessError: the run was interrupted, or the runtime or an option is not available.
    """
    refuse_no_decoder(path, dimensions_of(path).short)
    if not any(PAST in point for point in loop.points):
        raise InputError("--prompt needs lengths to measure, as in --dim past=0,512,2048 --dim sequence=1,256")
    _refuse_other_runtime(plan)
    if loop.generator:
        if plan.options.provider != "cpu":
            raise InputError("--generator is for the processor: leave it or --provider out")
        require_generator(path)
    cut, prompt = _Cut(path, plan), loop.prompt
    several = loop.chunk if loop.chunk and loop.chunk < prompt else None
    known = [cut.at(point) for point in usable_points(loop.points, several)]
    measured = [one.at[PAST] for one in known if one.at[SEQUENCE] == 1]
    pasts = step_lengths(prompt, loop.generate, measured)
    read = chunks_of(prompt, loop.chunk, measured)
    asked = [*read, *({PAST: past, SEQUENCE: 1} for past in pasts)]
    others = {name: value for name, value in loop.points[0].items() if name not in {PAST, SEQUENCE}}
    targets = [cut.at({**others, **one}) for one in asked]
    for target in () if loop.extrapolate else targets:
        refuse_unreachable(target.at, [one.at for one in known])
    for target in targets:
        check_comparable_first_step(target, known)
    benchmarks = (
        *anchors(),
        *merge_benchmarks([benchmark for point in known for benchmark in cut.benchmarks(point.at)]),
    )
    alone = plan.options.threads == 1 and plan.options.provider == "cpu"
    with (
        tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch,
        on_one_core() if alone else contextlib.nullcontext(),
        contextlib.ExitStack() as running,
    ):
        decoder = filled(
            path, cut.dissected({**others, PAST: prompt, SEQUENCE: 1}).portable, Path(scratch), batch=cut.batch
        )
        turns = _turns(decoder, plan.options, loop, path, running)
        begin_ns = time.perf_counter_ns()
        document = run_after_reload(
            plan.head,
            benchmarks,
            plan.options,
            progress,
            weights=Path(scratch),
            between=turns.between,
            again=turns.again,
            whole_bytes=_WHOLE_BLOCK_BYTES,
        )
        pieces_ns = time.perf_counter_ns() - begin_ns - turns.spent_ns - turns.loading_ns
        turns.finish()
    calls = AskedCalls(prompt=prompt, chunk=loop.chunk, read=read, pasts=pasts, targets=targets)
    results = measurements(document)
    failed = _failures(document, benchmarks)
    made = [_estimated(target, known, results, failed) for target in targets]
    return GenerationValidation(
        network=network_name(path),
        settings=settings_of(plan),
        prompt=prompt,
        generate=loop.generate,
        batch=cut.batch,
        chunk=read[0][SEQUENCE],
        points=tuple(one.at for one in known),
        pieces=len(benchmarks),
        pieces_ns=pieces_ns,
        guessed=max(one.interpolated_layers / max(1, one.layers) for one in made),
        loops=tuple(check(name, answers, calls, made) for name, answers in turns.answers.items()),
    )


def _refuse_other_runtime(plan: ValidationPlan) -> None:
    """Raise InputError for runtimes, providers and targets that no loop is for."""
    if plan.options.runtime != ONNXRUNTIME or plan.options.provider not in TARGETS:
        raise InputError("--prompt is for onnxruntime with --provider cpu or cuda: leave --provider and --runtime out")
    targets = TARGETS[plan.options.provider]
    provider, target = plan.options.provider, plan.settings.target
    if target not in targets:
        raise InputError(f"--prompt is for --target {' and '.join(targets)} on provider {provider}, not {target}")


class _Cut:
    """A decoder, split at several lengths, each once."""

    def __init__(self, path: Path, plan: ValidationPlan) -> None:
        symbolic_inference()  # each length is read in a fork
        self.path, self.plan = path, plan
        self._made: dict[tuple[tuple[str, int], ...], SplitNetwork] = {}
        self.batch = plan.settings.batch or plan.settings.dims.get("batch", 1)

    def at(self, point: Point) -> MeasuredPoint:
        at = {PAST: 0, SEQUENCE: 1, **point}
        return MeasuredPoint(at=at, composition=self.dissected(at).composition)

    def benchmarks(self, point: Point) -> Any:
        return benchmarks_from(self.dissected(point).parts, unions=False)

    def dissected(self, point: Point) -> SplitNetwork:
        at = {PAST: 0, SEQUENCE: 1, **point}
        key = tuple(sorted(at.items()))
        if key not in self._made:
            plan = dataclasses.replace(self.plan, settings=self.plan.settings.at(at))
            self._made[key] = apart(dissect, self.path, plan)
        return self._made[key]


def _turns(
    decoder: FilledDecoder,
    options: RunOptions,
    loop: LoopChoice,
    original: Path,
    running: contextlib.ExitStack,
) -> InterleavedLoops:
    """Load the loops, each in a process, which ends with ``running`` or when they are loaded again."""
    room, chunk = loop.prompt + loop.generate, loop.chunk
    settings = with_shared_pool(session_settings(options))
    makers: dict[str, Callable[[], Loop]] = {PLAIN: partial(PlainLoop, decoder, settings, room=room, chunk=chunk)}
    if loop.generator:
        makers[GENERATOR] = partial(GeneratorLoop, decoder, original, threads=options.threads, chunk=chunk)

    touched = sum(constant.spec.nbytes for constant in decoder.model.constants.values())

    def load() -> Mapping[str, Loop]:
        running.close()
        if not options.smoke:  # until the next load, so that loops and benchmarks get the same memory
            needed_bytes = _COPIES * touched * (1 + len(makers))
            running.enter_context(small_blocks_held(_WHOLE_BLOCK_BYTES, needed_bytes))
        loops = {}
        for name, make in makers.items():
            with refused(name):
                loops[name] = running.enter_context(LoopProcess(make, settings))
        return loops

    usual, budget_ns = (USUAL_ANSWERS if options.budget_ns is None else 0), options.budget_ns
    return InterleavedLoops(
        load,
        loop.prompt,
        loop.generate,
        touched,
        usual=usual,
        budget_ns=budget_ns,
        pause_s=SPINNING_S if options.threads > 1 else 0.0,
    )


def _estimated(
    target: MeasuredPoint, known: Sequence[MeasuredPoint], results: SystemResults, failed: Sequence[str]
) -> Estimate:
    guesses = LengthInterpolator(target, known, results, far=True)
    made = estimate(target.composition, results, _RULE, interpolator=guesses, interleaved=True)
    if made.missing:
        at = ", ".join(f"{name}={value}" for name, value in target.at.items())
        raise BenchmarkError(
            f"{len(made.missing)} pieces of {made.network} at {at} have no latency, nor two lengths to guess it from: "
            + (_advice(failed) if failed else "give a longer --budget, or measure more lengths")
        )
    return made


def _failures(document: Mapping[str, Any], benchmarks: Sequence[BuiltBenchmark]) -> tuple[str, ...]:
    """Return which benchmarks failed, and why, as in ``Gather, MatMul: no answer within 60 s while loading``."""
    operators = {benchmark.benchmark.fingerprint: benchmark.benchmark.operators for benchmark in benchmarks}
    return tuple(
        f"{', '.join(dict.fromkeys(operators[one['fingerprint']]))}: {one['reason']}"
        for one in document["benchmarks"]
        if one["status"] == "failed" and one["fingerprint"] in operators
    )


def _advice(failed: Sequence[str]) -> str:
    """Return the end of a message on benchmarks that failed."""
    late = any("no answer within" in one for one in failed)
    return f"{failed[0]}; {'give a longer --timeout' if late else 'such networks cannot be validated here'}"
