"""Runs a suite in worker processes and writes the result file.

All checks precede the first measurement. An unfinished run is saved from time to time.
"""

import contextlib
import json
import math
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..cache_state import CacheDistances, cache_distances, is_cold
from ..cpu import benchmarks_for, instruction_set, usable_processors
from ..errors import INTERRUPTED, MISSING, HarnessError
from ..machine import WHOLE_BLOCK_BYTES, GpuMonitor, available_bytes, small_blocks_held, system_facts, system_name
from ..options import RunOptions, check_levels
from ..session import SessionSettings, backend, check_settings, check_target, session_settings, with_shared_pool
from ..values import ensure_weights
from .campaign import Campaign
from .files import (
    assemble,
    find_unfinished,
    load_suite,
    partial_path,
    read_unfinished,
    select,
    write_json,
)
from .loading import batches
from .progress import Clock, Progress, silent
from .schedule import BenchmarkState
from .worker import first_request
from .worker_pool import START_TIMEOUT_NS, WorkerDiedError, WorkerPool, raise_error_of

# Most threads per usable processor.
MOST_THREADS_EACH = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetup:
    """A run that is ready to start; measuring updates ``tracks``."""

    out: Path
    """Result file."""
    suite: Mapping[str, Any]
    """Content of ``suite.json``."""
    chosen: tuple[Mapping[str, Any], ...]
    """Benchmarks to measure, by falling importance, without those that calibrate the run."""
    settings: SessionSettings
    distances: CacheDistances
    head: dict[str, Any]
    """The result document without its benchmarks."""
    tracks: Mapping[str, BenchmarkState]
    """State of every benchmark of the suite, by fingerprint."""
    clock: Clock
    unfinished: Path | None
    """File of the run that continues, or None."""

    def lacks_any(self, levels: str) -> bool:
        """Return whether a benchmark still needs a visit, a trace of ``levels``, or times of its kernels."""
        from ..trace.tracing import is_to_trace

        return any(
            track.status == "not run" or is_to_trace(track, levels) or (track.queue and "traced" not in track.queue)
            for track in self.live
            if track.status != "failed"
        )

    @property
    def live(self) -> list[BenchmarkState]:
        """States of the benchmarks to measure: the chosen ones, and those that calibrate the run."""
        wanted = {benchmark["fingerprint"] for benchmark in self.chosen}
        return [track for track in self.tracks.values() if track.is_reference or track.fingerprint in wanted]

    def save(self) -> None:
        """Save the measurements so far, so that the run can be resumed."""
        if any(track.visits for track in self.tracks.values()):
            write_json(partial_path(self.out), self._document(verdicts=False))

    def finish(self) -> dict[str, Any]:
        """Write the result document and return it."""
        self.head["system"]["facts_after"] = system_facts(backend(self.settings).device_number(self.settings))
        self.head["suite"]["manifest"] = self.suite
        document = self._document(verdicts=True)
        write_json(self.out, document)
        return document

    def _document(self, *, verdicts: bool) -> dict[str, Any]:
        tracks = self.tracks.values()
        timing = {"wall_ns": 0, "timed_ns": sum(track.timed_ns for track in tracks)}
        document = assemble(self.head, [track.entry() for track in tracks], timing, verdicts=verdicts)
        document["timing"]["wall_ns"] = self.clock.now()
        return document


