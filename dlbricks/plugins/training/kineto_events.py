"""Collects the spans and lanes of traces in Chrome's JSON from batches of events.

Levels: APPLICATION for steps and ranges, LAYER for operators, LIBRARY for calls of runtime and driver, KERNEL for work
on a device. A begin and an end event, in any order, form one span. Invalid events are counted.
"""

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import NamedTuple

import msgspec
import numpy as np

from dlbricks.plugins.training.chrome_json import NO_ARGUMENTS, Arguments, ChromeEvent
from dlbricks.plugins.training.kineto_fields import (
    CATEGORIES,
    COLLECTIVE,
    FORWARD_BACKWARD,
    LEFT_OUT,
    RANGE,
    AttributeCollector,
    Meaning,
    meaning_of,
    number,
)
from dlbricks.trace import kinds
from dlbricks.trace.build import with_values
from dlbricks.trace.types import NONE, Lane, Level, Trace, Value

# 142 years; larger times are invalid and would not fit into 64 bits as ns.
_LARGEST_US = 1 << 52
# As decimals, since converting an integer takes longer than comparing it.
_SMALLEST_DECIMAL, _LARGEST_DECIMAL, _THOUSAND = Decimal(-_LARGEST_US), Decimal(_LARGEST_US), Decimal(1000)

# Names of processes that stand for a device in traces of Ascend's profiler and of XLA.
_DEVICE_LABEL = re.compile(r"Ascend Hardware|HCCL\b|NPU\b|/device:(GPU|TPU|XPU|CUSTOM)\b", re.IGNORECASE)
# Unknown categories that a note of one line lists: files may have any number.
_MOST_NAMED = 20
_ARROWS = frozenset({"s", "t", "f"})
# Open spans that are compared with the name of an end: files may open any number, and time grows with the product.
_MOST_SEARCHED = 100

Place = tuple[str, str, str]
"""Kind of a lane, its process or device, and its thread or stream."""


class Memory(NamedTuple):
    """An allocation of memory, or a release (with negative bytes)."""

    thread: int
    """Thread, a key of ``SpanCollector.lane_of_thread``."""
    at_ns: int
    bytes: int
    total: int | None
    """Bytes in use afterwards; None if unknown."""
    on_device: bool


@dataclass(slots=True)
class _Batch:
    """Spans of one meaning, whose arguments are not processed yet."""

    number: int
    """Index of the meaning."""
    rows: list[int] = field(default_factory=list)
    arguments: list[Arguments] = field(default_factory=list)


@dataclass(slots=True)
class _SpanSort:
    """Properties of the spans of one category and name."""

    meaning: Meaning | None
    """None for events that are not spans."""
    name: int = NONE
    """Index of the name, set with the first span."""
    batch: _Batch | None = None
    """Batch of the meaning, set with the first span."""


COLUMNS = ("meaning", "name", "lane", "start_ns", "end_ns", "correlation")
"""Columns of ``SpanCollector.spans``."""


def _is_possible(start_us: int | Decimal, length_us: int | Decimal = 0) -> bool:
    """Return whether the start of a span (since 1970) and its length are less than 142 years."""
    try:
        return _SMALLEST_DECIMAL < start_us < _LARGEST_DECIMAL and _SMALLEST_DECIMAL < length_us < _LARGEST_DECIMAL
    except InvalidOperation:  # NaN
        return False


