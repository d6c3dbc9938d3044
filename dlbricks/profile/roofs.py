"""Measures the roofs of a machine (peak FLOP/s and memory bandwidth), and looks up those that makers state.

The runtime executes matrix products and copies. The rate is that of the fastest call, as in STREAM (McCalpin, IEEE TCCA
Newsletter, December 1995) and LINPACK, since disturbances only slow down calls.

Stated peaks of GPUs come from data sheets (``trace.gpus``). Peaks of processors are computed from operations per cycle
and the clock that the system reports.
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from dlbricks.harness.cache_state import cache_sizes
from dlbricks.harness.machine import available_bytes, system_facts
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.session import SessionSettings, backend, open_session, runtime_errors
from dlbricks.limits import READ_SECONDS, WRITTEN_PER_SECOND
from dlbricks.model.bounds import allow
from dlbricks.model.lowering.roof_kernels import (
    COPIES,
    RESULT,
    RoofKernel,
    copy,
    factor_types,
    pairs_of,
    product,
    quantised_product,
)
from dlbricks.trace.gpus import StatedPeaks, gpu_peaks
from dlbricks.trace.types import Roofs
from dlbricks.units import counted


@dataclass(frozen=True, slots=True)
class _Core:
    # One kind of processor core: how to recognise it, and what it computes per cycle.

    name: str
    # The vendor in ``/proc/cpuinfo``; None on Arm.
    vendor: str | None
    # The family in ``/proc/cpuinfo``; empty on Arm.
    family: str
    # Model numbers; on Arm, part numbers.
    models: Collection[int]
    # Operations per cycle by element type; a multiply-add counts as two operations.
    cycle: Mapping[str, int]
    source: str


_AMD = "AMD Software Optimization Guides 56305, 56665, 57647, 58455"
_INTEL = "Intel 64 Optimization Reference Manual"
_ARM = "Arm Neoverse Software Optimization Guides"
_FMA_2X128 = {"float32": 16, "float64": 8}
_FMA_2X256 = {"float32": 32, "float64": 16}
_FMA_2X512 = {"float32": 64, "float64": 32}
_AMX = {**_FMA_2X512, "bfloat16": 2048, "int8": 4096}


_ZEN_5 = (*range(0x20), *range(0x40, 0x50))
_HASWELL = (60, 61, 63, 69, 70, 71, 78, 79, 86, 94, 142, 158, 165, 166)
_CORES = (
    _Core("Zen, 2 x 128-bit", "AuthenticAMD", "23", range(0x30), _FMA_2X128, _AMD),
    _Core("Zen 2, 2 x 256-bit", "AuthenticAMD", "23", range(0x30, 0x100), _FMA_2X256, _AMD),
    _Core("Zen 3 or 4, 2 x 256-bit", "AuthenticAMD", "25", range(0x100), _FMA_2X256, _AMD),
    _Core("Zen 5, 2 x 512-bit", "AuthenticAMD", "26", _ZEN_5, _FMA_2X512, _AMD),
    _Core("Haswell to Skylake, 2 x 256-bit", "GenuineIntel", "6", _HASWELL, _FMA_2X256, _INTEL),
    _Core("Skylake server to Ice Lake, 2 x 512-bit", "GenuineIntel", "6", (85, 106, 108), _FMA_2X512, _INTEL),
    _Core("Sapphire Rapids and on, 2 x 512-bit, AMX", "GenuineIntel", "6", (143, 173, 174, 207), _AMX, _INTEL),
    _Core("Neoverse N1, 2 x 128-bit", None, "", (0xD0C,), _FMA_2X128, _ARM),
    _Core("Neoverse V1, 2 x 256-bit", None, "", (0xD40,), _FMA_2X256, _ARM),
    _Core("Neoverse N2, 2 x 128-bit", None, "", (0xD49,), _FMA_2X128, _ARM),
    _Core("Neoverse V2, 4 x 128-bit", None, "", (0xD4F,), _FMA_2X256, _ARM),
)


def stated_roofs(facts: Mapping[str, Any], *, threads: int, on_device: bool) -> StatedPeaks:
    """Return the peak rates that the maker states for the first GPU or, unless ``on_device``, for the processor."""
    if on_device:
        whole = facts["gpus"] and facts["gpus"][0].get("mig") != "Enabled"
        return gpu_peaks(str(facts["gpus"][0]["name"])) if whole else StatedPeaks()
    return processor_peaks(facts["cpu"], threads=threads)


def processor_peaks(cpu: Mapping[str, Any], *, threads: int) -> StatedPeaks:
    """Return a processor's peak FLOP/s from operations per cycle, clock and cores; empty if unknown.

    The clock rate is the highest that the system reports, or else the present rate, which boost may exceed. The memory
    bandwidth is unknown: systems do not report channels.
    """
    core = _core(cpu)
    highest, now = cpu["frequency_max_khz"], cpu["frequency_khz"]
    khz = highest or now
    if core is None or not khz:
        return StatedPeaks()
    cores = min(threads, cpu["cores"] or threads)
    clock = f"{khz / 1e6:.3g} GHz, {'its highest clock' if highest else 'its clock now, boost not counted'}"
    return StatedPeaks(
        flops_per_s={dtype: operations * khz * 1e3 * cores for dtype, operations in core.cycle.items()},
        source=f"{core.name} multiply-adds per cycle ({core.source}) at {clock}, {counted(cores, 'core')}",
    )


def _core(cpu: Mapping[str, Any]) -> _Core | None:
    on_arm = cpu["vendor"] is None
    key, base = ("model", 16) if on_arm else ("model_number", 10)
    try:
        model = int(str(cpu[key]), base)
    except ValueError:
        return None
    family = "" if on_arm else str(cpu["family"])
    alike = (core for core in _CORES if core.vendor == cpu["vendor"] and core.family == family)
    return next((core for core in alike if model in core.models), None)


USUAL_TYPES = ("float32", "float16", "bfloat16", "int8")

# Least size of the copied buffer: more than the usual last-level cache holds, for systems that do not report theirs.
_LEAST_COPY_BYTES = 64 << 20
# Size of the copied buffer on a device: five times the L2 cache of an H200 (50 MB).
_DEVICE_COPY_BYTES = 1 << 28
_SEED = 1
# Rows of the matrices that are multiplied to learn in which element type the runtime computes.
_TRIED = 64
_Product = Callable[[int], RoofKernel]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Limits on the time of measuring roofs."""

    least_calls: int = 5
    rate_ns: int = 200_000_000
    """Total time of the calls of each product or copy, ns."""
    long_ns: int = 50_000_000
    """Time of a product, ns; after a product that takes as long, no larger matrices are tried."""
    sizes: tuple[int, ...] = (512, 1024, 2048, 4096, 8192)
    """Numbers of rows of the square matrices to try, ascending."""


