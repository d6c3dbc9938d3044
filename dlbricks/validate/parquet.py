"""Parquet files of archived runs, and lists that several of them share.

One format a file, named in its metadata, and one line for what is wrong. Steps, benchmarks of the manifest and names of
nodes follow from the network, so every run of it has the same: an archive may name such a list by its digest, and the
file that holds the lists lies beside the folder of the archive. Of lists whose items hold times of the run, too, only
the rest is shared; the times stay with the run, in columns.
"""

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.files import writing
from dlbricks.fingerprint import canonical_json
from dlbricks.typed_json import parse_json

_PAGE_BYTES = 1 << 27
"""Runs of one file repeat each other; in pages as large as this the compressor sees it."""


def require_pyarrow() -> Any:
    """Give pyarrow.

    Raises:
        MissingDependencyError: it is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise MissingDependencyError("archives of runs need pyarrow: install 'dlbricks[parquet]'") from error
    return pa


def read_table(path: Path, form: str) -> Any:
    """Read a file of a format.

    Raises:
        InputError: it cannot be read, is cut off, or is of another format.
        MissingDependencyError: pyarrow is not installed.
    """
    pa = require_pyarrow()
    try:
        with path.open("rb") as file:
            table = pa.parquet.read_table(file)
    except (pa.ArrowException, EOFError) as error:
        raise InputError(f"{path} is no archive of runs, or is cut off") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or 'it is cut off'}") from error
    if (table.schema.metadata or {}).get(b"format") != form.encode():
        raise InputError(f"{path} is no archive of runs")
    return table


def write_table(
    path: Path,
    table: Any,
    dictionary: Sequence[str] = (),
    encoding: Mapping[str, str] | None = None,
    *,
    window: bool = False,
) -> None:
    """Write a table, as small as can be.

    Args:
        path: where to.
        table: of pyarrow.
        dictionary: columns of few values.
        encoding: of other columns.
        window: compress with a window of 128 MB (zstd) instead of 4 MB (brotli, which is better at what is near).

    Raises:
        InputError: it cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    with writing(path) as scratch:
        require_pyarrow().parquet.write_table(
            table,
            scratch,
            compression="zstd" if window else "brotli",
            compression_level=22 if window else 11,
            use_dictionary=list(dictionary),
            column_encoding=encoding,
            data_page_size=_PAGE_BYTES,
            write_statistics=False,
        )


LISTS_FORMAT = "dlbricks-archive-lists"
LISTS_NAME = "lists.parquet"
_OWN: dict[tuple[str, ...], tuple[str, ...]] = {
    ("facts", "composition", "steps"): (),
    ("facts", "contexts"): (),
    ("facts", "profile", "nodes"): ("mean_us",),
    ("result", "suite", "manifest", "benchmarks"): (),
    ("result", "benchmarks"): ("disturbed", "load_ns", "sketches", "verdict", "wall_ns", "warmup_ns"),
}
"""Where lists lie that may be shared, and what of their items is the run's own."""


def place_of(archive: Path) -> Path:
    """Give where the shared lists of an archive lie."""
    return archive.absolute().parent.parent / LISTS_NAME


def take_out(head: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Give the head of a row with digests in the place of its lists, and the lists, as JSON, by digest."""
    made, found = copy.deepcopy(head), {}
    for holder, key, own in _holders(made):
        items = holder[key]
        if not all({*own} <= one.keys() for one in items):
            continue
        text = canonical_json([{name: value for name, value in one.items() if name not in own} for one in items])
        digest = hashlib.sha256(text).hexdigest()
        found[digest] = text.decode()
        holder[key] = {"digest": digest, "own": {name: [one[name] for one in items] for name in own}}
    return made, found


def put_back(head: dict[str, Any], lists: Callable[[], Mapping[str, str]], where: str) -> None:
    """Put lists in the place of the digests of a row's head; ``lists`` reads them, where the head names any.

    Raises:
        InputError: there is no list of a digest, or it does not fit what the run has of its own.
    """
    for holder, key, _ in _holders(head):
        if not isinstance(holder[key], dict):
            continue
        text = lists().get(str(holder[key].get("digest")))
        if text is None:
            raise InputError(f"{where}: its {key} should be in {LISTS_NAME} beside the archive's folder, and are not")
        items = parse_json(text, where)
        try:
            for name, values in holder[key]["own"].items():
                for one, value in zip(items, values, strict=True):
                    one[name] = value
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{where}: its {key} do not fit the list in {LISTS_NAME}") from error
        holder[key] = items


def read_lists(path: Path) -> dict[str, str]:
    """Read lists, as JSON, by digest; none where there is no file.

    Raises:
        InputError: the file is of another format.
        MissingDependencyError: pyarrow is not installed.
    """
    if not path.exists():
        return {}
    table = read_table(path, LISTS_FORMAT)
    return dict(zip(table.column("digest").to_pylist(), table.column("list").to_pylist(), strict=True))


def write_lists(path: Path, lists: Mapping[str, str]) -> None:
    """Write lists by digest, in the order of their texts, so that lists that are alike lie side by side.

    Raises:
        InputError: it cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    pa = require_pyarrow()
    ordered = sorted(lists.items(), key=lambda one: one[1])
    columns = {"digest": [digest for digest, _ in ordered], "list": [text for _, text in ordered]}
    schema = pa.schema({name: pa.string() for name in columns}, metadata={"format": LISTS_FORMAT})
    write_table(path, pa.table(columns, schema=schema), window=True)


def _holders(head: Any) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
    """Give the objects of a head that hold lists which may be shared, the key, and what of the items is the run's."""
    for (*path, key), own in _OWN.items():
        holder = head
        for name in path:
            holder = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and isinstance(holder.get(key), list | tuple | dict):
            yield holder, key, own
