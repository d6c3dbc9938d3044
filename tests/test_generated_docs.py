"""Pages that are written from the code: the JSON Schemas of the file formats, and the list of rules.

``make golden`` rewrites them.
"""

import ast
import inspect
import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
from archives import read_csv
from rules import LEFT_OUT, alarms, honest_results

import dlbricks
from dlbricks.construct.types import Estimate, EstimateRow
from dlbricks.store.submission import RULES
from tests.documents import PRINTED, READ, SCHEMAS

DOCS = Path(dlbricks.__file__).parents[1] / "docs"


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a document; descriptions are the docstrings of its classes and fields."""
    kind, version = (READ | PRINTED)[name]
    (top,), components = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    for title, component in components.items():
        for key, text in field_docs(kind if title == kind.__name__ else class_of(title)).items():
            component["properties"][key].setdefault("description", text)
        if name in PRINTED:
            as_printed(component, kind if title == kind.__name__ else class_of(title))
    whole = components.pop(top["$ref"].removeprefix("#/$defs/"))
    constants = {"format": {"const": f"dlbricks-{name}"}, "schema_version": {"const": version}}
    made = {
        "$id": f"{name}.schema.json",
        **whole,
        "title": f"dlbricks-{name}, schema version {version}",
        "properties": constants | {key: each for key, each in whole["properties"].items() if key not in constants},
        "required": sorted({*constants, *whole["required"]}),
        "$defs": {title.lstrip("_"): component for title, component in components.items()},
    }
    made["description"] = f"{made['description']} Fields that are not named here are allowed."
    published: dict[str, Any] = portable(made)
    return published


# Fields that ``nulls`` of these types may name.
NULL_IF_UNKNOWN: dict[type, tuple[str, ...]] = {
    Estimate: ("total_ns", "low_ns", "high_ns"),
    EstimateRow: ("each_ns", "total_ns", "share"),
}


def class_of(name: str) -> Any:
    """The class that a part of a schema is of; what is printed (``tests.documents``) goes before what it is made of."""
    # the order in which modules were imported depends on the tests that ran before
    loaded = sorted(sys.modules.items(), key=lambda item: not item[0].startswith("tests.documents"))
    homes = [module for key, module in loaded if key.startswith(("dlbricks.", "tests.documents"))]
    return next(vars(one)[name] for one in homes if getattr(vars(one).get(name), "__module__", "") == one.__name__)


def as_printed(component: dict[str, Any], kind: type) -> None:
    """Let every field of an object be there, and the figures that are computed of others."""
    for field in component["properties"].values():
        field.pop("default", None)
    if isinstance(figure := getattr(kind, "coverage", None), property):
        component["properties"]["coverage"] = {"type": "number", "description": inspect.getdoc(figure)}
    for field in NULL_IF_UNKNOWN.get(kind, ()):
        component["properties"][field]["type"] = [component["properties"][field]["type"], "null"]
    component["required"] = list(component["properties"])


def field_docs(kind: type) -> dict[str, str]:
    """The docstrings below the fields of a class and of those that it inherits from."""
    bases = [base for base in reversed(kind.__mro__) if "__annotations__" in vars(base)]
    return {key: text for base in bases for key, text in own_docs(base).items()}


def own_docs(kind: type) -> dict[str, str]:
    """The docstrings below the fields of a class."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(tree, ast.ClassDef)
    return {
        field.target.id: inspect.cleandoc(doc.value.value).replace("\n", " ")
        for field, doc in zip(tree.body, tree.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(doc, ast.Expr) and isinstance(doc.value, ast.Constant) and isinstance(doc.value.value, str)
    }


def plain(text: str) -> str:
    """A pattern or a docstring without what only Python knows, such as indents, which msgspec keeps before 0.23."""
    return inspect.cleandoc(text).replace("\\Z", "$").replace("``", "").replace("#/$defs/_", "#/$defs/")


def portable(node: Any) -> Any:
    """Write patterns as every language reads them, and none where the words are listed.

    Empty objects as defaults are left out: msgspec writes them since 0.23, and not before.
    """
    if isinstance(node, list):
        return [portable(each) for each in node]
    if not isinstance(node, dict):
        return node
    return {
        key: plain(each) if key in {"pattern", "description", "$ref"} and isinstance(each, str) else portable(each)
        for key, each in node.items()
        if not (
            (key == "pattern" and "enum" in node)
            or (key == "title" and isinstance(each, str) and "$id" not in node)
            or (key == "default" and each == {})
        )
    }


def laid_out(node: Any, indent: str = "") -> str:
    """JSON whose objects and lists stand on one line where they fit on it."""
    line = json.dumps(node)
    if not isinstance(node, dict | list) or len(indent) + len(line) <= 110:
        return line
    deeper = indent + "  "
    if isinstance(node, list):
        return "[\n" + ",\n".join(deeper + laid_out(each, deeper) for each in node) + f"\n{indent}]"
    rows = (f"{deeper}{json.dumps(key)}: {laid_out(each, deeper)}" for key, each in node.items())
    return "{\n" + ",\n".join(rows) + f"\n{indent}}}"


def test_schemas_are_those_of_the_types(*, rewrite_golden: bool) -> None:
    """``docs/schemas.json`` says what readers take and verbs print, and is a schema by its own standard."""
    kinds = {name: json_schema(name) for name in sorted(READ | PRINTED)}
    made = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Documents of dlbricks",
        "description": "The schema of each document has the name that its format has behind 'dlbricks-'.",
        "oneOf": [{"$ref": kind["$id"]} for kind in kinds.values()],
        "$defs": kinds,
    }
    jsonschema.Draft202012Validator.check_schema(made)
    _compare(SCHEMAS, laid_out(made) + "\n", rewrite=rewrite_golden)


