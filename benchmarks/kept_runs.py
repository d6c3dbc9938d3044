"""Archives of runs: reading what ``dlbricks validate --keep`` wrote, and packing many runs into one file.

``validate --keep`` writes a JSON file for each network, with the facts of the run and its result document. An archive
is a Parquet file with one row per run of a network: the facts and the result document without visits, as JSON, and the
visits in list columns in the order of the benchmarks; ``visits`` has the number of visits of each benchmark. Fields
that no latency depends on are removed (``reduced``). Results of whole suites are stored in the same way, without facts.
Steps, benchmarks of the manifest and names of nodes follow from the network,
so all its runs have the same: a packed archive refers to such a list by its digest, and the lists are in a file beside
the archive's folder.
"""

import copy
import dataclasses
import functools
import hashlib
import itertools
import json
import statistics
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dlbricks.errors import InputError
from dlbricks.files import read_text, writing
from dlbricks.harness.cache_state import LLC_WARM
from dlbricks.harness.stats import counted
from dlbricks.store.document import Document, read_document
from dlbricks.typed_json import canonical_json, checked, parse_json
from dlbricks.validate.compare import sealed
from dlbricks.validate.measure import RUN_FORMAT, RUN_SCHEMA_VERSION
from dlbricks.validate.types import ArchivedRun, RunFacts

ARCHIVE_FORMAT = "dlbricks-validation-archive"
ARCHIVE_SCHEMA_VERSION = 4
MS_NS = 1_000_000
_ABSENT_DIGEST = "0" * 64
_COARSE_MS = 250
_MIB = 1 << 20
# large enough for the compressor to find repetitions between runs
_PAGE_BYTES = 1 << 27
# columns with few distinct values
_DICTIONARY = [f"{name}.list.element" for name in ("state", "wait_ns", "calls", "samples")]
# columns that this encoding makes smaller
_ENCODINGS = {"samples_ns.list.element": "BYTE_STREAM_SPLIT"}
LISTS_NAME = "lists.parquet"
_LISTS_FORMAT = "dlbricks-archive-lists"
_LISTS_SCHEMA = pa.schema({name: pa.string() for name in ("digest", "list")}, metadata={"format": _LISTS_FORMAT})
_READ_VERSIONS = (b"2", b"3", b"4")
"""Version 2 is version 3 without shared lists; each run of version 4 has a digest, of older ones some have."""
_OWN: dict[tuple[str, ...], tuple[str, ...]] = {
    ("facts", "composition", "steps"): (),
    ("facts", "contexts"): (),
    ("facts", "profile", "nodes"): ("mean_us",),
    ("result", "suite", "manifest", "benchmarks"): (),
    ("result", "benchmarks"): ("disturbed", "load_ns", "output_digests", "verdict", "wall_ns", "warmup_ns"),
}
"""Paths of the lists that may be shared, and the fields of their items that stay with the run."""


def reduced(document: Mapping[str, Any]) -> Document:
    """Remove what no latency depends on from a result document; the result is a valid document.

    Removed are references, digests of networks and of parts' outputs, warm-ups and texts of verdicts, and disturbed
    visits of states with at least two undisturbed ones (except end-to-end visits, whose time counts as cost). In states
    with several visits, all calls of a visit are replaced by their median. Start times are rounded down: of anchors to
    1 ms, since drift is computed from them, of others to 250 ms. Reuse distances that no figure depends on are rounded
    down to 1 MiB.
    """
    manifest = document["suite"]["manifest"]
    benchmarks = [
        {**benchmark, "reference": None, "reference_note": "left out", "digest": _ABSENT_DIGEST}
        for benchmark in manifest["benchmarks"]
    ]
    suite = {**document["suite"], "manifest": {**manifest, "benchmarks": benchmarks}}
    return {**document, "suite": suite, "benchmarks": [_reduced_entry(entry) for entry in document["benchmarks"]]}


