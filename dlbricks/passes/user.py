"""A user's own passes: found by name, applied to a network before it is read."""

from collections.abc import Callable, Sequence
from pathlib import Path
from types import FunctionType

import onnx
import onnx_graphsurgeon as gs

from dlbricks.errors import DlbricksError, InputError
from dlbricks.extensions import load, module_of, offered
from dlbricks.model.emit import network_bytes
from dlbricks.model.read.functions import complete_imports, inline_functions
from dlbricks.model.read.lowered import METADATA_KEY
from dlbricks.model.read.skim import skim
from dlbricks.passes.adapter import Origin, export_network, import_network

Pass = Callable[[gs.Graph], gs.Graph]
"""A function that may change the graph that it is given, and returns the graph to go on with."""

GROUP = "dlbricks.passes"
"""Of entry points."""


def pass_of(text: str) -> Pass:
    """Find a pass: ``FILE.py:NAME``, a function in a user's file, or the name of an entry point.

    Raises:
        InputError: there is none, or it is no function.
        MissingDependencyError: its entry point cannot be imported.
    """
    file, _, name = text.rpartition(":")
    if file:
        function = getattr(module_of(Path(file), "passes"), name, None)
        if not callable(function):
            raise InputError(f"{file} has no function '{name}': name one of its functions")
        found: Pass = function
        return found
    points = offered(GROUP)
    if text not in points:
        known = ", ".join(points) or "none"
        raise InputError(f"there is no pass '{text}': give FILE.py:NAME or one that is installed ({known})")
    return load(points[text], FunctionType)


def write_changed(path: Path, passes: Sequence[Pass | str], folder: Path) -> Path:
    """Apply passes to a network, functions inlined, in this process, and write the result without weights.

    Args:
        path: an ONNX file.
        passes: applied in order; names as in ``pass_of``.
        folder: for the file, which has the name of the first one.

    Raises:
        InputError: the file is no network or is lowered already, a pass fails or returns no graph.
    """
    functions = [(step, pass_of(step)) if isinstance(step, str) else (_name(step), step) for step in passes]
    network = skim(path)
    if any(entry.key == METADATA_KEY for entry in network.metadata_props):
        raise InputError(f"{path} is lowered already: apply passes to the network that it was made of, and lower that")
    complete_imports(network)
    graph, origin = import_network(inline_functions(network, path), path)
    for name, function in functions:
        try:
            graph = function(graph)
        except DlbricksError:
            raise
        except Exception as error:  # code of others may raise anything
            raise InputError(f"pass '{name}' fails on {path}: {type(error).__name__}: {error}") from error
        if not isinstance(graph, gs.Graph):
            raise InputError(f"pass '{name}' returns {type(graph).__name__}: return the onnx_graphsurgeon.Graph")
    return _write(export_network(graph, origin, path), folder / path.name)


def write_graph(graph: gs.Graph, folder: Path) -> Path:
    """Write a graph from elsewhere without weights; its name is that of the file."""
    name = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in graph.name)
    return _write(export_network(graph, Origin(), Path("graph")), folder / f"{name or 'graph'}.onnx")


def _write(network: onnx.ModelProto, path: Path) -> Path:
    path.write_bytes(network_bytes(network))
    return path


def _name(function: Pass) -> str:
    return getattr(function, "__name__", type(function).__name__)
