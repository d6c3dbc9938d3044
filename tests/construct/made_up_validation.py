"""Validations made by hand."""

from collections.abc import Sequence

from dlbricks.construct.summary import summarise
from dlbricks.construct.validation_nouns import ModelValidation, Validation, ValidationSettings

SETTINGS = ValidationSettings(
    target="portable",
    granularity="1",
    splitter="block",
    rule="sequential",
    provider="cpu",
    threads=1,
    runtime="onnxruntime 1.2.3",
    system="here",
)


def validated(
    model: str, measured_ns: int, estimated_ns: int, *, band: float = 0.1, parts: Sequence[str] = ()
) -> ModelValidation:
    """Make one network's record; ``parts`` names sequences of one layer and one second each."""
    from dlbricks.construct.validation_nouns import PartResult

    return ModelValidation(
        model=model,
        measured_ns=measured_ns,
        measured_low_ns=measured_ns,
        measured_high_ns=measured_ns,
        measured_verdict="stable",
        estimated_ns=estimated_ns,
        low_ns=round(estimated_ns * (1 - band)),
        high_ns=round(estimated_ns * (1 + band)),
        ratio=estimated_ns / measured_ns,
        layers=2 * len(parts),
        unique_layers=len(parts),
        coverage=1.0,
        call_overhead_ns=0,
        drift=0.0,
        suite_seconds=float(len(parts)),
        end_to_end_seconds=10.0,
        run_seconds=20.0,
        parts=tuple(
            PartResult(
                fingerprint=name,
                name=name,
                count=2,
                layers=1,
                each_ns=1,
                total_ns=2,
                share=1 / len(parts),
                tier="measured",
                verdict="stable",
                wall_ns=10**9,
            )
            for name in parts
        ),
    )


def validation(models: Sequence[ModelValidation]) -> Validation:
    """Make a validation of finished networks."""
    return Validation(settings=SETTINGS, models=tuple(models), failed=(), summary=summarise(models))
