"""Training on one device: fused updates, batch normalisation, activations out of memory, loading of data."""

from dataclasses import replace

import pytest

from dlbricks.plugins.training.paper import DECODE, ENCODE, OFFLOAD, PREFETCH
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.made_up import (
    ADD,
    MEGABYTE,
    NORM,
    NORM_BACK,
    PRODUCT,
    PRODUCT_BACK,
    RELU,
    RELU_BACK,
    SIDE,
    STREAM,
    Made,
    after,
    names,
    training,
)

MS = 1_000_000


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


def test_by_bytes_each_value_moves_once() -> None:
    """Adam moves 28 bytes for each parameter: three gradients of 4 MB, 1 M parameters each, at 600 GB/s."""
    graph = after(training(steps=1, gradient=4 * MEGABYTE), "fused-adam")
    assert graph.duration_ns[select(graph, name="fused update")].tolist() == [140_000]
    named = after(training(steps=1, gradient=0), "fused-adam:parameters=3e6")
    assert named.duration_ns.tolist() == graph.duration_ns.tolist()


def test_updates_do_not_grow_with_the_batch() -> None:
    """They read parameters, however many inputs there are."""
    made = Made()
    for name, phase in ((PRODUCT, Phase.FORWARD), (ADD, Phase.BACKWARD), (ADD, Phase.UPDATE)):
        made.kernel(RELU, phase, 1_000)
        made.kernel(name, phase, MS)
    before = made.builder.built()
    graph = after(before, "batch:2")
    grown = graph.duration_ns > 1.5 * before.duration_ns
    assert (grown == ((before.phase != Phase.UPDATE) & (before.duration_ns == MS))).all()


def updated(*operators: str) -> DependencyGraph:
    """Return an update of a kernel of 100 us for each operator, behind a gradient of a million parameters."""
    made = Made()
    made.kernel(RELU_BACK, Phase.BACKWARD, 1_000)
    made.kernel(PRODUCT_BACK, Phase.BACKWARD, 1_000, gradient_bytes=4 * MEGABYTE)
    for operator in operators:
        made.builder.task(TaskKind.KERNEL, "elementwise", STREAM, 100_000, phase=Phase.UPDATE, operator=operator)
    return replace(made.builder.built(), device="NVIDIA H200")


@pytest.mark.parametrize(
    ("operators", "nbytes"),
    [
        (("mul_", "lerp_", "mul_", "addcmul_", "sqrt", "div", "add_", "addcdiv_"), 28),
        (("_foreach_mul_", "_foreach_lerp_", "_foreach_addcmul_", "_foreach_sqrt", "_foreach_addcdiv_"), 28),
        (("mul_", "add_", "mul_", "addcmul_", "sqrt", "add_", "addcdiv_"), 28),
        (("mul_", "add_", "add_"), 20),
        (("_foreach_add_", "_foreach_add_"), 12),
        (("mul_", "addcmul_", "sqrt", "add_", "addcdiv_"), 0),
        (("mul_", "maximum", "add_"), 0),
    ],
)
def test_the_recorded_optimiser_tells_what_moves(operators: tuple[str, ...], nbytes: int) -> None:
    """At what an H200's memory attains, 0.85 of 4.8 TB/s; of another optimiser the times are kept."""
    before = updated(*(f"aten::{one}" for one in operators))
    time = int(after(before, "fused-optimizer").duration_ns[-1])
    assert time == (round(1e6 * nbytes / 4.8e3 / 0.85) if nbytes else 100_000 * len(operators))
    slow = after(before, "fused-optimizer:parameters=1e12")
    assert slow.duration_ns[-1] == 100_000 * len(operators)


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


def residual() -> DependencyGraph:
    """Return a step of two normalisations: behind the first an activation, behind the second a sum, then one."""
    made = Made()
    for name in (NORM, RELU, NORM, ADD, RELU):
        made.kernel(name, Phase.FORWARD)
    for number, name in enumerate((RELU_BACK, NORM_BACK, RELU_BACK, NORM_BACK)):
        made.kernel(name, Phase.BACKWARD, 100_000 + number)
    return made.builder.built()


def test_normalisations_take_half_and_activations_nothing() -> None:
    """Those of both passes, with their launches."""
    before = training(steps=1, layers=3)
    graph = after(before, "reconstruct-bn")
    assert len(graph) == len(before) - 2 * 6
    assert set(graph.duration_ns[select(graph, name="bn_")].tolist()) == {50_000}
    assert replay(before).makespan_ns - replay(graph).makespan_ns == 6 * 100_000 + 6 * 50_000


def test_an_activation_behind_a_sum_stays_with_its_backward_kernel() -> None:
    """Though that one stands right before the backward kernel of a normalisation."""
    graph = after(residual(), "reconstruct-bn:1x")
    assert names(graph, TaskKind.KERNEL) == [NORM, NORM, ADD, RELU, RELU_BACK, NORM_BACK, NORM_BACK]
    assert graph.duration_ns[select(graph, name=RELU_BACK)].tolist() == [100_000]


