"""Restructured batch normalisation: activations right behind one go, in both passes; normalisations shrink."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.training.made_up import ADD, NORM, NORM_BACK, PRODUCT, RELU, RELU_BACK, Made, after, names, training


def residual() -> DependencyGraph:
    """Give a step of two normalisations: behind the first an activation, behind the second a sum, then one."""
    made = Made()
    for name in (NORM, RELU, NORM, ADD, RELU):
        made.kernel(name, Phase.FORWARD)
    for number, name in enumerate((RELU_BACK, NORM_BACK, RELU_BACK, NORM_BACK)):
        made.kernel(name, Phase.BACKWARD, 100_000 + number)
    return made.builder.built()


def test_normalisations_take_half_and_activations_nothing() -> None:
    """Those of both passes, with their launches."""
    before = training(steps=1, layers=3)
    graph = after(before, "reconstruct-bn")
    assert len(graph) == len(before) - 2 * 6
    assert set(graph.duration_ns[select(graph, name="bn_")].tolist()) == {50_000}
    assert replay(before).makespan_ns - replay(graph).makespan_ns == 6 * 100_000 + 6 * 50_000


def test_an_activation_behind_a_sum_stays_with_its_backward_kernel() -> None:
    """Though that one stands right before the backward kernel of a normalisation."""
    graph = after(residual(), "reconstruct-bn:1x")
    assert names(graph, TaskKind.KERNEL) == [NORM, NORM, ADD, RELU, RELU_BACK, NORM_BACK, NORM_BACK]
    assert graph.duration_ns[select(graph, name=RELU_BACK)].tolist() == [100_000]


def test_without_batch_normalisation_it_is_refused() -> None:
    """There is nothing to restructure."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD)
    with pytest.raises(InputError, match="it has no batch normalisation in a forward pass"):
        after(made.builder.built(), "reconstruct-bn")
    made.kernel(NORM, Phase.FORWARD)
    with pytest.raises(InputError, match="it has no batch normalisation in a backward pass"):
        after(made.builder.built(), "reconstruct-bn")
