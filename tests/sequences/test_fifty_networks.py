"""The laws of splitting and of fingerprints on all 50 networks of the repository."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from dlbricks.model.read.network import read_model
from dlbricks.model.types import Model
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity, Split
from dlbricks.sequences.units import units_of
from tests.sequences.drawn_models import layer_edges, unique

NETWORKS = sorted((Path(__file__).parents[2] / "suites" / "networks").glob("*.onnx"))
CASES = [("block", limit) for limit in (1, 2, 4, 8, None)] + [("paper", 2), ("paper", 8)]


@cache
def network(name: str) -> Model:
    """Read a network of the repository."""
    path = next(path for path in NETWORKS if path.stem == name)
    return read_model(path, dims={"batch": 1, "seq": 64} if name.startswith("leg_") else None)


def all_connected(model: Model, done: Split) -> bool:
    """Whether each sequence is one piece: spreading from its first layer along edges inside reaches all of it."""
    home = {index: number for number, sequence in enumerate(done.sequences) for index in sequence.layers}
    beside: dict[int, list[int]] = {index: [] for index in home}
    for one, other in layer_edges(model.layers):
        if home[one] == home[other]:
            beside[one].append(other)
            beside[other].append(one)
    reached = 0
    for sequence in done.sequences:
        seen, front = {sequence.layers[0]}, [sequence.layers[0]]
        while front:
            new = set(beside[front.pop()]) - seen
            seen |= new
            front += new
        reached += len(seen)
    return reached == len(home)


def test_there_are_fifty() -> None:
    """So that none is left out."""
    assert len(NETWORKS) == 50


@pytest.mark.parametrize("name", [path.stem for path in NETWORKS])
def test_laws_of_splitting(name: str) -> None:
    """Exact cover, connected, no circles (hence convex), whole groups, at most H, views never alone."""
    model = network(name)
    edges = layer_edges(model.layers)
    weight_of = {index: (unit.layers[0], unit.weight) for unit in units_of(model).members for index in unit.layers}
    for splitter, limit in CASES:
        done = split(model, Granularity(limit), splitter)
        home = {index: number for number, sequence in enumerate(done.sequences) for index in sequence.layers}
        assert sorted(home) == list(range(len(model.layers)))
        assert sum(len(sequence.layers) for sequence in done.sequences) == len(model.layers)
        assert all(home[one] <= home[other] for one, other in edges)
        assert all_connected(model, done)
        assert all(len({home[index] for index in group}) == 1 for group in model.groups)
        for sequence in done.sequences:
            weight = sum(dict(weight_of[index] for index in sequence.layers).values())
            assert 1 <= weight <= (limit or len(model.layers))
        waits = [{home[one] for one, other in edges if home[other] == number} - {number} for number in range(3)]
        assert [set(before) for before in done.depends_on[:3]] == waits[: len(done.sequences)]


@pytest.mark.parametrize("name", [path.stem for path in NETWORKS])
def test_fingerprints_do_not_know_names_and_order(name: str) -> None:
    """A network written down in another order, under other names, has the same fingerprint."""
    model = network(name)
    other = disguised(model)
    assert canonicalise(model, end_to_end(model)).text == canonicalise(other, end_to_end(other)).text
    assert set(unique([split(model, Granularity(1))])) == set(unique([split(other, Granularity(1))]))


def disguised(model: Model) -> Model:
    """Rename all tensors and put the layers into another topological order."""
    chance = random.Random(1)  # noqa: S311 - a test, not a secret
    tensors = [*model.tensors, *model.constants]
    names = dict(zip(tensors, (f"v{index}" for index in chance.sample(range(len(tensors)), len(tensors))), strict=True))
    names[""] = ""
    edges = layer_edges(model.layers)
    after: dict[int, list[int]] = {index: [] for index in range(len(model.layers))}
    waiting = dict.fromkeys(after, 0)
    for one, next_one in edges:
        after[one].append(next_one)
        waiting[next_one] += 1
    ready, order = [index for index, count in waiting.items() if not count], list[int]()
    while ready:
        order.append(ready.pop(chance.randrange(len(ready))))
        for index in after[order[-1]]:
            waiting[index] -= 1
            ready += [index] * (not waiting[index])
    place = {index: at for at, index in enumerate(order)}

    def of(old: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names[name] for name in old)

    return replace(
        model,
        layers=tuple(
            replace(entry, inputs=of(entry.inputs), outputs=of(entry.outputs), captured=of(entry.captured))
            for entry in (model.layers[index] for index in order)
        ),
        inputs=of(model.inputs),
        outputs=of(model.outputs),
        tensors={names[name]: spec for name, spec in model.tensors.items()},
        constants={names[name]: constant for name, constant in model.constants.items()},
        groups=tuple(tuple(sorted(place[index] for index in group)) for group in model.groups),
    )


def test_repeated_blocks_are_measured_once() -> None:
    """Transformers of twelve layers need a small part of themselves measured, at every H; sequences are nearly full."""
    for name in ("hf_bert_base", "hf_gpt2"):
        model = network(name)
        for limit in (1, 2, 4, 8):
            done = split(model, Granularity(limit))
            different = unique([done]).values()
            assert sum(len(entry.sequence.layers) for entry in different) < 0.35 * len(model.layers)
            assert len(done.sequences) < 1.5 * len(units_of(model).members) / limit
