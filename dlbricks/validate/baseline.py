"""The published recipe for comparison: DLBricks as its paper has it (ICPE 2020, doi 10.1145/3358960.3379143).

The source graph is cut by the paper's algorithm without grouping; every sequence, views too, is run alone with all
optimisations, back to back in a hot loop; the latency of the network is the plain sum, nothing corrected. Ours: medians
in the place of the paper's 20 % trimmed mean of 100 runs.
"""

import dataclasses
from collections.abc import Mapping, Sequence

from dlbricks.fingerprint import digest_json
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import sequences_of
from dlbricks.sequences.splitters import paper
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import Unit, Units
from dlbricks.store.types import Measurement
from dlbricks.suite.benchmarks import BuiltBenchmark, build_benchmark
from dlbricks.suite.extraction import importances, predicted_s
from dlbricks.validate.types import BaselineResult, BaselineStep

BASELINE_ROLE = "baseline"
"""Role of its benchmarks."""


def baseline(portable: Model, granularity: Granularity) -> tuple[tuple[BaselineStep, ...], tuple[BuiltBenchmark, ...]]:
    """Cut a network as published and make a benchmark of each different sequence.

    Its benchmarks have fingerprints of their own: the same sequence may be measured otherwise as a part of the network.
    """
    steps, benchmarks, seconds = [], dict[str, BuiltBenchmark](), dict[str, float]()
    for sequence in sequences_of(portable, paper(_every_layer(portable), granularity)):
        fingerprint = ""
        if sequence.skip is None:
            canonical = canonicalise(portable, sequence)
            fingerprint = digest_json([BASELINE_ROLE, canonical.fingerprint])
            if fingerprint not in benchmarks:
                benchmarks[fingerprint] = renamed(build_benchmark(portable, canonical, role=BASELINE_ROLE), fingerprint)
                seconds[fingerprint] = 0.0
            seconds[fingerprint] += predicted_s(portable, sequence)
        steps.append(BaselineStep(fingerprint=fingerprint, layers=len(sequence.layers)))
    shares = importances(seconds, {})
    weighed = (
        dataclasses.replace(one, benchmark=dataclasses.replace(one.benchmark, importance=shares[fingerprint]))
        for fingerprint, one in benchmarks.items()
    )
    return tuple(steps), tuple(weighed)


def _every_layer(model: Model) -> Units:
    """Make a unit of every layer, views and grouped ones too."""
    makers = {tensor: index for index, layer in enumerate(model.layers) for tensor in layer.outputs if tensor}
    predecessors = tuple(
        tuple(sorted({makers[tensor] for tensor in layer.reads if tensor in makers})) for layer in model.layers
    )
    followers: list[list[int]] = [[] for _ in model.layers]
    for index, before in enumerate(predecessors):
        for earlier in before:
            followers[earlier].append(index)
    return Units(
        model=model,
        members=tuple(
            Unit(layers=(index,), weight=1, skip=layer.skip, from_input=not set(layer.reads).isdisjoint(model.inputs))
            for index, layer in enumerate(model.layers)
        ),
        predecessors=predecessors,
        successors=tuple(map(tuple, followers)),
        flows=(),
    )


def renamed(made: BuiltBenchmark, fingerprint: str) -> BuiltBenchmark:
    """Give a benchmark a fingerprint of its own."""
    named = dataclasses.replace(made.benchmark, fingerprint=fingerprint, network=f"networks/{fingerprint}.onnx")
    return dataclasses.replace(made, benchmark=named)


def baseline_result(
    steps: Sequence[BaselineStep], known: Mapping[str, Measurement], measured_ns: int
) -> BaselineResult | None:
    """Add up what the recipe measured; None without steps.

    Args:
        steps: of the network.
        known: measurements of its benchmarks; those that are missing count as nothing.
        measured_ns: end-to-end latency.
    """
    if not steps:
        return None
    unique = {step.fingerprint: step for step in steps if step.fingerprint in known}
    estimated = sum(known[step.fingerprint].latency_ns for step in steps if step.fingerprint in known)
    return BaselineResult(
        estimated_ns=estimated,
        ratio=estimated / max(1, measured_ns),
        layers=sum(step.layers for step in steps),
        unique_layers=sum(step.layers for step in unique.values()),
        unmeasured_layers=sum(step.layers for step in steps if step.fingerprint not in known),
        walls_ns={fingerprint: known[fingerprint].wall_ns for fingerprint in unique},
    )
