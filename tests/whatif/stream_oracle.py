"""A machine of threads, streams and events that runs event by event, and writes what Kineto would have recorded."""

import heapq
import json
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

STREAMS = (7, 9, 11)
# kernels begin and end where calls do, at multiples of 10 us: a call that no longer waits returns at the same digit
CALL_US, LATENCY_US, RETURN_US = 3, 10, 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a host thread."""

    what: str
    """``launch``, ``record``, ``wait``; ``stream``, ``event``, ``device`` to synchronise with."""
    thread: int
    pause_us: int
    """Since the thread's call before."""
    stream: int = 0
    long_us: int = 0
    event: int = -1
    """Number of the call that records it."""


@st.composite
def programs(draw: st.DrawFn) -> list[Call]:
    """Draw calls; if two threads make them, none waits for the device before the end."""
    threads = draw(st.integers(1, 2))
    kinds = ["launch", "launch", "record", "wait", *(["stream", "event"] if threads == 1 else [])]
    calls: list[Call] = []
    recorded: list[int] = []
    behind_waits: set[int] = set()
    for place in range(draw(st.integers(2, 25))):
        what, stream = draw(st.sampled_from(kinds)), draw(st.sampled_from(STREAMS))
        # no call waits for a stream that itself only waits: what-if does not follow those
        held = {call.stream: call.what == "wait" for call in calls if call.what in {"launch", "wait"}}
        plain = [number for number in recorded if what == "wait" or number not in behind_waits]
        busy = {call.stream for call in calls if call.what == "launch" and not held[call.stream]}
        misses = not plain if what in {"wait", "event"} else what == "stream" and stream not in busy
        if misses or not place:
            what = "launch"
        if what == "record":
            recorded.append(place)
            behind_waits |= {place} if held.get(stream, False) else set()
        calls.append(
            Call(
                what=what, thread=draw(st.integers(0, threads - 1)), pause_us=10 * draw(st.integers(1, 8)),
                stream=stream, long_us=20 * draw(st.integers(1, 40)),
                event=draw(st.sampled_from(plain)) if what in {"wait", "event"} else -1,
            )
        )  # fmt: skip
    return calls


