"""Measures networks by parts and end to end, in one interleaved run per network.

Parts are the sequences of a split network; end to end is the whole network as one benchmark.
"""

import functools
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from dlbricks.construct.compose import compose
from dlbricks.construct.types import Composition, Rule
from dlbricks.errors import DlbricksError, InputError, UnsupportedModelError
from dlbricks.files import write_text
from dlbricks.harness.errors import INTERRUPTED, HarnessError
from dlbricks.harness.machine import system_facts, system_name
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import Progress, silent
from dlbricks.harness.run.runner import run_suite
from dlbricks.harness.session import backend, check_settings, session_settings
from dlbricks.model.read.decoders import network_name
from dlbricks.model.types import Model
from dlbricks.process_pool import each_in_worker
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, read_network, split_network
from dlbricks.sequences.types import Split
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark
from dlbricks.suite.extraction import benchmarks_from
from dlbricks.suite.manifest import NetworkStep
from dlbricks.suite.writing import assemble, merge_benchmarks, write_suite
from dlbricks.typed_json import canonical_json, digest_json
from dlbricks.validate.compare import compare, read_validation, sealed, validation_of
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    ArchivedRun,
    FailedNetwork,
    NetworkValidation,
    RunFacts,
    Validation,
    ValidationSettings,
)

RUN_FORMAT, RUN_SCHEMA_VERSION = "dlbricks-validation-run", 2
# Minimum number of end-to-end visits: spread over the run, they meet the same disturbances as the parts.
END_TO_END_MIN_VISITS = 8
# Maximum total time of end-to-end calls of one network.
END_TO_END_MAX_TIME_NS = 40_000_000_000

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPlan:
    """How to split and measure networks, and how to compose their parts."""

    settings: SplitSettings
    rule: Rule
    options: RunOptions
    """Options of every run; the budget is for all networks together."""
    keep: Path | None = None
    """Folder of archived runs; None to archive none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitNetwork:
    """A split network and its composition."""

    portable: Model
    parts: Split
    composition: Composition


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedNetwork:
    """Benchmarks of a whole network and of its parts."""

    network: SplitNetwork
    benchmarks: tuple[BuiltBenchmark, ...]
    whole: str
    """Fingerprint of the whole network's benchmark."""


def apart(function: Callable[..., _Result], path: Path, plan: ValidationPlan) -> _Result:
    """Call ``dissect`` or ``prepare`` in a worker process; for targets on a device, call it in this process.

    Raises the errors of ``function``, and ``UnsupportedModelError`` if the network crashes the worker or exceeds the
    worker's limits.
    """
    return each_in_worker(functools.partial(function, plan=plan), [path], target=plan.settings.target)[0][path]


def dissect(path: Path, plan: ValidationPlan) -> SplitNetwork:
    """Read an ONNX file, split it into layer sequences, and compose them.

    Raises ``InputError`` if the network cannot be used, and ``UnsupportedModelError`` if a part cannot be measured.
    """
    portable = read_network(path, plan.settings)
    parts = split_network(portable, plan.settings)
    composition = compose(parts, pairs=plan.rule == Rule.PAIRS)
    # a sum without the part would look like an error of the composition
    skipped = {step.skip: None for step in composition.steps if step.skip}
    if skipped:
        raise UnsupportedModelError(f"{path}: a part of the network cannot be measured: {next(iter(skipped))}")
    return SplitNetwork(portable=portable, parts=parts, composition=composition)


def prepare(path: Path, plan: ValidationPlan) -> PreparedNetwork:
    """Build all benchmarks of a validation: the network, its layer sequences, and benchmarks that calibrate the run.

    Raises ``InputError`` if the network cannot be used, and ``UnsupportedModelError`` if a part cannot be measured.
    """
    network = dissect(path, plan)
    whole = end_to_end_benchmark(network.portable)
    own = benchmarks_from(network.parts, unions=plan.rule == Rule.PAIRS)
    return PreparedNetwork(
        network=network,
        benchmarks=(*anchors(), *merge_benchmarks(own), whole),
        whole=whole.benchmark.fingerprint,
    )


