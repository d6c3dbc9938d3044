from dataclasses import replace

from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.device_time import launching
from dlbricks.analysis.executions import device_rows, kernels_of
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import NONE, Lane, Level, LevelRun, Role, TraceClock
from tests.analysis.made_up import HOST, OTHER_STREAM, STREAM, K, L, add_kernel, cells, made_up, trace_of


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


def test_a_device_that_waits_for_a_launch_is_launch_bound() -> None:
    """Idle time counts as launch-bound until the launch of what comes next has returned, and no further."""
    layers = [
        L(name="a", ns=100, gap=0, kernels=(K(at=20, ns=30),)),
        L(name="b", ns=100, gap=0, kernels=(K(at=50, ns=30),)),
    ]
    made = kernels_of(trace_of(layers, calls=1, tail=0))
    found = launching(made)
    assert found.idle_ns.tolist() == [20, 100]
    assert found.bound_ns.tolist() == [5, 55]
    assert found.delay_ns.tolist() == [20, 50]
    run = LevelRun(batch=1, levels="MLK", samples_ns=(200,), trace=made.trace)
    notes = chosen(["launch-bound"])[0].compute(replace(made_up(layers), runs=(run,))).notes
    expected = "in a call of 200 ns devices idle for 120 ns; launches cause 60 ns of that, 30.0 %"
    assert any(note.startswith(expected) for note in notes)


def test_a_busy_device_waits_for_nobody() -> None:
    """What is launched while another stream of the device works adds no idle time before it."""
    kernels = (K(at=10, ns=80), K(at=20, ns=5, lane=OTHER_STREAM), K(at=85, ns=10, lane=OTHER_STREAM))
    made = kernels_of(trace_of([L(name="a", gap=0, kernels=kernels)], calls=1))
    assert launching(made).idle_ns.tolist() == [10, 0, 0]


def test_work_of_the_call_before_is_no_idle_time() -> None:
    """A device that still works for the last step does not idle in this one; idle time ends at the start of a step."""
    made = TraceBuilder(clock=TraceClock(name="made up"))
    for start in (0, 100):
        made.add(Level.APPLICATION, kinds.STEP, "step", HOST, start, start + 90)
    add_kernel(made, K(at=50, ns=80), None, 0, 40)
    add_kernel(made, K(at=40, ns=20), None, 100, 105)
    found = launching(kernels_of(made.built()))
    assert found.idle_ns.tolist() == [50, 10]


def test_devices_idle_each_for_itself() -> None:
    """What one device does is no work of another."""
    other = Lane(process="1", name="stream 7", device="gpu 1")
    made = kernels_of(trace_of([L(name="a", gap=0, kernels=(K(at=10, ns=50), K(at=60, ns=10, lane=other)))], calls=1))
    assert launching(made).idle_ns.tolist() == [10, 60]


def test_layers_that_launch_have_a_row() -> None:
    """Sums over the executions of a layer in one call; a layer that launches nothing has none."""
    layers = [L(name="a", kernels=(K(at=20, ns=30), K(at=60, ns=10))), L(name="quiet"), L(name="b", kernels=(K(),))]
    table = chosen(["launch-bound"])[0].compute(made_up(layers))
    assert cells(table, "layer") == ("a", "b")
    assert cells(table, "launches") == (2, 1)
    assert cells(table, "device_ns") == (40, 50)
