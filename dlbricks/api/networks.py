"""Networks: read, export, split, describe and lower them, each file in a worker process.

Networks for targets on a device are read in this process, since a worker process cannot use the device. Passes also run
in this process.
"""

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from dlbricks.errors import InputError, named_out
from dlbricks.files import refuse_unwritable, refuse_unwritable_folder
from dlbricks.harness.run.progress import silent
from dlbricks.settings import SplitSettings, usual_target

if TYPE_CHECKING:
    import onnx_graphsurgeon as gs

    from dlbricks.construct.compose import Inspection
    from dlbricks.model.types import LoweringTarget, Model
    from dlbricks.passes.user import Pass
    from dlbricks.process_pool import Answered
    from dlbricks.sequences.types import Split

Result = TypeVar("Result")


@contextmanager
def named(
    models: Sequence[str], settings: SplitSettings, tell: Callable[[str], None] = silent
) -> "Iterator[tuple[Path, ...]]":
    """Find networks by files, folders or globs; inside the ``with`` block each file is read once, with passes applied.

    ``tell`` gets a line for each network that must first be exported (which takes a while), and for each dimension or
    input in the settings that only some networks have. Raises ``InputError`` if a file is missing, or if no network has
    such a dimension or input.
    """
    from dlbricks.model.read.dimensions import check_given
    from dlbricks.model.read.network import find_networks
    from dlbricks.model.read.skim import reading_once

    paths = find_networks(models, tell)
    with reading_once(paths), ExitStack() as stack:
        # passes may add the dimensions that the user binds, so they run first
        if settings.passes:
            from dlbricks.passes.user import applied

            stack.enter_context(applied(paths, settings.passes))
        for line in check_given(paths, settings.dims, settings.values):
            tell(line)
        yield paths


def read(
    path: "str | Path | gs.Graph",
    *,
    dims: Mapping[str, int] | None = None,
    values: Mapping[str, str] | None = None,
    batch: int | None = None,
    target: str = usual_target(),
    threads: int = 1,
    passes: "Sequence[Pass | str]" = (),
) -> "Model":
    """Read a network in a worker process; for a target other than ``portable``, its runtime optimises the network.

    Args:
        path: an ONNX file (weights may be missing), a program of PyTorch, a Hugging Face folder (``find_networks``), or
            a graph of onnx-graphsurgeon.
        dims: extents of symbolic dimensions by name.
        values: values of inputs that decide sizes or iterations, as in ``"1,3,256,256"``, ``"true"`` or ``"FILE.npy"``.
        batch: batch size, even if the file fixes another; None keeps what the file and ``dims`` say.
        target: ``portable``, ``onnxruntime-cpu`` or ``onnxruntime-cuda`` (the graph that onnxruntime executes on this
            machine with that provider) or ``openvino`` (split as OpenVINO does here). A file saved by ``dlbricks
            lower`` states its target.
        threads: number of intra-op threads for which a runtime optimises the graph.
        passes: changes of the graph before all else: functions that take and return an ``onnx_graphsurgeon.Graph``,
            ``FILE.py:NAME``, or names of installed passes (entry points ``dlbricks.passes``).

    Raises:
        InputError: the file cannot be used, a dimension has no extent, or a pass fails or is for a lowered file.
        UnsupportedModelError: the network cannot be lowered here, was lowered for another target, crashed its worker
            process, or exceeded the limits on time or memory.
    """
    from dlbricks.model.read.network import find_networks
    from dlbricks.passes.user import applied, as_file
    from dlbricks.sequences.split import read_for_target

    settings = SplitSettings(target=target, dims=dims or {}, values=values or {}, batch=batch, threads=threads)
    with ExitStack() as stack:
        is_file = isinstance(path, str | Path)
        paths = find_networks([str(path)]) if is_file else (stack.enter_context(as_file(path)),)
        if len(paths) > 1:
            raise InputError(f"{path} holds {len(paths)} networks: name one of them")
        stack.enter_context(applied(paths, passes))
        return _in_worker(read_for_target, paths, settings)[0][paths[0]]


