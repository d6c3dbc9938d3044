"""Advice: every transform that can be asked without knowing more, alone and in pairs, best lower end of the gain first.

What nobody has checked on such a device is ranked as if it erred as far as the worst transform that was checked there,
and says so. Pairs are of the best single ones, and are told only where they gain more than each of the two.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError
from dlbricks.whatif.answer import Asked, ask, backtested, device_of, error_together, errors_of
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.transform import Transform, read_step

CANDIDATES: tuple[tuple[str, ...], ...] = (
    ("data-loader:4",),
    ("fuse", "reconstruct-bn"),
    ("attention",),
    ("layout", "layout:plain"),
    ("amp:dtype=bfloat16", "amp", "bf16", "fp16", "fp8", "int8", "int4"),
    ("fused-adam", "fused-optimizer"),
    ("bucket:25MB",),
    ("streams:2", "parallel-executor:2"),
    ("threads:2",),
    ("cuda-graphs",),
)
"""What is tried, in the order in which two of different groups are applied; of a group only one at a time."""
_PAIRED = 5
"""So many of the best are tried in pairs."""
_LEAST = 0.005
"""Gains below are none: as much as a replay may be off."""
_MORE = 0.01
"""So much more a pair has to gain than each of its two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One thing to do, and what it would give."""

    apply: tuple[str, ...]
    """As ``--apply`` takes them, in order."""
    titles: tuple[str, ...]
    """What they do."""
    gain: float
    """Share of the time that is saved."""
    gain_low: float
    """The least gain; of what nobody has checked, as if it erred as far as the worst that was."""
    gain_high: float
    time_ns: int
    """Afterwards."""
    checked: bool
    """Whether somebody has compared such predictions with measurements on such a device."""
    rests_on: str
    """What the interval is from, or that nobody has checked it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advised:
    """What could be done about one trace."""

    name: str
    device: str
    """Kind of device: ``GPU`` or ``processor``."""
    time_ns: int
    """Now."""
    advice: tuple[Advice, ...]
    """Largest least gain first."""
    without_gain: tuple[str, ...]
    """What was tried and gains nothing."""
    refused: Mapping[str, str]
    """What cannot be asked here, and why."""
    notes: tuple[str, ...]
    """Of the graph."""


def advise(graph: DependencyGraph, known: Mapping[str, Transform]) -> tuple[Advised, Asked | None]:
    """Try what can be tried, and rank it.

    Args:
        graph: as it is.
        known: transforms by name; those of users' files without parameters that have to be given are tried, too.

    Returns:
        All of it, and the answer to the best; None where nothing gains.

    Raises:
        InputError: the graph takes no time, or not even nothing can be asked of it.
    """
    before = ask(graph, [])
    own = tuple((one.name,) for one in known.values() if one.file and all(each.default for each in one.parameters))
    refused: dict[str, str] = {}
    tried: dict[tuple[str, ...], Asked] = {}
    groups = (*CANDIDATES, *own)
    for text in itertools.chain.from_iterable(groups):
        _try(graph, (text,), known, tried, refused)
    best = sorted(
        (each for each in tried if _gains(tried[each])), key=lambda each: -_low(graph, tried[each], each, known)
    )
    group_of = {text: number for number, texts in enumerate(groups) for text in texts}
    for one, other in itertools.combinations([each[0] for each in best[:_PAIRED]], 2):
        if group_of[one] != group_of[other]:
            first, second = sorted((one, other), key=group_of.__getitem__)
            _try(graph, (first, second), known, tried, {})
    made = {each: _advice(graph, asked, each, known) for each, asked in tried.items() if _gains(asked)}
    alone = {each[0]: one.gain for each, one in made.items() if len(each) == 1}
    ranked = [
        each for each in made if len(each) == 1 or made[each].gain > _MORE + max(alone.get(text, 0.0) for text in each)
    ]
    ranked.sort(key=lambda each: (-made[each].gain_low, -made[each].gain, each))
    found = Advised(
        name=graph.name,
        device=device_of(graph),
        time_ns=before.answer.before.time_ns,
        advice=tuple(made[each] for each in ranked),
        without_gain=tuple(each[0] for each, asked in tried.items() if len(each) == 1 and not _gains(asked)),
        refused=refused,
        notes=before.answer.notes,
    )
    return found, tried[ranked[0]] if ranked else None


def _try(
    graph: DependencyGraph,
    texts: tuple[str, ...],
    known: Mapping[str, Transform],
    tried: dict[tuple[str, ...], Asked],
    refused: dict[str, str],
) -> None:
    """Ask, and keep the answer or why there is none."""
    try:
        steps = [read_step(text, known) for text in texts]
        tried[texts] = ask(graph, steps, error_together([one for one, _ in steps], device_of(graph)))
    except InputError as error:
        refused[texts[0]] = str(error).rpartition(f"{graph.name}: ")[2]


def _gains(asked: Asked) -> bool:
    return asked.answer.gain >= _LEAST


def _transforms(texts: Sequence[str], known: Mapping[str, Transform]) -> list[Transform]:
    return [known[text.partition(":")[0]] for text in texts]


def _low(graph: DependencyGraph, asked: Asked, texts: Sequence[str], known: Mapping[str, Transform]) -> float:
    """Give the least gain."""
    return _range(graph, asked, texts, known)[0]


def _range(
    graph: DependencyGraph, asked: Asked, texts: Sequence[str], known: Mapping[str, Transform]
) -> tuple[float, float]:
    """Give least and most gain; what nobody has checked errs as the worst that was checked on such a device."""
    if asked.answer.gain_low is not None and asked.answer.gain_high is not None:
        return asked.answer.gain_low, asked.answer.gain_high
    device = device_of(graph)
    worst = max((one.error for some in backtested().values() for one in some if one.device == device), default=1.0)
    chosen = _transforms(texts, known)
    errors = errors_of(chosen, device)
    error = sum(
        errors[one.name].error if one.name in errors and errors[one.name].device == device else worst for one in chosen
    )
    left = 1 - asked.answer.gain
    return 1 - left / (1 - min(error, 0.99)), 1 - left / (1 + error)


def _advice(graph: DependencyGraph, asked: Asked, texts: tuple[str, ...], known: Mapping[str, Transform]) -> Advice:
    chosen = _transforms(texts, known)
    together = error_together(chosen, device_of(graph))
    low, high = _range(graph, asked, texts, known)
    errors = errors_of(chosen, device_of(graph))
    unchecked = [one.name for one in chosen if one.name not in errors or errors[one.name].device != device_of(graph)]
    nobody = f"nobody has checked {' and '.join(unchecked)} on a {device_of(graph)}"
    return Advice(
        apply=texts,
        titles=tuple(one.title for one in chosen),
        gain=asked.answer.gain,
        gain_low=low,
        gain_high=high,
        time_ns=asked.answer.after.time_ns,
        checked=together is not None,
        rests_on=nobody if together is None else together[1],
    )
