"""What a stage needs where several threads work: all of them awake, with full caches, and on cores of their own."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from .bits import Numbers
from .cpu import cpu_facts
from .measure import Bound
from .session import SessionSettings, open_session
from .states import surroundings

_ABS_GRAPH = bytes.fromhex(
    "080812003a340a0b0a017812017922034162731201675a100a0178120b0a09080112050a0312016e62100a0179120b0a09080112050a0312"
    "016e42040a001011"
)
"""A ModelProto: Abs of any number of float32, opset 17, IR 8."""
_ADD_GRAPH = bytes.fromhex(
    "08083a480a0e0a01780a017a12017922034164641201675a100a0178120b0a09080612050a0312016e5a0f0a017a120a0a08080612040a02"
    "080162100a0179120b0a09080612050a0312016e42040a001011"
)
"""A ModelProto: y = x + z of any number of int32 and one, opset 17, IR 8."""
_PRODUCT_GRAPH = bytes.fromhex(
    "080812003a570a110a01780a017712017922064d61744d756c1201675a140a0178120f0a0d080112090a0312016e0a0208405a130a017712"
    "0e0a0c080112080a0208400a02084062140a0179120f0a0d080112090a0312016e0a02084042040a001011"
)
"""A ModelProto: MatMul of any number of rows of 64 float32 by a square matrix, opset 17, IR 8."""
_WIDTH, _ROWS = 64, 32
"""Of the product, and rows of each thread: twice the 2**16 multiplications from which on it is divided evenly."""


def crowd(settings: SessionSettings) -> Bound:
    """Give a network that wakes all threads of this process and fills the second level of cache of each.

    Clearing is the work of one thread: without this the others would find in their own caches what they had of the
    last call, and would have to be woken, which takes longer than many a layer.
    """
    around = surroundings(cpu_facts()["caches"], cold=True, sharing=settings.sharing)
    ones = np.ones(around.crowd_bytes // 8, np.float32)  # read, and as much written
    return _bound(_ABS_GRAPH, settings, {"x": ones}, ones.shape)


class Products:
    """A small matrix product of which each thread has the same share: it lasts as long as on the slowest core."""

    def __init__(self, settings: SessionSettings) -> None:
        """Open it."""
        rows = (settings.threads * _ROWS, _WIDTH)
        values = {"x": np.ones(rows, np.float32), "w": np.ones((_WIDTH, _WIDTH), np.float32)}
        self._bound = _bound(_PRODUCT_GRAPH, settings, values, rows)

    def run(self) -> None:
        """Make it once."""
        self._bound.call()


class Rewriter:
    """Writes into buffers what they hold already, each thread of the pool its share, as the layer before would have.

    What one thread has touched last lies in its own caches, from where all others have to fetch theirs.
    """

    def __init__(self, settings: SessionSettings) -> None:
        """Open the network that adds nothing."""
        self._session = open_session(_ADD_GRAPH, Path(), replace(settings, config=())).inference
        self._nothing = np.zeros(1, np.int32)

    def rewrite(self, buffers: Sequence[Numbers]) -> None:
        """Touch all of some buffers, but for less than four bytes at their end."""
        for words in buffers:
            length, place = words.nbytes // 4, words.ctypes.data
            if length == 0:
                continue
            binding = self._session.io_binding()
            binding.bind_input("x", "cpu", 0, np.int32, [length], place)
            binding.bind_input("z", "cpu", 0, np.int32, [1], self._nothing.ctypes.data)
            binding.bind_output("y", "cpu", 0, np.int32, [length], place)
            self._session.run_with_iobinding(binding)


def _bound(graph: bytes, settings: SessionSettings, values: dict[str, Numbers], made: tuple[int, ...]) -> Bound:
    """Bind a network of float32 with one output ``y`` of a shape."""
    benchmark = {
        "inputs": [{"name": name, "dtype": "float32", "shape": one.shape} for name, one in values.items()],
        "outputs": [{"name": "y", "dtype": "float32", "shape": made}],
        "overwrites": "",
    }
    return Bound(open_session(graph, Path(), replace(settings, config=())), benchmark, values)
