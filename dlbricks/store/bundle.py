"""Writes and reads bundles: Parquet files from which estimates are made without a store.

A row is the measurement of one sequence on one configuration. The metadata of the file have all other facts as JSON.
Bundles have no raw samples. A bundle whose name ends in ``.json.xz`` is one JSON object with all rows, such as that of
the package: estimates need no pyarrow then, which takes 170 MB.
"""

import functools
import json
import lzma
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self, TypeVar

import msgspec

from dlbricks import limits
from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.files import write_bytes, writing
from dlbricks.model.types import SequenceFeatures
from dlbricks.process_pool import read_apart
from dlbricks.settings import SystemQuery
from dlbricks.store.database import ResultStore
from dlbricks.store.queries import union
from dlbricks.store.records import (
    COLUMNS,
    FORMER_COLUMNS,
    TEXT_COLUMNS,
    choose,
    from_columns,
    older_caches,
    to_columns,
    to_text,
    typed,
)
from dlbricks.store.types import (
    NOT_CALIBRATED,
    Caches,
    Calibration,
    CallOverheads,
    Measurement,
    MeasurementOrigin,
    QueueConstants,
    Rate,
    SuiteSettings,
    SystemConfiguration,
    SystemResults,
)
from dlbricks.typed_json import Amount, checked, parse_object, refusal, renamed_keys
from dlbricks.units import format_bytes

_T = TypeVar("_T")

BUNDLE_FORMAT = "dlbricks-bundle"
BUNDLE_SCHEMA_VERSION = 3
# The bundle of the package, with the systems that its authors measured (``make bundle``).
SHIPPED = Path(__file__).with_name("systems.json.xz")

