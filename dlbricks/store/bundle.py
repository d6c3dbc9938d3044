"""Bundles: the measurements of all systems of a store in one Parquet file, for estimates without a database.

A row is one configuration's measurement of one sequence; the other facts of the systems are JSON in the metadata of the
file. It has no raw samples. Any reader of Parquet, such as DuckDB, can read it.
"""

import dataclasses
import json
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from dlbricks import limits
from dlbricks.errors import InputError, MissingDependencyError
from dlbricks.files import writing
from dlbricks.model.types import SequenceFeatures
from dlbricks.process_pool import read_apart
from dlbricks.signing import SUFFIX, read_signature, signer
from dlbricks.store.database import ResultStore
from dlbricks.store.queries import union
from dlbricks.store.ranking import TIERS
from dlbricks.store.systems import ConfigurationFilter, choose
from dlbricks.store.types import (
    Caches,
    CallOverheads,
    Measurement,
    MeasurementOrigin,
    QueueConstants,
    QueueTimes,
    Rate,
    SplitSettings,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)
from dlbricks.typed_json import Amount, checked, parse_object
from dlbricks.units import format_bytes

_Made = TypeVar("_Made")

BUNDLE_FORMAT = "dlbricks-bundle"
BUNDLE_SCHEMA_VERSION = 1

_HEAD = b"dlbricks"
_GROUP_ROWS = 200_000
_NESTED = ("queue", "origin")
_FIGURES = tuple(one.name for one in dataclasses.fields(Measurement) if one.name not in _NESTED)
_ORIGIN = tuple(one.name for one in dataclasses.fields(MeasurementOrigin))


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class PublishedSystem:
    """A configuration in the metadata of a bundle."""

    number: int
    """Value of the column ``configuration`` in its rows."""
    configuration: SystemConfiguration
    call_overhead_ns: Amount
    drift: Rate
    overheads: CallOverheads
    caches: Caches
    queue: QueueConstants | None
    settings: tuple[SplitSettings, ...]
    key: str = ""
    """Fingerprint of the key that owns its name; empty if there is none."""


@dataclasses.dataclass(frozen=True, slots=True, kw_only=True)
class BundleHead:
    """The metadata of a bundle."""

    schema_version: int
    published_unix_ns: int
    systems: tuple[PublishedSystem, ...]


def publish(store: ResultStore, path: Path) -> BundleHead:
    """Write a bundle of all systems of a store, replacing an existing file.

    Raises:
        InputError: the store is empty or damaged, or the file cannot be written.
        MissingDependencyError: pyarrow is not installed.
    """
    arrow, _ = _pyarrow()
    listed = store.systems()
    if not listed:
        raise InputError(f"store {store.place} is empty: nothing to publish")
    said = {one.configuration: one for one in listed}
    head = BundleHead(
        schema_version=BUNDLE_SCHEMA_VERSION,
        published_unix_ns=time.time_ns(),
        systems=tuple(
            _published(number, results, said[results.configuration])
            for number, results in enumerate(store.results_of_all())
            if results.configuration in said
        ),
    )
    schema = arrow_schema(head)
    system_of = {one.configuration: one for one in head.systems}
    found = ((system_of[one.configuration], one) for one in store.results_of_all() if one.configuration in system_of)
    rows = ([_row(one, results, each) for each in results.measurements.values()] for one, results in found)
    write_tables(path, schema, (arrow.Table.from_pylist(some, schema=schema) for some in rows))
    return head


def arrow_schema(head: BundleHead) -> Any:
    """Return the Arrow schema of a bundle, with its head in the metadata."""
    arrow, _ = _pyarrow()
    said = {_HEAD: json.dumps({"format": BUNDLE_FORMAT, **msgspec.to_builtins(head)}).encode()}
    return arrow.schema([(name, getattr(arrow, kind)()) for name, kind in _COLUMNS.items()], metadata=said)


