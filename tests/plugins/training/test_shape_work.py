"""Operations and bytes from shapes: those of numpy's own results, and each operator's shared out whole."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.executions import kernels_in
from dlbricks.plugins.training.operator_work import shapes_of, widths_of, work_of
from dlbricks.plugins.training.shape_work import with_work
from dlbricks.profile.open import read_any
from dlbricks.trace.types import Level

SIZES = st.integers(1, 7)


@given(st.lists(SIZES, max_size=2), SIZES, SIZES, SIZES)
def test_products_do_what_numpy_does(batch: list[int], rows: int, inner: int, columns: int) -> None:
    """A multiply-add for each value of the result and each of the inner dimension; operands read, result written."""
    one, other = (*batch, rows, inner), (*batch, inner, columns)
    made = np.ones(one) @ np.ones(other)
    work = work_of("aten::matmul", (one, other))
    assert work is not None
    assert work.flops == 2 * made.sum()
    assert (work.read, work.written) == (math.prod(one) + math.prod(other), made.size)
    biased = work_of("aten::baddbmm" if batch else "aten::addmm", ((columns,), one, other))
    assert biased is not None
    assert biased.flops == work.flops


@given(st.data(), st.lists(SIZES, max_size=3), SIZES, SIZES, SIZES)
def test_batches_are_broadcast_as_numpy_does(
    data: st.DataObject, batch: list[int], rows: int, inner: int, columns: int
) -> None:
    """Dimensions of 1, and those that one operand lacks; each operand is read once."""
    one, other = (
        tuple(data.draw(st.sampled_from((1, size))) for size in batch[data.draw(st.integers(0, len(batch))) :])
        for _ in range(2)
    )
    one, other = (*one, rows, inner), (*other, inner, columns)
    product = np.ones(one) @ np.ones(other)
    work = work_of("aten::matmul", (one, other))
    assert work is not None
    assert work[:3] == (2 * product.sum(), math.prod(one) + math.prod(other), product.size)


def test_what_cannot_be_broadcast_has_no_work() -> None:
    """The file's shapes are damaged: figures of either operand would be made up."""
    assert work_of("aten::matmul", ((5, 2, 7, 9), (3, 9, 11))) is None


def test_a_product_of_two_batches_counts_both() -> None:
    """[5, 1, 7, 9] x [3, 9, 11] are 15 products of 7 x 9 x 11."""
    path = Path(__file__).parents[2] / "data" / "faults" / "t22_flops.json"
    flops = kernels_in(read_any(path))[0]
    assert dict(zip(flops.names, flops.figures("flops").tolist(), strict=True))["gemm5"] == 20_790


@given(SIZES, SIZES, SIZES, st.integers(1, 3), st.integers(4, 8))
def test_convolutions_count_each_filter_at_each_place(
    batch: int, filters: int, channels: int, width: int, size: int
) -> None:
    """And its two gradients as much each, however versions of PyTorch write them."""
    image, weight = (batch, channels, size, size), (filters, channels, width, width)
    result = (batch, filters, size - width + 1, size - width + 1)
    flops = 2 * math.prod(result) * channels * width * width
    forward = work_of("aten::cudnn_convolution", (image, weight, ()), result)
    both = work_of("aten::convolution_backward", (result, image, weight))
    of_image = work_of("aten::cudnn_convolution_backward_input", ((), result, weight))
    of_weight = work_of("aten::cudnn_convolution_backward_weight", ((), result, image), weight)
    assert [one and one.flops for one in (forward, both, of_image, of_weight)] == [flops, 2 * flops, flops, flops]


def test_attention_is_two_products() -> None:
    """Of queries and keys, and of their weights and values; lengths may differ."""
    queries, keys = (2, 3, 5, 8), (2, 3, 7, 8)
    work = work_of("aten::_scaled_dot_product_flash_attention", (queries, keys, keys))
    assert work is not None
    assert work.flops == 2 * 2 * 3 * (5 * 8 * 7 + 5 * 7 * 8)


