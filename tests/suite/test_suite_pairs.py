"""Suites with unions of adjacent sequences."""

from pathlib import Path

import pytest

from dlbricks.model.lowering.onnxruntime_cpu import lower
from dlbricks.model.read.network import read_model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import pairs, split
from dlbricks.sequences.types import Granularity
from dlbricks.suite.generate import generate
from tests.suite.suite_samples import NETWORKS

PATH = NETWORKS / "tv_squeezenet1_1.onnx"


@pytest.mark.parametrize("target", ["portable", "onnxruntime-cpu"])
def test_unions_are_added_and_nothing_else_changes(target: str, tmp_path: Path) -> None:
    """Every union becomes one benchmark that ran, the others keep their bytes; each union counts once."""
    plain, (before,) = generate([str(PATH)], out=tmp_path / "plain", granularity=Granularity(1), target=target)
    paired, (report,) = generate(
        [str(PATH)], out=tmp_path / "paired", granularity=Granularity(1), target=target, pairs=True
    )
    model = read_model(PATH) if target == "portable" else lower(read_model(PATH))
    unions = {canonicalise(model, union).fingerprint for _, _, union in pairs(split(model, Granularity(1)))}
    known = {one.fingerprint: one for one in plain.benchmarks}
    found = {one.fingerprint: one for one in paired.benchmarks}
    assert found.keys() == known.keys() | unions
    assert all(found[name] == one for name, one in known.items())
    assert all(found[name].reference and found[name].layers == 2 for name in unions)
    assert (report.unique, report.pairs, before.pairs) == (before.unique, len(unions - known.keys()), 0)


def test_a_union_can_be_asked_for(tmp_path: Path) -> None:
    """``only`` finds unions as it finds sequences, and their importance does not depend on what else is wanted."""
    suite, _ = generate([str(PATH)], out=tmp_path / "all", granularity=Granularity(1), pairs=True)
    wanted = next(one for one in suite.benchmarks if one.role == "sequence" and one.layers == 2)
    some, (report,) = generate(
        [str(PATH)], out=tmp_path / "some", granularity=Granularity(1), pairs=True, only=[wanted.fingerprint]
    )
    assert [one for one in some.benchmarks if one.role == "sequence"] == [wanted]
    assert (report.unique, report.pairs) == (0, 1)
