"""Compares estimates of networks with measurements, computes error figures, and reads and writes validation files."""

import dataclasses
import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, median
from typing import Any

import numpy as np

from dlbricks.construct.estimate import estimate
from dlbricks.construct.types import Composition, Estimate, Rule
from dlbricks.errors import BenchmarkError, InputError
from dlbricks.files import read_text, write_text
from dlbricks.harness.stats import counted, main_visits, median_interval, undisturbed
from dlbricks.statistics import median_or_zero
from dlbricks.store.summary import measurements
from dlbricks.store.types import FORMER_STATES, Measurement, QueueConstants, QueueTimes
from dlbricks.typed_json import checked, digest_json, parse_json, renamed_keys
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    ArchivedRun,
    DeviceValidation,
    ErrorFigures,
    FailedNetwork,
    NetworkValidation,
    PartResult,
    RunFacts,
    Validation,
    ValidationSettings,
    ValidationSummary,
)

# Minimum number of visits before an interval may end the measurement, as in a run.
BELIEVED_VISITS = 5
_REASONS_SHOWN = 3
VALIDATION_FORMAT, VALIDATION_SCHEMA_VERSION = "dlbricks-validation", 6
# The oldest version that is read, and the first of which every file has a digest.
_WITH_FORMER_STATES, _SEALED = 3, 6


def compare(run: ArchivedRun, rule: Rule) -> NetworkValidation:
    """Estimate a network's latency from its parts, and compare it with the latency of the whole.

    Raises ``BenchmarkError`` if a part or the network has no latency, or an output of the network is not finite.
    """
    facts, document = run.facts, dict(run.document)
    composition = facts.composition
    entries = {entry["fingerprint"]: entry for entry in document["benchmarks"]}
    _refuse_unmeasured(facts, entries)
    refuse_infinite(entries[facts.whole])
    end_to_end = measurements(document, roles=("whole",)).measurements[facts.whole]
    results = measurements(document)
    estimated = estimate(composition, results, rule, interleaved=True)
    parts = _part_results(composition, estimated, results.measurements)
    total_ns = max(1, estimated.total_ns)
    sampling = (estimated.parts.sampling_low_ns + estimated.parts.sampling_high_ns) / 2 / total_ns
    own_low, own_high = own_parts(estimated)
    return NetworkValidation(
        network=composition.model,
        measured_ns=end_to_end.latency_ns,
        measured_low_ns=end_to_end.low_ns,
        measured_high_ns=end_to_end.high_ns,
        measured_relative=(end_to_end.high_ns - end_to_end.low_ns) / 2 / max(1, end_to_end.latency_ns),
        measured_verdict=end_to_end.verdict,
        measured_disturbed=every_call_disturbed(entries[facts.whole]),
        estimated_ns=estimated.total_ns,
        low_ns=estimated.low_ns,
        high_ns=estimated.high_ns,
        sampling_relative=sampling,
        own_low=own_low,
        own_high=own_high,
        traits=estimated.traits,
        states=estimated.states,
        ratio=estimated.total_ns / max(1, end_to_end.latency_ns),
        layers=composition.layers,
        unique_layers=sum(part.layers for part in parts),
        coverage=estimated.coverage,
        call_overhead_ns=estimated.call_overhead_ns,
        drift=results.drift,
        suite_ns=sum(part.wall_ns for part in parts),
        end_to_end_ns=wall_ns_until(entries[facts.whole], sampling),
        reference_ns=end_to_end.wall_ns,
        run_ns=round(facts.seconds * 1e9),
        parts=parts,
        device=_device(estimated, end_to_end.queue, results.queue),
        **call_energy(document, entries[facts.whole], end_to_end.latency_ns),
    )


def every_call_disturbed(entry: Mapping[str, Any]) -> bool:
    """Return whether all calls of a benchmark waited for a processor or shared its core."""
    return all(visit.get("disturbed") for visit in main_visits(entry))


def call_energy(document: Mapping[str, Any], whole: Mapping[str, Any], latency_ns: int) -> dict[str, Any]:
    """Return ``energy_uj`` and ``energy_source`` of the network with the entry ``whole`` in a result."""
    source = document["system"]["facts_before"].get("energy", "absent: dlbricks did not read it then")
    powers = [visit["power_mw"] for visit in main_visits(whole) if "power_mw" in visit]
    if not powers and not source.startswith("absent"):
        source = f"absent: visits are shorter than ten updates of the counter ({source})"
    return {"energy_uj": round(median(powers) * latency_ns / 1e6) if powers else None, "energy_source": source}


