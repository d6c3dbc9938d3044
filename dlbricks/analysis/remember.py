"""Remembering what was made of an object that never changes, so that many analyses make it once."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

KEPT = 8
"""Answers that are remembered; each keeps what it was made of."""


@dataclass(frozen=True, slots=True, eq=False)
class _Held(Generic[_Given]):
    """An object as a key: it is itself and no other, whatever it holds."""

    thing: _Given

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Held) and other.thing is self.thing

    def __hash__(self) -> int:
        return id(self.thing)


def remembered(function: Callable[[_Given], _Made]) -> Callable[[_Given], _Made]:
    """Let a pure function of one object that never changes remember its last answers, told apart by identity."""

    @functools.lru_cache(maxsize=KEPT)
    def answer(held: _Held[_Given]) -> _Made:
        return function(held.thing)

    @functools.wraps(function)
    def asked(thing: _Given) -> _Made:
        return answer(_Held(thing))

    return asked
