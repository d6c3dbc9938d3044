"""From networks to a suite folder: read and split each in a process of its own, merge, run references, write."""

import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

import onnx
import onnxruntime

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.harness.machine.facts import instruction_set
from dlbricks.model.read.dimensions import refuse_unknown
from dlbricks.model.read.network import find_networks
from dlbricks.sequences.types import Granularity
from dlbricks.suite.anchors import anchors
from dlbricks.suite.assemble import Reference, SuiteHead, assemble, merged
from dlbricks.suite.bricks import Brick
from dlbricks.suite.decoys import decoys as draw_decoys
from dlbricks.suite.decoys import merged as merged_statistics
from dlbricks.suite.harvest import Harvest, Order, harvest, without
from dlbricks.suite.nouns import ModelReport, Suite, Target
from dlbricks.suite.references import run_references
from dlbricks.suite.workers import Crashed, Workers
from dlbricks.suite.write import refuse_to_replace, write_suite

Progress = Callable[[str, int, int], None]
"""Called with a phase (``networks``, ``decoys``, ``references``), how many are done, and how many there are."""

_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")


def silent(_phase: str, _done: int, _total: int) -> None:
    """Report nothing."""


def generate(  # noqa: PLR0913  the options of the command; each has a meaning of its own
    paths: Sequence[str],
    *,
    out: Path,
    dims: Mapping[str, int] | None = None,
    granularity: Granularity,
    splitter: str = "block",
    target: str = "portable",
    threads: int = 1,
    decoys: int = 0,
    pairs: bool = False,
    jobs: int = 1,
    seed: int = 0,
    name: str = "suite",
    only: Collection[str] | None = None,
    choose: Callable[[Sequence[Brick]], Sequence[Brick]] | None = None,
    known: Mapping[str, Reference] | None = None,
    progress: Progress = silent,
) -> tuple[Suite, tuple[ModelReport, ...]]:
    """Split networks into unique layer sequences and write a suite of them.

    The suite is a function of the networks and the options; neither the order of the networks nor ``jobs`` matters.
    Several networks: those that are sound yet unsupported are left out and say why in their report. So are sequences
    that the runtime refuses when their references are made.

    Args:
        paths: files, folders or patterns.
        out: the suite folder; an older suite in its place is replaced.
        dims: extents of symbolic dimensions by name.
        granularity: H, the most layers in one sequence.
        splitter: where to cut.
        target: ``portable`` or ``onnxruntime-cpu``.
        threads: threads that lowered networks are made for.
        decoys: number of dummy networks mixed in.
        pairs: whether unions of adjacent sequences become benchmarks beside them, for composing by the rule ``pairs``.
        jobs: processes.
        seed: of weights, inputs and decoys.
        name: what the suite is called; it says nothing of the networks unless you make it.
        only: fingerprints to keep; None for all.
        choose: picks some of the bricks, each fingerprint once, sorted; None keeps all.
        known: references of an earlier run; one is kept where this machine agrees with it, so that rebuilding a suite
            elsewhere gives the same bytes.
        progress: told how far it is.

    Returns:
        The suite, and a report for each network, sorted by path.

    Raises:
        InputError: a path, a network, a name or the place of the suite cannot be used, or no network has a dimension
            of ``dims``.
        UnsupportedModelError: nothing is left that could be measured.
    """
    if _NAME.fullmatch(name) is None:
        raise InputError(f"'{name}' cannot name a suite: use up to 80 letters, digits, and any of . _ + -")
    refuse_to_replace(out.resolve())
    order = Order(
        path=Path(),
        dims=tuple(sorted((dims or {}).items())),
        granularity=granularity,
        splitter=splitter,
        target=target,
        threads=threads,
        only=None if only is None else frozenset(only),
        decoys=decoys > 0,
        pairs=pairs,
    )
    head = SuiteHead(name=name, granularity=str(granularity), splitter=splitter, target=_target(target), seed=seed)
    orders = [replace(order, path=path) for path in find_networks(paths)]
    refuse_unknown([one.path for one in orders], dims or {})
    with Workers(jobs) as workers:
        harvests = _harvest(workers, orders, progress, "networks")
        bricks = [brick for one in harvests for brick in one.bricks]
        if decoys:
            bricks += _decoy_bricks(workers, order, harvests, count=decoys, seed=seed, progress=progress)
        parts = merged(bricks)
        kept = (*anchors(), *(parts if choose is None else choose(parts)))
        references = run_references(workers, kept, seed, known or {}, partial(progress, "references"))
    refused = {fingerprint: one.note for fingerprint, one in references.items() if not one.ran}
    harvests = [without(one, refused) for one in harvests]
    _refuse_nothing(orders, harvests)
    kept = tuple(brick for brick in kept if brick.benchmark.fingerprint not in refused)
    suite = assemble(head, kept, references)
    write_suite(out, suite, {brick.benchmark.fingerprint: brick.network for brick in kept})
    return suite, tuple(one.report for one in harvests)


def _harvest(workers: Workers, orders: Sequence[Order], progress: Progress, phase: str) -> list[Harvest]:
    """Read every network, the largest file first, and give the harvests in the order of the orders."""
    by_size = sorted(range(len(orders)), key=lambda index: -orders[index].path.stat().st_size)
    made = workers.each(harvest, [orders[index] for index in by_size], lambda done: progress(phase, done, len(orders)))
    found: dict[int, Harvest] = {}
    for index, one in zip(by_size, made, strict=True):
        if isinstance(one, Crashed):
            raise InputError(f"{orders[index].path} crashed the process that read it: leave it out, and report it")
        found[index] = one
    harvests = [found[index] for index in range(len(orders))]
    _refuse_nothing(orders, harvests)
    return harvests


def _refuse_nothing(orders: Sequence[Order], harvests: Sequence[Harvest]) -> None:
    refused = [one.report for one in harvests if one.report.unsupported]
    if len(refused) == len(harvests):
        more = f" (and {len(refused) - 1} more networks cannot be used)" if len(refused) > 1 else ""
        raise UnsupportedModelError(refused[0].unsupported + more)
    if any(one.bricks for one in harvests):
        return
    where = ", ".join(str(order.path) for order in orders[:3])
    if orders[0].only is not None:
        raise UnsupportedModelError(f"none of the fingerprints asked for occurs in {where}")
    reasons = [reason for one in harvests for reason, _ in one.report.skipped]
    raise UnsupportedModelError(f"no layer of {where} can be measured: {reasons[0] if reasons else 'there is none'}")


def _decoy_bricks(
    workers: Workers, order: Order, harvests: Sequence[Harvest], *, count: int, seed: int, progress: Progress
) -> list[Brick]:
    networks = draw_decoys(merged_statistics([one.statistics for one in harvests]), count, seed)
    plain = replace(order, dims=(), only=None, decoys=False)
    with _files(networks) as paths:
        made = _harvest(workers, [replace(plain, path=path) for path in paths], progress, "decoys")
    return [brick for one in made for brick in one.bricks]


@contextmanager
def _files(networks: Sequence[onnx.ModelProto]) -> Iterator[list[Path]]:
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as folder:
        paths = [Path(folder) / f"{number}.onnx" for number in range(len(networks))]
        for path, network in zip(paths, networks, strict=True):
            path.write_bytes(network.SerializeToString())
        yield paths


def _target(name: str) -> Target:
    if name == "portable":
        return Target(name=name)
    return Target(name=name, runtime=onnxruntime.__version__, instruction_set=tuple(instruction_set()))
