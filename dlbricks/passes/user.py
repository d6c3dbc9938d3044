"""A user's own passes: found by name, applied to a network before all else."""

import contextlib
import inspect
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FunctionType

import onnx
import onnx_graphsurgeon as gs

from dlbricks.errors import DlbricksError, InputError
from dlbricks.extensions import load, module_of, offered
from dlbricks.fingerprint import digest_bytes
from dlbricks.model.emit import network_bytes
from dlbricks.model.read.functions import complete_imports, inline_functions
from dlbricks.model.read.lowered import METADATA_KEY
from dlbricks.model.read.skim import in_place_of, skim
from dlbricks.passes.adapter import Origin, export_network, open_for_passes

# A function that may change its argument, and returns the graph to go on with.
Pass = Callable[[gs.Graph], gs.Graph]

# Of entry points.
GROUP = "dlbricks.passes"


def pass_of(text: str) -> Pass:
    """Find a pass: ``FILE.py:NAME``, a function in a user's file, or the name of an entry point.

    Raises:
        InputError: there is none, or it is another object than a function.
        MissingDependencyError: its entry point cannot be imported.
    """
    file, _, name = text.rpartition(":")
    if file:
        function = getattr(module_of(Path(file), "passes"), name, None)
        if not isinstance(function, FunctionType):
            raise InputError(f"{file} has no function '{name}': name one of its functions")
        return function
    points = offered(GROUP)
    if text not in points:
        installed = ", ".join(points) or "none"
        raise InputError(f"unknown pass '{text}': give FILE.py:NAME or the name of an installed one ({installed})")
    return load(points[text], FunctionType)


def pass_digest(text: str) -> str:
    """Return the digest of a pass: SHA-256 of its name and its source file; see ``pass_of`` for what is raised."""
    function = pass_of(text)
    file = inspect.getsourcefile(function)  # for a function of a user's file its own, for an installed one its module
    source = Path(file).read_bytes() if file is not None else b""
    return digest_bytes(function.__name__.encode() + b"\0" + source)


_changed: set[Path] = set()


@contextlib.contextmanager
def applied(paths: Sequence[Path], passes: Sequence[Pass | str]) -> Iterator[None]:
    """Read networks as passes change them inside the block, in this process and its forks.

    Functions of a network are inlined first. Networks that an outer block changed already stay as they are.

    Args:
        paths: ONNX files.
        passes: applied in order; names as in ``pass_of``.

    Raises:
        InputError: a file holds another thing than a network or is lowered already, a pass fails or returns no graph.
    """
    functions = [(step, pass_of(step)) if isinstance(step, str) else (_name(step), step) for step in passes]
    # a command applies them before it looks at dimensions, a worker of another machine only here
    left = [path for path in paths if path not in _changed] if functions else []
    with in_place_of({path: network_bytes(_change(path, functions)) for path in left}):
        _changed.update(left)
        try:
            yield
        finally:
            _changed.difference_update(left)


def _change(path: Path, functions: Sequence[tuple[str, Pass]]) -> onnx.ModelProto:
    network = skim(path)
    if any(entry.key == METADATA_KEY for entry in network.metadata_props):
        raise InputError(f"{path} is lowered already: apply passes to the network that it was made of, and lower that")
    # a pass that adds a node has to know the operator sets
    complete_imports(network)
    graph, origin = open_for_passes(inline_functions(network, path), path)
    for name, function in functions:
        try:
            graph = function(graph)
        except DlbricksError:
            raise
        except Exception as error:  # code of others may raise anything
            raise InputError(f"pass '{name}' fails on {path}: {type(error).__name__}: {error}") from error
        if not isinstance(graph, gs.Graph):
            raise InputError(f"pass '{name}' returns {type(graph).__name__}: return the onnx_graphsurgeon.Graph")
    return export_network(graph, origin, path)


@contextlib.contextmanager
def as_file(graph: gs.Graph) -> Iterator[Path]:
    """Read a graph from elsewhere inside the block as if it were a file without weights, whose path is returned."""
    name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in graph.name)
    path = Path("onnx_graphsurgeon.Graph") / f"{name or 'graph'}.onnx"
    with in_place_of({path: network_bytes(export_network(graph, Origin(), path))}):
        yield path


def _name(function: Pass) -> str:
    return getattr(function, "__name__", type(function).__name__)
