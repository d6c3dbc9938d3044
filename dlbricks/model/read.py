"""Reading networks: from paths on the command line to a Model."""

import glob
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from dlbricks.errors import DlbricksError, InputError
from dlbricks.model.bind import bind
from dlbricks.model.clean import ordered, without_aliases, without_dead
from dlbricks.model.draft import Draft, draft_of
from dlbricks.model.fusion import grouped
from dlbricks.model.inline import inline_functions
from dlbricks.model.layers import model_of, see_supported
from dlbricks.model.nouns import Model
from dlbricks.model.qdq import unshared
from dlbricks.model.settle import settle
from dlbricks.model.skim import skim


def find_networks(paths: Sequence[str]) -> tuple[Path, ...]:
    """Find ONNX files: a file of any name, all ``*.onnx`` below a folder, or what a glob pattern matches.

    Returns:
        The files, sorted, each once.

    Raises:
        InputError: a path does not exist, a folder or pattern holds no network.
    """
    found: dict[Path, None] = {}
    for text in paths:
        path = Path(text)
        if path.is_dir():
            matches = sorted(path.rglob("*.onnx"))
        elif path.exists():
            matches = [path]
        else:
            names = glob.glob(text, recursive=True)  # noqa: PTH207 - Path.glob refuses absolute patterns
            matches = [Path(name) for name in sorted(names) if Path(name).is_file()]
        if not matches:
            reason = "holds no .onnx file" if path.is_dir() else "does not exist"
            message = f"{text} {reason}: give an ONNX file, a folder or a pattern"
            raise InputError(message)
        found.update(dict.fromkeys(matches))
    return tuple(sorted(found))


def read_model(
    path: Path, *, dims: Mapping[str, int] | None = None, change: Callable[[Draft], Draft] | None = None
) -> Model:
    """Read a network for the target ``portable``.

    Args:
        path: The ONNX file; its weights may be missing and are never loaded.
        dims: Value of each dimension that the file leaves open, by name or by ``input:axis``.
        change: What is to be made of the network before its shapes are inferred; None for nothing.

    Returns:
        The network, shapes known, constants folded, dead layers gone, layers in topological order.

    Raises:
        InputError: the file is no sound network, a dimension is unbound, an operator is unknown.
        UnsupportedModelError: it needs more than the installed libraries can do.
    """
    try:
        return _read(path, dims or {}, change)
    except DlbricksError as error:
        message = str(error)
        if message.isprintable():
            raise
        raise type(error)("".join(letter if letter.isprintable() else " " for letter in message)) from error


def _read(path: Path, dims: Mapping[str, int], change: Callable[[Draft], Draft] | None) -> Model:
    draft = draft_of(inline_functions(skim(path), path), path)
    draft = without_dead(without_aliases(ordered(draft)))
    if change is not None:
        draft = change(draft)
    see_supported(draft)
    settled = settle(draft, bind(draft, dims), model_of)
    draft, types = unshared(settled.draft, settled.types)
    model = model_of(draft, types, settled.failure)
    folded = draft.source_layers - len(settled.draft.nodes)
    return replace(grouped(model), observed=settled.observed, folded=folded)


def open_leading(path: Path) -> tuple[str, ...]:
    """Give what ``dims`` calls the leading extent of the first input, and of those that leave it open without a name.

    Returns:
        Names of dimensions, or ``input:0``; empty where the file fixes the leading extent of the first input.

    Raises:
        InputError: the file is no sound network.
    """
    found: dict[str, None] = {}
    for entry in draft_of(skim(path), path).inputs:
        dims = entry.type.tensor_type.shape.dim
        if not dims:
            continue
        if dims[0].HasField("dim_value") and dims[0].dim_value >= 0:
            if not found:
                break
            continue
        name = dims[0].dim_param
        if not found or not name:
            found[name if name.isidentifier() else f"{entry.name}:0"] = None
    return tuple(found)