def test_all_schemas_together_know_a_document_by_its_format() -> None:
    """Whatever a verb prints passes the whole file, which refuses what is of no kind."""
    whole = jsonschema.Draft202012Validator(json.loads(SCHEMAS.read_text(encoding="utf-8")))
    document = {"format": "dlbricks-suites", "schema_version": 2, "suites": []}
    whole.validate(document)
    assert not whole.is_valid(document | {"format": "dlbricks-nothing"})


def test_rules_are_those_of_the_table(*, rewrite_golden: bool) -> None:
    """``docs/rules.md`` lists the rules that there are."""
    _compare(DOCS / "rules.md", rules_page(), rewrite=rewrite_golden)


def rules_page() -> str:
    """Give the text of ``docs/rules.md``."""
    honest = honest_results()
    found, kept = alarms(honest.values()), {row["rule"]: row for row in read_csv("rules")}
    assert {rule.id for rule in RULES} == kept.keys() | LEFT_OUT
    rates = {
        rule.id: f"{found[rule.id] + int(kept[rule.id]['alarms'] if rule.id in kept else 0)} of "
        f"{len(honest) + int(kept[rule.id]['runs'] if rule.id in kept else 0)}"
        for rule in RULES
    }
    for rule in RULES:
        assert rule.severity != "error" or rule.id == "DB507" or rates[rule.id].startswith("0 "), rule.id
    lines = [
        "# Rules by which results are checked",
        "",
        "`dlbricks check RESULT.json` applies these rules and says what to do about each finding; `dlbricks submit`",
        "applies them again. An error refuses the result (exit code 1), a warning does not. A file that is cut off or",
        "violates the schema `submission` is bad input (exit code 2); no rule is applied to it.",
        "",
        "Errors are for what cannot be, except DB507, which refuses for quality. False alarms were counted on",
        f"{len(honest)} honest results (two runtimes, one and two threads, busy machines, a GPU) and, for rules whose",
        f"facts the archives keep, on {kept['DB101']['runs']} archived runs (`benchmarks/rules.py`). DB507 has",
        f"{rates['DB507']}, no other error has any.",
        "",
        "## Errors",
        "",
        "| rule | what | why |",
        "| --- | --- | --- |",
        *(f"| {rule.id} | {rule.title} | {rule.explanation} |" for rule in RULES if rule.severity == "error"),
        "",
        "## Warnings",
        "",
        "| rule | what | what to do | false alarms |",
        "| --- | --- | --- | --- |",
        *(
            f"| {rule.id} | {rule.title} | {rule.fix} | {rates[rule.id]} |"
            for rule in RULES
            if rule.severity != "error"
        ),
    ]
    return "\n".join(lines) + "\n"


def _compare(path: Path, text: str, *, rewrite: bool) -> None:
    if rewrite:
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} is not what the code says: run make golden"
