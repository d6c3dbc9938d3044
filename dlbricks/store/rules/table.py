"""All rules, by id."""

from dlbricks.store.rules import (
    anchors,
    outputs,
    plausibility,
    runtime,
    samples,
    states,
    structure,
    suite,
    system,
    traces,
)
from dlbricks.store.rules.rule import Rule

RULES: tuple[Rule, ...] = (
    *traces.RULES,
    *structure.RULES,
    *suite.RULES,
    *outputs.RULES,
    *samples.RULES,
    *system.RULES,
    *runtime.RULES,
    *anchors.RULES,
    *plausibility.RULES,
    *states.RULES,
)
