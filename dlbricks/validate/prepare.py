"""Preparation of a network for validation: one suite with its parts, the whole, and DLBricks' published method."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from dlbricks.construct.compose import compose
from dlbricks.construct.rules import Rule
from dlbricks.construct.types import Composition
from dlbricks.errors import UnsupportedModelError
from dlbricks.fingerprint import digest_json
from dlbricks.harness.options import RunOptions
from dlbricks.model.types import Model
from dlbricks.process_pool import each_in_worker
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.network import read_network, split_network
from dlbricks.sequences.split import end_to_end, sequences_of
from dlbricks.sequences.splitters import paper
from dlbricks.sequences.types import Granularity, Split
from dlbricks.sequences.units import Unit, Units, wire
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.extraction import benchmarks_from, importances, predicted_s
from dlbricks.suite.writing import SuiteHead, merge_benchmarks
from dlbricks.validate.types import BASELINE_ROLE, BaselineStep

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPlan:
    """Settings of a validation."""

    settings: SplitSettings
    rule: Rule
    options: RunOptions
    """Options of each run; the budget is for all networks together."""
    baseline: str = ""
    """Published method to be measured in the same run: ``paper``; empty for none."""
    keep: Path | None = None
    """Folder for archives of the runs; None to write none."""

    @property
    def head(self) -> SuiteHead:
        """Properties of the temporary suites that are measured."""
        return SuiteHead(name="validation", settings=self.settings.without_extents())


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitNetwork:
    """A network with its split and composition."""

    portable: Model
    parts: Split
    composition: Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedNetwork:
    """A network with the benchmarks of its parts and of the whole."""

    network: SplitNetwork
    benchmarks: tuple[BuiltBenchmark, ...]
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    baseline: tuple[BaselineStep, ...]
    """Steps of the published method; empty if it is not measured."""


def apart(function: Callable[..., _Result], path: Path, plan: ValidationPlan) -> _Result:
    """Call ``dissect`` or ``prepare`` in a worker process, since the runtime may crash or hang.

    For targets on a device the function is called in this process.

    Raises:
        UnsupportedModelError: the network crashed the worker or exceeded its limits; and the errors of the function.
    """
    (result,) = each_in_worker(partial(function, plan=plan), [path], target=plan.settings.target)
    return result


def dissect(path: Path, plan: ValidationPlan) -> SplitNetwork:
    """Read a network and split it.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the network cannot be estimated.
    """
    portable = read_network(path, plan.settings)
    parts = split_network(portable, plan.settings)
    composition = compose(parts, pairs=plan.rule.kind == "pairs")
    # leaving the part out of the sum would look like an error of composing
    skipped = {step.skip: None for step in composition.steps if step.skip}
    if skipped:
        raise UnsupportedModelError(f"{path}: a part of it cannot be measured: {next(iter(skipped))}")
    return SplitNetwork(portable=portable, parts=parts, composition=composition)


def prepare(path: Path, plan: ValidationPlan) -> PreparedNetwork:
    """Build the benchmarks of a network and its parts.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the network cannot be estimated.
    """
    network = dissect(path, plan)
    whole = end_to_end_benchmark(network.portable)
    steps, published = baseline(network.portable, network.parts.granularity) if plan.baseline else ((), ())
    own = benchmarks_from(network.parts, unions=plan.rule.kind == "pairs")
    return PreparedNetwork(
        network=network,
        benchmarks=(*anchors(), *merge_benchmarks(own), *merge_benchmarks(published), whole),
        whole=whole.benchmark.fingerprint,
        baseline=steps,
    )


def end_to_end_benchmark(model: Model) -> BuiltBenchmark:
    """Build the benchmark of the whole network, with its own fingerprint, since at H = inf a part may be the whole."""
    whole = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole")
    return _renamed(whole, digest_json(["whole", whole.benchmark.fingerprint]))


def baseline(portable: Model, granularity: Granularity) -> tuple[tuple[BaselineStep, ...], tuple[BuiltBenchmark, ...]]:
    """Split a network by DLBricks' published method and build a benchmark of each unique sequence.

    The source graph is split by the paper's algorithm (ICPE 2020, doi 10.1145/3358960.3379143) without grouping. Every
    sequence, views included, is measured alone with all optimisations, in a loop of repeated calls, and the latency of
    the network is the sum without corrections. Unlike the paper's trimmed mean of 100 runs, medians are used.

    The benchmarks have fingerprints of their own, since the same sequence may be measured differently as a part of the
    network.
    """
    steps, benchmarks, seconds = [], dict[str, BuiltBenchmark](), dict[str, float]()
    for sequence in sequences_of(portable, paper(_every_layer(portable), granularity)):
        fingerprint = ""
        if sequence.skip is None:
            canonical = canonicalise(portable, sequence)
            fingerprint = digest_json([BASELINE_ROLE, canonical.fingerprint])
            if fingerprint not in benchmarks:
                benchmarks[fingerprint] = _renamed(
                    build_benchmark(portable, canonical, role=BASELINE_ROLE), fingerprint
                )
                seconds[fingerprint] = 0.0
            seconds[fingerprint] += predicted_s(portable, sequence)
        steps.append(BaselineStep(fingerprint=fingerprint, layers=len(sequence.layers)))
    shares = importances(seconds, {})
    weighed = (
        replace(benchmark, benchmark=replace(benchmark.benchmark, importance=shares[fingerprint]))
        for fingerprint, benchmark in benchmarks.items()
    )
    return tuple(steps), tuple(weighed)


def _every_layer(model: Model) -> Units:
    """Return units of one layer each, also for views and grouped layers."""
    wiring = wire(model)
    return Units(
        model=model,
        members=tuple(
            Unit(layers=(index,), weight=1, skip=layer.skip, from_input=not set(layer.reads).isdisjoint(model.inputs))
            for index, layer in enumerate(model.layers)
        ),
        predecessors=tuple(map(tuple, wiring.fed_by)),
        successors=tuple(map(tuple, wiring.feeds)),
        flows=(),
    )


def _renamed(built: BuiltBenchmark, fingerprint: str) -> BuiltBenchmark:
    """Return a benchmark with another fingerprint."""
    named = replace(built.benchmark, fingerprint=fingerprint, network=f"networks/{fingerprint}.onnx")
    return replace(built, benchmark=named)
