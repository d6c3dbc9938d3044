"""Fits estimates to reference networks: small public networks that a run measured whole and in parts.

Two parameters are fitted (``store.types.Calibration``), each with a prior over machines: a factor on reuse distances,
and how much longer a layer sequence takes in a network than alone. The errors that remain after the fit scale the
intervals of all estimates from the run. The networks are the same in all suites, so they disclose nothing.
"""

import dataclasses
import functools
import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate, step_times
from dlbricks.construct.intervals import difficulty
from dlbricks.construct.types import Composition, CompositionStep, Rule
from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.cpu import block_of
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.split import read_network, split_network
from dlbricks.settings import SplitSettings
from dlbricks.store.document import Document
from dlbricks.store.summary import measurements
from dlbricks.store.types import NOT_CALIBRATED, Calibration, SystemResults
from dlbricks.suite.benchmarks import BuiltBenchmark
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.manifest import Benchmark, NetworkStep, from_document
from dlbricks.validate.measure import end_to_end_benchmark

# The four of the public networks below 10 ms with the fewest layer sequences whose estimates depend on both parameters.
NETWORKS = ("int8_tv_resnet18", "tv_mobilenet_v2", "tv_shufflenet_v2_x1_0", "tv_squeezenet1_1")
# Fewer references than this are not fitted to.
LEAST = 3
# Standard deviations of both parameters over machines, from archived runs with one thread: the reach as a logarithm,
# the step for each thread. That scale was chosen on one recording with eight, whose calls alone take 7 to 11 us longer.
REACH_DEVIATION, STEP_DEVIATION_NS = 0.35, 1_000
# Standard deviation of the logarithmic error of a network of difficulty 1 in validations.
USUAL_ERROR = 0.01
# Errors beyond this many deviations count less in the fit, and beyond the second number as much as that many.
_OUTLYING, _MOST = 3.0, 6.0
# The same of the host's time on a device, from three networks on one H200.
USUAL_HOST_ERROR = 0.06
# Weight of the validations in the spread, in networks.
_PRIOR_NETWORKS = 4
# Values that are tried, in turns, as often as ``_ROUNDS``.
_REACHES = tuple(2.0 ** (power / 4) for power in range(-4, 5))
_STEPS_NS = tuple(range(-1_500, 1_501, 250))
_ROUNDS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredNetwork:
    """A network that was measured whole in the same run as its layer sequences."""

    composition: Composition
    results: SystemResults
    """Measurements of the layer sequences."""
    measured_ns: int
    """Latency of the whole network; on a device, the time of its host."""


def network_files() -> tuple[Path, ...]:
    """Return the paths of the reference networks, ONNX files without weights."""
    return tuple(Path(__file__).with_name("networks") / f"{name}.onnx" for name in NETWORKS)


def built_references(workers: Workers, settings: SplitSettings) -> tuple[BuiltBenchmark, ...]:
    """Return the benchmarks of the reference networks, and of their layer sequences at the granularity of a suite."""
    own = dataclasses.replace(settings.without_extents(), allow_values=(), passes=())
    built = list[BuiltBenchmark]()
    for path, part in zip(
        network_files(), workers.each(functools.partial(_build, settings=own), network_files()), strict=True
    ):
        if isinstance(part, Crashed):
            raise UnsupportedModelError(f"{path} {part.reason}")
        built += part
    return tuple(built)


def _build(path: Path, settings: SplitSettings) -> tuple[BuiltBenchmark, ...]:
    # Return the benchmarks of one network. Runs in a worker process.
    model = read_network(path, settings)
    parts = split_network(model, settings)
    steps = tuple(
        NetworkStep(fingerprint=step.fingerprint, constants=step.constants, inputs=step.inputs, outputs=step.outputs)
        if not step.free
        else NetworkStep()
        for step in compose(parts).steps
    )
    whole = end_to_end_benchmark(model, steps)
    own = block_of(settings.lowered_for) or 0
    benchmark = dataclasses.replace(whole.benchmark, role="network", name=path.stem, block=own)
    return dataclasses.replace(whole, benchmark=benchmark), *benchmarks_from(parts, unions=False)


