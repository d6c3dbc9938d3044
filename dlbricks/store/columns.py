"""Conversion of measurements to and from columns: those of the table ``results``, and of a bundle.

A column is a field of ``Measurement``: a text or an integer. Nested values are columns of JSON.
"""

import dataclasses
import json
from collections.abc import Mapping
from typing import Any

import msgspec

from dlbricks.store.damage import typed
from dlbricks.store.types import Measurement, MeasurementOrigin, QueueTimes

COLUMNS = tuple(field.name for field in dataclasses.fields(Measurement) if field.name != "origin")
"""Names of the columns of a measurement, in order."""
TEXT_COLUMNS = frozenset({"fingerprint", "verdict", "queue"})
"""The columns with a text; others have an integer."""


def to_columns(measurement: Measurement) -> dict[str, Any]:
    """Return the columns of a measurement, without its origin."""
    return {name: getattr(measurement, name) for name in COLUMNS} | {"queue": to_text(measurement.queue)}


def from_columns(row: Mapping[str, Any], origin: MeasurementOrigin | None = None) -> Measurement:
    """Return the measurement of a row.

    Raises:
        ValueError, KeyError, TypeError, msgspec.MsgspecError: the row is damaged.
    """
    queue = msgspec.json.decode(row["queue"], type=QueueTimes) if row["queue"] else None
    return typed(Measurement, **{name: row[name] for name in COLUMNS} | {"queue": queue, "origin": origin})


def to_text(value: object) -> str | None:
    """Return a nested value as JSON; None if there is none."""
    return None if value is None else json.dumps(msgspec.to_builtins(value))
