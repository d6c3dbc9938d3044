"""Defines what-if transforms, which edit dependency graphs.

A transform is a pure function of a graph and parameters. Preconditions are checked before it is applied, postconditions
afterwards; a violation raises ``InputError``. ``evidence`` has the errors of predictions.
"""

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeAlias

from dlbricks.errors import DlbricksError, InputError
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.units import parse_duration, parse_factor, parse_rate, parse_share, parse_size
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.simulate import Policy, check

# Parameter values by name: numbers in the unit of their ``Parameter``, or texts.
Values: TypeAlias = Mapping[str, Any]
# Function that returns why a transform cannot be applied to a graph, or an empty string if it can.
Requirement: TypeAlias = Callable[[DependencyGraph, Values], str]
# Function that returns which postcondition the graphs before and after violate, or an empty string if none.
Promise: TypeAlias = Callable[[DependencyGraph, DependencyGraph, Values], str]


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a transform (what-if change), as the user passes it on the command line."""

    name: str
    kind: str
    """How the value is read: ``factor`` (2 or 2x), ``share`` (0.5 or 50%), ``time`` (250us, in ns), ``rate`` (25Gbps or
    900GB/s, in bytes per second), ``size`` (25MB, in bytes), ``count`` (whole number of at least 1), ``text``."""
    meaning: str
    default: str | None = None
    """Default value as on the command line; None if the parameter is required."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transform:
    """A hypothetical change to a run, such as a faster device or fused layers, that edits its dependency graph."""

    name: str
    """Name on the command line, lower case with hyphens."""
    title: str
    """One sentence on what the transform does."""
    source: str
    """Publication or derivation from which the change's effect on times is modelled."""
    apply: Callable[[DependencyGraph, Values], DependencyGraph]
    """Returns the edited graph; raises ``InputError`` if a value is invalid for the graph."""
    parameters: tuple[Parameter, ...] = ()
    requires: Requirement = lambda _graph, _values: ""
    ensures: Promise = lambda _before, _after, _values: ""
    policy: Callable[[DependencyGraph, Values], Policy] | None = None
    """Returns the scheduling policy for the edited graph; None keeps the order on each thread and stream."""
    synonyms: tuple[str, ...] = ()
    """Other names on the command line, spelled like ``name``."""
    group: str = ""
    """Heading under which lists show the transform, for example ``paper``; empty for none."""
    option: bool = False
    """Whether an option of the runtime makes the change, without another network."""
    file: str = ""
    """The user's file that defines the transform; empty for built-in transforms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A dependency graph to which a sequence of transforms was applied, and how to schedule it."""

    graph: DependencyGraph
    policy: Policy | None
    """Scheduling policy of the last transform that has one; None keeps the order on each thread and stream."""


def counting(sign: int, broken: str) -> Promise:
    """Return a check that a transform leaves the number of tasks equal (``sign`` 0), larger (1) or smaller (-1).

    ``broken`` is the message if the check fails.
    """
    return lambda before, after, _: "" if (len(after) > len(before)) - (len(after) < len(before)) == sign else broken


def apply_all(graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]]) -> Applied:
    """Apply transforms (what-if changes) with their parameters to a dependency graph, in order.

    Raises:
        InputError: a transform violates a precondition or a postcondition.
    """
    for transform, values in resolved(graph, steps)[0]:
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


# Facts of a graph that are the default of the parameter ``from`` beside the parameter of their name.
_STATED = {"batch": "its batch size", "threads": "its number of threads"}


def resolved(
    graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]]
) -> tuple[list[tuple[Transform, Values]], str]:
    """Return transforms with open parameters ``from`` set to the batch size or number of threads that the graph states.

    A step begins with what the one before it sets. If nothing is stated, 1 is assumed, and the second value says so,
    with the remedy; otherwise that is empty.
    """
    complete, assumed = list[tuple[Transform, Values]](), list[str]()
    stated = {name: getattr(graph, name) for name in _STATED}
    for transform, values in steps:
        name = next((name for name in _STATED if name in values and "from" in values), "")
        present, wanted = stated.get(name), values.get("from")
        if name and wanted == "" and not present:
            state = f"state it, as in {transform.name}:{values[name]:.0f},from=N"
            assumed.append(f"the recording does not state {_STATED[name]}, so 1 is assumed: {state}")
        complete.append((transform, {**values, "from": wanted or float(present or 1)} if name else values))
        stated[name] = values.get(name)
    return complete, "; ".join(assumed)


@contextmanager
def naming(transform: Transform) -> Iterator[None]:
    """Inside the ``with`` block, prefix errors with the name and file of a transform from a user's file."""
    try:
        yield
    except Exception as error:
        if not transform.file:
            raise
        if isinstance(error, DlbricksError):
            raise InputError(f"{transform.name} of {transform.file} fails: {error}") from error
        raise InputError(f"{transform.name} of {transform.file} fails: {type(error).__name__}: {error}") from error


def read_step(text: str, transforms: Mapping[str, Transform]) -> tuple[Transform, Values]:
    """Return the transform and the parameters that a text such as ``data-parallel:8,bandwidth=25Gbps`` states.

    A value without a name belongs to the first parameter. Case does not matter in names, nor does ``_`` for ``-``.

    Raises:
        InputError: the transform or a parameter is unknown, or a value is missing or malformed.
    """
    written, _, rest = text.partition(":")
    name = re.sub(r"[\s_]+", "-", written.strip().lower())
    synonyms = {synonym: each.name for each in transforms.values() for synonym in each.synonyms}
    transform = transforms.get(written.strip()) or transforms.get(synonyms.get(name, name))
    if transform is None:
        if gpu_peaks(written).bytes_per_s:
            raise InputError(f"unknown transform '{written}': did you mean 'device:{written}'?")
        hint = did_you_mean(name, (*transforms, *synonyms)) or f": choose from {', '.join(sorted(transforms))}"
        raise InputError(f"unknown transform '{written}'{hint}")
    name = transform.name
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
            example = parameter.meaning.partition("as in ")[2] if parameter.name == names[0] else ""
            write = f"write {name}:{example or f'{parameter.name}=...'}"
            raise InputError(f"{name} needs {parameter.name}, {parameter.meaning}: {write}")
        try:
            values[parameter.name] = read_value(parameter, value_text)
        except InputError as error:
            where = name if parameter.name == parameter.kind else f"{name}, {parameter.name}"
            raise InputError(f"{where}: {error}") from error
    return transform, values


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the end of a message on an unknown name that suggests the most similar name; empty if none is similar."""
    close = difflib.get_close_matches(name, list(names), n=1)
    return f": did you mean '{close[0]}'?" if close else ""


def read_value(parameter: Parameter, text: str) -> float | str:
    """Return the value of a transform's parameter from a text; numbers are in the unit of the parameter's kind.

    Raises:
        InputError: the value is malformed.
    """
    is_text = parameter.kind == "text" or text == parameter.default == ""
    return text if is_text else _READERS[parameter.kind](text.strip())


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
