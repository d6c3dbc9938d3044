"""One made-up run of training, written as the profilers of several years write it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

HOST, PROCESS, STREAM = 4000, 4000, 7
BASE_NS = 1_711_964_646_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """One span that was written; times in ns since 1970."""

    kind: str
    name: str
    thread: int
    start_ns: int
    end_ns: int
    correlation: int | None = None
    external: int | None = None
    parent: str | None = None
    """Name of the span around it, or of its launch."""
    sequence: tuple[int, int] | None = None
    """Autograd's number and the thread of the forward operator."""
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class _Clock:
    draw: Callable[..., Any]
    unit: int
    now: int

    def later(self) -> int:
        self.now += self.unit * self.draw(st.integers(1, 50))
        return self.now


@st.composite
def runs(draw: Any, unit_ns: int = 1000) -> tuple[Written, ...]:
    """Draw a run: steps that hold operators, which hold operators, calls and launches, and what these execute.

    Args:
        draw: of hypothesis.
        unit_ns: all times are whole numbers of it.
    """
    clock = _Clock(draw, unit_ns, BASE_NS + 1_000_000_000)
    made: list[Written] = []
    number = iter(range(1000, 100_000))
    for step in range(draw(st.integers(1, 3))):
        name, start = f"ProfilerStep#{step}", clock.later()
        inner = [
            one
            for _ in range(draw(st.integers(0, 3)))
            for one in _operator(draw, clock, number, name, draw(st.integers(0, 2)))
        ]
        made.append(Written(kind="step", name=name, thread=HOST, start_ns=start, end_ns=clock.later()))
        made += inner
    return tuple(made)


def _operator(draw: Any, clock: _Clock, number: Iterator[int], parent: str, depth: int) -> list[Written]:
    external, start = next(number), clock.later()
    name = f"aten::operator_{external}"
    inner: list[Written] = []
    for _ in range(draw(st.integers(0, 2))):
        choice = draw(
            st.sampled_from(("operator", "launch", "call", "graph") if depth else ("launch", "call", "graph"))
        )
        if choice == "operator":
            inner += _operator(draw, clock, number, name, depth - 1)
        elif choice == "call":
            inner.append(_call("cudaStreamIsCapturing", clock, next(number), external, name))
        else:
            inner += _launch(draw, clock, number, external, name, graph=choice == "graph")
    sequence = (external, draw(st.integers(0, 1))) if draw(st.booleans()) else None
    own = Written(
        kind="operator", name=name, thread=HOST, start_ns=start, end_ns=clock.later(), external=external,
        parent=parent, sequence=sequence,
    )  # fmt: skip
    return [own, *inner]


def _call(name: str, clock: _Clock, correlation: int, external: int, parent: str, kind: str = "call") -> Written:
    start = clock.later()
    return Written(
        kind=kind, name=name, thread=HOST, start_ns=start, end_ns=clock.later(), correlation=correlation,
        external=external, parent=parent,
    )  # fmt: skip


def _launch(
    draw: Any, clock: _Clock, number: Iterator[int], external: int, parent: str, *, graph: bool
) -> list[Written]:
    correlation = next(number)
    kind = draw(st.sampled_from(("kernel", "memcpy", "memset", "collective"))) if not graph else "kernel"
    names = {"kernel": "cudaLaunchKernel", "collective": "cudaLaunchKernelExC", "memcpy": "cudaMemcpyAsync"}
    call = "cudaGraphLaunch" if graph else names.get(kind, "cudaMemsetAsync")
    made = [_call(call, clock, correlation, external, parent, "launch")]
    begin = clock.now + clock.unit * draw(st.integers(0, 500))
    for _ in range(draw(st.integers(1, 3)) if graph else 1):
        end = begin + clock.unit * draw(st.integers(0, 400))
        made.append(
            Written(
                kind=kind, name=_EXECUTED[kind], thread=STREAM, start_ns=begin, end_ns=end, correlation=correlation,
                external=external, parent=call, more=_ARGUMENTS[kind],
            )
        )  # fmt: skip
        begin = end + clock.unit
    return made


_EXECUTED = {
    "kernel": "void vectorized_elementwise_kernel<4, float>(int)",
    "memcpy": "Memcpy HtoD (Pageable -> Device)",
    "memset": "Memset (Device)",
    "collective": "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
}
_LAUNCHED = {"grid": [80, 2, 1], "block": [256, 1, 1], "registers per thread": 32, "shared memory": 1024,
             "est. achieved occupancy %": 75, "blocks per SM": 1.0, "queued": 0, "context": 1}  # fmt: skip
