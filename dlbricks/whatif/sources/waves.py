"""Waves of kernels: how often a device is filled with blocks until all of a kernel have run.

The last wave takes as long as a full one, so the time of a kernel grows in steps with its blocks.
"""

import math
import re

import numpy as np

from dlbricks.profile.gpus import usual_name
from dlbricks.trace.devices import LIMITS, WARP, theoretical_occupancy
from dlbricks.trace.types import Longs, Trace
from dlbricks.whatif.graph import Floats

_WHOLE = re.compile(r"\d{1,9}(,\d{1,9}){0,2}")
# Name, multiprocessors by data sheet, and compute capability of devices; the first pattern found counts.
_DEVICES = (
    (r"\bP100\b", 56, (6, 0)),
    (r"\bV100\b", 80, (7, 0)),
    (r"\bT4\b", 40, (7, 5)),
    (r"\bA100\b", 108, (8, 0)),
    (r"\bA10\b", 72, (8, 6)),
    (r"\bL4\b", 58, (8, 9)),
    (r"\bH100 (80GB )?PCIE\b", 114, (9, 0)),
    (r"\bH[12]00\b", 132, (9, 0)),
    (r"\bB200\b", 148, (10, 0)),
)


def waves_of(trace: Trace, rows: Longs) -> Floats:
    """Return the waves of each kernel, with fractions; NaN for an unknown device, and without grid, block or registers.

    Args:
        trace: with the device's name.
        rows: spans of the trace.
    """
    name = usual_name(trace.device)
    device = next(((count, kind) for pattern, count, kind in _DEVICES if re.search(pattern, name)), None)
    waves = np.full(len(rows), np.nan)
    if device is None or not {"grid", "block", "registers"} <= trace.attributes.keys():
        return waves
    registers, shared = (
        trace.column(key, rows, 0.0).astype(np.int64).tolist() for key in ("registers", "shared_bytes")
    )
    grids, blocks = (trace.texts(key, rows) for key in ("grid", "block"))
    waves_of_shape: dict[tuple[str, str, int, int], float] = {}
    for place, shape in enumerate(zip(grids, blocks, registers, shared, strict=True)):
        if _WHOLE.fullmatch(shape[0]) and _WHOLE.fullmatch(shape[1]):
            if shape not in waves_of_shape:
                waves_of_shape[shape] = _waves(_product(shape[0]), _product(shape[1]), shape[2:], device)
            waves[place] = waves_of_shape[shape]
    return waves


def _product(extents: str) -> int:
    return math.prod(int(extent) for extent in extents.split(","))


def _waves(blocks: int, threads: int, uses: tuple[int, int], device: tuple[int, tuple[int, int]]) -> float:
    """Return the waves of a kernel, NaN if no block fits.

    Args:
        blocks: of the grid.
        threads: of a block.
        uses: registers of a thread, and shared memory of a block in bytes.
        device: multiprocessors and compute capability.
    """
    count, capability = device
    share = theoretical_occupancy(threads, *uses, capability)
    if not share:
        return math.nan
    return blocks / (count * round(share * LIMITS[capability].warps / -(-threads // WARP)))
