"""Leveled experiments: a network is called at every level of tracing, alternately (XSP, IPDPS 2020, section III-C).

Each level has its own session, and makes one timed call in every round, in random order. So its latency has no overhead
of deeper levels, and disturbances of the machine affect all levels equally.

``profile_isolated`` and ``roofs_isolated`` start a process, to survive crashes and hangs of the runtime. On a device
they run in the calling process, since a fork cannot use a device that its parent used.
"""

import random
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from dlbricks.errors import BenchmarkError, DlbricksError, InputError
from dlbricks.harness.call_timer import CallTimer, no_collection
from dlbricks.harness.errors import MISSING, HarnessError
from dlbricks.harness.machine import system_facts
from dlbricks.harness.options import ONNXRUNTIME
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.session import SessionSettings, backend, check_settings, runtime_errors
from dlbricks.harness.trace.cupti import why_not
from dlbricks.limits import READ_SECONDS
from dlbricks.model.bounds import allow, allow_reading
from dlbricks.model.read.decoders import network_name
from dlbricks.process_pool import UNLIMITED_BYTES, Crashed, Workers, send_message
from dlbricks.profile.counters import counts_of
from dlbricks.profile.levels import LevelSession, Subject, level_session, on_processor, subject_of
from dlbricks.profile.roofs import measure_roofs
from dlbricks.settings import ProfileOptions
from dlbricks.trace.types import LEVELS, LevelRun, Profile, Roofs

# Least number of timed calls per level, whatever the budget: of fewer, a single disturbed call moves the median.
LEAST_CALLS = 3
# Upper bound of the number of calls that one level makes in a round, repetitions included.
_CALLS_PER_ROUND = 10
_NOT_COUNTED = "no hardware counters were read, since level M was not run: add M to --levels"

