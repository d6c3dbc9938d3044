"""Roofs are measured through the runtime; stated peaks are looked up."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.harness.dtypes import storage_dtype
from dlbricks.harness.machine import system_facts
from dlbricks.harness.session import SessionSettings
from dlbricks.model.lowering import roof_kernels
from dlbricks.model.lowering.roof_kernels import COPIES, copy, factor_types, product, quantised_product
from dlbricks.profile.roofs import Effort, _products, measure_roofs, processor_peaks, stated_roofs
from dlbricks.trace.gpus import _GPUS, StatedPeaks, gpu_peaks
from dlbricks.whatif.work import attained_on

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


def test_a_quantised_product_is_the_product_of_what_it_states() -> None:
    """Floats on the grid of the scale, in reach of 8 bits, are multiplied as they are."""
    ruler = quantised_product(8)
    left = (np.arange(64).reshape(8, 8) % 7 - 3).astype(np.float32) / 64
    right = (np.arange(64).reshape(8, 8) % 251 - 125).astype(np.float32) / 64
    (made,) = ort.InferenceSession(ruler.network, providers=[CPU]).run(None, {"x0": left})
    assert np.allclose(made, left @ right, atol=1e-5)
    assert ruler.operations == 2 * 8**3


def test_another_runtime_is_asked_in_what_it_computes() -> None:
    """OpenVINO multiplies whole numbers as floats unless a network states floats of 8 bits; other types have none."""
    pytest.importorskip("openvino", reason="openvino is not installed")
    settings = SessionSettings(runtime="openvino")
    assert _products(settings, "int8") == [quantised_product]
    assert len(_products(settings, "float32")) == 1
    assert _products(settings, "float64") == []


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


def test_types_are_tried_where_kernels_are_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pairs are those of the list."""
    dtypes = ("float32", "float64", "float16", "bfloat16", "int8")
    listed = [factor_types(CPU, dtype) for dtype in dtypes]
    monkeypatch.setattr(roof_kernels, "all_kernels", lambda: None)
    assert [factor_types(CPU, dtype) for dtype in dtypes] == listed


ZEN4: dict[str, Any] = {
    "vendor": "AuthenticAMD",
    "family": "25",
    "model_number": "17",
    "model": "AMD EPYC 9654",
    "cores": 4,
    "frequency_khz": 2_400_000,
    "frequency_max_khz": 3_700_000,
}


@pytest.mark.parametrize(
    ("name", "tflops", "gigabytes", "intensity"),
    [
        ("Quadro RTX 6000", 16.3, 624, 26.12),
        ("Tesla V100-SXM2-16GB", 15.7, 900, 17.44),
        ("Tesla P100-PCIE-16GB", 9.3, 732, 12.70),
        ("Tesla P4", 5.5, 192, 28.34),
        ("Tesla M60", 4.8, 160, 30.12),
    ],
)
def test_the_five_systems_of_xsp(name: str, tflops: float, gigabytes: float, intensity: float) -> None:
    """Peaks and ideal intensities are those that XSP prints for its GPUs, but for its rounding."""
    stated = gpu_peaks(name)
    assert stated.flops_per_s["float32"] == pytest.approx(tflops * 1e12)
    assert stated.bytes_per_s == pytest.approx(gigabytes * 1e9)
    assert stated.bytes_per_s is not None
    assert stated.flops_per_s["float32"] / stated.bytes_per_s == pytest.approx(intensity, rel=0.015)
    assert "XSP" in stated.source


@pytest.mark.parametrize(
    ("name", "half", "gigabytes"),
    [
        ("NVIDIA A100-SXM4-40GB", 312, 1555),
        ("NVIDIA A100-SXM4-80GB", 312, 2039),
        ("NVIDIA A100 80GB PCIe", 312, 1935),
        ("NVIDIA A100-PCIE-40GB", 312, 1555),
        ("NVIDIA H100 80GB HBM3", 989.5, 3350),
        ("NVIDIA H100 PCIe", 756, 2000),
        ("NVIDIA H200", 989.5, 4800),
        ("NVIDIA L4", 121, 300),
        ("NVIDIA L40S", 362, 864),
        ("Tesla T4", 65, 320),
        ("NVIDIA GeForce RTX 3090", 71, 936),
        ("AMD Instinct MI250", 181, 1638),
        ("AMD Instinct MI250X", 191.5, 1638),
    ],
)
def test_names_as_the_driver_gives_them(name: str, half: float, gigabytes: float) -> None:
    """Variants of one GPU are told apart; products with sparsity are not counted."""
    stated = gpu_peaks(name)
    assert stated.flops_per_s["float16"] == pytest.approx(half * 1e12)
    assert stated.bytes_per_s == pytest.approx(gigabytes * 1e9)
    assert stated.source


