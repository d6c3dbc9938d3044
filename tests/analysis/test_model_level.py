import numpy as np
import pytest

from dlbricks.analysis.calls import doubling_gains, optimal_batch
from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Table
from dlbricks.trace.types import Profile
from tests.analysis.made_up import OTHER_STREAM, K, L, cells, costs, counted, foreign, made_up, trace_of

XSP_MS = {1: 6.21, 2: 6.83, 4: 8.51, 8: 12.80, 16: 21.90, 32: 40.03, 64: 74.03, 128: 142.89, 256: 275.05}
"""ResNet-50 v1.5 on a V100 as published: batch and latency (XSP, section III-D)."""


def table(profile: Profile, name: str) -> Table:
    """Make one table."""
    return chosen([name])[0].compute(profile)


def batches(latencies: dict[int, int]) -> Profile:
    """Make a profile of several batches with one latency each, ns."""
    parts = [made_up([L(name="a")], batch=batch, samples=(time,) * 3) for batch, time in latencies.items()]
    return made_up([L(name="a")], samples=(1,)) if not parts else _joined(parts)


def _joined(parts: list[Profile]) -> Profile:
    first = parts[0]
    return Profile(
        network=first.network,
        system=first.system,
        runtime=first.runtime,
        runs=tuple(run for part in parts for run in part.runs),
        roofs=first.roofs,
    )


def test_the_published_optimal_batch_comes_out() -> None:
    """XSP's ResNet-50: 930.7 images/s at batch 256, its largest; doubling from 64 gains 3.6 %, from 32 8.2 %."""
    made = batches({batch: round(ms * 1e6) for batch, ms in XSP_MS.items()})
    rates = cells(table(made, "A1"), "throughput_per_s")
    assert rates[-1] == pytest.approx(930.7, abs=0.1)
    optimal = dict(zip(XSP_MS, cells(table(made, "A1"), "optimal"), strict=True))
    assert [batch for batch, one in optimal.items() if one] == [64]


def test_the_optimal_batch_is_the_smallest_that_gains_little_by_doubling() -> None:
    """A gain of exactly 5 % is no longer worth it; without a second batch, or while it pays, there is none."""
    assert optimal_batch([1, 2, 4], np.array([100.0, 104.9, 220.0]))[0] == 1
    assert optimal_batch([1, 2, 4], np.array([100.0, 150.0, 157.5]))[0] == 2
    assert optimal_batch([1, 2, 4], np.array([100.0, 150.0, 200.0])) == (
        None,
        ["no optimal batch: doubling still gains more than 5% up to the largest batch, 4"],
    )
    assert optimal_batch([8], np.array([100.0]))[0] is None


def test_gains_between_batches_that_are_no_doubling_are_spread() -> None:
    """From 1 to 8 are three doublings; a factor of 8 in throughput is a gain of 100 % each."""
    gains = doubling_gains([1, 8, 12], np.array([10.0, 80.0, 80.0]))
    assert gains[:2].tolist() == pytest.approx([1.0, 0.0])
    assert np.isnan(gains[2])


def test_model_information_is_from_the_undisturbed_run() -> None:
    """Latency is the median of the samples of run M, whatever ML and MLK took, beside its interval and trimmed mean."""
    made = made_up([L(name="a", ns=100_000)], samples=(90, 100, 110, 120, 1000))
    shown = table(made, "A1")
    assert cells(shown, "latency_ns") == (110,)
    assert cells(shown, "trimmed_mean_ns") == (110,)
    assert cells(shown, "samples") == (5,)
    assert cells(shown, "low_ns")[0] <= 110 <= cells(shown, "high_ns")[0]
    assert shown.notes == ("the optimal batch size needs runs of several batch sizes",)


def test_an_uncertain_optimum_says_so() -> None:
    """Where latencies spread further than the gain is below 5 %, the optimum may be another batch."""
    sure = batches({1: 1000, 2: 2000})
    assert not any("uncertain" in note for note in table(sure, "A1").notes)
    spread = [
        made_up([L(name="a")], batch=batch, samples=(900 * batch, 1000 * batch, 1100 * batch)) for batch in (1, 2)
    ]
    assert any("uncertain" in note for note in table(_joined(spread), "A1").notes)


def test_a_deeper_run_stands_in_with_a_note() -> None:
    """Where the call alone was not measured, the run with layers says so."""
    made = made_up([L(name="a")])
    deeper = Profile(network="net", system={}, runtime=made.runtime, runs=made.runs[1:])
    assert any("include the overhead" in note for note in table(deeper, "A1").notes)


def test_a_trace_of_somebody_else_has_no_batch() -> None:
    """Its latency is that of its calls; throughput per input is not known."""
    shown = table(foreign(trace_of([L(name="a", ns=100)])), "A1")
    assert cells(shown, "latency_ns") == (140,)
    assert cells(shown, "batch") == (None,)
    assert cells(shown, "throughput_per_s") == (None,)


def test_kernels_of_a_call_are_summed_and_united() -> None:
    """Two kernels side by side: the sum counts both, the union once; occupancy is weighted with time."""
    kernels = (
        K(ns=60, attributes=counted(600, 30, 10, 0.25)),
        K(ns=20, lane=OTHER_STREAM, attributes=counted(400, 10, 10, 0.75)),
    )
    shown = table(made_up([L(name="a", kernels=kernels)], samples=(160,) * 3), "A15")
    assert cells(shown, "kernel_ns") == (80,)
    assert cells(shown, "busy_ns") == (60,)
    assert cells(shown, "busy_percent") == (37.5,)
    assert cells(shown, "flops") == (1000,)
    assert cells(shown, "occupancy_percent") == (37.5,)
    assert cells(shown, "intensity") == (pytest.approx(1000 / 60),)
    assert cells(shown, "memory_bound") == (False,)


def test_without_counters_a_call_has_the_costs_of_its_layers() -> None:
    """Flops and bytes computed from shapes are used, and said to be."""
    shown = table(made_up([L(name="a", kernels=(K(),), attributes=costs(500, 80, 20))]), "A15")
    assert cells(shown, "figures") == ("computed",)
    assert (cells(shown, "flops"), cells(shown, "read_bytes")) == ((500,), (80,))


def test_without_kernels_the_reason_is_given() -> None:
    """On the processor nothing is launched; elsewhere the notes of the profile say why."""
    on_host = made_up([L(name="a")], levels="ML", runtime={"provider": "cpu"})
    assert "without kernels" in table(on_host, "A15").unavailable
    refused = made_up([L(name="a")], levels="ML", notes=("the driver is too old",))
    assert "the driver is too old" in table(refused, "A15").unavailable
