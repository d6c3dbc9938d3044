"""What the channels-last layout makes of normalisation, depthwise and other convolutions."""

from dataclasses import replace

import pytest

from dlbricks.plugins.training.layout import OTHER_CALLS
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms
from tests.whatif.made_up import Made

FROM_PLAIN = "cudnn::engines_precompiled::nchwToNhwcKernel<float, float, float>"
SIMT = "sm80_xmma_fprop_implicit_gemm_f32f32_f32f32_f32_nchwkcrs_nchw_tilesize128x32x8"
TENSOR_CORES = "sm90_xmma_fprop_implicit_gemm_f32f32_tf32f32_f32_nhwckrsc_nhwc_tilesize128x32x32"
TRANSPOSE = "transpose to another layout"


def laid_out(made: Made) -> DependencyGraph:
    """Return what a graph on an H200 becomes; 4.8 TB/s are 4,800 bytes per ns."""
    graph = replace(made.builder.built(), device="NVIDIA H200")
    return apply_all(graph, [read_step("layout", all_transforms())]).graph


def times(graph: DependencyGraph, name: str) -> list[int]:
    """Return what kernels of a name take."""
    made: list[int] = graph.duration_ns[select(graph, kinds=(TaskKind.KERNEL,), name=name)].tolist()
    return made


@pytest.mark.parametrize(
    ("name", "phase", "share"),
    [
        ("cudnn::bn_fw_tr_1C11_kernel_NCHW<float>", Phase.FORWARD, 0.40),
        ("cudnn::bn_bw_1C11_kernel_new<float>", Phase.BACKWARD, 0.48),
        ("batch_norm_collect_statistics_kernel<c10::BFloat16>", Phase.FORWARD, 0.163),
        ("batch_norm_backward_kernel<c10::BFloat16>", Phase.BACKWARD, 0.294),
        ("conv_depthwise2d_forward_kernel<3, c10::BFloat16>", Phase.FORWARD, 0.40),
    ],
)
def test_normalisation_and_depthwise_convolutions_take_a_share_of_the_bandwidth(
    name: str, phase: Phase, share: float
) -> None:
    """96 MB in place of 300 us; no kernel takes less than the shortest of them, and others keep their time."""
    made = Made()
    made.kernel(FROM_PLAIN, Phase.FORWARD)
    made.kernel(name, phase, 300_000, read_bytes=64e6, written_bytes=32e6)
    made.kernel(name, phase, 4_000, read_bytes=8e3, written_bytes=4e3)
    made.kernel("layer_norm_kernel<c10::BFloat16>", phase, 300_000, read_bytes=64e6, written_bytes=32e6)
    changed = laid_out(made)
    assert times(changed, "nchwToNhwc") == []
    assert sorted(times(changed, name.partition("<")[0])) == [4_000, round(96e6 / 4800 / share)]
    assert times(changed, "layer_norm") == [300_000]


def test_convolutions_without_tensor_cores_work_on_plain_tensors() -> None:
    """Input (without weights) and result of each are converted, unless the network has tensor cores to work with."""
    made = Made()
    made.kernel(FROM_PLAIN, Phase.FORWARD)
    made.kernel(SIMT, Phase.FORWARD, read_bytes=41e6, written_bytes=20e6, parameter_bytes=1e6)
    changed = laid_out(made)
    assert times(changed, "nchwToNhwc") == []
    assert times(changed, TRANSPOSE) == [round(80e6 / 4800 / 0.85), round(40e6 / 4800 / 0.85)]
    made.kernel(TENSOR_CORES, Phase.FORWARD)
    assert times(laid_out(made), TRANSPOSE) == []


def test_what_is_not_predicted_is_said() -> None:
    """cuDNN's normalisation of calls takes other kernels."""
    made = Made()
    made.kernel(FROM_PLAIN, Phase.FORWARD)
    assert OTHER_CALLS not in laid_out(made).notes
    made.kernel("cudnn::bn_fw_inf_1C11_kernel_NCHW<float, float>", Phase.FORWARD)
    assert OTHER_CALLS in laid_out(made).notes
