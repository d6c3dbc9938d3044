"""Work is told apart by names, across vendors and renamings; times are split into arithmetic, memory and the rest."""

import numpy as np
import pytest
from hypothesis import given

from dlbricks.trace.types import Lane
from dlbricks.trace.work_classes import (
    KernelClass,
    Precision,
    class_of,
    class_of_operator,
    element_bytes,
    plain_name,
    precision_of,
)
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.work import (
    UnknownKernel,
    classes,
    compute_tasks,
    no_compute_tasks,
    rates,
    shares,
    task_classes,
    unknown_kernels,
)
from tests.whatif.made_up import launched, layers, networks


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("volta_sgemm_64x64_nt", KernelClass.MATRIX),
        ("void cudnn::detail::dgrad_engine<float, 128, 6, 8, 3, 3, 5, false>", KernelClass.MATRIX),
        ("sm80_xmma_fprop_implicit_gemm_indexed_tf32f32_nhwckrsc_nchw_tilesize128x128x16", KernelClass.MATRIX),
        ("Cijk_Ailk_Bljk_SB_MT64x64x16_SE", KernelClass.MATRIX),
        ("_ZN19cutlass_cudnn_train6KernelINS_4conv6kernel23ImplicitGemmConvolutionGather", KernelClass.MATRIX),
        ("void flash_fwd_kernel<Flash_fwd_kernel_traits<64>>", KernelClass.ATTENTION),
        ("ncclKernel_AllReduce_RING_LL_Sum_float(ncclWorkElem)", KernelClass.COLLECTIVE),
        ("ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgsStorage<4096>)", KernelClass.COLLECTIVE),
        ("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 2>(vllm::RankData*)", KernelClass.COLLECTIVE),
        ("void dpsk::ep::internode::notify_dispatch<false, 8>", KernelClass.COLLECTIVE),
        ("void deep_ep::intranode::combine<__nv_bfloat16, 4, 768, 4096>", KernelClass.COLLECTIVE),
        ("void deep_ep::layout::get_dispatch_layout<256, 32, 8>", KernelClass.MOVEMENT),
        ("void flip_filter<float, float>(float*, float const*, int, int, int, int)", KernelClass.MOVEMENT),
        ("EpDispatchIntraNodeKernel_bf16", KernelClass.COLLECTIVE),
        ("EpCombineIntraNodeKernel_bf16_nop2p", KernelClass.COLLECTIVE),
        ("void tensorrt_llm::kernels::moe_comm::moeA2ADispatchKernel<8, false, false>", KernelClass.COLLECTIVE),
        ("block_all_reduce_sum_f32_f32_kernel", KernelClass.REDUCTION),
        ("triton_per_fused_add_all_reduce_wait_tensor_3", KernelClass.REDUCTION),
        ("void mlx::core::cu::all_reduce<float, float, mlx::core::cu::Sum, 4>", KernelClass.REDUCTION),
        ("void at::native::reduce_kernel<512, 1>", KernelClass.REDUCTION),
        ("void at::native::vectorized_elementwise_kernel<4, AddFunctor>", KernelClass.ELEMENTWISE),
        ("triton_poi_fused_add_relu_3", KernelClass.ELEMENTWISE),
        ("void at::native::triu_tril_kernel<float, int, false, 2, false>", KernelClass.ELEMENTWISE),
        ("triton_red_fused_native_layer_norm_1", KernelClass.NORMALISATION),
        ("void cudnn::bn_bw_1C11_kernel_new<float>", KernelClass.NORMALISATION),
        (
            "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor>",
            KernelClass.OPTIMISER,
        ),
        ("void (anonymous namespace)::softmax_warp_forward<float, 5>", KernelClass.REDUCTION),
        ("void cusparse::csrmv_v3_kernel<false, int, int, double>(double const*)", KernelClass.REDUCTION),
        ("void at::native::apply::coalesceValuesKernel<double, double>(long*)", KernelClass.REDUCTION),
        ("void at::native::(anonymous namespace)::transform_bias_rescale_qkv_kernel<float>", KernelClass.ELEMENTWISE),
        ("void at::native::(anonymous namespace)::grid_sampler_2d_kernel<float, int>", KernelClass.MOVEMENT),
        ("void at::native::(anonymous namespace)::CatArrayBatchedCopy<float>", KernelClass.MOVEMENT),
        ("void cudnn::ops::nchwToNhwcKernel<float>", KernelClass.MOVEMENT),
        ("void tensorTransformGeneric<float, float, float, true, false, false>", KernelClass.MOVEMENT),
        (
            "void at::native::elementwise_kernel<128, 2, at::native::gpu_kernel_impl_nocast<direct_copy>",
            KernelClass.MOVEMENT,
        ),
        (
            "at::native::elementwise_kernel<128, 2, gpu_kernel_impl_nocast<CUDAFunctor_add<float>",
            KernelClass.ELEMENTWISE,
        ),
        ("split_embedding_backward_codegen_rowwise_adagrad_kernel_cta_per_row_1", KernelClass.EMBEDDING),
        ("my_kernel", KernelClass.OTHER),
    ],
)
def test_kernels_are_known_by_their_names(name: str, expected: KernelClass) -> None:
    """Whoever wrote them and however they are called today."""
    assert class_of(name) == expected


