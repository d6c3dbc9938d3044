"""Roofs of a machine, measured through the runtime that networks run on: products of matrices, and copies.

The rate is that of the best of several calls, as in STREAM (McCalpin, IEEE TCCA Newsletter, December 1995) and LINPACK:
what disturbs a call only makes it slower. STREAM's own programs and ``likwid-bench`` measure the machine without the
runtime, so that no network could reach what they find; they were looked at and are not used.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.harness.cache_state import cache_sizes
from dlbricks.harness.machine.facts import available_bytes, system_facts
from dlbricks.harness.network import Bound, make_inputs
from dlbricks.harness.session import SessionSettings, open_session, prepare_runtime, provider_name
from dlbricks.model.costs.roof_kernels import COPIES, RoofKernel, copy, factor_types, product
from dlbricks.profile.datasheets import stated_roofs
from dlbricks.profile.types import Roofs

USUAL_TYPES = ("float32", "float16", "bfloat16", "int8")

_LEAST_COPY_BYTES = 64 << 20
_DEVICE_COPY_BYTES = 1 << 28
_SEED = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How long measuring may take."""

    least_calls: int = 5
    rate_ns: int = 200_000_000
    """Calls of a network are repeated until so much time was spent in them."""
    long_ns: int = 50_000_000
    """Matrices are made no larger once a call takes as long."""
    sizes: tuple[int, ...] = (512, 1024, 2048, 4096, 8192)
    """Rows of the matrices, ascending."""


def measure_roofs(
    settings: SessionSettings,
    dtypes: Iterable[str] = USUAL_TYPES,
    *,
    facts: Mapping[str, Any] | None = None,
    effort: Effort | None = None,
) -> Roofs:
    """Measure what a machine does at best with the provider, threads and options that networks run with.

    Args:
        settings: of the sessions.
        dtypes: element types of products; those that the provider has no kernel for are left out.
        facts: of the machine, as ``harness.machine.facts`` gives them; looked up if not given.
        effort: how long it may take; some three seconds on a processor unless given.

    Returns:
        The rates measured, with those stated where they are known.

    Raises:
        HarnessError: the provider is missing.
        Exception: whatever onnxruntime raises for a network that it cannot load or run.
    """
    known = system_facts() if facts is None else facts
    chosen = effort or Effort()
    prepare_runtime(settings)
    provider = provider_name(settings.provider)
    rates: dict[str, float] = {}
    for dtype in dtypes:
        for factors in factor_types(provider, dtype):
            rates[dtype] = max(rates.get(dtype, 0.0), *_product_rates(settings, factors, chosen))
    on_device = provider != provider_name("cpu")
    elements = _copy_bytes(known, on_device=on_device) // 4
    copied = max(_rate(_bound(settings, copy(name, elements)), chosen)[0] for name in COPIES)
    stated = stated_roofs(known, threads=settings.threads, on_device=on_device)
    return Roofs(
        device=_device(known, settings.threads, on_device=on_device),
        flops_per_s=rates,
        copied_bytes_per_s=copied,
        stated_flops_per_s=stated.flops_per_s,
        stated_bytes_per_s=stated.bytes_per_s,
        source=stated.source,
    )


def _product_rates(settings: SessionSettings, factors: tuple[str, str], effort: Effort) -> list[float]:
    found = []
    for size in effort.sizes:
        rate, best_ns = _rate(_bound(settings, product(factors, size)), effort)
        found.append(rate)
        if best_ns >= effort.long_ns:
            break
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ready:
    bound: Bound
    amount: int
    """Operations, or bytes where there are none, of one call."""


def _bound(settings: SessionSettings, kernel: RoofKernel) -> _Ready:
    contracts = {"inputs": kernel.inputs, "outputs": kernel.outputs}
    session = open_session(kernel.network, Path(), settings)
    bound = Bound(session, contracts, make_inputs(contracts, _SEED))
    return _Ready(bound=bound, amount=kernel.operations or kernel.moved_bytes)


def _rate(ready: _Ready, effort: Effort) -> tuple[float, int]:
    """Give the best rate per second, and how long that call took, ns."""
    ready.bound.warm_up()
    spent_ns, calls, best_ns = 0, 0, 0
    while calls < effort.least_calls or spent_ns < effort.rate_ns:
        call_ns = max(1, ready.bound.call())
        best_ns = call_ns if calls == 0 else min(best_ns, call_ns)
        spent_ns, calls = spent_ns + call_ns, calls + 1
    return ready.amount * 1e9 / best_ns, best_ns


def _copy_bytes(facts: Mapping[str, Any], *, on_device: bool) -> int:
    """Give the size of the buffer that is copied: four times the last cache, but an eighth of the memory at most."""
    if on_device:
        return _DEVICE_COPY_BYTES
    wanted = max(_LEAST_COPY_BYTES, 4 * max(cache_sizes(facts["cpu"]["caches"]).values(), default=0))
    free = available_bytes()
    return wanted if free is None else min(wanted, 1 << int(math.log2(max(4096, free // 8))))


def _device(facts: Mapping[str, Any], threads: int, *, on_device: bool) -> str:
    if on_device and facts["gpus"]:
        return str(facts["gpus"][0]["name"])
    return f"{facts['cpu']['model'] or 'processor'}, {threads} thread{'' if threads == 1 else 's'}"
