"""All rules, and the page of the documentation that lists them."""

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

GROUPS = {
    "DB0": "Traces",
    "DB1": "Structure",
    "DB2": "Suite",
    "DB3": "Outputs",
    "DB4": "Samples",
    "DB5": "System",
    "DB6": "Runtime",
    "DB7": "Anchors",
    "DB8": "Plausibility",
    "DB9": "States",
}
"""Title of each group by the beginning of its ids."""

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
"""Every rule, by id."""


def rules_markdown() -> str:
    """Give the text of ``docs/rules.md``."""
    lines = [
        "# What a submission is checked by",
        "",
        "`dlbricks check RESULT.json` runs these rules, and `dlbricks submit` runs them again. An error refuses the",
        "submission (exit code 1), warnings and remarks do not. A file that cannot be read, is cut off or breaks",
        "`docs/schemas/submission.schema.json` is bad input (exit code 2) and meets no rule.",
        "",
        "This page is written from `dlbricks/store/rules/`; a test keeps it so.",
    ]
    for prefix, title in GROUPS.items():
        lines += ["", f"## {prefix}xx {title}", "", "| rule | severity | what | why | what to do |"]
        lines.append("| --- | --- | --- | --- | --- |")
        lines += [
            f"| {rule.id} | {rule.severity} | {rule.title} | {rule.explanation} | {rule.fix} |"
            for rule in RULES
            if rule.id.startswith(prefix)
        ]
    return "\n".join(lines) + "\n"