def test_tasks_have_the_class_of_their_kernel_and_the_unknown_are_counted() -> None:
    """A collective is one by its kind, a host task is none of them."""
    lane = Lane(process="1", name="stream 7", device="gpu 0")
    builder = GraphBuilder(name="few")
    for kind, name in (
        (TaskKind.CPU, "sgemm"),
        (TaskKind.KERNEL, "sgemm"),
        (TaskKind.COLLECTIVE, "mystery"),
        (TaskKind.KERNEL, "mystery"),
        (TaskKind.KERNEL, "mystery"),
    ):
        builder.task(kind, name, lane, 5)
    graph = builder.built()
    other = KernelClass.OTHER
    assert classes(graph).tolist() == [other, KernelClass.MATRIX, KernelClass.COLLECTIVE, other, other]
    assert unknown_kernels(graph) == (UnknownKernel(name="mystery", count=2, time_ns=10),)


@pytest.mark.parametrize(
    ("name", "precision"),
    [
        ("volta_sgemm_128x64_nn", Precision.SINGLE),
        ("vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>", Precision.SINGLE),
        ("upsample_nearest_half_pixel", Precision.SINGLE),
        ("sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc", Precision.TENSOR_FLOAT),
        ("cutlass_80_tensorop_s1688gemm_256x64_16x4_nn_align4", Precision.TENSOR_FLOAT),
        ("turing_fp16_s1688gemm_fp16_64x64_ldg8_f2f_nn", Precision.HALF),
        ("ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f", Precision.HALF),
        ("nvjet_sm90_tst_192x192_64x4_2x1_v_bz_coopB_TNN", Precision.HALF),
        ("nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT", Precision.HALF),
        ("nvjet_sm90_qqtst_128x128_128x6_2x1_v_bz_coopA_algo2_TNT", Precision.EIGHT),
        ("volta_h884gemm_64x128_ldg8_nn", Precision.HALF),
        ("vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::Half>>", Precision.HALF),
        ("flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, cutlass::half_t>>", Precision.HALF),
    ],
)
def test_the_precision_of_a_kernel_is_in_its_name(name: str, precision: Precision) -> None:
    """For all vendors' libraries in one table."""
    assert precision_of(name) == precision


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long, ncclWork*)", 4),
        ("ncclDevKernel_AllReduce_Sum_f16_RING_LL", 2),
        ("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 2),
        ("ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*, unsigned long, ncclWork*)", 1),
        ("ncclDevKernel_AllReduce_Sum_f64_RING_LL", 8),
        ("c10::Half", 2),
        ("float", 4),
    ],
)
def test_the_size_of_an_element_is_in_the_name(name: str, size: int) -> None:
    """Arguments of the kernel say nothing of it."""
    assert element_bytes(name) == size


