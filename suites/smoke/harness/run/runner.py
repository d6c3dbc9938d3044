"""Runs a suite: from a folder to a result document, with all that is checked before and saved on the way."""

import contextlib
import importlib.util
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..cache_state import CacheDistances, cache_distances, is_cold
from ..errors import INTERRUPTED, MISSING, HarnessError
from ..machine.cpu import usable_processors
from ..machine.facts import available_bytes, system_facts, system_name
from ..machine.memory import small_blocks_held
from ..options import TRACE_LEVELS, RunOptions
from ..session import (
    SessionSettings,
    check_settings,
    check_target,
    runtime_facts,
    session_settings,
    to_json,
    with_shared_pool,
)
from ..values import ensure_weights
from .campaign import Campaign, Clock
from .loading import batches
from .progress import Progress, silent
from .result_file import (
    assemble,
    check_place,
    find_unfinished,
    partial_path,
    read_unfinished,
    refuse_other_system,
    write_json,
)
from .suite_file import load_suite, select
from .track import Track
from .worker_pool import WorkerPool

MOST_THREADS_EACH = 4
"""Threads for each usable processor beyond which a run is refused."""


def run_suite(
    suite_folder: Path,
    out: Path,
    options: RunOptions,
    report: Callable[[Progress], None] = silent,
    *,
    weights: Path | None = None,
    hold_small_blocks: bool = True,
) -> dict[str, Any]:
    """Measure a suite and write the result.

    Args:
        suite_folder: a suite as ``dlbricks generate`` writes it.
        out: result file; ``<stem>.partial.json`` in the same folder holds an unfinished run.
        options: of the run.
        report: called with the progress, between visits.
        weights: where weight files lie or are to be written; ``weights/`` of the suite by default.
        hold_small_blocks: whether to hold the small free blocks of memory; not where the caller does.

    Returns:
        The result document, as written.

    Raises:
        HarnessError: an option cannot be used, or the run was interrupted (exit code 130; what was measured
            is kept). Benchmarks that fail do not raise; their entries say why.
    """
    clock = Clock(begin_ns=time.perf_counter_ns())
    suite = load_suite(suite_folder)
    chosen = sorted(select(suite, options.only), key=lambda benchmark: -benchmark["importance"])
    settings = session_settings(options)
    check_settings(settings)
    _check_threads(settings.threads)
    settings = with_shared_pool(settings)
    check_target(suite["target"], settings, f"suite {suite['name']}")
    check_levels(options.trace)
    check_place(out)
    unfinished = find_unfinished(out, resume=options.resume)
    head = _head(suite, options, settings)
    around = cache_distances(
        head["system"]["facts_before"]["cpu"]["caches"],
        cold=head["runtime"]["provider"] == "cpu",
        sharing=settings.sharing,
    )
    tracks = _tracks(suite, chosen, around)
    if unfinished is None:
        refuse_other_system(out, head["system"]["name"])
    else:
        clock = Clock(begin_ns=clock.begin_ns, before_ns=_restore(unfinished, head, tracks))
    weights = weights or suite_folder / "weights"
    ensure_weights(weights, suite["weights"], int(suite["seed"]))

    def save() -> None:
        if any(track.visits for track in tracks.values()):
            write_json(partial_path(out), _document(head, tracks, clock, verdicts=False))

    with _saved_on_failure(save, partial_path(out)):
        memory = _memory(head, held=options.smoke or not hold_small_blocks)
        with memory, _pool(suite, suite_folder, weights, options, settings) as pool:
            wanted = {benchmark["fingerprint"] for benchmark in chosen}
            live = [track for track in tracks.values() if track.is_reference or track.fingerprint in wanted]
            measuring = _measuring(options)
            campaign = Campaign(pool, measuring, clock, around=around, tracks=live, report=report, save=save)
            jobs = _jobs(head["system"]["facts_before"], settings)
            campaign.run(_batches(chosen, options, settings, head["system"]["facts_before"], jobs), jobs)
            if options.trace:
                from ..trace.tracing import TraceRound

                tracing = TraceRound(pool, options, clock.now, report=report, save=save)
                tracing.run(live, clock.before_ns + options.budget_ns if options.budget_ns else float("inf"))
        head["system"]["facts_after"] = system_facts()
        head["suite"]["manifest"] = suite
        document = _document(head, tracks, clock, verdicts=True)
        write_json(out, document)
    partial_path(out).unlink(missing_ok=True)
    return document


def _tracks(suite: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]], around: CacheDistances) -> dict[str, Track]:
    """Begin with every benchmark of a suite, by fingerprint; those that are not chosen say so."""
    wanted = {benchmark["fingerprint"] for benchmark in chosen}
    tracks = {}
    for benchmark in suite["benchmarks"]:
        track = Track(benchmark=benchmark, cold=is_cold(benchmark["role"], around))
        if track.fingerprint not in wanted and not track.is_reference:
            track.reason = "not chosen by --only"
        tracks[track.fingerprint] = track
    return tracks


def _check_threads(threads: int) -> None:
    """Refuse threads that would only wait for each other.

    Raises:
        HarnessError: there are more than ``MOST_THREADS_EACH`` for each usable processor.
    """
    usable = usable_processors()
    if threads > MOST_THREADS_EACH * usable:
        raise HarnessError(f"--threads is {threads}, this machine has {usable} processors: give no more than it has")


