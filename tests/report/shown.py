"""Validations to be shown."""

from collections.abc import Sequence

from dlbricks.construct.summary import summarise
from dlbricks.construct.validation_nouns import ModelValidation, PartResult, Validation, ValidationSettings


def networks(figures: Sequence[tuple[str, int, int]]) -> Validation:
    """Make a validation from names, measured and estimated ns."""
    settings = ValidationSettings(
        target="portable",
        granularity="1",
        splitter="block",
        rule="sequential",
        provider="cpu",
        threads=1,
        runtime="onnxruntime 1.2.3",
        system="here",
    )
    part = PartResult(
        fingerprint="f" * 64,
        name="Conv",
        count=1,
        layers=1,
        each_ns=1,
        total_ns=1,
        share=1.0,
        tier="measured",
        verdict="stable",
        wall_ns=10**9,
    )
    models = tuple(
        ModelValidation(
            model=name,
            measured_ns=measured,
            measured_low_ns=measured,
            measured_high_ns=measured,
            measured_verdict="stable",
            estimated_ns=estimated,
            low_ns=estimated * 9 // 10,
            high_ns=estimated * 11 // 10,
            ratio=estimated / measured,
            layers=1,
            unique_layers=1,
            coverage=1.0,
            call_overhead_ns=0,
            drift=0.0,
            suite_seconds=1.0,
            end_to_end_seconds=2.0,
            run_seconds=4.0,
            parts=(part,),
        )
        for name, measured, estimated in figures
    )
    return Validation(settings=settings, models=models, failed=(), summary=summarise(models))