def set_up(suite_folder: Path, out: Path, options: RunOptions, begin_ns: int | None = None) -> RunSetup:
    """Read and check suite and options, and continue an unfinished run; raises ``HarnessError`` for bad input."""
    # The run began at ``begin_ns`` by ``time.perf_counter_ns``, or begins now.
    begin_ns = time.perf_counter_ns() if begin_ns is None else begin_ns
    suite = load_suite(suite_folder)
    meant = [*benchmarks_for(suite, instruction_set())]
    chosen = sorted(
        select({**suite, "benchmarks": meant}, options.only), key=lambda benchmark: -benchmark["importance"]
    )
    settings = session_settings(options)
    check_settings(settings)
    usable = usable_processors()
    if settings.threads > MOST_THREADS_EACH * usable:
        raise HarnessError(
            f"--threads {settings.threads} is too many for the usable processors ({usable}): use at most as many"
        )
    settings = with_shared_pool(settings)
    check_target(suite["target"], settings, f"suite {suite['name']}")
    check_levels(options.trace)
    unfinished = find_unfinished(out, resume=options.resume, force=options.force)
    head = _head(suite, options, settings)
    distances = cache_distances(
        head["system"]["facts_before"]["cpu"]["caches"],
        cold=head["runtime"]["provider"] == "cpu",
        sharing=settings.sharing,
    )
    tracks = {
        benchmark["fingerprint"]: BenchmarkState(benchmark=benchmark, cold=is_cold(benchmark["role"], distances))
        for benchmark in meant
    }
    wanted = {benchmark["fingerprint"] for benchmark in chosen}
    for fingerprint, track in tracks.items():
        if fingerprint not in wanted and not track.is_reference:
            track.reason = "not chosen by --only"
    before_ns = _restore(unfinished, head, tracks) if unfinished else 0
    return RunSetup(
        out=out,
        suite=suite,
        chosen=tuple(chosen),
        settings=settings,
        distances=distances,
        head=head,
        tracks=tracks,
        clock=Clock(begin_ns=begin_ns, before_ns=before_ns),
        unfinished=unfinished,
    )


def refuse_results(runs: Sequence[tuple[RunOptions, Path]]) -> None:
    """Raise ``HarnessError`` if the result file of a run after the first cannot be written; each run checks its own."""
    for options, out in runs[1:]:
        find_unfinished(out, resume=options.resume, force=options.force)


def _restore(unfinished: Path, head: dict[str, Any], tracks: Mapping[str, BenchmarkState]) -> int:
    earlier = read_unfinished(unfinished, head)
    head |= {"started_unix_ns": earlier["started_unix_ns"], **earlier["queue"]}
    # both clocks continue as if the run had not paused
    now, wall_ns = head["system"]["facts_before"], earlier["wall_ns"]
    head["paused_ns"] = max(0, now["unix_ns"] - earlier["started_unix_ns"] - wall_ns)
    head["system"]["facts_before"] = earlier["facts_before"] | {"monotonic_ns": now["monotonic_ns"] - wall_ns}
    for fingerprint, entry in earlier["entries"].items():
        if fingerprint in tracks:
            try:
                tracks[fingerprint].restore(entry)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise HarnessError(f"{unfinished} is not an unfinished run: delete it and run again") from error
    return int(earlier["wall_ns"])


def _head(suite: Mapping[str, Any], options: RunOptions, settings: SessionSettings) -> dict[str, Any]:
    facts = system_facts(backend(settings).device_number(settings))
    name = options.name or system_name(facts)
    if not (name.isascii() and name.isprintable() and name.strip() == name and len(name) <= 200):
        raise HarnessError(f"--name {name!r} cannot be used: use 1 to 200 printable ASCII characters")
    return {
        "suite": {"name": suite["name"], "digest": suite["digest"]},
        "system": {"name": name, "facts_before": facts, "facts_after": facts},
        "runtime": backend(settings).facts(settings),
        "options": options.record(),
        "started_unix_ns": time.time_ns(),
    }


