"""Generation of a suite: read and split networks in worker processes, merge benchmarks, run references, write."""

import re
import tempfile
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path

from dlbricks.errors import CheckError, InputError, UnsupportedModelError
from dlbricks.model.lowering.targets import provider_of
from dlbricks.model.read.decoders import PAST, network_name
from dlbricks.model.read.network import find_networks
from dlbricks.sequences.types import Granularity
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.cluster import DaskWorkers
from dlbricks.suite.extraction import FREE, Extraction, ExtractionTask, extract_benchmarks, without
from dlbricks.suite.manifest import COMMON_DIMENSIONS, Benchmark, NetworkReport, Suite
from dlbricks.suite.references import run_references
from dlbricks.suite.workers import Crashed, Workers
from dlbricks.suite.writing import SuiteHead, assemble, merge_benchmarks, refuse_to_replace, target_here, write_suite

Progress = Callable[[str, int, int], None]
"""Called with phase (``networks``, ``references`` ...), number of finished items, and total."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")


def silent(_phase: str, _done: int, _total: int) -> None:
    """Report nothing."""


def generate(  # noqa: PLR0913  the options of the command
    paths: Sequence[str],
    *,
    out: Path,
    points: Sequence[Mapping[str, int]] = ({},),
    batch: int | None = None,
    granularity: Granularity,
    splitter: str = "block",
    target: str = "portable",
    threads: int = 1,
    decoys: Sequence[str] = (),
    pairs: bool = False,
    allow_values: Collection[str] = (),
    jobs: int = 1,
    dask: str | None = None,
    memory_bytes: int | None = None,
    seed: int = 0,
    name: str = "suite",
    only: Collection[str] | None = None,
    strict: bool = False,
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
        out: the suite folder; an existing suite is replaced.
        points: extents of symbolic dimensions by name, or several sets of them, for each of which the networks are
            split; equal sequences appear once. ``check_given`` refuses names that no network has.
        batch: batch size, also where a file fixes one; None for that of the files and ``points``.
        granularity: H, the maximum number of layers in a sequence.
        splitter: name of the splitter.
        target: ``portable``, ``onnxruntime-cpu``, ``onnxruntime-cuda`` or ``openvino``.
        threads: threads that lowered networks are made for.
        decoys: files, folders or patterns of public networks that are split like ``paths``, so that the suite does not
            disclose which networks are meant.
        pairs: whether unions of adjacent sequences become benchmarks, too, for the composition rule ``pairs``.
        allow_values: names of layers that keep all their values; others keep only those that shapes depend on.
        jobs: number of worker processes.
        dask: address of a Dask cluster that reads the networks; empty for a local one of ``jobs`` processes, None for
            no Dask.
        memory_bytes: memory limit of a worker; by default the free memory of the machine.
        seed: of weights and inputs.
        name: of the suite, which its receivers see.
        only: fingerprints to include; None for all.
        strict: whether every network has to be usable.
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
    _refuse_name(name)
    refuse_to_replace(out.resolve())
    task = ExtractionTask(
        path=Path(),
        dims=(),
        batch=batch,
        granularity=granularity,
        splitter=splitter,
        target=target,
        threads=threads,
        only=None if only is None else frozenset(only),
        pairs=pairs,
        allow_values=frozenset(allow_values),
        choosing=not decoys,  # only own decoders have such benchmarks: they would tell which network is meant
    )
    head = SuiteHead(
        name=name,
        granularity=str(granularity),
        splitter=splitter,
        target=target_here(target),
        seed=seed,
        # extents of the own networks would tell which shapes are theirs
        dims={} if decoys else _common_extents(points),
        batch=0 if decoys else batch or 0,
    )
    own = find_networks(paths)
    all_paths = (*own, *(path for path in find_networks(decoys) if path not in own))
    tasks = [replace(at_point, path=path) for path in all_paths for at_point in _at_points(task, points)]
    own_count = len(own) * len(points)
    with ExitStack() as stack:
        if dask is None and any(PAST in point for point in points[1:]):  # the points of a decoder share its weights
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="dlbricks-"))
            folders = {path: tempfile.mkdtemp(dir=scratch) for path in all_paths}
            tasks = [replace(at_point, scratch=folders[at_point.path]) for at_point in tasks]
        workers = stack.enter_context(Workers(jobs, apart=provider_of(target) == "cpu", memory_bytes=memory_bytes))
        readers = (
            workers
            if dask is None
            else stack.enter_context(DaskWorkers(dask, target=target, jobs=jobs, memory_bytes=memory_bytes))
        )
        extractions = _extract_all(readers, tasks, progress)
        _refuse_nothing(tasks, extractions[:own_count])
        if strict:
            _refuse_any(extractions)
        parts = merge_benchmarks(built for part in extractions for built in (*part.benchmarks, *part.choices))
        chosen = (*anchors(), *(parts if choose is None else choose(parts)))
        report = partial(progress, "references")
        references = run_references(workers, chosen, seed, earlier or {}, report, provider=provider_of(target))
    refused = {fingerprint: reference.note for fingerprint, reference in references.items() if not reference.ran}
    extractions = [without(extraction, refused) for extraction in extractions]
    _refuse_nothing(tasks, extractions[:own_count])
    chosen = tuple(built for built in chosen if built.benchmark.fingerprint not in refused)
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
            dims=tuple(sorted(point.items())),
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
