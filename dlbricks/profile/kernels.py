"""What a device did in the timed calls of a session: recorded call by call, gathered on one clock.

CUPTI records only while a call of level ``MLK`` is prepared and made, so that calls of other levels run without it. It
reads its clock anew each time; the first one counts, and the others are moved to it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dlbricks.harness.trace.cupti import Activity, ActivityClock
from dlbricks.trace.cupti import merged_with_layers, trace_of
from dlbricks.trace.nouns import Trace

_HOST = frozenset({"runtime", "driver", "synchronisation"})
_STATE = "environment"
_NO_STATES = "no clocks, power or temperature: the driver told none while calls were recorded"
_NUMBERS_OF_A_CALL = 1 << 40
"""More correlation numbers than one call uses; CUPTI may begin anew with each recording."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What CUPTI recorded while one timed call was prepared and made."""

    activities: tuple[Activity, ...]
    clock: ActivityClock
    begin_ns: int
    """Of the timed call, by ``time.perf_counter_ns``."""
    end_ns: int
    notes: tuple[str, ...] = ()


def with_kernels(
    layers: Trace,
    recordings: Sequence[Recording],
    *,
    process: int,
    capability: tuple[int, int] | None,
    environment: bool = False,
) -> Trace:
    """Give the trace of timed calls with their launches and kernels.

    Args:
        layers: of these calls, as the runtime's profile tells them.
        recordings: one for each call, at least one.
        process: number of the process.
        capability: compute capability of the device, for the theoretical occupancy of kernels; None leaves it out.
        environment: whether clocks, power and temperature were to be recorded; a note says if none were.
    """
    notes = dict.fromkeys(note for one in recordings for note in one.notes)
    if environment and not any(each.kind == _STATE for one in recordings for each in one.activities):
        notes[_NO_STATES] = None
    activities, clock = gathered(recordings)
    return merged_with_layers(
        layers, trace_of(activities, clock, process=process, capability=capability, notes=tuple(notes))
    )


def gathered(recordings: Sequence[Recording]) -> tuple[tuple[Activity, ...], ActivityClock]:
    """Give the activities of timed calls on the clock of the first recording; correlation numbers are unique.

    A host call belongs to a timed call if it began within it; what it started on the device belongs to it, however
    late it ran. What nobody is known to have started belongs to the call in which it began. States of the device are
    sampled seldom: all are kept, those taken before the timed call, too.

    Args:
        recordings: one or more.
    """
    clock = recordings[0].clock
    made: list[Activity] = []
    for place, one in enumerate(recordings):
        shift_ns = one.clock.unix_offset_ns - clock.unix_offset_ns
        made += [_moved(activity, shift_ns, place) for activity in _of_call(one)]
    return tuple(made), clock


def _of_call(one: Recording) -> list[Activity]:
    begin, end = (time - one.clock.perf_counter_offset_ns for time in (one.begin_ns, one.end_ns))
    slack = one.clock.uncertainty_ns + abs(one.clock.drift_ns)

    def within(activity: Activity) -> bool:
        return begin - slack <= activity.start_ns <= end + slack

    calls = {each.correlation for each in one.activities if each.kind in _HOST and within(each)} - {None}
    every = {each.correlation for each in one.activities if each.kind in _HOST} - {None}
    return [
        each
        for each in one.activities
        if each.kind == _STATE
        or (each.correlation in calls if each.correlation in every and each.kind not in _HOST else within(each))
    ]


def _moved(activity: Activity, shift_ns: int, place: int) -> Activity:
    number = activity.correlation
    return replace(
        activity,
        start_ns=activity.start_ns + shift_ns,
        end_ns=activity.end_ns + shift_ns,
        correlation=None if number is None else number + place * _NUMBERS_OF_A_CALL,
    )


def capability_of(system: Mapping[str, Any], device: int) -> tuple[int, int] | None:
    """Give the compute capability of a GPU as the facts of a machine tell it; None where they do not."""
    gpus = system.get("gpus") or ()
    text = str(gpus[device].get("compute_capability")) if device < len(gpus) else ""
    major, _, minor = text.partition(".")
    return (int(major), int(minor)) if major.isdigit() and minor.isdigit() else None
