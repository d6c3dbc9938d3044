"""A network made ready for validation: as one suite with its parts and what a published recipe measures."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.compose import compose
from dlbricks.construct.inspection import describe
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition
from dlbricks.errors import UnsupportedModelError
from dlbricks.fingerprint import digest_json
from dlbricks.harness.machine.cpu import instruction_set
from dlbricks.harness.options import RunOptions
from dlbricks.harness.session import runtime_facts, session_settings
from dlbricks.model.lowering.onnxruntime_cpu import TARGET, lower
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import bare, end_to_end, split
from dlbricks.sequences.types import Granularity, LayerSequence, Split
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.generate import SuiteHead, assemble, merge_benchmarks
from dlbricks.suite.manifest import Suite, Target
from dlbricks.suite.references import Reference
from dlbricks.validate.baseline import baseline, renamed
from dlbricks.validate.types import BaselineStep, StepContext


def contexts(split: Split) -> tuple[StepContext, ...]:
    """Give producers, consumers and shapes of every sequence, views looked through."""
    model = split.model
    makers = {tensor: index for index, layer in enumerate(model.layers) for tensor in layer.outputs if tensor}
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for tensor in layer.reads:
            readers.setdefault(tensor, []).append(index)
    return tuple(_context(model, bare(model, sequence), makers, readers) for sequence in split.sequences)


def _context(
    model: Model, sequence: LayerSequence, makers: dict[str, int], readers: dict[str, list[int]]
) -> StepContext:
    inside = set(sequence.layers)
    return StepContext(
        inputs=tuple(describe(model.spec(tensor)) for tensor in sequence.inputs),
        outputs=tuple(describe(model.spec(tensor)) for tensor in sequence.outputs),
        constant_bytes=sum(model.spec(tensor).nbytes for tensor in sequence.constants),
        producers=tuple(_maker(model, tensor, makers) for tensor in sequence.inputs),
        consumers=tuple(
            dict.fromkeys(name for tensor in sequence.outputs for name in _users(model, tensor, readers, inside))
        ),
    )


def _maker(model: Model, tensor: str, makers: dict[str, int]) -> str:
    while tensor in makers and model.layers[makers[tensor]].is_view:
        tensor = model.layers[makers[tensor]].inputs[0]
    if tensor in makers:
        return model.layers[makers[tensor]].op_type
    return "constant" if tensor in model.constants else "input"


def _users(model: Model, tensor: str, readers: dict[str, list[int]], inside: set[int]) -> list[str]:
    """Name what reads a tensor outside a sequence; a view stands for what reads its result."""
    found, waiting = [], [tensor]
    while waiting:
        name = waiting.pop()
        if name in model.outputs:
            found.append("output")
        for index in readers.get(name, ()):
            layer = model.layers[index]
            if index in inside:
                continue
            if layer.is_view:
                waiting += [output for output in layer.outputs if output]
            else:
                found.append(layer.op_type)
    return found


_NO_REFERENCE = Reference(digests=None, note="made for a validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPlan:
    """How networks are validated."""

    dims: Mapping[str, int]
    granularity: Granularity
    splitter: str
    target: str
    rule: Rule
    options: RunOptions
    """Of each run; the budget is that of all networks together."""
    baseline: str = ""
    """Published recipe to be measured in the same run, of ``baseline.BASELINES``; empty for none."""
    batch: int | None = None
    """Inputs per call; None for what files and ``dims`` say."""
    keep: Path | None = None
    """Folder in which every run is left; None to leave none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissection:
    """A network as a validation sees it: what it is made of."""

    portable: Model
    parts: Split
    composition: Composition
    contexts: tuple[StepContext, ...]
    """Of the steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A network made ready, and the suite that measures it and its parts."""

    dissection: Dissection
    suite: Suite
    networks: Mapping[str, bytes]
    """By fingerprint."""
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    baseline: tuple[BaselineStep, ...]
    """The network as a published recipe cuts it; empty if none is measured."""


def dissect(path: Path, plan: ValidationPlan) -> Dissection:
    """Read a network and split it.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the network cannot be estimated.
    """
    portable = read_batched(path, dims=plan.dims, batch=plan.batch)
    model = portable if plan.target == "portable" else lower(portable, threads=plan.options.threads)
    parts = split(model, plan.granularity, plan.splitter)
    composition = compose(parts, pairs=plan.rule.kind == "pairs")
    skipped = {step.skip: None for step in composition.steps if step.skip}
    if skipped:
        raise UnsupportedModelError(f"{path}: a part of it cannot be measured: {next(iter(skipped))}")
    return Dissection(portable=portable, parts=parts, composition=composition, contexts=contexts(parts))


def prepare(path: Path, plan: ValidationPlan) -> Trial:
    """Put a network and its parts into one suite.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the network cannot be estimated.
    """
    dissection = dissect(path, plan)
    end_to_end = end_to_end_benchmark(dissection.portable)
    steps, published = baseline(dissection.portable, plan.granularity) if plan.baseline else ((), ())
    own = benchmarks_from(dissection.parts, unions=plan.rule.kind == "pairs")
    kept = (*anchors(), *merge_benchmarks(own), *merge_benchmarks(published), end_to_end)
    head = SuiteHead(
        name="validation",
        granularity=str(plan.granularity),
        splitter=plan.splitter,
        target=_target(plan),
        seed=0,
    )
    return Trial(
        dissection=dissection,
        suite=assemble(head, kept, {one.benchmark.fingerprint: _NO_REFERENCE for one in kept}),
        networks={one.benchmark.fingerprint: one.network for one in kept},
        whole=end_to_end.benchmark.fingerprint,
        baseline=steps,
    )


def executed(dissection: Dissection, threads: int) -> Model:
    """Give the graph that the runtime executes: the one that was split, or the portable one lowered.

    Raises:
        UnsupportedModelError: the runtime cannot lower it.
    """
    model = dissection.parts.model
    return model if model.target == TARGET else lower(dissection.portable, threads=threads)


def _target(plan: ValidationPlan) -> Target:
    if plan.target == "portable":
        return Target(name=plan.target, runtime="", instruction_set=())
    version = runtime_facts(session_settings(plan.options))["version"]
    return Target(name=plan.target, runtime=version, instruction_set=tuple(instruction_set()))


def end_to_end_benchmark(model: Model) -> BuiltBenchmark:
    """Make a benchmark of the whole network, with a fingerprint of its own: at H = inf a part may be the whole."""
    made = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole")
    return renamed(made, digest_json(["whole", made.benchmark.fingerprint]))
