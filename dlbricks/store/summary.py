"""From the raw samples of a submission to one latency per sequence; statistics are those of ``harness.stats``."""

from collections.abc import Collection, Mapping
from typing import Any

from dlbricks.harness.stats import Summary, summarise
from dlbricks.store.document import Document
from dlbricks.store.drift import anchor_drift
from dlbricks.store.nouns import Measurement, SystemConfiguration, SystemResults


def measurements(document: Document, *, roles: Collection[str] = ("sequence",)) -> SystemResults:
    """Summarise a submission: what was measured, by fingerprint; failed ones and those not run are left out.

    Args:
        document: what ``read_document`` gave.
        roles: roles that are taken; the overhead benchmark always becomes ``call_overhead_ns``, 0 if it has no latency.
    """
    entries = [entry for entry in document["benchmarks"] if entry["status"] == "ok" and entry["visits"]]
    found: dict[str, Measurement] = {}
    call_overhead_ns = 0
    for entry in sorted(entries, key=lambda entry: str(entry["fingerprint"])):
        if entry["role"] not in roles and entry["role"] != "overhead":
            continue
        summary = summarise_visits(entry)
        if entry["role"] == "overhead":
            call_overhead_ns = summary.latency_ns
        if entry["role"] in roles:
            found[entry["fingerprint"]] = Measurement(
                fingerprint=entry["fingerprint"],
                near_ns=summary.latency_ns,
                constants_ns=summary.latency_ns,
                outputs_ns=summary.latency_ns,
                inputs_ns=summary.latency_ns,
                latency_ns=summary.latency_ns,
                low_ns=summary.low_ns,
                high_ns=summary.high_ns,
                samples=summary.samples,
                verdict=entry["verdict"]["kind"],
                wall_ns=entry["wall_ns"],
            )
    return SystemResults(
        configuration=configuration(document),
        call_overhead_ns=call_overhead_ns,
        measurements=found,
        drift=anchor_drift(document),
    )


def summarise_visits(entry: Mapping[str, Any]) -> Summary:
    """Summarise one entry of ``benchmarks`` that has visits."""
    return summarise([visit["samples_ns"] for visit in entry["visits"]])


def configuration(document: Document) -> SystemConfiguration:
    """Say what system a submission is of, as far as latencies may be mixed."""
    runtime = document["runtime"]
    return SystemConfiguration(
        system=document["system"]["name"],
        runtime=f"{runtime['name']} {runtime['version']}",
        provider=runtime["provider"],
        threads=runtime["threads"],
    )
