"""Fused attention on GPUs: what is part of it, in both passes, and how long it takes."""

from dataclasses import replace

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms
from dlbricks.whatif.transforms.fuse import IN_SINGLE, attentions
from tests.whatif.made_up import Made

SIMT, COPY = "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize64x64x8", "elementwise_kernel<direct_copy_kernel_cuda>"
SOFTMAX = "softmax_warp_{}<float, float, float, 9, false, false>"
SMALL, LARGE = 6e6, 48e6
"""Bytes of queries, keys, values or results, and of the attention matrix."""
FLOPS = 1.536e9
"""With sequences of 512."""


def product(made: Made, phase: Phase, reads: float, writes: float, name: str = SIMT, flops: float = FLOPS) -> None:
    """Add a product of attention."""
    made.kernel(name, phase, 50_000, read_bytes=reads, written_bytes=writes, flops=flops, operator="aten::matmul")


def passing(made: Made, name: str, phase: Phase, nbytes: float, operator: str = "aten::matmul") -> None:
    """Add a kernel that reads and writes each value once."""
    made.kernel(name, phase, 20_000, read_bytes=nbytes, written_bytes=nbytes, operator=operator)


def forward(made: Made, name: str = SIMT, last: float = FLOPS) -> None:
    """Add attention that copies its queries and, behind the softmax, its values."""
    passing(made, COPY, Phase.FORWARD, SMALL)
    product(made, Phase.FORWARD, 2 * SMALL, LARGE, name)
    passing(made, SOFTMAX.format("forward"), Phase.FORWARD, LARGE, "aten::softmax")
    passing(made, COPY, Phase.FORWARD, SMALL)
    product(made, Phase.FORWARD, LARGE + SMALL, SMALL, name, last)


def backward(made: Made) -> None:
    """Add the way back."""
    product(made, Phase.BACKWARD, LARGE + SMALL, SMALL)
    product(made, Phase.BACKWARD, 2 * SMALL, LARGE)
    passing(made, SOFTMAX.format("backward"), Phase.BACKWARD, LARGE, "SoftmaxBackward0")
    product(made, Phase.BACKWARD, LARGE + SMALL, SMALL)
    product(made, Phase.BACKWARD, LARGE + SMALL, SMALL)


def fused(made: Made, device: str = "NVIDIA H200") -> DependencyGraph:
    """Return the graph with fused attention."""
    return apply_all(replace(made.builder.built(), device=device), [read_step("attention", all_transforms())]).graph


def kernels(graph: DependencyGraph) -> list[int]:
    """Return what kernels take."""
    made: list[int] = graph.duration_ns[select(graph, kinds=(TaskKind.KERNEL,))].tolist()
    return made


def test_copies_beside_attention_are_part_of_it() -> None:
    """What reads less than the softmax wrote is a copy of the values; fused kernels in single precision reach 0.45."""
    made = Made()
    forward(made)
    passing(made, COPY, Phase.FORWARD, SMALL, "aten::contiguous")
    made.kernel("relu_elementwise", Phase.FORWARD, 7_000)
    after = fused(made)
    assert kernels(after) == [round(2 * FLOPS / (0.45 * 67e3)), 7_000]
    assert IN_SINGLE in after.notes
    unknown = fused(made, "a device that nobody knows")
    assert kernels(unknown)[0] == 20_000  # the copy of the queries stays where nothing is known of the device
    assert len(kernels(unknown)) == 4


def test_the_way_back_stays() -> None:
    """Kernels of a backward pass are not fused."""
    made = Made()
    forward(made)
    backward(made)
    assert kernels(fused(made)) == [round(2 * FLOPS / (0.45 * 67e3)), *kernels(made.builder.built())[-5:]]


def test_what_an_operator_does_beside_its_products_is_part_of_it() -> None:
    """PyTorch's unfused operator looks for rows that a mask leaves nothing of."""
    made = Made()
    product(made, Phase.FORWARD, 2 * SMALL, LARGE)
    passing(made, SOFTMAX.format("forward"), Phase.FORWARD, LARGE)
    passing(made, "reduce_kernel<512, 1, and_kernel>", Phase.FORWARD, SMALL)
    product(made, Phase.FORWARD, LARGE + SMALL, SMALL)
    assert len(kernels(fused(made))) == 1


def test_sequences_fill_whole_tiles() -> None:
    """A length of 197 takes the time of 256."""
    made = Made()
    product(made, Phase.FORWARD, 2 * SMALL, LARGE, flops=197 * 3e6)
    passing(made, SOFTMAX.format("forward"), Phase.FORWARD, LARGE)
    product(made, Phase.FORWARD, LARGE + SMALL, SMALL, flops=197 * 3e6)
    assert kernels(fused(made)) == [round(2 * 256 * 256 / 197 * 3e6 / (0.45 * 67e3))]


def test_half_precision_is_told_by_any_kernel_of_it() -> None:
    """Names of products may not tell it; FlashAttention reaches half of the peak."""
    made = Made()
    product(made, Phase.FORWARD, 2 * SMALL, LARGE, "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_TNT")
    passing(made, "vectorized_elementwise_kernel<8, c10::BFloat16>", Phase.FORWARD, LARGE)
    passing(made, SOFTMAX.format("forward"), Phase.FORWARD, LARGE)
    product(made, Phase.FORWARD, LARGE + SMALL, SMALL, "nvjet_sm90_tst_128x256_64x4_1x2_h_bz_coopA_NNN")
    after = fused(made)
    assert kernels(after) == [round(2 * FLOPS / (0.5 * 989.5e3))]
    assert IN_SINGLE not in after.notes


def test_products_of_other_sizes_are_no_attention() -> None:
    """Nor is a softmax whose second product is on the way back, as that of a loss."""
    made = Made()
    forward(made, last=3 * FLOPS)
    product(made, Phase.FORWARD, SMALL, LARGE)
    passing(made, SOFTMAX.format("forward"), Phase.FORWARD, LARGE)
    product(made, Phase.BACKWARD, LARGE + SMALL, SMALL)
    assert attentions(made.builder.built()) == ()
    with pytest.raises(InputError, match="no softmax between two matrix products"):
        fused(made)
