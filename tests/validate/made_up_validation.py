"""Validations made by hand, and a run: two sequences, the whole, and one part of a published recipe."""

from collections.abc import Sequence
from dataclasses import replace

from dlbricks.construct.types import CompositionTraits, StateShares
from dlbricks.store.document import Document
from dlbricks.suite.manifest import Suite, with_digest
from dlbricks.validate.compare import summarise
from dlbricks.validate.types import (
    ArchivedRun,
    BaselineStep,
    NetworkValidation,
    PartResult,
    RunFacts,
    Validation,
    ValidationSettings,
)
from tests.construct.made_up import composition
from tests.store.made_up_run import document, suite

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
    model: str,
    measured_ns: int,
    estimated_ns: int,
    *,
    band: float = 0.1,
    parts: Sequence[str] = (),
    relative: float = 0.005,
) -> NetworkValidation:
    """Make one network's record.

    Args:
        model: its name.
        measured_ns: latency of the whole.
        estimated_ns: what the parts say.
        band: half the width of the estimate's interval, relative.
        parts: names of sequences of one layer and one second each.
        relative: half the width of the measured latency's interval.
    """
    return NetworkValidation(
        network=model,
        measured_ns=measured_ns,
        measured_low_ns=round(measured_ns * (1 - relative)),
        measured_high_ns=round(measured_ns * (1 + relative)),
        measured_relative=relative,
        measured_verdict="stable",
        estimated_ns=estimated_ns,
        low_ns=round(estimated_ns * (1 - band)),
        high_ns=round(estimated_ns * (1 + band)),
        sampling_relative=0.01,
        own_low=0.01,
        own_high=0.01,
        traits=CompositionTraits(fetching=0.1, small=0.0, interpolated=0.0),
        states=StateShares(llc_warm=0.9, weights_cold=0.1, outputs=0.0),
        ratio=estimated_ns / measured_ns,
        layers=2 * len(parts),
        unique_layers=len(parts),
        coverage=1.0,
        call_overhead_ns=0,
        drift=0.0,
        suite_ns=len(parts) * 10**9,
        end_to_end_ns=10 * 10**9,
        reference_ns=15 * 10**9,
        run_ns=20 * 10**9,
        parts=tuple(_part(name, 1 / len(parts)) for name in parts),
    )


def _part(name: str, share: float) -> PartResult:
    return PartResult(
        fingerprint=name,
        name=name,
        count=2,
        layers=1,
        each_ns=1,
        total_ns=2,
        share=share,
        tier="measured",
        verdict="stable",
        wall_ns=10**9,
    )


def validation(models: Sequence[NetworkValidation]) -> Validation:
    """Make a validation of finished networks."""
    return Validation(settings=SETTINGS, networks=tuple(models), failed=(), summary=summarise(models))


def measured() -> tuple[Suite, Document]:
    """Give a suite of a validation and what a run of it leaves."""
    plain = suite(sequences=4)
    roles = ["sequence", "sequence", "whole", "baseline"]
    last = tuple(replace(one, role=role) for one, role in zip(plain.benchmarks[-4:], roles, strict=True))
    of = with_digest(replace(plain, benchmarks=(*plain.benchmarks[:-4], *last)))
    return of, document(of=of)


def archived_run() -> ArchivedRun:
    """Make the run: the first sequence is used twice."""
    of, result = measured()
    first, second, whole, theirs = (one.fingerprint for one in of.benchmarks[-4:])
    made = composition([first, second, first])
    facts = RunFacts(
        settings=SETTINGS,
        composition=made,
        whole=whole,
        baseline=(BaselineStep(fingerprint=theirs, layers=2), BaselineStep(fingerprint="", layers=1)),
        seconds=1.5,
    )
    return ArchivedRun(facts=facts, document=result)
