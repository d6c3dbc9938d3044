"""The rules that a submission is checked by: one small pure function each."""

from dlbricks.store.rules import conditions, content, machine, plausibility, samples
from dlbricks.store.rules.rule import CheckRule

_MODULES = (content, samples, plausibility, machine, conditions)

RULES: tuple[CheckRule, ...] = tuple(
    sorted(
        (each for module in _MODULES for each in vars(module).values() if isinstance(each, CheckRule)),
        key=lambda rule: rule.id,
    )
)
"""Every rule, by id."""
