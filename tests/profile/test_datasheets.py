"""Stated peaks: found by name, computed by hand, silent where nothing is known."""

from typing import Any

import pytest

from dlbricks.profile.roofs import gpu_peaks, processor_peaks, stated_roofs

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
    ],
)
def test_names_as_the_driver_gives_them(name: str, half: float, gigabytes: float) -> None:
    """Variants of one GPU are told apart; products with sparsity are not counted."""
    stated = gpu_peaks(name)
    assert stated.flops_per_s["float16"] == pytest.approx(half * 1e12)
    assert stated.bytes_per_s == pytest.approx(gigabytes * 1e9)
    assert stated.source


def test_unknown_devices_state_nothing() -> None:
    """No figure is better than a wrong one."""
    for stated in (
        gpu_peaks("Somebody's GPU 9000"),
        gpu_peaks("NVIDIA GH200 480GB"),
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
