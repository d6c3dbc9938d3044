"""The rules by which a submission is checked: one pure function each."""

from dlbricks.store.rules import content, machine, plausibility, samples
from dlbricks.store.rules.rule import CheckRule

_MODULES = (content, samples, plausibility, machine)

RULES: tuple[CheckRule, ...] = tuple(
    sorted(
        (each for module in _MODULES for each in vars(module).values() if isinstance(each, CheckRule)),
        key=lambda rule: rule.id,
    )
)
"""All rules, by id."""
