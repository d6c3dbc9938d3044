"""Chakra execution traces (``.et``) as dependency graphs: nodes with durations and dependencies, without times.

The file is a row of protobuf messages as MLCommons defines them, each behind its length as a varint: metadata, then a
node each (``mlcommons/chakra``, ``schema/protobuf/et_def.proto``). Fields that are not used here are skipped.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

from dlbricks.errors import InputError
from dlbricks.trace.types import Lane
from dlbricks.units import counted
from dlbricks.whatif.edit import GraphBuilder
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, TaskKind, with_attributes
from dlbricks.whatif.simulate import replay

SUFFIX = ".et"
_COPY = re.compile(r"memcpy|memset", re.IGNORECASE)
_MOST_LANES = 10_000
NO_TIMES = (
    "a Chakra trace has no times: tasks begin as soon as their thread or stream and what they depend on allow, and "
    "what the host does between its operators is missing"
)
COLLECTIVE, SEND, RECEIVE = 7, 5, 6
"""Types of nodes that communicate."""
_MESSAGE_BYTES = 1 << 20
_MOST_NODES = 300_000
_MOST_DEPENDENCIES = 5_000_000
_MOST_US = 10**10
"""Three hours: nothing that one node does takes longer."""
_VARINT_BYTES = 10
_FIELD = descriptor_pb2.FieldDescriptorProto
_SCHEMA: dict[str, Sequence[tuple[str, int, Any, bool]]] = {
    "Attribute": (
        ("name", 1, _FIELD.TYPE_STRING, False),
        ("int32_val", 7, _FIELD.TYPE_INT32, False),
        ("int64_val", 9, _FIELD.TYPE_INT64, False),
        ("uint32_val", 11, _FIELD.TYPE_UINT32, False),
        ("uint64_val", 13, _FIELD.TYPE_UINT64, False),
        ("bool_val", 27, _FIELD.TYPE_BOOL, False),
    ),
    "Metadata": (("version", 1, _FIELD.TYPE_STRING, False), ("attr", 2, "Attribute", True)),
    "Node": (
        ("id", 1, _FIELD.TYPE_UINT64, False),
        ("name", 2, _FIELD.TYPE_STRING, False),
        ("type", 3, _FIELD.TYPE_INT32, False),
        ("ctrl_deps", 4, _FIELD.TYPE_UINT64, True),
        ("data_deps", 5, _FIELD.TYPE_UINT64, True),
        ("duration_micros", 7, _FIELD.TYPE_UINT64, False),
        ("attr", 10, "Attribute", True),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChakraNode:
    """What was executed."""

    number: int
    name: str
    type: int
    needs: tuple[int, ...]
    """Numbers of the nodes whose end it waits for."""
    duration_us: int
    on_host: bool
    thread: int
    """Or stream."""
    sent_bytes: int | None


def read_chakra(path: Path) -> list[ChakraNode]:
    """Read the nodes of a trace, in the order of the file.

    Raises:
        InputError: the file cannot be read, is no such trace, is cut off, has two nodes of one number, too many nodes
            or dependencies, or no durations.
    """
    nodes: dict[int, ChakraNode] = {}
    dependencies = 0
    try:
        with path.open("rb") as file:
            messages = _messages(file, path)
            _parsed("Metadata", next(messages, b""), path)
            for data in messages:
                node = _node(_parsed("Node", data, path), path)
                dependencies += len(node.needs)
                if node.number in nodes:
                    raise InputError(f"{path} has two nodes {node.number}: write it again")
                if len(nodes) >= _MOST_NODES or dependencies > _MOST_DEPENDENCIES:
                    raise InputError(f"{path} has more than {_MOST_NODES:,} nodes, or too many dependencies")
                nodes[node.number] = node
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    if not any(node.duration_us for node in nodes.values()):
        raise InputError(f"{path} tells no durations, as traces of planned workloads do: give one of a run")
    return list(nodes.values())


def _messages(file: BinaryIO, path: Path) -> Iterator[bytes]:
    while (length := _length(file, path)) is not None:
        if length > _MESSAGE_BYTES:
            raise InputError(f"{path} is no Chakra execution trace: a message of it has {length:,} bytes")
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
    raise InputError(f"{path} is no Chakra execution trace: a length of it has more than {_VARINT_BYTES} bytes")


@cache
def _message_type(name: str) -> Any:
    file = descriptor_pb2.FileDescriptorProto(name="chakra.proto", package="chakra", syntax="proto3")
    for message, fields in _SCHEMA.items():
        made = file.message_type.add(name=message)
        for field, number, kind, repeated in fields:
            label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
            one = made.field.add(name=field, number=number, label=label)
            if isinstance(kind, str):
                one.type, one.type_name = _FIELD.TYPE_MESSAGE, f".chakra.{kind}"
            else:
                one.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"chakra.{name}"))


def _parsed(name: str, data: bytes, path: Path) -> Any:
    try:
        return _message_type(name).FromString(data)
    except DecodeError as error:
        raise InputError(f"{path} is no Chakra execution trace, or damaged: {error}") from error


def _node(message: Any, path: Path) -> ChakraNode:
    given = {one.name: one for one in message.attr if one.name in {"is_cpu_op", "tid", "comm_size"}}
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
    )


def _value(attribute: Any) -> int:
    """Give a whole number, in whichever field it was written; 0 for none."""
    if attribute is None:
        return 0
    fields = ("int64_val", "int32_val", "uint64_val", "uint32_val", "bool_val")
    return next((int(value) for value in (getattr(attribute, field) for field in fields) if value), 0)


def graph_of_chakra(path: Path) -> DependencyGraph:
    """Read a Chakra execution trace of one rank.

    Raises:
        InputError: see ``read_chakra``; or it has too many lanes, or its dependencies are circular.
    """
    nodes = read_chakra(path)
    rows = {node.number: row for row, node in enumerate(nodes)}
    builder = GraphBuilder(name=path.name.removesuffix(SUFFIX), notes=[NO_TIMES])
    lanes = [_lane(node) for node in nodes]
    for node, lane in zip(nodes, lanes, strict=True):
        sent = float("nan") if node.sent_bytes is None else float(node.sent_bytes)
        builder.task(_kind(node), node.name, lane, 1_000 * node.duration_us, bytes=sent)
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
            builder.edge(EdgeKind.DATA, needed, row)
    if missing:
        builder.notes.append(f"{counted(missing, 'edge')} from nodes that are not in the file")
    if len(set(lanes)) > _MOST_LANES:
        raise InputError(f"{path} has more than {_MOST_LANES:,} threads and streams")
    graph = builder.built()
    plan = replay(graph)
    return with_attributes(graph, measured_start_ns=plan.start_ns, measured_end_ns=plan.end_ns)


def _kind(node: ChakraNode) -> TaskKind:
    if node.on_host:
        return TaskKind.CPU
    if node.type in {COLLECTIVE, SEND, RECEIVE}:
        return TaskKind.COLLECTIVE
    return TaskKind.COPY if _COPY.match(node.name) else TaskKind.KERNEL


def _lane(node: ChakraNode) -> Lane:
    if node.on_host:
        return Lane(process="1", name=f"thread {node.thread}")
    return Lane(process="1", name=f"stream {node.thread}", device="gpu 0")
