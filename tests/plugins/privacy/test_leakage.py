"""Attacks on made-up networks whose secrets are known."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.plugins.privacy.attacks import (
    DEPTHS,
    Piece,
    PublicNetwork,
    Ranked,
    chance_of_first,
    depths,
    importances_without_counts,
    joining,
    ranking,
    ranking_by_both,
    sizes,
)
from dlbricks.suite.extraction import importances


def piece(
    name: str, *, width: int = 64, seconds: float = 1e-4, importance: float = 0.5, operator: str = "Add"
) -> Piece:
    """A piece with one input and one output of shape [1, width]."""
    tensor = ("float32", (1, width))
    return Piece(
        fingerprint=name,
        operators=(operator,),
        inputs=(tensor,),
        outputs=(tensor,),
        weight_bytes=0,
        seconds=seconds,
        importance=importance,
    )


def network(name: str, uses: dict[str, int], **seconds: float) -> PublicNetwork:
    """A network of pieces that each occur some times, important as ``generate`` makes them."""
    costs = {one: count * seconds.get(one, 1e-4) for one, count in uses.items()}
    shares = importances(costs, {})
    pieces = {one: piece(one, seconds=seconds.get(one, 1e-4), importance=shares[one]) for one in uses}
    return PublicNetwork(network=name, pieces=pieces, uses=uses, edges=frozenset())


ZOO = (
    network("first", {"a": 1, "b": 2, "common": 1}),
    network("second", {"c": 1, "d": 8, "common": 1}),
    network("third", {"a": 3, "e": 1, "common": 1}),
)


def test_what_is_in_a_suite_comes_first() -> None:
    """A network whose sequences are all there has score 1 and is first; rare sequences count more than common ones."""
    found = ranking({"a", "b", "common"}, ZOO)
    assert found[0].network == "first"
    assert found[0].score == pytest.approx(1)
    assert found[1].network == "third"
    assert 0 < next(one.score for one in found if one.network == "second") < 1 / 3


@given(st.sets(st.sampled_from("abcde")))
def test_more_pieces_never_lower_a_score(more: set[str]) -> None:
    """What is added to a suite takes nothing from any network's score: so decoys do not hide a network."""
    before = {one.network: one.score for one in ranking({"a", "b", "common"}, ZOO)}
    after = {one.network: one.score for one in ranking({"a", "b", "common"} | more, ZOO)}
    assert all(after[name] >= score - 1e-12 for name, score in before.items())


def test_importances_settle_ties() -> None:
    """Importances settle what sequences leave open."""
    seen = list(ZOO[1].pieces.values())
    twin = network("twin", {"c": 9, "d": 1, "common": 9})
    assert [one.score for one in ranking({"c", "d", "common"}, (ZOO[1], twin))] == [pytest.approx(1)] * 2
    assert ranking_by_both(seen, (ZOO[1], twin))[0].network == "second"


def test_ties_share_the_first_place() -> None:
    """Of three equal networks each is first in a third of the cases; one behind them never."""
    found = [Ranked(network=name, score=score) for name, score in (("a", 1.0), ("b", 1.0), ("c", 1.0), ("d", 0.5))]
    assert chance_of_first(found, ["b"]) == pytest.approx(1 / 3)
    assert chance_of_first(found, ["d"]) == 0
    assert chance_of_first(found, ["d"], among=4) == 1


@given(st.integers(2, 60))
def test_importances_give_the_depth_away(depth: int) -> None:
    """The true depth is among those that importances allow, and they are few; equal importances allow all."""
    one = network("deep", {"block": depth, "head": 1, "stem": 1}, head=3e-3, stem=1e-3)
    held = {name: part.importance for name, part in one.pieces.items()}
    left = depths(one, held)
    assert depth in left
    assert len(left) < len(DEPTHS)
    alone = importances_without_counts({name: part.seconds for name, part in one.pieces.items()})
    assert depths(one, alone) == tuple(DEPTHS)


def test_sizes_are_read_from_shapes() -> None:
    """A normalisation of rank 3 tells hidden size and sequence; what speaks for two sizes is weighed by importance."""
    tensor = ("float32", (1, 128, 768))
    norm = Piece(
        fingerprint="n",
        operators=("LayerNormalization",),
        inputs=(tensor,),
        outputs=(tensor,),
        weight_bytes=0,
        seconds=1e-5,
        importance=0.25,
    )
    assert sizes([norm, piece("a")]) == {"hidden size": {768: 0.25}, "sequence": {128: 0.25}}


def test_equal_shapes_are_joined() -> None:
    """Of two pieces that make the shape one reads, each is taken half of the time; the true joint is found."""
    made = (piece("a"), piece("b"), piece("c", width=32))
    true = PublicNetwork(
        network="n", pieces={one.fingerprint: one for one in made}, uses={}, edges=frozenset({("a", "b"), ("b", "c")})
    )
    found = joining(made, [true])
    assert found is not None
    assert (found.inputs, found.precision, found.recall) == (2, 0.25, 0.5)
