"""Conversion between stored values and the types of ``store.types``, whose constraints stored values must meet.

A measurement has one form in columns: those of the table ``results`` and of a bundle. A column is a field of
``Measurement``, a text or an integer; nested values are columns of JSON. SQLite accepts values of any type and size in
a column, so every value is checked when it is read.
"""

import contextlib
import dataclasses
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from dlbricks.errors import InputError
from dlbricks.fingerprint import canonical_json, digest_bytes
from dlbricks.limits import DOCUMENT_BYTES
from dlbricks.store.types import (
    FORMER_STATES,
    PROVISIONAL_MARK,
    TIERS,
    Caches,
    Measurement,
    MeasurementOrigin,
    QueueTimes,
    SequenceLabel,
    StoredResult,
    SubmissionEvent,
    SubmissionSummary,
    SuiteSettings,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)

if TYPE_CHECKING:
    from sqlalchemy import Row

_T = TypeVar("_T")

COLUMNS = tuple(field.name for field in dataclasses.fields(Measurement) if field.name != "origin")
# Columns of cache states by the names that they have in stores to version 11 and bundles of version 1.
FORMER_COLUMNS = {
    f"{part}{former}_ns": f"{part}{state}_ns" for part in ("", "overhead_") for former, state in FORMER_STATES.items()
}
# the columns with a text; others have an integer
TEXT_COLUMNS = frozenset({"fingerprint", "verdict", "queue"})

# what damaged rows raise: a value of another type, none, a number or document that cannot be
_DAMAGES = (
    *(ValueError, TypeError, LookupError, AttributeError, OverflowError, RecursionError),
    *(msgspec.MsgspecError, zlib.error),
)


@contextlib.contextmanager
def refusing_damage(place: str) -> Iterator[None]:
    """Raise an ``InputError`` if a value of a store's row is of another type, missing, or out of range."""
    try:
        yield
    except _DAMAGES as error:
        raise InputError(f"store {place} is damaged; restore a copy of it") from error


def unpacked(data: bytes) -> bytes:
    """Decompress a stored document; one of ``_DAMAGES`` if it is damaged, or larger than any document."""
    stream = zlib.decompressobj()
    document = stream.decompress(data, DOCUMENT_BYTES)
    if not stream.eof:
        raise ValueError("it is cut off, or larger than any document")
    return document


def typed(kind: type[_T], /, **fields: Any) -> _T:
    """Make a value of a type whose constraints are checked (``msgspec.ValidationError``); other fields are ignored."""
    # SQLAlchemy's names of columns are a subclass of str, which msgspec does not accept as a key
    return msgspec.convert({str(name): value for name, value in fields.items()}, kind, from_attributes=True)


def to_columns(measurement: Measurement) -> dict[str, Any]:
    """Return the columns of a measurement, without its origin."""
    return {name: getattr(measurement, name) for name in COLUMNS} | {"queue": to_text(measurement.queue)}


def from_columns(row: Mapping[str, Any], origin: MeasurementOrigin | None = None) -> Measurement:
    """Return the measurement of a row; one of ``_DAMAGES`` if the row is damaged."""
    queue = msgspec.json.decode(row["queue"], type=QueueTimes) if row["queue"] else None
    return typed(Measurement, **{name: row[name] for name in COLUMNS} | {"queue": queue, "origin": origin})


def to_text(value: object) -> str | None:
    """Return a nested value as JSON; None if there is none."""
    # with spaces, as in stores and bundles of earlier versions, so that equal values have equal texts
    return None if value is None else json.dumps(msgspec.to_builtins(value))


def machine_columns(results: SystemResults) -> dict[str, object]:
    """Return the columns of ``submissions`` that describe the machine."""
    caches = results.caches
    return {
        **{f"overhead_{name}": nanoseconds for name, nanoseconds in dataclasses.asdict(results.overheads).items()},
        # memory_byte_ns came later than the column: older rows have a list of points
        "curve": json.dumps({"points": caches.curve, "memory_byte_ns": caches.memory_byte_ns}),
        "brought_in": json.dumps(caches.brought_in),
        "second_level_bytes": caches.second_level_bytes,
        "second_level_byte_ns": caches.second_level_byte_ns,
        "drift": results.drift,
        "queue": to_text(results.queue),
    }


