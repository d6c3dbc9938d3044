"""Equality of traces, which arrays do not give by themselves, and sampled states of a device."""

from dlbricks.harness.trace.activities import Activity
from dlbricks.trace.types import Trace

COLUMNS = ("level", "role", "kind", "name", "lane", "start_ns", "end_ns", "parent", "correlation")


def assert_same(one: Trace, other: Trace) -> None:
    """Both hold the same in every field, types of values included."""
    for field in ("clock", "names", "kinds", "lanes", "notes"):
        assert getattr(one, field) == getattr(other, field)
    for column in COLUMNS:
        assert getattr(one, column).tolist() == getattr(other, column).tolist()
        assert getattr(one, column).dtype == getattr(other, column).dtype
    assert set(one.attributes) == set(other.attributes)
    for name, attribute in one.attributes.items():
        assert attribute.rows.tolist() == other.attributes[name].rows.tolist()
        assert list(map(repr, attribute.values)) == list(map(repr, other.attributes[name].values))


POWER_CAP, SLOWDOWN, IDLE, SETTING = 4, 8, 1, 2


def states(time: int, device: int = 0, *, clock: int = 1980, watts: int = 350, reasons: int = 0) -> list[Activity]:
    """Give the records of speed, temperature and power that are taken at a time."""
    taken = {
        "speed": {"sm_clock_mhz": clock, "memory_clock_mhz": 2619, "throttle_reasons": reasons},
        "temperature": {"temperature_c": 61},
        "power": {"power_mw": 1000 * watts, "power_limit_mw": 700_000},
    }
    return [
        Activity(kind="environment", name=name, start_ns=time, end_ns=time, device=device, attributes=attributes)
        for name, attributes in taken.items()
    ]
