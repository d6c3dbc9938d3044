"""Tests attention of several kernels that half precision turns into one."""

from dataclasses import replace
from typing import Any

import pytest

from dlbricks.whatif.graph import DependencyGraph, Phase
from dlbricks.whatif.transforms.number_formats import with_half_kernels_only
from tests.whatif.made_up import Made, after, names

MATH = "aten::scaled_dot_product_attention"
NAME = "flash attention in half precision"


def decoder(layer: str = MATH, softmax: str = "softmax_warp_forward<float>", flops: float = 6e9) -> DependencyGraph:
    """Return a layer of attention, ahead and back, between two linear layers, on an H200."""
    made, none = Made(), dict[str, Any]()
    made.kernel("sgemm_nn", Phase.FORWARD, layer="aten::linear", flops=flops, read_bytes=6e7, written_bytes=3e7)
    sizes: dict[str, Any] = {"flops": flops, "read_bytes": 4e7, "written_bytes": 2e7}
    made.kernel("sgemm_tn", Phase.FORWARD, layer=layer, **sizes)
    made.kernel("elementwise_kernel<where>", Phase.FORWARD, layer=layer)
    made.kernel(softmax, Phase.FORWARD, layer=layer)
    made.kernel("sgemm_nn", Phase.FORWARD, layer=layer, **sizes)
    made.kernel("elementwise_kernel<mul>", Phase.BACKWARD, 1_000)
    for name in ("sgemm_nt", "sgemm_tn", "softmax_warp_backward<float>", "elementwise_kernel<fill>"):
        made.kernel(name, Phase.BACKWARD, **(sizes if "gemm" in name else none))
    for name in ("sgemm_nt", "sgemm_tn"):
        made.kernel(name, Phase.BACKWARD, **sizes)
    made.kernel("elementwise_kernel<mul>", Phase.BACKWARD, 1_000)
    return replace(made.builder.built(), device="NVIDIA H200")


def test_products_softmax_and_masks_become_one_kernel_ahead() -> None:
    """By operations at 0.35 of the peak and bytes at the attained bandwidth, half as many as in single precision."""
    before, graph = decoder(), with_half_kernels_only(decoder())
    was, kernels = ([name for name in names(each) if "Launch" not in name] for each in (before, graph))
    assert kernels == ["sgemm_nn", NAME, *was[5:]]
    ahead = graph.duration_ns[names(graph).index(NAME)]
    moved = (4e7 + 2 * 2e7) / 2 / (0.85 * 4.8e3)
    assert ahead == pytest.approx(12e9 / (0.35 * 989.4e3) + moved, rel=0.01)
    assert NAME in names(after(decoder(), "amp:dtype=bfloat16"))


@pytest.mark.parametrize(
    "graph",
    [
        decoder(layer="aten::matmul"),
        decoder(softmax="elementwise_kernel<mul>"),
        decoder(flops=float("nan")),
        replace(decoder(), device="Tesla V100-SXM2-16GB"),
    ],
)
def test_other_kernels_stay(graph: DependencyGraph) -> None:
    """Those of other operators, without a softmax, of unknown sizes, and on devices without FlashAttention."""
    assert names(with_half_kernels_only(graph)) == names(graph)
