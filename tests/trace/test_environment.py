"""Clocks, power and temperature of a device, from the records to lines in viewers."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from dlbricks.harness.trace.activities import Activity, Kind, copied
from dlbricks.harness.trace.cupti import ActivityClock, activities_of
from dlbricks.trace.correlate import correlated
from dlbricks.trace.devices import (
    QUANTITIES,
    device_samples,
    name_and_unit,
    sampled,
    span_name,
    throttle_text,
    throttling_notes,
)
from dlbricks.trace.export import ExportPart, write_chrome
from dlbricks.trace.read.cupti import trace_of
from dlbricks.trace.types import NONE, Trace
from tests.trace.drawn import IDLE, KINDS, POWER_CAP, SETTING, SLOWDOWN, states

CLOCK = ActivityClock(perf_counter_offset_ns=0, unix_offset_ns=1_000, uncertainty_ns=1)
CALL = Activity(kind="runtime", name="cudaLaunchKernel", start_ns=100, end_ns=900, correlation=1, thread=1)
SCHEMA = json.loads((Path(__file__).parent / "export" / "chrome_trace.schema.json").read_text())


def recorded(*reasons: int) -> Trace:
    """Make a trace of a call during which a device was sampled, once for each of some reasons."""
    taken = [one for place, bits in enumerate(reasons) for one in states(200 + 100 * place, reasons=bits)]
    return correlated(trace_of([CALL, *taken], CLOCK, process=7))


def test_records_of_cupti_become_readings() -> None:
    """Speed, temperature and power that the library's own records hold are read with names, units and times."""
    cupti = pytest.importorskip("cupti.cupti", reason="cupti-python is not installed")
    rows = []
    for time, (kind, part, fields) in enumerate(
        [
            (1, "speed", {"sm_clock": 1980, "memory_clock": 2619, "clocks_throttle_reasons": -(2**31) + 4}),
            (2, "temperature", {"gpu_temperature": 61}),
            (3, "power", {"power": 345_000, "power_limit": 700_000}),
        ],
        start=1,
    ):
        data = np.zeros(1, cupti.activity_environment_dtype)
        data["kind"], data["environment_kind"], data["timestamp"], data["device_id"] = Kind.ENVIRONMENT, kind, time, 1
        for name, value in fields.items():
            data["data_"][part][name] = value
        row = copied(cupti.ActivityEnvironment.from_data(data))
        assert row is not None
        rows.append(row)
    activities, notes = activities_of(rows)
    trace = trace_of(activities, CLOCK, process=7)
    assert notes == ()
    assert [(one.lane.device, one.quantity, one.unit, one.values) for one in device_samples(trace)] == [
        ("gpu 1", "SM clock", "MHz", (1980,)),
        ("gpu 1", "memory clock", "MHz", (2619,)),
        ("gpu 1", "throttle reasons", "bits", (2**31 + 4,)),
        ("gpu 1", "temperature", "C", (61,)),
        ("gpu 1", "power", "W", (345,)),
        ("gpu 1", "power limit", "W", (700,)),
    ]
    assert trace.string_column("throttle", np.arange(3))[2] == "power cap, unknown reason"


def test_samples_belong_to_the_device_and_to_no_call() -> None:
    """Whatever ran on the host at that time is no parent of a sample."""
    trace = recorded(0, 0)
    assert sampled(trace).sum() == 2 * 6
    assert (trace.parent[sampled(trace)] == NONE).all()
    assert not any("lanes" in note for note in trace.notes)


@pytest.mark.parametrize(
    ("reasons", "said"),
    [
        ((0, IDLE), []),
        ((1 << 30,), []),
        ((POWER_CAP, 0, POWER_CAP | IDLE), ["gpu 0 lowered its clocks in 2 of 3 samples (power cap)"]),
        ((SLOWDOWN, POWER_CAP), ["gpu 0 lowered its clocks in 2 of 2 samples (power cap, hardware slowdown"]),
        ((SETTING,), ["clocks of gpu 0 were limited by a setting in 1 of 1 samples"]),
    ],
)
def test_lowered_clocks_are_a_note(reasons: tuple[int, ...], said: list[str]) -> None:
    """Power and heat are told, a limit that somebody set, too; an idle device is none, nor one that does not tell."""
    notes = [note for note in recorded(*reasons).notes if "clocks" in note]
    assert [note.startswith(words) for note, words in zip(notes, said, strict=True)] == [True] * len(said)


def test_names_can_be_taken_apart() -> None:
    """Name and unit of a span are those of its quantity; a quantity of a later release has no unit."""
    assert [name_and_unit(span_name(key)) for key in QUANTITIES] == [quantity[:2] for quantity in QUANTITIES.values()]
    assert name_and_unit(span_name("humidity")) == ("humidity", "")
    assert (throttle_text(0), throttle_text(16)) == ("none", "reason 16")
    assert throttling_notes(()) == ()
    assert "environment" not in {kind for known in KINDS.values() for kind in known}


def test_chrome_json_has_a_line_for_each_quantity(tmp_path: Path) -> None:
    """Samples are counters of the device with their unit, no slices, and have no track of their own."""
    write_chrome([ExportPart(trace=recorded(0, POWER_CAP))], tmp_path / "t.json")
    found = json.loads((tmp_path / "t.json").read_text())
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    points = [event for event in found["traceEvents"] if event["ph"] == "C"]
    clocks = [(event["ts"], event["args"]) for event in points if event["name"] == "SM clock"]
    assert clocks == [(0.1, {"MHz": 1980}), (0.2, {"MHz": 1980})]
    assert len(points) == 2 * 6
    names = {event["args"].get("name"): event["pid"] for event in found["traceEvents"] if event["ph"] == "M"}
    assert "environment" not in names
    assert {event["pid"] for event in points} == {names["gpu 0"]}
    assert [event["name"] for event in found["traceEvents"] if event["ph"] == "X"] == ["cudaLaunchKernel"]