# Memory that a TLB covers with single pages: benchmarks that touch less in total do not need contiguous memory, whose
# preparation takes seconds.
_SCATTERED_BYTES = 4 << 20
# Largest share of a budget for that preparation; ``held_bytes`` of the result says how much memory it reached.
_HOLDING_SHARE = 0.05


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
    tell: Callable[[str], object] = silent,
) -> dict[str, Any]:
    """Measure a suite, write the result file and return its document, which has the reasons of failed benchmarks.

    Args:
        suite_folder: a suite that ``dlbricks generate`` wrote.
        out: result file; ``<stem>.partial.json`` in the same folder holds an unfinished run.
        report: called with the progress, between visits.
        weights: folder of the weight files, which are written if needed; None for ``weights/`` of the suite.
        begin_ns: start of the budget by ``time.perf_counter_ns``; None for the time of the call.
        between: called between visits; returns how many bytes it touched.
        tell: gets a line if a result to resume lacks nothing; it stays, since the store would count another one again.
        whole_bytes: size for ``small_blocks_held``; None for its default. With None, a small suite skips that function.

    Raises:
        HarnessError: an option is invalid, or the run was interrupted (exit code 130; the measurements are saved).
    """
    setup = set_up(suite_folder, out, options, begin_ns)
    if setup.unfinished == out and not setup.lacks_any(options.trace):
        tell(f"{out} is complete already")
        return dict(json.loads(out.read_text(encoding="utf-8")))
    weights = weights or suite_folder / "weights"
    ensure_weights(weights, setup.suite["weights"], int(setup.suite["seed"]))
    with _saved_on_failure(setup):
        small = sum(track.touched_bytes for track in setup.live if not track.is_reference) < _SCATTERED_BYTES
        with contextlib.ExitStack() as stack:
            if not options.smoke and (whole_bytes or not small):
                most_ns = math.inf if options.budget_ns is None else options.budget_ns * _HOLDING_SHARE
                held = stack.enter_context(small_blocks_held(whole_bytes or WHOLE_BLOCK_BYTES, within_ns=most_ns))
                setup.head["system"]["facts_before"]["memory"]["held_bytes"] = held
            first = first_request(setup.settings, suite_folder, weights, setup.suite["seed"])
            pool = stack.enter_context(contextlib.closing(WorkerPool(first)))
            _measure(setup, pool, options, report, between)
        document = setup.finish()
    partial_path(out).unlink(missing_ok=True)
    return document


def _measure(
    setup: RunSetup,
    pool: WorkerPool,
    options: RunOptions,
    report: Callable[[Progress], None],
    between: Callable[[], int],
) -> None:
    number = backend(setup.settings).device_number(setup.settings)
    queue = _queue(pool, options, setup.head.get("queue", {})) if number is not None else {}
    if queue:
        setup.head["queue"] = queue
    measuring = options
    if options.trace:
        from ..trace.tracing import TraceRound, measuring_budget_ns

        if options.budget_ns:
            measuring = replace(options, budget_ns=measuring_budget_ns(options.budget_ns))
    campaign = Campaign(
        pool,
        measuring,
        setup.clock,
        distances=setup.distances,
        tracks=setup.live,
        queue=queue,
        report=report,
        save=setup.save,
        between=between,
    )
    spared = (available_bytes(), GpuMonitor(number).free_bytes() if number is not None else None)
    least, shared = min((nbytes for nbytes in spared if nbytes is not None), default=None), setup.settings.shared_pool
    device = number is not None
    campaign.run(batches(setup.chosen, least, threads=options.threads, device=device, shared_pool=shared))
    if options.trace:
        tracing = TraceRound(pool, options, setup.clock.now, report=report, save=setup.save)
        tracing.run(setup.live, setup.clock.before_ns + options.budget_ns if options.budget_ns else float("inf"))


def _queue(pool: WorkerPool, options: RunOptions, earlier: Mapping[str, Any]) -> dict[str, Any]:
    # Measure the constants of the device's queue in the worker that then measures benchmarks. A resumed run keeps the
    # `earlier` ones, of which its times were made.
    pool.add_to_first_request(queue={key: value for key, value in earlier.items() if key != "untraced"})
    worker = pool.start()
    try:
        reply = pool.ask(worker, {"op": "queue"}, max(options.timeout_ns, START_TIMEOUT_NS))
    except WorkerDiedError as died:
        raise HarnessError(f"the device cannot be measured: {died}", MISSING) from died
    raise_error_of(reply)
    queue: dict[str, Any] = reply["queue"]
    pool.spare = worker
    pool.add_to_first_request(queue=queue)
    return queue


@contextlib.contextmanager
def _saved_on_failure(setup: RunSetup) -> Iterator[None]:
    # Save the measurements if the run ends early; report SIGINT and SIGTERM in one line
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
        partial = partial_path(setup.out)
        advice = f"add --resume to continue {partial}" if partial.exists() else "nothing was measured yet"
        raise HarnessError(f"interrupted; {advice}", INTERRUPTED) from None
    except HarnessError:
        with contextlib.suppress(HarnessError):
            setup.save()
        raise
    finally:
        if main:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)
