"""Writes tables of analyses as text, CSV and JSON, sorts them, and builds the tables of ``profile`` and ``doctor``.

The standard library writes CSV and JSON, ``rich`` writes text. polars, pandas and ``tabulate`` were considered, but
they format numbers by their own rules.
"""

import contextlib
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import RenderableType

from dlbricks.analysis.calls import overheads
from dlbricks.analysis.catalogue import chosen
from dlbricks.analysis.table import AnalysisTables, Breakdown, Cell, Column, Table, select_rows
from dlbricks.api.diagnosis import Diagnosis
from dlbricks.errors import InputError
from dlbricks.files import write_text, writing
from dlbricks.report.console import show, to_json
from dlbricks.report.console import table as rich_table
from dlbricks.trace.types import Profile, Roofs
from dlbricks.units import counted, format_bytes, format_ns, plain, shortened
from dlbricks.whatif.explain import PYTHON, sentence

if TYPE_CHECKING:
    from dlbricks.api.profiles import ProfiledNetworks

# File suffix of each format of tables.
SUFFIXES = {"text": ".txt", "csv": ".csv", "json": ".json"}
# Most characters of a cell on a terminal: a longer one, as the name of a kernel, would leave no room for figures.
WIDEST = 72
# Most characters of a name on the screen of ``breakdown_report``, whose rows fit a terminal of 80 characters.
_NAME = 36
# Parts of names that tell nothing there.
_USUAL = re.compile(
    r"\bvoid |std::enable_if<[^>]{0,50}>::type |autograd::\w+::\w+: |at::native::|\(anonymous namespace\)::"
    r"|onnxruntime::(contrib::)?cuda::|cudnn::(engines_precompiled::)?|cutlass::Kernel2?<|(?<=cutlass_\d\d_)tensorop_"
)
# Number of key columns, which begin each part of a wide table.
MOST_KEYS = 3
# Most rows of a table on the page: a browser sorts and filters these without delay; 'dlbricks analyse' gives all.
MOST_ROWS = 20_000

_FORMATS: Mapping[str, Callable[[float], str]] = {"ns": format_ns, "B": format_bytes, "%": "{:.1f} %".format}
_PREFIXES = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))
# Mark of each level of a ``MachineCondition``.
_MARKS = {"good": "ok", "note": "-", "warning": "!"}
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
    """Show tables with readable units, at most ``most`` rows of each (None: all rows), and their notes."""
    items: list[RenderableType] = []
    notes = Counter(note for table in tables for note in table.notes)
    common = [note for note, count in notes.items() if count > 2]
    for table in (table for table in tables if not table.unavailable):
        items.append(_listing(table, f"{table.id}  {table.title}", lambda cell: shortened(cell, WIDEST), most))
        if most is not None and len(table) > most:
            items.append(f"  {counted(len(table) - most, 'more row')}; --rows 0 shows all")
        items += [*(f"  {note}" for note in table.notes if note not in common), ""]
    return [*items, *common, *_unavailable(tables)]


def breakdown_report(network: str, screen: Breakdown) -> list[RenderableType]:
    """Show where the time of a step goes, on one screen: total, device, critical path, and two short tables."""
    per = f"per {screen.unit}, median of {counted(screen.steps, screen.unit)}" if screen.steps else "in all"
    alone = f"; {format_ns(screen.untraced_ns)} without tracing of layers" if screen.untraced_ns else ""
    on_device = ", on the device" if "idle" in screen.shares_ns and not screen.waits_ns else ""
    lines = [f"{network}: {format_ns(screen.time_ns)} {per}{alone}".removeprefix(": ")]
    for what, times in (
        (f"device {screen.device}".strip() if "idle" in screen.shares_ns else "time", screen.shares_ns),
        ("while idle, the device waits for", screen.waits_ns),
        (f"critical path of the {'run' if screen.unit == 'whole' else screen.unit}{on_device}", screen.path_ns),
    ):
        text = sentence(times).replace(PYTHON, f"{PYTHON} and framework between operators")
        lines += [f"{what}: {text}"] if any(times.values()) else []
    items: list[RenderableType] = [*lines, *screen.notes, ""]
    for table in (table for table in screen.tables if not table.unavailable):
        title = f"{table.id} {table.title}"
        items.append(_listing(table, title, lambda cell: shortened(_USUAL.sub("", cell), _NAME)))
    return items


def csv_text(table: Table) -> str:
    """Serialise a table as CSV (RFC 4180, LF). None is empty, flags are ``true`` or ``false``, no cell is a formula."""
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


def analysis_report(analysed: AnalysisTables, rows: int) -> list[RenderableType]:
    """Show the tables over all profiles, then screen and tables of each profile with ``rows`` rows (0: all)."""
    items = text_tables(analysed.tables, rows or None)
    for each in analysed.profiles:
        if each.breakdown is not None:
            items += [*breakdown_report(each.network, each.breakdown), ""]
        titled = [each.network, ""] if len(analysed.profiles) > 1 else []
        items += [*titled, *text_tables(each.tables, rows or None)]
    return items


