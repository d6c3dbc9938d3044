"""Chrome JSON: by the format's rules, with every nanosecond, link and value in it."""

import gzip
import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from dlbricks.errors import InputError
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.export import ExportPart, arrows, layout, write_chrome
from dlbricks.trace.types import Lane, Level, Trace, TraceClock
from tests.trace.drawn import selected, traces
from tests.trace.export.whole import NOW, shown, whole

SCHEMA = json.loads(Path(__file__).with_name("chrome_trace.schema.json").read_text())


def refused(constant: str) -> Any:
    """Let no ``NaN`` pass."""
    raise AssertionError(constant)


def read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read a file as the strictest reader would; give all of it, and its spans in order of their rows."""
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(text, parse_constant=refused))
    found = json.loads(text, parse_float=Decimal)
    return found, [event for event in found["traceEvents"] if event["ph"] == "X"]


@given(traces())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_span_is_there_to_the_nanosecond(tmp_path: Path, trace: Trace) -> None:
    """Each span once, by the rules of the format, with its exact times, its parent, and arrows where they should be."""
    trace = correlated(trace)
    write_chrome([ExportPart(trace=trace)], tmp_path / "trace.json")
    found, spans = read(tmp_path / "trace.json")
    where = layout(trace)
    starts, ends = where.start_ns.tolist(), where.end_ns.tolist()
    assert [event["args"]["row"] for event in spans] == list(range(len(trace)))
    for span, event in zip(trace, spans, strict=True):
        assert event["name"] == span.name
        assert event["cat"].split(",")[:2] == [span.level.name.lower(), span.kind]
        assert event["ts"] * 1000 == starts[span.row]
        assert event["dur"] * 1000 == ends[span.row] - starts[span.row]
        assert event["args"].get("parent") == span.parent
    flows = {phase: [event for event in found["traceEvents"] if event["ph"] == phase] for phase in "sf"}
    for phase, rows in zip("sf", arrows(trace), strict=True):
        places = [(event["ts"] * 1000, event["pid"], event["tid"]) for event in flows[phase]]
        assert places == [(starts[row], spans[row]["pid"], spans[row]["tid"]) for row in rows.tolist()]
    assert [event["id"] for event in flows["s"]] == [event["id"] for event in flows["f"]]


def test_values_and_names_are_what_they_were(tmp_path: Path) -> None:
    """Texts with every awkward sign, numbers beyond a double, and what is no number."""
    trace = whole()
    write_chrome([ExportPart(trace=trace)], tmp_path / "trace.json.gz")
    found, spans = read(tmp_path / "trace.json.gz")
    for span, event in zip(trace, spans, strict=True):
        args = {key: value for key, value in event["args"].items() if key not in {"row", "parent"}}
        texts = {key: str(value).replace("nan", "NaN") for key, value in shown(span).items()}
        assert {key: str(value) for key, value in args.items()} == texts
    named = [event for event in found["traceEvents"] if event["ph"] == "M" and "name" in event["args"]]
    names = {(event["pid"], event["tid"]): event["args"]["name"] for event in named}
    assert sorted(names.values()) == ["gpu 0 process 4711", "process 4711", "stream 7", "stream 7 (2)", "thread 1"]
    assert found["otherData"]["parts"][0]["notes"] == ["a note"]
    assert found["baseTimeNanoseconds"] == NOW + 1_000_001
    overlapping = [spans[row]["tid"] for row in (3, 4)]
    assert [names[spans[3]["pid"], tid] for tid in overlapping] == ["stream 7", "stream 7 (2)"]


def test_parts_stand_side_by_side(tmp_path: Path) -> None:
    """Each run of an experiment has processes of its own, named after it, and begins at 0; arrows do not mix."""
    parts = [ExportPart(name=name, trace=whole(offset)) for name, offset in (("M", None), ("ML", NOW))]
    write_chrome(parts, tmp_path / "trace.json")
    found, spans = read(tmp_path / "trace.json")
    names = [e["args"]["name"] for e in found["traceEvents"] if e["ph"] == "M" and e["name"] == "process_name"]
    assert names == ["M: process 4711", "M: gpu 0 process 4711", "ML: process 4711", "ML: gpu 0 process 4711"]
    assert {event["pid"] for event in spans} == {1, 2, 3, 4}
    assert [event["ts"] for event in spans if event["name"] == "run"] == [0, 0]
    starts = [event["id"] for event in found["traceEvents"] if event["ph"] == "s"]
    assert len(set(starts)) == len(starts) == 6


def test_the_same_trace_gives_the_same_bytes(tmp_path: Path) -> None:
    """No date and no path gets into a file, packed or not."""
    for name in ("a.json.gz", "b.json.gz"):
        write_chrome([ExportPart(trace=whole())], tmp_path / name)
    assert (tmp_path / "a.json.gz").read_bytes() == (tmp_path / "b.json.gz").read_bytes()


def test_an_empty_trace_is_a_file_all_the_same(tmp_path: Path) -> None:
    """Nothing happened: no spans, and a file that opens."""
    write_chrome([ExportPart(trace=selected(whole(), np.zeros(0, np.int64)))], tmp_path / "trace.json")
    assert read(tmp_path / "trace.json")[1] == []


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """One line, and nothing half-written."""
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write"):
        write_chrome([ExportPart(trace=whole())], tmp_path / "file" / "trace.json")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_letters_are_written_as_they_are(tmp_path: Path) -> None:
    """Viewers that do not decode escapes show names; what UTF-8 has no room for is escaped all the same."""
    builder = TraceBuilder(clock=TraceClock(name="perf_counter"))
    lane = Lane(process="größe", name="ñ")
    builder.add(Level.LAYER, "operator", "ünïcode", lane, 5, 9, shape="→")
    builder.add(Level.LAYER, "operator", "half \ud800", lane, 10, 19)
    write_chrome([ExportPart(trace=builder.built())], tmp_path / "trace.json")
    text = (tmp_path / "trace.json").read_text(encoding="utf-8")
    assert all(f'"{name}"' in text for name in ("ünïcode", "process größe", "ñ", "→", "half \\ud800"))
    assert [event["name"] for event in read(tmp_path / "trace.json")[1]] == ["ünïcode", "half \ud800"]
