"""An event-driven simulation of a host, a launch queue and a device, which shares no code with composing.

Sequences are lists of operations. What a harness would store of a sequence is measured on chains of copies of it.
"""

import dataclasses
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dlbricks.store.types import QueueConstants, QueueTimes


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """Host work, the kernel that it enqueues, and whether the host then waits for the device."""

    host_ns: int
    device_ns: int | None = None
    waits: bool = False


Operations = Sequence[Operation]


@dataclass(slots=True)
class Machine:
    """One call. Events are (time, number, kind): the host continues, a launch arrives, a kernel has ended."""

    constants: QueueConstants
    events: list[tuple[int, int, str]] = field(default_factory=list)
    number: int = 0
    now: int = 0
    enqueued: list[int] = field(default_factory=list)
    """Time on the device of each launch."""
    arrived: int = 0
    started: int = 0
    ended: int = 0
    device_free_ns: int = 0
    asleep: str = ""
    """What the host waits for: ``room`` in the queue, the ``device``, or an event of its own."""
    wait_until_ns: int = 0

    def call_ns(self, operations: Operations, *, synchronise: bool = True) -> int:
        """Return the time of a call; without ``synchronise`` that of the host."""
        script = self.host(operations, synchronise=synchronise)
        self.at(self.constants.call_ns, "host")
        finished_ns = -1
        while self.events:
            self.now, _, what = heapq.heappop(self.events)
            self.arrived += what == "arrival"
            self.ended += what == "end"
            self.feed()
            if self.host_may_go_on(what):
                self.asleep = ""
                if next(script, "done") == "done":
                    finished_ns = self.now
                    script = iter(())
        return finished_ns

    def host(self, operations: Operations, *, synchronise: bool) -> Iterator[str]:
        """Run the host, which pauses where it has to wait."""
        for one in operations:
            if one.device_ns is not None and self.constants.queue_depth:
                while len(self.enqueued) - self.ended >= self.constants.queue_depth:
                    self.asleep = "room"
                    yield "waits"
            self.at(self.now + one.host_ns, "host")
            yield "works"
            if one.device_ns is not None:
                self.enqueued.append(one.device_ns)
                self.at(self.now + self.constants.launch_lag_ns, "arrival")
            if one.waits:
                yield from self.synchronised()
        if synchronise:
            yield from self.synchronised()

    def synchronised(self) -> Iterator[str]:
        """Wait for the device, at least as long as that takes."""
        self.wait_until_ns = self.now + self.constants.synchronise_ns
        self.at(self.wait_until_ns, "wait")
        while self.now < self.wait_until_ns or self.ended < len(self.enqueued):
            self.asleep = "device"
            yield "waits"

    def host_may_go_on(self, what: str) -> bool:
        """Return whether an event wakes the host."""
        return what == "host" if not self.asleep else what in ("end", "wait")

    def feed(self) -> None:
        """Start the next kernel if it has arrived and the device is free; otherwise schedule another attempt."""
        if self.started < self.arrived and self.started == self.ended:
            if self.now < self.device_free_ns:
                self.at(self.device_free_ns, "free")
            else:
                end = self.now + self.enqueued[self.started]
                self.started += 1
                self.device_free_ns = end + self.constants.kernel_gap_ns
                self.at(end, "end")

    def at(self, time: int, what: str) -> None:
        """Schedule an event."""
        self.number += 1
        heapq.heappush(self.events, (time, self.number, what))


def call_ns(constants: QueueConstants, operations: Operations, *, synchronise: bool = True) -> int:
    """Return the time of a call, or without ``synchronise`` that of the host."""
    return Machine(constants=constants).call_ns(operations, synchronise=synchronise)


def stored(constants: QueueConstants, sequence: Operations) -> QueueTimes:
    """Return what a harness stores of a sequence: slopes between 1 and 9 copies in one call, kernels by CUPTI.

    Chains fit into the queue.
    """
    roomy = dataclasses.replace(constants, queue_depth=0)
    first = next((index for index, one in enumerate(sequence) if one.waits), None)

    def slope(synchronise: bool) -> int:
        once, often = (call_ns(roomy, list(sequence) * copies, synchronise=synchronise) for copies in (1, 9))
        return (often - once) // 8

    kernels = [one.device_ns for one in sequence if one.device_ns is not None]
    if first is None:
        host, device = slope(False), sum(kernels) + constants.kernel_gap_ns * len(kernels)
    else:
        begun = next((index for index, one in enumerate(sequence) if one.device_ns is not None), first)
        host = sum(one.host_ns for one in sequence[: begun + 1])
        device = max(0, slope(True) - host - constants.launch_lag_ns)
    at_once = dataclasses.replace(roomy, call_ns=0, synchronise_ns=0)
    return QueueTimes(
        host_ns=host,
        host_low_ns=host,
        host_high_ns=host,
        device_ns=device,
        device_low_ns=device,
        device_high_ns=device,
        kernels=len(kernels),
        synchronises=first is not None,
        alone_ns=None if first is not None else call_ns(at_once, sequence),
    )