def analysis_text(analysed: AnalysisTables, form: str) -> str:
    """Serialise tables in a format of ``SUFFIXES``; raises ``InputError`` for CSV unless there is exactly one table."""
    if form == "json":
        return to_json("analyse", analysed, indent=None)
    if form == "text":
        stream = io.StringIO()
        show(*analysis_report(analysed, 0), file=stream)
        return stream.getvalue()
    tables = analysed.every
    if len(tables) != 1:
        raise InputError(
            f"CSV has room for one table, not {len(tables)}: choose one with --only, or name a folder with -o"
        )
    if tables[0].unavailable:
        raise InputError(f"{tables[0].id} is not available: {tables[0].unavailable}")
    return csv_text(tables[0])


def write_analysis(analysed: AnalysisTables, place: Path, form: str) -> list[str]:
    """Write each table to a file in a folder, with a subfolder for each of several profiles; return remarks.

    Raises ``InputError`` if two profiles have the same name, or if the folder cannot be written.
    """
    # a network's name may have characters that a folder's name must not have, or begin with a dot
    names = [re.sub(r"^\.+|[^\w.-]", "_", each.network) for each in analysed.profiles]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"two files have a network named {twice}: run the command for each, with different folders")
    # the folder appears with all its tables or not at all
    with contextlib.nullcontext(place) if place.exists() else writing(place) as folder:
        written = write_tables(analysed.tables, folder, form)
        for name, each in zip(names, analysed.profiles, strict=True):
            written += write_tables(each.tables, folder / name if len(names) > 1 else folder, form)
    return [f"{counted(len(written), 'file')} in {place}", *_unavailable(analysed.every)]


def _unavailable(tables: Sequence[Table]) -> list[str]:
    # Return a line for each reason why tables are not available.
    reasons: dict[str, dict[str, None]] = {}
    for table in tables:
        if table.unavailable:
            reasons.setdefault(table.unavailable, {})[table.id] = None
    return [f"{', '.join(ids)} not available: {reason}" for reason, ids in reasons.items()]


def write_tables(tables: Sequence[Table], folder: Path, form: str) -> list[Path]:
    """Write each table to a file in a folder, named by the table's id; an unavailable table has no CSV file.

    ``form`` is a key of ``SUFFIXES``. The folder is created if it is missing.
    """
    files = []
    for table in tables:
        if table.unavailable and form == "csv":
            continue
        files.append(folder / f"{table.id}{SUFFIXES[form]}")
        write_text(files[-1], analysis_text(AnalysisTables(tables=(table,)), form))
    return files


