"""Figures of a PyTorch trace computed straight from its JSON, in plain loops that share nothing with the package."""

import bisect
import gzip
import json
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

DEVICE = {"Kernel", "Memcpy", "Memset", "kernel", "gpu_memcpy", "gpu_memset"}
COPIES = {"Memcpy", "Memset", "gpu_memcpy", "gpu_memset"}
CALLS = {"Runtime", "cuda_runtime", "cuda_driver"}
OPERATORS = {"Operator", "cpu_op"}


def ns(microseconds: Any) -> int:
    """Give a time of the file in ns."""
    return int(Decimal(microseconds) * 1000)


@dataclass(slots=True)
class ByHand:
    """The complete events of a file, sorted into what they are."""

    events: list[dict[str, Any]]
    total: int
    """Events of every phase."""

    @classmethod
    def read(cls, path: Path) -> "ByHand":
        """Read a file; decimals stay exact."""
        text = gzip.decompress(path.read_bytes()).decode(errors="replace")
        events = json.loads(text, strict=False, parse_float=Decimal)["traceEvents"]
        return cls([event for event in events if event.get("ph") == "X"], len(events))

    def of(self, categories: Iterable[str]) -> list[dict[str, Any]]:
        """Give the events of some categories, without steps and loaders, which 2021 called operators."""
        chosen = set(categories)
        return [
            event
            for event in self.events
            if event.get("cat") in chosen and not event["name"].startswith(("ProfilerStep", "enumerate(DataLoader)"))
        ]

    def steps(self) -> list[tuple[int, int]]:
        """Give begin and end of every step on the host; else from update to update of weights; else of everything."""
        marked = self._begin_and_end("ProfilerStep")
        if marked:
            return marked
        hosts = self.of(CALLS | OPERATORS | {"user_annotation"})
        first = min(ns(event["ts"]) for event in hosts)
        updates = sorted(end for _, end in self._begin_and_end("Optimizer.step#"))
        if updates:
            return list(zip([first, *updates], updates, strict=False))
        return [(first, max(ns(event["ts"]) + ns(event["dur"]) for event in self.of(hosts_and_devices())))]

    def _begin_and_end(self, prefix: str) -> list[tuple[int, int]]:
        return sorted(
            (ns(event["ts"]), ns(event["ts"]) + ns(event["dur"]))
            for event in self.events
            if event["name"].startswith(prefix) and event.get("cat") in {"Operator", "user_annotation"}
        )

    def launches(self) -> dict[int, dict[str, Any]]:
        """Give the outermost call of each correlation number."""
        found: dict[int, dict[str, Any]] = {}
        for event in sorted(self.of(CALLS), key=lambda event: (ns(event["ts"]), -ns(event["dur"]))):
            found.setdefault(event["args"]["correlation"], event)
        return found


def hosts_and_devices() -> set[str]:
    """Give every category whose spans count for how long a trace is."""
    return CALLS | OPERATORS | DEVICE | {"user_annotation", "cuda_sync"}


def union_ns(intervals: Iterable[tuple[int, int]]) -> int:
    """Give the time that any of some intervals covers."""
    total, until = 0, None
    for begin, end in sorted(intervals):
        if until is None or begin > until:
            total, until = total + end - begin, end
        elif end > until:
            total, until = total + end - until, end
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """One event of a device with what asked for it."""

    name: str
    copies: bool
    begin: int
    end: int
    step: int | None
    layer: tuple[str, int] | None
    """Outermost operator around the launch: name, and which of that name it is in its step."""
    within: tuple[int, int]
    """Begin and end of that operator."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One operator that lies in no other."""

    name: str
    place: int
    """In the file."""
    thread: str
    begin: int
    end: int


