"""What was made of a stranger's file: Python and pages have the shape of the templates, whatever texts are in them."""

import ast
import functools
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

from dlbricks.plugins.repro.pieces import render_archive_main
from dlbricks.suite.manifest import read_network, read_suite
from dlbricks.suite.writing import suite_files

SMOKE = Path(__file__).parents[2] / "suites" / "smoke"
_LITERALS = (ast.Constant, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.UnaryOp)
_PASSIVE = (ast.expr_context, ast.unaryop)


class _Literals(ast.NodeTransformer):
    """Puts one and the same constant in the place of every literal, however deep."""

    def visit(self, node: ast.AST) -> ast.AST:
        """Replace a literal, and look into everything else."""
        if isinstance(node, _LITERALS) and all(isinstance(one, (*_LITERALS, *_PASSIVE)) for one in ast.walk(node)):
            return ast.Constant(value=0)
        return self.generic_visit(node)


@functools.cache
def shape(source: bytes) -> str:
    """Give the syntax tree of some Python without its literals; empty where it is none.

    Kept: every suite holds the same harness.
    """
    try:
        return ast.dump(_Literals().visit(ast.parse(source)))
    except (SyntaxError, ValueError):
        return ""


@functools.cache
def known() -> frozenset[str]:
    """Give the shapes of what the templates make of a plain suite."""
    suite = read_suite(SMOKE)
    networks = {one.fingerprint: read_network(SMOKE, one.fingerprint) for one in suite.benchmarks}
    files = [data for path, data in suite_files(suite, networks).items() if path.endswith(".py")]
    return frozenset(map(shape, [*files, render_archive_main(suite, suite.benchmarks[0]).encode()]))


class _Active(HTMLParser):
    """Lists what a page could run: scripts that are no data, handlers, addresses that are code."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.scripts = 0
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at an element."""
        values = {name: value or "" for name, value in attrs}
        self.scripts += tag == "script" and values.get("type") != "application/json"
        self.found += [name for name in values if name.startswith("on")]
        self.found += [tag] if tag in {"img", "iframe", "object", "embed", "base", "form"} else []
        self.found += [value for value in values.values() if value.strip().lower().startswith("javascript:")]


def foreign(folder: Path, scripts: int) -> Iterator[str]:
    """Name what in a folder has another shape than what templates make of plain files.

    Args:
        folder: what verbs wrote: suites, single benchmarks, pages.
        scripts: of a plain page.
    """
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.suffix == ".py" and shape(path.read_bytes()) not in known():
            yield name
        elif path.suffix == ".pyz":
            with zipfile.ZipFile(path) as packed:
                python = [one for one in packed.namelist() if one.endswith(".py")]
                yield from (f"{name}/{one}" for one in python if shape(packed.read(one)) not in known())
        elif path.suffix == ".html":
            page = _Active(path.read_text(encoding="utf-8"))
            if page.found or page.scripts != scripts:
                yield f"{name}: {page.scripts} scripts, {page.found[:3]}"