def split(
    model: "Model", *, granularity: int | str = 1, splitter: str = "block", allow_values: Collection[str] = ()
) -> "Split":
    """Split a network into layer sequences, and remove values that may have been trained.

    The granularity H is the maximum number of layers in a sequence, or ``inf`` for no limit. The splitter is ``block``
    or ``paper``. Layers named in ``allow_values`` keep all their values.
    """
    from dlbricks.sequences.split import split as split_model
    from dlbricks.sequences.types import Granularity

    return split_model(model, Granularity.parse(str(granularity)), splitter, allowed=allow_values)


def split_files(paths: Sequence[Path], settings: SplitSettings) -> "Answered[Split]":
    """Read networks in a worker process, optimise them for the target, and split them into layer sequences."""
    from dlbricks.sequences.split import network

    return _in_worker(network, paths, settings)


def split_among(paths: Sequence[Path], path: Path, settings: SplitSettings) -> "Split":
    """Split one of several networks; if others of ``paths`` have its name, it gets those of folders, too."""
    from dlbricks.model.read.decoders import network_name

    split = split_files([path], settings)[0][path]
    alike = [other.absolute().parent.parts for other in paths if network_name(other) == network_name(path)]
    folder = path.absolute().parent
    own = folder.parts[len(os.path.commonprefix(alike)) :]  # noqa: RUF071 - of names, not of characters
    return replace(split, model=replace(split.model, name=type(folder)(*own, split.model.name).as_posix()))


def inspect(paths: Sequence[Path], settings: SplitSettings) -> "Answered[Inspection]":
    """Describe networks: layers, sequences, shapes, arithmetic, and layers that cannot be measured."""
    return _in_worker(_inspection, paths, settings)


def _inspection(path: Path, settings: SplitSettings) -> "Inspection":
    from dlbricks.construct.compose import inspect_split
    from dlbricks.model.read.checker import complaint
    from dlbricks.sequences.split import network

    # onnx's checker infers shapes and so finds errors that reading has accepted
    split = network(path, settings)
    return inspect_split(split, invalid=complaint(path))


def lower(paths: Sequence[Path], out: Path | None, settings: SplitSettings) -> "tuple[LoweringTarget, Answered[Model]]":
    """Save networks without weights, as this machine's runtime optimises them; return its target and graphs by file."""
    from dlbricks.model.lowering.targets import save_lowered, this_machine

    here = this_machine(settings.target)
    files = {path: (out or Path()) / f"{path.stem}.{settings.target}.onnx" for path in paths}
    if out is not None:
        refuse_unwritable_folder(out)
        for file in files.values():
            refuse_unwritable(file, b"\x08")  # the first field of an ONNX file
    models, left_out = _in_worker(_lowered, paths, settings)
    named_out(out, "the folder for the graphs, as in -o lowered")
    written = {files[path]: model for path, model in models.items()}
    for file, model in written.items():
        save_lowered(model, file, here)
    return here, (written, left_out)


def _lowered(path: Path, settings: SplitSettings) -> "Model":
    from dlbricks.model.lowering.onnxruntime_cpu import lower as lower_model
    from dlbricks.model.read.checker import naming_file_in_errors
    from dlbricks.operators.assumptions import as_in
    from dlbricks.sequences.split import read_network

    # raises for a file that is lowered already; reading for a target would accept it as it is
    with naming_file_in_errors(path):
        model = read_network(path, settings)
        return as_in(model, lower_model(model, threads=settings.threads, target=settings.target))


def _in_worker(function: Callable[..., Result], paths: Sequence[Path], settings: SplitSettings) -> "Answered[Result]":
    # Call the function for each path in a worker process.
    from dlbricks.process_pool import each_in_worker

    task = partial(function, settings=settings)
    return each_in_worker(task, paths, target=settings.target, memory_bytes=settings.memory_bytes)
