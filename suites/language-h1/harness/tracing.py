"""Tracing one benchmark: a session of its own with the runtime's profiler on, a few calls, and what they show.

Nothing here is timed for the result: a profiled call takes longer than others. Kernels are recorded in further calls,
so that durations of layers are not those of calls in which CUPTI recorded (XSP, IPDPS 2020, section III-C). What the
processor counts is counted in calls of its own after that, with the runtime's profiler off.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .activity import ActivityTracer
from .errors import HarnessError
from .hardware import counted, why_not_hardware
from .layerprofile import load_profile
from .measure import Bound, Prepared, prepare
from .records import Activity
from .session import SessionSettings
from .shortform import LEVELS, Recorded, short_form

FEWEST_CALLS, MOST_CALLS = 3, 20
"""Calls that are traced: so many that they last about ``CALLS_NS``."""
CALLS_NS = 20_000_000


def take_trace(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: SessionSettings,
    seed: int,
    levels: str,
    *,
    scratch: Path,
) -> dict[str, Any]:
    """Trace a benchmark of a suite in this process; give the short form of its trace, texts spelled out.

    Args:
        benchmark: its entry in ``suite.json``.
        suite_folder: where ``networks/`` lies.
        weights: folder of the weight files, already written.
        settings: of the session.
        seed: of the suite.
        levels: one of ``LEVELS``.
        scratch: folder for the runtime's profile, which is removed once it was read.

    Raises:
        HarnessError: as ``prepare``; or kernels cannot be traced here, or no call was recorded.
        Exception: whatever onnxruntime raises.
    """
    tracer = ActivityTracer() if levels == LEVELS[1] else None
    prepared = prepare(benchmark, suite_folder, weights, settings, seed, profile=scratch / "profile")
    inference, bound = prepared.session.inference, prepared.bound
    warm_up = bound.warm_up()
    count = max(FEWEST_CALLS, min(MOST_CALLS, CALLS_NS // max(1, warm_up[-1])))
    bound.visit(count)
    activities = _recorded(tracer, bound, count) if tracer else ()
    begun_unix_ns = int(inference.get_profiling_start_time_ns())
    path = Path(inference.end_profiling())
    profile = load_profile(path)
    path.unlink()
    calls = profile.calls[len(warm_up) :]
    if not calls:
        raise HarnessError(f"the runtime's profile holds no call: {'; '.join(profile.notes) or 'it is empty'}")
    counts, notes = _counted(prepared, settings, count)
    if tracer is None or tracer.clock is None:
        return {**short_form(calls, notes=(*profile.notes, *notes)), **counts}
    shift_ns = tracer.clock.unix_offset_ns - begun_unix_ns
    recorded = Recorded(calls=calls[count:], activities=activities, shift_ns=shift_ns)
    return short_form(calls[:count], recorded, (*profile.notes, *tracer.notes))


def _counted(prepared: Prepared, settings: SessionSettings, count: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Count what a call costs the processor; nothing where it is not to be had, which the facts of the machine tell.

    Returns:
        The entry ``counts`` of a trace, and notes.
    """
    if prepared.session.device != "cpu" or why_not_hardware(settings.threads) is not None:
        return {}, ()
    try:
        return {"counts": counted(prepared.bound.call, count).to_plain()}, ()
    except HarnessError as error:
        return {}, (str(error),)


def _recorded(tracer: ActivityTracer, bound: Bound, count: int) -> tuple[Activity, ...]:
    """Make further calls while CUPTI records."""
    tracer.start()
    try:
        bound.visit(count)
    finally:
        activities = tracer.stop()
    return activities