DRIVERS = (
    "Quadro RTX 6000", "Tesla V100-SXM2-16GB", "Tesla V100-PCIE-32GB", "Tesla P100-SXM2-16GB", "Tesla P100-PCIE-16GB",
    "Tesla P4", "Tesla M60", "Tesla T4", "NVIDIA A100-SXM4-80GB", "NVIDIA A100 80GB PCIe", "NVIDIA A100-PCIE-40GB",
    "NVIDIA A30", "NVIDIA A10G", "NVIDIA A10", "NVIDIA A40", "NVIDIA L4", "NVIDIA L40S", "NVIDIA H100 NVL",
    "NVIDIA H100 PCIe", "NVIDIA H100 80GB HBM3", "NVIDIA H800 PCIe", "NVIDIA H800", "NVIDIA B200",
    "NVIDIA GeForce RTX 2080 Ti", "NVIDIA GeForce RTX 3090", "NVIDIA GeForce RTX 4090", "AMD Instinct MI100",
    "AMD Instinct MI210", "AMD Instinct MI250X", "AMD Instinct MI250", "AMD Instinct MI300X", "AMD Instinct MI325X",
    "NVIDIA H200 NVL", "NVIDIA H200",
)  # fmt: skip
"""A name of each device that the table knows, as its driver gives it."""


@given(st.sampled_from(DRIVERS), st.sampled_from(("", " ", "-", "_")), st.sampled_from((str.lower, str.upper, str)))
def test_a_device_is_found_however_it_is_spelt(name: str, divider: str, letters: Callable[[str], str]) -> None:
    """With other dividers, or none but before the size of its memory, in capitals or not, with or without its maker."""
    words = re.split("[ -]", name)
    kept = [word for word in words if word not in {"NVIDIA", "AMD", "Instinct", "Tesla", "GeForce"}]
    for spelt in (words, kept):
        text = letters(divider.join(f" {word}" if word.endswith("GB") else word for word in spelt))
        assert gpu_peaks(text) == gpu_peaks(name) != StatedPeaks()
        assert attained_on(text) == attained_on(name)


def test_every_device_of_the_table_is_found_by_a_name() -> None:
    """No row is hidden behind another."""
    found = {(peaks.source, peaks.bytes_per_s, peaks.flops_per_s["float32"]) for peaks in map(gpu_peaks, DRIVERS)}
    assert {(one.source, one.memory * 1e9, one.float32 * 1e12) for one in _GPUS} <= found


def test_unknown_devices_state_nothing() -> None:
    """They have no peaks."""
    for stated in (
        gpu_peaks("Somebody's GPU 9000"),
        gpu_peaks("NVIDIA GH200 480GB"),
        gpu_peaks("NVIDIA GeForce RTX 3090 Ti"),
        gpu_peaks("RTX3090Ti"),
        gpu_peaks("NVIDIA GeForce RTX 4090 D"),
        stated_roofs({"gpus": [{"name": "NVIDIA H200", "mig": "Enabled"}], "cpu": ZEN4}, threads=1, on_device=True),
        processor_peaks({**ZEN4, "model_number": "999"}, threads=1),
        processor_peaks({**ZEN4, "frequency_khz": None, "frequency_max_khz": None}, threads=1),
        processor_peaks({**ZEN4, "vendor": None, "model": "0xfff"}, threads=1),
        stated_roofs({"gpus": [], "cpu": ZEN4}, threads=1, on_device=True),
    ):
        assert (dict(stated.flops_per_s), stated.bytes_per_s, stated.source) == ({}, None, "")


def test_peaks_of_a_processor() -> None:
    """Two 256-bit multiply-adds are 32 operations on float32 in a cycle; threads beyond the cores add nothing."""
    assert processor_peaks(ZEN4, threads=1).flops_per_s == {"float32": 32 * 3.7e9, "float64": 16 * 3.7e9}
    assert processor_peaks(ZEN4, threads=8).flops_per_s["float32"] == 4 * 32 * 3.7e9
    without = processor_peaks({**ZEN4, "frequency_max_khz": None}, threads=1)
    assert without.flops_per_s["float32"] == 32 * 2.4e9
    assert "boost not counted" in without.source
    assert "2.4 GHz" in without.source


def test_processors_of_other_makers() -> None:
    """Intel is told by model number, Arm by part number; matrix units count where they are."""
    intel = {**ZEN4, "vendor": "GenuineIntel", "family": "6", "model_number": "143"}
    assert processor_peaks(intel, threads=1).flops_per_s["int8"] == 4096 * 3.7e9
    graviton = {**ZEN4, "vendor": None, "family": None, "model_number": None, "model": "0xd40"}
    assert processor_peaks(graviton, threads=2).flops_per_s["float32"] == 2 * 32 * 3.7e9