def _device(estimated: Estimate, whole: QueueTimes | None, machine: QueueConstants | None) -> DeviceValidation | None:
    figure = estimated.device
    if figure is None or whole is None or machine is None:
        return None
    before_ns, graph_ns = machine.call_ns + machine.launch_lag_ns, whole.graph_ns
    return DeviceValidation(
        estimated_ns=figure.total_ns,
        low_ns=figure.low_ns,
        high_ns=figure.high_ns,
        measured_ns=max(0, whole.device_ns - machine.kernel_gap_ns) if whole.traced else None,
        graph_ns=None if graph_ns is None else max(0, graph_ns - before_ns),
    )


def wall_ns_until(entry: Mapping[str, Any], relative: float) -> int:
    """Return the wall time in which a benchmark reached a relative half-width of ``relative``, ns.

    Loading and warm-up are included. The total wall time is returned if the benchmark never reached it.
    """
    visits: Sequence[Mapping[str, Any]] = entry["visits"]
    medians: list[float] = []
    # compares visits by identity: they are dictionaries, which are not hashable
    chosen = {id(visit) for visit in undisturbed(visits)}
    for index, visit in enumerate(visits, 1):
        if id(visit) not in chosen:
            continue
        medians.append(median(counted(visit["samples_ns"])))
        if len(medians) < min(BELIEVED_VISITS, len(chosen)):
            continue
        middle, low, high = median_interval(medians)
        if (high - low) / 2 <= relative * middle:
            return int(entry["wall_ns"]) - sum(sum(later["samples_ns"]) for later in visits[index:])
    return int(entry["wall_ns"])


def own_parts(estimated: Estimate) -> tuple[float, float]:
    """Return the half-widths below and above an estimate, relative to it, without the error of composition."""
    parts, total_ns = estimated.parts, max(1, estimated.total_ns)
    both = (parts.interpolation_ns / total_ns, parts.drift)
    below, above = parts.sampling_low_ns / total_ns, parts.sampling_high_ns / total_ns
    return math.hypot(below, *both), math.hypot(above, *both)


def _refuse_unmeasured(facts: RunFacts, entries: Mapping[str, Mapping[str, Any]]) -> None:
    wanted = {step.fingerprint: step.name for step in facts.composition.steps if not step.free}
    wanted[facts.whole] = "the whole network"
    reasons = [f"{name}: {why}" for fingerprint, name in wanted.items() if (why := _reason(entries.get(fingerprint)))]
    if reasons:
        more = f" (and {len(reasons) - _REASONS_SHOWN} more)" if len(reasons) > _REASONS_SHOWN else ""
        raise BenchmarkError(f"latency missing: {'; '.join(reasons[:_REASONS_SHOWN])}{more}")


def _reason(entry: Mapping[str, Any] | None) -> str:
    # Return the reason why a benchmark has no latency; empty if it has one.
    if entry is None:
        return "the run did not include it"
    if entry["status"] == "ok" and entry["visits"]:
        return ""
    return str(entry["reason"] or entry["status"])


def refuse_infinite(entry: Mapping[str, Any]) -> None:
    """Raise ``BenchmarkError`` if a whole network has infinite or NaN outputs, which may change its latency."""
    for number, digest in enumerate(entry["output_digests"]):
        if digest["finite"] < 1:
            share = 1 - digest["finite"]
            raise BenchmarkError(f"{share:.1%} of the values of output {number} of the whole network are not finite")


def _part_results(
    composition: Composition, estimated: Estimate, measured: Mapping[str, Measurement]
) -> tuple[PartResult, ...]:
    # Return a row for each sequence and each measured pair; layers and times of a pair count in its two sequences.
    layers = {step.fingerprint: len(step.layers) for step in composition.steps}
    rows = [
        PartResult(
            fingerprint=row.fingerprint,
            name=row.name,
            count=row.count,
            layers=layers[row.fingerprint],
            each_ns=row.each_ns,
            total_ns=row.total_ns,
            share=row.share,
            tier=row.tier,
            verdict=row.verdict,
            wall_ns=measured[row.fingerprint].wall_ns if row.fingerprint in measured else 0,
        )
        for row in estimated.rows
    ]
    unions = Counter(pair.fingerprint for pair in composition.pairs if pair.fingerprint in measured)
    rows += [
        PartResult(
            fingerprint=name,
            name="union",
            count=count,
            layers=0,
            each_ns=0,
            total_ns=0,
            share=0.0,
            tier="union",
            verdict=measured[name].verdict,
            wall_ns=measured[name].wall_ns,
        )
        for name, count in unions.items()
        if name not in layers
    ]
    return tuple(rows)


