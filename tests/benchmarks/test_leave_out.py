"""Laws of leaving networks out, on compositions made by hand."""

import dataclasses

from recompute import leave_out, summarise_left_out

from dlbricks.construct.types import Composition
from dlbricks.model.types import SequenceFeatures
from tests.construct.made_up import composition, results
from tests.construct.test_interpolate import product, truth

SEQUENCES = {f"s{rows}": product(rows, 64, 64) for rows in (16, 32, 64, 128, 256)}
RESULTS = results({name: truth(one)[1] for name, one in SEQUENCES.items()})


def network(model: str, names: list[str], features: dict[str, SequenceFeatures] | None = None) -> Composition:
    """Make a composition whose steps have features."""
    known = SEQUENCES | (features or {})
    made = composition(names, model=model)
    steps = tuple(dataclasses.replace(step, features=known[step.fingerprint]) for step in made.steps)
    return dataclasses.replace(made, steps=steps)


NETWORKS = (
    network("whole", ["s16", "s256"]),
    network("shared", ["s32", "s64"]),
    network("other", ["s32", "s64"]),
    network("single", ["s64", "s128"]),
)
MEASURED = {one.model: sum(truth(SEQUENCES[step.fingerprint])[1] for step in one.steps) for one in NETWORKS}


def test_what_others_measured_is_kept() -> None:
    """A network all of whose sequences another one uses is estimated as if nothing were left out."""
    made = {row.network: row for row in leave_out(NETWORKS, RESULTS, MEASURED, {})}
    assert made["shared"].interpolated == 0
    assert made["shared"].estimated_ns == MEASURED["shared"]


def test_what_only_it_uses_is_guessed() -> None:
    """Sequences of a network alone are not looked up."""
    made = {row.network: row for row in leave_out(NETWORKS, RESULTS, MEASURED, {})}
    assert 0 < made["single"].interpolated < 1
    assert abs(made["single"].error) < 0.2
    assert made["single"].covered


def test_a_group_is_left_out_together() -> None:
    """What only networks of one group use is gone for all of them."""
    groups = {"shared": "family", "other": "family", "single": "family"}
    made = {row.network: row for row in leave_out(NETWORKS, RESULTS, MEASURED, groups)}
    assert made["shared"].interpolated == 1
    assert made["shared"].group == "family"
    assert made["whole"].group == "whole"


def test_what_cannot_be_guessed_is_refused_and_counted_apart() -> None:
    """A network with a kind of its own has no estimate to be judged."""
    strange = network("strange", ["s64", "odd"], {"odd": product(64, 64, 64, ("LSTM float32",))})
    known = dataclasses.replace(RESULTS, measurements=RESULTS.measurements)
    rows = leave_out((*NETWORKS, strange), known, MEASURED | {"strange": 10**6}, {})
    summary = summarise_left_out(rows)
    assert summary.refused == ("strange",)
    assert summary.network_count == len(NETWORKS)
    assert next(row for row in rows if row.network == "strange").missing == ("odd",)


def test_only_measured_networks_are_judged() -> None:
    """Others are a source of sequences."""
    assert [row.network for row in leave_out(NETWORKS, RESULTS, {"shared": 1000}, {})] == ["shared"]


def test_a_summary_of_nothing_is_zero() -> None:
    """No networks, no errors."""
    assert summarise_left_out(()).median_error == 0
    assert summarise_left_out(()).network_count == 0