def calibration_of(document: Document, results: SystemResults) -> Calibration:
    """Return the calibration by the reference networks in a result document.

    The default is returned without such networks, and for smoke tests.
    """
    if document["options"].get("smoke"):
        return NOT_CALIBRATED
    suite = from_document(document["suite"]["manifest"])
    wholes = measurements(document, roles=("network",)).measurements
    networks = [
        MeasuredNetwork(
            composition=_composition(benchmark, suite.target.name, suite.granularity),
            results=results,
            measured_ns=whole.queue.host_ns if whole.queue else whole.latency_ns,
        )
        for benchmark in suite.benchmarks
        if (whole := wholes.get(benchmark.fingerprint)) is not None and (whole.queue or results.queue is None)
    ]
    return fit(networks) if results.queue is None else fit_host(networks)


def fit_host(networks: Sequence[MeasuredNetwork]) -> Calibration:
    """Return the calibration of the host's times on a device; the default without a fully measured network."""
    ratios = list[float]()
    for each in networks:
        composed = estimate(each.composition, each.results, Rule.SEQUENTIAL)
        if composed.queue and composed.queue.host_ns and not composed.missing and each.measured_ns:
            ratios.append(math.log(each.measured_ns / composed.queue.host_ns))
    if not ratios:
        return NOT_CALIBRATED
    middle = statistics.median(ratios)
    squares = _PRIOR_NETWORKS * USUAL_HOST_ERROR**2 + sum((ratio - middle) ** 2 for ratio in ratios)
    spread = math.sqrt(squares / (_PRIOR_NETWORKS + len(ratios)))
    return Calibration(networks=len(ratios), host=min(100.0, max(0.01, math.exp(middle))), host_spread=spread)


def _composition(benchmark: Benchmark, target: str, granularity: str) -> Composition:
    steps = tuple(
        CompositionStep(
            fingerprint=step.fingerprint,
            name="",
            layers=(),
            depends_on=(),
            free=not step.fingerprint,
            constants=step.constants,
            inputs=step.inputs,
            outputs=step.outputs,
        )
        for step in benchmark.steps
    )
    return Composition(
        model=benchmark.name, target=target, granularity=granularity, splitter="", layers=len(steps), steps=steps
    )


def fit(networks: Sequence[MeasuredNetwork]) -> Calibration:
    """Return the calibration by a run's reference networks; the default if fewer than ``LEAST`` have all latencies.

    The default is returned for two threads, too: there the fit helped onnxruntime on neither of two processors.
    """
    estimates = [(each, estimate(each.composition, each.results, Rule.SEQUENTIAL)) for each in networks]
    usable = [(each, USUAL_ERROR * difficulty(plain.traits)) for each, plain in estimates if not plain.missing]
    threads = networks[0].results.configuration.threads if networks else 1
    if len(usable) < LEAST or threads == 2:
        return NOT_CALIBRATED

    def deviations(trial: Calibration) -> list[float]:
        # Return the logarithmic errors of the references, in units of what is usual for networks of their difficulty.
        errors = []
        for each, usual in usable:
            results = dataclasses.replace(each.results, calibration=trial)
            total_ns = sum(step_times(each.composition, results)) + results.call_overhead_ns
            errors.append(math.log(max(1, each.measured_ns) / max(1, total_ns)) / usual)
        return errors

    def cost(trial: Calibration) -> float:
        prior = (math.log(trial.reach) / REACH_DEVIATION) ** 2 + (trial.step_ns / STEP_DEVIATION_NS / threads) ** 2
        return prior + sum(map(_limited, deviations(trial)))

    best = Calibration(networks=len(usable))
    for _ in range(_ROUNDS):
        best = min((dataclasses.replace(best, step_ns=threads * step_ns) for step_ns in _STEPS_NS), key=cost)
        best = min((dataclasses.replace(best, reach=reach) for reach in _REACHES), key=cost)
    squares = sum(min(abs(deviation), _MOST) ** 2 for deviation in deviations(best))
    spread = math.sqrt((_PRIOR_NETWORKS + squares) / (_PRIOR_NETWORKS + len(usable)))
    return dataclasses.replace(best, spread=spread)


def _limited(deviation: float) -> float:
    # Huber's loss: the square of small deviations, linear beyond
    size = abs(deviation)
    return size**2 if size <= _OUTLYING else _OUTLYING * (2 * size - _OUTLYING)
