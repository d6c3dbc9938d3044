"""Numbers of steps: by marks where there are some, by phases where there are none."""

import numpy as np
import pytest

from dlbricks import limits
from dlbricks.errors import InputError
from dlbricks.whatif.graph import Phase, TaskKind, with_attributes
from dlbricks.whatif.select import by_step, select, step_numbers
from tests.whatif.made_up import ADD, HOST, PRODUCT, PRODUCT_BACK, Made, training


def test_a_step_begins_with_forward_behind_backward_and_update() -> None:
    """Three steps of the same number of tasks; the wait at the end belongs to the last."""
    graph = training(steps=3)
    numbers = step_numbers(graph)
    assert (np.diff(numbers) >= 0).all()
    assert np.bincount(numbers).tolist() == [48, 48, 49]


def test_what_is_between_an_update_and_the_next_step_makes_no_step() -> None:
    """As reading the loss, and zeroing gradients, which counts as update."""
    made = Made()
    for _ in range(2):
        for name, phase in (
            (PRODUCT, Phase.FORWARD), (PRODUCT_BACK, Phase.BACKWARD), (ADD, Phase.UPDATE), (ADD, Phase.FORWARD),
            ("fill", Phase.UPDATE),
        ):  # fmt: skip
            made.kernel(name, phase)
    numbers = step_numbers(made.builder.built())
    assert len(np.unique(numbers)) == 3
    assert len(by_step(made.builder.built(), np.arange(0))) == 0


def test_accumulated_gradients_belong_to_one_step() -> None:
    """Forward and backward twice before the update; without any update each pair is a step."""
    for update, count in ((True, 1), (False, 2)):
        made = Made()
        for phase in (Phase.FORWARD, Phase.BACKWARD, Phase.FORWARD, Phase.BACKWARD):
            made.kernel(PRODUCT, phase)
        if update:
            made.kernel(ADD, Phase.UPDATE)
        assert len(np.unique(step_numbers(made.builder.built()))) == count


def test_marks_of_several_ranks_are_the_same_step() -> None:
    """They begin soon after each other."""
    made = Made()
    made.builder.steps += [(0, 1000), (20, 1015), (1000, 2000), (1020, 2010)]
    for start in (5, 500, 1010, 1500):
        made.builder.task(TaskKind.CPU, "call", HOST, 10, measured_start_ns=start)
    graph = made.builder.built()
    assert step_numbers(graph).tolist() == [1, 1, 2, 2]
    unknown = with_attributes(graph, measured_start_ns=[5, np.nan, 1010, np.nan])
    assert step_numbers(unknown).tolist() == [1, 1, 2, 2]


def test_a_device_task_belongs_to_the_step_of_its_launch() -> None:
    """However late it runs."""
    graph = training(steps=2)
    numbers = step_numbers(graph)
    kernels = select(graph, kinds=(TaskKind.KERNEL,))
    assert numbers[kernels].tolist() == numbers[kernels - 1].tolist()


def test_a_name_that_backtracks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the time that is granted; it would take years."""
    made = Made()
    made.kernel("a" * 40, Phase.FORWARD)
    graph = made.builder.built()
    assert len(select(graph, name="^(A|b)+$")) == 1
    monkeypatch.setattr(limits, "READ_SECONDS", 0)
    with pytest.raises(InputError, match=r"expression '\(a\*\)\*\(a\*\)\*b' is refused: .* more than .* 0 s"):
        select(graph, name="(a*)*(a*)*b")
