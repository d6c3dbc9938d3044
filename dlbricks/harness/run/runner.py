"""Runs a suite in worker processes and writes the result file; an unfinished run is saved from time to time."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..errors import INTERRUPTED, MISSING, HarnessError
from ..machine.facts import available_bytes
from ..machine.memory import WHOLE_BLOCK_BYTES, small_blocks_held
from ..options import RunOptions
from ..session import is_device
from ..values import clear_abandoned, ensure_weights
from .campaign import Campaign
from .loading import batches
from .progress import Progress, silent
from .setup import RunSetup, set_up
from .worker import to_json
from .worker_pool import WorkerDiedError, WorkerPool, raise_error_of

# What a TLB covers in single pages: benchmarks that touch less in total do not need contiguous memory, which takes
# seconds to prepare.
_SCATTERED_BYTES = 4 << 20


def run_suite(  # noqa: PLR0913 - what a caller interleaves with a run
    suite_folder: Path,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = silent,
    *,
    weights: Path | None = None,
    begin_ns: int | None = None,
    between: Callable[[], int] = int,
    whole_bytes: int | None = None,
) -> dict[str, Any]:
    """Measure a suite and write the result.

    Args:
        suite_folder: a suite that ``dlbricks generate`` wrote.
        out: result file; ``<stem>.partial.json`` in the same folder holds an unfinished run.
        options: of the run.
        report: called with the progress, between visits.
        weights: folder of the weight files, which are written if needed; None for ``weights/`` of the suite.
        begin_ns: start of the budget by ``time.perf_counter_ns``; None for now.
        between: called between visits, for work that is interleaved with them; returns the bytes of memory that it
            touched.
        whole_bytes: size of the smallest blocks of free memory that are used; None for the usual one, and any for
            small suites.

    Returns:
        The result document, as written.

    Raises:
        HarnessError: an option cannot be used, or the run was interrupted (exit code 130; what was measured is saved).
            Benchmarks that fail do not raise; their entries hold the reason.
    """
    setup = set_up(suite_folder, out, options, begin_ns)
    weights = weights or suite_folder / "weights"
    ensure_weights(weights, setup.suite["weights"], int(setup.suite["seed"]))
    with _saved_on_failure(setup):
        small = sum(track.touched_bytes for track in setup.live if not track.is_reference) < _SCATTERED_BYTES
        with contextlib.ExitStack() as stack:
            if not options.smoke and (whole_bytes or not small):
                held = stack.enter_context(small_blocks_held(whole_bytes or WHOLE_BLOCK_BYTES))
                setup.facts["memory"]["held_bytes"] = held
            pool = stack.enter_context(_pool(setup, suite_folder, weights, options))
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
    """Measure all benchmarks, then trace them in the remaining time if traces are requested."""
    if is_device(setup.settings) and (queue := _queue(pool, options)):
        setup.head["queue"] = queue
    campaign = Campaign(
        pool,
        _measuring(options),
        setup.clock,
        distances=setup.distances,
        tracks=setup.live,
        report=report,
        save=setup.save,
        between=between,
    )
    jobs = _jobs(setup)
    # planned by host memory; the use of device memory is measured while loading (``Loader.postponed``)
    planned = batches(
        setup.chosen,
        available_bytes(),
        threads=options.threads,
        workers=jobs,
        worker_bytes=options.memory_limit_bytes,
        device=is_device(setup.settings),
        shared_pool=setup.settings.shared_pool,
    )
    campaign.run(planned, jobs)
    if options.trace:
        from ..trace.tracing import TraceRound

        queue = setup.head.get("queue", {})
        tracing = TraceRound(pool, options, setup.clock.now, queue=queue, report=report, save=setup.save)
        tracing.run(setup.live, setup.clock.before_ns + options.budget_ns if options.budget_ns else float("inf"))


def _measuring(options: RunOptions) -> RunOptions:
    """Return the options for measuring, without the share of the budget that is kept for tracing."""
    if not options.trace or options.budget_ns is None:
        return options
    from ..trace.tracing import measuring_budget_ns

    return replace(options, budget_ns=measuring_budget_ns(options.budget_ns))


def _queue(pool: WorkerPool, options: RunOptions) -> dict[str, int]:
    """Measure constants of the device's queue in a worker of its own.

    Raises:
        HarnessError: the device cannot be used.
    """
    worker = pool.start_and_wait()
    try:
        reply = pool.ask(worker, {"op": "queue", "traced": False}, options.timeout_ns)
    except WorkerDiedError as died:
        raise HarnessError(f"the device cannot be measured: {died}", MISSING) from died
    finally:
        if worker.alive:
            pool.stop(worker)
    raise_error_of(reply)
    queue: dict[str, int] = reply.get("queue", {})
    pool.add_to_first_request(queue=queue)
    return queue


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
    """Save what was measured if the run ends early; report SIGINT and SIGTERM in one line."""
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
        advice = f"add --resume to continue {setup.partial}" if setup.partial.exists() else "nothing was measured yet"
        raise HarnessError(f"interrupted; {advice}", INTERRUPTED) from None
    except HarnessError:
        with contextlib.suppress(HarnessError):
            setup.save()
        raise
    finally:
        if main:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _jobs(setup: RunSetup) -> int:
    """Return the number of workers that load at the same time: limited by the processors, one on a device."""
    if setup.head["runtime"]["provider"] != "cpu":
        return 1
    return max(1, min(4, int(setup.facts["cpu"]["usable"]) // setup.settings.threads))
