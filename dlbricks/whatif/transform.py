"""Definition of a what-if transform: preconditions, graph edit, postconditions and evidence.

A transform is a pure function of a graph and parameters. Preconditions are checked before and postconditions after it
is applied; a violation is an InputError.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.errors import DlbricksError, InputError
from dlbricks.units import parse_duration, parse_factor, parse_rate, parse_share, parse_size
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.simulate import Policy, check

# How the model of a transform was validated: by measurements in this repository, by published results, or not at all.
EVIDENCE = ("back-tested", "published", "modelled")

# Parameter values by name: numbers in the unit of their ``Parameter``, or texts.
Values: TypeAlias = Mapping[str, Any]
# Returns why a transform cannot be applied to a graph, or an empty string.
Requirement: TypeAlias = Callable[[DependencyGraph, Values], str]
# Returns which postcondition the graphs before and after violate, or an empty string.
Promise: TypeAlias = Callable[[DependencyGraph, DependencyGraph, Values], str]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Parameter of a transform."""

    name: str
    kind: str
    """``factor`` (2 or 2x), ``share`` (0.5 or 50%), ``time`` (250us; ns), ``rate`` (25Gbps or 900GB/s; bytes/s),
    ``size`` (25MB; bytes), ``count`` (whole number of at least 1), ``text``."""
    meaning: str
    default: str | None = None
    """As written on the command line; None if the parameter is required."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """A what-if transform."""

    name: str
    """Name on the command line, lower case with hyphens."""
    title: str
    """One sentence on what the transform does."""
    source: str
    """Publication or derivation of the model."""
    apply: Callable[[DependencyGraph, Values], DependencyGraph]
    """May raise InputError if a value is invalid for the graph."""
    evidence: str = EVIDENCE[2]
    """One of ``EVIDENCE``."""
    parameters: tuple[Parameter, ...] = ()
    requires: Requirement = lambda _graph, _values: ""
    ensures: Promise = lambda _before, _after, _values: ""
    policy: Callable[[DependencyGraph, Values], Policy] | None = None
    """Scheduling policy of the result; None keeps the order of each lane."""
    group: str = ""
    """Heading in lists, for example ``paper``; empty for none."""
    file: str = ""
    """User's file that defines the transform; empty for built-in transforms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """Result of applying transforms."""

    graph: DependencyGraph
    policy: Policy | None
    """Policy of the last transform that has one; None keeps the order of each lane."""


def counting(sign: int, broken: str) -> Promise:
    """Return a postcondition on the number of tasks: equal (0), more (1) or fewer (-1); ``broken`` is its message."""
    return lambda before, after, _: "" if (len(after) > len(before)) - (len(after) < len(before)) == sign else broken


def apply_all(graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]]) -> Applied:
    """Apply transforms in order.

    Raises:
        InputError: a precondition or postcondition is violated.
    """
    for transform, values in steps:
        with naming(transform):
            reason = transform.requires(graph, values)
        if reason:
            raise InputError(f"{transform.name} cannot be applied to {graph.name}: {reason}")
        with naming(transform):
            after = transform.apply(graph, values)
            check(after)
            broken = transform.ensures(graph, after, values)
        if broken:
            raise InputError(f"{transform.name} violates its postcondition on {graph.name}: {broken}")
        graph = after
    for transform, values in reversed(steps):
        if transform.policy is not None:
            with naming(transform):
                return Applied(graph=graph, policy=transform.policy(graph, values))
    return Applied(graph=graph, policy=None)


@contextmanager
def naming(transform: Transform) -> Iterator[None]:
    """Add the name and file of a user's transform to the errors it raises, or whose result raises them."""
    try:
        yield
    except Exception as error:
        if not transform.file:
            raise
        if isinstance(error, DlbricksError):
            raise InputError(f"{transform.name} of {transform.file} fails: {error}") from error
        raise InputError(f"{transform.name} of {transform.file} fails: {type(error).__name__}: {error}") from error


def read_step(text: str, transforms: Mapping[str, Transform]) -> tuple[Transform, Values]:
    """Parse ``amp``, ``bandwidth:25Gbps`` or ``data-parallel:8,bandwidth=25Gbps``.

    A value without a name belongs to the first parameter.

    Raises:
        InputError: the transform or a parameter is unknown, or a value is missing or malformed.
    """
    name, _, rest = text.partition(":")
    transform = transforms.get(name.strip())
    if transform is None:
        raise InputError(f"unknown transform '{name}': give {', '.join(sorted(transforms))}")
    names = [parameter.name for parameter in transform.parameters]
    texts: dict[str, str] = {}
    for place, part in enumerate(part for part in rest.split(",") if part.strip()):
        key, equals, value = part.partition("=")
        if not equals:
            if place or not names:
                raise InputError(f"invalid part '{part}' of '{text}': expected KEY=VALUE")
            key, value = names[0], part
        if key.strip() not in names:
            takes = f"it takes {', '.join(names)}" if names else "it takes none"
            raise InputError(f"{name} has no parameter '{key.strip()}': {takes}")
        texts[key.strip()] = value.strip()
    values: dict[str, float | str] = {}
    for parameter in transform.parameters:
        value_text = texts.get(parameter.name, parameter.default)
        if value_text is None:
            raise InputError(f"{name} needs {parameter.name}, {parameter.meaning}: write {name}:{parameter.name}=...")
        values[parameter.name] = read_value(parameter, value_text)
    return transform, values


def read_value(parameter: Parameter, text: str) -> float | str:
    """Parse one value into the unit of its kind.

    Raises:
        InputError: the value is malformed.
    """
    try:
        return text if parameter.kind == "text" else _READERS[parameter.kind](text.strip())
    except InputError as error:
        raise InputError(f"{parameter.name}: {error}") from error


def _count(text: str) -> float:
    if not text.isdigit() or not int(text):
        raise InputError(f"invalid count '{text}': expected a whole number of at least 1")
    return float(text)


_READERS: Mapping[str, Callable[[str], float]] = {
    "factor": parse_factor,
    "share": parse_share,
    "time": lambda text: float(parse_duration(text)),
    "rate": parse_rate,
    "size": parse_size,
    "count": _count,
}
