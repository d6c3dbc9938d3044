"""What state a device was in while calls ran: clocks, temperature, power, and why its clocks were lowered. Pure."""

import statistics
from collections.abc import Iterator

from dlbricks.analysis.columns import percent, real, text, whole
from dlbricks.analysis.sources import Answer
from dlbricks.profile.nouns import LevelRun, Profile
from dlbricks.trace.environment import Readings, readings, warnings, why

_NONE = (
    "needs clocks, temperature and power of a GPU: 'dlbricks profile --environment' records them with its kernels "
    "(level MLK)"
)
_Row = tuple[int, str, str, str, int, float | None, float | None, float | None, int | None]
"""Batch, device, quantity, unit, samples; least, median, most; or in how many samples a reason was told."""


def states_of(profile: Profile) -> tuple[tuple[LevelRun, tuple[Readings, ...]], ...]:
    """Give the runs in which a device was sampled, with what was; those that were serialised are left out."""
    found = ((run, readings(run.trace)) for run in profile.runs if not run.serialised)
    return tuple((run, sampled) for run, sampled in found if sampled)


def device_states(profile: Profile) -> Answer:
    """Give every quantity of every device: least, median, most; of throttling in how many samples each reason was."""
    found = states_of(profile)
    if not found:
        return _NONE
    rows = [row for run, sampled in found for one in sampled for row in _rows(run.batch, one)]
    batch, device, quantity, unit, samples, least, median, most, told = zip(*rows, strict=True)
    columns = (
        whole("batch", [one or float("nan") for one in batch], "", "Inputs per call."),
        text("device", device),
        text("quantity", quantity, "Of throttling: why clocks were not those that were asked for."),
        text("unit", unit, "Of least, median and most."),
        whole("samples", samples),
        real("least", _gaps(least)),
        real("median", _gaps(median)),
        real("most", _gaps(most)),
        real("told_percent", percent(_gaps(told), samples), "%", "Of the samples, those that told the reason."),
    )
    return columns, [note for _, sampled in found for note in warnings(sampled)]


def _gaps(values: tuple[float | None, ...]) -> list[float]:
    return [float("nan") if one is None else one for one in values]


def _rows(batch: int, one: Readings) -> Iterator[_Row]:
    count, device = len(one.values), one.lane.device
    if not one.are_reasons:
        middle = statistics.median(one.values)
        yield batch, device, one.quantity, one.unit, count, min(one.values), middle, max(one.values), None
        return
    words = [why(int(value)).split(", ") for value in one.values]
    for word in dict.fromkeys(word for said in words for word in said):
        told = sum(word in said for said in words)
        yield batch, device, f"throttling: {word}", "", count, None, None, None, told
