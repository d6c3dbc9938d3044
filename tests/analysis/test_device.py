from dlbricks.analysis.executions import device_rows, kernels_of
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Level, Role, TraceClock
from tests.analysis.made_up import HOST, STREAM, K, L, add_kernel, trace_of


def test_two_launches_of_one_kernel_in_one_layer_are_two() -> None:
    """Kernels are told apart by layer, name and occurrence; each is found in every call."""
    layers = [L(name="a", kernels=(K(ns=10), K(ns=30, at=40))), L(name="b", kernels=(K(ns=20),))]
    found = kernels_of(trace_of(layers, calls=4))
    assert found.names == ("gemm",) * 3
    assert list(zip(found.layer.tolist(), found.occurrence.tolist(), strict=True)) == [(0, 0), (0, 1), (1, 0)]
    assert found.latencies().median.tolist() == [10, 30, 20]
    assert found.latencies().count.tolist() == [4, 4, 4]


def test_a_kernel_without_a_layer_is_kept() -> None:
    """It has no layer, and its time counts."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    add_kernel(made, K(ns=70), None, 0, 0)
    found = kernels_of(made.built())
    assert (found.layer.tolist(), found.durations_ns.tolist()) == ([NONE], [70])


def test_a_graph_launch_counts_where_its_nodes_were_not_recorded() -> None:
    """As a whole it is busy time; where its kernels are there it would count twice."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    rows = []
    for start in (0, 100):
        launch = made.add(Level.LIBRARY, kinds.RUNTIME, "cudaGraphLaunch", HOST, start, start + 5, role=Role.LAUNCH)
        rows.append(
            made.add(
                Level.KERNEL, kinds.GRAPH, "graph", STREAM, start + 10, start + 60, role=Role.EXECUTION, parent=launch
            )
        )
    node = made.add(Level.KERNEL, kinds.KERNEL, "gemm", STREAM, 110, 130, role=Role.EXECUTION, parent=launch)
    assert device_rows(made.built()).tolist() == [rows[0], node]


def test_copies_do_not_compute() -> None:
    """Copies and memsets keep a device busy; only the rest computes."""
    layers = [L(name="a", kernels=(K(), K(name="copy", kind=kinds.COPY, at=80)))]
    found = kernels_of(trace_of(layers, calls=1))
    assert found.computing.tolist() == [True, False]
    assert found.lanes() == ("gpu 0 stream 7",) * 2