def measure_roofs(
    settings: SessionSettings,
    dtypes: Iterable[str] = USUAL_TYPES,
    *,
    facts: Mapping[str, Any] | None = None,
    effort: Effort | None = None,
) -> Roofs:
    """Measure roofs with the provider, threads and options of ``settings``.

    Args:
        dtypes: element types of matrix products; a type for which the provider has no kernel is left out.
        facts: facts of the machine, as in ``harness.machine``; by default they are read from the system.
        effort: limits of the time; by default some seconds on a processor, more if its caches are large.

    Raises:
        HarnessError: the provider is missing.
        Exception: the runtime fails to load or run a kernel.
    """
    # STREAM's own programs and ``likwid-bench`` bypass the runtime, so no network could reach their rates
    machine = system_facts() if facts is None else facts
    chosen = effort or Effort()
    backend(settings).prepare(settings)
    rates: dict[str, float] = {}
    for dtype in dtypes:
        if rate := product_rate(settings, dtype, chosen):
            rates[dtype] = rate
    on_device = backend(settings).facts(settings)["provider"] != "cpu"
    elements = _copy_bytes(machine, on_device=on_device) // 4
    copied = _copy_rate(settings, elements, chosen)
    stated = stated_roofs(machine, threads=settings.threads, on_device=on_device)
    name = f"{machine['cpu']['model'] or 'processor'}, {counted(settings.threads, 'thread')}"
    if on_device and machine["gpus"]:
        name = str(machine["gpus"][0]["name"])
    return Roofs(
        device=name,
        flops_per_s=rates,
        copied_bytes_per_s=copied,
        stated_flops_per_s=stated.flops_per_s,
        stated_bytes_per_s=stated.bytes_per_s,
        source=stated.source,
    )


