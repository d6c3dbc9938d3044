"""Servers of language models: larger batches, by hand on made steps."""

from pathlib import Path

import numpy as np
import pytest

from dlbricks.profile.open import DECODE
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import in_phases
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.work import arithmetic_shares
from tests.whatif.made_up import after, training
from tests.whatif.test_phases import served

STEPS = [
    ("execute_context_1(600)_generation_0(0)", 200),
    *(("execute_context_0(0)_generation_6(6)", 100) for _ in range(3)),
]
SHORT = [("step[DECODE bs=1 toks=1]", 10)]


@pytest.fixture
def graph(tmp_path: Path) -> DependencyGraph:
    """A prefill of 600 tokens and three steps that decode 6, a product each, of an unknown device."""
    return graph_of_files([served(tmp_path / "s.json", [*STEPS, *SHORT], period_us=300)])


def kernels(graph: DependencyGraph) -> list[int]:
    """Return the times of the first two kernels, prefill and decode."""
    made: list[int] = graph.duration_ns[graph.kind == TaskKind.KERNEL].tolist()
    return made[:2]


def test_few_tokens_leave_arithmetic_idle(graph: DependencyGraph) -> None:
    """Of 600 tokens 4 parts of 5 are arithmetic at 150 operations a byte, of 6 hardly any; phases are by name."""
    products = graph.kind == TaskKind.KERNEL
    assert arithmetic_shares(graph)[products].tolist() == pytest.approx([0.8, *[6 / 156] * 3, 1 / 151])
    assert in_phases(graph, DECODE)[products].tolist() == [False, True, True, True, True]
    assert np.isnan(arithmetic_shares(training())).all()


def test_a_larger_batch_shares_its_weights(graph: DependencyGraph) -> None:
    """Arithmetic doubles, weights are read once: decoding twice as many takes little longer."""
    assert kernels(after(graph, "batch:2")) == pytest.approx(
        [10_000 + 190_000 * 1.8, 10_000 + 90_000 * (2 * 6 + 150) / 156], abs=1
    )
