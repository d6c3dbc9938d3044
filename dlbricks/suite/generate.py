"""Generation of a suite: read and split networks in worker processes, merge benchmarks, run references, write."""

import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from dlbricks.errors import CheckError, InputError, UnsupportedModelError
from dlbricks.model.lowering.targets import provider_of
from dlbricks.model.read.decoders import PAST, network_name
from dlbricks.model.read.network import find_networks
from dlbricks.passes.user import pass_of
from dlbricks.process_pool import Crashed, Workers
from dlbricks.sequences.types import Granularity
from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.cluster import DaskWorkers
from dlbricks.suite.extraction import FREE, Extraction, ExtractionTask, extract_benchmarks, without
from dlbricks.suite.manifest import COMMON_DIMENSIONS, Benchmark, NetworkReport, Suite
from dlbricks.suite.references import run_references
from dlbricks.suite.writing import SuiteHead, assemble, merge_benchmarks, refuse_to_replace, target_here, write_suite

Progress = Callable[[str, int, int], None]
"""Called with phase (``networks``, ``references`` ...), number of finished items, and total."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")


def silent(_phase: str, _done: int, _total: int) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """Settings of a suite besides those of the split."""

    name: str = "suite"
    """Name of the suite, which its receivers see."""
    seed: int = 0
    """Seed of weights and inputs."""
    decoys: tuple[str, ...] = ()
    """Files, folders or patterns of public networks that are split, too, so that the suite does not disclose which
    networks are meant."""
    pairs: bool = False
    """Whether unions of adjacent sequences become benchmarks, too, for the composition rule ``pairs``."""
    strict: bool = False
    """Whether every network has to be usable."""
    pack: bool = False
    """Whether the suite becomes one packed file (``api.suites.write_suite``)."""
    jobs: int = 1
    """Number of worker processes."""
    dask: str | None = None
    """Address of a Dask cluster that reads the networks; empty for a local one of ``jobs`` processes, None for none."""
    memory_bytes: int | None = None
    """Memory limit of a worker; None for the free memory of the machine."""


def generate(  # noqa: PLR0913  a suite that is chosen from, rebuilt or planned
    paths: Sequence[str],
    settings: SplitSettings,
    options: SuiteOptions | None = None,
    *,
    out: Path,
    points: Sequence[Mapping[str, int]] = (),
    only: Collection[str] | None = None,
    choose: Callable[[Sequence[BuiltBenchmark]], Sequence[BuiltBenchmark]] | None = None,
    earlier: Mapping[str, Benchmark] | None = None,
    progress: Progress = silent,
) -> tuple[Suite, tuple[NetworkReport, ...]]:
    """Split networks into unique layer sequences and write a suite of their benchmarks.

    The suite is a function of the networks and the options, independent of the order of the networks, ``jobs`` and
    ``dask``. Networks that cannot be used are left out, with the reason in their report, and so are sequences that the
    runtime cannot run.

    Args:
        paths: files, folders or patterns.
        settings: of the split. ``check_given`` refuses extents of names that no network has.
        options: of the suite; None for the defaults.
        out: the suite folder; an existing suite is replaced.
        points: several sets of extents, for each of which the networks are split; equal sequences appear once.
        only: fingerprints to include; None for all.
        choose: selects benchmarks from the sorted unique ones; None keeps all.
        earlier: benchmarks of an earlier suite by fingerprint. Their references are reused if this machine's outputs
            agree with them, so that rebuilding a suite on another machine gives the same files.
        progress: called with the progress.

    Returns:
        The suite, and a report for each network: sorted by path, decoys last.

    Raises:
        InputError: a path, the name or the folder of the suite cannot be used.
        UnsupportedModelError: no sequence of ``paths`` can be measured.
        CheckError: a network cannot be used and ``strict`` is set; nothing is written.
    """
    options = options or SuiteOptions()
    _refuse_name(options.name)
    refuse_to_replace(out.resolve())
    # both refuse settings before networks are read, which may take long
    settings = replace(settings, granularity=str(Granularity.parse(settings.granularity)))
    target_here(settings.target)
    for name in settings.passes:
        pass_of(name)
    points = points or (settings.dims,)
    task = ExtractionTask(
        path=Path(),
        settings=settings,
        only=None if only is None else frozenset(only),
        pairs=options.pairs,
        choosing=not options.decoys,  # only own decoders have such benchmarks: they would tell which network is meant
    )
    # extents of the own networks would tell which shapes are theirs
    disclosed = settings.without_extents() if options.decoys else replace(settings, dims=_common_extents(points))
    own = find_networks(paths)
    all_paths = (*own, *(path for path in find_networks(options.decoys) if path not in own))
    tasks = [replace(at_point, path=path) for path in all_paths for at_point in _at_points(task, points)]
    own_count = len(own) * len(points)
    # passes are for the own networks: public ones may lack what they look for
    tasks[own_count:] = [replace(task, settings=replace(task.settings, passes=())) for task in tasks[own_count:]]
    apart, memory_bytes = provider_of(settings.target) == "cpu", options.memory_bytes
    with ExitStack() as stack:
        # the points of a decoder share its weights
        if options.dask is None and any(PAST in point for point in points[1:]):
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="dlbricks-"))
            folders = {path: Path(tempfile.mkdtemp(dir=scratch)) for path in all_paths}
            tasks = [replace(at_point, scratch=folders[at_point.path]) for at_point in tasks]
        workers = stack.enter_context(Workers(options.jobs, apart=apart, memory_bytes=memory_bytes))
        readers: Workers | DaskWorkers = workers
        if options.dask is not None:
            cluster = DaskWorkers(
                options.dask, target=settings.target, jobs=options.jobs, memory_bytes=options.memory_bytes
            )
            readers = stack.enter_context(cluster)
        extractions = _extract_all(readers, tasks, progress)
        _refuse_nothing(tasks, extractions[:own_count])
        if options.strict:
            _refuse_any(extractions)
        parts = merge_benchmarks(built for part in extractions for built in (*part.benchmarks, *part.choices))
        chosen = (*anchors(), *(parts if choose is None else choose(parts)))
        report = partial(progress, "references")
        references = run_references(
            workers, chosen, options.seed, earlier or {}, report, provider=provider_of(settings.target)
        )
    refused = {fingerprint: reference.note for fingerprint, reference in references.items() if not reference.ran}
    extractions = [without(extraction, refused) for extraction in extractions]
    _refuse_nothing(tasks, extractions[:own_count])
    chosen = tuple(built for built in chosen if built.benchmark.fingerprint not in refused)
    head = SuiteHead(name=options.name, settings=disclosed, seed=options.seed)
    suite = assemble(head, chosen, references)
    write_suite(out, suite, {built.benchmark.fingerprint: built.network for built in chosen})
    return suite, tuple(extraction.report for extraction in extractions)


def _common_extents(points: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the extents that a suite discloses: those equal in all points, of dimensions with common names."""
    return {
        key: value
        for key, value in sorted(points[0].items())
        if key in COMMON_DIMENSIONS and all(point.get(key) == value for point in points)
    }


