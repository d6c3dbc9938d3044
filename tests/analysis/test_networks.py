from dataclasses import replace

import pytest

from dlbricks.analysis.comparison import networks_table
from tests.analysis.made_up import K, L, cells, costs, foreign, made_up, trace_of


def test_every_network_is_a_row() -> None:
    """Latency, layers, shares of convolutions and products, and verdict of each."""
    conv = [
        L(name="c", ns=150, attributes=costs(30_000, 100, 100)),
        L(name="r", type="Relu", ns=50, attributes=costs(0, 1, 1)),
    ]
    product = [L(name="m", type="MatMul", ns=80, attributes=costs(50, 500, 500)), L(name="s", type="Softmax", ns=20)]
    made = [made_up(conv, levels="ML", network="cnn"), made_up(product, levels="ML", network="mlp", samples=(5, 6, 7))]
    shown = networks_table(made)
    assert cells(shown, "network") == ("cnn", "mlp")
    assert cells(shown, "latency_ns") == (1000, 6)
    assert cells(shown, "layers") == (2, 2)
    assert cells(shown, "convolution_percent") == (75, 0)
    assert cells(shown, "matrix_percent") == (0, 80)
    assert cells(shown, "memory_bound") == (False, True)
    assert cells(shown, "flops") == (30_000, 50)


def test_overhead_is_time_without_layers_or_without_a_busy_device() -> None:
    """On the host gaps of a call of 150 ns; with kernels what is left of the latency beside their union."""
    on_host = made_up([L(name="a", ns=90, gap=30)], levels="ML")
    on_device = made_up([L(name="a", ns=90, kernels=(K(ns=40), K(ns=40, at=40)))], samples=(100,) * 3)
    shown = networks_table([on_host, on_device])
    assert cells(shown, "overhead_percent") == (pytest.approx(40), pytest.approx(40))
    assert cells(shown, "launch_bound_percent")[0] is None


def test_batches_give_optimum_and_throughput() -> None:
    """Throughput is the largest, latency that of the smallest batch."""
    runs = [
        made_up([L(name="a")], batch=batch, samples=(time,) * 3).runs for batch, time in ((1, 100), (2, 150), (4, 290))
    ]
    made = replace(made_up([L(name="a")]), runs=tuple(run for part in runs for run in part))
    shown = networks_table([made])
    assert cells(shown, "latency_ns") == (100,)
    assert cells(shown, "optimal_batch") == (2,)
    assert cells(shown, "throughput_batch") == (4,)
    assert cells(shown, "throughput_per_s") == (pytest.approx(4e9 / 290),)


def test_a_trace_of_somebody_else_has_a_row() -> None:
    """What is not known of it is empty."""
    shown = networks_table([foreign(trace_of([L(name="a")]), "ML")])
    assert cells(shown, "network") == ("theirs",)
    assert cells(shown, "batch") == cells(shown, "memory_bound") == cells(shown, "throughput_per_s") == (None,)
    assert any("no roofs" in note for note in shown.notes)