@pytest.mark.parametrize(
    ("name", "lists", "written"),
    [("aten::_foreach_addcdiv_", 3, 1), ("aten::_foreach_sqrt", 1, 1), ("aten::_fused_adam_", 4, 3),
     ("aten::_foreach_norm", 1, 0)],
)  # fmt: skip
def test_lists_of_tensors_are_read_whole_and_written_as_often_as_the_operator_does(
    name: str, lists: int, written: int
) -> None:
    """As optimisers go over all parameters at once; scalars and lists that a trace leaves empty count nothing."""
    each = ((8, 4), (8,), (2, 8))
    work = work_of(name, (*(each * lists), ()))
    once = 32 + 8 + 16
    assert work is not None
    assert (work.flops, work.read, work.written) == (once, lists * once, written * once)
    assert work_of(name, ((), ())) is None


HALF, SINGLE, LONG = 2, 4, 8


@pytest.mark.parametrize(
    ("name", "shapes", "widths", "read", "written"),
    [
        ("aten::copy_", ((8, 4), (8, 4), ()), (HALF, SINGLE, 0), 32 * SINGLE, 32 * HALF),
        ("aten::copy_", ((8, 4), (4,), ()), (SINGLE, LONG, 0), 4 * LONG, 32 * SINGLE),
        ("aten::clamp_min", ((8, 4), (), (8, 4)), (SINGLE, 0, SINGLE), 32 * SINGLE, 32 * SINGLE),
        ("aten::mul", ((8, 4), (8, 4)), (HALF, SINGLE), 32 * (HALF + SINGLE), 32 * SINGLE),
        ("aten::mul_", ((8, 4), (8, 4)), (HALF, SINGLE), 32 * (HALF + SINGLE), 32 * HALF),
        ("aten::lt", ((8, 4), (8, 4)), (LONG, LONG), 64 * LONG, 32),
        ("aten::addmm", ((4,), (8, 6), (6, 4), (), ()), (HALF,) * 5, (8 * 6 + 6 * 4) * HALF, 32 * HALF),
        ("aten::_scaled_mm", ((8, 6), (6, 4)), (1, 1), 8 * 6 + 6 * 4, 32 * HALF),
        ("aten::_int_mm", ((8, 6), (6, 4)), (1, 1), 8 * 6 + 6 * 4, 32 * SINGLE),
        ("aten::embedding", ((100, 4), (8,)), (HALF, LONG), 8 * (4 * HALF + LONG), 8 * 4 * HALF),
        ("aten::gather", ((100, 4), (), (8, 4), ()), (HALF, 0, LONG, 0), 32 * (HALF + LONG), 32 * HALF),
        ("aiter::rmsnorm", ((8, 4), (8, 4), (4,)), (HALF,) * 3, (32 + 4) * HALF, 32 * HALF),
        ("_C::fused_add_rms_norm", ((8, 4), (8, 4), (4,)), (HALF,) * 3, (64 + 4) * HALF, 64 * HALF),
        ("_C::static_scaled_fp8_quant", ((8, 4), (8, 4), (1,)), (1, HALF, SINGLE), 32 * HALF + SINGLE, 32),
        ("_C_cache_ops::reshape_and_cache_flash", ((8, 2, 4), (8, 2, 4), (99, 2, 4), (99, 2, 4), (8,)),
         (HALF, HALF, 1, 1, LONG), 128 * HALF + 8 * LONG, 128),
        ("sgl_kernel::rotary_embedding", ((8,), (8, 16), (8, 4), (), (999, 4)), (LONG, HALF, HALF, 0, HALF),
         8 * LONG + (8 * 20 + 8 * 4) * HALF, 8 * 20 * HALF),
    ],
)  # fmt: skip
def test_bytes_are_those_of_the_types_of_all_operands(
    name: str, shapes: tuple[tuple[int, ...], ...], widths: tuple[int, ...], read: int, written: int
) -> None:
    """What is written has the type of the result, ``out`` is not read, of tables only rows that are looked up count."""
    work = work_of(name, shapes, (), widths)
    assert work is not None
    assert (work.read, work.written) == (read, written)


def test_an_operand_is_as_wide_as_its_type_or_as_the_kernel_says() -> None:
    """Also each tensor of a list, whose type is not recorded."""
    assert widths_of("[[2,3],[],[[4],[5,6]]]", "float16,,", 8) == (HALF, 8, 8, 8)
    assert widths_of("[[2,3],[4]]", "float32,int64", 1) == (SINGLE, LONG)
    assert widths_of("[[2,3]]", "", 4) == (4,)


