"""Archives of validation runs, from which estimates can be composed and compared again without measuring.

An archive is a Parquet file with one row per run of a network. ``validate --keep`` writes a file for each network;
``write_runs`` writes many runs into one. A row has the facts of the run and its result document without visits, as
JSON, and the visits in list columns in the order of the benchmarks; ``visits`` has the number of visits of each
benchmark. Fields that no latency depends on are removed (``reduced``). Results of whole suites are stored in the same
way, without facts. Lists that runs of several files share may be in a separate file (``parquet``).
"""

import dataclasses
import functools
import itertools
import json
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.construct.types import Composition
from dlbricks.errors import InputError
from dlbricks.fingerprint import canonical_json
from dlbricks.harness.cache_state import NEAR
from dlbricks.harness.stats import counted
from dlbricks.limits import VALUES
from dlbricks.store.document import Document, read_document
from dlbricks.typed_json import checked, parse_json
from dlbricks.validate.parquet import (
    place_of,
    put_back,
    read_lists,
    read_table,
    require_pyarrow,
    take_out,
    write_lists,
    write_table,
)
from dlbricks.validate.types import BaselineStep, NodeTimes, StepContext, ValidationSettings

ARCHIVE_FORMAT = "dlbricks-validation-archive"
ARCHIVE_SCHEMA_VERSION = 3
_READ_VERSIONS = (b"2", b"3")
"""Version 2 is version 3 without shared lists."""
SUFFIX = ".parquet"
_OLD_SUFFIX = ".json.gz"
_ABSENT = "0" * 64
_MS_NS = 1_000_000
_COARSE_MS = 250
_MIB = 1 << 20
_CODES = [f"{name}.list.element" for name in ("state", "wait_ns", "calls", "samples")]
"""Columns with few distinct values, which are dictionary encoded."""
_SPREAD = {"samples_ns.list.element": "BYTE_STREAM_SPLIT"}
"""Columns that this encoding makes smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Facts of a run that are not in its result document."""

    settings: ValidationSettings
    composition: Composition
    contexts: tuple[StepContext, ...]
    """Contexts of the composition's steps."""
    whole: str
    """Fingerprint of the end-to-end benchmark."""
    baseline: tuple[BaselineStep, ...]
    profile: NodeTimes | None
    seconds: float
    """Duration of the whole run."""

    def __post_init__(self) -> None:
        """Check that there is one context per step."""
        if len(self.contexts) != len(self.composition.steps):
            raise ValueError(f"there are {len(self.contexts)} contexts for {len(self.composition.steps)} steps")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRun:
    """An archived run of one network."""

    facts: RunFacts
    document: Document
    """The reduced result document of the run."""

    @property
    def model(self) -> str:
        """Name of the network."""
        return self.facts.composition.model


def reduced(document: Mapping[str, Any]) -> Document:
    """Remove what no latency depends on from a result document; the result is a valid document.

    Removed are references, digests of networks and of parts' outputs, warm-ups and texts of verdicts, and disturbed
    visits of states with at least two undisturbed ones (except end-to-end visits, whose time counts as cost). In states
    with several visits, all calls of a visit are replaced by their median. Start times are rounded down: of anchors to
    1 ms, since drift is computed from them, of others to 250 ms. Reuse distances that no figure depends on are rounded
    down to 1 MiB.
    """
    manifest = document["suite"]["manifest"]
    listed = [
        {**one, "reference": None, "reference_note": "left out", "digest": _ABSENT} for one in manifest["benchmarks"]
    ]
    suite = {**document["suite"], "manifest": {**manifest, "benchmarks": listed}}
    return {**document, "suite": suite, "benchmarks": [_reduced_entry(one) for one in document["benchmarks"]]}


