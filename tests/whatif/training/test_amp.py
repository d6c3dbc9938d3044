"""Mixed precision: each class of kernels gains what it can gain, and what it costs is there, too."""

from typing import Any

import numpy as np
import pytest

from dlbricks.errors import InputError
from dlbricks.whatif.graph import DependencyGraph, Phase, TaskKind
from dlbricks.whatif.select import select
from dlbricks.whatif.simulate import replay
from tests.whatif.training.made_up import NORM, PRODUCT, PRODUCT_BACK, RELU, Made, after, names, training


def durations(graph: DependencyGraph, name: str) -> set[int]:
    """Give what kernels of a name take."""
    return set(graph.duration_ns[select(graph, kinds=(TaskKind.KERNEL,), name=name)].tolist())


def small(**figures: Any) -> DependencyGraph:
    """One product of 100 us with figures, a pass of 10 us forward and one backward."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD, **figures)
    made.kernel(RELU, Phase.FORWARD, 10_000, read_bytes=1e6, written_bytes=1e6)
    made.kernel(RELU, Phase.BACKWARD, 10_000)
    return made.builder.built()


def test_products_gain_more_than_passes_over_data_and_updates_gain_nothing() -> None:
    """3, 2 and 1 times."""
    made = Made()
    made.kernel("tiny_elementwise", Phase.FORWARD, 1_000)
    for name, phase in ((PRODUCT, Phase.FORWARD), (NORM, Phase.FORWARD), (PRODUCT_BACK, Phase.BACKWARD)):
        made.kernel(name, phase)
    made.kernel("AddFunctor", Phase.UPDATE)
    graph = after(made.builder.built(), "amp:3x,bytes=2x")
    assert durations(graph, "sgemm|wgrad") == {33_333}
    assert durations(graph, "bn_fw") == {50_000}
    assert durations(graph, "AddFunctor") == {100_000}


def test_weights_are_cast_once_for_each_layer_and_step() -> None:
    """Each with a launch; at the bandwidth of the memory, 6 bytes for the 4 of each gradient."""
    before = training(steps=2, layers=3, gradient=300e6)
    graph = after(before, "amp:memory=600GB/s,dtype=bfloat16")
    casts = select(graph, name="cast of weights")
    assert len(casts) == 2 * 3
    assert len(graph) == len(before) + 2 * len(casts)
    assert graph.duration_ns[casts].sum() == pytest.approx(2 * 3 * 300e6 * 1.5 / 600, rel=1e-6)


def test_tensor_float_products_gain_twice_at_most() -> None:
    """They run on tensor cores already."""
    graph = training(products=("cutlass_80_tensorop_s1688gemm_64x64", "sm80_xmma_wgrad_implicit_gemm_tf32f32"))
    assert durations(after(_with_small(graph), "amp:5x"), "s1688|tf32") == {50_000}


def _with_small(graph: DependencyGraph) -> DependencyGraph:
    """Make every tenth kernel small, so that there are kernels to be as quick as."""
    from dlbricks.whatif.edit import lasting

    rows = select(graph, name="threshold")
    return lasting(graph, rows, np.full(len(rows), 1_000))


def test_a_product_does_not_move_its_bytes_quicker_than_the_memory_can() -> None:
    """The best rate seen is 200 bytes in a ns: half of 14 MB then take 35 us, more than a third of the time."""
    assert durations(after(small(), "amp"), "sgemm") == {33_333}
    assert durations(after(small(read_bytes=7e6, written_bytes=7e6), "amp"), "sgemm") == {35_000}


def test_nothing_gets_quicker_than_the_quickest_kernels() -> None:
    """Where all take the same they are not limited by arithmetic or bytes as far as can be told."""
    graph = training()
    kernels = select(graph, kinds=(TaskKind.KERNEL,))
    changed = after(graph, "amp:dtype=bfloat16")
    assert set(changed.duration_ns[select(changed, kinds=(TaskKind.KERNEL,))].tolist()) == set(
        graph.duration_ns[kernels].tolist()
    )


def test_layer_normalisation_stays_and_is_followed_by_a_cast() -> None:
    """Autocast runs it in single precision."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD, 900_000)
    made.kernel("vectorized_layer_norm_kernel<float>", Phase.FORWARD)
    made.kernel(RELU, Phase.BACKWARD, 1_000)
    graph = after(made.builder.built(), "amp:dtype=bfloat16")
    assert durations(graph, "layer_norm") == {100_000}
    assert durations(graph, "cast of activations") == {75_000}


def test_with_float16_the_host_waits_for_finite_gradients() -> None:
    """One kernel that unscales and one wait in each step, before the update; neither with bfloat16."""
    graph = after(training(steps=3), "amp:dtype=float16")
    assert names(graph).count("unscaling of gradients") == 3
    waits = select(graph, kinds=(TaskKind.SYNCHRONISATION,), name="finite")
    updates = select(graph, kinds=(TaskKind.CPU,), phases=(Phase.UPDATE,), name="cudaLaunch")
    made = replay(graph)
    assert len(waits) == 3
    for wait in waits.tolist():
        gradients = select(graph, kinds=(TaskKind.KERNEL,), phases=(Phase.BACKWARD,))
        done = made.end_ns[gradients[gradients < wait]].max()
        assert made.start_ns[wait] >= done
        assert made.start_ns[updates[updates > wait][0]] >= made.end_ns[wait]
    assert "unscaling of gradients" not in names(after(training(), "amp:dtype=bfloat16"))


def test_training_that_waits_for_its_host_gains_nothing() -> None:
    """Launches of 300 us for kernels of 100: there are only more of them afterwards."""
    before = training(launch_ns=300_000)
    assert replay(after(before, "amp")).makespan_ns >= replay(before).makespan_ns


def test_kernels_that_are_not_known_stay_and_are_counted() -> None:
    """No factor is made up for them."""
    made = Made()
    for name, phase in ((PRODUCT, Phase.FORWARD), ("mystery", Phase.FORWARD), (PRODUCT_BACK, Phase.BACKWARD)):
        made.kernel(name, phase)
    graph = after(made.builder.built(), "amp")
    assert durations(graph, "mystery") == {100_000}
    assert "amp leaves 1 kernel as they were: what they do is not known" in graph.notes


@pytest.mark.parametrize(
    ("graph", "text", "message"),
    [
        (training(products=("volta_fp16_s884gemm_fp16", "h884_wgrad")), "amp", "100 % of its matrix time is in half"),
        (training(products=(RELU, RELU)), "amp", "it has no kernel that multiplies matrices"),
        (training(), "amp:dtype=int8", "'int8' is no half precision: write float16 or bfloat16"),
    ],
    ids=["half", "no products", "dtype"],
)
def test_what_makes_no_sense_is_refused(graph: DependencyGraph, text: str, message: str) -> None:
    """With the reason."""
    with pytest.raises(InputError, match="amp cannot be applied to made up: ") as caught:
        after(graph, text)
    assert message in str(caught.value)


def test_inference_is_refused() -> None:
    """There is another transform for it."""
    made = Made()
    made.kernel(PRODUCT, Phase.FORWARD)
    with pytest.raises(InputError, match="it has no backward pass, so it is no training: ask fp16"):
        after(made.builder.built(), "amp")
