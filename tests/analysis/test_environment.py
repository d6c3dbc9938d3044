"""The table and the chart of what state devices were in."""

from dataclasses import replace

import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.harness.trace.cupti import ActivityClock
from dlbricks.profile.types import Profile
from dlbricks.report.timeline import timeline
from dlbricks.trace.read.cupti import trace_of
from tests.analysis.made_up import L, made_up
from tests.trace.drawn import IDLE, POWER_CAP, states

CLOCK = ActivityClock(perf_counter_offset_ns=0, unix_offset_ns=0, uncertainty_ns=1)


def sampled() -> Profile:
    """Make a profile whose deepest run has three samples of a device, one of them throttled."""
    whole = made_up([L(name="a")])
    taken = [
        *states(10**9, watts=200, reasons=IDLE),
        *states(2 * 10**9, clock=1500, watts=690, reasons=POWER_CAP),
        *states(3 * 10**9, watts=300),
    ]
    trace = trace_of(taken, CLOCK, process=1)
    return replace(whole, runs=(*whole.runs[:-1], replace(whole.runs[-1], trace=trace)))


def table(profile: Profile) -> Table:
    """Make the table."""
    return chosen(["environment"])[0].compute(profile)


def test_each_quantity_and_each_reason_has_a_row() -> None:
    """Quantities have least, median and most; reasons the share of samples that told them; throttling is a note."""
    made = table(sampled())
    names = [one.name for one in made.columns]
    rows = {row[names.index("quantity")]: dict(zip(names, row, strict=True)) for row in made.rows()}
    clock = rows["SM clock"]
    assert (clock["unit"], clock["samples"], clock["least"], clock["median"], clock["most"]) == (
        *("MHz", 3, 1500.0, 1980.0, 1980.0),
    )
    assert rows["power"]["most"] == 690
    assert rows["throttling: power cap"]["told_percent"] == pytest.approx(100 / 3)
    assert rows["throttling: idle"]["least"] is None
    assert any("lowered its clocks in 1 of 3 samples" in note for note in made.notes)


def test_without_samples_it_says_how_to_get_them() -> None:
    """The option is named."""
    assert "--environment" in table(made_up([L(name="a")])).unavailable


def test_samples_are_no_blocks_of_the_timeline() -> None:
    """They have no length; the table of the environment has them."""
    assert timeline(sampled().runs[-1].trace).start_ns == []
