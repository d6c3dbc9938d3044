"""Reads the profile that onnxruntime writes, which holds calls and the nodes that each call executed.

Nodes in the body of an If, Loop or Scan are children of that node, and its time includes theirs. Names come from the
optimised graph. Constants that were packed at loading are neither inputs nor part of ``parameter_bytes``. On an
accelerator, the time of a node is the time to enqueue its kernels, not to run them.

The format is a list of Chrome trace events, one per line, in whole microseconds, as written by release 1.31.1 and by
releases that sort events by start (``core/common/profiler.cc``, ``core/framework/sequential_executor.cc``).
"""

import itertools
import json
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..errors import HarnessError

NODE, EXECUTION, RUN = "node", "SequentialExecutor::Execute", "model_run"
_RANKS = {RUN: 0, NODE: 1, EXECUTION: 2}
# Kinds of events that an event of a kind can directly contain; a node contains nodes by way of an executor.
_HELD = {RUN: (EXECUTION, NODE), EXECUTION: (NODE,), NODE: (EXECUTION,)}
# Maximum nesting depth of events: two for each body of If, Loop or Scan, and the call. Reading time grows with its
# square.
NESTING_LIMIT = 100
# Unit of times in a profile, to which onnxruntime truncates them.
RESOLUTION_NS = 1_000
# Name of the calling thread's lane in short forms of traces; other threads are ``host 1``, ``host 2`` and so on.
HOST = "host"
# Maximum number of events in a profile; older releases of onnxruntime drop further events silently.
EVENT_LIMIT = 1_000_000
# Suffix of the names of node events.
_NODE_SUFFIX = "_kernel_time"
_SESSION = ("model_loading", "session_initialization", RUN, EXECUTION)
_FENCES = ("_fence_before", "_fence_after")
_CUT = "profile_truncated"
_DTYPES = {"float": "float32", "double": "float64"}
_HEAD_CHARACTERS = 2_000


@dataclass(slots=True, kw_only=True)
class Event:
    """An event of a profile, with times in us."""

    kind: str
    """``RUN``, ``EXECUTION`` or ``NODE``."""
    place: int
    """Position in the file."""
    thread: int
    start: int
    duration: int
    raw: Mapping[str, Any] = field(repr=False)
    within: "Event | None" = None
    """The innermost event that contains this event; None if no event does. ``nest`` sets it."""

    @property
    def end(self) -> int:
        """End of the event, us."""
        return self.start + self.duration

    def above(self, kind: str) -> "Event | None":
        """Return the innermost event of a kind that contains this one; None without one."""
        outer = self.within
        while outer is not None and outer.kind != kind:
            outer = outer.within
        return outer


def inner_first(events: Sequence[Event]) -> bool:
    """Return whether events are in the order of their ends; then an event follows all events that it contains."""
    first = next((event for event in events if event.kind == RUN), None)
    return first is not None and any(
        event.place < first.place and event.start >= first.start and event.thread == first.thread for event in events
    )


def nest(events: list[Event], *, inner_first: bool) -> int:
    """Sort the events of one thread and set ``within``; return how many events partly overlap another one."""
    events.sort(key=lambda event: (event.start, -event.duration, -event.place if inner_first else _RANKS[event.kind]))
    crossing = 0
    stack: list[Event] = []
    for event in events:
        while stack and not _holds(stack[-1], event):
            crossing += event.start < stack[-1].end and event.end > stack[-1].end + 1
            stack.pop()
        event.within = stack[-1] if stack else None
        stack.append(event)
        if len(stack) > NESTING_LIMIT:
            raise ValueError(f"events are nested more than {NESTING_LIMIT} levels deep")
    return crossing


def _holds(outer: Event, inner: Event) -> bool:
    # Since times are truncated, an inner event may start at the end of the outer one, and end 1 us after it. The event
    # after the outer one does not, since the runtime takes more than 1 us to record an event.
    return inner.kind in _HELD[outer.kind] and inner.start <= outer.end and inner.end <= outer.end + 1


