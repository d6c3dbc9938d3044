"""Suites: write them, plan what a system has left to measure, and run them."""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dlbricks.api.estimates import stored
from dlbricks.api.networks import named, split_files
from dlbricks.errors import InputError, named_out
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.progress import silent
from dlbricks.settings import SplitSettings, SuiteOptions, SystemQuery
from dlbricks.units import counted

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Plan
    from dlbricks.construct.types import ExpectedError
    from dlbricks.harness.run.progress import Progress as RunProgress
    from dlbricks.sequences.types import Split
    from dlbricks.store.types import SystemConfiguration, SystemResults
    from dlbricks.suite.generate import Progress
    from dlbricks.suite.manifest import NetworkReport, Suite


def generate(
    networks: Sequence[str | Path],
    out: str | Path,
    settings: SplitSettings | None = None,
    options: SuiteOptions | None = None,
) -> "Suite":
    """Write a suite of the unique layer sequences of networks (files, folders or globs) to the folder ``out``.

    An existing suite is replaced. Raises ``InputError`` if no network can be used, if a given dimension occurs in none,
    or if the folder holds something other than a suite.
    """
    models = [str(path) for path in networks]
    return write_suite(models, Path(out), settings or SplitSettings(), options or SuiteOptions())[0]


def expectation(settings: SplitSettings, options: SuiteOptions) -> "tuple[str, ExpectedError]":
    """Return the runtime of a suite that is generated here, and the expected errors of estimates from this suite.

    Raises ``HarnessError`` if the runtime of the target is missing or does not work.
    """
    from dlbricks.construct.intervals import choose_band
    from dlbricks.construct.types import Rule
    from dlbricks.model.lowering.targets import target_of, this_machine
    from dlbricks.store.types import SystemConfiguration

    of, here = target_of(settings.target), this_machine(settings.target)
    like_this = SystemConfiguration(
        system="",
        runtime=f"{of.runtime} {here.runtime}",
        provider=of.provider,
        threads=settings.threads,
        instruction_set=here.instruction_set,
    )
    chosen = choose_band(settings, like_this, Rule.PAIRS if options.pairs else Rule.SEQUENTIAL)
    return like_this.runtime, chosen.expected


def write_suite(  # noqa: PLR0913 - what a plan chooses and a terminal shows
    models: Sequence[str],
    out: Path | None,
    settings: SplitSettings,
    options: SuiteOptions,
    *,
    points: Sequence[Mapping[str, int]] = (),
    only: Collection[str] | None = None,
    progress: "Progress" = silent,
    tell: Callable[[str], None] = silent,
) -> "tuple[Suite, tuple[NetworkReport, ...], Path]":
    """Write a suite of networks at all ``points`` (extents of dimensions); return suite, reports and path.

    By default ``out`` is a folder named after the network. It is ``suite`` for several networks, and for suites that
    are meant for other people (packed or with decoys).
    """
    from dlbricks.model.read.decoders import network_name
    from dlbricks.suite.generate import generate as generate_suite
    from dlbricks.suite.generate import suite_path
    from dlbricks.validate.references import built_references

    # a suite of what is missing is read beside an earlier one, and a portable graph is not what a runtime executes
    executed = settings.target in {"onnxruntime-cpu", "onnxruntime-cuda"}
    references = built_references if executed and only is None else None
    # a dimension that no network has is an error before the first network is split
    with named(models, settings, tell) as paths:
        alone = len(paths) == 1 and not options.pack and not options.decoys
        if out is None:
            out = Path(f"{network_name(paths[0])}-suite" if alone else "suite")
        written = generate_suite(
            models,
            settings,
            options,
            out=out,
            points=points,
            only=only,
            build_references=references,
            progress=progress,
        )
    return *written, suite_path(out, options)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSuite:
    """A suite of those layer sequences of some networks that a system has not measured."""

    suite: Path | None
    """Path of the suite; None if nothing is missing."""
    plan: "Plan"
    configuration: "SystemConfiguration"
    reports: "tuple[NetworkReport, ...]" = ()


