"""Fused updates: fewer launches, no more time on the device than before, and nothing else is changed."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import EdgeKind, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.training.made_up import ADD, MEGABYTE, SIDE, Made, after, names, training


def test_one_kernel_of_the_sum_and_one_launch_for_each_step() -> None:
    """Daydream's model: six kernels of 100 us become one of 600."""
    before = training(steps=2, layers=3)
    graph = after(before, "fused-optimizer")
    fused = select(graph, name="fused update")
    assert graph.duration_ns[fused].tolist() == [600_000, 600_000]
    assert len(graph) == len(before) - 2 * 2 * 5
    assert ADD not in names(graph)


def test_the_device_works_as_long_as_before_and_the_host_less() -> None:
    """So training that waits for its device takes the same, and training that waits for its host less."""
    for launch_ns, gains in ((10_000, False), (300_000, True)):
        before = training(launch_ns=launch_ns)
        saved = replay(before).makespan_ns - replay(after(before, "fused-optimizer")).makespan_ns
        assert (saved > 100_000) == gains
        assert saved >= 0


def test_several_fused_kernels_share_the_time() -> None:
    """As where lists of tensors are split."""
    graph = after(training(steps=1), "fused-optimizer:sum,launches=3")
    assert graph.duration_ns[select(graph, name="fused update")].tolist() == [200_000] * 3


def test_by_bytes_each_value_moves_once() -> None:
    """Adam moves 28 bytes for each parameter: three gradients of 4 MB, 1 M parameters each, at 840 GB/s."""
    graph = after(training(steps=1, gradient=4 * MEGABYTE), "fused-adam:memory=840GB/s")
    assert graph.duration_ns[select(graph, name="fused update")].tolist() == [100_000]
    named = after(training(steps=1, gradient=0), "fused-adam:parameters=3e6,memory=840GB/s")
    assert named.duration_ns.tolist() == graph.duration_ns.tolist()


def test_zeroing_of_gradients_is_no_update() -> None:
    """It comes before the next forward pass, and stays."""
    made = Made()
    made.kernel("FillFunctor<float>", Phase.UPDATE)
    for _ in range(2):
        made.kernel(ADD, Phase.UPDATE)
    assert names(after(made.builder.built(), "fused-optimizer"), TaskKind.KERNEL) == [
        "FillFunctor<float>", "fused update",
    ]  # fmt: skip


def test_the_fused_update_waits_for_what_any_update_waited_for() -> None:
    """A collective on another stream; and what waited for an update waits for the fused one."""
    made = Made()
    summed = made.on(SIDE, TaskKind.COLLECTIVE, "ncclAllReduce", Phase.BACKWARD, 900_000)
    updates = [made.kernel(ADD, Phase.UPDATE) for _ in range(2)]
    made.builder.edge(EdgeKind.STREAM, summed, updates[1])
    last = made.on(SIDE, TaskKind.KERNEL, "reduce", Phase.NONE, 7)
    made.builder.edge(EdgeKind.STREAM, updates[0], last)
    graph = after(made.builder.built(), "fused-optimizer")
    plan = replay(graph)
    fused, waiting = select(graph, name="fused update")[0], select(graph, name="^reduce")[0]
    assert plan.start_ns[fused] == plan.end_ns[select(graph, name="nccl")[0]]
    assert plan.start_ns[waiting] == plan.end_ns[fused]


def test_what_the_host_does_behind_the_update_stays() -> None:
    """The gap of the last launch is the framework's way to the next step."""
    made = Made()
    for _ in range(2):
        made.builder.edge(
            EdgeKind.LAUNCH,
            made.builder.task(TaskKind.CPU, "launch", SIDE, 10, gap_ns=500, phase=Phase.UPDATE),
            made.kernel(ADD, Phase.UPDATE),
        )
    before = made.builder.built()
    graph = after(before, "fused-optimizer")
    assert int(graph.gap_ns.max()) == 500


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fused-optimizer:rmsprop", "'rmsprop' is none of sum, sgd, momentum, adam"),
        ("fused-optimizer:launches=6", "its update is 6 kernels in a step already"),
        ("fused-adam", "does not say how large its gradients are: record it with record_shapes=True, or give"),
        ("fused-adam:parameters=many", "parameters 'many' is no number"),
        ("fused-adam:parameters=-3", "a model cannot have -3 parameters"),
        ("fused-adam:parameters=1e9", "longer than the 0.6 ms of its kernels now"),
    ],
)
def test_what_makes_no_sense_is_refused(text: str, message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError) as caught:
        after(training(gradient=0), text)
    assert message in str(caught.value)


def test_inference_has_no_update() -> None:
    """So there is nothing to fuse."""
    made = Made()
    made.kernel(ADD, Phase.FORWARD)
    with pytest.raises(InputError, match="no kernel of it updates parameters"):
        after(made.builder.built(), "fused-optimizer")
