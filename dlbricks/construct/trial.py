"""A network made ready for validation: its parts, the whole and what a published recipe measures, as one suite."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dlbricks.construct.baseline import baseline, renamed
from dlbricks.construct.compose import compose
from dlbricks.construct.context import contexts
from dlbricks.construct.nouns import Composition
from dlbricks.construct.rules import Rule
from dlbricks.construct.validation_nouns import BaselineStep, StepContext
from dlbricks.errors import UnsupportedModelError
from dlbricks.fingerprint import digest_json
from dlbricks.harness.facts import instruction_set
from dlbricks.harness.runner import session_settings
from dlbricks.harness.schedule import RunOptions
from dlbricks.harness.session import runtime_facts
from dlbricks.model.lowering.onnxruntime_cpu import TARGET, lower
from dlbricks.model.read.network import read_batched
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import split, whole
from dlbricks.sequences.types import Granularity, Split
from dlbricks.suite.anchors import anchors
from dlbricks.suite.assemble import Reference, SuiteHead, assemble, merged
from dlbricks.suite.bricks import Brick, brick
from dlbricks.suite.harvest import bricks_of
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
    baseline: str = ""
    """Published recipe to be measured in the same run, of ``baseline.BASELINES``; empty for none."""
    batch: int | None = None
    """Inputs per call; None for what files and ``dims`` say."""
    keep: Path | None = None
    """Folder in which every run is left; None to leave none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dissection:
    """A network as a validation sees it: what it is made of."""

    portable: Model
    parts: Split
    composition: Composition
    contexts: tuple[StepContext, ...]
    """Of the steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A network made ready, and the suite that measures parts and whole."""

    dissection: Dissection
    suite: Suite
    networks: Mapping[str, bytes]
    """By fingerprint."""
    whole: str
    """Fingerprint of the whole."""
    baseline: tuple[BaselineStep, ...]
    """The network as a published recipe cuts it; empty if none is measured."""


def dissect(path: Path, plan: ValidationPlan) -> Dissection:
    """Read a network and split it.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the whole cannot be estimated.
    """
    portable = read_batched(path, dims=plan.dims, batch=plan.batch)
    model = portable if plan.target == "portable" else lower(portable, threads=plan.options.threads)
    parts = split(model, plan.granularity, plan.splitter)
    composition = compose(parts, pairs=plan.rule.kind == "pairs")
    skipped = {step.skip: None for step in composition.steps if step.skip}
    if skipped:
        raise UnsupportedModelError(f"{path}: a part of it cannot be measured: {next(iter(skipped))}")
    return Dissection(portable=portable, parts=parts, composition=composition, contexts=contexts(parts))


def prepare(path: Path, plan: ValidationPlan) -> Trial:
    """Put parts and whole of a network into one suite.

    Raises:
        InputError: the network cannot be used.
        UnsupportedModelError: a part of it cannot be measured, so the whole cannot be estimated.
    """
    dissection = dissect(path, plan)
    end_to_end = whole_brick(dissection.portable)
    steps, published = baseline(dissection.portable, plan.granularity) if plan.baseline else ((), ())
    own = bricks_of(dissection.parts, unions=plan.rule.kind == "pairs")
    kept = (*anchors(), *merged(own), *merged(published), end_to_end)
    head = SuiteHead(
        name="validation",
        granularity=str(plan.granularity),
        splitter=plan.splitter,
        target=_target(plan),
        seed=0,
    )
    return Trial(
        dissection=dissection,
        suite=assemble(head, kept, {one.benchmark.fingerprint: _NO_REFERENCE for one in kept}),
        networks={one.benchmark.fingerprint: one.network for one in kept},
        whole=end_to_end.benchmark.fingerprint,
        baseline=steps,
    )


def executed(dissection: Dissection, threads: int) -> Model:
    """Give the graph that the runtime executes: the one that was split, or the portable one lowered.

    Raises:
        UnsupportedModelError: the runtime cannot lower it.
    """
    model = dissection.parts.model
    return model if model.target == TARGET else lower(dissection.portable, threads=threads)


def _target(plan: ValidationPlan) -> Target:
    if plan.target == "portable":
        return Target(name=plan.target)
    version = runtime_facts(session_settings(plan.options))["version"]
    return Target(name=plan.target, runtime=version, instruction_set=tuple(instruction_set()))


def whole_brick(model: Model) -> Brick:
    """Make a brick of the whole network, with a fingerprint of its own: at H = inf a part may be the whole."""
    made = brick(model, canonicalise(model, whole(model)), role="whole")
    return renamed(made, digest_json(["whole", made.benchmark.fingerprint]))