@pytest.mark.parametrize(
    ("name", "shapes"),
    [
        ("aten::mm", ((2, 3), (4, 5))),
        ("aten::mm", ()),
        ("aten::conv2d", ((1, 2, 3, 3), (4, 2, 1, 1))),
        ("fbgemm::split_embedding", ((8, 8),)),
        ("aten::addmm", ((3,),)),
    ],
)
def test_what_shapes_do_not_tell_is_not_known(name: str, shapes: tuple[tuple[int, ...], ...]) -> None:
    """Operands that do not fit, too few of them, results that are not known, operators without a rule."""
    assert work_of(name, shapes) is None


@given(st.text(max_size=40))
def test_any_text_is_read_as_shapes(text: str) -> None:
    """Those of lists of tensors one by one, nothing of what is none."""
    assert all(isinstance(shape, tuple) for shape in shapes_of(text))
    assert shapes_of("[[2,3],[],[[4],[5,6]]]") == ((2, 3), (), (4,), (5, 6))


@pytest.mark.parametrize("size", ["-1", "1e400", "9" * 400, "9" * 5000, f"{2**40},{2**40}", f"0,{2**70}"])
def test_extents_that_no_tensor_has_cost_that_shape(size: str) -> None:
    """Too large, below zero, or no whole numbers: nothing is known of what the operator does."""
    found = shapes_of(f"[[4,{size}],[3,{size}]]")
    assert found in {((), ()), ()}
    assert work_of("aten::linear", found) is None
    assert shapes_of("[" * 100_000) == ()


def recorded(path: Path) -> Path:
    """Write a convolution with two kernels, the normalisation that shows its result, and a half-precision product."""
    events = []
    operators: tuple[tuple[str, list[object], str | list[str], tuple[str, ...]], ...] = (
        ("aten::conv2d", [[2, 3, 8, 8], [4, 3, 3, 3], []], "float", ("nchwToNhwcKernel", "fprop_nhwckrsc_nhwc")),
        ("aten::batch_norm", [[2, 4, 6, 6], [4]], "float", ("bn_fw_tr",)),
        ("aten::mm", [[16, 32], [32, 8]], "c10::Half", ("hgemm", "hgemm_tail")),
        ("aten::addmm", [[8], [4, 16], [16, 8]], "float", ("sgemm",)),
        ("CompiledFunction", [[64, 64]], "float", ("vectorized_elementwise_kernel<tanh>", "elementwise_kernel<add>")),
        ("triton_poi_fused_add_0", [[64, 64]], "c10::Half", ("triton_poi_fused_add_0",)),
        ("aten::cat", [[[4, 4], [4, 4]], []], "TensorList", ("CatArrayBatchedCopy<OpaqueType<2u>, unsigned int>",)),
        ("aten::sub", [[], [4, 4], []], ["double", "c10::Half", "Scalar"], ("elementwise_kernel<4, sub>",)),
    )
    for place, (name, shapes, kind, kernels) in enumerate(operators):
        at = 100 * place
        given = {"Input Dims": shapes, "Input type": kind if isinstance(kind, list) else [kind] * len(shapes)}
        events.append(
            {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": 90, "args": given}
        )
        for number, kernel in enumerate(kernels):
            both = {"correlation": 10 * place + number + 1}
            call = {"ph": "X", "pid": 1, "tid": 1, "ts": at + 10 + 20 * number, "dur": 5, "args": both}
            run = {"ph": "X", "pid": 0, "tid": 7, "ts": at + 20 + 20 * number, "dur": 10 + 5 * number}
            events.append({**call, "cat": "cuda_runtime", "name": "cudaLaunchKernel"})
            events.append({**run, "cat": "kernel", "name": kernel, "args": {**both, "device": 0, "stream": 7}})
    device = [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}]
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": device, "traceEvents": events}))
    return path


