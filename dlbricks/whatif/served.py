"""Steps of servers of language models: which of them decode, and what limits their products.

A product of a server multiplies the tokens of a step by weights that all of them share. Few tokens leave the arithmetic
idle while weights are read; how few is told by what is stated of the device (Pope et al., MLSys 2023).
"""

import numpy as np

from dlbricks.profile.roofs import gpu_peaks
from dlbricks.profile.steps import ServingStep, serving_step
from dlbricks.whatif.graph import DependencyGraph, Floats, Mask
from dlbricks.whatif.select import step_numbers

_USUAL_BALANCE = 150.0
"""Operations in half precision for each byte: A100 153 by data sheet, MI300X 247, H100 295, T4 203, V100 139."""


def server_steps(graph: DependencyGraph) -> list[ServingStep | None]:
    """Give what is read of the name of each step; nothing where steps have no names."""
    return [serving_step(name) for name in graph.step_names] if len(graph.step_names) == len(graph.steps) else []


def in_phases(graph: DependencyGraph, *phases: str) -> Mask:
    """Tell which tasks belong to steps of some phases of a server, as in ``decode``."""
    wanted = [False, *(one is not None and one.phase in phases for one in server_steps(graph))]
    numbers = step_numbers(graph)
    made: Mask = np.array(wanted, bool)[np.where(numbers < len(wanted), numbers, 0)]
    return made


def tokens_of(graph: DependencyGraph) -> Floats:
    """Give the tokens that the step of each task works on, NaN where that is not told."""
    told = [np.nan, *(np.nan if one is None or one.tokens is None else one.tokens for one in server_steps(graph))]
    if np.isnan(told).all():
        return np.full(len(graph), np.nan)
    numbers = step_numbers(graph)
    made: Floats = np.array(told, np.float64)[np.where(numbers < len(told), numbers, 0)]
    return made


def arithmetic_shares(graph: DependencyGraph) -> Floats:
    """Give which part of the time of a product by weights is arithmetic, by the tokens of its step; NaN if unknown.

    A weight of half precision is two bytes to read and two operations for each token. Where a device is not known, it
    has 150 operations for each byte, as most have.
    """
    tokens, stated = tokens_of(graph), gpu_peaks(graph.device)
    peak, memory = stated.flops_per_s.get("float16"), stated.bytes_per_s
    balance = peak / memory if peak and memory else _USUAL_BALANCE
    made: Floats = tokens / (tokens + balance)
    return made
