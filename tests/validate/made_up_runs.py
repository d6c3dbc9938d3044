"""A run made by hand: two sequences, the whole, and one part of a published recipe."""

from dataclasses import replace

from dlbricks.store.document import Document
from dlbricks.suite.manifest import Suite, sealed
from dlbricks.validate.archive import ArchivedRun, RunFacts, reduced
from dlbricks.validate.types import BaselineStep, NodeProfile, NodeTimes
from tests.construct.made_up import composition
from tests.store.made_up_run import document, suite
from tests.validate.made_up_validation import CONTEXT, SETTINGS


def measured() -> tuple[Suite, Document]:
    """Give a suite of a validation and what a run of it leaves."""
    plain = suite(sequences=4)
    roles = ["sequence", "sequence", "whole", "baseline"]
    last = tuple(replace(one, role=role) for one, role in zip(plain.benchmarks[-4:], roles, strict=True))
    of = sealed(replace(plain, benchmarks=(*plain.benchmarks[:-4], *last)))
    return of, document(of=of)


def archived_run() -> ArchivedRun:
    """Make the run: the first sequence is used twice; the profile sees all three layers."""
    of, result = measured()
    first, second, whole, theirs = (one.fingerprint for one in of.benchmarks[-4:])
    made = composition([first, second, first])
    facts = RunFacts(
        settings=replace(SETTINGS, baseline="paper"),
        composition=made,
        contexts=(CONTEXT,) * 3,
        whole=whole,
        baseline=(BaselineStep(fingerprint=theirs, layers=2), BaselineStep(fingerprint="", layers=1)),
        profile=NodeTimes(
            undisturbed_ns=700_000,
            nodes=tuple(
                NodeProfile(layer=f"layer{index}", operator="Conv", layers=(f"layer{index}",), mean_us=245.0)
                for index in range(3)
            ),
        ),
        seconds=1.5,
    )
    return ArchivedRun(facts=facts, document=reduced(result))
