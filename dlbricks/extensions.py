"""Loads extensions: entry points of installed distributions, and Python files that the user names.

The groups are ``dlbricks.commands``, ``dlbricks.operators``, ``dlbricks.transforms``, ``dlbricks.analyses``,
``dlbricks.rules``, ``dlbricks.passes``, ``dlbricks.store_hooks``, ``dlbricks.targets``, ``dlbricks.executors``,
``dlbricks.checks``, ``dlbricks.readers`` and ``dlbricks.runtimes`` (``harness.runtimes``). Suites, results and other
data cannot name a module to load.
"""

import ast
from importlib.abc import InspectLoader
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from dlbricks.errors import InputError, MissingDependencyError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

Extension = TypeVar("Extension")


def offered(group: str) -> "dict[str, EntryPoint]":
    """Return the entry points in a group by name; raises ``InputError`` if two have the same name."""
    # importlib.metadata takes 20 ms to import, which commands that use no extension do not spend.
    from importlib.metadata import entry_points

    points: dict[str, EntryPoint] = {}
    for point in sorted(entry_points(group=group), key=lambda point: point.name):
        other = points.setdefault(point.name, point)
        if other is not point:
            both = f"{_distribution(other)} and {_distribution(point)}"
            raise InputError(f"{both} both offer '{point.name}' in {group}: uninstall one of them")
    return points


def load(point: "EntryPoint", kind: type[Extension]) -> Extension:
    """Import an entry point and return its object; raises ``MissingDependencyError`` if the import fails."""
    where = f"extension '{point.name}' of {_distribution(point)}"
    try:
        extension = point.load()
    except Exception as error:  # a module of another author may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise MissingDependencyError(f"{where} cannot be imported ({reason}): repair or uninstall it") from error
    if not isinstance(extension, kind):
        raise InputError(f"{where}: expected a {kind.__name__}, found {type(extension).__name__}")
    return extension


def extensions(group: str, kind: type[Extension]) -> list[Extension]:
    """Return the objects of all entry points in a group; raises as ``load``."""
    return [load(point, kind) for point in offered(group).values()]


def module_of(path: Path, what: str) -> ModuleType:
    """Run a Python file and return its module; messages call the content ``what``, as in "transforms".

    Raises ``InputError`` if the file does not exist or fails.
    """
    if not path.is_file():
        raise InputError(f"cannot read {what} from {path}: file not found")
    spec = spec_from_file_location(f"dlbricks_user_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise InputError(f"cannot read {what} from {path}: its name must end in .py")
    module = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise InputError(f"{path} fails: {type(error).__name__}: {error}") from error
    return module


def summary(point: "EntryPoint") -> str:
    """Return the first line of the docstring of an entry point's module, without importing it."""
    name, folders, loader = "", None, None
    for part in point.module.split("."):
        name = f"{name}.{part}".removeprefix(".")
        spec = PathFinder.find_spec(name, folders)
        if spec is None:
            return ""
        folders, loader = spec.submodule_search_locations, spec.loader
    source = loader.get_source(name) if isinstance(loader, InspectLoader) else None
    return (ast.get_docstring(ast.parse(source or "")) or "").partition("\n")[0]


def _distribution(point: "EntryPoint") -> str:
    return point.dist.name if point.dist is not None else point.module
