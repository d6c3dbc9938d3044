"""Theoretical occupancy of a kernel from its registers, shared memory and block size; needs no counters.

How many blocks fit on a multiprocessor at once is the least that its warps, blocks, registers and shared memory allow;
their warps over the most that it holds are the occupancy. Tables and rounding: NVIDIA's CUDA occupancy calculator and
"Technical specifications per compute capability" of the CUDA programming guide; ``cuda_occupancy.h`` of CUDA 13, with
which the numbers were compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass

WARP = 32
_REGISTERS = 65536
_REGISTER_STEP = 256
"""Registers are given to a warp in steps of this many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Multiprocessor:
    """What limits how much runs on one at a time."""

    warps: int
    blocks: int
    shared_bytes: int
    """Most that its blocks have together."""
    reserved_bytes: int
    """Of shared memory, that the system takes for each block."""
    shared_step: int
    """Shared memory is given to a block in steps of this many bytes."""
    parts: int
    """Warps are spread over them; each has its own registers."""


def _old(warps: int, blocks: int, shared_kib: int, parts: int = 4) -> Multiprocessor:
    return Multiprocessor(
        warps=warps, blocks=blocks, shared_bytes=shared_kib << 10, reserved_bytes=0, shared_step=256, parts=parts
    )


def _new(warps: int, blocks: int, shared_kib: int) -> Multiprocessor:
    """From compute capability 8.0 on."""
    return Multiprocessor(
        warps=warps, blocks=blocks, shared_bytes=shared_kib << 10, reserved_bytes=1024, shared_step=128, parts=4
    )


LIMITS: Mapping[tuple[int, int], Multiprocessor] = {
    (5, 0): _old(64, 32, 64),
    (5, 2): _old(64, 32, 96),
    (5, 3): _old(64, 32, 64),
    (6, 0): _old(64, 32, 64, parts=2),
    (6, 1): _old(64, 32, 96),
    (6, 2): _old(64, 32, 64),
    (7, 0): _old(64, 32, 96),
    (7, 2): _old(64, 32, 96),
    (7, 5): _old(32, 16, 64),
    (8, 0): _new(64, 32, 164),
    (8, 6): _new(48, 16, 100),
    (8, 7): _new(48, 16, 164),
    (8, 9): _new(48, 24, 100),
    (9, 0): _new(64, 32, 228),
    (10, 0): _new(64, 32, 228),
    (10, 3): _new(64, 32, 228),
    (11, 0): _new(48, 24, 228),
    (12, 0): _new(48, 24, 100),
    (12, 1): _new(48, 24, 100),
}
"""By compute capability."""


def theoretical_occupancy(
    threads: int, registers: int, shared_bytes: int, capability: tuple[int, int], *, carveout_bytes: int | None = None
) -> float | None:
    """Give the share of a multiprocessor's warps that a kernel can have in flight.

    Args:
        threads: of a block.
        registers: of a thread.
        shared_bytes: of a block, static and dynamic.
        capability: compute capability of the device, as in ``(9, 0)``.
        carveout_bytes: shared memory that the driver set aside on a multiprocessor for this kernel; the most that
            there can be where it is not known.

    Returns:
        From 0 (a block does not fit) to 1; None for a capability that is not in ``LIMITS``.
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
