"""Parquet files of archived runs, and lists that several of them share.

The metadata of a file name its format. Steps, benchmarks of the manifest and names of nodes follow from the network, so
all its runs have the same: an archive may refer to such a list by its digest, and the lists are in a file beside the
archive's folder. If the items of a list also have times of the run, these stay with the run, in columns.
"""

import copy
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.files import writing
from dlbricks.fingerprint import canonical_json
from dlbricks.limits import ARCHIVE_BYTES
from dlbricks.process_pool import read_apart
from dlbricks.typed_json import parse_json
from dlbricks.units import format_bytes

_PAGE_BYTES = 1 << 27
"""Page size that is large enough for the compressor to find repetitions between runs."""


def require_pyarrow() -> Any:
    """Import and return pyarrow.

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
    """Read a Parquet file of a format, in a worker process.

    Raises:
        InputError: it cannot be read, is truncated or too large, or is of another format.
        MissingDependencyError: pyarrow is not installed.
    """
    require_pyarrow()
    return read_apart(_read_table, (path, form), f"archive {path}")


def _read_table(asked: tuple[Path, str]) -> Any:
    path, form = asked
    pa = require_pyarrow()
    try:
        with path.open("rb") as file:
            table = pa.parquet.read_table(file, use_threads=False)
        _ = table.schema.names  # only here it shows that one is no UTF-8
    except (pa.ArrowException, EOFError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is not an archive of runs, or is damaged") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or 'it is damaged or cut off'}") from error
    if (table.schema.metadata or {}).get(b"format") != form.encode():
        raise InputError(f"{path} is not an archive of runs")
    if table.nbytes > ARCHIVE_BYTES:
        raise InputError(f"{path} unpacks to {format_bytes(table.nbytes)}, the limit is {format_bytes(ARCHIVE_BYTES)}")
    return table


def write_table(
    path: Path,
    table: Any,
    dictionary: Sequence[str] = (),
    encoding: Mapping[str, str] | None = None,
    *,
    window: bool = False,
) -> None:
    """Write a table with the strongest compression.

    Args:
        path: of the file.
        table: a pyarrow table.
        dictionary: columns to be dictionary encoded.
        encoding: encodings of other columns.
        window: whether to compress with zstd and a window of 128 MB instead of brotli with 4 MB, which compresses
            nearby repetitions better.

    Raises:
        InputError: the file cannot be written.
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
"""Paths of the lists that may be shared, and the fields of their items that stay with the run."""


def place_of(archive: Path) -> Path:
    """Return the path of the file of shared lists of an archive."""
    return archive.absolute().parent.parent / LISTS_NAME


def take_out(head: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Replace the lists of a row's head by digests; returns the new head, and the lists as JSON by digest."""
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
    """Replace the digests of a row's head by their lists; ``lists`` is called only if there is a digest.

    Raises:
        InputError: there is no list of a digest, or its length differs from that of the run's own fields.
    """
    for holder, key, _ in _holders(head):
        if not isinstance(holder[key], dict):
            continue
        text = lists().get(str(holder[key].get("digest")))
        if text is None:
            raise InputError(f"{where}: its {key} are not in {LISTS_NAME} beside the archive's folder")
        items = parse_json(text, where)
        try:
            for name, values in holder[key]["own"].items():
                for one, value in zip(items, values, strict=True):
                    one[name] = value
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InputError(f"{where}: its {key} do not fit the list in {LISTS_NAME}") from error
        holder[key] = items


def read_lists(path: Path) -> dict[str, str]:
    """Read shared lists, as JSON, by digest; empty if there is no file.

    Raises:
        InputError: the file is of another format, or lacks a list.
        MissingDependencyError: pyarrow is not installed.
    """
    if not path.exists():
        return {}
    table = read_table(path, LISTS_FORMAT)
    if not table.schema.equals(_lists_schema(require_pyarrow())) or any(one.null_count for one in table.columns):
        raise InputError(f"{path} has other columns than shared lists have, or lacks values")
    return dict(zip(table.column("digest").to_pylist(), table.column("list").to_pylist(), strict=True))


def write_lists(path: Path, lists: Mapping[str, str]) -> None:
    """Write shared lists, sorted by text so that similar lists are adjacent.

    Raises:
        InputError: the file cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    pa = require_pyarrow()
    ordered = sorted(lists.items(), key=lambda one: one[1])
    columns = {"digest": [digest for digest, _ in ordered], "list": [text for _, text in ordered]}
    write_table(path, pa.table(columns, schema=_lists_schema(pa)), window=True)


def _lists_schema(pa: Any) -> Any:
    return pa.schema({name: pa.string() for name in ("digest", "list")}, metadata={"format": LISTS_FORMAT})


def _holders(head: Any) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
    """Yield the object and key of each list of a head that may be shared, and the fields that stay with the run."""
    for (*path, key), own in _OWN.items():
        holder = head
        for name in path:
            holder = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and isinstance(holder.get(key), list | tuple | dict):
            yield holder, key, own
