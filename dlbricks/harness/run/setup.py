"""Prepares a run: reads the suite and checks everything that can be checked before anything is measured."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..cache_state import CacheDistances, cache_distances, is_cold
from ..errors import HarnessError
from ..machine.cpu import usable_processors
from ..machine.facts import system_facts, system_name
from ..options import RunOptions, check_levels
from ..session import (
    SessionSettings,
    check_settings,
    check_target,
    runtime_facts,
    session_settings,
    with_shared_pool,
)
from .benchmark_state import BenchmarkState
from .progress import Clock
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

MOST_THREADS_EACH = 4
"""Most threads for each usable processor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSetup:
    """A run that can start. Measuring updates its tracks."""

    out: Path
    """Result file."""
    suite: Mapping[str, Any]
    """Content of ``suite.json``."""
    chosen: tuple[Mapping[str, Any], ...]
    """Benchmarks to measure, the most important first, without references."""
    settings: SessionSettings
    distances: CacheDistances
    head: dict[str, Any]
    """The result document without its benchmarks."""
    tracks: Mapping[str, BenchmarkState]
    """Of every benchmark of the suite, by fingerprint."""
    clock: Clock

    @property
    def facts(self) -> dict[str, Any]:
        """The machine before the run."""
        facts: dict[str, Any] = self.head["system"]["facts_before"]
        return facts

    @property
    def live(self) -> list[BenchmarkState]:
        """Tracks to measure: the chosen benchmarks and the references."""
        wanted = {benchmark["fingerprint"] for benchmark in self.chosen}
        return [track for track in self.tracks.values() if track.is_reference or track.fingerprint in wanted]

    @property
    def partial(self) -> Path:
        """File of an unfinished run."""
        return partial_path(self.out)

    def save(self) -> None:
        """Save what was measured so far, if anything was."""
        if any(track.visits for track in self.tracks.values()):
            write_json(self.partial, self._document(verdicts=False))

    def finish(self) -> dict[str, Any]:
        """Write the result document and return it."""
        self.head["system"]["facts_after"] = system_facts()
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
    """Read the suite, check everything that the run needs, and take over the measurements of an unfinished run.

    The run began at ``begin_ns`` by ``time.perf_counter_ns``, or begins now.

    Raises:
        HarnessError: an option, the suite, a path or an earlier result cannot be used.
    """
    begin_ns = time.perf_counter_ns() if begin_ns is None else begin_ns
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
    distances = cache_distances(
        head["system"]["facts_before"]["cpu"]["caches"],
        cold=head["runtime"]["provider"] == "cpu",
        sharing=settings.sharing,
    )
    tracks = _tracks(suite, chosen, distances)
    before_ns = 0
    if unfinished is None:
        refuse_other_system(out, head["system"]["name"])
    else:
        before_ns = _restore(unfinished, head, tracks)
    return RunSetup(
        out=out,
        suite=suite,
        chosen=tuple(chosen),
        settings=settings,
        distances=distances,
        head=head,
        tracks=tracks,
        clock=Clock(begin_ns=begin_ns, before_ns=before_ns),
    )


def _tracks(
    suite: Mapping[str, Any], chosen: Sequence[Mapping[str, Any]], distances: CacheDistances
) -> dict[str, BenchmarkState]:
    """Return a track for every benchmark of a suite, by fingerprint; those not chosen have that as their reason."""
    wanted = {benchmark["fingerprint"] for benchmark in chosen}
    tracks = {}
    for benchmark in suite["benchmarks"]:
        track = BenchmarkState(benchmark=benchmark, cold=is_cold(benchmark["role"], distances))
        if track.fingerprint not in wanted and not track.is_reference:
            track.reason = "not chosen by --only"
        tracks[track.fingerprint] = track
    return tracks


def _check_threads(threads: int) -> None:
    """Check the number of threads.

    Raises:
        HarnessError: there are more than ``MOST_THREADS_EACH`` for each usable processor.
    """
    usable = usable_processors()
    if threads > MOST_THREADS_EACH * usable:
        raise HarnessError(f"--threads is {threads}, this machine has {usable} processors: give no more than it has")


def _restore(unfinished: Path, head: dict[str, Any], tracks: Mapping[str, BenchmarkState]) -> int:
    """Take over the measurements of an interrupted run; return its wall time, ns.

    Raises:
        HarnessError: the file cannot be read, or is of another run, or its entries have other types.
    """
    earlier = read_unfinished(unfinished, head)
    head["started_unix_ns"] = earlier["started_unix_ns"]
    head["system"]["facts_before"] = earlier["facts_before"]
    for fingerprint, entry in earlier["entries"].items():
        if fingerprint in tracks:
            try:
                tracks[fingerprint].restore(entry)
            except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
                raise HarnessError(f"{unfinished} is not an unfinished run: delete it and start again") from error
    return int(earlier["wall_ns"])


def _head(suite: Mapping[str, Any], options: RunOptions, settings: SessionSettings) -> dict[str, Any]:
    facts = system_facts()
    name = options.name or system_name(facts)
    if not (name.isascii() and name.isprintable() and name.strip() == name and len(name) <= 200):
        raise HarnessError(f"--name {name!r} cannot be used: give up to 200 printable ASCII characters")
    return {
        "suite": {"name": suite["name"], "digest": suite["digest"]},
        "system": {"name": name, "facts_before": facts, "facts_after": facts},
        "runtime": runtime_facts(settings),
        "options": options.record(),
        "started_unix_ns": time.time_ns(),
    }