def write_tables(path: Path, schema: Any, tables: Iterable[Any]) -> None:
    """Write the rows system by system; several systems share a row group, so that dictionaries are written once."""
    arrow, parquet = _pyarrow()
    with writing(path) as scratch, parquet.ParquetWriter(scratch, schema, compression="zstd") as writer:
        group: list[Any] = []
        for table in tables:
            group.append(table)
            if sum(one.num_rows for one in group) >= _GROUP_ROWS:
                writer.write_table(arrow.concat_tables(group).combine_chunks(), row_group_size=_GROUP_ROWS)
                group = []
        if group:
            writer.write_table(arrow.concat_tables(group).combine_chunks(), row_group_size=_GROUP_ROWS)


def _published(number: int, results: SystemResults, said: SystemSummary) -> PublishedSystem:
    return PublishedSystem(
        number=number,
        configuration=results.configuration,
        call_overhead_ns=results.call_overhead_ns,
        drift=results.drift,
        overheads=results.overheads,
        caches=results.caches,
        queue=results.queue,
        settings=said.settings,
        key=said.key,
    )


_COLUMNS = {
    "configuration": "int32",
    "system": "string",
    "runtime": "string",
    "provider": "string",
    "threads": "int32",
    "operators": "string",
    **{name: "string" if name in {"fingerprint", "verdict"} else "int64" for name in _FIGURES},
    "queue": "string",
    "features": "string",
    "submission": "string",
    "started_unix_ns": "int64",
    "smoke": "bool_",
    "trust": "string",
}
"""Columns of the file with their Arrow types."""


def _row(system: PublishedSystem, results: SystemResults, one: Measurement) -> dict[str, Any]:
    features, configuration = results.features.get(one.fingerprint), system.configuration
    return {
        "configuration": system.number,
        **{name: getattr(configuration, name) for name in ("system", "runtime", "provider", "threads")},
        "operators": " ".join(features.operators) if features else "",
        **{name: getattr(one, name) for name in _FIGURES},
        "queue": json.dumps(msgspec.to_builtins(one.queue)) if one.queue else None,
        "features": json.dumps(msgspec.to_builtins(features)) if features else None,
        **({name: getattr(one.origin, name) for name in _ORIGIN} if one.origin else {}),
    }


class Bundle:
    """An open bundle, with the query methods of ``store.database.ResultStore`` that estimates need."""

    __slots__ = ("head", "key", "place")

    def __init__(self, place: str, head: BundleHead, key: str) -> None:
        """Use ``open``; ``key`` is the fingerprint of the key that signed the bundle, empty if it is not signed."""
        self.place, self.head, self.key = place, head, key

    @classmethod
    def open(cls, path: Path) -> Self:
        """Open a bundle; if a signature file (``.sig``) lies beside it, it has to be valid.

        Raises:
            InputError: the file does not exist, or is damaged, too large or of another version.
            CheckError: the signature is not valid.
            MissingDependencyError: pyarrow is not installed, or ssh-keygen for a signature.
        """
        _pyarrow()
        if not path.is_file():
            raise InputError(f"there is no bundle {path}: 'dlbricks publish STORE -o {path}' makes one")
        if path.stat().st_size > limits.BUNDLE_BYTES:
            raise InputError(f"{path} is larger than {format_bytes(limits.BUNDLE_BYTES)}: publish fewer systems")
        head = read_apart(_read_head, str(path), f"bundle {path}")
        beside = path.with_name(path.name + SUFFIX)
        key = signer(path.read_bytes(), read_signature(beside)) if beside.is_file() else ""
        return cls(str(path), head, key)

    def __enter__(self) -> Self:
        """Use the bundle in a ``with`` statement."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Do nothing, since no file is open."""

    def results(
        self,
        wanted: ConfigurationFilter,
        *,
        fingerprints: Collection[str] | None = None,
        allow_mismatch: bool = False,
    ) -> SystemResults:
        """Return the measurements of one configuration; see ``ResultStore.results``.

        Raises:
            InputError: no configuration matches, or several do; or the file is damaged.
        """
        (one,) = self.results_each(wanted, [fingerprints], allow_mismatch=allow_mismatch)
        return one

    def results_each(
        self,
        wanted: ConfigurationFilter,
        groups: Sequence[Collection[str] | None],
        *,
        allow_mismatch: bool = False,
    ) -> list[SystemResults]:
        """Return the measurements of one configuration for several groups of fingerprints."""
        known = {one.configuration: one for one in self.head.systems}
        configuration, mismatch = choose(tuple(known), wanted, place=self.place, allow_mismatch=allow_mismatch)
        system, every = known[configuration], union(groups)
        chosen = None if every is None else tuple(every)
        measurements, features = read_apart(_read_rows, (self.place, system.number, chosen), f"bundle {self.place}")
        return [
            SystemResults(
                configuration=configuration,
                call_overhead_ns=system.call_overhead_ns,
                measurements=_chosen(measurements, some),
                drift=system.drift,
                overheads=system.overheads,
                caches=system.caches,
                queue=system.queue,
                features=_chosen(features, some),
                mismatch=mismatch,
            )
            for some in groups
        ]

    def split_settings(self, system: str) -> tuple[SplitSettings, ...]:
        """Return the split settings of the suites that a system has measured."""
        found = (how for one in self.head.systems if one.configuration.system == system for how in one.settings)
        return tuple(dict.fromkeys(found))

    def documents(self, _configuration: SystemConfiguration) -> Iterator[bytes]:
        """Return no documents, since a bundle has none."""
        return iter(())


