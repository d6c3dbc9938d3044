"""A device whose states are sampled, as CUPTI's records tell them."""

from dlbricks.harness.trace.activities import Activity

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
