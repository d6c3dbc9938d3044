"""The rules by which a submission is checked: one pure function each."""

from dlbricks.errors import InputError
from dlbricks.extensions import extensions
from dlbricks.store.rules import content, machine, plausibility, samples
from dlbricks.store.rules.rule import CheckRule

_MODULES = (content, samples, plausibility, machine)

RULES: tuple[CheckRule, ...] = tuple(
    sorted(
        (each for module in _MODULES for each in vars(module).values() if isinstance(each, CheckRule)),
        key=lambda rule: rule.id,
    )
)
"""The built-in rules, by id."""


def all_rules() -> tuple[CheckRule, ...]:
    """Return the built-in rules and those of extensions.

    Raises:
        InputError: an extension uses the id of another rule.
    """
    rules = {rule.id: rule for rule in RULES}
    for rule in extensions("dlbricks.rules", CheckRule):
        if rules.setdefault(rule.id, rule) is not rule:
            raise InputError(f"an extension: there is a rule '{rule.id}' already, give it another id")
    return tuple(rules.values())
