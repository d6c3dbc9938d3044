"""A host that enqueues and a device that works off its queue: when a call ends. Pure.

Sequences of a network that runs on an asynchronous execution provider (CUDA, for one) share two resources. The host
enqueues one launch after another and goes on; the device takes them in their order, each no sooner than some lag after
it was enqueued. The whole is what takes longer in turn, not a sum of what each sequence takes alone, and no part of it
may be scaled: kernels shorter than a launch cost what launching costs, longer ones hide it.

    t_host   = max(t_host, end of the launch that makes room in the queue) + host time of a launch
    t_device = max(t_device + gap, t_host + lag + lateness) + device time of a launch
    t_host   = max(t_host + synchronise, t_device)    where the host waits for the device, and at the end

This is a recursion of maxima and sums, so times may be arrays: one element for the figures as measured, others for
draws from their intervals (``construct.asynchronous``). What-if graphs replay the same launches (``whatif.sources``).
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dlbricks.store.types import QueueConstants

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One launch of a sequence, or work of the host between launches, as shares of the sequence's times."""

    host: float
    """Of its time on the host, 0 to 1."""
    device: float | None
    """Of its time on the device; None for work of the host alone."""


Parts = Sequence[Part]
"""Of one sequence, in order; hosts and devices add up to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """What the host does next, and what it enqueues by that."""

    step: int
    """Of the composition."""
    host_ns: Floats
    device_ns: Floats | None
    """None: nothing is enqueued."""
    late_ns: Floats = field(default_factory=lambda: np.zeros(1))
    """By how much later than the launch lag says it can start; may be less than 0 (``lateness``)."""
    waits: bool = False
    """Whether the host then waits for the device."""


def evenly(kernels: int) -> Parts:
    """Give the parts of a sequence of which no trace says how its time is shared out."""
    count = max(1, kernels)
    return [Part(host=1 / count, device=1 / count if kernels else None)] * count


def lateness(alone_ns: float, host_ns: Floats, device_ns: Floats, kernels: int, machine: QueueConstants) -> Floats:
    """Give by how much later equal kernels of a sequence have to start for it to end as late as it does.

    What a sequence does to a queue that is never full are three times, however many kernels it has: it keeps the host
    for h, puts off the end of a busy device by d, and ends X after it began on an idle device. That is a matrix of the
    max-plus algebra (Baccelli et al., Synchronization and Linearity, 1992), and composing is their product. Equal
    kernels have the same h and d and another X, and every way through host and device has one launch lag, so what X
    lacks is added to that.

    Args:
        alone_ns: X (``QueueTimes.alone_ns``).
        host_ns: h.
        device_ns: d.
        kernels: of the sequence, 1 or more.
        machine: where it runs.
    """
    equal = np.maximum(host_ns / kernels + device_ns, host_ns + device_ns / kernels) - machine.kernel_gap_ns
    ends = np.clip(
        alone_ns - machine.launch_lag_ns,
        np.maximum(host_ns, device_ns - machine.kernel_gap_ns),
        host_ns + device_ns - machine.kernel_gap_ns,
    )
    made: Floats = ends - equal
    return made


def launches(
    step: int,
    host_ns: Floats,
    device_ns: Floats,
    parts: Parts,
    *,
    waits: bool,
    gap_ns: float,
    late_ns: Floats,
) -> Iterator[Launch]:
    """Give the launches of one sequence.

    Args:
        step: of the composition.
        host_ns: ``QueueTimes.host_ns``.
        device_ns: ``QueueTimes.device_ns`` at its place; with a gap for each kernel.
        parts: how its times are shared out.
        waits: ``QueueTimes.synchronises``: the sequence then is one launch, as its times are told apart by its first
            wait.
        gap_ns: ``QueueConstants.kernel_gap_ns``.
        late_ns: ``Launch.late_ns`` of each.
    """
    if waits:
        yield Launch(step=step, host_ns=host_ns, device_ns=device_ns, waits=True)
        return
    busy = np.maximum(0.0, device_ns - gap_ns * sum(part.device is not None for part in parts))
    for part in parts:
        device = None if part.device is None else part.device * busy
        yield Launch(step=step, host_ns=part.host * host_ns, device_ns=device, late_ns=late_ns)


def call_ends(made: Iterable[Launch], machine: QueueConstants) -> Iterator[Floats]:
    """Say after each launch when a call would end whose last one it is, ns from the call's begin; never falling."""
    host: Floats = np.full(1, float(machine.call_ns))
    device = host - machine.kernel_gap_ns
    waiting = deque[Floats](maxlen=machine.queue_depth or None)
    for one in made:
        if machine.queue_depth and len(waiting) == machine.queue_depth and one.device_ns is not None:
            host = np.maximum(host, waiting[0])
        host = host + one.host_ns
        if one.device_ns is not None:
            ready = host + machine.launch_lag_ns + one.late_ns
            device = np.maximum(device + machine.kernel_gap_ns, ready) + one.device_ns
            waiting.append(device)
        if one.waits:
            host = np.maximum(host + machine.synchronise_ns, device)
        yield np.maximum(host + machine.synchronise_ns, device)
