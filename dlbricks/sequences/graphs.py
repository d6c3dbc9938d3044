"""Two walks over small directed graphs of numbered nodes; iterative, since networks are deep."""

import heapq
from collections.abc import Collection, Sequence
from typing import TypeAlias

Edges: TypeAlias = list[list[int]]
"""For each node, the nodes it leads to, each once."""


def topological(feeds: Sequence[Collection[int]], keys: Sequence[tuple[int, int]]) -> list[int]:
    """Order the nodes so that each comes after all that lead to it; of those that could be next, the least key is.

    Nodes on a circle, and what follows them, are left out: the result is then shorter than the graph.
    """
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
    """Split ascending ``nodes`` into the pieces that edges among them hold together, direction ignored.

    Pieces are ascending, and in order of their first nodes.
    """
    root = {node: node for node in nodes}

    def find(node: int) -> int:
        while root[node] != node:
            root[node] = root[root[node]]
            node = root[node]
        return node

    for node in nodes:
        for target in feeds[node]:
            if target in root:
                one, other = sorted((find(node), find(target)))
                root[other] = one
    pieces: dict[int, list[int]] = {}
    for node in nodes:
        pieces.setdefault(find(node), []).append(node)
    return list(pieces.values())