# Function that receives the batch size (None until the file is read) and the progress of its rounds.
OnProgress = Callable[[int | None, Progress], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperimentPlan:
    """Levels, options and session settings of an experiment, and facts of this machine."""

    options: ProfileOptions
    levels: tuple[str, ...]
    """Members of ``LEVELS``, in that order."""
    settings: SessionSettings
    system: Mapping[str, Any] = field(default_factory=dict)
    """``name`` and facts of this machine."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """Notes to add to every profile."""


def possible_levels(
    settings: SessionSettings, requested: Sequence[str] | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the levels to run (for None all available ones), and notes on unavailable ones.

    Raises:
        InputError: ``requested`` is empty or has an unknown level.
        HarnessError: level ``MLK`` is requested but not available (exit code 3), or a setting is not supported.
    """
    check_settings(settings)
    unknown = [level for level in requested or () if level not in LEVELS]
    if unknown or (requested is not None and not requested):
        raise InputError(
            f"invalid --levels '{','.join(requested or ())}': expected some of {','.join(LEVELS)}, as in M,ML"
        )
    wanted = tuple(level for level in LEVELS if requested is None or level in requested)
    if "MLK" not in wanted:
        return wanted, ()
    reason = why_no_kernels(settings)
    if reason is None:
        return wanted, ()
    if requested is not None:
        raise HarnessError(f"--levels MLK is not available: {reason}", MISSING)
    return wanted[:-1], (f"kernels were not traced: {reason}",)


def why_no_kernels(settings: SessionSettings) -> str | None:
    """Return why GPU kernels cannot be traced; None if they can be."""
    if on_processor(settings):
        return "layers are the deepest level on a processor; kernels need an accelerator, as with --provider cuda"
    return why_not()


def profile_network(path: Path, plan: ExperimentPlan, on_progress: OnProgress) -> Profile:
    """Time and trace one network at all levels of the plan.

    Raises:
        InputError: the file is not a valid network.
        UnsupportedModelError: the network cannot be run, or not with one of the batch sizes.
        BenchmarkError: the runtime failed to load or run the network.
    """
    backend(plan.settings).prepare(plan.settings)
    rounds = _Rounds(plan=plan, on_progress=on_progress)
    runs: list[LevelRun] = []
    for batch in plan.options.batches or (None,):
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            on_progress(batch, _progress("loading", 0, plan.options.calls))
            try:
                sizes = {"dims": plan.options.sizes.dims, "values": plan.options.sizes.values}
                subject = subject_of(path, plan.settings, Path(scratch), batch=batch, **sizes)
                runs += _runs(subject, rounds, Path(scratch))
            except DlbricksError:
                raise
            except runtime_errors(plan.settings) as error:
                if isinstance(error, HarnessError) and error.exit_code == MISSING:
                    raise
                reason = " ".join(str(error).split()) or type(error).__name__
                raise BenchmarkError(f"{network_name(path)} cannot be profiled: {reason}") from error
    return Profile(
        network=network_name(path),
        system=plan.system,
        runtime={**backend(plan.settings).facts(plan.settings), "optimization": plan.settings.optimization},
        runs=tuple(runs),
        roofs=plan.roofs,
        notes=(*plan.notes, *rounds.notes),
    )


@dataclass(slots=True, kw_only=True)
class _Rounds:
    # State of the rounds of one network, over all batch sizes.

    plan: ExperimentPlan
    on_progress: OnProgress
    began_ns: int = field(default_factory=time.perf_counter_ns)
    # Number of rounds so far.
    done: int = 0
    batches_done: int = 0
    notes: list[str] = field(default_factory=list)

    def make(self, sessions: Sequence[LevelSession], timer: CallTimer, call_ns: int) -> None:
        # Make the rounds of one batch size; ``call_ns`` is the duration of a call in the warm-up.
        subject, options = sessions[0].subject, self.plan.options
        batches = max(1, len(options.batches))
        deadline_ns = None
        if options.run.budget_ns is not None:
            left_ns = self.began_ns + options.run.budget_ns - time.perf_counter_ns()
            deadline_ns = time.perf_counter_ns() + left_ns // (batches - self.batches_done)
        order = random.Random(f"{options.run.seed}/{subject.batch}")  # noqa: S311
        round_s = _CALLS_PER_ROUND * options.run.threads * call_ns * len(sessions) / 1e9
        began_ns = time.perf_counter_ns()
        for number in range(1, options.calls + 1):
            allow(READ_SECONDS + round_s)
            with no_collection():  # also in untimed calls, which warm up for the timed ones
                for session in order.sample(sessions, len(sessions)):
                    session.take(timer)
            self.done += 1
            now_ns = time.perf_counter_ns()
            self._report(sessions, (now_ns - began_ns) // number, options.calls - number, deadline_ns)
            if deadline_ns is not None and now_ns >= deadline_ns and LEAST_CALLS <= number < options.calls:
                self.notes.append(f"batch {subject.batch}: the budget ended after {number} of {options.calls} calls")
                break
        self.batches_done += 1

    def _report(self, sessions: Sequence[LevelSession], round_ns: int, left: int, deadline_ns: int | None) -> None:
        left_ns = round_ns * left
        if deadline_ns is not None:
            left_ns = max(0, min(left_ns, deadline_ns - time.perf_counter_ns()))
        calls = self.plan.options.calls
        ended = not left or (left_ns <= 0 and calls - left >= LEAST_CALLS)
        progress = _progress("done" if ended else "measuring", calls - left, calls)
        visits = sum(session.calls for session in sessions)
        progress = replace(progress, loaded=len(sessions), visits=visits, eta_ns=left_ns)
        self.on_progress(sessions[0].subject.batch, progress)


def _progress(phase: str, done: int, total: int) -> Progress:
    return Progress(phase=phase, done=done, total=total, loaded=0, visits=0, failed=0, eta_ns=None)


def _runs(subject: Subject, rounds: _Rounds, scratch: Path) -> list[LevelRun]:
    plan = rounds.plan
    sessions = [level_session(subject, levels, scratch, plan.system) for levels in plan.levels]
    timer = CallTimer(rounds.plan.settings)
    call_ns = max(session.warm_up() for session in sessions)
    rounds.make(sessions, timer, call_ns)
    allow_reading(len(subject.source.layers) * sum(session.calls for session in sessions))
    rounds.notes += _disturbances(sessions)
    _count(sessions, rounds.notes)
    return [session.finish() for session in sessions]


def _disturbances(sessions: Sequence[LevelSession]) -> list[str]:
    # Return a note on the levels at which calls stayed preempted in every repetition.
    lost = ", ".join(
        f"{session.disturbed} of {len(session.samples_ns)} calls at level {session.levels}"
        for session in sessions
        if session.disturbed
    )
    batch = sessions[0].subject.batch
    what = f"batch {batch}: other programs preempted {lost}, in every repetition: latencies may be too long"
    return [what] if lost else []


def _count(sessions: Sequence[LevelSession], notes: list[str]) -> None:
    # Count hardware events of calls at level M, after all timed calls; add notes on what could not be counted.
    first = sessions[0]
    if first.levels != "M":
        notes += [note for note in (_NOT_COUNTED,) if note not in notes]
        return
    first.counts = counts_of(
        first.bound.call,
        device=first.session.device,
        device_id=first.session.device_id,
        threads=first.subject.settings.threads,
        call_ns=first.samples_ns[-1],
    )
    notes += [note for note in first.counts.notes if note not in notes]


_Argument = TypeVar("_Argument")
_Result = TypeVar("_Result")


def profile_isolated(path: Path, plan: ExperimentPlan, on_progress: OnProgress) -> Profile:
    """Profile a network as ``profile_network`` does; on the CPU, a separate process does the work.

    Raises:
        BenchmarkError: the process crashed, or exceeded its limit of time or memory; see also ``profile_network``.
    """
    function = partial(_profile, plan)
    profile = _isolated(function, path, plan.settings, lambda message: on_progress(*message))
    if isinstance(profile, Crashed):
        raise BenchmarkError(f"{path.stem} cannot be profiled: it {profile.reason}")
    return profile


def _profile(plan: ExperimentPlan, path: Path) -> Profile:
    return profile_network(path, plan, lambda batch, message: send_message((batch, message)))


def roofs_isolated(settings: SessionSettings, facts: Mapping[str, Any] | None = None) -> Roofs:
    """Measure roofs as ``measure_roofs`` does; on the CPU, a separate process does the work.

    Raises:
        BenchmarkError: the runtime failed, crashed, or took too long.
        HarnessError: the provider is missing.
    """
    roofs = _isolated(partial(_roofs, settings), system_facts() if facts is None else facts, settings)
    if isinstance(roofs, Crashed):
        raise BenchmarkError(f"peak rates of this machine cannot be measured: {settings.runtime} {roofs.reason}")
    return roofs


def _roofs(settings: SessionSettings, facts: Mapping[str, Any]) -> Roofs:
    try:
        return measure_roofs(settings, facts=facts)
    except HarnessError:
        raise
    except runtime_errors(settings) as error:
        reason = " ".join(str(error).split())
        raise BenchmarkError(f"peak rates of this machine cannot be measured: {reason}") from error


def _isolated(
    function: Callable[[_Argument], _Result],
    argument: _Argument,
    settings: SessionSettings,
    on_message: Callable[[Any], None] = lambda _: None,
) -> _Result | Crashed[_Argument]:
    apart = on_processor(settings)
    most = None if apart else UNLIMITED_BYTES
    # a new process: threads of other runtimes, and what drivers read of the environment, stay as long as the process
    fresh = not apart or settings.runtime != ONNXRUNTIME
    with Workers(1, apart=apart, fresh=fresh, memory_bytes=most) as workers:
        (result,) = workers.each(function, [argument], lambda _: None, on_message)
    return result
