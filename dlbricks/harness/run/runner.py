"""Runs a suite: from a folder to a result document, in worker processes, saved on the way."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import INTERRUPTED, MISSING, HarnessError
from ..machine.facts import available_bytes
from ..machine.memory import small_blocks_held
from ..options import RunOptions
from ..session import is_device
from ..values import clear_abandoned, ensure_weights
from .campaign import Campaign
from .loading import batches
from .progress import Progress, silent
from .setup import RunSetup, set_up
from .worker import to_json
from .worker_pool import WorkerDiedError, WorkerPool, refuse

_SCATTERED_BYTES = 4 << 20
"""As much as a TLB knows of single pages: what touches less in all need not lie in one piece, for which memory is held
that takes seconds to be had."""


def run_suite(  # noqa: PLR0913 - places and callbacks, by name
    suite_folder: Path,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = silent,
    *,
    weights: Path | None = None,
    hold_small_blocks: bool = True,
    begin_ns: int | None = None,
    between: Callable[[], int] = int,
) -> dict[str, Any]:
    """Measure a suite and write the result.

    Args:
        suite_folder: a suite as ``dlbricks generate`` writes it.
        out: result file; ``<stem>.partial.json`` in the same folder holds an unfinished run.
        options: of the run.
        report: called with the progress, between visits.
        weights: where weight files lie or are to be written; ``weights/`` of the suite by default.
        hold_small_blocks: whether to hold the small free blocks of memory; not where the caller does.
        begin_ns: when the budget began, by ``time.perf_counter_ns``; None for now.
        between: called between visits, for what is to be interleaved with them; gives the bytes of memory that it
            touched.

    Returns:
        The result document, as written.

    Raises:
        HarnessError: an option cannot be used, or the run was interrupted (exit code 130; what was measured
            is kept). Benchmarks that fail do not raise; their entries say why.
    """
    setup = set_up(suite_folder, out, options, begin_ns)
    weights = weights or suite_folder / "weights"
    ensure_weights(weights, setup.suite["weights"], int(setup.suite["seed"]))
    with _saved_on_failure(setup):
        small = sum(track.touched_bytes for track in setup.live if not track.is_reference) < _SCATTERED_BYTES
        memory = _memory(setup, held=options.smoke or small or not hold_small_blocks)
        with memory, _pool(setup, suite_folder, weights, options) as pool:
            _measure(setup, pool, options, report, between)
        document = setup.finish()
    setup.partial.unlink(missing_ok=True)
    clear_abandoned(setup.partial)
    return document


def _measure(
    setup: RunSetup,
    pool: WorkerPool,
    options: RunOptions,
    report: Callable[[Progress], None],
    between: Callable[[], int],
) -> None:
    """Time everything, then trace what is to be traced in the time that is left."""
    if is_device(setup.settings) and (queue := _queue(pool, options)):
        setup.head["queue"] = queue
    campaign = Campaign(
        pool,
        _measuring(options),
        setup.clock,
        around=setup.around,
        tracks=setup.live,
        report=report,
        save=setup.save,
        between=between,
    )
    jobs = _jobs(setup)
    campaign.run(_batches(setup, options, jobs), jobs)
    if options.trace:
        from ..trace.tracing import TraceRound

        queue = setup.head.get("queue", {})
        tracing = TraceRound(pool, options, setup.clock.now, queue=queue, report=report, save=setup.save)
        tracing.run(setup.live, setup.clock.before_ns + options.budget_ns if options.budget_ns else float("inf"))


def _measuring(options: RunOptions) -> RunOptions:
    """Give the options of the measuring itself: tracing gets a share of the budget."""
    if not options.trace or options.budget_ns is None:
        return options
    from ..trace.tracing import measuring_budget_ns

    return replace(options, budget_ns=measuring_budget_ns(options.budget_ns))


def _queue(pool: WorkerPool, options: RunOptions) -> dict[str, int]:
    """Measure constants of the device's queue in a worker of its own; this shows, too, whether the device works.

    Raises:
        HarnessError: it does not.
    """
    worker = pool.ready()
    try:
        reply = pool.ask(worker, {"op": "queue", "traced": False}, options.timeout_ns)
    except WorkerDiedError as died:
        raise HarnessError(f"the device cannot be measured: {died}", MISSING) from died
    finally:
        if worker.alive:
            pool.stop(worker)
    refuse(reply)
    queue: dict[str, int] = reply.get("queue", {})
    pool.tell(queue=queue)
    return queue


@contextlib.contextmanager
def _memory(setup: RunSetup, *, held: bool) -> Iterator[None]:
    """Let what is loaded find memory in one piece, and note how much is held for that; unless it is held already."""
    if held:
        yield
        return
    with small_blocks_held() as held_bytes:
        setup.facts["memory"]["held_bytes"] = held_bytes
        yield


@contextlib.contextmanager
def _pool(setup: RunSetup, folder: Path, weights: Path, options: RunOptions) -> Iterator[WorkerPool]:
    pool = WorkerPool(
        {
            "folder": str(folder.absolute()),
            "weights": str(weights.absolute()),
            "settings": to_json(setup.settings),
            "seed": setup.suite["seed"],
            "memory_limit_bytes": options.memory_limit_bytes,
        }
    )
    try:
        yield pool
    finally:
        pool.stop_all()


@contextlib.contextmanager
def _saved_on_failure(setup: RunSetup) -> Iterator[None]:
    """Keep what was measured when the run ends early; turn Ctrl-C and a request to terminate into one line."""
    main = threading.current_thread() is threading.main_thread()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.getsignal(number) for number in numbers]
    if main:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        if main:
            for number in numbers:
                signal.signal(number, signal.SIG_IGN)
        setup.save()
        kept = f"add --resume to go on from {setup.partial}" if setup.partial.exists() else "nothing was measured yet"
        raise HarnessError(f"interrupted; {kept}", INTERRUPTED) from None
    except HarnessError:
        with contextlib.suppress(HarnessError):
            setup.save()
        raise
    finally:
        if main:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _jobs(setup: RunSetup) -> int:
    """Give the number of workers that load at the same time: as many as there are processors for, one on a device."""
    if setup.head["runtime"]["provider"] != "cpu":
        return 1
    return max(1, min(4, int(setup.facts["cpu"]["usable"]) // setup.settings.threads))


def _batches(setup: RunSetup, options: RunOptions, jobs: int) -> list[list[list[Mapping[str, Any]]]]:
    """Plan by the memory of the machine; that of a device is measured while it fills (``Loader.postponed``)."""
    return batches(
        setup.chosen,
        available_bytes(),
        threads=options.threads,
        workers=jobs,
        worker_bytes=options.memory_limit_bytes,
        device=is_device(setup.settings),
        shared_pool=setup.settings.shared_pool,
    )
