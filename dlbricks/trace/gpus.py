"""Data sheets of GPUs, and the theoretical occupancy of kernels.

Each stated peak has a source. Arithmetic peaks are dense: rates with structured sparsity are halved. Drivers write
``Tesla V100-SXM2-16GB`` and users ``v100 sxm2``: ``usual_name`` returns the name in the table.

Warps, blocks, registers and shared memory of a multiprocessor limit how many blocks of a kernel it holds at once. The
occupancy is the number of warps in these blocks, divided by the multiprocessor's maximum. Limits and rounding follow
NVIDIA's CUDA occupancy calculator, "Technical specifications per compute capability" of the CUDA programming guide, and
``cuda_occupancy.h`` of CUDA 13, with which the results were compared.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

_T, _G = 1e12, 1e9
# Words that the next word may follow without a blank; one is inserted.
_DIVIDED = re.compile(r"(NVIDIA|AMD|TESLA|GEFORCE|QUADRO|INSTINCT|DGX|HGX|[RG]TX)(?=[A-Z0-9])")
# Letters of a model that a blank divides from its number; the blank is removed.
_JOINED = re.compile(r"\b(GH|MI|[ABHLMPTV]) (?=\d)")
# Places between the number of a model and a variant; a blank is inserted.
_VARIANT = re.compile(r"(?<=[\dB])(?=(?:TI|SUPER|SXM\d?|PCIE|NVL|DGXS|HBM\d?E?)\b)")
_MEMORY = re.compile(r"\b(\d+) ?GI?B?\b")


def usual_name(name: str) -> str:
    """Return the normalised name of a GPU, as in ``RTX 4090``, ``A100 SXM4 80GB`` and ``MI300X``."""
    spelling = " ".join(re.split(r"[\s_-]+", name.upper().strip()))
    spelling = _JOINED.sub(r"\1", _DIVIDED.sub(r"\1 ", spelling))
    return _MEMORY.sub(r"\1GB", _VARIANT.sub(" ", spelling))


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedPeaks:
    """Peak rates that the maker of a device states; empty if unknown."""

    flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """FLOP/s by element type; ``tf32`` is for float32 on tensor cores."""
    bytes_per_s: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class _Gpu:
    # A row of the table. Peaks are in Tflop/s; ``half`` is for float16 and bfloat16; 0 means none or not stated.
    # Memory is in GB/s.

    # Regular expression for the name as ``usual_name`` returns it.
    pattern: str
    float32: float
    tf32: float
    half: float
    int8: float
    memory: float
    source: str


# Names of GPUs that multiply 8-bit floats at the rate of 8-bit integers.
_HAS_FLOAT8 = re.compile(r"\bL4\b|\bL40S?\b|\bH[128]00|\bB200|RTX 40|\bMI3")
# A GPU has the peaks of the first pattern that its name contains.
_GPUS = (
    _Gpu(r"\bQUADRO RTX 6000\b", 16.3, 0, 130.5, 261, 624, "XSP, IPDPS 2020; tensor cores: NVIDIA Turing white paper"),
    _Gpu(r"\bV100\b(?! (PCIE|FHHL))", 15.7, 0, 125, 0, 900, "XSP, IPDPS 2020; tensor cores: NVIDIA V100 data sheet"),
    _Gpu(r"\bV100 PCIE\b", 14, 0, 112, 0, 900, "NVIDIA V100 data sheet"),
    _Gpu(r"\bP100\b(?! PCIE)", 10.6, 0, 21.2, 0, 732, "NVIDIA P100 data sheet"),
    _Gpu(r"\bP100 PCIE\b", 9.3, 0, 18.7, 0, 732, "XSP, IPDPS 2020; half precision: NVIDIA P100 data sheet"),
    _Gpu(r"\bP4\b", 5.5, 0, 0, 22, 192, "XSP, IPDPS 2020; int8: NVIDIA P4 data sheet"),
    _Gpu(r"\bM60\b", 4.8, 0, 0, 0, 160, "XSP, IPDPS 2020"),
    _Gpu(r"\bT4\b", 8.1, 0, 65, 130, 320, "NVIDIA T4 data sheet"),
    _Gpu(r"\bA100.*SXM.*80GB", 19.5, 156, 312, 624, 2039, "NVIDIA A100 data sheet"),
    _Gpu(r"\bA100.*80GB", 19.5, 156, 312, 624, 1935, "NVIDIA A100 data sheet"),
    _Gpu(r"\bA100\b", 19.5, 156, 312, 624, 1555, "NVIDIA A100 data sheet"),
    _Gpu(r"\bA30\b", 10.3, 82, 165, 330, 933, "NVIDIA A30 data sheet"),
    _Gpu(r"\bA10G\b", 35, 35, 70, 140, 600, "NVIDIA A10G data sheet"),
    _Gpu(r"\bA10\b", 31.2, 62.5, 125, 250, 600, "NVIDIA A10 data sheet"),
    _Gpu(r"\bA40\b", 37.4, 74.8, 149.7, 299.3, 696, "NVIDIA A40 data sheet"),
    _Gpu(r"\bL4\b", 30.3, 60, 121, 242.5, 300, "NVIDIA L4 data sheet"),
    _Gpu(r"\bL40S\b", 91.6, 183, 362, 733, 864, "NVIDIA L40S data sheet"),
    _Gpu(r"\bH100 NVL", 60, 417.5, 835.5, 1670.5, 3900, "NVIDIA H100 data sheet"),
    _Gpu(r"\bH100 (80GB )?PCIE\b", 51, 378, 756, 1513, 2000, "NVIDIA H100 data sheet"),
    _Gpu(r"\bH100\b", 67, 494.5, 989.5, 1979, 3350, "NVIDIA H100 data sheet"),
    _Gpu(r"\bH800 (80GB )?PCIE\b", 51, 378, 756, 1513, 2000, "NVIDIA H800 data sheet"),
    _Gpu(r"\bH800\b", 67, 494.5, 989.5, 1979, 3350, "NVIDIA H800 data sheet"),
    _Gpu(r"\bB200\b", 75, 1125, 2250, 4500, 8000, "NVIDIA DGX B200 data sheet"),
    _Gpu(r"\bRTX 2080 TI\b", 13.4, 0, 53.8, 215.2, 616, "NVIDIA Turing white paper, sums in float32"),
    _Gpu(r"\bRTX 3090\b(?! TI)", 35.6, 35.6, 71, 284, 936, "NVIDIA GA102 white paper, sums in float32"),
    _Gpu(r"\bRTX 4090\b(?! D\b)", 82.6, 82.6, 165.2, 660.6, 1008, "NVIDIA Ada white paper"),
    _Gpu(r"\bMI100\b", 46.1, 0, 184.6, 184.6, 1229, "AMD MI100 data sheet"),
    _Gpu(r"\bMI210\b", 45.3, 0, 181, 181, 1638, "AMD MI210 data sheet"),
    _Gpu(r"\bMI250X\b", 47.9, 0, 191.5, 191.5, 1638, "AMD MI250X data sheet, one of two dies"),
    _Gpu(r"\bMI250\b", 45.3, 0, 181, 181, 1638, "AMD MI250 data sheet, one of two dies"),
    _Gpu(r"\bMI300X\b", 163.4, 653.7, 1307.4, 2614.9, 5300, "AMD MI300X data sheet"),
    _Gpu(r"\bMI325X\b", 163.4, 653.7, 1307.4, 2614.9, 6000, "AMD MI325X data sheet"),
    _Gpu(r"\bH200 NVL", 60, 417.5, 835.5, 1670.5, 4800, "NVIDIA H200 data sheet"),
    _Gpu(r"\bH200\b", 67, 494.5, 989.5, 1979, 4800, "NVIDIA H200 data sheet"),
)


def gpu_peaks(name: str) -> StatedPeaks:
    """Return the stated peaks of a GPU; ``name`` may have any spelling. Unknown GPUs and slices (MIG) have none."""
    name = usual_name(name)
    gpu = next((gpu_ for gpu_ in _GPUS if re.search(gpu_.pattern, name) and " MIG " not in name), None)
    if gpu is None:
        return StatedPeaks()
    has_bfloat16 = gpu.tf32 > 0
    peaks = {
        "float32": gpu.float32,
        "tf32": gpu.tf32,
        "float16": gpu.half,
        "bfloat16": gpu.half if has_bfloat16 else 0,
        "int8": gpu.int8,
        "float8": gpu.int8 if _HAS_FLOAT8.search(name) else 0,
    }
    return StatedPeaks(
        flops_per_s={dtype: peak * _T for dtype, peak in peaks.items() if peak},
        bytes_per_s=gpu.memory * _G,
        source=gpu.source,
    )


def gpu_names() -> tuple[str, ...]:
    """Return the names of all GPUs in the table, as in ``RTX 4090``, without memory size and form factor."""
    return tuple(dict.fromkeys(re.sub(r"\\b|\.\*.*|\(.*", "", gpu.pattern).strip() for gpu in _GPUS))


# Threads of a warp, and registers of a multiprocessor.
WARP = 32
_REGISTERS = 65536
# Allocation granularity of a warp's registers.
_REGISTER_STEP = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiprocessor:
    """Limits on the blocks of kernels that a multiprocessor holds."""

    warps: int
    blocks: int
    shared_bytes: int
    """Shared memory for all blocks together."""
    reserved_bytes: int
    """Shared memory that the system reserves for each block."""
    shared_step: int
    """Allocation granularity of shared memory, bytes."""
    parts: int
    """Number of partitions of the multiprocessor; each has its own registers."""


# Warps, blocks, KiB of shared memory, and the compute capabilities with these limits.
_MULTIPROCESSORS = (
    (64, 32, 64, ((5, 0), (5, 3), (6, 0), (6, 2))),
    (64, 32, 96, ((5, 2), (6, 1), (7, 0), (7, 2))),
    (32, 16, 64, ((7, 5),)),
    (64, 32, 164, ((8, 0),)),
    (48, 16, 100, ((8, 6),)),
    (48, 16, 164, ((8, 7),)),
    (48, 24, 100, ((8, 9), (12, 0), (12, 1))),
    (64, 32, 228, ((9, 0), (10, 0), (10, 3))),
    (48, 24, 228, ((11, 0),)),
)
# Limits by compute capability.
LIMITS: Mapping[tuple[int, int], Multiprocessor] = {
    capability: Multiprocessor(
        warps=warps,
        blocks=blocks,
        shared_bytes=shared_kib << 10,
        reserved_bytes=1024 if capability >= (8, 0) else 0,
        shared_step=128 if capability >= (8, 0) else 256,
        parts=2 if capability == (6, 0) else 4,
    )
    for warps, blocks, shared_kib, capabilities in _MULTIPROCESSORS
    for capability in capabilities
}


def theoretical_occupancy(
    threads: int, registers: int, shared_bytes: int, capability: tuple[int, int], *, carveout_bytes: int | None = None
) -> float | None:
    """Return the theoretical occupancy of a kernel: the share of a multiprocessor's warps that it can occupy.

    Args:
        threads: threads per block; ``registers`` are per thread.
        shared_bytes: shared memory per block, static and dynamic.
        capability: compute capability of the device, as in ``(9, 0)``.
        carveout_bytes: shared memory of a multiprocessor for this kernel; None for all of it.

    Returns:
        A share from 0 (no block fits) to 1; None if ``LIMITS`` lacks the capability or ``threads`` is below 1.
    """
    limits = LIMITS.get(capability)
    if limits is None or threads < 1:
        return None
    warps = -(-threads // WARP)
    fitting = [limits.blocks, limits.warps // warps]
    if registers:
        per_warp = _up(registers * WARP, _REGISTER_STEP)
        fits = per_warp * _up(warps, limits.parts) <= _REGISTERS
        fitting.append(_REGISTERS // limits.parts // per_warp * limits.parts // warps if fits else 0)
    shared = _up(shared_bytes + limits.reserved_bytes, limits.shared_step)
    if shared:
        fitting.append((limits.shared_bytes if carveout_bytes is None else carveout_bytes) // shared)
    return min(fitting) * warps / limits.warps


def _up(value: int, step: int) -> int:
    return -(-value // step) * step
