"""From rows of the store's tables to the nouns of ``store.nouns``."""

from typing import Any

from sqlalchemy import Row

from dlbricks.store.nouns import (
    Measurement,
    SequenceLabel,
    StoredResult,
    SubmissionSummary,
    SystemConfiguration,
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
)
"""Columns that make up a configuration."""


def configuration_of(row: Row[Any]) -> SystemConfiguration:
    """Read the columns of ``CONFIGURATION``."""
    return SystemConfiguration(system=row.system, runtime=row.runtime, provider=row.provider, threads=row.threads)


def order_of(configuration: SystemConfiguration) -> tuple[str, str, str, int]:
    """Give what configurations are sorted by."""
    return configuration.system, configuration.runtime, configuration.provider, configuration.threads


def measurement_of(row: Row[Any]) -> Measurement:
    """Read a row of ``results`` with its fingerprint."""
    return Measurement(
        fingerprint=row.fingerprint,
        near_ns=row.latency_ns,
        constants_ns=row.latency_ns,
        outputs_ns=row.latency_ns,
        inputs_ns=row.latency_ns,
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
