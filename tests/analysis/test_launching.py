from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.device_time import launching
from dlbricks.analysis.executions import kernels_of
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, TraceClock
from tests.analysis.made_up import HOST, OTHER_STREAM, K, L, add_kernel, cells, made_up, trace_of


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
    assert (found.call_ns, found.call_idle_ns, found.call_bound_ns, found.share) == (200, 120, 60, 0.3)


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