def test_each_layer_but_the_last_is_moved_out_and_back() -> None:
    """Two of three layers, each half of 20 MB at 10 GB/s; before its backward kernel it is back."""
    graph = after(training(steps=1, layers=3), "vdnn:20MB,bandwidth=10GB/s,latency=0us,layer=conv*")
    plan = replay(graph)
    out, back = select(graph, name=OFFLOAD), select(graph, name=PREFETCH)
    assert graph.duration_ns[out].tolist() == graph.duration_ns[back].tolist() == [1_000_000] * 2
    forward = select(graph, name=PRODUCT, kinds=(TaskKind.KERNEL,))
    backward = select(graph, name=PRODUCT_BACK, kinds=(TaskKind.KERNEL,))
    for layer in (0, 1):
        assert plan.start_ns[out[layer]] >= plan.end_ns[forward[layer]]
        assert plan.start_ns[forward[layer + 1]] >= plan.end_ns[out[layer]]
        assert plan.start_ns[backward[2 - layer]] >= plan.end_ns[back[1 - layer]]


def test_little_to_move_costs_little_and_much_costs_much() -> None:
    """Copies run beside kernels until they take longer."""
    before = replay(training()).makespan_ns
    little, much = (replay(after(training(), f"vdnn:{size},layer=conv*")).makespan_ns for size in ("1kB", "1GB"))
    assert before <= little < 1.1 * before
    assert much > 1.9e9 * 2 / 12


def test_activations_are_encoded_and_decoded_beside_their_kernels() -> None:
    """As long as these themselves, or by a factor."""
    before = training(steps=2, layers=3)
    graph = after(before, "gist:1.5x")
    for name, phase in ((ENCODE, Phase.FORWARD), (DECODE, Phase.BACKWARD)):
        rows = select(graph, name=name)
        assert graph.duration_ns[rows].tolist() == [150_000] * 6
        assert set(graph.phase[rows].tolist()) == {phase}
    assert replay(graph).makespan_ns == pytest.approx(replay(before).makespan_ns + 12 * 150_000, abs=20_000)


def test_the_forward_pass_is_computed_again_piece_by_piece() -> None:
    """Nine kernels of 100 us in three segments, each ahead of the first backward kernel of its last layer.

    The last layer of four, from its product on, is in no segment.
    """
    before = training(steps=2, layers=4)
    graph = after(before, "recompute:3")
    on_device = graph.task_name[select(graph, phases=(Phase.FORWARD, Phase.BACKWARD), kinds=(TaskKind.KERNEL,))]
    order = [graph.names[number] for number in on_device.tolist()]
    forward, backward = [PRODUCT, NORM, RELU], [RELU_BACK, NORM_BACK, PRODUCT_BACK]
    assert order == (4 * forward + backward + 3 * (forward + backward)) * 2
    assert replay(graph).makespan_ns == replay(before).makespan_ns + 2 * 9 * 100_000


def test_some_layers_are_computed_again() -> None:
    """Products alone; where the host takes the time, their launches count, as those of a checkpoint do."""
    before = training(steps=1, layers=3, launch_ns=300_000)
    graph = after(before, "recompute:1,layer=conv*")
    assert len(select(graph, name=PRODUCT, kinds=(TaskKind.KERNEL,))) == 6
    assert replay(graph).makespan_ns == replay(before).makespan_ns + (8 + 3 * 1.6) * 300_000


def test_loading_becomes_fetching() -> None:
    """Steps of 27 kernels of 100 us behind 10 ms of loading each."""
    before = training(steps=3, layers=3, load_ns=10 * MS)
    graph = after(before, "data-loader:16,time=1ms,slowdown=1")
    assert graph.duration_ns[select(graph, kinds=(TaskKind.DATA,))].tolist() == [MS] * 3
    assert replay(graph).makespan_ns < replay(before).makespan_ns


def test_loading_that_is_quicker_than_fetching_stays() -> None:
    """Workers make nothing slower than it was, but for what they take from the main thread."""
    before = training(load_ns=MS // 2)
    graph = after(before, "data-loader:4,time=1ms,slowdown=1")
    assert graph.duration_ns.tolist() == before.duration_ns.tolist()


def test_too_few_workers_are_waited_for() -> None:
    """In the long run a step takes no less than a batch takes by the number of workers."""
    before = training(steps=6, load_ns=100 * MS)
    for workers in (2, 5):
        graph = after(before, f"data-loader:{workers},time=1ms,slowdown=1")
        starts = replay(graph).start_ns[select(graph, kinds=(TaskKind.DATA,))]
        assert (starts[1:] - starts[:-1]).tolist() == pytest.approx([100 * MS / workers] * 5, rel=0.01)
        assert any(note.startswith(f"{workers} workers load a batch in") for note in graph.notes)


@pytest.mark.parametrize(("asked", "load_ms"), [("4,slowdown=1.2x", 30), ("1,slowdown=1.2x", 100)])
def test_workers_slow_each_other(asked: str, load_ms: int) -> None:
    """One worker alone takes no longer than the main thread did."""
    graph = after(training(steps=6, load_ns=100 * MS), f"data-loader:{asked},time=1ms")
    starts = replay(graph).start_ns[select(graph, kinds=(TaskKind.DATA,))]
    assert (starts[1:] - starts[:-1]).tolist() == pytest.approx([load_ms * MS] * 5, rel=0.01)


def test_workers_slow_the_main_thread() -> None:
    """Calls take longer, kernels do not."""
    before = training(load_ns=10 * MS)
    graph = after(before, "data-loader:4,time=1ms,slowdown=1.5x")
    calls, kernels = (select(graph, kinds=(kind,)) for kind in (TaskKind.CPU, TaskKind.KERNEL))
    assert (graph.duration_ns[calls] == before.duration_ns[calls] * 1.5).all()
    assert (graph.duration_ns[kernels] == before.duration_ns[kernels]).all()