def _chosen(made: dict[str, _Made], fingerprints: Collection[str] | None) -> dict[str, _Made]:
    """Return what belongs to some fingerprints, in its order; None for all."""
    return made if fingerprints is None else {name: one for name, one in made.items() if name in fingerprints}


def _read_head(place: str) -> BundleHead:
    arrow, parquet = _pyarrow()
    try:
        said = (parquet.read_metadata(place).metadata or {}).get(_HEAD, b"")
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{place} is not a bundle, or is damaged: {' '.join(str(error).split())[:200]}") from error
    document = parse_object(said, f"{place}: metadata") if said else {}
    if document.get("format") != BUNDLE_FORMAT:
        raise InputError(f"{place} is not a bundle: 'dlbricks publish STORE -o {place}' makes one")
    if document.get("schema_version") != BUNDLE_SCHEMA_VERSION:
        raise InputError(f"{place} was written by another dlbricks (bundle version {document.get('schema_version')})")
    return checked(BundleHead, document, f"{place}: metadata")


def _read_rows(
    asked: tuple[str, int, tuple[str, ...] | None],
) -> tuple[dict[str, Measurement], dict[str, SequenceFeatures]]:
    """Return measurements and features of one system of a bundle, for some fingerprints or all."""
    place, number, fingerprints = asked
    _, parquet = _pyarrow()
    chosen: list[tuple[str, str, Any]] = [("configuration", "=", number)]
    if fingerprints is not None:
        chosen.append(("fingerprint", "in", fingerprints))
    try:
        table = parquet.read_table(place, filters=chosen, partitioning=None, use_threads=False)
        rows: list[dict[str, Any]] = table.to_pylist()
    except (OSError, ValueError, KeyError) as error:  # base classes of pyarrow's errors
        raise InputError(f"bundle {place} is damaged: {' '.join(str(error).split())[:200]}") from error
    if not set(_COLUMNS) <= set(table.column_names):
        raise InputError(f"bundle {place} is damaged: columns are missing")
    if not all(row["trust"] in TIERS for row in rows if row["submission"]):
        raise InputError(f"bundle {place} is damaged: it holds an unknown tier of trust")
    measurements = {row["fingerprint"]: _measurement(row, place) for row in rows}
    features = {
        row["fingerprint"]: _nested(SequenceFeatures, row["features"], place) for row in rows if row["features"]
    }
    return measurements, features


def _measurement(row: dict[str, Any], place: str) -> Measurement:
    queue = _nested(QueueTimes, row["queue"], place) if row["queue"] else None
    origin = {name: row[name] for name in _ORIGIN} if row["submission"] else None
    figures = {name: row[name] for name in _FIGURES}
    return checked(Measurement, {**figures, "queue": msgspec.to_builtins(queue), "origin": origin}, place)


def _nested(kind: type[_Made], text: object, place: str) -> _Made:
    if not isinstance(text, str):
        raise InputError(f"bundle {place} is damaged: a column holds no texts")
    return checked(kind, parse_object(text, place), place)


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingDependencyError("bundles need pyarrow: install 'dlbricks[parquet]'") from error
    return pa, pq
