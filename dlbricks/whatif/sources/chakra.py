"""From a Chakra execution trace to a dependency graph: it has durations and dependencies, and no times."""

import re
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.trace.read.chakra import COLLECTIVE, RECEIVE, SEND, ChakraNode, read_chakra
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
