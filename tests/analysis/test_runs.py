from dataclasses import replace

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.sources import at_batch
from dlbricks.analysis.table import Table
from dlbricks.profile.types import Profile
from tests.analysis.made_up import OTHER_STREAM, K, L, cells, foreign, made_up, trace_of


def table(name: str, profile: Profile) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def two_batches() -> Profile:
    """Make a profile of batches 1 and 2: convolutions grow with the batch, the rest does not."""
    one = made_up([L(name="c", ns=100), L(name="r", type="Relu", ns=50)], samples=(200,) * 3, levels="ML")
    two = made_up([L(name="c", ns=200), L(name="r", type="Relu", ns=50)], batch=2, samples=(300,) * 3, levels="ML")
    return replace(one, runs=(*one.runs, *two.runs))


def test_batches_are_compared_by_type() -> None:
    """Efficiency is time per input against the smallest batch; gain and optimum are those of the call."""
    shown = table("batches", two_batches())
    assert cells(shown, "type") == (None, None, "Conv", "Conv", "Relu", "Relu")
    assert cells(shown, "batch") == (1, 2, 1, 2, 1, 2)
    assert cells(shown, "latency_ns") == (200, 300, 100, 200, 50, 50)
    assert cells(shown, "per_input_ns") == (200, 150, 100, 100, 50, 25)
    assert cells(shown, "efficiency_percent")[2:] == (100, 100, 100, 200)
    assert cells(shown, "optimal")[:2] == (False, False)
    assert "several batches" in table("batches", made_up([L(name="a")])).unavailable


def test_a_profile_of_one_batch_has_only_that() -> None:
    """Analyses of the whole profile are of its smallest batch, else of the one that is chosen."""
    made = two_batches()
    assert cells(table("A2", made), "latency_ns") == (100, 50)
    assert cells(table("A2", at_batch(made, 2)), "latency_ns") == (200, 50)


def test_lanes_are_busy_for_a_union() -> None:
    """Each thread and stream has a row, and all streams of a device have one together, where overlap counts once."""
    kernels = (K(at=0, ns=60), K(at=30, ns=50, lane=OTHER_STREAM))
    shown = table("lanes", foreign(trace_of([L(name="a", ns=100, kernels=kernels)], calls=2)))
    assert cells(shown, "lane") == ("thread 1", "stream 7", "stream 8", "all")
    assert cells(shown, "level") == ("layer", "kernel", "kernel", "kernel")
    assert cells(shown, "spans") == (2, 2, 2, 4)
    assert cells(shown, "sum_ns") == (200, 120, 100, 220)
    assert cells(shown, "busy_ns") == (200, 120, 100, 160)


def test_the_overhead_of_levels_is_of_timed_calls() -> None:
    """Each run has a row against the one above it; a trace of somebody else has none."""
    shown = table("overhead", made_up([L(name="a")]))
    assert cells(shown, "levels") == ("M", "ML", "MLK")
    assert cells(shown, "over") == (None, "M", "ML")
    assert cells(shown, "added_ns") == (None, 0, 0)
    alone = made_up([L(name="a")])
    assert "several levels" in table("overhead", replace(alone, runs=alone.runs[:1])).unavailable
    assert table("overhead", foreign(trace_of([L(name="a")]))).unavailable
