"""Reference outputs: every benchmark is run once, and digests of its outputs are written to the suite."""

import dataclasses
import math
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import onnx

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.output_digest import compare_all, tolerance
from dlbricks.harness.session import RUNTIME_ERRORS, SessionSettings, open_session
from dlbricks.harness.values import ensure_weights
from dlbricks.model.bodies import all_nodes
from dlbricks.model.bounds import allow_run, check_run
from dlbricks.model.lowering.runtime import plain_message
from dlbricks.model.read.decoders import ONE_INPUT
from dlbricks.model.types import TensorSpec, WeightBlob
from dlbricks.operators.table import operator
from dlbricks.process_pool import Crashed, Workers
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.manifest import Benchmark, Number, OutputDigest

# a worker that crashes loses the results of at most so many benchmarks, which then run one by one
_CHUNK = 16
# Networks with more operators are run in two ways, since their outputs may be too sensitive to rounding.
_DEEP_OPERATORS = 32
# By a part of what the runtime says, what is said in its place.
_REFUSALS = {
    "batch_size must be 1 when sequence_length > 1 and past context is given": f"{ONE_INPUT}: give lengths that go "
    "together, as in --dim past:sequence=1:1,64:1,0:16"
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Result of running a benchmark."""

    digests: tuple[OutputDigest, ...] | None
    """One per output; None without a reference."""
    note: str = ""
    """Reason why a reference is missing."""
    ran: bool = True
    """False if it did not run; such benchmarks are not included in suites."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """Benchmarks to run in one worker process."""

    benchmarks: tuple[BuiltBenchmark, ...]
    weights: Path
    seed: int
    provider: str
    """Short name of the execution provider."""


def merged_weights(benchmarks: Iterable[BuiltBenchmark]) -> tuple[WeightBlob, ...]:
    """Return the unique weight files, with the largest size that a benchmark needs, sorted by file."""
    longest: dict[str, WeightBlob] = {}
    for built in benchmarks:
        for blob in built.weights:
            if blob.file not in longest or longest[blob.file].nbytes < blob.nbytes:
                longest[blob.file] = blob
    return tuple(longest[file] for file in sorted(longest))


def run_references(
    workers: Workers,
    benchmarks: Sequence[BuiltBenchmark],
    seed: int,
    earlier: Mapping[str, Benchmark],
    done: Callable[[int, int], None],
    *,
    provider: str = "cpu",
) -> dict[str, Reference]:
    """Run every benchmark once and compute digests of its outputs.

    Args:
        workers: pool of workers.
        benchmarks: with unique fingerprints.
        seed: of weights and inputs.
        earlier: benchmarks of an earlier suite by fingerprint, whose references are reused if network and inputs are
            equal and the outputs agree.
        done: called with the number of finished benchmarks and the total.
        provider: execution provider.

    Returns:
        References by fingerprint; without digests and with the reason for benchmarks that cannot be run here.
    """
    references = {
        built.benchmark.fingerprint: Reference(digests=None, note=reason, ran=False)
        for built in benchmarks
        if (reason := _beyond(built.benchmark, workers.limit_bytes))
    }
    # the largest first, for a good balance
    runnable = [built for built in benchmarks if built.benchmark.fingerprint not in references]
    wanted = sorted(runnable, key=lambda built: -built.benchmark.weight_bytes - built.benchmark.activation_bytes)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        blobs = [dataclasses.asdict(blob) for blob in merged_weights(wanted)]
        ensure_weights(Path(folder), blobs, seed)
        tasks = [
            _Task(benchmarks=tuple(wanted[start : start + _CHUNK]), weights=Path(folder), seed=seed, provider=provider)
            for start in range(0, len(wanted), _CHUNK)
        ]
        parts = workers.each(_run, tasks, lambda count: done(min(count * _CHUNK, len(wanted)), len(wanted)))
        broken = [built for part in parts if isinstance(part, Crashed) for built in part.item.benchmarks]
        alone = [_Task(benchmarks=(built,), weights=Path(folder), seed=seed, provider=provider) for built in broken]
        parts += workers.each(_run, alone, lambda _: None)
    for part in parts:
        if not isinstance(part, Crashed):
            references |= part
        elif len(part.item.benchmarks) == 1:
            crash = Reference(digests=None, note=f"its run when the suite was made {part.reason}", ran=False)
            references[part.item.benchmarks[0].benchmark.fingerprint] = crash
    benchmark_of = {built.benchmark.fingerprint: built.benchmark for built in benchmarks}
    return {key: _kept(reference, earlier.get(key), benchmark_of[key]) for key, reference in references.items()}


def _beyond(benchmark: Benchmark, memory_bytes: int | None) -> str:
    """Return why a benchmark is too large to run here; an empty text if it is not."""
    crossing = (*benchmark.inputs, *benchmark.outputs)
    try:
        check_run(
            [TensorSpec(name=tensor.name, dtype=tensor.dtype, shape=tensor.shape) for tensor in crossing], memory_bytes
        )
    except UnsupportedModelError as error:
        return str(error)
    return ""


def _run(task: _Task) -> dict[str, Reference]:
    """Run benchmarks, each in its own session. Runs in a worker process."""
    return {built.benchmark.fingerprint: _run_one(built, task) for built in task.benchmarks}


def _run_one(built: BuiltBenchmark, task: _Task) -> Reference:
    operators = built.benchmark.operators
    allow_run(built.benchmark.flops)
    try:
        digests = _digests(built, task, prepacking=False)
        deep = len(operators) > _DEEP_OPERATORS
        wrong = compare_all(_digests(built, task, prepacking=True), digests, operators) if deep else None
    except RUNTIME_ERRORS as error:
        text = plain_message(str(error).replace(str(task.weights), "weights")) or type(error).__name__
        reason = next((explanation for part, explanation in _REFUSALS.items() if part in text), None)
        return Reference(digests=None, note=reason or f"it did not run when the suite was made: {text}", ran=False)
    random = _random_operator(built.network)
    if random:
        return Reference(digests=None, note=f"its answer is random: {random} draws new numbers in each call")
    if wrong:
        return Reference(digests=None, note="its answer depends on rounding: two ways to run it here disagree")
    if any("nan" in digest["samples"] for digest in digests):
        return Reference(digests=None, note="its answer holds NaN, which equals nothing")
    return Reference(digests=tuple(_rounded(digest, operators) for digest in digests))


def _random_operator(network: bytes) -> str:
    """Return the first operator of a network, or of a body in it, that draws random numbers; empty if none does."""
    nodes = all_nodes(onnx.ModelProto.FromString(network).graph.node)
    return next((node.op_type for node in nodes if not node.domain and operator("", node.op_type).is_random), "")


def _digests(built: BuiltBenchmark, task: _Task, *, prepacking: bool) -> list[OutputDigest]:
    """Run a benchmark once; prepacking of weights is only worthwhile for many calls."""
    benchmark = {**dataclasses.asdict(built.benchmark), "overwrites": ""}
    config = () if prepacking else (("session.disable_prepacking", "1"),)
    settings = SessionSettings(provider=task.provider, optimization=built.benchmark.optimization, config=config)
    bound = Bound(open_session(built.network, task.weights, settings), benchmark, make_inputs(benchmark, task.seed))
    bound.visit(1)
    return cast("list[OutputDigest]", bound.output_digests())


def _rounded(digest: OutputDigest, operators: Sequence[str]) -> OutputDigest:
    """Round to two digits more than the tolerance of a comparison; integers are not rounded."""
    allowed = tolerance(digest["dtype"], operators)
    if allowed == 0:
        return digest
    digits = 2 + math.ceil(-math.log10(allowed))
    return {
        **digest,
        "norm1": _round(digest["norm1"], digits),
        "norm2": _round(digest["norm2"], digits),
        "samples": [_round(value, digits) for value in digest["samples"]],
    }


def _round(value: Number, digits: int) -> Number:
    return float(f"{value:.{digits}g}") if isinstance(value, float) else value


def _kept(reference: Reference, earlier: Benchmark | None, benchmark: Benchmark) -> Reference:
    """Return the known reference if it is of the same network and inputs and agrees with this run, else the new one."""
    if earlier is None or earlier.reference is None or reference.digests is None:
        return reference
    if (earlier.digest, earlier.inputs) != (benchmark.digest, benchmark.inputs):
        return reference
    agrees = compare_all(reference.digests, earlier.reference, benchmark.operators) is None
    return Reference(digests=earlier.reference) if agrees else reference