def _reduced_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    whole, curve = entry["role"] == "whole", entry["role"] == "curve"
    step_ns = _MS_NS if entry["role"] == "anchor" else _COARSE_MS * _MS_NS
    groups: dict[object, list[Mapping[str, Any]]] = {}
    for visit in entry["visits"]:
        groups.setdefault(_group(visit, curve), []).append(visit)
    visits = []
    for visit in entry["visits"]:
        same = groups[_group(visit, curve)]
        samples = visit["samples_ns"]
        if not whole and visit.get("disturbed") and sum(not one.get("disturbed") for one in same) > 1:
            continue
        if len(same) > 1:
            samples = [round(statistics.median(counted(samples)))] * len(samples)
        made = {**visit, "start_ns": visit["start_ns"] // step_ns * step_ns, "samples_ns": samples}
        if not curve and visit["state"] != NEAR:
            made["distance_bytes"] = visit["distance_bytes"] // _MIB * _MIB
        visits.append(made)
    return {
        **entry,
        "sketches": entry["sketches"] if whole else [],
        "warmup_ns": [],
        "verdict": {**entry["verdict"], "text": ""},
        "visits": visits,
    }


def _group(visit: Mapping[str, Any], curve: bool) -> object:
    """Return the key of the visits of a benchmark that are summarised together."""
    return visit["state"], (visit["distance_bytes"], visit.get("wait_ns")) if curve else None


def rounded(document: Document, digits: int) -> Document:
    """Round the samples of a result document to ``digits`` significant digits."""

    def near(value: int) -> int:
        step: int = 10 ** max(0, len(str(value)) - digits)
        return (value + step // 2) // step * step

    entries = [
        {**one, "visits": [{**visit, "samples_ns": [*map(near, visit["samples_ns"])]} for visit in one["visits"]]}
        for one in document["benchmarks"]
    ]
    return {**document, "benchmarks": entries}


def write_runs(path: Path, runs: Mapping[str, ArchivedRun], *, share: bool = False) -> None:
    """Write runs into one archive.

    Args:
        path: of the archive.
        runs: by name.
        share: whether to put lists that runs of other files share into the file of shared lists.

    Raises:
        InputError: the file cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    _write(path, [_row(name, run.document, run.facts) for name, run in runs.items()], share=share)


def write_results(path: Path, documents: Mapping[str, Document], *, share: bool = False) -> None:
    """Write results of suites into one archive, by name; ``share`` as in ``write_runs``.

    Raises:
        InputError: the file cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    _write(path, [_row(name, reduced(document), None) for name, document in documents.items()], share=share)


def read_runs(source: Path, names: Sequence[str] = ()) -> dict[str, ArchivedRun]:
    """Read runs by name.

    Args:
        source: an archive, or the folder of ``validate --keep``.
        names: names of the runs to read, in this order; empty for all.

    Raises:
        InputError: there is no run, or not every named one; or a file is not an archive, is of another version, is
            truncated, or has a field of a wrong type.
        MissingDependencyError: pyarrow is not installed.
    """
    paths = _paths(source)
    found: dict[str, ArchivedRun] = {}
    for path in paths:
        lists = functools.cache(lambda path=path: read_lists(place_of(path)))
        for row in _rows(path, names):
            where = f"{path}: {row['name']}"
            head = _head(row, where, lists)
            if head.get("facts") is None:
                raise InputError(f"{where} is the result of a suite, not a run of a validation")
            facts = checked(RunFacts, head["facts"], f"{where}: facts")
            found[row["name"]] = ArchivedRun(facts=facts, document=_document(head, row, where))
    lost = [name for name in names if name not in found]
    if lost:
        known = [name for path in paths for name in _column(path, "name")]
        raise InputError(f"{source} holds no run of {lost[0]}; it has {', '.join(known)}")
    return {name: found[name] for name in names} if names else found


def read_results(path: Path) -> dict[str, Document]:
    """Read results of suites by name.

    Raises:
        InputError: as ``read_runs``.
        MissingDependencyError: pyarrow is not installed.
    """
    lists = functools.cache(lambda: read_lists(place_of(path)))
    places = {row["name"]: (row, f"{path}: {row['name']}") for row in _rows(path, ())}
    return {name: _document(_head(row, where, lists), row, where) for name, (row, where) in places.items()}


def _paths(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise InputError(f"{source} is neither an archive nor a folder: name what validate --keep was given")
    found = sorted(source.glob(f"*{SUFFIX}"))
    if not found and any(source.glob(f"*{_OLD_SUFFIX}")):
        raise InputError(f"{source} was written by an older dlbricks (*{_OLD_SUFFIX}): validate again with --keep")
    if not found:
        raise InputError(f"{source} holds no archives (*{SUFFIX}): make some with validate --keep {source}")
    return found


def _row(name: str, document: Document, facts: RunFacts | None) -> dict[str, Any]:
    """Return the row of a reduced document."""
    entries = document["benchmarks"]
    visits = [visit for entry in entries for visit in entry["visits"]]
    bare = {**document, "benchmarks": [{**entry, "visits": []} for entry in entries]}
    kept = [len(set(visit["samples_ns"])) > 1 for visit in visits]
    return {
        "name": name,
        "head": {"facts": None if facts is None else dataclasses.asdict(facts), "result": bare},
        "visits": [len(entry["visits"]) for entry in entries],
        "state": [visit["state"] for visit in visits],
        "distance_bytes": [visit["distance_bytes"] for visit in visits],
        "wait_ns": [visit.get("wait_ns") for visit in visits],
        "disturbed": [visit.get("disturbed") for visit in visits],
        "start_ms": [visit["start_ns"] // _MS_NS for visit in visits],
        "calls": [len(visit["samples_ns"]) for visit in visits],
        "samples": [len(visit["samples_ns"]) if differ else 1 for visit, differ in zip(visits, kept, strict=True)],
        "samples_ns": [
            one
            for visit, differ in zip(visits, kept, strict=True)
            for one in (visit["samples_ns"] if differ else visit["samples_ns"][:1])
        ],
    }


def _write(path: Path, rows: Sequence[dict[str, Any]], *, share: bool) -> None:
    pa = require_pyarrow()
    if share:
        lists = read_lists(place_of(path))
        for row in rows:
            row["head"], taken = take_out(row["head"])
            lists |= taken
        write_lists(place_of(path), lists)
    packed = [{**row, "head": canonical_json(row["head"]).decode()} for row in rows]
    write_table(path, pa.Table.from_pylist(packed, schema=_schema(pa)), _CODES, _SPREAD)


def _schema(pa: Any) -> Any:
    numbers = {name: pa.list_(pa.int64()) for name in ("distance_bytes", "start_ms", "samples_ns")}
    counts = {name: pa.list_(pa.int32()) for name in ("visits", "calls", "samples")}
    fields = {
        "name": pa.string(),
        "head": pa.string(),
        "visits": counts["visits"],
        "state": pa.list_(pa.string()),
        "distance_bytes": numbers["distance_bytes"],
        "wait_ns": pa.list_(pa.int64()),
        "disturbed": pa.list_(pa.bool_()),
        "start_ms": numbers["start_ms"],
        "calls": counts["calls"],
        "samples": counts["samples"],
        "samples_ns": numbers["samples_ns"],
    }
    return pa.schema(fields, metadata={"format": ARCHIVE_FORMAT, "schema_version": str(ARCHIVE_SCHEMA_VERSION)})


def _rows(path: Path, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the rows of an archive with some names, or all."""
    table = _table(path)
    for index, name in enumerate(table.column("name").to_pylist()):
        if not names or name in names:
            yield from table.slice(index, 1).to_pylist()


def _column(path: Path, name: str) -> list[Any]:
    return list(_table(path).column(name).to_pylist())


def _table(path: Path) -> Any:
    table = read_table(path, ARCHIVE_FORMAT)
    version = table.schema.metadata.get(b"schema_version")
    if version not in _READ_VERSIONS or not table.schema.equals(_schema(require_pyarrow())):
        raise InputError(f"{path} was written by another version of dlbricks: validate again with --keep")
    return table


def _head(row: Mapping[str, Any], where: str, lists: Callable[[], Mapping[str, str]]) -> dict[str, Any]:
    head = parse_json(row["head"], where)
    if not isinstance(head, dict) or "result" not in head:
        raise InputError(f"{where} is not a run of a validation")
    put_back(head, lists, where)
    return head


def _document(head: Mapping[str, Any], row: Mapping[str, Any], where: str) -> Document:
    """Put the visits of a row back into its result document."""
    try:
        text = json.dumps(_filled(head["result"], row))
    except (TypeError, KeyError, ValueError, RuntimeError) as error:
        raise InputError(f"{where}: the columns of its visits do not fit its result") from error
    try:
        return read_document(text.encode())
    except InputError as error:
        raise InputError(f"{where}: {error}") from error


def _filled(document: Any, row: Mapping[str, Any]) -> Any:
    columns = ("state", "distance_bytes", "wait_ns", "disturbed", "start_ms", "calls", "samples")
    if sum(row["calls"]) > VALUES:  # a visit of equal calls is one number in the file
        raise ValueError
    samples, visits = iter(row["samples_ns"]), zip(*(row[name] for name in columns), strict=True)
    for entry, count in zip(document["benchmarks"], row["visits"], strict=True):
        entry["visits"] = [_visit(one, samples) for one in itertools.islice(visits, count)]
    if [*samples, *visits]:
        raise ValueError
    return document


def _visit(columns: Sequence[Any], samples: Iterator[int]) -> dict[str, Any]:
    state, distance, wait, disturbed, start, calls, count = columns
    known = [*itertools.islice(samples, count)]
    made = {
        "start_ns": start * _MS_NS,
        "state": state,
        "distance_bytes": distance,
        "samples_ns": known if count == calls else known * calls,
    }
    if wait is not None:
        made["wait_ns"] = wait
    if disturbed is not None:
        made["disturbed"] = disturbed
    return made
