"""Where archived runs lie, packing them, and tables in pages: shared by the scripts of this folder.

``python benchmarks/archives.py DIR FILE.parquet`` packs what ``dlbricks validate --keep DIR`` has left into one file,
samples rounded to four digits, and removes lists that no archive refers to; results of suites,
``RESULT.json...`` in the place of ``DIR``, as they are.
"""

import csv
import io
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
from kept_runs import LISTS_NAME, read_lists, read_runs, rounded, write_lists, write_results, write_runs

from dlbricks.files import read_text, write_text
from dlbricks.store.document import read_document
from dlbricks.validate.types import ArchivedRun

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "suites" / "results"
NETWORKS = ROOT / "suites" / "networks"
DATA = ROOT / "docs" / "data"
PAGE = ROOT / "docs" / "accuracy.md"
HELD_OUT = "-held-out"
"""End of the names of archives that teach no band, so that their figures judge what others taught."""
DIGITS = 4
"""Significant digits of samples that are kept."""


def systems(results: Path) -> list[Path]:
    """Give the folders of systems: those with archives; other results are files right there."""
    return sorted(path for path in results.iterdir() if path.is_dir() and any(path.glob("*.parquet")))


def suites_of(system: Path) -> Path:
    """Give the archive of results of suites, which need not be there."""
    return system / "suites.parquet"


def archives_of(system: Path) -> list[Path]:
    """Give the archives of validations of a system."""
    return sorted(path for path in system.glob("*.parquet") if path != suites_of(system))


def packed(run: ArchivedRun) -> ArchivedRun:
    """Give a run as it is kept: samples rounded."""
    return replace(run, document=rounded(run.document, DIGITS))


def markdown(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a table; names of columns that begin with ``>`` are set flush right."""
    head = [column.removeprefix(">") for column in columns]
    rule = ["---:" if column.startswith(">") else "---" for column in columns]
    cells = [[str(cell).replace("|", "\\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in (head, rule, *cells))


def write_csv(name: str, rows: Sequence[Mapping[str, object]], folder: Path = DATA) -> None:
    """Write rows of the same columns as ``docs/data/<name>.csv``."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_text(folder / f"{name}.csv", text.getvalue())


def read_csv(name: str, folder: Path = DATA) -> list[dict[str, str]]:
    """Read what ``write_csv`` wrote."""
    return [*csv.DictReader(io.StringIO(read_text(folder / f"{name}.csv", what="table")))]


def put_table(name: str, table: str, page: Path = PAGE) -> None:
    """Put a table into a page, between ``<!-- NAME -->`` and ``<!-- end -->``."""
    before = read_text(page, what="page")
    after, count = re.subn(
        rf"(<!-- {re.escape(name)} -->\n).*?(<!-- end -->)",
        lambda found: f"{found[1]}\n{table}\n{found[2]}",
        before,
        flags=re.DOTALL,
    )
    if count != 1:
        raise SystemExit(f"{page} has no place for the table '{name}'")
    write_text(page, after)


def drop_unused_lists(results: Path) -> None:
    """Remove the shared lists that no archive of a folder refers to any more."""
    used = {
        digest
        for archive in results.glob("*/*.parquet")
        for head in pq.read_table(archive, columns=["head"]).column("head").to_pylist()
        for digest in re.findall(r'"digest":"([0-9a-f]{64})"', head)
    }
    lists = read_lists(results / LISTS_NAME)
    if not lists.keys() <= used:
        write_lists(results / LISTS_NAME, {digest: lists[digest] for digest in lists if digest in used})


if __name__ == "__main__":
    *sources, archive = map(Path, sys.argv[1:])
    if sources[0].is_dir():
        write_runs(archive, {name: packed(run) for name, run in read_runs(sources[0]).items()}, share=True)
    else:
        write_results(archive, {one.stem: read_document(one.read_bytes()) for one in sources}, share=True)
    drop_unused_lists(archive.absolute().parent.parent)
