"""Pairs of recordings before and after one change: those that are public, and those that a folder lists itself.

``pairs.json`` beside this module lists public pairs with address, licence and what their truth is; the traces stay
where they are. A file of this name in a folder of traces adds pairs of one's own, in the same form.
"""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import msgspec

from dlbricks.errors import InputError
from dlbricks.typed_json import read_json
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.sources.load import graph_of_files

LIST = "pairs.json"
FITTED = "data-loader"


class TracePair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One change of which both sides were recorded."""

    before: tuple[str, ...]
    """Files below the folder; of several ranks one each."""
    after: tuple[str, ...]
    apply: str
    """What was changed, as ``--apply`` takes it."""
    address: str
    """Where the recordings are from."""
    licence: str
    """Theirs."""
    truth: str
    """What stands for it."""
    knew: str = ""
    """What the prediction knows beside the recording before, and what else differs between both sides."""
    fitted: bool = False
    """Of ``data-loader``: parameters are those that fit all other such pairs."""

    @property
    def case(self) -> str:
        """Name both sides, as in ``set/before to after``."""
        first, second = (Path(names[0]) for names in (self.before, self.after))
        return f"{first.parent / _short(first)} to {_short(second)}"


def _short(path: Path) -> str:
    return path.name.partition(".")[0]


def public_pairs() -> tuple[TracePair, ...]:
    """Give the public pairs that are known."""
    text = (files("dlbricks.whatif.backtest") / LIST).read_text(encoding="utf-8")
    return read_json(tuple[TracePair, ...], text, LIST)


def pairs_at(folder: Path) -> tuple[TracePair, ...]:
    """Give the pairs of which a folder has all files, public ones and those that it lists itself.

    Raises:
        InputError: its list cannot be read, or names a file that is not there.
    """
    known = [one for one in public_pairs() if all((folder / name).is_file() for name in (*one.before, *one.after))]
    path = folder / LIST
    if not path.is_file():
        return tuple(known)
    try:
        own = read_json(tuple[TracePair, ...], path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    for one in own:
        if not one.before or not one.after:
            raise InputError(f"{path}: a pair of '{one.apply}' has no file before or after")
        if one.fitted and one.apply.partition(":")[0] != FITTED:
            raise InputError(f"{path}: parameters can be fitted of {FITTED} only, not of '{one.apply}'")
        absent = next((name for name in (*one.before, *one.after) if not (folder / name).is_file()), None)
        if absent is not None:
            raise InputError(f"{path} names {absent}, which is not in {folder}")
    return (*known, *own)


def graphs_of(pair: TracePair, folder: Path) -> Iterator[DependencyGraph]:
    """Give the graphs before and after."""
    for names in (pair.before, pair.after):
        yield graph_of_files([folder / name for name in names])
