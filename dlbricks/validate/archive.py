"""The archive that ``validate --keep`` writes of one network's run: a Parquet file with one row.

A row has the facts of the run and its result document without visits, as JSON, and the visits in list columns in the
order of the benchmarks; ``visits`` has the number of visits of each benchmark. Fields that no latency depends on are
removed (``reduced``). ``benchmarks/kept_runs.py`` reads archives and packs many runs into one.
"""

import dataclasses
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.construct.types import Composition
from dlbricks.errors import missing_extra
from dlbricks.files import writing
from dlbricks.fingerprint import canonical_json
from dlbricks.harness.cache_state import NEAR
from dlbricks.harness.stats import counted
from dlbricks.store.document import Document
from dlbricks.validate.types import BaselineStep, NodeTimes, StepContext, ValidationSettings

ARCHIVE_FORMAT = "dlbricks-validation-archive"
ARCHIVE_SCHEMA_VERSION = 3
SUFFIX = ".parquet"
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
    """A run of one network, as it is archived."""

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
        if not curve and visit["state"] != NEAR:
            rounded_visit["distance_bytes"] = visit["distance_bytes"] // _MIB * _MIB
        visits.append(rounded_visit)
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


def require_pyarrow() -> Any:
    """Import and return pyarrow.

    Raises:
        MissingDependencyError: it is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError as error:
        raise missing_extra("archives of runs need pyarrow", "parquet") from error
    return pa


def write_run(path: Path, run: ArchivedRun) -> None:
    """Write the archive of one run.

    Raises:
        InputError: the file cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    write_rows(path, [archive_row(run.model, run.document, run.facts)])


def archive_row(name: str, document: Document, facts: RunFacts | None) -> dict[str, Any]:
    """Return the row of a reduced document; without facts it is the result of a suite."""
    entries = document["benchmarks"]
    visits = [visit for entry in entries for visit in entry["visits"]]
    without_visits = {**document, "benchmarks": [{**entry, "visits": []} for entry in entries]}
    # a visit of equal calls is stored as one number
    samples = [
        visit["samples_ns"] if len(set(visit["samples_ns"])) > 1 else visit["samples_ns"][:1] for visit in visits
    ]
    return {
        "name": name,
        "head": {"facts": None if facts is None else dataclasses.asdict(facts), "result": without_visits},
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
    """Write rows of ``archive_row`` into one archive; raises as ``write_run``."""
    pa = require_pyarrow()
    table = pa.Table.from_pylist(
        [{**row, "head": canonical_json(row["head"]).decode()} for row in rows], schema=archive_schema()
    )
    with writing(path) as scratch:
        pa.parquet.write_table(
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
    pa = require_pyarrow()
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
