"""Reads the profile that onnxruntime writes: calls and the nodes that each call executed.

Nodes in bodies of If, Loop and Scan are children of that node, whose time includes theirs. Names are those of the
optimised graph. Constants that were packed at loading are not among a node's inputs or its ``parameter_bytes``. On an
accelerator the time of a node is that of enqueueing its kernels, not of running them.

Format: onnxruntime, ``core/common/profiler.cc`` and ``core/framework/sequential_executor.cc``, as written by 1.31.1,
and by releases that sort events by their start: a list of Chrome trace events, one a line, in whole microseconds.
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
# Kinds that events of a kind can directly contain: nodes contain nodes through an executor.
_HELD = {RUN: (EXECUTION, NODE), EXECUTION: (NODE,), NODE: (EXECUTION,)}
# Most events that contain each other: two for each body of If, Loop or Scan, and the call. Time grows with its square.
NESTING_LIMIT = 100
# Times are truncated to whole microseconds.
RESOLUTION_NS = 1_000
# Lane of the calling thread in short forms; other threads are ``host 1``, ``host 2`` and so on.
HOST = "host"
# Most events in a profile; older releases drop further events silently.
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
    """One event of a profile, in us."""

    kind: str
    """``RUN``, ``EXECUTION`` or ``NODE``."""
    place: int
    """Position in the file."""
    thread: int
    start: int
    duration: int
    raw: Mapping[str, Any] = field(repr=False)
    within: "Event | None" = None
    """The innermost event that contains this one; set by ``nest``."""

    @property
    def end(self) -> int:
        """End, us."""
        return self.start + self.duration

    def above(self, kind: str) -> "Event | None":
        """Return the innermost event of a kind that contains this one."""
        outer = self.within
        while outer is not None and outer.kind != kind:
            outer = outer.within
        return outer


def inner_first(events: Sequence[Event]) -> bool:
    """Whether the file has events in the order of their ends, so that inner events come before outer ones."""
    first = next((event for event in events if event.kind == RUN), None)
    return first is not None and any(
        event.place < first.place and event.start >= first.start and event.thread == first.thread for event in events
    )


def nest(events: list[Event], *, inner_first: bool) -> int:
    """Sort the events of one thread and set ``within``; return how many overlap another one partly."""
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
            raise ValueError(f"events are nested more than {NESTING_LIMIT} deep")
    return crossing


def _holds(outer: Event, inner: Event) -> bool:
    # Times are truncated: an inner event may start at the end of the outer one, and end 1 us after it. The next event
    # does not, since recording an event takes the runtime more than a microsecond.
    return inner.kind in _HELD[outer.kind] and inner.start <= outer.end and inner.end <= outer.end + 1


def by_run(runs: Sequence[Event], events: Iterable[Event]) -> tuple[dict[int, list[Event]], int]:
    """Return the nodes of each call by its ``id``, and the number of nodes without a call."""
    # Nodes of a parallel executor are on threads that make no calls; they belong to the first call that is running.
    nodes_of: dict[int, list[Event]] = {id(run): [] for run in runs}
    callers = {run.thread for run in runs}
    starts = [run.start for run in runs]
    latest = list(itertools.accumulate((run.end for run in runs), max))  # end of the runs up to each
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
    """One execution of one node. Bytes are None if the runtime did not report them."""

    name: str
    operator: str
    provider: str
    """Short name, as in ``cpu``."""
    thread: int
    start_ns: int
    """Since the start of the profile."""
    duration_ns: int
    parent: int | None
    """Index, within the call, of the If, Loop or Scan in whose body it ran; None outside of bodies."""
    inputs: tuple[str, ...]
    """Tensors as in ``float32[1,64]``, without omitted inputs and packed constants."""
    outputs: tuple[str, ...]
    parameter_bytes: int | None
    """Constants that were not packed."""
    activation_bytes: int | None
    """Other inputs."""
    output_bytes: int | None
    in_use_bytes: int | None
    """In use of the provider's allocator after the node."""
    allocated_bytes: int | None
    """Increase of the memory in use."""
    peak_bytes: int | None
    """Largest memory in use since the session was opened."""
    wait_ns: int | None
    """Time that the calling thread waited for its thread pool; None without a pool."""

    @property
    def end_ns(self) -> int:
        """End, since the start of the profile."""
        return self.start_ns + self.duration_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfiledCall:
    """One call of the network."""

    thread: int
    start_ns: int
    """Since the start of the profile."""
    duration_ns: int
    nodes: tuple[ExecutedNode, ...]
    """In the order of their starts, a node before those inside it."""

    @property
    def end_ns(self) -> int:
        """End, since the start of the profile."""
        return self.start_ns + self.duration_ns

    @property
    def layers(self) -> tuple[ExecutedNode, ...]:
        """The nodes outside of bodies; the sum of their times counts nothing twice."""
        return tuple(node for node in self.nodes if node.parent is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerProfile:
    """The content of a profile."""

    process: int
    calls: tuple[ProfiledCall, ...]
    """In the order of their starts, without calls that are incomplete."""
    notes: tuple[str, ...]
    """What is missing, in sentences; empty for a complete profile."""
    diagnostics: tuple[str, ...] = ()
    """Which events are of no use here, of interest only where a figure is in doubt."""


def is_layer_profile(head: str) -> bool:
    """Whether a file with this beginning is a profile of onnxruntime."""
    begin = head[:_HEAD_CHARACTERS]
    return begin.lstrip().startswith("[") and '"cat"' in begin and any(f'"{name}' in begin for name in _SESSION)


def load_profile(path: Path) -> LayerProfile:
    """Read the file of a profile (``profile_of``)."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise HarnessError(f"cannot read {path}: {error.strerror or error}") from error
    return profile_of(text, path)


def profile_of(text: str, path: Path) -> LayerProfile:
    """Read the text of a profile; truncated and dropped records become notes, unknown ones diagnostics.

    Raises ``HarnessError`` if it is not a profile of onnxruntime, or holds invalid values.
    """
    if not is_layer_profile(text):
        raise HarnessError(f"{path} is not a profile of onnxruntime: give the file that a session with profiling wrote")
    events, unreadable = parse_events(text)
    notes = [f"{unreadable} line(s) of the profile are not JSON and were left out"] if unreadable else []
    whole = text.rstrip()
    if not whole.endswith("]") or (unreadable and whole.rpartition("\n")[2].strip() != "]"):
        notes.append("the profile is truncated: later events are missing")
    try:
        return read_profile(events, notes)
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise HarnessError(f"{path} is damaged ({error}): profile again") from error


def parse_events(text: str) -> tuple[list[Mapping[str, Any]], int]:
    """Parse the text of a profile; return its events, and the number of lines that are no event."""
    # Of a file that ends early, or with a line that is not JSON, the other lines are read.
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
    """Assemble calls and nodes from events in the order of the file, which is that of their ends or of their starts."""
    listed = list(events)
    relevant, unknown = _relevant(listed)
    by_thread: dict[int, list[Event]] = defaultdict(list)
    for event in relevant:
        by_thread[event.thread].append(event)
    ended_first = inner_first(relevant)
    crossing = sum(nest(same, inner_first=ended_first) for same in by_thread.values())
    runs = sorted((event for event in relevant if event.kind == RUN), key=lambda run: run.start)
    nodes_of, lost = by_run(runs, itertools.chain.from_iterable(by_thread.values()))
    crossed = f"{crossing} event(s) overlap others of their thread partly: their nesting may be wrong"
    unread = f"{unknown.total()} event(s) of kinds that are not read were left out: {', '.join(sorted(unknown))}"
    return LayerProfile(
        process=relevant[0].raw.get("pid", 0) if relevant else 0,
        calls=tuple(_call(run, nodes_of[id(run)]) for run in runs),
        notes=(*notes, *_cut_notes(listed, lost), *([crossed] if crossing else ())),
        diagnostics=(unread,) if unknown else (),
    )


def _relevant(events: Sequence[Mapping[str, Any]]) -> tuple[list[Event], Counter[str]]:
    # Return the events of calls, executors and nodes, and the number of unknown events by category
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
        yield f"the profile reached its limit of {EVENT_LIMIT} events and lacks what came after: profile fewer calls"
    if lost:
        yield f"{lost} node(s) belong to no complete call and were left out"


def _call(run: Event, events: list[Event]) -> ProfiledCall:
    ordered = sorted(events, key=lambda event: event.start)  # keeps a node before those inside it
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
