"""Counters of calls are assigned to layers if a call is one layer, and left out otherwise."""

import json
from typing import Any

import pytest

from dlbricks.analysis.catalogue import chosen
from dlbricks.harness.cpu import HardwareCounts, why_not_hardware
from dlbricks.harness.run.files import interned, with_names
from dlbricks.profile.open import profile_of_run
from dlbricks.store.document import read_document
from dlbricks.store.submission import check
from dlbricks.trace.types import Level
from tests.analysis.made_up import cells
from tests.store.made_up_run import document, traced

EMPTY = HardwareCounts(calls=10, cycles=9_000, instructions=12_000, cache_misses=5)


def counted(counts: HardwareCounts | None = EMPTY, *, layers: int = 1) -> dict[str, Any]:
    """Make a result on a processor whose sequences execute some layers and have been counted.

    The n-th sequence takes n times 100,000 cycles and twice as many instructions more than an empty call.
    """
    made = traced(document())
    made["runtime"]["provider"] = "cpu"
    made["options"]["trace"] = "ML"
    names = made["names"]
    rows = [with_names(row, names) for row in made["benchmarks"]]
    for number, row in enumerate(rows):
        if "trace" not in row:
            continue
        trace = row["trace"]
        trace.pop("kernels")
        trace["levels"] = "ML"
        columns = {name: [column[0]] * layers for name, column in trace["layers"].items()}
        columns["duration_ns"] = [1000 + place for place in range(layers)]
        trace["layers"] = columns
        if counts is not None:
            more = 0 if row["role"] == "overhead" else 100_000 * number
            trace["counts"] = HardwareCounts(
                calls=counts.calls,
                cycles=counts.cycles + more,
                instructions=counts.instructions + 2 * more,
                cache_misses=None if counts.cache_misses is None else counts.cache_misses + number,
            ).to_plain()
    made["names"], made["benchmarks"] = interned(rows)
    return made


def test_a_layer_has_what_its_call_counted_less_an_empty_one() -> None:
    """The entry of each fingerprint gives the counts of the layer that it executes; the empty graph has none."""
    made = counted()
    table = chosen(["layer-counters"])[0].compute(profile_of_run(made, "r.json"))
    numbers = [number for number, row in enumerate(made["benchmarks"]) if row["role"] == "sequence" and "trace" in row]
    assert numbers
    assert cells(table, "cycles") == tuple(100_000 * number for number in numbers)
    assert cells(table, "instructions") == tuple(200_000 * number for number in numbers)
    assert set(cells(table, "instructions_per_cycle")) == {2.0}
    fingerprints = [made["benchmarks"][number]["fingerprint"][:12] for number in numbers]
    assert [key in name for key, name in zip(fingerprints, cells(table, "layer"), strict=True)] == [True] * len(numbers)
    assert "not counted: 1 layer" in table.notes


def test_what_several_layers_took_together_is_given_to_none() -> None:
    """Their shares are unknown; a note says how to count them."""
    profile = profile_of_run(counted(layers=2), "r.json")
    assert "cycles" not in profile.runs[0].trace.attributes
    assert any("execute several layers" in note and "--target onnxruntime-cpu" in note for note in profile.notes)


def test_processors_without_a_counter_of_misses() -> None:
    """The others are there all the same."""
    without = HardwareCounts(calls=3, cycles=9_000, instructions=12_000, cache_misses=None)
    made = counted(without)
    assert "cache_misses" not in json.dumps(made)
    table = chosen(["layer-counters"])[0].compute(profile_of_run(made, "r.json"))
    assert set(cells(table, "cache_misses")) == {None}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"fact": "CPU counters are missing"}, "CPU counters are missing"),
        ({"fact": None}, "does not read CPU counters"),
        ({"threads": 4}, "give it one thread"),
        ({"provider": "cuda"}, None),
    ],
)
def test_without_counts_the_reason_is_told(change: dict[str, Any], said: str | None) -> None:
    """As the facts of the machine have it; the analysis repeats it."""
    made = counted(None)
    made["system"]["facts_before"]["cpu_counters"] = change.get("fact", "permitted")
    made["runtime"] |= {key: value for key, value in change.items() if key != "fact"}
    profile = profile_of_run(made, "r.json")
    found = [note for note in profile.notes if "CPU counters" in note]
    assert len(found) == (said is not None)
    assert said is None or said in found[0]
    table = chosen(["layer-counters"])[0].compute(profile)
    assert "generate -H 1" in table.unavailable
    assert said is None or said in table.unavailable


def test_counts_are_part_of_the_format() -> None:
    """A result with counts passes its schema; one with a damaged count does not."""
    made = counted()
    read = read_document(json.dumps(made).encode())
    assert not {finding.rule for finding in check(read)} & {"DB001"}
    assert (profile_of_run(made, "r.json").runs[0].trace.rows(Level.LAYER) >= 0).all()
    assert why_not_hardware(2) is not None
