"""Definition of a what-if question: a ``Transform`` states what it needs, does and ensures, and its evidence.

A transform is a pure function of graphs with parameters. What it requires is checked before and what it ensures after,
so that a question that makes no sense is refused instead of answered.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.errors import DlbricksError, InputError
from dlbricks.units import parse_duration, parse_factor, parse_rate, parse_share, parse_size
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.simulate import Policy, check

EVIDENCE = ("back-tested", "published", "modelled")
"""How a transform is known to be right: against measurements in this repository, by others in print, not at all."""

Values: TypeAlias = Mapping[str, Any]
"""Parameters by name: numbers in the unit that their ``Parameter`` states, and texts."""
Requirement: TypeAlias = Callable[[DependencyGraph, Values], str]
"""Says why a graph cannot be asked; empty where it can."""
Promise: TypeAlias = Callable[[DependencyGraph, DependencyGraph, Values], str]
"""Says what does not hold afterwards, given the graphs before and after; empty where all does."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a transform."""

    name: str
    kind: str
    """``factor`` (2 or 2x), ``share`` (0.5 or 50%), ``time`` (250us; ns), ``rate`` (25Gbps or 900GB/s; bytes/s),
    ``size`` (25MB; bytes), ``count`` (a whole number of at least 1), ``text``."""
    meaning: str
    default: str | None = None
    """As a user would write it; None where it has to be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """One kind of question."""

    name: str
    """As on the command line, in lower case with hyphens."""
    title: str
    """One sentence."""
    source: str
    """Where the model is from."""
    apply: Callable[[DependencyGraph, Values], DependencyGraph]
    """May raise InputError where a value makes no sense for the graph."""
    evidence: str = EVIDENCE[2]
    """One of ``EVIDENCE``."""
    parameters: tuple[Parameter, ...] = ()
    requires: Requirement = lambda _graph, _values: ""
    ensures: Promise = lambda _before, _after, _values: ""
    policy: Callable[[DependencyGraph, Values], Policy] | None = None
    """How the lanes of the result choose; None: they keep their order."""
    file: str = ""
    """That a user wrote it in; empty for what comes with this package."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A graph after some transforms."""

    graph: DependencyGraph
    policy: Policy | None
    """Of the last transform that has one, for the graph as it is in the end; None: lanes keep their order."""


def counting(sign: int, broken: str) -> Promise:
    """Promise that the number of tasks stays (0), grows (1) or shrinks (-1); ``broken`` says that it did not."""
    return lambda before, after, _: "" if (len(after) > len(before)) - (len(after) < len(before)) == sign else broken


def apply_all(graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]]) -> Applied:
    """Apply transforms in order.

    Raises:
        InputError: a graph cannot be asked, or the result is not what the transform promises.
    """
    for transform, values in steps:
        with _named(transform):
            reason = transform.requires(graph, values)
        if reason:
            raise InputError(f"{transform.name} cannot be applied to {graph.name}: {reason}")
        with _named(transform):
            after = transform.apply(graph, values)
            check(after)
            broken = transform.ensures(graph, after, values)
        if broken:
            raise InputError(f"{transform.name} did not do what it promises on {graph.name}: {broken}")
        graph = after
    for transform, values in reversed(steps):
        if transform.policy is not None:
            with _named(transform):
                return Applied(graph=graph, policy=transform.policy(graph, values))
    return Applied(graph=graph, policy=None)


@contextmanager
def _named(transform: Transform) -> Iterator[None]:
    """Name a user's transform, and its file, in the errors that it makes."""
    try:
        yield
    except DlbricksError:
        raise
    except Exception as error:
        if not transform.file:
            raise
        raise InputError(f"{transform.name} of {transform.file} fails: {type(error).__name__}: {error}") from error


def read_step(text: str, known: Mapping[str, Transform]) -> tuple[Transform, Values]:
    """Read ``amp``, ``bandwidth:25Gbps`` or ``data-parallel:8,bandwidth=25Gbps``.

    A value without a name is that of the first parameter.

    Raises:
        InputError: the transform or a parameter is not known, a value is missing or no value of its kind.
    """
    name, _, rest = text.partition(":")
    transform = known.get(name.strip())
    if transform is None:
        raise InputError(f"there is no transform '{name}'; known are: {', '.join(sorted(known))}")
    names = [parameter.name for parameter in transform.parameters]
    given: dict[str, str] = {}
    for place, part in enumerate(part for part in rest.split(",") if part.strip()):
        key, equals, value = part.partition("=")
        if not equals:
            if place or not names:
                raise InputError(f"'{part}' of '{text}' is no KEY=VALUE")
            key, value = names[0], part
        if key.strip() not in names:
            takes = f"it takes {', '.join(names)}" if names else "it takes none"
            raise InputError(f"{name} has no parameter '{key.strip()}': {takes}")
        given[key.strip()] = value.strip()
    values: dict[str, float | str] = {}
    for parameter in transform.parameters:
        said = given.get(parameter.name, parameter.default)
        if said is None:
            raise InputError(f"{name} needs {parameter.name}, {parameter.meaning}: write {name}:{parameter.name}=...")
        values[parameter.name] = read_value(parameter, said)
    return transform, values


def read_value(parameter: Parameter, text: str) -> float | str:
    """Read one value in the unit of its kind.

    Raises:
        InputError: it is no value of that kind.
    """
    if parameter.kind == "text":
        return text
    try:
        return _READERS[parameter.kind](text.strip())
    except InputError as error:
        raise InputError(f"{parameter.name} {error}") from error


def _count(text: str) -> float:
    if not text.isdigit() or not int(text):
        raise InputError(f"'{text}' is no count: write a whole number of at least 1")
    return float(text)


_READERS: Mapping[str, Callable[[str], float]] = {
    "factor": parse_factor,
    "share": parse_share,
    "time": lambda text: float(parse_duration(text)),
    "rate": parse_rate,
    "size": parse_size,
    "count": _count,
}
