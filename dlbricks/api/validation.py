"""Measures networks on this machine beside estimates: validation runs, and a quick answer on one network."""

import math
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from dlbricks.api.networks import named
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import estimate
from dlbricks.construct.memory_plan import peak_memory
from dlbricks.construct.types import Estimate, Rule
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
from dlbricks.harness.cpu import usable_processors
from dlbricks.harness.machine import system_facts, system_name
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import silent
from dlbricks.harness.session import check_settings, session_settings
from dlbricks.model.read.decoders import network_name
from dlbricks.profile.roofs import Effort, product_rate
from dlbricks.settings import PORTABLE, TARGETS, SplitSettings
from dlbricks.store.summary import measurements
from dlbricks.store.types import SystemResults
from dlbricks.units import counted
from dlbricks.validate import measure
from dlbricks.validate.compare import (
    call_energy,
    every_call_disturbed,
    refuse_infinite,
    validation_text,
    write_validation,
)
from dlbricks.validate.measure import (
    Position,
    PreparedNetwork,
    ReportProgress,
    ValidationPlan,
    apart,
    prepare,
    run_benchmarks,
    share_ns,
)
from dlbricks.validate.types import Validation
from dlbricks.whatif.answer import THREADS, Advice, advise
from dlbricks.whatif.sources.networks import graph_of_model
from dlbricks.whatif.transforms import all_transforms


def plan_of(
    settings: SplitSettings, options: RunOptions, rule: str | None = None, keep: Path | None = None
) -> measure.ValidationPlan:
    """Return a plan to measure networks whole and in parts, split for ``options.threads`` threads."""
    settings = replace(settings, threads=options.threads)
    return measure.ValidationPlan(settings=settings, rule=Rule.parse(rule or "sequential"), options=options, keep=keep)


def validate(
    models: Sequence[str],
    plan: measure.ValidationPlan,
    *,
    out: Path | None,
    resume: bool,
    progress: measure.ReportProgress,
    tell: Callable[[str], None],
) -> tuple[Validation, str]:
    """Measure networks whole and in parts and compare estimates; return the results and their JSON text.

    The text goes to ``out`` after each network. With ``resume``, networks in ``out`` are skipped. Raises the errors of
    ``validate.measure.validate``, and ``InputError`` before any measurement if a file cannot be written.
    """
    with named(models, plan.settings, tell) as networks:
        # hours of measurements would be lost if the first write failed
        if out is not None:
            refuse_unwritable(out, b"{", replace=resume or plan.options.force)
        names = [network_name(path) for path in networks]
        if plan.keep is not None:
            refuse_unwritable_folder(plan.keep)
            for file in (plan.keep / f"{name}.json" for name in names):
                refuse_unwritable(file, b"{", replace=resume or plan.options.force, other="folder to --keep")
        if twice := [name for name in names if names.count(name) > 1]:
            raise InputError(f"two networks are named {twice[0]}: rename one, or validate them one at a time")
        if resume and out is None:
            raise InputError("--resume needs -o FILE with the results of the run to continue")
        finished = measure.finished_networks(out, plan, tell) if resume and out else ()
        record = partial(write_validation, out) if out else silent
        validation = measure.validate(networks, plan, finished=finished, progress=progress, record=record)
    return validation, validation_text(validation)


