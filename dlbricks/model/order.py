"""Orders and components of graphs given as lists of successors."""

import heapq
from collections.abc import Collection, Sequence


def topological(feeds: Sequence[Collection[int]], keys: Sequence[tuple[int, int]]) -> list[int]:
    """Return the nodes in topological order, least key first; nodes on cycles and their successors are left out."""
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
    """Return the connected components of ascending ``nodes``, ignoring direction, by their first nodes (union-find)."""
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
