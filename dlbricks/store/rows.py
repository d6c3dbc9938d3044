"""From rows of the store's tables to the nouns of ``store.nouns``."""

import dataclasses
import json
from typing import Any

from sqlalchemy import Row

from dlbricks.model.types import SequenceFeatures
from dlbricks.store.nouns import (
    Caches,
    CallOverheads,
    Measurement,
    SequenceLabel,
    StoredResult,
    SubmissionSummary,
    SystemConfiguration,
    SystemResults,
    SystemSummary,
)
from dlbricks.store.tables import configurations, submissions

RANK = (submissions.c.complete.desc(), submissions.c.started_unix_ns.desc(), submissions.c.digest)
"""Complete before partial, newer before older; the digest only makes the order total."""

CONFIGURATION = (
    configurations.c.system,
    configurations.c.runtime,
    configurations.c.provider,
    configurations.c.threads,
    configurations.c.instruction_set,
)
"""Columns that make up a configuration."""


def configuration_of(row: Row[Any]) -> SystemConfiguration:
    """Read the columns of ``CONFIGURATION``."""
    return SystemConfiguration(
        system=row.system,
        runtime=row.runtime,
        provider=row.provider,
        threads=row.threads,
        instruction_set=tuple(row.instruction_set.split()),
    )


def order_of(configuration: SystemConfiguration) -> tuple[str, str, str, int, tuple[str, ...]]:
    """Give what configurations are sorted by."""
    return (
        configuration.system,
        configuration.runtime,
        configuration.provider,
        configuration.threads,
        configuration.instruction_set,
    )


def row_of(results: SystemResults) -> dict[str, object]:
    """Give the columns of ``submissions`` that hold what is known of the machine as a whole.

    Outputs and inputs are no states of their own any more; their columns hold what ``constants`` does.
    """
    caches = results.caches
    return {
        "overhead_near_ns": results.overheads.near_ns,
        "overhead_constants_ns": results.overheads.constants_ns,
        "overhead_outputs_ns": results.overheads.constants_ns,
        "overhead_inputs_ns": results.overheads.constants_ns,
        "overhead_repeated_ns": results.overheads.repeated_ns,
        "curve": json.dumps({"points": caches.curve, "memory_byte_ns": caches.memory_byte_ns}),
        "brought_in": json.dumps(caches.brought_in),
        "second_level_bytes": caches.second_level_bytes,
        "second_level_byte_ns": caches.second_level_byte_ns,
        "drift": results.drift,
    }


def overheads_of(row: Row[Any]) -> CallOverheads:
    """Read the overheads of a row of ``submissions``."""
    return CallOverheads(
        near_ns=row.overhead_near_ns,
        constants_ns=row.overhead_constants_ns,
        repeated_ns=row.overhead_repeated_ns,
    )


def caches_of(row: Row[Any]) -> Caches:
    """Read how caches behave from a row of ``submissions``; in older ones ``curve`` is a list of points."""
    held = json.loads(row.curve)
    known = held if isinstance(held, dict) else {"points": held, "memory_byte_ns": 0.0}
    return Caches(
        curve=tuple((distance, share) for distance, share in known["points"]),
        brought_in=tuple((wait_ns, nbytes) for wait_ns, nbytes in json.loads(row.brought_in)),
        second_level_bytes=row.second_level_bytes,
        second_level_byte_ns=row.second_level_byte_ns,
        memory_byte_ns=known["memory_byte_ns"],
    )


def features_of(row: Row[Any]) -> SequenceFeatures:
    """Read a row of ``sequences``."""
    held: dict[str, Any] = json.loads(row.features)
    listed = {key: tuple(value) for key, value in held.items() if isinstance(value, list)}
    return SequenceFeatures(operators=tuple(row.operators.split()), **held | listed)


def written(features: SequenceFeatures) -> str:
    """Give the column ``features`` of ``sequences``."""
    held = {field.name: getattr(features, field.name) for field in dataclasses.fields(features)}
    del held["operators"]
    return json.dumps(held)


def measurement_of(row: Row[Any]) -> Measurement:
    """Read a row of ``results`` with its fingerprint."""
    return Measurement(
        fingerprint=row.fingerprint,
        near_ns=row.near_ns,
        constants_ns=row.constants_ns,
        latency_ns=row.latency_ns,
        low_ns=row.low_ns,
        high_ns=row.high_ns,
        samples=row.samples,
        verdict=row.verdict,
        wall_ns=row.wall_ns,
    )


def stored_result_of(row: Row[Any]) -> StoredResult:
    """Read a row of ``results`` joined with everything it points to."""
    return StoredResult(
        label=SequenceLabel(
            fingerprint=row.fingerprint, name=row.name, operators=tuple(row.operators.split()), layers=row.layers
        ),
        configuration=configuration_of(row),
        measurement=measurement_of(row),
        submission=row.digest,
        started_unix_ns=row.started_unix_ns,
        complete=row.complete,
        trust=row.trust,
    )


def system_summary_of(row: Row[Any]) -> SystemSummary:
    """Read a configuration with what its submissions come to."""
    return SystemSummary(
        configuration=configuration_of(row),
        submissions=row.submissions,
        sequences=row.sequences,
        first_unix_ns=row.first,
        last_unix_ns=row.last,
    )


def submission_summary_of(row: Row[Any]) -> SubmissionSummary:
    """Read a row of ``submissions`` with its configuration and the name of its suite."""
    return SubmissionSummary(
        digest=row.digest,
        configuration=configuration_of(row),
        suite=row.name,
        suite_digest=row.suite,
        started_unix_ns=row.started_unix_ns,
        received_unix_ns=row.received_unix_ns,
        complete=row.complete,
        results=row.results,
        severity=row.severity,
        trust=row.trust,
    )