@dataclass(slots=True)
class SpanCollector:
    """Collects the spans of a trace file, and their lanes, attributes and memory."""

    rank: int | None = None
    """Rank of the process in a distributed run; None if unknown."""
    kineto: bool = False
    """Whether PyTorch's profiler wrote the file."""
    spans: "array[int]" = field(default_factory=lambda: array("q"))
    """Rows of ``COLUMNS``; meanings, names and lanes are indices into the lists below."""
    events: int = 0
    """Number of events."""
    names: dict[str, int] = field(default_factory=dict)
    fields: AttributeCollector = field(default_factory=AttributeCollector)
    memory: list[Memory] = field(default_factory=list)
    arrows: list[tuple[int, int, int]] = field(default_factory=list)
    """Ends of arrows from forward to backward operators: number of the arrow, thread, and time in ns."""
    wrong: Counter[str] = field(default_factory=Counter)
    """Number of errors, by description."""
    notes: list[str] = field(default_factory=list)
    _places: dict[Place, int] = field(default_factory=dict)
    _lane_of: dict[tuple[object, ...], int] = field(default_factory=dict)
    _batches: dict[Meaning, _Batch] = field(default_factory=dict)
    _taken: int = 0
    _new: list[int] = field(default_factory=list)
    """Rows of ``COLUMNS`` from the present batch."""
    _threads: dict[tuple[str, str], int] = field(default_factory=dict)
    _thread_of: dict[tuple[object, object], int] = field(default_factory=dict)
    _labels: dict[tuple[str, str], str] = field(default_factory=dict)
    _sorts: dict[tuple[str | None, str], _SpanSort] = field(default_factory=dict)
    _halves: dict[tuple[str, str], list[ChromeEvent]] = field(default_factory=dict)
    """Begin and end events of each thread."""
    _unknown: set[str] = field(default_factory=set)

    def take(self, events: Sequence[ChromeEvent]) -> None:
        """Process a batch of events."""
        self.events += len(events)
        for event in events:
            if event.ph == "X":
                self._span(event, event.dur)
            else:
                self._other(event, event.ph)
        self._take_fields()

    def _take_fields(self) -> None:
        self.spans.extend(array("q", self._new))
        self._new.clear()
        for meaning, batch in self._batches.items():
            if batch.rows:
                self.fields.take(meaning, batch.rows, batch.arguments)
                batch.rows, batch.arguments = [], []

    def _other(self, event: ChromeEvent, phase: str) -> None:
        if phase in _ARROWS and (event.cat or "").lower() not in FORWARD_BACKWARD:
            return
        if event.ts is not None and not _is_possible(event.ts):
            event = msgspec.structs.replace(event, ts=None)
        if phase in _ARROWS:
            self._arrow(event)
        elif phase in {"i", "I", "R"}:
            self._instant(event)
        elif phase == "M":
            self._label(event)
        elif phase in {"B", "E"}:
            self._halves.setdefault((str(event.pid), str(event.tid)), []).append(event)
        else:
            letter = phase if len(phase) == 1 else "none" if not phase else "unknown"
            self.wrong[f"events of phase {letter} are not read and were left out"] += 1

    def finish(self) -> None:
        """Pair begin and end events, end open spans with the trace, and add a note on unknown categories."""
        if self.kineto and self._unknown:
            named = sorted(self._unknown)[:_MOST_NAMED]
            more = [f"{count:,} more"] if (count := len(self._unknown) - len(named)) else []
            self.notes.append(f"spans of unknown categories are read as ranges: {', '.join((*named, *more))}")
        left = [event for events in self._halves.values() for event in self._paired(events)]
        if not left:
            return
        ends = self.spans[COLUMNS.index("end_ns") :: len(COLUMNS)]
        last = max((*ends, *(int((event.ts or 0) * 1000) for event in left)), default=0)
        for event in left:
            self._span(event, Decimal(last) / 1000 - (event.ts or 0))
        self.wrong["spans have no end; they end with the trace"] += len(left)
        self._take_fields()

    def meanings(self) -> tuple[Meaning, ...]:
        """Return the meanings of spans, in order of first use."""
        return tuple(self._batches)

    def lanes(self) -> tuple[Lane, ...]:
        """Return all lanes. Processes are named by rank or number, and threads as in the file."""
        spans = np.array(self.spans, np.int64).reshape(-1, len(COLUMNS))
        busy = np.bincount(spans[:, COLUMNS.index("lane")], minlength=len(self._places)).tolist()
        hosts: Counter[str] = Counter()
        for (where, process, _), index in self._places.items():
            if where == "thread" and not self._device_of(process):
                hosts[process] += busy[index]
        first = hosts.most_common(1)[0][0] if hosts else None
        return tuple(self._lane(place, first) for place in self._places)

    def lane_of_thread(self) -> dict[int, int]:
        """Return the lane of each thread that has memory records or arrows, as an index into ``lanes``."""
        return {
            number_: self._places["thread", process, thread]
            for (process, thread), number_ in self._threads.items()
            if ("thread", process, thread) in self._places
        }

    def _lane(self, place: Place, first: str | None) -> Lane:
        where, process, thread = place
        if where == "thread":
            label = self._labels.get((process, thread), "").strip()
            name = f"{label} ({thread})" if label and thread not in label else label or f"thread {thread}"
            return Lane(process=self._process(process, first), name=name, device=self._device_of(process))
        if where == "profiler":
            return Lane(process=self._process(first, first), name="profiler")
        name = f"stream {thread}{'' if where == 'stream' else f' {where}'}" if thread else "device waits"
        return Lane(process=self._process(first, first), name=name, device=f"gpu {process}")

    def _device_of(self, process: str) -> str:
        """Return the label of a process whose threads are queues of a device; empty for other processes."""
        label = self._labels.get((process, ""), "").strip()
        return label if _DEVICE_LABEL.match(label) else ""

    def _process(self, process: str | None, first: str | None) -> str:
        label = "" if self.kineto else self._labels.get((process or "", ""), "")
        own = f"{label} {process}" if label and process and process not in label else label or process or "unknown"
        if self.rank is None:
            return own
        return f"rank {self.rank}" if process == first else f"rank {self.rank}, process {own}"

    def _span(self, event: ChromeEvent, dur: int | Decimal | None) -> None:
        name, category, pid = event.name, event.cat, event.pid
        if not isinstance(name, str):
            name = str(name)
        sort = self._sorts.get((category, name)) or self._new_sort(category, name)
        arguments = event.args or NO_ARGUMENTS
        meaning, ts = sort.meaning, event.ts
        if meaning is None:
            return
        if type(ts) is type(dur) is int and -_LARGEST_US < ts < _LARGEST_US and -_LARGEST_US < dur < _LARGEST_US:
            start, end = ts * 1000, (ts + dur) * 1000
        elif ts is not None and dur is not None and _is_possible(ts, dur):
            start, end = int(ts * _THOUSAND), int((ts + dur) * _THOUSAND)
        elif ts is not None and dur is None and _is_possible(ts):
            self.wrong["spans have no duration; it is taken as 0"] += 1
            start = end = int(ts * 1000)
        else:
            self.wrong["spans have no time, or an impossible one, and were left out"] += 1
            return
        batch = sort.batch
        if arguments.collective is not None and meaning.kind == kinds.KERNEL:
            batch = self._batch_of(COLLECTIVE)
        elif batch is None:
            batch = sort.batch = self._batch_of(meaning)
        if sort.name == NONE:
            sort.name = self.names.setdefault(name, len(self.names))
        lane = self._lane_of.get((pid, event.tid)) if meaning.place == "thread" else None
        if lane is None:
            lane = self._lane_number(meaning.place, event, arguments)
        batch.rows.append(self._taken)
        batch.arguments.append(arguments)
        correlation = None if arguments.correlation is None else number(arguments.correlation)
        self._taken += 1
        self._new += (batch.number, sort.name, lane, start, end, NONE if correlation is None else correlation)

    def _batch_of(self, meaning: Meaning) -> _Batch:
        return self._batches.setdefault(meaning, _Batch(len(self._batches)))

    def _new_sort(self, category: str | None, name: str) -> _SpanSort:
        """Return the properties of the spans of a category and name."""
        lower, meaning = (category or "").lower(), None
        by_category = CATEGORIES.get(lower)
        self.kineto = self.kineto or by_category is not None
        if lower not in LEFT_OUT:
            meaning = meaning_of(name, by_category)
            if meaning is None:
                meaning = RANGE
                self._unknown |= {category} if category else set()
        return self._sorts.setdefault((category, name), _SpanSort(meaning))

    def _lane_number(self, where: str, event: ChromeEvent, arguments: Arguments) -> int:
        key: tuple[object, ...] = (event.pid, event.tid)
        if where != "thread":
            key = (where, *key, arguments.device, arguments.in_device, arguments.stream)
        try:
            lane = self._lane_of.get(key)
        except TypeError:  # a list or an object, which no profiler writes for a number
            key = (where, str(key))
            lane = self._lane_of.get(key)
        if lane is None:
            place = _place(where, event, arguments)
            lane = self._lane_of[key] = self._places.setdefault(place, len(self._places))
        return lane

    def _thread(self, event: ChromeEvent) -> int:
        key = (event.pid, event.tid)
        thread = self._thread_of.get(key)
        if thread is None:
            named = (str(event.pid), str(event.tid))
            thread = self._thread_of[key] = self._threads.setdefault(named, len(self._threads))
        return thread

    def _arrow(self, event: ChromeEvent) -> None:
        arrow = number(event.id)
        if arrow is not None and event.ts is not None:
            self.arrows.append((arrow, self._thread(event), int(event.ts * 1000)))

    def _instant(self, event: ChromeEvent) -> None:
        arguments = event.args or NO_ARGUMENTS
        size, total = arguments.memory_bytes, number(arguments.memory_total)
        if event.name == "[memory]" and event.ts is not None and isinstance(size, int):
            on_device = arguments.memory_device not in (0, None)
            self.memory.append(Memory(self._thread(event), int(event.ts * 1000), size, total, on_device))

    def _label(self, event: ChromeEvent) -> None:
        name = event.args.name if event.args else None
        if isinstance(name, str) and event.name in {"thread_name", "process_name"}:
            self._labels[str(event.pid), str(event.tid) if event.name == "thread_name" else ""] = name

    def _paired(self, events: Sequence[ChromeEvent]) -> list[ChromeEvent]:
        """Create spans from a thread's begin and end events; return the begin events that have no end event."""
        timed = [(event.ts, event) for event in events if event.ts is not None]
        if len(timed) < len(events):
            self.wrong["spans have no time, or an impossible one, and were left out"] += len(events) - len(timed)
        stack: list[ChromeEvent] = []
        for ts, event in sorted(timed, key=lambda pair: pair[0]):
            if event.ph == "B":
                stack.append(event)
            elif stack:
                # an end may name its span; otherwise it is that of the last begin
                near = range(len(stack) - 1, max(-1, len(stack) - 1 - _MOST_SEARCHED), -1)
                begun = stack.pop(next((at for at in near if stack[at].name == event.name), -1))
                self._span(begun, ts - (begun.ts or 0))
            else:
                self.wrong["end events have no begin event and were left out"] += 1
        self._take_fields()
        return stack


