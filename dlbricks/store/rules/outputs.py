"""DB3xx: are the answers right, so that a wrong one never counts as a fast one."""

from collections.abc import Iterator
from typing import Any

from dlbricks.harness.output_digest import compare
from dlbricks.store.rules.rule import Context, Measured, Occurrence, Rule


def _count(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        if entry.listed is not None and len(entry.row["sketches"]) != len(entry.listed["outputs"]):
            said = f"{entry.name} has {len(entry.row['sketches'])} sketches for {len(entry.listed['outputs'])} outputs"
            yield f"{entry.where}.sketches", said


def _form(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        outputs = [] if entry.listed is None else entry.listed["outputs"]
        for index, (sketch, output) in enumerate(zip(entry.row["sketches"], outputs, strict=False)):
            found, wanted = _form_of(sketch), _form_of(output)
            if found != wanted:
                yield f"{entry.where}.sketches[{index}]", f"{entry.name} gives {found}, the suite says {wanted}"


def _answers(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, (sketch, reference) in enumerate(zip(entry.row["sketches"], _references(entry), strict=False)):
            if _form_of(sketch) == _form_of(reference):
                reason = compare(sketch, reference, _operators(entry))
                if reason is not None:
                    yield f"{entry.where}.sketches[{index}]", f"{entry.name} answers wrongly: {reason}"


def _finite(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        for index, sketch in enumerate(entry.row["sketches"]):
            if sketch["finite"] < 1:
                share = 1 - sketch["finite"]
                yield f"{entry.where}.sketches[{index}]", f"{share:.3%} of an output of {entry.name} are not finite"


def _unreferenced(context: Context) -> Iterator[Occurrence]:
    missing = [entry for entry in context.measured if entry.listed is not None and entry.listed["reference"] is None]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        yield missing[0].where, f"the suite has no reference for {missing[0].name}{more}"


def _references(entry: Measured) -> list[dict[str, Any]]:
    if entry.listed is None or entry.listed["reference"] is None:
        return []
    references: list[dict[str, Any]] = entry.listed["reference"]
    return references


def _operators(entry: Measured) -> list[str]:
    return [] if entry.listed is None else list(entry.listed["operators"])


def _form_of(value: dict[str, Any]) -> str:
    return f"{value['dtype']}[{','.join(map(str, value['shape']))}]"


RULES = (
    Rule(
        id="DB301",
        severity="error",
        title="a sketch per output",
        explanation="Without a sketch of every output nobody can tell whether the network was run at all.",
        fix="Send the result as the harness wrote it.",
        find=_count,
    ),
    Rule(
        id="DB302",
        severity="error",
        title="outputs of the right form",
        explanation="Shape and element type of an output are fixed by the network; others come from another one.",
        fix="Run the networks of the suite unchanged.",
        find=_form,
    ),
    Rule(
        id="DB303",
        severity="error",
        title="answers are right",
        explanation="Inputs and weights are the same numbers everywhere, so the outputs agree within the tolerance of "
        "their element type; a fast wrong answer is no result.",
        fix="Report the benchmark to the makers of the runtime, or leave the option out that makes it answer so.",
        find=_answers,
    ),
    Rule(
        id="DB304",
        severity="warning",
        title="outputs are finite",
        explanation="Infinities and NaN can be slow or fast in a way that real values are not.",
        fix="Generate the suite again if its reference has them too; otherwise look at the runtime.",
        find=_finite,
    ),
    Rule(
        id="DB305",
        severity="info",
        title="answers without a reference",
        explanation="The suite could not give a reference for these, so their answers were not compared.",
        fix="Nothing.",
        find=_unreferenced,
    ),
)
"""Rules of this group."""