def _restore(unfinished: Path, head: dict[str, Any], tracks: Mapping[str, Track]) -> int:
    """Take over what an interrupted run has measured; give its wall time, ns."""
    found = read_unfinished(unfinished, head)
    head["started_unix_ns"] = found["started_unix_ns"]
    head["system"]["facts_before"] = found["facts_before"]
    for fingerprint, entry in found["entries"].items():
        if fingerprint in tracks:
            tracks[fingerprint].restore(entry)
    return int(found["wall_ns"])


def check_levels(levels: str) -> None:
    """Refuse to begin with levels that cannot be traced here.

    Raises:
        HarnessError: unknown levels (``BAD_INPUT``), or what tracing needs is not there (``MISSING``).
    """
    if not levels:
        return
    if levels not in TRACE_LEVELS:
        raise HarnessError(f"--trace is one of {', '.join(TRACE_LEVELS)}, not '{levels}'")
    if importlib.util.find_spec("..trace", __package__) is None:
        raise HarnessError(f"--trace {levels}: tracing is not there, since harness/trace/ was removed", MISSING)
    if levels == TRACE_LEVELS[1]:
        from ..trace.permission import why_not

        if reason := why_not():
            raise HarnessError(f"--trace {levels}: {reason}", MISSING)


def _measuring(options: RunOptions) -> RunOptions:
    """Give the options of the measuring itself: tracing gets a share of the budget."""
    if not options.trace or options.budget_ns is None:
        return options
    from ..trace.tracing import measuring_budget_ns

    return replace(options, budget_ns=measuring_budget_ns(options.budget_ns))


def _head(suite: Mapping[str, Any], options: RunOptions, settings: SessionSettings) -> dict[str, Any]:
    facts = system_facts()
    name = options.name or system_name(facts)
    if not (name.isascii() and name.isprintable() and name.strip() == name and len(name) <= 200):
        raise HarnessError(f"--name {name!r} is no name: give up to 200 printable ASCII characters")
    return {
        "suite": {"name": suite["name"], "digest": suite["digest"]},
        "system": {"name": name, "facts_before": facts, "facts_after": facts},
        "runtime": runtime_facts(settings),
        "options": options.record(),
        "started_unix_ns": time.time_ns(),
    }


def _document(head: Mapping[str, Any], tracks: Mapping[str, Track], clock: Clock, *, verdicts: bool) -> dict[str, Any]:
    timing = {"wall_ns": 0, "timed_ns": sum(track.timed_ns for track in tracks.values())}
    document = assemble(head, [track.entry() for track in tracks.values()], timing, verdicts=verdicts)
    document["timing"]["wall_ns"] = clock.now()
    return document


@contextlib.contextmanager
def _memory(head: Mapping[str, Any], *, held: bool) -> Iterator[None]:
    """Let what is loaded find memory in one piece, and note how much is held for that; unless it is held already."""
    if held:
        yield
        return
    with small_blocks_held() as held_bytes:
        head["system"]["facts_before"]["memory"]["held_bytes"] = held_bytes
        yield


@contextlib.contextmanager
def _pool(
    suite: Mapping[str, Any], folder: Path, weights: Path, options: RunOptions, settings: SessionSettings
) -> Iterator[WorkerPool]:
    pool = WorkerPool(
        {
            "folder": str(folder.absolute()),
            "weights": str(weights.absolute()),
            "settings": to_json(settings),
            "seed": suite["seed"],
            "memory_limit_bytes": options.memory_limit_bytes,
        }
    )
    try:
        yield pool
    finally:
        pool.stop_all()


@contextlib.contextmanager
def _saved_on_failure(save: Callable[[], None], partial: Path) -> Iterator[None]:
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
        save()
        kept = f"add --resume to go on from {partial}" if partial.exists() else "nothing was measured yet"
        raise HarnessError(f"interrupted; {kept}", INTERRUPTED) from None
    except HarnessError:
        with contextlib.suppress(HarnessError):
            save()
        raise
    finally:
        if main:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)


def _jobs(facts: Mapping[str, Any], settings: SessionSettings) -> int:
    """Give the number of workers that load at the same time: as many as there are processors for, one on a device."""
    if runtime_facts(settings)["provider"] != "cpu":
        return 1
    return max(1, min(4, int(facts["cpu"]["usable"]) // settings.threads))


def _batches(
    chosen: Sequence[Mapping[str, Any]],
    options: RunOptions,
    settings: SessionSettings,
    facts: Mapping[str, Any],
    jobs: int,
) -> list[list[list[Mapping[str, Any]]]]:
    available, device = available_bytes(), options.provider.lower() not in {"cpu", "cpuexecutionprovider"}
    free = [gpu["memory_free_mib"] for gpu in facts["gpus"] if isinstance(gpu["memory_free_mib"], int)]
    if device and free:
        available = min(free[0] << 20, available or free[0] << 20)
    return batches(
        chosen,
        available,
        threads=options.threads,
        workers=jobs,
        worker_bytes=options.memory_limit_bytes,
        device=device,
        shared_pool=settings.shared_pool,
    )