def sheet(table: Table, *, shown: bool = False) -> dict[str, Any]:
    """Convert a table to JSON for the page; with ``shown`` the page opens the table at once.

    Returns:
        ``id``, ``title``, ``notes``, ``unavailable``, ``rows`` (number), ``cut`` (a note on omitted rows, or ""),
        ``shown`` and ``columns``. A column has ``heading``, ``name``, ``unit``, ``meaning``, ``type`` and ``cells``.
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
        The divisor and the name of the multiple; (1, ``unit``) for a unit without multiples.
    """
    sizes = sorted(abs(value) for value in values if value)
    median = sizes[len(sizes) // 2] if sizes else 0
    steps = _STEPS.get(unit, ((1, unit),))
    return next((step for step in steps if median >= step[0]), steps[-1])


def format_cell(cell: Cell, unit: str = "") -> str:
    """Format a cell with an easily read unit; None becomes an empty text."""
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
    """Return the headings of columns; columns with equal names get their units as well."""
    names: list[str] = []
    for column in columns:
        name = heading(column)
        if name in names:
            name = f"{name} %" if column.unit == "%" else column.name.replace("_", " ")
        names.append(name)
    return names


def _listing(table: Table, title: str, brief: Callable[[str], str], most: int | None = None) -> RenderableType:
    # Show the first rows, or all, with easily read units; columns that are empty in every row would only take width.
    columns = [each for each in table.columns if any(cell is not None for cell in each.cells)] or table.columns
    marked = [f">{name}" if _is_number(each) else name for name, each in zip(headings(columns), columns, strict=True)]
    keys = [each.type == "str" or each.name in _KEYS for each in columns[:MOST_KEYS]]
    listing = rich_table(*marked, title=title, keys=max(1, [*keys, False].index(False)))
    listing.brief = brief
    for row in zip(*([format_cell(cell, each.unit) for cell in each.cells[:most]] for each in columns), strict=True):
        listing.add_row(*row)
    return listing


def _is_number(column: Column) -> bool:
    return column.type in {"int", "float"}


def in_order(analysed: AnalysisTables, order: str) -> AnalysisTables:
    """Sort the rows of all tables by a column; ``order`` is as for ``ordered``.

    Raises ``InputError`` if no table has the column; the message lists the existing columns.
    """
    name = order.removeprefix("-").strip()
    if not name:
        raise InputError(
            f"invalid --sort '{order}': expected a column such as latency, or -latency to sort the largest first"
        )
    available = [table for table in analysed.every if not table.unavailable]
    if available and all(_sort_column(table, name) is None for table in available):
        names = dict.fromkeys(column.name for table in available for column in table.columns)
        raise InputError(f"invalid --sort '{name}': the columns are {', '.join(names)}")
    over, *own = (
        tuple(ordered(table, order) for table in tables)
        for tables in (analysed.tables, *(each.tables for each in analysed.profiles))
    )
    profiles = (replace(each, tables=tables) for each, tables in zip(analysed.profiles, own, strict=True))
    return AnalysisTables(tables=over, profiles=tuple(profiles))


def ordered(table: Table, order: str) -> Table:
    """Sort the rows of a table by a column, empty cells last; a table without the column does not change.

    ``order`` is a column's name or heading, as in ``latency_ns`` or ``latency``; a ``-`` before it reverses the order.
    Rows with equal values keep their order.
    """
    column = _sort_column(table, order.removeprefix("-").strip())
    if column is None:
        return table

    def key(row: int) -> tuple[bool, str, float]:
        cell = column.cells[row]
        return (True, cell.lower(), 0.0) if isinstance(cell, str) else (False, "", float(cell or 0))

    rows = sorted(range(len(table)), key=key, reverse=order.startswith("-"))
    rows.sort(key=lambda row: column.cells[row] is None)
    return replace(table, columns=select_rows(table.columns, rows))


def _sort_column(table: Table, name: str) -> Column | None:
    # The name is tried first, since two columns may share a heading.
    wanted = name.lower().replace(" ", "_")
    by_heading = zip(headings(table.columns), table.columns, strict=True)
    candidates = [*((column.name, column) for column in table.columns), *by_heading]
    return next((column for name, column in candidates if name.replace(" ", "_") == wanted), None)


def profiles_report(profiled: "ProfiledNetworks", *, rows: int) -> list[RenderableType]:
    """Show for each profile the latency by tracing level, ``rows`` slowest layers (0: all), peak rates and notes."""
    items: list[RenderableType] = []
    profiles = list(profiled.profiles.values())
    for profile in profiles:
        layers, levels = (each.compute(profile) for each in chosen(("A2", "overhead")))
        chosen_columns = [
            replace(table, columns=tuple(column for column in table.columns if column.name in _OF_A_PROFILE))
            for table in (levels, ordered(layers, "-latency"))
        ]
        threads = profile.runtime.get("threads")
        items += [
            profile.network + (f", {counted(threads, 'thread')}" if threads else ""),
            "",
            *text_tables(chosen_columns, rows or None),
        ]
    roofs = next((profile.roofs for profile in profiles if profile.roofs is not None), None)
    if roofs is not None:
        rates = ", ".join(f"{format_cell(rate, 'flop/s')} {dtype}" for dtype, rate in roofs.flops_per_s.items())
        items.append(f"measured peaks of {roofs.device}: {rates}, {roofs.copied_bytes_per_s / 1e9:.4g} GB/s")
    # A note that all profiles share is about the machine, so it is shown once.
    shared = set.intersection(*(set(profile.notes) for profile in profiles)) if profiles else set()
    notes = [note if note in shared else f"{profile.network}, {note}" for profile in profiles for note in profile.notes]
    notes += [note for profile in profiles for note in _run_notes(profile)]
    files = (f"{file}: the profile" for path, file in profiled.files.items() if path in profiled.profiles)
    return [*items, *dict.fromkeys(notes), *files]


def network_levels(profiled: "ProfiledNetworks") -> list[dict[str, object]]:
    """Return network, file (or None), latency by level of tracing, peaks and notes of each profile, for JSON."""
    return [
        {
            "network": profile.network,
            "file": str(profiled.files[path]) if path in profiled.files else None,
            "levels": overheads(profile),
            "roofs": profile.roofs,
            "notes": (*profile.notes, *_run_notes(profile)),
        }
        for path, profile in profiled.profiles.items()
    ]


def _run_notes(profile: Profile) -> list[str]:
    return [f"{profile.network}, {run.levels}: {note}" for run in profile.runs for note in run.trace.notes]


def roofs_report(roofs: Roofs) -> list[RenderableType]:
    """Show measured and theoretical peak FLOP/s and bandwidth of a device, and the source of the theoretical values."""
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


def diagnosis_report(diagnosis: Diagnosis) -> list[RenderableType]:
    """Show the state of each aspect of a machine with advice, and its peak rates if they were measured."""
    listing = rich_table("", "subject", "state", "advice")
    for condition in diagnosis.conditions:
        listing.add_row(_MARKS[condition.level], condition.subject, condition.state, condition.advice)
    return [listing, *(roofs_report(diagnosis.roofs) if diagnosis.roofs else ())]