def by_run(runs: Sequence[Event], events: Iterable[Event]) -> tuple[dict[int, list[Event]], int]:
    """Map the ``id()`` of each call's event to the call's nodes; also return the number of nodes outside all calls."""
    # A parallel executor runs nodes on threads that make no calls; such a node belongs to the first running call.
    nodes_of: dict[int, list[Event]] = {id(run): [] for run in runs}
    callers = {run.thread for run in runs}
    starts = [run.start for run in runs]
    latest = list(itertools.accumulate((run.end for run in runs), max))  # latest end of this run and all before it
    lost = 0
    for event in events:
        if event.kind != NODE:
            continue
        run = event.above(RUN)
        if run is None and event.thread not in callers:
            first = bisect_left(latest, event.end - 1)
            run = runs[first] if first < bisect_right(starts, event.start) else None
        if run is None:
            lost += 1
        else:
            nodes_of[id(run)].append(event)
    return nodes_of, lost


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutedNode:
    """An execution of a node; bytes are None if the runtime did not report them."""

    name: str
    operator: str
    provider: str
    """Short name of the execution provider, as in ``cpu``."""
    thread: int
    start_ns: int
    """Start, ns since the start of the profile."""
    duration_ns: int
    parent: int | None
    """Index, within the call, of the If, Loop or Scan node in whose body this node ran; None outside of bodies."""
    inputs: tuple[str, ...]
    """Types and shapes of inputs, as in ``float32[1,64]``, without omitted inputs and rearranged constants."""
    outputs: tuple[str, ...]
    parameter_bytes: int | None
    """Size of the node's constants, bytes, without those that the runtime rearranged at loading."""
    activation_bytes: int | None
    """Size of the node's inputs other than constants, bytes."""
    output_bytes: int | None
    in_use_bytes: int | None
    """Bytes that the provider's allocator has in use after the node."""
    allocated_bytes: int | None
    """Increase of the bytes in use during the node."""
    peak_bytes: int | None
    """Most bytes in use since the session was opened."""
    wait_ns: int | None
    """Time that the calling thread waited for its thread pool, ns; None without a pool."""

    @property
    def end_ns(self) -> int:
        """End, ns since the start of the profile."""
        return self.start_ns + self.duration_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfiledCall:
    """A call of the network."""

    thread: int
    start_ns: int
    """Start, ns since the start of the profile."""
    duration_ns: int
    nodes: tuple[ExecutedNode, ...]
    """Nodes in the order of their starts; a node precedes the nodes in its body."""

    @property
    def end_ns(self) -> int:
        """End, ns since the start of the profile."""
        return self.start_ns + self.duration_ns

    @property
    def layers(self) -> tuple[ExecutedNode, ...]:
        """The nodes outside of bodies; the sum of their times counts no time twice."""
        return tuple(node for node in self.nodes if node.parent is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerProfile:
    """The calls in a profile."""

    process: int
    calls: tuple[ProfiledCall, ...]
    """Complete calls in the order of their starts."""
    notes: tuple[str, ...]
    """Sentences about missing parts; empty for a complete profile."""
    diagnostics: tuple[str, ...] = ()
    """Sentences about events that are not read, which help if a figure is in doubt."""


def is_layer_profile(head: str) -> bool:
    """Return whether a file that begins with ``head`` is a profile of onnxruntime."""
    begin = head[:_HEAD_CHARACTERS]
    return begin.lstrip().startswith("[") and '"cat"' in begin and any(f'"{name}' in begin for name in _SESSION)


def load_profile(path: Path) -> LayerProfile:
    """Read a profile from a file; raises what ``profile_of`` raises."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise HarnessError(f"cannot read {path}: {error.strerror or error}") from error
    return profile_of(text, path)


def profile_of(text: str, path: Path) -> LayerProfile:
    """Read a profile from its text; truncated and dropped records become notes, unknown ones become diagnostics.

    Raises ``HarnessError`` if the text is not a profile of onnxruntime, or holds invalid values.
    """
    if not is_layer_profile(text):
        raise HarnessError(f"{path} is not a profile of onnxruntime: pass a file that a session with profiling wrote")
    events, unreadable = parse_events(text)
    notes = [f"lines of the profile that are not JSON are left out: {unreadable}"] if unreadable else []
    whole = text.rstrip()
    if not whole.endswith("]") or (unreadable and whole.rpartition("\n")[2].strip() != "]"):
        notes.append("the profile is truncated: later events are missing")
    try:
        return read_profile(events, notes)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise HarnessError(f"{path} is damaged ({error}): profile again") from error


def parse_events(text: str) -> tuple[list[Mapping[str, Any]], int]:
    """Parse the text of a profile; return its events, and the number of unreadable lines."""
    # If the file is truncated, or a line is not JSON, the other lines are read.
    try:
        parsed, unreadable = json.loads(text), 0
    except (ValueError, RecursionError):
        lines = (line.strip().rstrip(",") for line in text.splitlines())
        events = [_event_of(line) for line in lines if line not in {"", "[", "]"}]
        parsed, unreadable = events, events.count(None)
    return [event for event in parsed if isinstance(event, dict)], unreadable


def _event_of(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def read_profile(events: Iterable[Mapping[str, Any]], notes: Iterable[str] = ()) -> LayerProfile:
    """Assemble calls and nodes from the events of a file, which are in the order of their ends or of their starts."""
    listed = list(events)
    relevant, unknown = _relevant(listed)
    by_thread: dict[int, list[Event]] = defaultdict(list)
    for event in relevant:
        by_thread[event.thread].append(event)
    ended_first = inner_first(relevant)
    crossing = sum(nest(same, inner_first=ended_first) for same in by_thread.values())
    runs = sorted((event for event in relevant if event.kind == RUN), key=lambda run: run.start)
    nodes_of, lost = by_run(runs, itertools.chain.from_iterable(by_thread.values()))
    crossed = f"events that partly overlap others of their thread may be nested wrongly: {crossing}"
    unread = f"events of unknown kinds ({', '.join(sorted(unknown))}) are left out: {unknown.total()}"
    return LayerProfile(
        process=relevant[0].raw.get("pid", 0) if relevant else 0,
        calls=tuple(_call(run, nodes_of[id(run)]) for run in runs),
        notes=(*notes, *_cut_notes(listed, lost), *([crossed] if crossing else ())),
        diagnostics=(unread,) if unknown else (),
    )


def _relevant(events: Sequence[Mapping[str, Any]]) -> tuple[list[Event], Counter[str]]:
    # Return the events of calls, executors and nodes, and the number of other events by category
    relevant: list[Event] = []
    unknown: Counter[str] = Counter()
    for place, event in enumerate(events):
        name, category = str(event.get("name", "")), str(event.get("cat", ""))
        if category == "Node" and name.endswith(_NODE_SUFFIX):
            kind = NODE
        elif category == "Session" and name in {RUN, EXECUTION}:
            kind = name
        else:
            if category != "Session" and not name.endswith(_FENCES):
                unknown[category or "none"] += 1
            continue
        thread, start, duration = (int(event.get(key, 0)) for key in ("tid", "ts", "dur"))
        relevant.append(Event(kind=kind, place=place, thread=thread, start=start, duration=duration, raw=event))
    return relevant, unknown


def _cut_notes(events: Sequence[Mapping[str, Any]], lost: int) -> Iterator[str]:
    cut = next((event for event in events if event.get("name") == _CUT), None)
    if cut is not None:
        limit, dropped = (cut.get("args", {}).get(key, "?") for key in ("max_num_events", "dropped_event_count"))
        yield f"the profile reached its limit of {limit} events and lacks {dropped}: profile fewer calls"
    elif len(events) >= EVENT_LIMIT:
        yield f"the profile reached its limit of {EVENT_LIMIT} events and lacks later events: profile fewer calls"
    if lost:
        yield f"nodes that belong to no complete call are left out: {lost}"


def _call(run: Event, events: list[Event]) -> ProfiledCall:
    ordered = sorted(events, key=lambda event: event.start)  # stable: a node stays before the nodes in its body
    places = {id(event): place for place, event in enumerate(ordered)}
    return ProfiledCall(
        thread=run.thread,
        start_ns=run.start * RESOLUTION_NS,
        duration_ns=run.duration * RESOLUTION_NS,
        nodes=tuple(_node(event, places) for event in ordered),
    )


def _node(event: Event, places: Mapping[int, int]) -> ExecutedNode:
    arguments = event.raw.get("args") or {}
    above = event.above(NODE)
    statistics = arguments.get("thread_scheduling_stats") or {}
    waited = statistics.get("main_thread", {}).get("Wait") if isinstance(statistics, dict) else None
    return ExecutedNode(
        name=str(event.raw["name"]).removesuffix(_NODE_SUFFIX),
        operator=str(arguments.get("op_name", "")),
        provider=str(arguments.get("provider", "")).removesuffix("ExecutionProvider").lower(),
        thread=event.thread,
        start_ns=event.start * RESOLUTION_NS,
        duration_ns=event.duration * RESOLUTION_NS,
        parent=None if above is None else places[id(above)],
        inputs=_tensors(arguments.get("input_type_shape")),
        outputs=_tensors(arguments.get("output_type_shape")),
        parameter_bytes=_number(arguments.get("parameter_size")),
        activation_bytes=_number(arguments.get("activation_size")),
        output_bytes=_number(arguments.get("output_size")),
        in_use_bytes=_number(arguments.get("mem_bytes_in_use")),
        allocated_bytes=_number(arguments.get("mem_in_use_delta")),
        peak_bytes=_number(arguments.get("mem_in_use_peak")),
        wait_ns=None if waited is None else int(waited) * RESOLUTION_NS,
    )


def _tensors(listed: Any) -> tuple[str, ...]:
    pairs = [pair for tensor in listed or () if isinstance(tensor, dict) for pair in tensor.items()]
    return tuple(f"{_DTYPES.get(dtype, dtype)}[{','.join(map(str, shape))}]" for dtype, shape in pairs)


def _number(value: Any) -> int | None:
    return int(value) if value not in {None, ""} else None
