"""A device with a launch queue in simulated time, launch by launch: what a call on it takes is known."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from dlbricks.harness.trace.activities import Activity
from dlbricks.harness.trace.device_queue import QueuedCalls, work_of_calls

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
    recording: bool = False
    records: list[Activity] = field(default_factory=list)
    """Launches and kernels while ``recording``, as CUPTI tells them."""

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
            begin = max(self.now + self.lag_ns, before)
            self.ends.append(begin + device_ns)
            if self.recording:
                self._record("runtime", self.now - host_ns, self.now)
                self._record("kernel", begin, begin + device_ns)
        del self.ends[: -2 * (self.depth or 1)]

    def _record(self, kind: str, begin: float, end: float) -> None:
        number = len(self.records) // 2
        start_ns, end_ns = round(begin), round(end)
        self.records.append(Activity(kind=kind, name=kind, correlation=number, start_ns=start_ns, end_ns=end_ns))

    def traced(self, calls: QueuedCalls, count: int = 5) -> tuple[list[Activity], list[list[Activity]]]:
        """Call so often while kernels are recorded; give all records, and the kernels of each call."""
        self.recording, self.records, windows = True, [], list[tuple[int, int]]()
        for _ in range(count):
            begin = self.clock()
            calls.call()
            windows.append((begin, self.clock()))
        self.recording = False
        return self.records, work_of_calls(self.records, windows)

    def wait(self) -> None:
        """Wait for the device."""
        self.now = max(self.now + self.wait_ns, self.ends[-1] if self.ends else 0.0)

    def call(self, launches: Sequence[Launch]) -> None:
        """Call, and wait."""
        self.enqueue(launches)
        self.wait()

    def calls(self, launches: Sequence[Launch]) -> QueuedCalls:
        """Give the ways to call a network of these launches."""
        every = list(launches)
        return QueuedCalls(enqueue=lambda: self.enqueue(every), wait=self.wait, call=lambda: self.call(every))

    def latency_ns(self, launches: Sequence[Launch]) -> float:
        """Give what a call takes on an idle device."""
        self.wait()
        begin = self.now
        self.call(launches)
        return self.now - begin
