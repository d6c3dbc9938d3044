"""The way of the data is the import order; every module of the package is held to it here."""

import ast
import graphlib
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import dlbricks

ROOT = Path(dlbricks.__file__).parent
ORDER = (
    "version",
    "errors",
    "extensions",
    "limits",
    "units",
    "statistics",
    "files",
    "typed_json",
    "harness",
    "settings",
    "model",
    "operators",
    "passes",
    "process_pool",
    "sequences",
    "suite",
    "trace",
    "profile",
    "store",
    "construct",
    "validate",
    "whatif",
    "analysis",
    "api",
    "report",
    "cli",
    "plugins",
)
"""Left to right; a part imports only from itself and from what stands to its left. So nothing imports a plug-in."""
MODULES_BY_PATH = {
    path: ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
}
MODULES = {name: path for path, name in MODULES_BY_PATH.items()}
_IN_SUITES = ("repro/pair.py", "trust/answering.py", "openvino/runtime.py")
PASSES = {"read", "passes", "lowering", "export", "emit", "groups"}
"""What stands in ``model`` and makes models: it knows the operators, which know a model's types."""

ONLY_IN = {
    "onnx": {"model", "operators", "passes", "plugins", "sequences", "suite"},
    "click": {"cli", "plugins"},
    "dask": {"plugins"},
    "distributed": {"plugins"},
    "cupti": {"harness", "profile"},
    "openvino": {"plugins"},
    "sqlalchemy": {"store"},
    "torch": {"passes"},
    "transformers": {"passes"},
    "jinja2": {"suite", "report"},
    "plotly": {"report"},
    "py_perf_event": {"harness"},
    "pyarrow": {"store"},
}
"""Libraries that only the named parts may import."""

MAY_IMPORT_ONNXRUNTIME = {
    "harness/runtimes",
    "model/lowering",
    "model/schemas.py",  # the schemas of its own operators, which onnx lacks; lowering stands to the right of schemas
    "api/diagnosis.py",  # reports the installed build and its providers
}
"""Folders and modules that may import onnxruntime, or its module of the harness; all others use ``Backend``."""

PUBLIC_API = {"passes", "api/networks.py", "sequences/types.py"}
"""Who may import onnx-graphsurgeon: the package of its passes, and for the types of public functions alone."""

COMMANDS_MAY_IMPORT = (
    "version",
    "errors",
    "extensions",
    "limits",
    "units",
    "files",
    "harness",
    "settings",
    "api",
    "report",
)
"""What commands may import besides types: texts, files, options and the formatting; all else they ask of the API."""

HARNESS_MAY_IMPORT = {"numpy", "cupti", "py_perf_event"}
RUNTIMES = {"onnxruntime", "openvino"}
"""What only the module of a runtime may import besides."""


def part_of(path: Path, root: Path) -> str:
    """Give the part a file belongs to: its folder below the package, or its own name at the top."""
    return part_of_name(".".join(path.relative_to(root).with_suffix("").parts))


def part_of_name(module: str) -> str:
    """Give the part of a module by its name below the package."""
    part, _, rest = module.partition(".")
    return "passes" if part == "model" and rest.split(".")[0] in PASSES else part


def imports_of(source: str) -> Iterator[tuple[str, int]]:
    """Yield every absolutely imported module with its line; relative imports come with leading dots."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), node.lineno


def breaches(root: Path) -> list[str]:
    """List every import that goes against the order, is reserved to another part, or leaves the harness."""
    found = []
    for path in sorted(root.rglob("*.py")):
        part = part_of(path, root)
        if part.startswith("_"):
            continue
        for name, line in imports_of(path.read_text(encoding="utf-8")):
            where = f"{path.relative_to(root)}:{line}"
            top, _, rest = name.partition(".")
            if top == "dlbricks" and rest:
                other = part_of_name(rest)
                if other in ORDER and ORDER.index(other) > ORDER.index(part):
                    found.append(f"{where}: {part} -> {other}")
                if part == other == "plugins" and rest.split(".")[1] != path.relative_to(root).parts[1]:
                    found.append(f"{where}: a plug-in cannot import another one")
                if part == "harness":
                    found.append(f"{where}: the harness stands alone and cannot import {name}")
            place = path.relative_to(root)
            if top == "onnx_graphsurgeon" and not PUBLIC_API & {place.parts[0], place.as_posix()}:
                found.append(f"{where}: only {sorted(PUBLIC_API)} may import {top}")
            may = {place.as_posix(), place.parent.as_posix()} & MAY_IMPORT_ONNXRUNTIME
            if "onnxruntime" in {top, name.removeprefix("dlbricks.harness.runtimes.")} and not may:
                found.append(f"{where}: only {sorted(MAY_IMPORT_ONNXRUNTIME)} may import onnxruntime")
            if top in ONLY_IN and part not in ONLY_IN[top]:
                found.append(f"{where}: only {sorted(ONLY_IN[top])} may import {top}")
    return found


def modules_imported(path: Path) -> set[str]:
    """Modules of the package that a module imports anywhere, in functions and for types, too; not its own package."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            package = path.relative_to(ROOT.parent).parts[: -node.level] if node.level else ()
            stem = ".".join((*package, *((node.module,) if node.module else ())))
            members = {f"{stem}.{alias.name}" for alias in node.names}
            names |= {member if member in MODULES else stem for member in members}
    return names & MODULES.keys() - {MODULES_BY_PATH[path]}


