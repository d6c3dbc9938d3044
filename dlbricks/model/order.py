"""Sorts graphs, walks them and finds their components. A graph is lists of successors, or calls with their operands."""

import heapq
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import TypeVar

from dlbricks.model.types import Model

_Node = TypeVar("_Node", bound=Hashable)


def makers_of(model: Model) -> dict[str, int]:
    """Map each tensor to the index of the layer that writes it."""
    return {name: index for index, layer in enumerate(model.layers) for name in layer.outputs if name}


def readers_of(model: Model) -> dict[str, list[int]]:
    """Map each tensor to the indices of the layers that read it; a layer occurs once for each operand."""
    readers: dict[str, list[int]] = {}
    for index, layer in enumerate(model.layers):
        for name in layer.reads:
            readers.setdefault(name, []).append(index)
    return readers


def needed_for(results: Iterable[str], calls: Sequence[tuple[Iterable[str], Iterable[str]]]) -> list[int]:
    """Return the ascending indices of the operator calls on which ``results`` depend.

    A call is a pair of the tensors that it reads and writes (``""`` if omitted). Calls are in topological order.
    """
    needed = set(results)
    places = []
    for place in range(len(calls) - 1, -1, -1):
        reads, writes = calls[place]
        if not needed.isdisjoint(filter(None, writes)):
            needed.update(reads)
            places.append(place)
    return places[::-1]


def depth_first(ends: Iterable[_Node], before: Callable[[_Node], Iterable[_Node]]) -> list[_Node]:
    """Return ``ends`` and all their predecessors in postorder of a depth-first search along ``before``."""
    order: list[_Node] = []
    entered: set[_Node] = set()
    for end in ends:
        path = [] if end in entered else [(end, iter(before(end)))]
        entered.add(end)
        while path:
            node, others = path[-1]
            for other in others:
                if other not in entered:
                    entered.add(other)
                    path.append((other, iter(before(other))))
                    break
            else:
                order.append(node)
                path.pop()
    return order


def by_dependency(reads: Sequence[Iterable[_Node]], makers: Mapping[_Node, int]) -> list[int]:
    """Return the indices of operator calls in topological order, without calls on cycles or behind cycles.

    Args:
        reads: tensors that each call reads.
        makers: maps a tensor to the index of the call that writes it; other tensors exist from the start.
    """
    # the order changes only if a call stands before another one whose result it reads
    if all(makers.get(name, -1) < index for index, names in enumerate(reads) for name in names):
        return [*range(len(reads))]
    feeds: list[set[int]] = [set() for _ in reads]
    for index, names in enumerate(reads):
        for name in names:
            if name in makers:
                feeds[makers[name]].add(index)
    return topological(feeds, [(index, 0) for index in range(len(feeds))])


def topological(feeds: Sequence[Collection[int]], keys: Sequence[tuple[int, int]]) -> list[int]:
    """Return the nodes of a graph in topological order, without nodes on or behind cycles; ``keys`` break ties."""
    waiting = [0] * len(feeds)
    for targets in feeds:
        for target in targets:
            waiting[target] += 1
    ready = [(keys[node], node) for node, count in enumerate(waiting) if count == 0]
    heapq.heapify(ready)
    order = []
    while ready:
        _, node = heapq.heappop(ready)
        order.append(node)
        for target in feeds[node]:
            waiting[target] -= 1
            if waiting[target] == 0:
                heapq.heappush(ready, (keys[target], target))
    return order


def connected(nodes: Sequence[int], feeds: Sequence[Collection[int]]) -> list[list[int]]:
    """Return the connected components of ``nodes`` in a directed graph; ``feeds`` has the successors of each node."""
    root = {node: node for node in nodes}

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for node in nodes:
        for target in feeds[node]:
            if target in root:
                first, second = sorted((find(node), find(target)))
                root[second] = first
    pieces: dict[int, list[int]] = {}
    for node in nodes:
        pieces.setdefault(find(node), []).append(node)
    return list(pieces.values())
