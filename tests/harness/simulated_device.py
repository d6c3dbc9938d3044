"""A device with a launch queue in simulated time, launch by launch: what a call on it takes is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dlbricks.harness.trace.device_queue import QueuedCalls

Launch = tuple[float, float]
"""What the host takes to enqueue a kernel, and the device to run it, ns."""


@dataclass
class SimulatedDevice:
    """Time goes on only when something is done."""

    call_ns: float = 12_000
    lag_ns: float = 4_000
    wait_ns: float = 6_000
    gap_ns: float = 0
    depth: int = 0
    """0: never full."""
    other_ns: float = 0
    """What the first call behind that of another network takes more."""
    last: int = 0
    """The network called last."""
    now: float = 0.0
    ends: list[float] = field(default_factory=list)
    """Of every kernel that was enqueued."""

    def clock(self) -> int:
        """Read the time, ns."""
        return round(self.now)

    def enqueue(self, launches: Sequence[Launch]) -> None:
        """Do the host's part of a call."""
        self.now += self.call_ns + (self.other_ns if self.last not in {0, id(launches)} else 0)
        self.last = id(launches)
        for host_ns, device_ns in launches:
            if self.depth and len(self.ends) >= self.depth:
                self.now = max(self.now, self.ends[-self.depth])
            self.now += host_ns
            before = self.ends[-1] + self.gap_ns if self.ends else 0.0
            self.ends.append(max(self.now + self.lag_ns, before) + device_ns)
        del self.ends[: -2 * (self.depth or 1)]

    def wait(self) -> None:
        """Wait for the device."""
        self.now = max(self.now + self.wait_ns, self.ends[-1] if self.ends else 0.0)

    def call(self, launches: Sequence[Launch]) -> None:
        """Call, and wait."""
        self.enqueue(launches)
        self.wait()

    def calls(self, launches: Sequence[Launch], copies: int = 1) -> QueuedCalls:
        """Give the ways to call a network of these launches, several times over."""
        every = list(launches) * copies
        return QueuedCalls(enqueue=lambda: self.enqueue(every), wait=self.wait, call=lambda: self.call(every))

    def latency_ns(self, launches: Sequence[Launch]) -> float:
        """Give what a call takes on an idle device."""
        self.wait()
        begin = self.now
        self.call(launches)
        return self.now - begin
