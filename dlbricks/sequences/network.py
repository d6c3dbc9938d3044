"""The way from a file to a split network: read, lower, split."""

from pathlib import Path

from dlbricks.model.lowering.targets import for_target
from dlbricks.model.read.checker import naming_file_in_errors
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model
from dlbricks.passes.user import applied
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity, Split
from dlbricks.settings import SplitSettings


def network(path: Path, settings: SplitSettings, *, scratch: Path | None = None) -> Split:
    """Read a network, lower it if its target requires that, and split it.

    Args:
        path: an ONNX file, whose weights may be missing.
        settings: of the split.
        scratch: folder for synthetic weights, which serve again where the network is lowered at several points; None
            for a temporary one.

    Raises:
        InputError: the file, an extent or the granularity cannot be used.
        UnsupportedModelError, HarnessError: the network cannot be lowered here.
    """
    # onnx and numpy raise errors that do not name the file
    with naming_file_in_errors(path):
        return split_network(read_network(path, settings), settings, scratch=scratch)


def read_network(path: Path, settings: SplitSettings) -> Model:
    """Read a network as its file has it and passes change it: for ``portable``, unless the file is a lowered one."""
    with applied((path,), settings.passes):
        return read_batched(path, dims=settings.dims, batch=settings.batch)


def read_for_target(path: Path, settings: SplitSettings) -> Model:
    """Read a network and lower it if its target requires that; see ``network``."""
    with naming_file_in_errors(path):
        return for_target(read_network(path, settings), settings.target, threads=settings.threads)


def split_network(model: Model, settings: SplitSettings, *, scratch: Path | None = None) -> Split:
    """Lower and split a network from ``read_network``; see ``network``."""
    model = for_target(model, settings.target, threads=settings.threads, scratch=scratch)
    return split(model, Granularity.parse(settings.granularity), settings.splitter, allowed=settings.allow_values)