def _place(where: str, event: ChromeEvent, arguments: Arguments) -> Place:
    """Return the lane of a span."""
    if where == "thread":
        return where, str(event.pid), str(event.tid)
    if where == "profiler":
        return where, "", ""
    devices = (arguments.device, arguments.in_device)
    device = next((device for device in devices if number(device) is not None), event.pid)
    stream = arguments.stream if arguments.stream is not None else str(event.tid).removeprefix("stream ")
    stream_number = number(stream)
    return where, str(device), str(stream) if stream_number is not None or where != "waits" else ""


def with_memory(trace: Trace, records: Sequence[Memory], lanes: Mapping[int, int]) -> Trace:
    """Add to each layer the memory that its thread allocated and kept, and the memory in use at the layer's end.

    Host memory is ignored if there is device memory. A record at the end of a layer belongs to the next layer. Records
    of threads without a lane are ignored.
    """
    on_device = any(record.on_device for record in records)
    by_lane: dict[int, list[Memory]] = defaultdict(list)
    for record in records:
        if record.on_device == on_device and record.thread in lanes:
            by_lane[lanes[record.thread]].append(record)
    allocated: dict[int, Value] = {}
    used: dict[int, Value] = {}
    layers = trace.rows(Level.LAYER)
    for lane, mine in by_lane.items():
        mine.sort(key=lambda record: record.at_ns)
        at = np.array([record.at_ns for record in mine], np.int64)
        sums = np.concatenate(([0], np.cumsum([record.bytes for record in mine]))).astype(np.int64)
        here = layers[trace.lane[layers] == lane]
        first, last = (np.searchsorted(at, times[here], "left") for times in (trace.start_ns, trace.end_ns))
        allocated.update(zip(here.tolist(), (sums[last] - sums[first]).tolist(), strict=True))
        for row, behind in zip(here.tolist(), last.tolist(), strict=True):
            if behind and (total := mine[behind - 1].total) is not None:
                used[row] = total
    return with_values(with_values(trace, "allocated_bytes", allocated), "memory_bytes", used)
