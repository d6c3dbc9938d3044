"""CPU counters: counted where the kernel allows, else a reason that says how to permit them."""

import errno
import re
from typing import Any

import pytest

from dlbricks.harness.cpu import (
    EVENTS,
    HardwareCounts,
    count_events,
    kernel_reason,
    why_not_hardware,
)
from dlbricks.harness.errors import MISSING, HarnessError


@pytest.mark.parametrize(
    ("reason", "expected"),
    [
        (kernel_reason(errno.EACCES, 4), "sysctl kernel.perf_event_paranoid=2 (now 4)"),
        (kernel_reason(errno.EPERM, 2), "--cap-add=PERFMON"),
        (kernel_reason(errno.EPERM), "--cap-add=PERFMON"),
        (kernel_reason(errno.ENOENT, virtual=True), "this virtual machine has no CPU counters"),
        (kernel_reason(errno.EOPNOTSUPP), "this processor or kernel has no CPU counters"),
        (kernel_reason(errno.ENOSYS), "ENOSYS"),
        (kernel_reason(98765), "98765"),
    ],
)
def test_every_case_is_named(reason: str, expected: str) -> None:
    """One line that says what is wrong and what to do."""
    assert expected in reason
    assert "\n" not in reason


def test_other_threads_are_not_counted() -> None:
    """A session with several threads is refused, not counted by half."""
    found = why_not_hardware(threads=2)
    assert found is not None
    assert "use --threads 1" in found


def work(times: int) -> int:
    """Do something that takes instructions in proportion."""
    return sum(range(times))


def test_counts_follow_the_work() -> None:
    """Ten times the work takes about ten times the instructions."""
    refusal = why_not_hardware()
    if refusal is not None:
        pytest.skip(refusal)
    little, much = count_events(lambda: work(10**5)), count_events(lambda: work(10**6))
    assert 5 < much.instructions / little.instructions < 15
    assert much.cycles > little.cycles > 0


def test_where_it_cannot_count_it_says_why() -> None:
    """Counting is refused with the reason and the code of something missing."""
    refusal = why_not_hardware()
    if refusal is None:
        pytest.skip("CPU counters can be read here")
    with pytest.raises(HarnessError) as refused:
        count_events(lambda: None)
    assert (str(refused.value), refused.value.exit_code) == (refusal, MISSING)


@pytest.mark.parametrize("event", EVENTS.values())
def test_the_library_knows_every_event(event: str) -> None:
    """Its own objects count the event here, or say with an error of the kernel why not."""
    library = pytest.importorskip("py_perf_event", reason="py-perf-event is not installed")
    measure: Any = None
    try:
        measure = library.Measure([getattr(library.Hardware, event)])
        measure.enable()
    except OSError as error:
        assert re.search(r"os error \d+", str(error))
        return
    work(10**5)
    measure.disable()
    (count,) = measure.read().measurements
    assert count >= 0


def test_what_was_not_counted_is_not_kept() -> None:
    """A result has the counts that there are, by their names."""
    counts = HardwareCounts(calls=3, cycles=5, instructions=9, cache_misses=None)
    assert counts.to_plain() == {"calls": 3, "cycles": 5, "instructions": 9}
    assert {*HardwareCounts(calls=3, cycles=5, instructions=9, cache_misses=0).to_plain()} == {"calls", *EVENTS}
