"""The noun of a what-if question, Transform: what it needs, what it does, what holds afterwards, how sure it is.

A transform is a pure function of graphs with parameters. What it requires is checked before and what it ensures after,
so that a question that makes no sense is refused instead of answered.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from dlbricks.errors import InputError
from dlbricks.units import parse_duration
from dlbricks.whatif.nouns import DependencyGraph
from dlbricks.whatif.scheduling import Policy
from dlbricks.whatif.simulate import check

EVIDENCE = ("back-tested", "published", "modelled")
"""How a transform is known to be right: against measurements in this repository, by others in print, not at all."""

Values: TypeAlias = Mapping[str, float | str]
"""Parameters by name, in the unit that their ``Parameter`` states."""

_FACTOR = re.compile(r"(\d*\.?\d+)x?")
_SHARE = re.compile(r"(\d*\.?\d+)(%?)")
_RATE = re.compile(r"(\d*\.?\d+)\s*([kmgt]?)(bps|bit/s|b/s)", re.IGNORECASE)
_SIZE = re.compile(r"(\d*\.?\d+)\s*([kmgt]?)(i?)b?", re.IGNORECASE)
_POWERS = "_kmgt"


@dataclass(frozen=True, slots=True, kw_only=True)
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
    evidence: str
    """One of ``EVIDENCE``."""
    source: str
    """Where the model is from."""
    apply: Callable[[DependencyGraph, Values], DependencyGraph]
    """May raise InputError where a value makes no sense for the graph."""
    parameters: tuple[Parameter, ...] = ()
    requires: Callable[[DependencyGraph, Values], str] = lambda _graph, _values: ""
    """Says why a graph cannot be asked; empty where it can."""
    ensures: Callable[[DependencyGraph, DependencyGraph, Values], str] = lambda _before, _after, _values: ""
    """Says what does not hold afterwards, given the graphs before and after; empty where all does."""
    policy: Callable[[DependencyGraph, Values], Policy] | None = None
    """How the lanes of the result choose; None: they keep their order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """A graph after some transforms."""

    graph: DependencyGraph
    policy: Policy | None
    """Of the last transform that has one, for the graph as it is in the end; None: lanes keep their order."""


def apply_all(graph: DependencyGraph, steps: Sequence[tuple[Transform, Values]]) -> Applied:
    """Apply transforms in order.

    Raises:
        InputError: a graph cannot be asked, or the result is not what the transform promises.
    """
    for transform, values in steps:
        reason = transform.requires(graph, values)
        if reason:
            raise InputError(f"{transform.name} cannot be applied to {graph.name}: {reason}")
        after = transform.apply(graph, values)
        check(after)
        broken = transform.ensures(graph, after, values)
        if broken:
            raise InputError(f"{transform.name} did not do what it promises on {graph.name}: {broken}")
        graph = after
    chooses = [(transform.policy, values) for transform, values in steps if transform.policy is not None]
    policy = chooses[-1][0](graph, chooses[-1][1]) if chooses else None
    return Applied(graph=graph, policy=policy)


def read_step(text: str, known: Mapping[str, Transform]) -> tuple[Transform, Values]:
    """Read ``amp``, ``bandwidth:25Gbps`` or ``data-parallel:8,bandwidth=25Gbps``.

    A value without a name is that of the first parameter.

    Args:
        text: as on the command line.
        known: transforms by name.

    Raises:
        InputError: the transform or a parameter is not known, a value is missing or no value of its kind.
    """
    name, _, rest = text.partition(":")
    transform = known.get(name.strip())
    if transform is None:
        raise InputError(f"there is no transform '{name}'; known are: {', '.join(sorted(known))}")
    by_name = {parameter.name: parameter for parameter in transform.parameters}
    given: dict[str, str] = {}
    for place, part in enumerate(part for part in rest.split(",") if part.strip()):
        key, equals, value = part.partition("=")
        if not equals:
            if place or not transform.parameters:
                raise InputError(f"'{part}' of '{text}' is no KEY=VALUE")
            key, value = transform.parameters[0].name, part
        if key.strip() not in by_name:
            takes = f"it takes {', '.join(by_name)}" if by_name else "it takes none"
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
    if parameter.kind == "time":
        return float(parse_duration(text))
    read = _READERS[parameter.kind](text.strip())
    if read is None:
        raise InputError(f"{parameter.name} '{text}' is no {parameter.kind}: {_SAMPLES[parameter.kind]}")
    return read


def _factor(text: str) -> float | None:
    match = _FACTOR.fullmatch(text)
    return float(match[1]) if match and float(match[1]) > 0 else None


def _share(text: str) -> float | None:
    match = _SHARE.fullmatch(text)
    share = float(match[1]) / (100 if match[2] else 1) if match else -1.0
    return share if 0 <= share <= 1 else None


def _rate(text: str) -> float | None:
    match = _RATE.fullmatch(text)
    if match is None or not float(match[1]):
        return None
    bits = match[3] == "bps" or match[3].lower() == "bit/s" or match[3][0] == "b"
    return float(match[1]) * 1000.0 ** _POWERS.index(match[2].lower() or "_") / (8 if bits else 1)


def _size(text: str) -> float | None:
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    return float(match[1]) * (1024.0 if match[3] else 1000.0) ** _POWERS.index(match[2].lower() or "_")


def _count(text: str) -> float | None:
    return float(text) if text.isdigit() and int(text) else None


_READERS: Mapping[str, Callable[[str], float | None]] = {
    "factor": _factor,
    "share": _share,
    "rate": _rate,
    "size": _size,
    "count": _count,
}
_SAMPLES: Mapping[str, str] = {
    "factor": "write a number above 0, as in 2 or 1.5x",
    "share": "write a number from 0 to 1 or per cent, as in 50%",
    "rate": "write a number and a unit, as in 25Gbps (bits) or 900GB/s (bytes)",
    "size": "write a number and a unit, as in 25MB",
    "count": "write a whole number of at least 1",
}