def caches_of_row(row: "Row[Any]") -> Caches:
    """Convert the cache columns of ``submissions``; in older rows ``curve`` is a list of points."""
    curve = json.loads(row.curve)
    curve = curve if isinstance(curve, dict) else {"points": curve, "memory_byte_ns": 0.0}
    more = {"curve": curve["points"], "memory_byte_ns": curve["memory_byte_ns"]}
    return typed(Caches, **row._asdict() | more | {"brought_in": json.loads(row.brought_in)})


def configuration_of(row: "Row[Any]") -> SystemConfiguration:
    """Convert the columns of ``CONFIGURATION``; words of its column ``instruction_set`` with a ``=`` are options."""
    words = row.instruction_set.split()
    options = tuple(word for word in words if "=" in word)
    extensions = tuple(word for word in words if "=" not in word)
    return typed(SystemConfiguration, **row._asdict() | {"instruction_set": extensions, "options": options})


def settings_of(manifest: Mapping[str, Any]) -> SuiteSettings:
    """Return the settings that the manifest of a suite states."""
    dims = sorted(manifest.get("dims", {}).items())
    return typed(SuiteSettings, **{**manifest, "target": manifest["target"]["name"], "dims": dims})


def label_of(row: "Row[Any]") -> SequenceLabel:
    """Convert a row with the label of a sequence."""
    return typed(SequenceLabel, **row._asdict() | {"operators": row.operators.split()})


def stored_result_of(row: "Row[Any]") -> StoredResult:
    """Convert a row of ``select_results``."""
    parts = {"label": label_of(row), "configuration": configuration_of(row)}
    parts |= {"measurement": from_columns(row._asdict()), "submission": row.digest}
    return typed(StoredResult, **row._asdict() | parts)


def system_summary_of(row: "Row[Any]", settings: tuple[SuiteSettings, ...]) -> SystemSummary:
    """Convert a row of ``select_systems``."""
    least, most = (TIERS[rank].removeprefix(PROVISIONAL_MARK) for rank in (row.least, row.most))
    more = {"configuration": configuration_of(row), "settings": settings, "least_trust": least, "most_trust": most}
    return typed(SystemSummary, **row._asdict() | more)


def submission_summary_of(row: "Row[Any]") -> SubmissionSummary:
    """Convert a row of ``select_submissions``."""
    withdrawn = None if row.kind is None else event_of(row)
    return typed(SubmissionSummary, **row._asdict() | {"configuration": configuration_of(row), "withdrawn": withdrawn})


def event_of(row: "Row[Any]") -> SubmissionEvent:
    """Convert a row of ``events`` with the key of its statement."""
    more = {"key": row.statement_key or "", "statement": row.statement or ""}
    return typed(SubmissionEvent, **row._asdict() | more)


def split_document(document: dict[str, Any]) -> tuple[bytes, bytes]:
    """Split a document into its suite's manifest, which many submissions share, and the rest, as canonical JSON."""
    suite = document["suite"]
    rest = {key: value for key, value in suite.items() if key != "manifest"}
    return canonical_json(suite["manifest"]), canonical_json(document | {"suite": rest})


def join_document(body: bytes, manifest: bytes, *, digest: str) -> bytes:
    """Join a document from its parts, as canonical JSON; an ``InputError`` if its digest is another one.

    A body with its own manifest keeps it.
    """
    try:
        document = json.loads(body)
        document["suite"].setdefault("manifest", json.loads(manifest))
        joined = canonical_json(document)
    except (ValueError, TypeError, KeyError) as error:
        raise InputError(f"the stored data of {digest} is not a document") from error
    if digest_bytes(joined) != digest:
        raise InputError(f"the stored data of {digest} is another document")
    return joined