_ARGUMENTS: dict[str, dict[str, Any]] = {
    "kernel": _LAUNCHED,
    "memcpy": {"bytes": 4096, "memory bandwidth (GB/s)": "N/A", "context": 1},
    "memset": {"bytes": 512, "memory bandwidth (GB/s)": 0.5, "context": 1},
    "collective": _LAUNCHED
    | {"Collective name": "allreduce", "In msg nelems": 1000, "Out msg nelems": 1000, "Group size": 2}
    | {"dtype": "Half", "Seq": 3},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a profiler of some year writes."""

    year: int
    categories: dict[str, str]
    unit_ns: int = 1000
    """Of the times that it can write."""
    base_ns: int = 0
    """That its times count from."""
    external: str = "External id"
    """How it writes external ids; ``repeats`` writes the correlation number in their place."""
    repeats: bool = False
    flow: str = "ac2g"
    texts: bool = False
    """Whether threads and streams are texts."""


_SINCE_2022 = {
    "step": "user_annotation", "operator": "cpu_op", "launch": "cuda_runtime", "call": "cuda_runtime",
    "kernel": "kernel", "collective": "kernel", "memcpy": "gpu_memcpy", "memset": "gpu_memset",
}  # fmt: skip
DIALECTS = (
    Dialect(
        year=2021, external="external id", flow="async", texts=True,
        categories={
            "step": "Operator", "operator": "Operator", "launch": "Runtime", "call": "Runtime", "kernel": "Kernel",
            "collective": "Kernel", "memcpy": "Memcpy", "memset": "Memset",
        },
    ),
    Dialect(year=2022, categories=_SINCE_2022, repeats=True, flow="async_cpu_to_gpu"),
    Dialect(year=2023, categories=_SINCE_2022, repeats=True),
    Dialect(year=2024, categories=_SINCE_2022, unit_ns=1),
    Dialect(year=2025, categories=_SINCE_2022, unit_ns=1, base_ns=BASE_NS),
)  # fmt: skip


def document(run: tuple[Written, ...], dialect: Dialect, *extra: dict[str, Any], **header: Any) -> str:
    """Write a run as a profiler of that year would; ``extra`` events stand at the end, ``header`` beside them."""
    events = [event for one in run for event in _events(one, dialect)]
    body = {"schemaVersion": 1, "deviceProperties": [], **header, "traceEvents": [*events, *extra]}
    if dialect.base_ns:
        body["baseTimeNanoseconds"] = dialect.base_ns
    return json.dumps(body, indent=1).replace('"~', "").replace('~"', "")


def stamp(time_ns: int) -> str:
    """Write a time in microseconds; the marks around it are taken off later, so that no digit goes through a float."""
    whole, rest = divmod(time_ns, 1000)
    return f"~{whole}.{rest:03}~" if rest else f"~{whole}~"


def _events(one: Written, dialect: Dialect) -> Iterator[dict[str, Any]]:
    on_device = one.kind in {"kernel", "collective", "memcpy", "memset"}
    lane: dict[str, Any] = {"pid": 0 if on_device else PROCESS, "tid": one.thread}
    if dialect.texts:
        lane["tid"] = f"stream {one.thread}" if on_device else str(one.thread)
    arguments: dict[str, Any] = dict(one.more)
    if one.external is not None:
        below = one.correlation is not None
        key = dialect.external if below else "External id"
        arguments[key] = one.correlation if below and dialect.repeats else one.external
    if one.correlation is not None:
        arguments |= {"correlation": one.correlation}
    if on_device:
        arguments |= {"device": 0, "stream": one.thread}
    if one.sequence:
        arguments |= {"Sequence number": one.sequence[0], "Fwd thread id": one.sequence[1]}
    start, length = stamp(one.start_ns - dialect.base_ns), stamp(one.end_ns - one.start_ns)
    category = {"cat": dialect.categories[one.kind]}
    yield {"ph": "X", **category, "name": one.name, **lane, "ts": start, "dur": length, "args": arguments}
    if one.kind == "launch" or on_device:
        ends = {"ph": "f", "bp": "e"} if on_device else {"ph": "s"}
        yield {**ends, "id": one.correlation, **lane, "ts": start, "cat": dialect.flow, "name": dialect.flow}
