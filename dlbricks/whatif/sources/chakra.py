"""Reads Chakra execution traces: durations and dependencies of nodes, without start times.

Ranks have no common clock. Each starts at 0; a collective starts when its last member has arrived and takes as long as
the shortest recorded member, which waited least.

A file is a sequence of protobuf messages (``chakra_schema``), each preceded by its length as a varint: metadata, then
one message per node.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.profile.open import profile_of
from dlbricks.profile.types import Profile
from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Role, TraceClock
from dlbricks.units import counted
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, TaskKind, with_attributes
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.sources.labels import BACKWARD, UPDATE

SUFFIX = ".et"
_COPY = re.compile(r"memcpy|memset", re.IGNORECASE)
_PART = re.compile(r"\(\d+\)$")
"""Suffix of an operator that the recorder split into parts."""
_BACKWARD_SHARE = 0.2
NO_TIMES = (
    "a Chakra trace has no start times: tasks start as soon as their thread or stream and their dependencies allow, "
    "without host time between operators"
)
COLLECTIVE, SEND, RECEIVE = 7, 5, 6
"""Types of communication nodes."""
_MOST_US = 10**10
"""About three hours: bound on the duration of one node."""
_VARINT_BYTES = 10
_OPERATIONS = (
    "allreduce", "reduce", "allgather", "gather", "scatter", "broadcast", "alltoall", "reduce_scatter",
    "reduce_scatter_block", "barrier",
)  # fmt: skip
"""Indexed by ``CollectiveCommType``."""
_READ = frozenset({"is_cpu_op", "tid", "comm_size", "comm_type", "pg_name"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChakraNode:
    """Node of an execution trace."""

    number: int
    name: str
    type: int
    needs: tuple[int, ...]
    """Numbers of the nodes it depends on."""
    duration_us: int
    on_host: bool
    thread: int
    """Thread or stream."""
    sent_bytes: int | None
    collective: str
    """Collective operation; empty for other nodes or if unknown."""
    group: str
    """Name of the process group; empty if unknown."""


def read_chakra(path: Path) -> list[ChakraNode]:
    """Read the nodes of a trace, in file order.

    Raises:
        InputError: the file cannot be read, is not a Chakra trace, is truncated, has duplicate node numbers, too many
            nodes or dependencies, or no durations.
    """
    nodes: dict[int, ChakraNode] = {}
    dependencies = characters = 0
    try:
        with path.open("rb") as file:
            messages = _messages(file, path)
            _parsed("Metadata", next(messages, b""), path)
            for data in messages:
                node = _node(_parsed("Node", data, path), path)
                dependencies += len(node.needs)
                if node.number in nodes:
                    raise InputError(f"{path} has two nodes with number {node.number}: record it again")
                if len(nodes) >= limits.CHAKRA_NODES or dependencies > limits.CHAKRA_DEPENDENCIES:
                    raise InputError(f"{path} has more than {limits.CHAKRA_NODES:,} nodes, or too many dependencies")
                characters += len(node.name)
                if characters > limits.CHAKRA_CHARACTERS:
                    raise InputError(f"{path} has names of more than {limits.CHAKRA_CHARACTERS:,} characters in all")
                nodes[node.number] = node
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if not any(node.duration_us for node in nodes.values()):
        raise InputError(f"{path} has no durations, like traces of synthetic workloads: give a trace of a run")
    return list(nodes.values())


def _messages(file: BinaryIO, path: Path) -> Iterator[bytes]:
    while (length := _length(file, path)) is not None:
        if length > limits.CHAKRA_MESSAGE_BYTES:
            raise InputError(f"{path} is not a Chakra execution trace: a message has {length:,} bytes")
        data = file.read(length)
        if len(data) < length:
            raise InputError(f"{path} is cut off within a message")
        yield data


def _length(file: BinaryIO, path: Path) -> int | None:
    """Read a varint; None at the end of the file."""
    value = 0
    for place in range(_VARINT_BYTES):
        byte = file.read(1)
        if not byte:
            if place:
                raise InputError(f"{path} is cut off within a length")
            return None
        value |= (byte[0] & 0x7F) << (7 * place)
        if byte[0] < 0x80:
            return value
    raise InputError(f"{path} is not a Chakra execution trace: a length has more than {_VARINT_BYTES} bytes")


def _parsed(name: str, data: bytes, path: Path) -> Any:
    from dlbricks.whatif.sources.chakra_schema import DecodeError, message_type

    try:
        return message_type(name).FromString(data)
    except DecodeError as error:
        raise InputError(f"{path} is not a Chakra execution trace, or is damaged: {error}") from error


def _node(message: Any, path: Path) -> ChakraNode:
    given = {one.name: one for one in message.attr if one.name in _READ}
    if message.duration_micros > _MOST_US:
        raise InputError(f"{path}: node {message.id} lasts {message.duration_micros:,} us, more than three hours")
    return ChakraNode(
        number=message.id,
        name=message.name,
        type=message.type,
        needs=tuple(dict.fromkeys(message.data_deps)),
        duration_us=message.duration_micros,
        on_host=bool(_value(given.get("is_cpu_op"))),
        thread=_value(given.get("tid")),
        sent_bytes=_value(given["comm_size"]) if "comm_size" in given else None,
        collective=_operation(message.type, given.get("comm_type")),
        group=given["pg_name"].string_val if "pg_name" in given else "",
    )


def _operation(kind: int, given: Any) -> str:
    number = _value(given)
    known = kind == COLLECTIVE and given is not None and 0 <= number < len(_OPERATIONS)
    return _OPERATIONS[number] if known else ""


def _value(attribute: Any) -> int:
    """Return an integer attribute from any of its fields; 0 if missing."""
    if attribute is None:
        return 0
    fields = ("int64_val", "int32_val", "uint64_val", "uint32_val", "bool_val")
    return next((int(value) for value in (getattr(attribute, field) for field in fields) if value), 0)


def graph_of_chakra(paths: Sequence[Path]) -> DependencyGraph:
    """Read Chakra traces, one per rank, into one graph without rendezvous between ranks.

    Raises:
        InputError: see ``read_chakra``; or a trace has too many lanes or circular dependencies.
    """
    return _graph(paths, [read_chakra(path) for path in paths])


def _graph(paths: Sequence[Path], ranks: Sequence[Sequence[ChakraNode]]) -> DependencyGraph:
    first = paths[0].name.removesuffix(SUFFIX)
    builder = GraphBuilder(name=first if len(paths) == 1 else f"{len(paths)} ranks of {first}", notes=[NO_TIMES])
    groups: dict[str, int] = {}
    done = 0
    for number, (path, nodes) in enumerate(zip(paths, ranks, strict=True)):
        process = f"rank {number}" if len(paths) > 1 else "1"
        lanes = [_lane(node, process) for node in nodes]
        if len(set(lanes)) > limits.TRACE_LANES:
            raise InputError(f"{path} has more than {limits.TRACE_LANES:,} threads and streams")
        for node, lane, (layer, phase) in zip(nodes, lanes, _labels(nodes), strict=True):
            figures: dict[str, Any] = {"bytes": float("nan") if node.sent_bytes is None else float(node.sent_bytes)}
            if node.group:
                figures["group"] = float(groups.setdefault(node.group, len(groups)))
            figures |= {"operator": node.collective or None, "phase": phase, "layer": layer}
            builder.task(_kind(node), node.name, lane, 1_000 * node.duration_us, **figures)
        missing = _with_needs(builder, nodes, lanes, done)
        if missing:
            builder.notes.append(f"{counted(missing, 'edge')} from nodes that are not in the file")
        done += len(nodes)
    graph = builder.built()
    plan = replay(graph)
    return with_attributes(graph, measured_start_ns=plan.start_ns, measured_end_ns=plan.end_ns)


def _with_needs(builder: GraphBuilder, nodes: Sequence[ChakraNode], lanes: Sequence[Lane], done: int) -> int:
    """Add the edges of one rank, whose tasks start at number ``done``; return how many have no source in the file."""
    rows = {node.number: row for row, node in enumerate(nodes)}
    missing = 0
    for row, node in enumerate(nodes):
        last: dict[Lane, int] = {}
        for number in node.needs:
            needed = rows.get(number)
            if needed is None:
                missing += 1
            elif lanes[needed] != lanes[row] or needed >= row:  # the order of a lane implies the others
                last[lanes[needed]] = max(needed, last.get(lanes[needed], 0))
        for needed in last.values():
            on_host = nodes[needed].on_host
            kind = EdgeKind.STREAM if not node.on_host else EdgeKind.THREAD if on_host else EdgeKind.WAIT
            builder.edge(kind, done + needed, done + row)
    return missing


def _labels(nodes: Sequence[ChakraNode]) -> list[tuple[str | None, Phase]]:
    """Return operator and phase of each node: host nodes by name, device nodes from their last dependency.

    A thread on which many operators have names of a backward pass belongs to it entirely.
    """
    backward: Counter[int] = Counter(node.thread for node in nodes if node.on_host and BACKWARD.search(node.name))
    threads = Counter(node.thread for node in nodes if node.on_host)
    passes = {thread for thread, count in backward.items() if count > _BACKWARD_SHARE * threads[thread]}
    made: list[tuple[str | None, Phase]] = []
    rows = {node.number: row for row, node in enumerate(nodes)}
    for row, node in enumerate(nodes):
        if node.on_host:
            back = node.thread in passes or BACKWARD.search(node.name)
            phase = Phase.UPDATE if UPDATE.search(node.name) else Phase.BACKWARD if back else Phase.FORWARD
            made.append((_PART.sub("", node.name), phase))
        else:
            above = [rows[number] for number in node.needs if rows.get(number, row) < row]
            made.append(made[max(above)] if above else (None, Phase.NONE))
    return made


def profile_of_chakra(path: Path) -> Profile:
    """Read the trace of one rank as a profile: host operators are layers, device nodes their kernels.

    Raises:
        InputError: see ``graph_of_chakra``.
    """
    nodes = read_chakra(path)
    graph = _graph([path], [nodes])
    rows = {node.number: row for row, node in enumerate(nodes)}
    starts, ends = (graph.attributes[name].astype(int).tolist() for name in ("measured_start_ns", "measured_end_ns"))
    builder = TraceBuilder(clock=TraceClock(name="simulated"))
    for row, (node, kind) in enumerate(zip(nodes, graph.kind.tolist(), strict=True)):
        lane = graph.lanes[graph.lane[row]]
        if kind == TaskKind.CPU:
            name = _PART.sub("", node.name)
            builder.add(Level.LAYER, kinds.OPERATOR, name, lane, starts[row], ends[row])
            continue
        above = [needed for number in node.needs if (needed := rows.get(number, row)) < row and nodes[needed].on_host]
        figures = {"bytes": node.sent_bytes, "collective": node.collective or None, "group": node.group or None}
        known: dict[str, Any] = {key: value for key, value in figures.items() if value is not None}
        builder.add(
            Level.KERNEL, _SHOWN[TaskKind(kind)], node.name, lane, starts[row], ends[row], role=Role.EXECUTION,
            parent=max(above, default=None), **known,
        )  # fmt: skip
    made = profile_of(builder.built(), graph.name)
    return Profile(network=made.network, system={}, runtime={}, runs=made.runs, notes=(*made.notes, *graph.notes))


_SHOWN = {TaskKind.KERNEL: kinds.KERNEL, TaskKind.COPY: kinds.COPY, TaskKind.COLLECTIVE: kinds.COLLECTIVE}


def _kind(node: ChakraNode) -> TaskKind:
    if node.on_host:
        return TaskKind.CPU
    if node.type in {COLLECTIVE, SEND, RECEIVE}:
        return TaskKind.COLLECTIVE
    return TaskKind.COPY if _COPY.match(node.name) else TaskKind.KERNEL


def _lane(node: ChakraNode, process: str) -> Lane:
    if node.on_host:
        return Lane(process=process, name=f"thread {node.thread}")
    return Lane(process=process, name=f"stream {node.thread}", device="gpu 0")
