"""Roofs are measured through the runtime, on this machine, and only where it has kernels."""

import numpy as np
import onnxruntime as ort
import pytest

from dlbricks.harness.dtypes import storage_dtype
from dlbricks.harness.machine.facts import system_facts
from dlbricks.harness.session import SessionSettings
from dlbricks.model.costs.roof_kernels import COPIES, copy, factor_types, product
from dlbricks.profile.roofs import Effort, measure_roofs

CPU = "CPUExecutionProvider"
QUICK = Effort(least_calls=2, rate_ns=1, long_ns=1, sizes=(64, 128))


def test_roofs_of_this_machine() -> None:
    """What the provider has kernels for is measured, what it would convert is left out, all rates are finite."""
    facts = system_facts()
    roofs = measure_roofs(SessionSettings(threads=1), ("float32", "float16", "int8"), facts=facts, effort=QUICK)
    had = {dtype for dtype in ("float32", "float16", "int8") if factor_types(CPU, dtype)}
    assert "float32" in had
    assert set(roofs.flops_per_s) == had
    assert all(np.isfinite(rate) and rate > 0 for rate in (*roofs.flops_per_s.values(), roofs.copied_bytes_per_s))
    assert roofs.device.endswith(", 1 thread")
    assert roofs.ideal_intensity("float32") == roofs.flops_per_s["float32"] / roofs.copied_bytes_per_s
    assert roofs.ideal_intensity("float64") is None, "what was not measured has none"


@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_a_product_is_the_product(dtype: str) -> None:
    """The networks by which arithmetic is measured multiply matrices, and count what they do."""
    for factors in factor_types(CPU, dtype):
        ruler = product(factors, 8)
        session = ort.InferenceSession(ruler.network, providers=[CPU])
        feeds = {
            one["name"]: np.arange(64).reshape(8, 8).astype(storage_dtype(one["dtype"])) % 7 for one in ruler.inputs
        }
        left, right = (value.astype(np.int64) for value in feeds.values())
        assert np.array_equal(session.run(None, feeds)[0], left @ right)
        assert ruler.operations == 2 * 8**3
        assert ruler.moved_bytes == sum(value.nbytes for value in feeds.values()) + 8 * 8 * 4


@pytest.mark.parametrize("operator", COPIES)
def test_a_copy_writes_what_it_reads(operator: str) -> None:
    """The networks by which memory is measured move every value once in and once out."""
    ruler = copy(operator, 100)
    values = np.arange(100, dtype=np.float32)
    (result,) = ort.InferenceSession(ruler.network, providers=[CPU]).run(None, {"x0": values})
    assert np.array_equal(np.abs(result), values)
    assert (ruler.operations, ruler.moved_bytes) == (0, 800)


def test_types_without_a_kernel_are_known() -> None:
    """A provider that would convert a type has no pair for it; one that keeps no registry is asked by running it."""
    assert factor_types(CPU, "float32") == (("float32", "float32"),)
    assert ("uint8", "int8") in factor_types(CPU, "int8")
    assert factor_types(CPU, "bfloat16") == ()
    assert factor_types("CompilingExecutionProvider", "bfloat16") == (("bfloat16", "bfloat16"),)
