"""A network made ready for validation: its parts and the whole as one suite."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.compose import compose
from dlbricks.construct.nouns import Composition
from dlbricks.construct.rules import Rule
from dlbricks.errors import UnsupportedModelError
from dlbricks.fingerprint import digest_json
from dlbricks.harness.facts import instruction_set
from dlbricks.harness.runner import session_settings
from dlbricks.harness.schedule import RunOptions
from dlbricks.harness.session import runtime_facts
from dlbricks.model.lowering import lower
from dlbricks.model.nouns import Model
from dlbricks.model.read import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.nouns import Granularity, Split
from dlbricks.sequences.splitters import split, whole
from dlbricks.sequences.trim import bare
from dlbricks.suite.anchors import anchors
from dlbricks.suite.assemble import Reference, SuiteHead, assemble, merged
from dlbricks.suite.bricks import Brick, brick
from dlbricks.suite.nouns import Suite, Target

_NO_REFERENCE = Reference(sketches=None, note="made for a validation")


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationPlan:
    """How networks are validated."""

    dims: Mapping[str, int]
    granularity: Granularity
    splitter: str
    target: str
    rule: Rule
    options: RunOptions
    """Of each run; the budget is that of all networks together."""
    keep: Path | None = None
    """Folder in which the result of each run is left; None to leave none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A network made ready: what it is made of, and the suite that measures parts and whole."""

    composition: Composition
    suite: Suite
    networks: Mapping[str, bytes]
    """By fingerprint."""
    whole: str
    """Fingerprint of the whole."""


def prepare(path: Path, plan: ValidationPlan) -> Trial:
    """Read and split a network and put parts and whole into one suite.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the whole cannot be estimated.
    """
    portable = read_model(path, dims=plan.dims)
    model = portable if plan.target == "portable" else lower(portable, threads=plan.options.threads)
    parts = split(model, plan.granularity, plan.splitter)
    composition = compose(parts)
    skipped = {step.skip: None for step in composition.steps if step.skip}
    if skipped:
        raise UnsupportedModelError(f"{path}: a part of it cannot be measured: {next(iter(skipped))}")
    end_to_end = _whole(portable)
    kept = (*anchors(), *merged(_parts(parts, composition)), end_to_end)
    head = SuiteHead(
        name="validation",
        granularity=str(plan.granularity),
        splitter=plan.splitter,
        target=_target(plan),
        seed=0,
    )
    return Trial(
        composition=composition,
        suite=assemble(head, kept, {one.benchmark.fingerprint: _NO_REFERENCE for one in kept}),
        networks={one.benchmark.fingerprint: one.network for one in kept},
        whole=end_to_end.benchmark.fingerprint,
    )


def _target(plan: ValidationPlan) -> Target:
    if plan.target == "portable":
        return Target(name=plan.target)
    version = runtime_facts(session_settings(plan.options))["version"]
    return Target(name=plan.target, runtime=version, instruction_set=tuple(instruction_set()))


def _parts(parts: Split, composition: Composition) -> list[Brick]:
    """Make one brick for each different sequence that is more than views."""
    bricks: dict[str, Brick] = {}
    for sequence, step in zip(parts.sequences, composition.steps, strict=True):
        if not step.free and step.fingerprint not in bricks:
            bricks[step.fingerprint] = brick(parts.model, canonicalise(parts.model, bare(parts.model, sequence)))
    return list(bricks.values())


def _whole(model: Model) -> Brick:
    """Make a brick of the whole network, with a fingerprint of its own: at H = inf a part may be the whole."""
    made = brick(model, canonicalise(model, whole(model)), role="whole")
    fingerprint = digest_json(["whole", made.benchmark.fingerprint])
    named = dataclasses.replace(made.benchmark, fingerprint=fingerprint, network=f"networks/{fingerprint}.onnx")
    return dataclasses.replace(made, benchmark=named)
