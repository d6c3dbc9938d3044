"""Saving memory costs time: copies to the host and back, or kernels that encode and decode."""

import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transforms.training import DECODE, ENCODE, OFFLOAD, PREFETCH
from tests.whatif.training.made_up import PRODUCT, PRODUCT_BACK, Made, after, training


def test_each_layer_but_the_last_is_moved_out_and_back() -> None:
    """Two of three layers, each half of 20 MB at 10 GB/s; before its backward kernel it is back."""
    graph = after(training(steps=1, layers=3), "vdnn:20MB,bandwidth=10GB/s,latency=0us,layer=conv*")
    plan = replay(graph)
    out, back = select(graph, name=OFFLOAD), select(graph, name=PREFETCH)
    assert graph.duration_ns[out].tolist() == graph.duration_ns[back].tolist() == [1_000_000] * 2
    forward = select(graph, name=PRODUCT, kinds=(TaskKind.KERNEL,))
    backward = select(graph, name=PRODUCT_BACK, kinds=(TaskKind.KERNEL,))
    for layer in (0, 1):
        assert plan.start_ns[out[layer]] >= plan.end_ns[forward[layer]]
        assert plan.start_ns[forward[layer + 1]] >= plan.end_ns[out[layer]]
        assert plan.start_ns[backward[2 - layer]] >= plan.end_ns[back[1 - layer]]


def test_little_to_move_costs_little_and_much_costs_much() -> None:
    """Copies run beside kernels until they take longer."""
    before = replay(training()).makespan_ns
    little, much = (replay(after(training(), f"vdnn:{size},layer=conv*")).makespan_ns for size in ("1kB", "1GB"))
    assert before <= little < 1.1 * before
    assert much > 1.9e9 * 2 / 12


def test_activations_are_encoded_and_decoded_beside_their_kernels() -> None:
    """As long as these themselves, or by a factor."""
    before = training(steps=2, layers=3)
    graph = after(before, "gist:1.5x")
    for name, phase in ((ENCODE, Phase.FORWARD), (DECODE, Phase.BACKWARD)):
        rows = select(graph, name=name)
        assert graph.duration_ns[rows].tolist() == [150_000] * 6
        assert set(graph.phase[rows].tolist()) == {phase}
    assert replay(graph).makespan_ns == pytest.approx(replay(before).makespan_ns + 12 * 150_000, abs=20_000)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("vdnn:1GB,layer=dense*", "no layer that fits 'dense\\*' has kernels in a forward and in a backward pass"),
        ("vdnn:0MB,layer=conv*", "activations of 0 bytes need no moving"),
    ],
)
def test_nothing_to_move_is_refused(text: str, message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError, match=message):
        after(training(), text)


def test_nothing_to_encode_is_refused() -> None:
    """Without activations there is nothing to gain."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD)
    with pytest.raises(InputError, match="it has no activations"):
        after(made.builder.built(), "gist")
