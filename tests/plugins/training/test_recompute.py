"""What torch.utils.checkpoint need not compute again of blocks that end with a product."""

import pytest

from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.made_up import NORM, PRODUCT, PRODUCT_BACK, Made, training

ADD, SUM = "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>", "splitKreduce_kernel<32, 16, gemm>"


def blocks(count: int, *, norms_inside: bool) -> DependencyGraph:
    """Return blocks of a normalisation, a product in two kernels and an addition, then words, and the way back."""
    made = Made()
    for _ in range(count):
        for name in (NORM, PRODUCT, SUM, ADD):
            made.kernel(name, Phase.FORWARD)
    for name in (NORM, PRODUCT, "log_softmax"):
        made.kernel(name, Phase.FORWARD)
    for _ in range(count + 1):
        made.kernel(PRODUCT_BACK, Phase.BACKWARD)
        made.kernel(ADD, Phase.BACKWARD, operator="NativeLayerNormBackward0" if norms_inside else "AddmmBackward0")
    return made.builder.built()


@pytest.mark.parametrize(("norms_inside", "again"), [(True, 1), (False, 4)])
def test_the_last_product_of_a_block_is_not_needed_again(*, norms_inside: bool, again: int) -> None:
    """Its inputs are; unless a normalisation of the sum follows in the block. Words and loss are in no block."""
    before = blocks(3, norms_inside=norms_inside)
    after = apply_all(before, [read_step("recompute:3", all_transforms())]).graph
    kernels = [len(select(graph, kinds=(TaskKind.KERNEL,))) for graph in (before, after)]
    behind = 0 if norms_inside else 1  # the normalisation ahead of the words
    assert kernels[1] - kernels[0] == 3 * again + behind
    assert len(select(after, name="log_softmax", kinds=(TaskKind.KERNEL,))) == 1


def test_other_numbers_of_segments_are_no_blocks() -> None:
    """Four segments of three blocks hold all but the words."""
    before = blocks(3, norms_inside=True)
    after = apply_all(before, [read_step("recompute:4", all_transforms())]).graph
    assert len(select(after, kinds=(TaskKind.KERNEL,))) - len(select(before, kinds=(TaskKind.KERNEL,))) == 13


def test_where_the_host_takes_the_time_checkpoints_cost_more_than_launches() -> None:
    """Each of two segments takes eight launches more ahead, and is launched again in 1.6 times its time."""
    before = training(steps=1, layers=3, launch_ns=300_000)
    after = apply_all(before, [read_step("recompute:2", all_transforms())]).graph
    again = len(select(after, kinds=(TaskKind.KERNEL,))) - len(select(before, kinds=(TaskKind.KERNEL,)))
    assert again == 6
    took = replay(after).makespan_ns - replay(before).makespan_ns
    assert took == (2 * 8 + 1.6 * again) * 300_000


def test_where_the_device_takes_the_time_only_kernels_count() -> None:
    """Six kernels of 100 us, however long their launches take on a host that is ahead."""
    before = training(steps=1, layers=3)
    after = apply_all(before, [read_step("recompute:2", all_transforms())]).graph
    assert replay(after).makespan_ns == replay(before).makespan_ns + 6 * 100_000
