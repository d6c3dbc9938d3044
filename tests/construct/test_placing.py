"""Times of steps at their places."""

import dataclasses

from dlbricks.construct.placing import Placing
from dlbricks.construct.states import Latencies
from tests.construct.made_up import composition, placed, results

NET = Latencies(near_ns=100, constants_ns=200, outputs_ns=200, inputs_ns=200)
OLD = ((8, 0, 3),)


def test_time_passes_between_steps() -> None:
    """None to the next step, what others take to itself an inference later, across the end of an inference, too."""
    made = composition(["a", "b", "c"])
    nets = {name: dataclasses.replace(NET, constants_ns=time) for name, time in zip("abc", (2, 4, 8), strict=True)}
    placing = Placing(made.steps, nets, results({}))
    assert [placing.elapsed_ns(2, age) for age in (0, 1, 2, 3)] == [0, 0, 4, 6]
    assert (placing.elapsed_ns(0, 1), placing.elapsed_ns(0, 2)) == (0, 8)


def test_others_age_what_lies_in_the_cache() -> None:
    """The more others bring in, the more of a constant comes from memory, though the network touches nothing else."""
    made = placed(composition(["a", "b", "c"]), 0, constants=OLD)
    times = []
    for others in ((), ((1, 10_000),), ((1, 1_000_000_000),)):
        known = dataclasses.replace(results({}), brought_in=others)
        times.append(Placing(made.steps, dict.fromkeys("abc", NET), known).times()[0].total_ns)
    assert times == sorted(times)
    assert (times[0], times[-1]) == (100, 200)
