"""The figures of a validation over all its networks. Pure."""

from collections.abc import Sequence

import numpy as np

from dlbricks.construct.validation_nouns import ModelValidation, PartResult, ValidationSummary


def summarise(models: Sequence[ModelValidation]) -> ValidationSummary:
    """Sum up networks; without any, every error is 0 and nothing was measured."""
    if not models:
        return _NOTHING
    ratios = np.array([one.ratio for one in models])
    errors = np.abs(ratios - 1)
    unique: dict[str, PartResult] = {}
    for one in models:
        for part in one.parts:
            unique.setdefault(part.fingerprint, part)
    suite_seconds = sum(part.wall_ns for part in unique.values()) / 1e9
    end_to_end_seconds = sum(one.end_to_end_seconds for one in models)
    return ValidationSummary(
        models=len(models),
        median_abs_error=float(np.median(errors)),
        p90_abs_error=float(np.percentile(errors, 90)),
        max_abs_error=float(errors.max()),
        geomean_ratio=float(np.exp(np.log(np.maximum(ratios, 1e-9)).mean())),
        interval_coverage=sum(one.low_ns <= one.measured_ns <= one.high_ns for one in models) / len(models),
        layers=sum(one.layers for one in models),
        unique_layers=sum(part.layers for part in unique.values()),
        suite_seconds=suite_seconds,
        end_to_end_seconds=end_to_end_seconds,
        speedup=end_to_end_seconds / suite_seconds if suite_seconds else 0.0,
    )


_NOTHING = ValidationSummary(
    models=0,
    median_abs_error=0.0,
    p90_abs_error=0.0,
    max_abs_error=0.0,
    geomean_ratio=1.0,
    interval_coverage=1.0,
    layers=0,
    unique_layers=0,
    suite_seconds=0.0,
    end_to_end_seconds=0.0,
    speedup=0.0,
)
