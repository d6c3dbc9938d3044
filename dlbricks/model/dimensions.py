"""Which dimensions networks have that a user can name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.model.bind import names_in
from dlbricks.model.draft import draft_of
from dlbricks.model.skim import skim


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimensions:
    """What ``--dim`` can say of a network."""

    names: tuple[str, ...]
    """Of the extents that the file leaves open, in the order of its inputs; ``input:axis`` for one without a name."""
    sums: frozenset[str]
    """Names of names, as in ``past + seq``, which can be given as a whole, too."""
    ranks: Mapping[str, int | None]
    """By input; None where the file does not state it, so that any axis may be given."""

    def has(self, name: str) -> bool:
        """Whether a name means something here: an open dimension, or an axis of an input."""
        if name in self.names or name in self.sums:
            return True
        entry, _, axis = name.rpartition(":")
        if entry not in self.ranks or not (axis.isascii() and axis.isdigit()):
            return False
        rank = self.ranks[entry]
        return rank is None or int(axis) < rank


def dimensions_of(path: Path) -> Dimensions:
    """Read the dimensions of a network's inputs.

    Raises:
        InputError: the file is no sound network.
    """
    names: dict[str, None] = {}
    sums: set[str] = set()
    ranks: dict[str, int | None] = {}
    for entry in draft_of(skim(path), path).inputs:
        tensor = entry.type.tensor_type
        ranks[entry.name] = len(tensor.shape.dim) if tensor.HasField("shape") else None
        if ranks[entry.name] is None:
            names[f"{entry.name}:0"] = None
        for axis, dim in enumerate(tensor.shape.dim):
            if dim.dim_param:
                names.update(dict.fromkeys(names_in(dim.dim_param)))
                sums.add(dim.dim_param)
            elif not dim.HasField("dim_value") or dim.dim_value < 0:
                names[f"{entry.name}:{axis}"] = None
    return Dimensions(names=tuple(names), sums=frozenset(sums), ranks=ranks)


def refuse_unknown(paths: Sequence[Path], dims: Mapping[str, int]) -> None:
    """Refuse a value of a dimension that no network has; it need not be one of all of them.

    A network that cannot be read may have any dimension: what is wrong with it is said where it is used.

    Raises:
        InputError: a name that means nothing.
    """
    if not dims:
        return
    try:
        known = [dimensions_of(path) for path in paths]
    except InputError:
        return
    for name, value in dims.items():
        if not any(one.has(name) for one in known):
            there = ", ".join(dict.fromkeys(each for one in known for each in one.names))
            whose = f"{paths[0]} has no" if len(paths) == 1 else f"none of {len(paths)} networks has a"
            raise InputError(f"--dim {name}={value}: {whose} dimension '{name}'; open are: {there or 'none'}")
