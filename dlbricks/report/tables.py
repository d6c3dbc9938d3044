"""Tables of analyses as text, CSV, JSON and JavaScript objects of the page; sorting; the tables of ``profile``.

The standard library writes CSV and JSON, ``rich`` writes text. polars, pandas and ``tabulate`` were considered: they
format numbers by their own rules, and each form takes 10 to 20 lines without them.
"""

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import RenderableType

from dlbricks.analysis.calls import overheads
from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import Cell, Column, Table, select_rows
from dlbricks.errors import InputError
from dlbricks.files import write_text
from dlbricks.report.console import show, to_json
from dlbricks.report.console import table as rich_table
from dlbricks.trace.types import Profile, Roofs
from dlbricks.units import counted, format_bytes, format_ns, plain, shortened

# File suffix of each format of tables.
SUFFIXES = {"text": ".txt", "csv": ".csv", "json": ".json"}
# Most characters of a text cell: a longer one, such as the name of a kernel, would leave no room for figures.
WIDEST = 72
# Number of key columns, which begin each part of a wide table.
MOST_KEYS = 3
# Most rows of a table on the page: a browser sorts and filters these without delay; 'dlbricks analyse' gives all.
MOST_ROWS = 20_000

_FORMATS: Mapping[str, Callable[[float], str]] = {"ns": format_ns, "B": format_bytes, "%": "{:.1f} %".format}
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))
# Multiples of each base unit with their sizes, largest first.
_STEPS: Mapping[str, Sequence[tuple[float, str]]] = {
    "ns": ((1e9, "s"), (1e6, "ms"), (1e3, "us"), (1, "ns")),
    "B": ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B")),
    "B/s": ((2**30, "GiB/s"), (2**20, "MiB/s"), (1, "B/s")),
    "flop": [(size, f"{prefix}flop") for size, prefix in _PREFIXES],
    "flop/s": [(size, f"{prefix}flop/s") for size, prefix in _PREFIXES],
}
# Suffixes of column names that state a unit, longest first.
_ENDINGS = ("_flops_per_s", "_bytes_per_s", "_percent", "_per_s", "_bytes", "_flops", "_ns")
# Columns that ``profile`` shows; ``analyse`` shows all.
_OF_A_PROFILE = frozenset(
    ("batch", "levels", "calls", "added_percent", "index", "layer", "type", "shape", "latency_ns")
)
# Columns that have numbers but identify a row.
_KEYS = frozenset({"index", "batch"})


def text_tables(tables: Sequence[Table], most: int | None = None) -> list[RenderableType]:
    """Show the first rows of tables, or all, with readable units and without empty columns; shared notes come last."""
    items: list[RenderableType] = []
    notes = Counter(note for table in tables for note in table.notes)
    common = [note for note, count in notes.items() if count > 2]
    reasons: dict[str, list[str]] = {}
    for table in tables:
        if table.unavailable:
            reasons.setdefault(table.unavailable, []).append(table.id)
            continue
        names, columns = _filled(table)
        marked = [f">{name}" if _is_number(column) else name for name, column in zip(names, columns, strict=True)]
        keys = [column.type == "str" or column.name in _KEYS for column in columns[:MOST_KEYS]]
        listing = rich_table(*marked, title=f"{table.id}  {table.title}", keys=max(1, [*keys, False].index(False)))
        for row in _readable(columns, most):
            listing.add_row(*(shortened(cell, WIDEST) for cell in row))
        items.append(listing)
        if most is not None and len(table) > most:
            items.append(f"  {counted(len(table) - most, 'more row')}; --rows 0 shows all")
        items += [*(f"  {note}" for note in table.notes if note not in common), ""]
    return [*items, *common, *(f"{', '.join(ids)} not available: {reason}" for reason, ids in reasons.items())]


