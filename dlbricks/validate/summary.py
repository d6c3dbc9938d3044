"""Error figures over all networks of a validation, and the validation file."""

import dataclasses
import json
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

import numpy as np

from dlbricks.construct.intervals import CompositionError, LeftOneOut, leave_one_out, networks_needed
from dlbricks.errors import InputError
from dlbricks.files import read_text, write_text
from dlbricks.typed_json import checked, parse_json
from dlbricks.validate.in_situ import bias_of
from dlbricks.validate.types import (
    REFERENCE_RELATIVE,
    BaselineSummary,
    ErrorFigures,
    FailedNetwork,
    NetworkValidation,
    PartResult,
    TypeBias,
    Validation,
    ValidationSettings,
    ValidationSummary,
)


def summarise(models: Sequence[NetworkValidation]) -> ValidationSummary:
    """Compute the figures over networks; without networks all errors are 0."""
    unique: dict[str, PartResult] = {}
    for one in models:
        for part in one.parts:
            unique.setdefault(part.fingerprint, part)
    suite_ns = sum(part.wall_ns for part in unique.values())
    end_to_end_ns = sum(model.end_to_end_ns for model in models)
    references = [model.measured_relative for model in models]
    good = [model.ratio for model in models if model.measured_relative <= REFERENCE_RELATIVE]
    errors, left_out = error_figures([model.ratio for model in models]), _left_one_out(models)
    return ValidationSummary(
        **dataclasses.asdict(errors),
        network_count=len(models),
        interval_coverage=fmean([model.low_ns <= model.measured_ns <= model.high_ns for model in models] or [1.0]),
        interval_width=_median([(model.high_ns - model.low_ns) / max(1, model.estimated_ns) for model in models]),
        left_one_out_coverage=left_out.coverage if left_out else None,
        left_one_out_width=left_out.width if left_out else None,
        reference_relative=_median(references),
        worst_reference_relative=max(references, default=0.0),
        good_references=len(good),
        good_reference_errors=error_figures(good),
        layers=sum(model.layers for model in models),
        unique_layers=sum(part.layers for part in unique.values()),
        suite_ns=suite_ns,
        end_to_end_ns=end_to_end_ns,
        reference_ns=sum(model.reference_ns for model in models),
        speedup=end_to_end_ns / suite_ns if suite_ns else 0.0,
        types=_types(models),
        baseline=_baseline(models),
    )


def error_figures(ratios: Sequence[float]) -> ErrorFigures:
    """Compute error figures from ratios of estimated to measured latency; without ratios all errors are 0."""
    found = np.array(ratios or [1.0])
    errors = np.abs(found - 1)
    geomean = float(np.exp(np.log(np.maximum(found, 1e-9)).mean()))
    return ErrorFigures(
        median_abs_error=float(np.median(errors)),
        mean_abs_error=float(errors.mean()),
        p90_abs_error=float(np.percentile(errors, 90)),
        max_abs_error=float(errors.max()),
        geomean_ratio=geomean,
        bias=geomean - 1,
    )


def _median(values: Sequence[float]) -> float:
    return float(np.median(values)) if values else 0.0


def composition_errors(models: Sequence[NetworkValidation]) -> dict[str, tuple[CompositionError, ...]]:
    """Return the composition errors that intervals are learned from, by network; failed estimates are left out."""
    return {
        model.network: (
            CompositionError(
                log_ratio=-math.log(model.ratio), traits=model.traits, own_low=model.own_low, own_high=model.own_high
            ),
        )
        for model in models
        if model.ratio > 0
    }


def _left_one_out(models: Sequence[NetworkValidation]) -> LeftOneOut | None:
    """Cross-validate the intervals: is each network inside an interval learned from the others?"""
    known = composition_errors(models)
    return leave_one_out(known) if len(known) > networks_needed() else None


def _types(models: Sequence[NetworkValidation]) -> tuple[TypeBias, ...]:
    """Add up the types of all networks with a profile; contributions are averaged over these networks."""
    profiled = [model for model in models if model.types]
    rows: dict[str, list[TypeBias]] = defaultdict(list)
    for one in profiled:
        for row in one.types:
            rows[row.type].append(row)
    made = [
        bias_of(
            name,
            sum(row.count for row in same),
            sum(row.estimated_ns for row in same),
            sum(row.in_situ_ns for row in same),
            sum(row.contribution for row in same) / len(profiled),
        )
        for name, same in rows.items()
    ]
    return tuple(sorted(made, key=lambda row: (-row.in_situ_ns, row.type)))


def _baseline(models: Sequence[NetworkValidation]) -> BaselineSummary | None:
    results = [model.baseline for model in models if model.baseline is not None]
    if not results:
        return None
    errors = error_figures([result.ratio for result in results])
    walls = {name: wall for result in reversed(results) for name, wall in result.walls_ns.items()}
    return BaselineSummary(**dataclasses.asdict(errors), network_count=len(results), suite_ns=sum(walls.values()))


VALIDATION_FORMAT = "dlbricks-validation"
VALIDATION_SCHEMA_VERSION = 3


def validation_of(
    settings: ValidationSettings, models: tuple[NetworkValidation, ...], failed: tuple[FailedNetwork, ...]
) -> Validation:
    """Build a validation with its summary."""
    return Validation(settings=settings, networks=models, failed=failed, summary=summarise(models))


def validation_text(validation: Validation) -> str:
    """Return a validation as JSON text."""
    document = {
        "format": VALIDATION_FORMAT,
        "schema_version": VALIDATION_SCHEMA_VERSION,
        **dataclasses.asdict(validation),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def write_validation(path: Path, validation: Validation) -> None:
    """Write a validation file atomically.

    Raises:
        InputError: the file cannot be written.
    """
    write_text(path, validation_text(validation))


def read_validation(path: Path) -> Validation:
    """Read a validation file; its summary is recomputed.

    Raises:
        InputError: the file is missing, is not a validation, is of another version, or has a field of a wrong type.
    """
    document = parse_json(read_text(path, what="validation"), str(path))
    if not isinstance(document, dict) or document.get("format") != VALIDATION_FORMAT:
        raise InputError(f"{path} is not a validation: remove it or name another file")
    version = document.get("schema_version")
    if type(version) is not int or version > VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by a newer dlbricks: update dlbricks, or name another file")
    if version < VALIDATION_SCHEMA_VERSION:
        raise InputError(f"{path} was written by an older dlbricks: validate again, into another file")
    read = checked(_Content, document, str(path))
    return validation_of(read.settings, read.networks, read.failed)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Content:
    """The fields that are read from a validation file."""

    settings: ValidationSettings
    networks: tuple[NetworkValidation, ...]
    failed: tuple[FailedNetwork, ...]
