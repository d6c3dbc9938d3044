import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.analysis.executions import kernels_of
from dlbricks.analysis.roofline import Points, dtype_of, kernel_dtypes, points, roof_notes
from dlbricks.trace.types import Roofs
from tests.analysis.made_up import ROOFS, K, L, made_up

V100 = Roofs(device="V100", flops_per_s={"float32": 15.7e12}, copied_bytes_per_s=900e9)
NAN = math.nan


def point(flops: float, read: float, written: float, time: float, dtype: str = "float32") -> Points:
    """Place one layer."""
    return points([flops], [read], [written], [time], roofs=ROOFS, dtypes=[dtype])


def test_the_published_example_comes_out() -> None:
    """XSP's ResNet-50 on a V100 at batch 256: ideal intensity 17.44, and the whole network is compute-bound."""
    assert V100.ideal_intensity() == pytest.approx(17.44, abs=0.01)
    made = points([1742.39e9], [23.2e9], [31.1e9], [254.25e6], roofs=V100, dtypes=["float32"])
    assert made.intensity[0] == pytest.approx(32.1, abs=0.05)
    assert made.rate[0] == pytest.approx(6.85e12, rel=1e-3)
    assert made.memory_bound == [False]


@pytest.mark.parametrize(
    ("flops", "read", "written", "time", "expected"),
    [
        (1000, 0, 0, 10, (NAN, 1e11, None)),
        (0, 100, 100, 10, (0, 0, True)),
        (1000, 100, 100, 10, (5, 1e11, True)),
        (4000, 100, 100, 10, (20, 4e11, False)),
        (1000, 100, 100, 0, (5, NAN, True)),
        (NAN, 100, 100, 10, (NAN, NAN, None)),
        (1000, NAN, 100, 10, (NAN, 1e11, None)),
    ],
)
def test_what_is_not_known_is_not_said(
    flops: float, read: float, written: float, time: float, expected: tuple[float, float, bool | None]
) -> None:
    """No bytes: no intensity and no verdict. No time: no rate. No flops but bytes: intensity 0, bound by memory."""
    made = point(flops, read, written, time)
    np.testing.assert_equal([made.intensity[0], made.rate[0]], list(expected[:2]))
    assert made.memory_bound == [expected[2]]


def test_what_is_above_a_roof_is_counted_with_the_reason() -> None:
    """By the peak or by bandwidth; what is below, or unknown, is not counted; of roofs of either kind."""
    times = [0.9e9, 2e9, 0.9e9, NAN]
    made = points([15.7e12, 15.7e12, 0, 1], [0, 0, 900e9, 1], [0, 0, 0, 1], times, roofs=V100, dtypes=["float32"] * 4)
    for roofs in (V100, replace(V100, measured=False)):
        assert [note for note in roof_notes(roofs, made) if note.startswith("2 of 4 rows are above a roof")]


def test_each_element_type_has_its_own_roof() -> None:
    """The same work is bound by memory where arithmetic is quicker; nothing is said where the roof is unknown."""
    assert point(4000, 100, 100, 10, "float16").memory_bound == [True]
    unknown = point(4000, 100, 100, 10, "int8")
    assert unknown.memory_bound == [None]
    assert unknown.unroofed == ("int8",)
    assert math.isnan(unknown.attainable[0])
    assert any("int8" in note for note in roof_notes(ROOFS, unknown))
    assert point(0, 100, 100, 10, "int64").unroofed == ()


def test_kernels_in_tf32_have_their_roof() -> None:
    """Names tell them, and their layers; without such a roof that of float32 stands."""
    names = ("cutlass_80_tensorop_s1688gemm_64x64", "ampere_sgemm_64x64")
    trace = made_up([L(name=one, kernels=(K(name=one),)) for one in names]).runs[-1].trace
    kernels = kernels_of(trace)
    assert dict(zip(kernels.names, kernel_dtypes(kernels), strict=True)) == dict(
        zip(names, ("tf32", "float32"), strict=True)
    )
    both = replace(V100, flops_per_s={"float32": 19.5e12, "tf32": 156e12})
    for roofs, peak in ((both, 156e12), (V100, 15.7e12)):
        made = points([1e12], [1], [1], [1e9], roofs=roofs, dtypes=["tf32"])
        assert made.least_ns[0] == pytest.approx(1e21 / peak)
        assert made.unroofed == ()


def test_without_roofs_there_is_no_verdict() -> None:
    """Intensity and rate need no roof, the rest does."""
    made = points([4000], [100], [100], [10], roofs=None, dtypes=["float32"])
    assert (made.intensity[0], made.memory_bound) == (20, [None])
    assert math.isnan(made.least_ns[0])
    assert roof_notes(None, made)


@given(st.integers(0, 10**15), st.integers(0, 10**12), st.integers(0, 10**12))
def test_the_least_time_is_that_of_the_lower_roof(flops: int, read: int, written: int) -> None:
    """It is the larger of the times of arithmetic and of memory, and at that time the rate is what is attainable."""
    made = point(flops, read, written, 1.0)
    expected = max(flops / 1e12, (read + written) / 1e11) * 1e9
    assert made.least_ns[0] == pytest.approx(expected)
    if flops and read + written:
        assert made.attainable[0] == pytest.approx(flops / expected * 1e9)


def test_element_types_are_read_from_shapes() -> None:
    """What is told goes before the shape."""
    assert dtype_of("", "float16[1,64], int64[2]") == "float16"
    assert dtype_of("int8", "float32[1]") == "int8"
    assert dtype_of("", "float8e4m3fn[2]") == "float8e4m3fn"
    assert dtype_of("", "") == ""