# Shows the progress of one run.
Progressing = Callable[[Any], None]
# A tenth of a second for each of two sizes.
_PEAK = Effort(rate_ns=100_000_000, sizes=(512, 1024))
# Target for the relative half-width of the 95 % interval of the whole network's latency.
_TARGET = 0.01
# The share of a network from which a part may show that the measured peak is too low.
_LARGE = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickSide:
    """A network on one runtime with one number of threads."""

    runtime: str
    """Name and version of the runtime, as in ``onnxruntime 1.32.0``."""
    provider: str
    threads: int
    measured_ns: int
    """Measured latency of the whole network, ns."""
    low_ns: int
    """Lower end of the 95 % interval of ``measured_ns``."""
    high_ns: int
    drift: float
    """Relative drift of the reference benchmarks (anchors) during the run."""
    energy_uj: int | None
    """Energy of a call, uJ; with ``energy_source`` as in ``validate.types.NetworkValidation``."""
    energy_source: str
    estimate: Estimate | None = None
    """Latency composed from the parts, which were measured in the same run; None if only the whole was measured."""
    peak_flops_per_s: float | None = None
    """Measured FLOP/s of products of large float32 matrices, or of the fastest large part; None if not measured."""
    products_ns: int | None = None
    """Time that the network's products take at ``peak_flops_per_s``, ns; None if this peak is None."""
    advice: tuple[Advice, ...] = ()
    """Changes with a predicted gain. They include no other numbers of threads, which are measured instead."""
    without_gain: tuple[str, ...] = ()
    """Changes that can be predicted and have no gain."""
    measured_disturbed: bool = False
    """Whether every call of the whole network waited for a processor or shared its core."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuntimeRatio:
    """Ratio of the latencies of a network on two runtimes with the same number of threads."""

    threads: int
    first: str
    """Name and version of the first runtime."""
    second: str
    ratio: float
    """Latency on the second runtime divided by the latency on the first: below 1 the second is faster."""
    low: float
    """Lower end of the 95 % interval of ``ratio``, from the intervals and the drift of both runs."""
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuickAnswer:
    """The latency of a network on this machine."""

    network: str
    system: str
    sides: tuple[QuickSide, ...]
    """One for each number of threads and runtime, sorted by threads; the chosen runtime precedes the others."""
    ratios: tuple[RuntimeRatio, ...]
    notes: tuple[str, ...]


def quick(
    model: str,
    settings: SplitSettings,
    options: RunOptions,
    *,
    against: Sequence[str] = (),
    progress: ReportProgress,
    tell: Callable[[str], None],
) -> QuickAnswer:
    """Measure a network on this machine, on one thread and on all, and on the runtimes ``against``; no file is written.

    The network is split for the runtime and provider of ``options``. ``options.budget_ns`` is for all measurements.

    Raises:
        InputError: the network cannot be used, or the path names several.
        HarnessError: a runtime or an option is not available, or the run was interrupted.
        BenchmarkError: the whole network cannot be run.
    """
    if options.runtime in against:
        raise InputError(f"--vs {options.runtime} compares the runtime with itself: name another, or change --runtime")
    runtimes, threads = dict.fromkeys((options.runtime, *against)), sorted({1, usable_processors()})
    each = [replace(options, runtime=runtime, threads=count) for count in threads for runtime in runtimes]
    for side in each:
        check_settings(session_settings(side))
    name = f"{options.runtime}-{options.provider}"
    target = next((target for target in (name, options.runtime) if target in TARGETS), PORTABLE)
    plan = plan_of(replace(settings, target=target), options)
    with named([model], plan.settings, tell) as paths, tempfile.TemporaryDirectory(prefix="dlbricks-") as weights:
        if len(paths) != 1:
            raise InputError(f"{model} holds {len(paths)} networks: name one of them")
        prepared, start_ns = apart(prepare, paths[0], plan), time.perf_counter_ns()
        sides, notes = list[QuickSide](), list[str]()
        for index, side in enumerate(each):
            spent_ns = time.perf_counter_ns() - start_ns
            budget_ns = options.budget_ns and share_ns(options.budget_ns, spent_ns, index, len(each), 0)
            network = prepared.network.composition.model
            at = Position(model=network, index=index, total=len(each), elapsed_ns=spent_ns)
            limited = replace(side, budget_ns=budget_ns, end_to_end_target_relative=_TARGET, end_to_end_min_visits=5)
            try:
                sides.append(_measured(prepared, plan, limited, Path(weights), partial(progress, at)))
            except BenchmarkError as error:
                if side.runtime == options.runtime:
                    raise
                notes.append(f"{side.runtime}, {counted(side.threads, 'thread')}: {error}")
    own = {side.threads: side for side in sides if side.runtime.split()[0] == options.runtime}
    return QuickAnswer(
        network=network,
        system=options.name or system_name(system_facts()),
        sides=tuple(sides),
        ratios=tuple(_ratio(own[side.threads], side) for side in sides if side is not own[side.threads]),
        notes=tuple(notes),
    )


def _measured(
    prepared: PreparedNetwork, plan: ValidationPlan, options: RunOptions, weights: Path, progress: Progressing
) -> QuickSide:
    # Measure a network whole, and in parts if the runtime is that of the plan.
    is_own, benchmarks = options.runtime == plan.options.runtime, prepared.benchmarks
    settings = plan.settings
    if not is_own:
        benchmarks = tuple(each for each in benchmarks if each.benchmark.role != "sequence")
        settings = replace(settings, target=PORTABLE)
    document = run_benchmarks(settings, benchmarks, options, progress, weights=weights)
    (whole,) = (entry for entry in document["benchmarks"] if entry["role"] == "whole")
    if not whole["visits"]:
        raise BenchmarkError(f"the whole network was not measured: {whole['reason']}")
    refuse_infinite(whole)
    measured = measurements(document, roles=("whole",))
    latency, runtime = measured.measurements[whole["fingerprint"]], document["runtime"]
    side = QuickSide(
        runtime=f"{runtime['name']} {runtime['version']}",
        provider=runtime["provider"],
        threads=options.threads,
        measured_ns=latency.latency_ns,
        low_ns=latency.low_ns,
        high_ns=latency.high_ns,
        measured_disturbed=every_call_disturbed(whole),
        drift=measured.drift,
        **call_energy(document, whole, latency.latency_ns),
    )
    return _composed(side, prepared, measurements(document), options) if is_own else side


def _composed(side: QuickSide, prepared: PreparedNetwork, results: SystemResults, options: RunOptions) -> QuickSide:
    # Add the estimate from the parts, the time at the measured peak, and advice.
    composition = prepared.network.composition
    composed = estimate(composition, results, Rule.SEQUENTIAL, interleaved=True)
    memory = peak_memory(prepared.network.parts.model)
    side = replace(side, estimate=replace(composed, peak_memory_bytes=memory))
    features = {step.fingerprint: step.features for step in composition.steps if step.features}
    products = [each for step in composition.steps if (each := features.get(step.fingerprint)) and each.work]
    if composed.missing:
        return side
    if products and all(kind.endswith("float32") for each in products for kind in each.kinds):
        large = (row for row in composed.rows if row.share >= _LARGE and row.each_ns and row.fingerprint in features)
        rates = (features[row.fingerprint].work * 1e9 / row.each_ns for row in large)
        peak = max(product_rate(session_settings(options), "float32", _PEAK), *rates)
        products_ns = round(sum(each.work for each in products) * 1e9 / peak)
        side = replace(side, peak_flops_per_s=peak, products_ns=products_ns)
    without = None
    if prepared.network.portable.traits.plans_memory and side.provider == "cpu":
        without = compose(prepared.network.parts, memory_reuse=False)
    graph, _ = graph_of_model(composition, results, {}, without)
    report, _ = advise(graph, all_transforms([]))
    advice = tuple(advice for advice in report.advice if THREADS not in advice.apply)
    return replace(side, advice=advice, without_gain=tuple(name for name in report.without_gain if name != THREADS))


def _ratio(first: QuickSide, second: QuickSide) -> RuntimeRatio:
    ratio = second.measured_ns / max(1, first.measured_ns)
    sampling = [(side.high_ns - side.low_ns) / 2 / max(1, side.measured_ns) for side in (first, second)]
    off = math.exp(math.hypot(*sampling, first.drift, second.drift))
    sides = {"first": first.runtime, "second": second.runtime}
    return RuntimeRatio(threads=first.threads, **sides, ratio=ratio, low=ratio / off, high=ratio * off)