def plan(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: SuiteOptions,
    *,
    out: Path | None,
    points: Sequence[Mapping[str, int]] = (),
    progress: "Progress",
) -> PlannedSuite:
    """Write a suite of the layer sequences in some networks that a system has not measured yet.

    ``settings`` are those of the measured suites (``estimates.as_measured``). With decoys (public networks that hide
    which network is meant) the suite has all sequences, since gaps would identify the network.
    """
    from dlbricks.construct.coverage import suite_cost_ns, without
    from dlbricks.model.read.network import find_networks
    from dlbricks.suite.generate import suite_path
    from dlbricks.suite.manifest import MANIFEST

    paths = find_networks(models)
    missing, results = gap(paths, settings, query, options, points)
    if not missing.fingerprints:
        return PlannedSuite(suite=None, plan=missing, configuration=results.configuration)
    out = named_out(out, "the folder for the suite, as in -o plan")
    # an earlier plan may have been sent to somebody, and its result would not fit another suite
    if (written := suite_path(out, options)).is_file() or (written / MANIFEST).exists():
        raise InputError(f"{written} exists already: name another path with -o, or remove it")
    # a suite of only the missing sequences would tell its receiver which network the decoys hide
    only = None if options.decoys else missing.fingerprints
    fitting = [str(path) for path in paths if str(path) not in missing.coverage.left_out]
    suite, reports, place = write_suite(fitting, out, settings, options, points=points, only=only, progress=progress)
    missing = without(missing, {name: reason for report in reports for name, reason in report.left_out}, results)
    if options.decoys:  # decoys are measured, too
        missing = replace(missing, fingerprints=suite.sequences, cost_ns=suite_cost_ns(len(suite.sequences), results))
    return PlannedSuite(suite=place, plan=missing, configuration=results.configuration, reports=reports)


def gap(
    paths: Sequence[Path],
    settings: SplitSettings,
    query: SystemQuery,
    options: SuiteOptions,
    points: Sequence[Mapping[str, int]] | None = None,
) -> "tuple[Plan, SystemResults]":
    """Return what a system must still measure before some networks can be estimated, and what the system has measured.

    With ``points`` (extents of dimensions), the graphs by which decoders choose a token are included. Networks that
    cannot be split at one of the points are left out, and stated in the coverage.
    """
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.construct.coverage import plan_of
    from dlbricks.model.read.network import batch_of
    from dlbricks.suite.extraction import token_choices

    networks, samples = list[tuple[Path, "Split"]](), dict[tuple[Path, str, int], tuple[Path, "Split"]]()
    left_out = dict[str, str]()
    for point in points or ({},):
        at_point = settings.at(point)
        parts, without = split_files([path for path in paths if str(path) not in left_out], at_point)
        left_out |= without
        networks += parts.items()
        # only the decoders of dlbricks have networks that sample a token; each counts once for all lengths
        for path, part in parts.items() if points is not None and not options.decoys else ():
            for method, sample in token_choices(path, part.model, at_point).items():
                samples[path, method, batch_of(part.model)] = path, sample
    fitting = (part for path, part in (*networks, *samples.values()) if str(path) not in left_out)
    compositions = [compose(part, pairs=options.pairs) for part in fitting]
    results = stored(compositions, query)
    unions = {pair.fingerprint for composition in compositions for pair in composition.pairs}
    return plan_of(replace(cover(compositions, results), left_out=left_out), results, unions), results


def assumed_in(suite: str | Path) -> int:
    """Return how many benchmarks of a suite depend on synthetic values; raise ``InputError`` for other files."""
    from dlbricks.suite.manifest import read_suite

    return sum(benchmark.assumed for benchmark in read_suite(Path(suite)).benchmarks)


def run(
    suite: str | Path,
    out: str | Path,
    options: RunOptions | None = None,
    *,
    weights: Path | None = None,
    progress: "Callable[[RunProgress], None]" = silent,
    tell: Callable[[str], None] = silent,
) -> dict[str, Any]:
    """Measure a suite (a folder or archive) on this machine, write the result file, and return its content.

    ``weights`` is a folder for the weight files; ``tell`` gets remarks, as on synthetic values.
    Raises ``HarnessError`` if this machine cannot satisfy an option. A failed benchmark has a reason in the document.
    """
    from dlbricks.harness.run.runner import run_suite
    from dlbricks.suite.manifest import unpacked_suite

    # unpacking and reading count as time of the run
    begin_ns, options = time.perf_counter_ns(), options or RunOptions()
    with unpacked_suite(Path(suite)) as folder:
        assumed = assumed_in(folder)
        document = run_suite(folder, Path(out), options, progress, weights=weights, begin_ns=begin_ns, tell=tell)
    if assumed:
        what = "sizes, iterations or branches that depend on synthetic values of inputs"
        tell(f"{counted(assumed, 'benchmark')} with {what}: 'generate' lists the inputs; set them there with --value")
    return document
