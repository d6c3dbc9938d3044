from dataclasses import replace

from recompute import families, leave_out_runs, recompute

from dlbricks.validate.types import ArchivedRun, NetworkValidation
from tests.validate.made_up_validation import archived_run, validated


def _named(model: str) -> ArchivedRun:
    run = archived_run()
    facts = replace(run.facts, composition=replace(run.facts.composition, model=model))
    return replace(run, facts=facts)


def test_what_others_have_is_known() -> None:
    """Two networks of the same sequences: each is estimated from the other's run as from its own."""
    runs = {model: _named(model) for model in ("a", "b")}
    own = {one.network: one.estimated_ns for one in recompute(runs).networks}
    rows = leave_out_runs(runs, "network")
    assert {row.network: row.estimated_ns for row in rows} == own
    assert all(row.missing == () and row.interpolated == 0.0 for row in rows)


def test_a_family_knows_nothing_of_itself() -> None:
    """Left out together, the two have nothing left to be estimated from, and are refused."""
    rows = leave_out_runs({model: _named(model) for model in ("a", "b")}, "family")
    assert [row.group for row in rows] == ["a", "a"]
    assert all(row.missing for row in rows)


def _sharing(model: str, *shares: tuple[str, float]) -> NetworkValidation:
    made = validated(model, 100, 100, parts=[name for name, _ in shares])
    parts = tuple(replace(part, share=share) for part, (_, share) in zip(made.parts, shares, strict=True))
    return replace(made, parts=parts)


def test_families_share_their_time() -> None:
    """A tenth of the time of either joins two networks, chains join families, and a little is not enough."""
    models = [
        _sharing("c", ("x", 0.9), ("y", 0.1)),
        _sharing("b", ("y", 0.05), ("z", 0.95)),
        _sharing("a", ("z", 0.2), ("u", 0.8)),
        _sharing("d", ("u", 0.05), ("v", 0.95)),
        _sharing("e", ("v", 0.01), ("w", 0.99)),
    ]
    assert families([models[0], models[1], models[2]]) == {"a": "a", "b": "a", "c": "a"}
    assert families([models[1], models[4]]) == {"b": "b", "e": "e"}
    assert len(set(families(models[:3] + models[4:]).values())) == 2
