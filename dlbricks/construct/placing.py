"""From what sequences take in four states of the caches to what each step of a model takes at its place. Pure.

The last level of cache is shared: what a step finds there depends on what the network itself touched meanwhile, and on
what other cores, or other guests of the same processor, brought in. The latter grows with time, so the bytes that
others bring in (measured by the machine's ``curve`` benchmark) in the time since a tensor was touched add to its reuse
distance. Times of steps are taken from the same measurements, constants from memory.
"""

import itertools
from collections.abc import Callable, Mapping, Sequence

from dlbricks.construct.missrate import MissCurve, bytes_after
from dlbricks.construct.nouns import CompositionPair, CompositionStep
from dlbricks.construct.states import FourStates, StepTime, dearest_byte, step_time
from dlbricks.store.nouns import SystemResults


class Placing:
    """The times of the steps of one model on one system."""

    def __init__(
        self, steps: Sequence[CompositionStep], nets: Mapping[str, FourStates], results: SystemResults
    ) -> None:
        """Take note of how long everything takes.

        Args:
            steps: of the model, in order.
            nets: latencies by fingerprint, call overhead taken out; what is missing takes no time.
            results: of the machine: its miss curve, and what others bring into its caches.
        """
        self._steps, self._nets = steps, nets
        self._curve = MissCurve(points=results.curve)
        self._brought_in = results.brought_in
        usual = [
            0.0 if step.free or step.fingerprint not in nets else nets[step.fingerprint].constants_ns for step in steps
        ]
        known = {step.fingerprint: step for step in steps if not step.free and step.fingerprint in nets}
        self._second_level = results.second_level
        self._dearest = dearest_byte((nets[name], step) for name, step in known.items())
        self._ends = list(itertools.accumulate(usual, initial=0.0))

    def times(self) -> list[StepTime]:
        """Give the time of every step; views and what is missing take none."""
        return [
            self._time(step, index) if not step.free and step.fingerprint in self._nets else StepTime()
            for index, step in enumerate(self._steps)
        ]

    def union(self, pair: CompositionPair) -> StepTime:
        """Give the time of a pair of steps taken together, whose latencies are known."""
        return self._time(pair, pair.first)

    def _time(self, placed: CompositionStep | CompositionPair, index: int) -> StepTime:
        net = self._nets[placed.fingerprint]
        return step_time(
            net,
            placed,
            self._curve,
            second_level=self._second_level,
            others=self._others(index),
            dearest=self._dearest,
        )

    def _others(self, index: int) -> Callable[[int], float]:
        def brought_in(age: int) -> float:
            return bytes_after(self.elapsed_ns(index, age), self._brought_in)

        return brought_in

    def elapsed_ns(self, index: int, age: int) -> float:
        """Give the time from the end of the step that is ``age`` steps before a step to the start of that step.

        Steps before the first belong to the inference before. What others do during the step itself its benchmark has
        seen, too.
        """
        if age <= 0:
            return 0.0
        before = index - age
        rounds = -(before // len(self._steps)) if before < 0 else 0
        return self._ends[index] - self._ends[before % len(self._steps) + 1] + rounds * self._ends[-1]