def summarise(models: Sequence[NetworkValidation]) -> ValidationSummary:
    """Return the summary of validated networks; without networks all errors are 0."""
    unique = {part.fingerprint: part for model in reversed(models) for part in reversed(model.parts)}
    suite_ns = sum(part.wall_ns for part in unique.values())
    end_to_end_ns = sum(model.end_to_end_ns for model in models)
    references = [model.measured_relative for model in models]
    good = [model.ratio for model in models if model.measured_relative <= REFERENCE_RELATIVE]
    return ValidationSummary(
        **dataclasses.asdict(error_figures([model.ratio for model in models])),
        network_count=len(models),
        interval_coverage=fmean([0 < model.low_ns <= model.measured_ns <= model.high_ns for model in models] or [1.0]),
        interval_width=median_or_zero(
            [(model.high_ns - model.low_ns) / max(1, model.estimated_ns) for model in models]
        ),
        reference_relative=median_or_zero(references),
        worst_reference_relative=max(references, default=0.0),
        good_references=len(good),
        good_reference_errors=error_figures(good),
        layers=sum(model.layers for model in models),
        unique_layers=sum(part.layers for part in unique.values()),
        suite_ns=suite_ns,
        end_to_end_ns=end_to_end_ns,
        reference_ns=sum(model.reference_ns for model in models),
        speedup=end_to_end_ns / suite_ns if suite_ns else 0.0,
    )


def error_figures(ratios: Sequence[float]) -> ErrorFigures:
    """Return error figures of ratios of estimated to measured latency; without ratios all are 0."""
    listed = np.array(ratios or [1.0])
    errors = np.abs(listed - 1)
    # the floor keeps an estimate of 0 from making the logarithm infinite
    geomean = float(np.exp(np.log(np.maximum(listed, 1e-9)).mean()))
    return ErrorFigures(
        median_abs_error=float(np.median(errors)),
        mean_abs_error=float(errors.mean()),
        p90_abs_error=float(np.percentile(errors, 90)),
        max_abs_error=float(errors.max()),
        geomean_ratio=geomean,
        bias=geomean - 1,
    )


def validation_of(
    settings: ValidationSettings, models: tuple[NetworkValidation, ...], failed: tuple[FailedNetwork, ...]
) -> Validation:
    """Return the content of a validation file, with the summary."""
    return Validation(settings=settings, networks=models, failed=failed, summary=summarise(models))


def validation_text(validation: Validation) -> str:
    """Return the text of a validation file."""
    head = {"format": VALIDATION_FORMAT, "schema_version": VALIDATION_SCHEMA_VERSION}
    return json.dumps(sealed({**head, **dataclasses.asdict(validation)}), indent=1, allow_nan=False) + "\n"


def sealed(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON object with the key ``digest``: the SHA-256 of all other keys."""
    rest = {name: value for name, value in content.items() if name != "digest"}
    return {**rest, "digest": digest_json(rest)}


def write_validation(path: Path, validation: Validation) -> None:
    """Write a validation file; raises ``InputError`` if that fails."""
    write_text(path, validation_text(validation))


def read_validation(path: Path, tell: Callable[[str], object]) -> Validation:
    """Return the content of a validation file with a new summary; ``tell`` gets a sentence if the file has no digest.

    Raises:
        InputError: the file is missing, was changed or has another format, or a field is missing or has a wrong type.
    """
    document = parse_json(read_text(path, what="validation"), str(path))
    if not isinstance(document, dict) or document.get("format") != VALIDATION_FORMAT:
        raise InputError(f"{path} is not a validation file: remove it, or name another file")
    version = document.get("schema_version")
    if type(version) is not int or version > VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by a newer dlbricks: update dlbricks, or name another file")
    if version == _WITH_FORMER_STATES:
        document = _with_current_states(document)
    elif version < _WITH_FORMER_STATES:
        raise InputError(f"{path} was written by an older dlbricks: validate again and name another file")
    if version < _SEALED and "digest" not in document:
        tell(f"{path} is of an older version without a digest: whether it was changed is unknown")
    elif document.get("digest") != sealed(document)["digest"]:
        raise InputError(f"{path} was changed after it was written (its digest is missing or wrong): validate again")
    read = checked(_Content, document, str(path))
    return validation_of(read.settings, read.networks, read.failed)


def _with_current_states(document: dict[str, Any]) -> dict[str, Any]:
    # Rename the cache states of a document of version 3; return a malformed document unchanged.
    networks = document.get("networks")
    if not isinstance(networks, list) or not all(isinstance(network, dict) for network in networks):
        return document
    current = [{**network, "states": renamed_keys(network.get("states"), FORMER_STATES)} for network in networks]
    return {**document, "networks": current}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    # The fields that are read from a validation file: all but the summary.
    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    failed: tuple[FailedNetwork, ...]
