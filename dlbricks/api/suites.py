"""Suites: write them, plan what a system has left to measure, run them, and submit the results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dlbricks.api.estimates import open_store, stored
from dlbricks.api.networks import split_files
from dlbricks.harness.options import RunOptions
from dlbricks.settings import SplitSettings, SuiteOptions, SystemQuery

if TYPE_CHECKING:
    from dlbricks.construct.coverage import Plan
    from dlbricks.sequences.types import Split
    from dlbricks.store.types import SubmissionReceipt, SystemConfiguration, SystemResults
    from dlbricks.suite.generate import Progress
    from dlbricks.suite.manifest import NetworkReport, Suite


def generate(
    networks: Sequence[str | Path],
    out: str | Path,
    settings: SplitSettings | None = None,
    options: SuiteOptions | None = None,
) -> "Suite":
    """Write a suite of the unique layer sequences of some networks.

    Args:
        networks: files, folders or globs.
        out: folder of the suite; an existing suite is replaced.

    Raises:
        InputError: no network can be used or has a given dimension, or the folder holds something other than a suite.
    """
    from dlbricks.model.read.dimensions import check_given
    from dlbricks.model.read.network import find_networks
    from dlbricks.passes.user import applied
    from dlbricks.suite.generate import generate as generate_suite

    paths, settings = [str(path) for path in networks], settings or SplitSettings()
    files = find_networks(paths)
    # passes may add the dimensions that the user binds, so they run first
    with applied(files, settings.passes):
        check_given(files, settings.dims, settings.values)
        return generate_suite(paths, settings, options, out=Path(out))[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSuite:
    """A planned suite: the sequences of some networks that a system has not measured."""

    suite: Path | None
    """Path of the suite; None if nothing is missing."""
    plan: "Plan"
    configuration: "SystemConfiguration"
    reports: "tuple[NetworkReport, ...]" = ()
    """Reports on the networks of the suite."""


def plan(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: SuiteOptions,
    *,
    out: Path,
    points: Sequence[Mapping[str, int]] = (),
    progress: "Progress",
) -> PlannedSuite:
    """Write the smallest suite of all sequences of networks that a system has not measured.

    The settings are those of the measured suites (``estimates.as_measured``). With decoys the suite has all sequences,
    since gaps would identify the network.
    """
    from dlbricks.construct.coverage import suite_cost_ns, without
    from dlbricks.suite.generate import generate as generate_suite
    from dlbricks.suite.generate import suite_path

    missing, results = gap(models, settings, query, options, points)
    if not missing.fingerprints:
        return PlannedSuite(suite=None, plan=missing, configuration=results.configuration)
    # a suite of only the missing sequences would tell its receiver which network the decoys hide
    only = None if options.decoys else missing.fingerprints
    suite, reports = generate_suite(models, settings, options, out=out, points=points, only=only, progress=progress)
    missing = without(missing, {name: reason for report in reports for name, reason in report.left_out}, results)
    if options.decoys:  # decoys are measured, too
        missing = replace(missing, fingerprints=suite.sequences, cost_ns=suite_cost_ns(len(suite.sequences), results))
    return PlannedSuite(
        suite=suite_path(out, options), plan=missing, configuration=results.configuration, reports=reports
    )


def gap(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: SuiteOptions,
    points: Sequence[Mapping[str, int]] | None = None,
) -> "tuple[Plan, SystemResults]":
    """Return what a system lacks of networks, and what it has; with ``points`` also of choosing a token."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.construct.coverage import plan_of, unions_of
    from dlbricks.model.read.network import batch_of, find_networks
    from dlbricks.suite.extraction import token_choices

    networks, samples = list["Split"](), dict[tuple[Path, str, int], "Split"]()
    for point in points or ({},):
        at_point = settings.at(point)
        paths = find_networks(models)
        parts = split_files(paths, at_point, memory_bytes=options.memory_bytes)
        networks += parts
        # only the decoders of dlbricks have networks that sample a token; each counts once for all lengths
        for path, part in zip(paths, parts, strict=True) if points is not None and not options.decoys else ():
            for method, sample in token_choices(path, part.model, at_point).items():
                samples[path, method, batch_of(part.model)] = sample
    compositions = [compose(part, pairs=options.pairs) for part in (*networks, *samples.values())]
    results = stored(compositions, query)
    return plan_of(cover(compositions, results), results, unions_of(compositions)), results


def run(suite: str | Path, out: str | Path, options: RunOptions | None = None) -> dict[str, Any]:
    """Measure a suite (a folder or archive) on this machine, write the result, and return the document.

    Raises ``HarnessError`` if this machine cannot satisfy an option. The entry of a failed benchmark has the reason.
    """
    from dlbricks.harness.run.runner import run_suite
    from dlbricks.suite.manifest import read_suite, unpacked_suite

    with unpacked_suite(Path(suite)) as folder:
        read_suite(folder)
        return run_suite(folder, Path(out), options or RunOptions())


def submit(result: str | Path, *, suite: str | Path | None = None, store: str | None = None) -> "SubmissionReceipt":
    """Check a result and add it to a store; submitting the same result again changes nothing.

    Args:
        result: result file of a run; a signature file (``.sig``) beside it must be valid.
        suite: the suite that was run, to register it in the store; None if it is registered already.
        store: URL of the store; None for the default store.

    Raises:
        CheckError: a rule of severity error is violated.
        InputError: the file or the store cannot be used.
    """
    from dlbricks.store.document import read_file
    from dlbricks.store.history import signature_of
    from dlbricks.store.submission import SubmitOptions
    from dlbricks.store.submission import submit as submit_result
    from dlbricks.suite.manifest import read_suite

    document, of = read_file(Path(result)), None if suite is None else read_suite(Path(suite))
    options = SubmitOptions(signature=signature_of(Path(result), document, None))
    with open_store(store, create=True) as opened:
        return submit_result(opened, document, suite=of, options=options)