def test_an_operator_is_shared_out_whole_among_its_kernels(tmp_path: Path) -> None:
    """By their times, in bytes of its own type; what rearranges multiplies nothing; layers have the sum."""
    profile = read_any(recorded(tmp_path / "step.json"))
    trace = profile.runs[0].trace
    kernels = {trace.names[trace.name[row]]: row for row in trace.rows(Level.KERNEL).tolist()}
    flops = dict(zip(kernels, trace.column("flops", np.array(list(kernels.values()))).tolist(), strict=True))
    convolution, product = 2 * (2 * 4 * 6 * 6) * (3 * 3 * 3), 2 * 16 * 32 * 8
    assert flops["nchwToNhwcKernel"] == 0
    assert flops["fprop_nhwckrsc_nhwc"] == convolution
    assert flops["hgemm"] + flops["hgemm_tail"] == pytest.approx(product)
    assert flops["hgemm_tail"] == pytest.approx(product * 15 / 25)
    layers = trace.rows(Level.LAYER)
    assert trace.column("flops", layers)[:4].tolist() == pytest.approx(
        [convolution, 2 * 4 * 6 * 6, product, 2 * 4 * 16 * 8]
    )
    moved = trace.column("read_bytes", layers)[2] + trace.column("written_bytes", layers)[2]
    assert moved == pytest.approx(2 * (16 * 32 + 32 * 8 + 16 * 8))
    assert trace.device == "NVIDIA H100 80GB HBM3"
    assert profile.roofs is not None
    assert not profile.roofs.measured
    assert profile.roofs.flops_per_s["tf32"] == 494.5e12


def test_kernels_have_the_bytes_that_their_operator_says_of_them(tmp_path: Path) -> None:
    """Those of a compiled function are of no single one; lists are as wide as the kernel's name says."""
    trace = read_any(recorded(tmp_path / "step.json")).runs[0].trace
    rows = trace.rows(Level.KERNEL)
    moved = trace.column("read_bytes", rows) + trace.column("written_bytes", rows)
    known = dict(zip([trace.names[number] for number in trace.name[rows].tolist()], moved.tolist(), strict=True))
    assert math.isnan(known["vectorized_elementwise_kernel<tanh>"])
    assert math.isnan(known["elementwise_kernel<add>"])
    assert known["triton_poi_fused_add_0"] == 2 * 64 * 64 * HALF
    assert known["CatArrayBatchedCopy<OpaqueType<2u>, unsigned int>"] == 2 * 32 * HALF
    types = dict(zip(known, trace.string_column("dtype", rows), strict=True))
    assert types["elementwise_kernel<4, sub>"] == "float16"


def test_what_a_trace_says_itself_stays(tmp_path: Path) -> None:
    """Work is added once."""
    trace = read_any(recorded(tmp_path / "step.json")).runs[0].trace
    assert with_work(trace) is trace


def test_weights_of_the_forward_pass_are_known_by_their_bytes(tmp_path: Path) -> None:
    """Of convolutions and of products with a bias; a plain product may be of anything."""
    trace = read_any(recorded(tmp_path / "step.json")).runs[0].trace
    held = trace.attributes["parameter_bytes"]
    names = [trace.names[trace.name[row]] for row in held.rows.tolist()]
    assert dict(zip(names, held.values, strict=True)) == {"fprop_nhwckrsc_nhwc": 4 * 4 * 3 * 3 * 3, "sgemm": 4 * 16 * 8}


def test_a_linear_operator_without_a_bias_has_a_weight(tmp_path: Path) -> None:
    """It calls ``matmul``, which calls ``mm``, whose kernel it is."""
    nested = (("aten::linear", 0, 90), ("aten::matmul", 5, 80), ("aten::mm", 10, 70))
    operands = {"Input Dims": [[16, 32], [8, 32], []], "Input type": ["float", "float", ""]}
    product = {"Input Dims": [[16, 32], [32, 8]], "Input type": ["float", "float"]}
    both = {"correlation": 1}
    events: list[dict[str, object]] = [
        {"ph": "X", "cat": "cpu_op", "name": name, "pid": 1, "tid": 1, "ts": at, "dur": dur,
         "args": operands if name == "aten::linear" else product}
        for name, at, dur in nested
    ]  # fmt: skip
    events += [
        {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 20, "dur": 5,
         "args": both},
        {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 30, "dur": 9,
         "args": {**both, "device": 0, "stream": 7}},
    ]  # fmt: skip
    path = tmp_path / "linear.json"
    path.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": events}))
    held = read_any(path).runs[0].trace.attributes["parameter_bytes"]
    assert list(held.values) == [4 * 8 * 32]