@dataclass(slots=True)
class Machine:
    """Runs a program: threads make calls, each stream works on what was put into its queue, in order."""

    calls: list[Call]
    factors: dict[int, float] = field(default_factory=dict)
    """By which the kernels of some calls take longer."""
    begins: dict[int, int] = field(default_factory=dict)
    ends: dict[int, int] = field(default_factory=dict)
    """Of the calls."""
    kernels: dict[int, tuple[int, int]] = field(default_factory=dict)
    done: dict[int, int] = field(default_factory=dict)
    """When what was put into a queue was complete."""
    awaited: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """What each waiting call, or its stream, waits for: the calls that put it into a queue."""
    queues: dict[int, deque[int]] = field(default_factory=lambda: {stream: deque() for stream in STREAMS})
    free_us: dict[int, int] = field(default_factory=lambda: dict.fromkeys(STREAMS, 0))
    agenda: list[tuple[int, int, int]] = field(default_factory=list)
    """Who goes on at which time: streams (0) ahead of threads (1)."""
    end_us: int = 0

    def run(self) -> "Machine":
        """Run all calls, and a call that waits for the device at the end."""
        self.calls = [*self.calls, Call(what="device", thread=0, pause_us=10)]
        left = {thread: deque(n for n, call in enumerate(self.calls) if call.thread == thread) for thread in (0, 1)}
        for thread, numbers in left.items():
            if numbers:
                heapq.heappush(self.agenda, (self.calls[numbers[0]].pause_us + 5 * thread, 1, thread))
        while self.agenda:
            now, is_thread, who = heapq.heappop(self.agenda)
            if not is_thread:
                self._work(who, now)
            elif left[who][0] == len(self.calls) - 1 and left[1]:
                heapq.heappush(self.agenda, (now + 10, 1, who))
            elif not self._call(left[who][0], now):
                self._again(now, 1, who)
            else:
                ended = self.ends[left[who].popleft()] - 5 * who
                if left[who]:
                    pause = self.calls[left[who][0]].pause_us + 5 * who
                    heapq.heappush(self.agenda, (-(-ended // 10) * 10 + pause, 1, who))
        self.end_us = max(self.ends.values()) + 1
        return self

    def _again(self, now: int, is_thread: int, who: int) -> None:
        # when something else happens
        heapq.heappush(self.agenda, (max(now + 1, self.agenda[0][0] if self.agenda else 0), is_thread, who))

    def _call(self, number: int, now: int) -> bool:
        # make a call, or go on with it; return whether it has ended
        call = self.calls[number]
        if number not in self.begins:
            self.begins[number] = now
            event = (call.event,) if call.event in self.begins else ()
            streams = {"stream": (call.stream,), "device": STREAMS}.get(call.what, ())
            queued = (one for stream in streams for one in (*self.queues[stream], *self._running(stream, now)))
            self.awaited[number] = (*event, *queued)
        if call.what in {"launch", "record", "wait"}:
            self.queues[call.stream].append(number)
            heapq.heappush(self.agenda, (now + (LATENCY_US if call.what == "launch" else 0), 0, call.stream))
            self.ends[number] = now + CALL_US
        elif all(self.done.get(one, now + 1) <= now for one in self.awaited[number]):
            self.ends[number] = now + RETURN_US
        return number in self.ends

    def _work(self, stream: int, now: int) -> None:
        # go on with what is at the front of the queue
        queue = self.queues[stream]
        while queue and self.free_us[stream] <= now:
            number, call = queue[0], self.calls[queue[0]]
            if call.what == "launch" and now < self.begins[number] + LATENCY_US:
                return
            if any(self.done.get(one, now + 1) > now for one in self.awaited[number]):
                self._again(now, 0, stream)
                return
            self.done[queue.popleft()] = now
            if call.what == "launch":
                self.done[number] = now + round(call.long_us * self.factors.get(number, 1))
                self.kernels[number] = (now, self.done[number])
                self.free_us[stream] = self.done[number]
                heapq.heappush(self.agenda, (self.done[number], 0, stream))
            else:
                # a stream that looked earlier in this microsecond must not begin one later
                for other in STREAMS:
                    heapq.heappush(self.agenda, (now, 0, other))

    def _running(self, stream: int, now: int) -> list[int]:
        return [n for n, (_, end) in self.kernels.items() if self.calls[n].stream == stream and end > now]

    def write(self, path: Path) -> Path:
        """Write the record as Kineto does, with ``cuda_sync`` events."""
        events = [_event("user_annotation", "ProfilerStep#1", 1, 1, 0, self.end_us)]
        names = {
            "launch": "cudaLaunchKernel", "record": "cudaEventRecord", "wait": "cudaStreamWaitEvent",
            "stream": "cudaStreamSynchronize", "event": "cudaEventSynchronize", "device": "cudaDeviceSynchronize",
        }  # fmt: skip
        kinds = {
            "wait": "Stream Wait Event", "stream": "Stream Sync", "event": "Event Sync", "device": "Context Sync",
        }  # fmt: skip
        for number, call in enumerate(self.calls):
            begin, end, own = self.begins[number], self.ends[number], number + 1
            events.append(
                _event("cuda_runtime", names[call.what], 1, 1 + call.thread, begin, end - begin, correlation=own)
            )
            if call.what == "launch":
                start, stop = self.kernels[number]
                more = {"stream": call.stream, "device": 0, "correlation": own}
                events.append(_event("kernel", f"K{number}", 0, call.stream, start, stop - start, **more))
            elif call.what in kinds:
                stream = call.stream if call.what in {"wait", "stream"} else -1
                more = {"stream": stream, "device": 0, "correlation": own}
                if call.event in self.awaited[number]:
                    more |= {
                        "wait_on_stream": self.calls[call.event].stream,
                        "wait_on_cuda_event_record_corr_id": call.event + 1,
                    }
                events.append(_event("cuda_sync", kinds[call.what], 0, stream, begin + 1, 1, **more))
        path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
        return path


def _event(cat: str, name: str, pid: int, tid: int, ts: int, dur: int, **args: int) -> dict[str, Any]:
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": tid, "ts": ts, "dur": dur, "args": args}
