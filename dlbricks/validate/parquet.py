"""Parquet files of archived runs: one format a file, named in its metadata, and one line for what is wrong."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.files import writing

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