def test_no_modules_import_each_other() -> None:
    """Not even inside of functions: each module can be read after those that it imports."""
    graph = {name: modules_imported(path) for name, path in MODULES.items()}
    graphlib.TopologicalSorter(graph).prepare()


def core_imports(path: Path) -> list[str]:
    """Modules of core packages, other than of types, that a module of commands imports when it runs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = [ast.Pass()]
    tops = ("cli", *COMMANDS_MAY_IMPORT)
    names = [
        name.removeprefix("dlbricks.") for name, _ in imports_of(ast.unparse(tree)) if name.startswith("dlbricks.")
    ]
    return [name for name in names if name.partition(".")[0] not in tops and not name.endswith(".types")]


def test_commands_import_the_api() -> None:
    """A command parses, calls the API and prints; what its module imports of the core is types and formatting."""
    assert {path.stem for path in (ROOT / "cli").glob("*.py") if core_imports(path)} == set()


def test_every_part_is_ranked() -> None:
    """A new part has to be given its place in the order."""
    parts = {part_of(path, ROOT) for path in ROOT.rglob("*.py")} - {"__init__", "__main__", "_templates"}
    assert parts <= set(ORDER)


def test_the_picture_of_the_packages_shows_the_order() -> None:
    """``docs/architecture.md`` has the parts in the order in which they may import each other."""
    page = (ROOT.parent / "docs" / "architecture.md").read_text(encoding="utf-8")
    picture = page.partition("## Packages")[2].partition("`dlbricks estimate`")[0]
    shown = re.findall(r"^    ([a-z][a-z_, ]*?) {2,}\S", picture, re.MULTILINE)
    assert [part for line in shown for part in line.split(", ")] == list(ORDER)


def test_imports_follow_the_way_of_the_data() -> None:
    """No module imports from its right, and reserved libraries stay where they belong."""
    assert breaches(ROOT) == []


def test_harness_stands_alone() -> None:
    """The harness imports the standard library, numpy, cupti and its own modules (relatively); a runtime its library.

    Only ``session`` imports modules of ``runtimes``, by their names.
    """
    for path in sorted((ROOT / "harness").rglob("*.py")):
        for name, line in imports_of(path.read_text(encoding="utf-8")):
            own = name.startswith(".") and not name.lstrip(".").startswith("runtimes.")
            assert own or name.split(".")[0] in may_import(path), f"{path.name}:{line} {name}"


def may_import(path: Path) -> set[str]:
    """Libraries that a module of suites may import."""
    is_runtime = path.parent.name == "runtimes" or path.name == "runtime.py"
    return {*sys.stdlib_module_names, *HARNESS_MAY_IMPORT} | (RUNTIMES if is_runtime else set())


def test_modules_of_plugins_in_suites_need_the_harness_only() -> None:
    """Modules of plug-ins that suites, reproductions and challenges carry import the harness and what it may import."""
    for path in (ROOT / "plugins" / name for name in _IN_SUITES):
        for name, line in imports_of(path.read_text(encoding="utf-8")):
            own = name.startswith("dlbricks.harness.")
            assert own or name.split(".")[0] in may_import(path), f"{path.name}:{line} {name}"


def test_the_harness_is_python_3_10() -> None:
    """A suite runs where dlbricks itself does not: nothing in it needs a newer syntax, or may reach a network."""
    for path in (*sorted((ROOT / "harness").rglob("*.py")), *(ROOT / "plugins" / name for name in _IN_SUITES)):
        source = path.read_text(encoding="utf-8")
        ast.parse(source, feature_version=(3, 10))
        tops = {name.partition(".")[0] for name, _ in imports_of(source)}
        assert not tops & {"socket", "urllib", "http", "ssl", "ftplib", "smtplib", "tomllib", "asyncio"}, path.name


def test_a_public_class_name_has_one_meaning() -> None:
    """No two modules define a public class of the same name."""
    places: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def _leads_nowhere(name: str) -> bool:
    """Whether a name with dots, below the package, is neither a module nor in the text of one."""
    found = ROOT
    for step in name.split("."):
        if not found.is_dir():
            return step not in found.read_text(encoding="utf-8")
        found = found / step if (found / step).is_dir() else found / f"{step}.py"
        if not found.exists():
            return True
    return False


def test_what_docstrings_point_to_is_there() -> None:
    """A name with dots that begins with a part of the package, as ``operators.costs``, is a module or in one."""
    lost = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in sorted(ROOT.rglob("*.py"))
        for name in re.findall(r"``([a-z_]+(?:\.[a-zA-Z_]+)+)``", path.read_text(encoding="utf-8"))
        if name.partition(".")[0] in ORDER and not name.endswith((".json", ".onnx")) and _leads_nowhere(name)
    ]
    assert lost == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("model/a.py", "import dlbricks.suite.b"),
        ("harness/a.py", "import dlbricks.errors"),
        ("store/a.py", "import onnx"),
        ("cli/a.py", "import dlbricks.plugins.llm.options"),
        ("model/read/a.py", "import onnx_graphsurgeon"),
        ("profile/a.py", "import onnxruntime"),
        ("profile/a.py", "from dlbricks.harness.runtimes.onnxruntime import provider_name"),
        ("cli/a.py", "import dlbricks.plugins.site"),
        ("plugins/repro/a.py", "import dlbricks.plugins.site.pages"),
    ],
)
def test_a_breach_is_seen(tmp_path: Path, path: str, source: str) -> None:
    """The check is no empty promise: planted breaches are found."""
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(source)
    assert breaches(tmp_path) != []