def _reduced_entry(entry: Mapping[str, Any]) -> dict[str, Any]:
    whole, curve = entry["role"] == "whole", entry["role"] == "curve"
    step_ns = MS_NS if entry["role"] == "anchor" else _COARSE_MS * MS_NS
    groups: dict[object, list[Mapping[str, Any]]] = {}
    for visit in entry["visits"]:
        groups.setdefault(_group(visit, curve), []).append(visit)
    visits = []
    for visit in entry["visits"]:
        group = groups[_group(visit, curve)]
        samples = visit["samples_ns"]
        if not whole and visit.get("disturbed") and sum(not other.get("disturbed") for other in group) > 1:
            continue
        if len(group) > 1:
            samples = [round(statistics.median(counted(samples)))] * len(samples)
        rounded_visit = {**visit, "start_ns": visit["start_ns"] // step_ns * step_ns, "samples_ns": samples}
        if not curve and visit["state"] != LLC_WARM:
            rounded_visit["distance_bytes"] = visit["distance_bytes"] // _MIB * _MIB
        visits.append(rounded_visit)
    return {
        **entry,
        "output_digests": entry["output_digests"] if whole else [],
        "warmup_ns": [],
        "verdict": {**entry["verdict"], "text": ""},
        "visits": visits,
    }


def _group(visit: Mapping[str, Any], curve: bool) -> object:
    """Return the key of the visits of a benchmark that are summarised together."""
    return visit["state"], (visit["distance_bytes"], visit.get("wait_ns")) if curve else None


def archive_row(name: str, document: Document, facts: RunFacts | None) -> dict[str, Any]:
    """Return the row of a reduced document; without facts it is the result of a suite."""
    entries = document["benchmarks"]
    visits = [visit for entry in entries for visit in entry["visits"]]
    content = {"facts": None if facts is None else dataclasses.asdict(facts), "result": document}
    without_visits = {**document, "benchmarks": [{**entry, "visits": []} for entry in entries]}
    # a visit of equal calls is stored as one number
    samples = [
        visit["samples_ns"] if len(set(visit["samples_ns"])) > 1 else visit["samples_ns"][:1] for visit in visits
    ]
    return {
        "name": name,
        "head": {**sealed(content), "result": without_visits},
        "visits": [len(entry["visits"]) for entry in entries],
        "state": [visit["state"] for visit in visits],
        "distance_bytes": [visit["distance_bytes"] for visit in visits],
        "wait_ns": [visit.get("wait_ns") for visit in visits],
        "disturbed": [visit.get("disturbed") for visit in visits],
        "start_ms": [visit["start_ns"] // MS_NS for visit in visits],
        "calls": [len(visit["samples_ns"]) for visit in visits],
        "samples": [len(visit_samples) for visit_samples in samples],
        "samples_ns": [sample for visit_samples in samples for sample in visit_samples],
    }


def write_rows(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of ``archive_row`` into one archive."""
    table = pa.Table.from_pylist(
        [{**row, "head": canonical_json(row["head"]).decode()} for row in rows], schema=archive_schema()
    )
    with writing(path) as scratch:
        pq.write_table(
            table,
            scratch,
            compression="brotli",
            compression_level=11,
            use_dictionary=_DICTIONARY,
            column_encoding=_ENCODINGS,
            data_page_size=_PAGE_BYTES,
            write_statistics=False,
        )


def archive_schema() -> Any:
    """Return the schema of an archive, with its format and version."""
    texts, counts, numbers = pa.string(), pa.list_(pa.int32()), pa.list_(pa.int64())
    fields = {
        "name": texts,
        "head": texts,
        "visits": counts,
        "state": pa.list_(texts),
        "distance_bytes": numbers,
        "wait_ns": numbers,
        "disturbed": pa.list_(pa.bool_()),
        "start_ms": numbers,
        "calls": counts,
        "samples": counts,
        "samples_ns": numbers,
    }
    return pa.schema(fields, metadata={"format": ARCHIVE_FORMAT, "schema_version": str(ARCHIVE_SCHEMA_VERSION)})


def rounded(document: Document, digits: int) -> Document:
    """Round the samples of a result document to ``digits`` significant digits."""

    def near(value: int) -> int:
        step: int = 10 ** max(0, len(str(value)) - digits)
        return (value + step // 2) // step * step

    entries = [
        {**entry, "visits": [{**visit, "samples_ns": [*map(near, visit["samples_ns"])]} for visit in entry["visits"]]}
        for entry in document["benchmarks"]
    ]
    return {**document, "benchmarks": entries}


def write_runs(path: Path, runs: Mapping[str, ArchivedRun], *, share: bool = False) -> None:
    """Write runs into one archive, by name.

    Args:
        path: of the archive.
        runs: by name.
        share: whether to put lists that runs of other files share into the file of shared lists.
    """
    _write(path, [archive_row(name, reduced(run.document), run.facts) for name, run in runs.items()], share=share)


def write_results(path: Path, documents: Mapping[str, Document], *, share: bool = False) -> None:
    """Write results of suites into one archive, by name; ``share`` as in ``write_runs``."""
    _write(path, [archive_row(name, reduced(document), None) for name, document in documents.items()], share=share)


def _write(path: Path, rows: Sequence[dict[str, Any]], *, share: bool) -> None:
    if share:
        lists = read_lists(lists_of(path))
        for row in rows:
            row["head"], taken = _take_out(row["head"])
            lists |= taken
        write_lists(lists_of(path), lists)
    write_rows(path, rows)


def read_runs(source: Path, names: Sequence[str] = ()) -> dict[str, ArchivedRun]:
    """Read runs by name.

    Args:
        source: an archive, or the folder of ``validate --keep``.
        names: names of the runs to read, in this order; empty for all.

    Raises:
        InputError: there is no run, or not every named one; or a file is not an archive or of another version.
    """
    paths = [source] if source.is_file() else sorted((*source.glob("*.json"), *source.glob("*.parquet")))
    runs: dict[str, ArchivedRun] = {}
    for path in paths:
        if path.suffix == ".json":
            runs[path.stem] = _read_run(path)
            continue
        for where, name, head in _heads(path, names):
            if head["facts"] is None:
                raise InputError(f"{where} is the result of a suite, not a run of a validation")
            facts = checked(RunFacts, head["facts"], f"{where}: facts")
            runs[name] = ArchivedRun(facts=facts, document=_document(head))
    missing = [name for name in names if name not in runs]
    if missing or not runs:
        raise InputError(f"{source} holds no run of {missing[0]}" if missing else f"{source} holds no archives")
    return {name: runs[name] for name in names} if names else runs


def _read_run(path: Path) -> ArchivedRun:
    """Read what ``validate --keep`` wrote of one network."""
    content = parse_json(read_text(path, what="run"), str(path))
    version = content.get("schema_version") if isinstance(content, dict) else None
    # of version 1 not every run has a digest
    if not isinstance(content, dict) or content.get("format") != RUN_FORMAT or version not in (1, RUN_SCHEMA_VERSION):
        raise InputError(f"{path} is not a run of 'validate --keep' of this version")
    _say_without(path, [] if _is_sealed(content, str(path), always=version != 1) else [path.stem])
    return ArchivedRun(facts=checked(RunFacts, content["facts"], f"{path}: facts"), document=_document(content))


def read_results(path: Path) -> dict[str, Document]:
    """Read results of suites by name; raises as ``read_runs``."""
    return {name: _document(head) for _, name, head in _heads(path, ())}


def _heads(path: Path, names: Sequence[str]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield where each run with some name (or all) is, its name, and its head with all lists and visits."""
    table = _read_table(path, ARCHIVE_FORMAT)
    version = table.schema.metadata.get(b"schema_version")
    if version not in _READ_VERSIONS or not table.schema.equals(archive_schema()):
        raise InputError(f"{path} was written by another version of dlbricks: validate again with --keep")
    lists, without = functools.cache(lambda: read_lists(lists_of(path))), []
    for index, name in enumerate(table.column("name").to_pylist()):
        if not names or name in names:
            (row,) = table.slice(index, 1).to_pylist()  # one at a time: all rows take some GB
            head, where = json.loads(row["head"]), f"{path}: {name}"
            _put_back(head, lists, where)
            _put_back_visits(head["result"], row, where)
            always = version == str(ARCHIVE_SCHEMA_VERSION).encode()
            without += [] if _is_sealed(head, where, always=always) else [name]
            yield where, name, head
    _say_without(path, without)


def _is_sealed(content: Mapping[str, Any], where: str, *, always: bool) -> bool:
    """Return whether a run has a digest, as older ones have not and those of the present version ``always`` have."""
    if "digest" not in content and not always:
        return False
    if content.get("digest") != sealed(content)["digest"]:
        raise InputError(f"{where} was changed after it was written (its digest is missing or wrong): validate again")
    return True


def _say_without(path: Path, names: Sequence[str]) -> None:
    if names:
        print(
            f"{path}: no digest shows whether {', '.join(names[:3])} ({len(names)} in all) were changed",
            file=sys.stderr,
        )


def _read_table(path: Path, form: str) -> pa.Table:
    try:
        table = pq.read_table(path, use_threads=False)
    except pa.ArrowException as error:
        raise InputError(f"{path} is not an archive of runs, or is damaged") from error
    if (table.schema.metadata or {}).get(b"format") != form.encode():
        raise InputError(f"{path} is not an archive of runs")
    return table


def _put_back_visits(document: dict[str, Any], row: Mapping[str, Any], where: str) -> None:
    """Put the visits of a row back into its result document."""
    columns = ("state", "distance_bytes", "wait_ns", "disturbed", "start_ms", "calls", "samples")
    samples, visits = iter(row["samples_ns"]), zip(*(row[name] for name in columns), strict=True)
    for entry, count in zip(document["benchmarks"], row["visits"], strict=True):
        entry["visits"] = [_visit(visit, samples) for visit in itertools.islice(visits, count)]
    if [*samples, *visits]:
        raise InputError(f"{where}: the columns of its visits do not fit its result")


def _document(content: Mapping[str, Any]) -> Document:
    return read_document(json.dumps(content["result"]).encode())


def _visit(columns: Sequence[Any], samples: Iterator[int]) -> dict[str, Any]:
    state, distance, wait, disturbed, start, calls, count = columns
    values = [*itertools.islice(samples, count)]
    visit = {
        "start_ns": start * MS_NS,
        "state": state,
        "distance_bytes": distance,
        "samples_ns": values if count == calls else values * calls,
    }
    optional = {"wait_ns": wait, "disturbed": disturbed}
    return visit | {name: value for name, value in optional.items() if value is not None}


def lists_of(archive: Path) -> Path:
    """Return the path of the file of shared lists of an archive."""
    return archive.absolute().parent.parent / LISTS_NAME


def _take_out(head: dict[str, Any]) -> tuple[dict[str, Any], dict[str, str]]:
    """Replace the lists of a row's head by digests; returns the new head, and the lists as JSON by digest."""
    shared_head, lists = copy.deepcopy(head), {}
    for holder, key, own in _holders(shared_head):
        items = holder[key]
        if not all({*own} <= item.keys() for item in items):
            continue
        text = canonical_json([{name: value for name, value in item.items() if name not in own} for item in items])
        digest = hashlib.sha256(text).hexdigest()
        lists[digest] = text.decode()
        holder[key] = {"digest": digest, "own": {name: [item[name] for item in items] for name in own}}
    return shared_head, lists


def _put_back(head: dict[str, Any], lists: Callable[[], Mapping[str, str]], where: str) -> None:
    """Replace the digests of a row's head by their lists; ``lists`` is called only if there is a digest."""
    for holder, key, _ in _holders(head):
        if not isinstance(holder[key], dict):
            continue
        text = lists().get(holder[key]["digest"])
        if text is None:
            raise InputError(f"{where}: its {key} are not in {LISTS_NAME} beside the archive's folder")
        items = json.loads(text)
        for name, values in holder[key]["own"].items():
            for item, value in zip(items, values, strict=True):
                item[name] = value
        holder[key] = items


def read_lists(path: Path) -> dict[str, str]:
    """Read shared lists, as JSON, by digest; empty if there is no file."""
    if not path.exists():
        return {}
    table = _read_table(path, _LISTS_FORMAT)
    return dict(zip(table.column("digest").to_pylist(), table.column("list").to_pylist(), strict=True))


def write_lists(path: Path, lists: Mapping[str, str]) -> None:
    """Write shared lists, sorted by text so that similar lists are adjacent, which compresses them best."""
    ordered = sorted(lists.items(), key=lambda item: item[1])
    columns = {"digest": [digest for digest, _ in ordered], "list": [text for _, text in ordered]}
    with writing(path) as scratch:
        pq.write_table(
            pa.table(columns, schema=_LISTS_SCHEMA),
            scratch,
            # zstd with a window of 128 MB; brotli's of 4 MB misses repetitions between far lists
            compression="zstd",
            compression_level=22,
            use_dictionary=[],
            data_page_size=1 << 27,
            write_statistics=False,
        )


def _holders(head: Any) -> Iterator[tuple[dict[str, Any], str, tuple[str, ...]]]:
    """Yield the object and key of each list of a head that may be shared, and the fields that stay with the run."""
    for (*path, key), own in _OWN.items():
        holder = head
        for name in path:
            holder = holder.get(name) if isinstance(holder, dict) else None
        if isinstance(holder, dict) and isinstance(holder.get(key), list | tuple | dict):
            yield holder, key, own