def _at_points(task: ExtractionTask, points: Sequence[Mapping[str, int]]) -> list[ExtractionTask]:
    """Return the task for each point, with its extents in the label if there are several."""
    return [
        replace(
            task,
            settings=replace(task.settings, dims=point),
            label="".join(f" {name}={value}" for name, value in point.items()) if len(points) > 1 else "",
        )
        for point in points
    ]


def _refuse_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InputError(f"'{name}' cannot name a suite: use up to 80 letters, digits, and any of . _ + -")


def _extract_all(
    workers: Workers | DaskWorkers, tasks: Sequence[ExtractionTask], progress: Progress
) -> list[Extraction]:
    """Extract all networks, the largest files first; returns the extractions in the order of the tasks."""
    # a large network that starts last would be read alone, while the other workers wait
    by_size = sorted(range(len(tasks)), key=lambda index: -tasks[index].path.stat().st_size)
    results = workers.each(
        extract_benchmarks, [tasks[index] for index in by_size], lambda done: progress("networks", done, len(tasks))
    )
    extractions: dict[int, Extraction] = {}
    for index, result in zip(by_size, results, strict=True):
        if isinstance(result, Crashed):
            path = tasks[index].path
            reason = f"{path} {result.reason}"
            result = Extraction(report=NetworkReport(network=network_name(path), unsupported=reason))  # noqa: PLW2901
        extractions[index] = result
    return [extractions[index] for index in range(len(tasks))]


def _refuse_any(extractions: Sequence[Extraction]) -> None:
    reasons = [extraction.report.unsupported for extraction in extractions if extraction.report.unsupported]
    if reasons:
        raise CheckError(f"{len(reasons)} of {len(extractions)} networks cannot be used (--strict): {reasons[0]}")


def _refuse_nothing(tasks: Sequence[ExtractionTask], extractions: Sequence[Extraction]) -> None:
    refused = [extraction.report for extraction in extractions if extraction.report.unsupported]
    if len(refused) == len(extractions):
        more = f" (and {len(refused) - 1} more networks cannot be used)" if len(refused) > 1 else ""
        raise UnsupportedModelError(refused[0].unsupported + more)
    if any(extraction.benchmarks or extraction.choices for extraction in extractions):
        return
    where = ", ".join(str(task.path) for task in tasks[:3])
    reasons = [reason for extraction in extractions for _, reason in extraction.report.left_out]
    if tasks[0].only is not None and not reasons:
        raise UnsupportedModelError(f"none of the requested fingerprints occurs in {where}")
    reasons += [reason for extraction in extractions for reason, _ in extraction.report.skipped]
    reasons.sort(key=lambda reason: reason == FREE)
    reasons.append("its outputs are constants or inputs")
    what = "no layer" if tasks[0].only is None else "no sequence that is asked for"
    raise UnsupportedModelError(f"{what} of {where} can be measured: {reasons[0]}")