def outermost(operators: Sequence[dict[str, Any]], slack_ns: int) -> dict[str, list[Layer]]:
    """Give the operators of each thread that lie in no other one, by start.

    One that ends after another by no more than the slack lies in it; one of no length at an edge of another does not.
    """
    threads: dict[str, list[Layer]] = defaultdict(list)
    for place, event in enumerate(operators):
        begin, thread = ns(event["ts"]), str(event["tid"])
        end = begin + ns(event["dur"])
        threads[thread].append(Layer(name=event["name"], place=place, thread=thread, begin=begin, end=end))
    for thread, mine in threads.items():
        kept: list[Layer] = []
        first = until = -1
        for one in sorted(mine, key=lambda one: (one.begin, -one.end)):
            inside = one.begin < until and one.end <= until + slack_ns
            if inside and not one.begin == one.end == first:
                continue
            kept.append(one)
            if not inside:
                first, until = one.begin, one.end
        threads[thread] = kept
    return threads


def executions(data: ByHand, slack_ns: int) -> tuple[list[Execution], dict[tuple[str, int], list[int]]]:
    """Give all events of devices with their step (by the launch) and layer, and the steps of each layer."""
    steps, launches = data.steps(), data.launches()
    layers = outermost(data.of(OPERATORS), slack_ns)
    number: dict[Layer, tuple[str, int]] = {}
    steps_of: dict[tuple[str, int], list[int]] = defaultdict(list)
    seen: dict[tuple[int | None, str], int] = defaultdict(int)
    for layer in sorted((one for mine in layers.values() for one in mine), key=lambda one: (one.begin, one.place)):
        step = _step(steps, layer.begin)
        number[layer] = layer.name, seen[step, layer.name]
        seen[step, layer.name] += 1
        if step is not None:
            steps_of[number[layer]].append(step)
    made = []
    known = [
        (ns(event["ts"]), ns(launch["ts"]), event["tid"], event["pid"])
        for event in data.of(DEVICE)
        if (launch := launches.get(event["args"].get("correlation"))) is not None
    ]
    for event in data.of(DEVICE):
        begin = ns(event["ts"])
        launch = launches.get(event["args"].get("correlation"))
        asked, around = begin, None
        if launch is None:
            asked = _assumed([one for one in known if one[3] == event["pid"]], event["tid"], begin, steps)
        else:
            asked = ns(launch["ts"])
            around = _around(layers.get(str(launch["tid"]), []), asked, asked + ns(launch["dur"]), slack_ns)
        made.append(
            Execution(
                name=event["name"],
                copies=event["cat"] in COPIES,
                begin=begin,
                end=begin + ns(event["dur"]),
                step=_step(steps, asked if around is None else around.begin),
                layer=None if around is None else number[around],
                within=(0, 0) if around is None else (around.begin, around.end),
            )
        )
    return made, steps_of


def _assumed(known: list[tuple[int, int, Any, Any]], tid: Any, begin: int, steps: list[tuple[int, int]]) -> int:
    # when an event without a recorded launch was launched: behind what was launched before it, before all else at -1
    own = sorted((start, asked) for start, asked, stream, _ in known if stream == tid)
    before = [asked for start, asked in own if start <= begin]
    if before or not known:
        return before[-1] if before else begin
    if own and (len(steps) < 2 or own[0][1] < steps[1][0]):
        return -1
    return max(((start, asked) for start, asked, _, _ in known if start <= begin), default=(0, -1))[1]


def _around(layers: list[Layer], begin: int, end: int, slack: int) -> Layer | None:
    at = bisect.bisect_right(layers, begin, key=lambda one: one.begin)
    while at:
        at -= 1
        if layers[at].end > layers[at].begin:
            return layers[at] if end <= layers[at].end + slack else None
    return None


def _step(steps: list[tuple[int, int]], time: int) -> int | None:
    last = None
    for index, (begin, end) in enumerate(steps):
        if begin <= time <= end:
            last = index
    return last


def by_step(found: Iterable[Execution]) -> dict[int, list[Execution]]:
    """Group executions by step, those outside all steps left out."""
    made: dict[int, list[Execution]] = defaultdict(list)
    for one in found:
        if one.step is not None:
            made[one.step].append(one)
    return made


def median(values: Iterable[float]) -> float:
    """Give the median."""
    return statistics.median(list(values))