def csv_text(table: Table) -> str:
    """Serialise a table as CSV (RFC 4180, LF): None is empty, flags are ``true`` or ``false``, no text is a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_csv_cell(cell) for cell in row] for row in table.rows())
    return text.getvalue()


def _csv_cell(cell: Cell) -> Cell:
    if not isinstance(cell, str):
        return str(cell).lower() if isinstance(cell, bool) else cell
    text = plain(cell)
    return f"'{text}" if text.lstrip().startswith(("=", "+", "-", "@")) else text


def json_report(over: Sequence[Table], profiles: Sequence[tuple[str, Sequence[Table]]]) -> str:
    """Serialise the tables over all profiles, and the name and tables of each profile, as one JSON object."""
    own = [{"network": name, "tables": tables} for name, tables in profiles]
    return to_json("analyse", {"tables": over, "profiles": own}, indent=None)


def write_tables(tables: Sequence[Table], folder: Path, form: str) -> list[Path]:
    """Write each table to a file of its own in a folder, named by the table's id; an unavailable table has no CSV file.

    ``form`` is a key of ``SUFFIXES``. The folder is created if necessary.
    """
    files = []
    for table in tables:
        if table.unavailable and form == "csv":
            continue
        files.append(folder / f"{table.id}{SUFFIXES[form]}")
        write_text(files[-1], _TEXTS[form](table))
    return files


def _whole_text(table: Table) -> str:
    text = io.StringIO()
    show(*text_tables([table]), file=text)
    return text.getvalue()


_TEXTS: Mapping[str, Callable[[Table], str]] = {
    "text": _whole_text,
    "csv": csv_text,
    "json": lambda table: json_report([table], ()),
}


def sheet(table: Table, *, shown: bool = False) -> dict[str, Any]:
    """Convert a table to JSON for the page, which opens it at once if ``shown``.

    Returns:
        ``id``, ``title``, ``notes``, ``unavailable``, ``rows`` (number), ``cut`` (note on rows left out, or ``""``),
        ``shown`` and ``columns``: each with ``heading``, ``name``, ``unit``, ``meaning``, ``type`` and ``cells``.
        Columns of numbers have a divisor ``scale``; cells of text columns are indices into ``texts``.
    """
    rows = len(table)
    cut = f"the first {MOST_ROWS:,} of {rows:,} rows; 'dlbricks analyse' shows all" if rows > MOST_ROWS else ""
    latency = next((column for column in table.columns if column.name == "latency_ns"), None)
    columns = []
    for column in table.columns:
        about: dict[str, Any] = {"heading": heading(column), "unit": "", "cells": column.cells[:MOST_ROWS]}
        if _is_number(column):
            # Both ends of an interval get the unit of its latency, so that a reader can compare them.
            like = latency if latency and column.name in {"low_ns", "high_ns"} else column
            values = [cell for cell in like.cells[:MOST_ROWS] if isinstance(cell, int | float)]
            about["scale"], about["unit"] = step_of(column.unit, values)
        elif column.type == "str":
            about["texts"] = [text for text in dict.fromkeys(about["cells"]) if text is not None]
            places = {text: place for place, text in enumerate(about["texts"])}
            about["cells"] = [places.get(cell) for cell in about["cells"]]
        columns.append({"name": column.name, "meaning": column.meaning, "type": column.type, **about})
    return {
        "id": table.id,
        "title": table.title,
        "notes": table.notes,
        "unavailable": table.unavailable,
        "rows": rows,
        "cut": cut,
        "shown": shown,
        "columns": columns,
    }


def step_of(unit: str, values: Sequence[float]) -> tuple[float, str]:
    """Choose the multiple of a base unit in which the median of the non-zero values is easy to read.

    Returns:
        The divisor and the multiple, or (1, ``unit``) if the unit has no multiples.
    """
    sizes = sorted(abs(value) for value in values if value)
    median = sizes[len(sizes) // 2] if sizes else 0
    steps = _STEPS.get(unit, ((1, unit),))
    return next((step for step in steps if median >= step[0]), steps[-1])


def format_cell(cell: Cell, unit: str = "") -> str:
    """Format a cell with an easily read unit; None gives an empty text."""
    if cell is None or isinstance(cell, bool | str):
        return cell if isinstance(cell, str) else {None: "", True: "yes", False: "no"}[cell]
    if unit in _FORMATS:
        return _FORMATS[unit](cell)
    scale, step = step_of(unit, [cell])
    figure = str(cell) if isinstance(cell, int) and scale == 1 else f"{cell / scale:.4g}"
    return f"{figure}/s" if unit == "1/s" else f"{figure} {step}".rstrip()


def heading(column: Column) -> str:
    """Return the heading of a column: its name without the suffix that states the unit."""
    endings = [ending for ending in _ENDINGS if column.unit and column.name.endswith(ending) and column.name != ending]
    return column.name.removesuffix(endings[0] if endings else "").replace("_", " ")


def headings(columns: Sequence[Column]) -> list[str]:
    """Return the headings of columns; headings that would be equal get their unit."""
    names: list[str] = []
    for column in columns:
        name = heading(column)
        if name in names:
            name = f"{name} %" if column.unit == "%" else column.name.replace("_", " ")
        names.append(name)
    return names


def _readable(columns: Sequence[Column], most: int | None) -> Iterator[tuple[str, ...]]:
    # Yield the first rows, or all, as texts with easily read units.
    texts = ([format_cell(cell, column.unit) for cell in column.cells[:most]] for column in columns)
    return zip(*texts, strict=True)


def _filled(table: Table) -> tuple[list[str], Sequence[Column]]:
    # Leave out columns that are empty in every row, since they would only take width.
    filled = [column for column in table.columns if any(cell is not None for cell in column.cells)]
    return headings(filled or table.columns), filled or table.columns


def _is_number(column: Column) -> bool:
    return column.type in {"int", "float"}


def check_order(tables: Sequence[Table], order: str) -> None:
    """Check that at least one table has the column to sort by; ``ordered`` explains ``order``.

    Raises ``InputError`` if no table has the column; the message lists the columns there are.
    """
    name = order.removeprefix("-").strip()
    if not name:
        raise InputError(
            f"invalid --sort '{order}': expected a column such as latency, or -latency to sort the largest first"
        )
    available = [table for table in tables if not table.unavailable]
    if available and all(_sort_column(table, name) is None for table in available):
        names = dict.fromkeys(column.name for table in available for column in table.columns)
        raise InputError(f"invalid --sort '{name}': the columns are {', '.join(names)}")


def ordered(table: Table, order: str) -> Table:
    """Return a table with sorted rows, empty cells last; a table that lacks the column is returned as it is.

    ``order`` is a column's name or heading, as in ``latency_ns`` or ``latency``; a ``-`` before it reverses the order.
    Rows with equal values keep their order.
    """
    column = _sort_column(table, order.removeprefix("-").strip())
    if column is None:
        return table

    def key(row: int) -> tuple[bool, str, float]:
        cell = column.cells[row]
        return (True, cell.lower(), 0.0) if isinstance(cell, str) else (False, "", float(cell or 0))

    filled = [row for row in range(len(table)) if column.cells[row] is not None]
    empty = [row for row in range(len(table)) if column.cells[row] is None]
    rows = sorted(filled, key=key, reverse=order.startswith("-"))
    return replace(table, columns=select_rows(table.columns, [*rows, *empty]))


def _sort_column(table: Table, name: str) -> Column | None:
    # The name is tried first, since two columns may share a heading.
    wanted = name.lower().replace(" ", "_")
    by_heading = zip(headings(table.columns), table.columns, strict=True)
    candidates = [*((column.name, column) for column in table.columns), *by_heading]
    return next((column for name, column in candidates if name.replace(" ", "_") == wanted), None)


def profiles_report(profiles: Sequence[Profile], *, rows: int) -> list[RenderableType]:
    """Show for each profile a table of levels and the slowest layers (0 ``rows``: all), then peaks and notes."""
    items: list[RenderableType] = []
    for profile in profiles:
        layers, levels = (each.compute(profile) for each in chosen(("A2", "overhead")))
        chosen_columns = [
            replace(table, columns=tuple(column for column in table.columns if column.name in _OF_A_PROFILE))
            for table in (levels, ordered(layers, "-latency"))
        ]
        items += [profile.network, "", *text_tables(chosen_columns, rows or None)]
    roofs = next((profile.roofs for profile in profiles if profile.roofs is not None), None)
    if roofs is not None:
        rates = ", ".join(f"{format_cell(rate, 'flop/s')} {dtype}" for dtype, rate in roofs.flops_per_s.items())
        items.append(f"measured peaks of {roofs.device}: {rates}, {roofs.copied_bytes_per_s / 1e9:.4g} GB/s")
    # A note that all profiles share is about the machine, so it is shown once.
    shared = set.intersection(*(set(profile.notes) for profile in profiles)) if profiles else set()
    notes = [note if note in shared else f"{profile.network}, {note}" for profile in profiles for note in profile.notes]
    return [*items, *dict.fromkeys([*notes, *(note for profile in profiles for note in _run_notes(profile))])]


def network_levels(profiles: Sequence[Profile], places: Sequence[str | None]) -> list[dict[str, object]]:
    """Return the latency at each level of profiles of one machine; ``places`` has the file of each profile, or None."""
    return [
        {
            "network": profile.network,
            "file": place,
            "levels": overheads(profile),
            "roofs": profile.roofs,
            "notes": (*profile.notes, *_run_notes(profile)),
        }
        for profile, place in zip(profiles, places, strict=True)
    ]


def _run_notes(profile: Profile) -> list[str]:
    return [f"{profile.network}, {run.levels}: {note}" for run in profile.runs for note in run.trace.notes]


def roofs_report(roofs: Roofs) -> list[RenderableType]:
    """Show measured and theoretical peak FLOP/s and bandwidth of a device, and the source of the theoretical ones."""
    listing = rich_table("roof", ">measured", ">theoretical", ">share")
    rates = {
        f"product of {dtype}": (roofs.flops_per_s.get(dtype), roofs.stated_flops_per_s.get(dtype), "flop/s")
        for dtype in (*roofs.flops_per_s, *roofs.stated_flops_per_s)
    }
    rates["copy"] = (roofs.copied_bytes_per_s, roofs.stated_bytes_per_s, "B/s")
    for name, (measured, stated, unit) in rates.items():
        share = f"{100 * measured / stated:.0f} %" if measured and stated else ""
        listing.add_row(name, format_cell(measured, unit), format_cell(stated, unit), share)
    items: list[RenderableType] = [f"peak rates of {roofs.device}", listing]
    intensity = roofs.ideal_intensity()
    if intensity is not None:
        items.append(f"float32: above {intensity:.3g} flop/B peak FLOP/s is the limit, below it bandwidth")
    return [*items, f"theoretical: {roofs.source}"] if roofs.source else items
