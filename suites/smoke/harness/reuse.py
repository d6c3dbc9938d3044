"""How many bytes of different memory were touched since a benchmark's last call: the stack distance of its memory."""

from collections import OrderedDict


class Reuse:
    """Remembers in which order benchmarks were called and how much memory each of them touches.

    The stack distance of Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems Journal 9 (1970):
    memory touched several times counts once.
    """

    def __init__(self, ring_bytes: int) -> None:
        """Begin with nothing touched.

        Args:
            ring_bytes: size of the memory that is read to clear caches, again and again in the same order.
        """
        self._ring_bytes = ring_bytes
        self._cleared = 0
        self._order: OrderedDict[str, tuple[int, int]] = OrderedDict()

    def touch(self, key: str, nbytes: int) -> None:
        """Take note that a benchmark was called, which touches ``nbytes``."""
        self._order[key] = (nbytes, self._cleared)
        self._order.move_to_end(key)

    def clear(self, nbytes: int) -> None:
        """Take note that so many bytes of the memory for clearing were read."""
        self._cleared += nbytes

    def since(self, key: str, enough: int) -> int:
        """Give the bytes of different memory touched since a benchmark's last call.

        Args:
            key: of the benchmark; one that was never called gives 0, since nothing is known of it.
            enough: counting stops there.
        """
        if key not in self._order:
            return 0
        total = min(self._cleared - self._order[key][1], self._ring_bytes)
        for other, (nbytes, _) in reversed(self._order.items()):
            if other == key or total >= enough:
                break
            total += nbytes
        return total
