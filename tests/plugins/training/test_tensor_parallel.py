"""Layers shared among ranks: what each computes and sums."""

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.plugins.training.collectives import collective_rows
from dlbricks.plugins.training.tensor_parallel import SUM
from dlbricks.whatif.answer import ask
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.made_up import ADD, HOST, PRODUCT, STREAM, Made, after, asked

LAYER_NORM, FLASH, GELU = "vectorized_layer_norm_kernel", "flash_fwd_kernel", "GeluCUDAKernelImpl"
ATTENDS = (LAYER_NORM, PRODUCT, FLASH, PRODUCT, ADD)
COMPUTES = (LAYER_NORM, PRODUCT, GELU, PRODUCT, ADD)
TENSOR = "tensor-parallel:4,bandwidth=8Gbps,latency=0us,efficiency=100%,size=1MB"


def transformer(*blocks: tuple[str, ...], back: tuple[tuple[str, ...], ...] | None = None) -> DependencyGraph:
    """Return a step of blocks and a head, the backward pass the other way round unless given, then quick updates."""
    made = Made()
    forward = [name for block in blocks for name in block] + [LAYER_NORM, PRODUCT, "softmax_warp_forward"]
    backward = forward[::-1] if back is None else [name for block in back for name in block]
    for names, phase in ((forward, Phase.FORWARD), (backward, Phase.BACKWARD)):
        for name in names:
            made.kernel(name, phase)
    for _ in range(8):
        made.kernel(ADD, Phase.UPDATE, 2_000)
    made.builder.wait(made.builder.task(TaskKind.SYNCHRONISATION, "cudaDeviceSynchronize", HOST, 1_000), STREAM)
    return made.builder.built()


def test_products_around_attention_and_activations_are_split_and_summed() -> None:
    """Three kernels of each block and the head take a quarter in both passes, and a sum of 1.5 ms follows each time."""
    before = transformer(ATTENDS, COMPUTES)
    graph = after(before, TENSOR)
    sums = select(graph, name=f"^{SUM}$")
    assert graph.duration_ns[sums].tolist() == [1_500_000] * 6
    assert graph.attributes["group_size"][sums].tolist() == [4] * 6
    kernels = graph.duration_ns[graph.kind == TaskKind.KERNEL]
    assert (kernels == 25_000).sum() == 16
    assert kernels.sum() == before.duration_ns[before.kind == TaskKind.KERNEL].sum() - 16 * 75_000
    plan, lane = replay(graph), np.flatnonzero(graph.kind == TaskKind.KERNEL)
    for row in sums.tolist():
        ahead = lane[plan.end_ns[lane] <= plan.start_ns[row]]
        behind = lane[plan.start_ns[lane] >= plan.end_ns[row]]
        assert len(ahead) + len(behind) == len(lane)


def test_what_a_sum_would_be_missing_for_is_left_alone() -> None:
    """A second activation behind another product, and a normalisation of queries and keys."""
    twice = (LAYER_NORM, PRODUCT, GELU, PRODUCT, GELU, PRODUCT)
    graph = after(transformer(twice, ATTENDS), TENSOR)
    assert len(collective_rows(graph)) == 4
    normalised = (LAYER_NORM, PRODUCT, LAYER_NORM, FLASH, PRODUCT)
    with pytest.raises(InputError, match="neither a product after attention nor an activation"):
        asked(transformer(normalised), TENSOR)
    gated = (LAYER_NORM, PRODUCT, PRODUCT, "silu_kernel", "mul_kernel", PRODUCT)
    assert len(collective_rows(after(transformer(gated), TENSOR))) == 4
    unfused = (LAYER_NORM, PRODUCT, PRODUCT, PRODUCT, PRODUCT, "softmax_warp_forward", PRODUCT, PRODUCT)
    assert len(collective_rows(after(transformer(unfused), TENSOR))) == 4
    with pytest.raises(InputError, match="2 regions of its forward pass can be shared, but 1 of its backward pass"):
        asked(transformer(ATTENDS, COMPUTES, back=(COMPUTES,)), TENSOR)


def test_an_answer_is_not_below_what_the_device_is_busy_for() -> None:
    """Its interval is that of runs on several GPUs."""
    answer = ask(transformer(ATTENDS, COMPUTES), [read_step(TENSOR, all_transforms())]).answer
    assert answer.interval is not None
    assert answer.interval.source.startswith("9 back-tests of runs on four GPUs")
    assert answer.after.time_ns >= answer.after.busy_ns
