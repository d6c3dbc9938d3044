"""A network made ready for validation: as one suite with its parts and what a published recipe measures."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from dlbricks.construct.compose import compose
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition
from dlbricks.errors import UnsupportedModelError
from dlbricks.fingerprint import digest_json
from dlbricks.harness.options import RunOptions
from dlbricks.model.lowering.onnxruntime_cpu import for_target, lower
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model, provider_of
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity, Split
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.workers import each_apart
from dlbricks.suite.writing import SuiteHead, merge_benchmarks, target_here
from dlbricks.validate.baseline import baseline, renamed
from dlbricks.validate.in_situ import contexts
from dlbricks.validate.types import BaselineStep, StepContext

_Made = TypeVar("_Made")


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
    """Published recipe to be measured in the same run: ``paper``; empty for none."""
    batch: int | None = None
    """Inputs per call; None for what files and ``dims`` say."""
    allow_values: tuple[str, ...] = ()
    """Layers whose trained values stay in their benchmarks, by name."""
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
    head: SuiteHead
    benchmarks: tuple[BuiltBenchmark, ...]
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    baseline: tuple[BaselineStep, ...]
    """The network as a published recipe cuts it; empty if none is measured."""


def apart(function: Callable[..., _Made], path: Path, plan: ValidationPlan) -> _Made:
    """Call ``dissect`` or ``prepare`` where the runtime may crash or hang; a device is used from this process.

    Raises:
        UnsupportedModelError: the network did so; what the function raises else.
    """
    (made,) = each_apart(partial(function, plan=plan), [path], apart=provider_of(plan.target) == "cpu")
    return made


def dissect(path: Path, plan: ValidationPlan) -> Dissection:
    """Read a network and split it.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the network cannot be estimated.
    """
    portable = read_batched(path, dims=plan.dims, batch=plan.batch)
    model = for_target(portable, plan.target, threads=plan.options.threads)
    parts = split(model, plan.granularity, plan.splitter, allowed=plan.allow_values)
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
    return Trial(
        dissection=dissection,
        head=SuiteHead(
            name="validation",
            granularity=str(plan.granularity),
            splitter=plan.splitter,
            target=target_here(plan.target),
            seed=0,
        ),
        benchmarks=kept,
        whole=end_to_end.benchmark.fingerprint,
        baseline=steps,
    )


def executed(dissection: Dissection, threads: int) -> Model:
    """Give the graph that the runtime executes: the one that was split, or the portable one lowered.

    Raises:
        UnsupportedModelError: the runtime cannot lower it.
    """
    model = dissection.parts.model
    return lower(dissection.portable, threads=threads) if model.target == "portable" else model


def end_to_end_benchmark(model: Model) -> BuiltBenchmark:
    """Make a benchmark of the whole network, with a fingerprint of its own: at H = inf a part may be the whole."""
    made = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole")
    return renamed(made, digest_json(["whole", made.benchmark.fingerprint]))
