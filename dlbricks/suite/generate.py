"""Generation of a suite: read and split networks in worker processes, merge benchmarks, run references, write."""

import random
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import onnx

from dlbricks.errors import CheckError, InputError, UnsupportedModelError
from dlbricks.model.read.decoders import PAST, network_name
from dlbricks.model.read.network import find_networks
from dlbricks.model.types import provider_of
from dlbricks.sequences.types import Granularity
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors
from dlbricks.suite.cluster import DaskWorkers
from dlbricks.suite.cover import extract_covers, outline_of, without_counts
from dlbricks.suite.decoys import decoys as draw_decoys
from dlbricks.suite.decoys import merge_statistics
from dlbricks.suite.extraction import FREE, Extraction, ExtractionTask, extract_benchmarks, without
from dlbricks.suite.manifest import COMMON_DIMENSIONS, Benchmark, NetworkReport, Suite
from dlbricks.suite.references import run_references
from dlbricks.suite.workers import Crashed, Workers
from dlbricks.suite.writing import SuiteHead, assemble, merge_benchmarks, refuse_to_replace, target_here, write_suite

Progress = Callable[[str, int, int], None]
"""Called with phase (``networks``, ``decoys``, ``references`` ...), number of finished items, and total."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")
_COVER_NEEDS = "--cover needs --cover-from DIR of public networks, an H that cuts networks up (not inf), and no --pairs"


def silent(_phase: str, _done: int, _total: int) -> None:
    """Report nothing."""


def generate(  # noqa: PLR0913  the options of the command
    paths: Sequence[str],
    *,
    out: Path,
    dims: Mapping[str, int] | None = None,
    points: Sequence[Mapping[str, int]] = (),
    batch: int | None = None,
    granularity: Granularity,
    splitter: str = "block",
    target: str = "portable",
    threads: int = 1,
    decoys: int = 0,
    cover: int = 1,
    cover_from: Sequence[str] = (),
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
    known: Mapping[str, Benchmark] | None = None,
    progress: Progress = silent,
) -> tuple[Suite, tuple[NetworkReport, ...]]:
    """Split networks into unique layer sequences and write a suite of their benchmarks.

    The suite is a function of the networks and the options, independent of the order of the networks, ``jobs`` and
    ``dask`` (except for covers). Networks that cannot be used are left out, with the reason in their report, and so are
    sequences that the runtime cannot run.

    Args:
        paths: files, folders or patterns.
        out: the suite folder; an existing suite is replaced.
        dims: extents of symbolic dimensions by name; ``check_given`` refuses names that no network has.
        points: several sets of extents, for each of which the networks are split; equal sequences appear once.
        batch: batch size, also where a file fixes one; None for that of the files and ``dims``.
        granularity: H, the maximum number of layers in a sequence.
        splitter: name of the splitter.
        target: ``portable``, ``onnxruntime-cpu``, ``onnxruntime-cuda`` or ``openvino``.
        threads: threads that lowered networks are made for.
        decoys: number of decoys.
        cover: number of networks among which each is hidden, including itself; 1 for no cover. Covers are drawn
            randomly in each call, independent of ``seed``.
        cover_from: files, folders or patterns of the public networks that covers are drawn from.
        pairs: whether unions of adjacent sequences become benchmarks, too, for the composition rule ``pairs``.
        allow_values: names of layers that keep all their values; others keep only those that shapes depend on.
        jobs: number of worker processes.
        dask: address of a Dask cluster that reads the networks; empty for a local one of ``jobs`` processes, None for
            no Dask.
        memory_bytes: memory limit of a worker; by default the free memory of the machine.
        seed: of weights, inputs and decoys.
        name: of the suite, which its receivers see.
        only: fingerprints to include; None for all.
        strict: whether every network has to be usable.
        choose: selects benchmarks from the sorted unique ones; None keeps all.
        known: benchmarks of an earlier suite by fingerprint. Their references are reused if this machine's outputs
            agree with them, so that rebuilding a suite on another machine gives the same files.
        progress: called with the progress.

    Returns:
        The suite, and a report for each network, sorted by path.

    Raises:
        InputError: a path, the name or the folder of the suite cannot be used.
        UnsupportedModelError: no sequence can be measured.
        CheckError: a network cannot be used and ``strict`` is set; nothing is written.
    """
    _refuse_name(name)
    if cover > 1 and (granularity.limit is None or pairs or not cover_from):
        raise InputError(_COVER_NEEDS)
    refuse_to_replace(out.resolve())
    hidden = decoys > 0 or cover > 1
    task = ExtractionTask(
        path=Path(),
        dims=tuple(sorted((dims or {}).items())),
        batch=batch,
        granularity=granularity,
        splitter=splitter,
        target=target,
        threads=threads,
        only=None if only is None else frozenset(only),
        decoys=decoys > 0,
        pairs=pairs,
        allow_values=frozenset(allow_values),
        choosing=not hidden,
    )
    head = SuiteHead(
        name=name,
        granularity=str(granularity),
        splitter=splitter,
        target=target_here(target),
        seed=seed,
        dims={} if hidden else _common_extents(dims or {}, points),
        batch=0 if hidden else batch or 0,
    )
    found = find_networks(paths)
    tasks = [replace(one, path=path) for path in found for one in _at_points(task, points)]
    with ExitStack() as stack:
        if dask is None and any(PAST in one for one in points):  # the points of a decoder share its weights
            scratch = stack.enter_context(tempfile.TemporaryDirectory(prefix="dlbricks-"))
            folders = {path: tempfile.mkdtemp(dir=scratch) for path in found}
            tasks = [replace(one, scratch=folders[one.path]) for one in tasks]
        workers = stack.enter_context(Workers(jobs, apart=provider_of(target) == "cpu", memory_bytes=memory_bytes))
        readers = (
            workers
            if dask is None
            else stack.enter_context(DaskWorkers(dask, target=target, jobs=jobs, memory_bytes=memory_bytes))
        )
        extractions = _extract_all(readers, tasks, progress, "networks", strict=strict)
        benchmarks = [built for one in extractions for built in (*one.benchmarks, *one.choices)]
        if decoys:
            benchmarks += _decoy_benchmarks(workers, task, extractions, count=decoys, seed=seed, progress=progress)
        if cover > 1:
            others, extractions = _covered(workers, tasks, extractions, find_networks(cover_from), cover, progress)
            parts = without_counts(merge_benchmarks([*benchmarks, *others]))
        else:
            parts = merge_benchmarks(benchmarks)
        kept = (*anchors(), *(parts if choose is None else choose(parts)))
        report = partial(progress, "references")
        references = run_references(workers, kept, seed, known or {}, report, provider=provider_of(target))
    refused = {fingerprint: one.note for fingerprint, one in references.items() if not one.ran}
    extractions = [without(one, refused) for one in extractions]
    _refuse_nothing(tasks, extractions)
    kept = tuple(built for built in kept if built.benchmark.fingerprint not in refused)
    suite = assemble(head, kept, references)
    write_suite(out, suite, {built.benchmark.fingerprint: built.network for built in kept})
    return suite, tuple(one.report for one in extractions)


def _common_extents(dims: Mapping[str, int], points: Sequence[Mapping[str, int]]) -> dict[str, int]:
    """Return the extents that a suite discloses: those equal in all points, of dimensions with common names."""
    same = {key: value for key, value in sorted(dims.items()) if all(one.get(key) == value for one in points)}
    return {key: value for key, value in same.items() if key in COMMON_DIMENSIONS}


def _at_points(task: ExtractionTask, points: Sequence[Mapping[str, int]]) -> list[ExtractionTask]:
    """Return the task for each point, with its extents in the label; the task itself without points."""
    return [
        replace(
            task,
            dims=tuple(sorted(one.items())),
            label="".join(f" {name}={value}" for name, value in one.items()),
        )
        for one in points
    ] or [task]


def _refuse_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise InputError(f"'{name}' cannot name a suite: use up to 80 letters, digits, and any of . _ + -")


def _covered(
    workers: Workers,
    tasks: Sequence[ExtractionTask],
    extractions: Sequence[Extraction],
    public: Sequence[Path],
    least: int,
    progress: Progress,
) -> tuple[list[BuiltBenchmark], list[Extraction]]:
    """Draw covers; returns their benchmarks, and the extractions with reports of operators that no cover has."""
    drawn_from = [replace(tasks[0], path=path, only=None, decoys=False) for path in public]
    draw = random.SystemRandom()
    others = extract_covers(workers, tasks, extractions, drawn_from, least=least, draw=draw, progress=progress)
    return [built for one in others for built in one.benchmarks], [_uncovered(one, others) for one in extractions]


def _uncovered(extraction: Extraction, others: Sequence[Extraction]) -> Extraction:
    """Add the operators that no cover has to the report, since they identify the network."""
    rare = outline_of(extraction).operators.difference(*(outline_of(one).operators for one in others))
    return replace(extraction, report=replace(extraction.report, uncovered=tuple(sorted(rare))))


def _extract_all(
    workers: Workers | DaskWorkers,
    tasks: Sequence[ExtractionTask],
    progress: Progress,
    phase: str,
    *,
    strict: bool = False,
) -> list[Extraction]:
    """Extract all networks, the largest files first; returns the extractions in the order of the tasks."""
    by_size = sorted(range(len(tasks)), key=lambda index: -tasks[index].path.stat().st_size)
    made = workers.each(
        extract_benchmarks, [tasks[index] for index in by_size], lambda done: progress(phase, done, len(tasks))
    )
    found: dict[int, Extraction] = {}
    for index, one in zip(by_size, made, strict=True):
        if isinstance(one, Crashed):
            path = tasks[index].path
            reason = f"{path} {one.reason}"
            found[index] = Extraction(report=NetworkReport(network=network_name(path), unsupported=reason))
        else:
            found[index] = one
    extractions = [found[index] for index in range(len(tasks))]
    _refuse_nothing(tasks, extractions)
    if strict:
        _refuse_any(extractions)
    return extractions


def _refuse_any(extractions: Sequence[Extraction]) -> None:
    reasons = [one.report.unsupported for one in extractions if one.report.unsupported]
    if reasons:
        raise CheckError(f"{len(reasons)} of {len(extractions)} networks cannot be used (--strict): {reasons[0]}")


def _refuse_nothing(tasks: Sequence[ExtractionTask], extractions: Sequence[Extraction]) -> None:
    refused = [one.report for one in extractions if one.report.unsupported]
    if len(refused) == len(extractions):
        more = f" (and {len(refused) - 1} more networks cannot be used)" if len(refused) > 1 else ""
        raise UnsupportedModelError(refused[0].unsupported + more)
    if any(one.benchmarks or one.choices for one in extractions):
        return
    where = ", ".join(str(task.path) for task in tasks[:3])
    reasons = [reason for one in extractions for _, reason in one.report.left_out]
    if tasks[0].only is not None and not reasons:
        raise UnsupportedModelError(f"none of the requested fingerprints occurs in {where}")
    reasons += [reason for one in extractions for reason, _ in one.report.skipped]
    reasons.sort(key=lambda reason: reason == FREE)
    reasons.append("its outputs are constants or inputs")
    what = "no layer" if tasks[0].only is None else "no sequence that is asked for"
    raise UnsupportedModelError(f"{what} of {where} can be measured: {reasons[0]}")


def _decoy_benchmarks(
    workers: Workers,
    task: ExtractionTask,
    extractions: Sequence[Extraction],
    *,
    count: int,
    seed: int,
    progress: Progress,
) -> list[BuiltBenchmark]:
    networks = draw_decoys(merge_statistics([one.statistics for one in extractions]), count, seed)
    plain = replace(task, dims=(), batch=None, only=None, decoys=False)
    with _files(networks) as paths:
        made = _extract_all(workers, [replace(plain, path=path) for path in paths], progress, "decoys")
    return [built for one in made for built in one.benchmarks]


@contextmanager
def _files(networks: Sequence[onnx.ModelProto]) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        paths = [Path(folder) / f"{number}.onnx" for number in range(len(networks))]
        for path, network in zip(paths, networks, strict=True):
            path.write_bytes(network.SerializeToString())
        yield paths