_JSON = ".json.xz"
_HEAD = b"dlbricks"
_GROUP_ROWS = 200_000
# Fields that PublishedSystem copies from SystemResults.
_MACHINE = ("configuration", "call_overhead_ns", "drift", "overheads", "caches", "calibration", "queue")
# Arrow types of the file's columns.
_COLUMNS = {
    "configuration": "int32",
    "system": "string",
    "runtime": "string",
    "provider": "string",
    "threads": "int32",
    "operators": "string",
    **{name: "string" if name in TEXT_COLUMNS else "int64" for name in COLUMNS},
    "features": "string",
    "submission": "string",
    "started_unix_ns": "int64",
    "smoke": "bool_",
    "trust": "string",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSystem:
    """A configuration in a bundle."""

    number: int
    """Value of the column ``configuration`` in the rows of this system."""
    configuration: SystemConfiguration
    call_overhead_ns: Amount
    drift: Rate
    overheads: CallOverheads
    caches: Caches
    queue: QueueConstants | None
    settings: tuple[SuiteSettings, ...]
    calibration: Calibration = NOT_CALIBRATED
    key: str = ""
    processor: str = ""
    """Name of the processor, or of the GPU if the run used one; empty if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleHead:
    """Metadata of a bundle."""

    schema_version: int
    published_unix_ns: int
    systems: tuple[PublishedSystem, ...]


def publish(store: ResultStore, path: Path) -> BundleHead:
    """Write the measurements of a store to a bundle; raises ``InputError`` for an empty store."""
    # submissions may arrive or be withdrawn between the queries: systems that are not in both answers are left out
    summaries = {summary.configuration: summary for summary in store.systems()}
    if not summaries:
        raise InputError(f"store {store.place} is empty: submit results before publishing them")
    systems = [
        PublishedSystem(
            number=number,
            **machine_of(results),
            **{name: getattr(summaries[results.configuration], name) for name in ("settings", "key", "processor")},
        )
        for number, results in enumerate(store.results_of_all())
        if results.configuration in summaries
    ]
    # read again system by system, so that memory holds the results of only one system
    return write_bundle(path, systems, store.results_of_all(), time.time_ns())


def machine_of(results: "SystemResults | PublishedSystem") -> dict[str, Any]:
    """Return the fields of ``PublishedSystem`` that are facts of the measured machine."""
    return {name: getattr(results, name) for name in _MACHINE}


def write_bundle(
    path: Path, systems: Sequence[PublishedSystem], results: Iterable[SystemResults], published_unix_ns: int
) -> BundleHead:
    """Write a bundle of ``systems``; ``results`` of other configurations are left out."""
    head = BundleHead(schema_version=BUNDLE_SCHEMA_VERSION, published_unix_ns=published_unix_ns, systems=tuple(systems))
    numbers = {system.configuration: system.number for system in systems}
    own = (list(_rows(numbers[each.configuration], each)) for each in results if each.configuration in numbers)
    if path.name.endswith(_JSON):
        document = {"format": BUNDLE_FORMAT, **msgspec.to_builtins(head), "rows": [row for rows in own for row in rows]}
        text = msgspec.json.encode(document)
        if len(text) > limits.DOCUMENT_BYTES:  # as much is read
            raise InputError(f"{path} holds more than {format_bytes(limits.DOCUMENT_BYTES)}: name a .parquet file")
        write_bytes(path, lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    else:
        schema = arrow_schema(head)
        write_tables(path, schema, (_pyarrow()[0].Table.from_pylist(rows, schema=schema) for rows in own))
    return head


def _rows(number: int, results: SystemResults) -> Iterator[dict[str, Any]]:
    configuration = {
        name: getattr(results.configuration, name) for name in ("system", "runtime", "provider", "threads")
    }
    for fingerprint, measurement in results.measurements.items():
        features = results.features.get(fingerprint)
        yield {
            "configuration": number,
            **configuration,
            "operators": " ".join(features.operators) if features else "",
            **to_columns(measurement),
            "features": to_text(features),
            **(asdict(measurement.origin) if measurement.origin else {}),
        }


def arrow_schema(head: BundleHead) -> Any:
    """Return the schema of a bundle's rows, with ``head`` in its metadata."""
    arrow, _ = _pyarrow()
    metadata = {_HEAD: json.dumps({"format": BUNDLE_FORMAT, **msgspec.to_builtins(head)}).encode()}
    return arrow.schema([(name, getattr(arrow, kind)()) for name, kind in _COLUMNS.items()], metadata=metadata)


def write_tables(path: Path, schema: Any, tables: Iterable[Any]) -> None:
    """Write Arrow tables, each with the rows of one system, to a Parquet file."""
    # large row groups store the dictionaries of their columns fewer times
    arrow, parquet = _pyarrow()
    with (
        writing(path) as scratch,
        parquet.ParquetWriter(scratch, schema, compression="zstd", compression_level=19) as writer,
    ):
        group: list[Any] = []
        for table in tables:
            group.append(table)
            if sum(part.num_rows for part in group) >= _GROUP_ROWS:
                writer.write_table(arrow.concat_tables(group).combine_chunks(), row_group_size=_GROUP_ROWS)
                group = []
        if group:
            writer.write_table(arrow.concat_tables(group).combine_chunks(), row_group_size=_GROUP_ROWS)


class Bundle:
    """An open bundle, with those queries of ``ResultStore`` that estimates need."""

    __slots__ = ("head", "key", "place")

    def __init__(self, place: str, head: BundleHead, key: str) -> None:
        """Wrap an open bundle; ``key`` is the fingerprint of the key that signed the file (empty if unsigned)."""
        self.place, self.head, self.key = place, head, key

    @classmethod
    def open(cls, path: Path, verify: Callable[[Path], str]) -> Self:
        """Open a bundle; ``verify`` checks its signature and returns the key's fingerprint (empty if unsigned)."""
        if not path.is_file():
            raise InputError(f"bundle {path} does not exist: 'dlbricks publish STORE -o {path}' creates it")
        if path.stat().st_size > limits.BUNDLE_BYTES:
            raise InputError(f"bundle {path} is larger than {format_bytes(limits.BUNDLE_BYTES)}: publish fewer systems")
        return cls(str(path), _apart(_read_head, str(path), str(path)), verify(path))

    def results_each(
        self, wanted: SystemQuery, groups: Sequence[Collection[str] | None], *, allow_mismatch: bool = False
    ) -> list[SystemResults]:
        """Return the measurements of a system for each group of fingerprints, as ``ResultStore.results_each`` does."""
        systems = {system.configuration: system for system in self.head.systems}
        configuration, mismatch = choose(tuple(systems), wanted, place=self.place, allow_mismatch=allow_mismatch)
        return list(self._results(systems[configuration], groups, mismatch))

    def results_of_all(self) -> Iterator[SystemResults]:
        """Yield the measurements of each system, in the order of ``systems``."""
        for system in self.head.systems:
            yield from self._results(system, [None], ())

    def _results(
        self, system: PublishedSystem, groups: Sequence[Collection[str] | None], mismatch: tuple[str, ...]
    ) -> Iterator[SystemResults]:
        fingerprints = union(groups)
        request = (self.place, system.number, None if fingerprints is None else tuple(fingerprints))
        measurements, features = _apart(_read_rows, request, self.place)
        for group in groups:
            yield SystemResults(
                **machine_of(system),
                measurements=_chosen(measurements, group),
                features=_chosen(features, group),
                mismatch=mismatch,
            )

    def systems(self) -> tuple[PublishedSystem, ...]:
        """Return the systems of the bundle, sorted by runtime, provider and threads."""
        return self.head.systems

    def split_settings(self, system: str) -> tuple[SuiteSettings, ...]:
        """Return the distinct split settings of a system's suites."""
        own = (each for each in self.head.systems if each.configuration.system == system)
        return tuple(dict.fromkeys(settings for each in own for settings in each.settings))

    def documents(self, _configuration: SystemConfiguration) -> Iterator[bytes]:
        """Return an empty iterator: bundles have no documents."""
        return iter(())


# Return the values of a group of fingerprints; None for all.
def _chosen(by_fingerprint: dict[str, _T], group: Collection[str] | None) -> dict[str, _T]:
    return {name: value for name, value in by_fingerprint.items() if group is None or name in group}


def _apart(function: Callable[[Any], _T], request: Any, place: str) -> _T:
    # pyarrow may crash on a damaged file, which must not end this process
    return function(request) if place.endswith(_JSON) else read_apart(function, request, f"bundle {place}")


# Errors of a file that is not what its name says; those of pyarrow are among them.
_DAMAGES = (OSError, ValueError, LookupError, TypeError, EOFError, RuntimeError, lzma.LZMAError, msgspec.MsgspecError)


def _content(place: str) -> dict[str, Any]:
    facts = Path(place).stat()
    return _content_of(place, facts.st_mtime_ns, facts.st_size)


@functools.lru_cache(maxsize=2)
def _content_of(place: str, _written_ns: int, _size: int) -> dict[str, Any]:
    with lzma.open(place) as file:  # what is cut off at the limit is not JSON
        return dict(msgspec.json.decode(file.read(limits.DOCUMENT_BYTES)))


def _read_head(place: str) -> BundleHead:
    try:
        if place.endswith(_JSON):
            document = {name: value for name, value in _content(place).items() if name != "rows"}
        else:
            text = (_pyarrow()[1].read_metadata(place).metadata or {}).get(_HEAD, b"")
            document = parse_object(text, f"{place}: metadata") if text else {}
    except _DAMAGES as error:
        raise InputError(f"{place} is not a bundle, or is damaged: {' '.join(str(error).split())[:200]}") from error
    if document.get("format") != BUNDLE_FORMAT:
        raise InputError(f"{place} is not a bundle: name a file that 'dlbricks publish' has written")
    version = document.get("schema_version")
    if version == 1:
        document = renamed_keys(document, FORMER_COLUMNS)
    elif version not in (2, BUNDLE_SCHEMA_VERSION):
        raise InputError(f"{place} has unsupported bundle version {version}: update dlbricks")
    head = checked(BundleHead, document, f"{place}: metadata")
    if version == BUNDLE_SCHEMA_VERSION:
        return head
    systems = (replace(system, caches=older_caches(system.caches)) for system in head.systems)
    return replace(head, systems=tuple(systems))


# Columns of a measurement's origin; the first is empty without one.
_ORIGIN = tuple(field.name for field in fields(MeasurementOrigin))


# Return measurements and features of one system of a bundle, for some fingerprints or all.
def _read_rows(
    request: tuple[str, int, tuple[str, ...] | None],
) -> tuple[dict[str, Measurement], dict[str, SequenceFeatures]]:
    place, number, fingerprints = request
    try:
        if place.endswith(_JSON):
            wanted = None if fingerprints is None else frozenset(fingerprints)
            own = (row for row in _content(place)["rows"] if row["configuration"] == number)
            rows = [row for row in own if wanted is None or row["fingerprint"] in wanted]
        else:
            some: list[tuple[str, str, Any]] = [] if fingerprints is None else [("fingerprint", "in", fingerprints)]
            filters = [("configuration", "=", number), *some]
            table = _pyarrow()[1].read_table(place, filters=filters, partitioning=None, use_threads=False)
            names = [FORMER_COLUMNS.get(name, name) for name in table.column_names]
            rows = table.rename_columns(names).to_pylist()
        # the rows of a run share one origin, which is pickled once
        runs = [tuple(row[name] for name in _ORIGIN) for row in rows]
        origins = {run: typed(MeasurementOrigin, **dict(zip(_ORIGIN, run, strict=True))) for run in {*runs} if run[0]}
        measurements = {
            row["fingerprint"]: from_columns(row, origins.get(run)) for row, run in zip(rows, runs, strict=True)
        }
        decode = msgspec.json.Decoder(SequenceFeatures).decode
        features = {row["fingerprint"]: decode(row["features"]) for row in rows if row["features"]}
    except msgspec.ValidationError as error:
        raise InputError(refusal(error, None, place)) from error
    except _DAMAGES as error:
        raise InputError(f"bundle {place} is damaged: {' '.join(str(error).split())[:200]}") from error
    return measurements, features


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("bundles need pyarrow: run pip install 'dlbricks[parquet]'") from error
    return pa, pq