def end_to_end_benchmark(model: Model, steps: tuple[NetworkStep, ...] = ()) -> BuiltBenchmark:
    """Return a benchmark of a whole network; its fingerprint differs from those of a part and of other steps."""
    whole = build_benchmark(model, canonicalise(model, end_to_end(model)), role="whole")
    fingerprint = digest_json(["whole", whole.benchmark.fingerprint, *(step.fingerprint for step in steps)])
    named = replace(whole.benchmark, fingerprint=fingerprint, network=f"networks/{fingerprint}.onnx", steps=steps)
    return replace(whole, benchmark=named)


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Progress of a validation."""

    model: str
    """Name of the current network."""
    index: int
    """Index of the current network, from 0."""
    total: int
    """Number of networks to measure."""
    elapsed_ns: int
    """Time spent on earlier networks, ns."""


# Called with the current network and the progress of its run.
ReportProgress = Callable[[Position, Progress], None]


def settings_of(plan: ValidationPlan) -> ValidationSettings:
    """Return the settings of a plan and of this machine, as they are in a validation file.

    Raises ``HarnessError`` if the runtime lacks the provider or an option.
    """
    session = session_settings(plan.options)
    check_settings(session)
    facts = backend(session).facts(session)
    return ValidationSettings(
        target=plan.settings.target,
        granularity=plan.settings.granularity,
        splitter=plan.settings.splitter,
        rule=str(plan.rule),
        provider=facts["provider"],
        threads=plan.options.threads,
        runtime=f"{facts['name']} {facts['version']}",
        system=plan.options.name or system_name(system_facts()),
        batch=plan.settings.batch,
    )


def finished_networks(file: Path, plan: ValidationPlan, tell: Callable[[str], object]) -> tuple[NetworkValidation, ...]:
    """Return the results in the validation file of an earlier run; empty if the file does not exist.

    Raises ``InputError`` if the file cannot be read, or if its settings differ from those of the plan.
    """
    if not file.exists():
        return ()
    before, now = read_validation(file, tell), asdict(settings_of(plan))
    for name, was in asdict(before.settings).items():
        if was != now[name]:
            changed = f"{name} was {was} and is now {now[name]}"
            raise InputError(f"cannot resume {file}: {changed}; use the earlier value, or name another file")
    return before.networks


def validate(
    paths: Sequence[Path],
    plan: ValidationPlan,
    *,
    finished: Sequence[NetworkValidation] = (),
    progress: ReportProgress,
    record: Callable[[Validation], None],
) -> Validation:
    """Measure networks whole and in parts, and compare the latencies with estimates; failures are recorded.

    Networks in ``finished`` are not measured again. ``record`` is called with all results after each network. Raises
    ``HarnessError`` if the run was interrupted (exit code 130), or if the runtime or an option is not available, and
    ``InputError`` if the archive of a run cannot be written.
    """
    settings = settings_of(plan)
    models, failed = list(finished), list[FailedNetwork]()
    done = {network.network for network in finished}
    left = [path for path in paths if network_name(path) not in done]
    began, total_ns, beyond_ns = time.perf_counter_ns(), plan.options.budget_ns, 0
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as weights:
        for index, path in enumerate(left):
            budget_ns, start_ns = None, time.perf_counter_ns()
            at = Position(model=network_name(path), index=index, total=len(left), elapsed_ns=start_ns - began)
            if total_ns is not None:
                budget_ns = share_ns(total_ns, at.elapsed_ns, index, len(left), beyond_ns)
            own_plan = replace(plan, options=replace(plan.options, budget_ns=budget_ns))
            unwritten = None
            try:
                run = measure_network(path, own_plan, Path(weights), functools.partial(progress, at))
                unwritten = None if plan.keep is None else _archived(run, plan.keep)
                models.append(compare(run, plan.rule))
            except (DlbricksError, HarnessError) as error:
                if isinstance(error, HarnessError) and error.exit_code == INTERRUPTED:
                    message = f"interrupted at {at.model}: add --resume to continue there, if this run had -o FILE"
                    raise HarnessError(message, INTERRUPTED) from error
                failed.append(FailedNetwork(network=at.model, reason=str(error)))
            beyond_ns = max(0, time.perf_counter_ns() - start_ns - (budget_ns or 0))
            if unwritten is not None:  # writing the other archives would fail, too
                message = f"{unwritten}; add --resume to continue at {at.model}, if this run had -o FILE"
                raise InputError(message) from unwritten
            record(validation_of(settings, tuple(models), tuple(failed)))
    return validation_of(settings, tuple(models), tuple(failed))


def share_ns(total_ns: int, spent_ns: int, index: int, count: int, beyond_ns: int) -> int:
    """Return the time to measure network number ``index``, ns, so that all ``count`` networks take ``total_ns``.

    Networks share the remaining time equally. If the previous network took ``beyond_ns`` longer than its share, this
    time is subtracted. A share is at least half of an equal share of the total.
    """
    return max(1, total_ns // (2 * count), (total_ns - spent_ns) // (count - index) - beyond_ns)


def measure_network(
    path: Path, plan: ValidationPlan, weights: Path, progress: Callable[[Progress], None]
) -> ArchivedRun:
    """Measure one network whole and in parts; all networks share the folder ``weights`` of weight files.

    Raises ``InputError`` if the network cannot be used, and ``HarnessError`` if the run was interrupted, or if the
    runtime or an option is not available.
    """
    began = time.perf_counter()
    settings = settings_of(plan)
    prepared = apart(prepare, path, plan)
    options = replace(
        plan.options,
        end_to_end_min_visits=END_TO_END_MIN_VISITS,
        end_to_end_target_relative=REFERENCE_RELATIVE,
        end_to_end_max_time_ns=END_TO_END_MAX_TIME_NS,
    )
    document = run_benchmarks(plan.settings, prepared.benchmarks, options, progress, weights=weights)
    facts = RunFacts(
        settings=settings,
        composition=prepared.network.composition,
        whole=prepared.whole,
        seconds=time.perf_counter() - began,
    )
    return ArchivedRun(facts=facts, document=document)


def _archived(run: ArchivedRun, folder: Path) -> InputError | None:
    # Write a run into a folder (``benchmarks/kept_runs.py`` reads it); return the error if it cannot be written.
    head: dict[str, Any] = {"format": RUN_FORMAT, "schema_version": RUN_SCHEMA_VERSION}
    content = sealed({**head, "facts": asdict(run.facts), "result": run.document})
    try:
        write_text(folder / f"{run.model}.json", canonical_json(content).decode())
    except InputError as error:
        return error
    return None


def run_benchmarks(
    settings: SplitSettings,
    benchmarks: Sequence[BuiltBenchmark],
    options: RunOptions,
    progress: Callable[[Progress], None] = silent,
    *,
    weights: Path | None = None,
    between: Callable[[], int] = int,
    whole_bytes: int | None = None,
) -> dict[str, Any]:
    """Measure benchmarks as a temporary suite, and return the result document.

    ``run_suite`` explains the other arguments. Without ``weights``, weight files go to a temporary folder. Raises
    ``HarnessError`` if the run was interrupted, or if the runtime or an option is not available.
    """
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder, out = Path(scratch) / "suite", Path(scratch) / "result.json"
        networks = {benchmark.benchmark.fingerprint: benchmark.network for benchmark in benchmarks}
        write_suite(folder, assemble(settings.without_extents(), benchmarks, name="validation"), networks)
        try:
            return run_suite(folder, out, options, progress, weights=weights, between=between, whole_bytes=whole_bytes)
        except HarnessError as error:
            if error.exit_code == INTERRUPTED:  # the original message advises to resume a file, which is removed here
                raise HarnessError("interrupted; nothing was saved", INTERRUPTED) from error
            raise
