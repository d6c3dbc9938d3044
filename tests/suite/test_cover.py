"""Networks that hide another one: groups, draws, siblings, and a suite that is made with them."""

import random
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.model.read.network import read_model
from dlbricks.sequences.types import Granularity
from dlbricks.suite.company import Outline, company, groups, likeness
from dlbricks.suite.cover import siblings
from dlbricks.suite.generate import generate

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def _outline(operators: str, pieces: str = "1") -> Outline:
    return Outline(operators=frozenset(operators), pieces=frozenset(pieces))


_OUTLINES = st.builds(_outline, st.text("ABCDEF", min_size=1), st.text("1234567", min_size=1))
_ZOOS = st.dictionaries(st.sampled_from("abcdefghijkl"), _OUTLINES, min_size=4)


def _draw(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - the same in every run


@given(_ZOOS, st.integers(1, 4))
def test_groups_hold_every_network_once(zoo: dict[str, Outline], least: int) -> None:
    """Each public network is in one group, and no group is smaller than asked for."""
    made = groups(zoo, least)
    assert sorted(chain.from_iterable(made)) == sorted(zoo)
    assert min(map(len, made)) >= least


@given(_ZOOS, st.integers(2, 4), st.integers(0, 99))
def test_any_of_the_group_might_be_meant(zoo: dict[str, Outline], least: int, seed: int) -> None:
    """What is drawn for a public network could have been drawn for each of those drawn: all are of one group."""
    name = min(zoo)
    drawn = company(zoo[name], name, zoo, least, _draw(seed))
    group = next(group for group in groups(zoo, least) if name in group)
    assert len({name, *drawn}) == least
    assert {name, *drawn} <= set(group)


def test_networks_that_add_little_go_together() -> None:
    """Of networks with the same operators those go together that add least, whichever of them is meant."""
    small, shared, large = _outline("A", "1234"), _outline("A", "1235"), _outline("A", "56789abcdefghijklmno")
    assert likeness(small, shared) > likeness(small, large) == likeness(large, small)
    assert (
        likeness(small, small) > likeness(small, _outline("AB", "1234")) > likeness(small, _outline("B", "1234")) == 0
    )
    sizes = {"a": small, "b": shared, "c": large, "d": _outline("A", "pqrstuvwxyz")}
    assert groups(sizes, 2) == (("a", "b"), ("c", "d"))


def test_too_few_public_networks_are_refused() -> None:
    """A network cannot be hidden among more networks than there are."""
    with pytest.raises(InputError, match="needs at least 3"):
        company(_outline("A"), None, {"a": _outline("A"), "b": _outline("B")}, 3, _draw(0))


@pytest.mark.parametrize("name", ["tv_resnet18", "hf_distilbert"])
def test_siblings_are_networks_of_other_sizes(name: str, tmp_path: Path) -> None:
    """A sibling has the same operators in the same order, other shapes, and can be measured as far as its original."""
    original = read_model(NETWORKS / f"{name}.onnx")
    made = siblings(NETWORKS / f"{name}.onnx", {}, tmp_path, _draw(3), 2)
    assert len(made) == 2
    shapes = set()
    for path, dims in made:
        sibling = read_model(path, dims=dict(dims))
        assert [layer.op_type for layer in sibling.layers] == [layer.op_type for layer in original.layers]
        assert not any(layer.skip for layer in sibling.layers)
        shapes.add(tuple(spec.shape for spec in sibling.tensors.values()))
    assert len(shapes | {tuple(spec.shape for spec in original.tensors.values())}) == 3


def test_a_suite_with_cover_holds_whole_networks_and_tells_no_counts(tmp_path: Path) -> None:
    """With --cover 2 a public network is there, too, and a sibling; importances say what one call takes."""
    public = [str(NETWORKS / f"{name}.onnx") for name in ("tv_squeezenet1_1", "tv_mobilenet_v3_small", "tv_resnet18")]
    suite, reports = generate(
        public[:1], out=tmp_path / "covered", granularity=Granularity(1), cover=2, cover_from=public
    )
    held = {one.fingerprint for one in suite.benchmarks}
    alone = {}
    for path in public:
        other, _ = generate([path], out=tmp_path / "alone", granularity=Granularity(1))
        alone[path] = {one.fingerprint for one in other.benchmarks}
    whole = [path for path in public if alone[path] <= held]
    assert public[0] in whole
    assert len(whole) == 2
    assert len(held - set().union(*alone.values())) > 3
    assert set(reports[0].uncovered) <= {"AveragePool", "Concat", "MaxPool", "Dropout"}
    sequences = [one for one in suite.benchmarks if one.role == "sequence"]
    costs = {one.importance: (one.flops, one.weight_bytes + one.activation_bytes) for one in sequences}
    assert max(costs) == 0.5
    assert costs[max(costs)] == max(costs.values())


def test_cover_is_refused_where_it_would_not_hide(tmp_path: Path) -> None:
    """Whole networks, adjacent pairs and a missing zoo of public networks are refused before anything is read."""
    path = str(NETWORKS / "tv_alexnet.onnx")
    changes: list[dict[str, Any]] = [{"granularity": Granularity(None)}, {"pairs": True}, {"cover_from": []}]
    for more in changes:
        options: dict[str, Any] = {"granularity": Granularity(1), "cover": 2, "cover_from": [path], **more}
        with pytest.raises(InputError, match="--cover needs"):
            generate([path], out=tmp_path / "suite", **options)
