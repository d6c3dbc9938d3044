"""Among which public networks one is hidden.

They are put into groups, each of at least ``k``, and those of the group of a network are drawn from it evenly: any
network of the group would have given the same suite with the same chance. The groups follow from the public networks
alone. In a group are networks with operators in common, so that these name none, of which none adds much to a suite of
another: what is drawn has to be measured, too. Sweeney, "k-anonymity" (2002), has the idea of groups for tables.
"""

import functools
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError

_OWN = 0.5
"""Added to what another network adds, as a multiple: less than that is not worth other operators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """What decides which networks go together."""

    operators: frozenset[str]
    pieces: frozenset[str]
    """Fingerprints of its sequences, of which there are some."""


@functools.lru_cache(maxsize=1 << 14)
def likeness(first: Outline, second: Outline) -> float:
    """Give the share of operators that both have (Jaccard index), less the more one adds to a suite of the other.

    What is added is counted as a multiple of what is there; the larger one counts, whichever network is hidden.
    """
    common = len(first.operators & second.operators) / max(1, len(first.operators | second.operators))
    adds = (
        len(second.pieces - first.pieces) / len(first.pieces),
        len(first.pieces - second.pieces) / len(second.pieces),
    )
    return common / (_OWN + max(adds))


def groups(public: Mapping[str, Outline], least: int) -> tuple[tuple[str, ...], ...]:
    """Put networks into groups of at least ``least``: the smallest group joins the one most like it, until all are.

    Raises:
        InputError: there are fewer than ``least``.
    """
    if len(public) < least:
        raise InputError(f"--cover {least} needs at least {least} public networks: --cover-from has {len(public)}")
    return _grouped(tuple(sorted(public.items(), key=lambda entry: entry[0])), least)


@functools.lru_cache(maxsize=1 << 10)
def _grouped(entries: tuple[tuple[str, Outline], ...], least: int) -> tuple[tuple[str, ...], ...]:
    public = dict(entries)
    made: list[tuple[str, ...]] = [(name,) for name, _ in entries]
    while len(made) > 1 and min(map(len, made)) < least:
        small = min(made, key=lambda group: (len(group), group))
        others = [group for group in made if group is not small]
        nearest = max(others, key=lambda group: (_between(public, small, group), -len(group), group))
        made = [*(group for group in others if group is not nearest), tuple(sorted((*small, *nearest)))]
    return tuple(sorted(made))


def _between(public: Mapping[str, Outline], first: Sequence[str], second: Sequence[str]) -> float:
    likenesses = [likeness(public[one], public[other]) for one in first for other in second]
    return sum(likenesses) / len(likenesses)


def company(
    true: Outline, own: str | None, public: Mapping[str, Outline], least: int, draw: random.Random
) -> tuple[str, ...]:
    """Draw ``least - 1`` public networks for a network.

    Args:
        true: the network.
        own: its name, if it is one of the public ones.
        public: networks by name.
        least: among how many it is to be hidden, itself counted.
        draw: decides which.

    Raises:
        InputError: there are too few public networks.
    """
    made = groups(public, least)
    home = own or max(sorted(public), key=lambda name: likeness(true, public[name]))
    group = next(group for group in made if home in group)
    return tuple(draw.sample([name for name in group if name != own], least - 1))