def product_rate(settings: SessionSettings, dtype: str, effort: Effort) -> float:
    """Return the peak FLOP/s of products of square matrices of an element type; 0.0 without a kernel for it."""
    peak = 0.0
    for kernel in _products(settings, dtype):
        for size in effort.sizes:
            rate, best_ns = _rate(settings, kernel(size), effort)
            peak = max(peak, rate)
            if best_ns >= effort.long_ns:
                break
    return peak


def _products(settings: SessionSettings, dtype: str) -> list[_Product]:
    # Return the products that the runtime computes in an element type, without conversion to another.
    # A runtime that reports what it executes is asked; for other runtimes the kernels of onnxruntime count.
    if _arithmetic(settings, partial(product, ("float32", "float32"))) is None:
        provider = backend(settings).facts(settings)["providers"][0]
        return [partial(product, pair) for pair in factor_types(provider, dtype)]
    ways: list[_Product] = [*(partial(product, pair) for pair in pairs_of(dtype))]
    ways += [quantised_product] if dtype == "int8" else []
    return [way for way in ways if dtype in {type_.removeprefix("u") for type_ in _arithmetic(settings, way) or ()}]


def _arithmetic(settings: SessionSettings, kernel: _Product) -> set[str] | None:
    # Return the element types in which the runtime computes a product: empty if it refuses the product, None if it does
    # not report what it executes.
    try:
        session = open_session(kernel(_TRIED).network, Path(), settings)
    except runtime_errors(settings):
        return set()
    layers = backend(settings).executed_layers(getattr(session.inference, "compiled", None))
    # found by the result that it writes, since runtimes name the node of a product differently
    products = (layer for layer in layers if "dtype" in layer and RESULT in layer["originalLayersNames"].split(","))
    return {layer["dtype"] for layer in products} if layers else None


def _copy_rate(settings: SessionSettings, elements: int, effort: Effort) -> float:
    # Return the bytes per second of the fastest copy. A call takes seconds where caches are large, so copies with
    # arithmetic are ranked in a smaller buffer first. A plain copy is not: it may write past the caches.
    def rate(elements: int, name: str) -> float:
        return _rate(settings, copy(name, elements), effort)[0]

    plain, *arithmetic = COPIES
    fastest = max(arithmetic, key=partial(rate, min(elements, _LEAST_COPY_BYTES // 4)))
    return max(rate(elements, plain), rate(elements, fastest))


def _rate(settings: SessionSettings, kernel: RoofKernel, effort: Effort) -> tuple[float, int]:
    # Return the best rate of a kernel, in operations or else bytes per second, and the duration of that call, ns.
    contract = {"inputs": kernel.inputs, "outputs": kernel.outputs}
    # a copied buffer is four times the last-level cache: on servers 1 GiB and more, whose first touch takes seconds
    seconds = READ_SECONDS * settings.threads + kernel.moved_bytes / WRITTEN_PER_SECOND
    allow(seconds)
    bound = Bound(open_session(kernel.network, Path(), settings), contract, make_inputs(contract, _SEED))
    allow(seconds)
    bound.warm_up()
    spent_ns, calls, best_ns = 0, 0, 0
    while calls < effort.least_calls or spent_ns < effort.rate_ns:
        call_ns = max(1, bound.call())
        best_ns = call_ns if calls == 0 else min(best_ns, call_ns)
        spent_ns, calls = spent_ns + call_ns, calls + 1
    return (kernel.operations or kernel.moved_bytes) * 1e9 / best_ns, best_ns


def _copy_bytes(facts: Mapping[str, Any], *, on_device: bool) -> int:
    # Return the bytes of the copied buffer: four times the last-level cache, at most an eighth of free memory.
    if on_device:
        return _DEVICE_COPY_BYTES
    wanted = max(_LEAST_COPY_BYTES, 4 * max(cache_sizes(facts["cpu"]["caches"]).values(), default=0))
    free = available_bytes()
    return wanted if free is None else min(wanted, 1 << int(math.log2(max(4096, free // 8))))
