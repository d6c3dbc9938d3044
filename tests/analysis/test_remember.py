from dataclasses import dataclass

from dlbricks.analysis.statistics import KEPT, remembered


@dataclass(frozen=True, slots=True)
class Thing:
    """Equal to every other one, and not to be hashed."""

    values: list[int]


def test_an_object_is_asked_about_once() -> None:
    """The second answer is the first one; an equal object is another object."""
    asked: list[Thing] = []

    @remembered
    def total(thing: Thing) -> int:
        asked.append(thing)
        return sum(thing.values)

    one, same = Thing([1, 2]), Thing([1, 2])
    assert [total(one), total(one), total(same), total(one)] == [3, 3, 3, 3]
    assert [thing is one for thing in asked] == [True, False]


def test_not_everything_is_kept() -> None:
    """Older answers are let go, and made again when asked for."""
    asked: list[Thing] = []

    @remembered
    def count(thing: Thing) -> int:
        asked.append(thing)
        return len(thing.values)

    things = [Thing([number]) for number in range(KEPT + 1)]
    for thing in (*things, things[0]):
        count(thing)
    assert len(asked) == KEPT + 2