NAN = float("nan")


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        ("Conv", KernelClass.MATRIX),
        ("com.microsoft.nchwc.Conv", KernelClass.MATRIX),
        ("FusedConv", KernelClass.MATRIX),
        ("ConvTranspose", KernelClass.MATRIX),
        ("QLinearConv", KernelClass.MATRIX),
        ("QGemm", KernelClass.MATRIX),
        ("DynamicQuantizeMatMul", KernelClass.MATRIX),
        ("aten::addmm", KernelClass.MATRIX),
        ("QLinearAdd", KernelClass.ELEMENTWISE),
        ("aten::relu_", KernelClass.ELEMENTWISE),
        ("HardSwish", KernelClass.ELEMENTWISE),
        ("QuickGelu", KernelClass.ELEMENTWISE),
        ("BiasGelu", KernelClass.ELEMENTWISE),
        ("SkipLayerNormalization", KernelClass.NORMALISATION),
        ("aten::native_layer_norm", KernelClass.NORMALISATION),
        ("_C::shm_allreduce", KernelClass.COLLECTIVE),
        ("_C::shm_all_gather", KernelClass.COLLECTIVE),
        ("_C::shm_send_tensor_list", KernelClass.COLLECTIVE),
        ("sgl_kernel::shm_allgather", KernelClass.COLLECTIVE),
        ("_C_custom_ar::all_reduce", KernelClass.COLLECTIVE),
        ("_C_custom_ar::qr_all_reduce", KernelClass.COLLECTIVE),
        ("vllm::quick_all_reduce", KernelClass.COLLECTIVE),
        ("symm_mem::one_shot_all_reduce", KernelClass.COLLECTIVE),
        ("symm_mem::two_shot_all_reduce_", KernelClass.COLLECTIVE),
        ("symm_mem::multimem_all_reduce_", KernelClass.COLLECTIVE),
        ("symm_mem::fused_all_gather_matmul", KernelClass.MATRIX),
        ("c10d::broadcast_", KernelClass.COLLECTIVE),
        ("_c10d_functional::reduce_scatter_tensor", KernelClass.COLLECTIVE),
        ("gloo:all_reduce", KernelClass.COLLECTIVE),
        ("hccl:all_reduce", KernelClass.COLLECTIVE),
        ("xccl:broadcast", KernelClass.COLLECTIVE),
        ("com.microsoft.AllReduce", KernelClass.COLLECTIVE),
        ("aten::all", KernelClass.OTHER),
        ("aten::scatter_reduce_", KernelClass.MOVEMENT),
        ("MultiHeadAttention", KernelClass.ATTENTION),
        ("ReorderInput", KernelClass.MOVEMENT),
        ("DequantizeLinear", KernelClass.MOVEMENT),
        ("GlobalAveragePool", KernelClass.REDUCTION),
        ("ReduceMean", KernelClass.REDUCTION),
        ("Softmax", KernelClass.REDUCTION),
        ("LSTM", KernelClass.MATRIX),
        ("GroupConvolution", KernelClass.MATRIX),
        ("FullyConnected", KernelClass.MATRIX),
        ("LSTMSequence", KernelClass.MATRIX),
        ("Convert", KernelClass.MOVEMENT),
        ("Reorder", KernelClass.MOVEMENT),
        ("Eltwise", KernelClass.ELEMENTWISE),
        ("Pooling", KernelClass.REDUCTION),
        ("MVN", KernelClass.NORMALISATION),
        ("NobodyKnows", KernelClass.OTHER),
    ],
)
def test_operators_have_classes(operator: str, kind: KernelClass) -> None:
    """Domains and prefixes do not matter."""
    assert class_of_operator(operator) == kind


def test_names_are_made_plain() -> None:
    """No domain, no prefix of a runtime, no mark of what happens in place."""
    assert [plain_name(name) for name in ("com.microsoft.FusedConv", "aten::add_", "Add")] == ["conv", "add", "add"]


def test_work_is_kernels_or_else_layers() -> None:
    """Calls of the host that launch are no work of the network."""
    graph = launched(["sgemm", "vectorized_elementwise_kernel"])
    assert compute_tasks(graph).tolist() == [1, 3]
    assert task_classes(graph)[[1, 3]].tolist() == [KernelClass.MATRIX, KernelClass.ELEMENTWISE]
    host = layers(("Conv", 10, NAN, NAN, NAN), ("Relu", 5, NAN, NAN, NAN))
    assert compute_tasks(host).tolist() == [0, 1]
    assert task_classes(host).tolist() == [KernelClass.MATRIX, KernelClass.ELEMENTWISE]
    assert "neither kernels nor layers" in no_compute_tasks(launched([]))


@given(networks())
def test_shares_add_up(graph: DependencyGraph) -> None:
    """Arithmetic, memory and what is fixed are the whole of each task, whatever is known of it; none is negative."""
    parts = shares(graph, np.arange(len(graph)))
    assert np.allclose(parts.arithmetic + parts.memory + parts.fixed, 1)
    assert min(parts.arithmetic.min(), parts.memory.min(), parts.fixed.min()) >= 0


def test_rates_are_the_best_that_is_seen() -> None:
    """The quickest task says what is fixed; short ones say nothing of rates."""
    graph = layers(("Conv", 1000, 10, 10, 8000), ("Relu", 500, 1000, 1000, 1), ("Relu", 10, 1000, 1000, 1))
    best = rates(graph, np.arange(3))
    assert best.fixed_ns == 10
    assert 7 < best.flops_per_ns <= 8
    assert 3 < best.bytes_per_ns <= 4
