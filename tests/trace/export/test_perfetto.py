"""Perfetto's protobuf, read back by its own definition and played back as its trace processor does."""

import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

from dlbricks.errors import MissingDependencyError
from dlbricks.trace.correlate import correlated
from dlbricks.trace.export.layout import ExportPart, arrows, layout
from dlbricks.trace.export.perfetto import write
from dlbricks.trace.types import Trace
from tests.trace.drawn import traces
from tests.trace.export.whole import shown, whole


def played(path: Path) -> tuple[dict[int, Any], list[dict[str, Any]]]:
    """Sort packets by time (equal ones as they come) and let each track open and close slices."""
    packets = perfetto_trace_pb2.Trace.FromString(path.read_bytes()).packet
    texts: dict[tuple[str, int], str] = {}
    tracks = {p.track_descriptor.uuid: p.track_descriptor for p in packets if p.HasField("track_descriptor")}
    for packet in packets:
        for table in ("event_names", "event_categories", "debug_annotation_names"):
            texts |= {(table, entry.iid): entry.name for entry in getattr(packet.interned_data, table)}
    stacks: dict[int, list[dict[str, Any]]] = {}
    slices = []
    for packet in sorted((p for p in packets if p.HasField("track_event")), key=lambda p: p.timestamp):
        event = packet.track_event
        stack = stacks.setdefault(event.track_uuid, [])
        if event.type == perfetto_trace_pb2.TrackEvent.TYPE_SLICE_END:
            stack.pop()["end"] = packet.timestamp
            continue
        values = {
            texts["debug_annotation_names", note.name_iid]: getattr(note, note.WhichOneof("value"))
            for note in event.debug_annotations
        }
        made = {
            "name": texts["event_names", event.name_iid], "start": packet.timestamp, "depth": len(stack),
            "categories": [texts["event_categories", number] for number in event.category_iids],
            "track": event.track_uuid, "out": list(event.flow_ids), "in": list(event.terminating_flow_ids), **values,
        }  # fmt: skip
        stack.append(made)
        slices.append(made)
    assert all(not stack for stack in stacks.values())
    return tracks, sorted(slices, key=lambda one: one["row"])


@given(traces())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_span_is_there_to_the_nanosecond(tmp_path: Path, trace: Trace) -> None:
    """Each span once, with its exact times and its parent, on a track of its lane; arrows join as they should."""
    trace = correlated(trace)
    write([ExportPart(trace=trace)], tmp_path / "trace.pftrace")
    tracks, slices = played(tmp_path / "trace.pftrace")
    where = layout(trace)
    assert [one["row"] for one in slices] == list(range(len(trace)))
    for span, one in zip(trace, slices, strict=True):
        assert (one["name"], one.get("parent")) == (span.name, span.parent)
        assert (one["start"], one["end"]) == (where.start_ns[span.row], where.end_ns[span.row])
        assert one["categories"][:2] == [span.level.name.lower(), span.kind]
        assert tracks[one["track"]].thread.thread_name.startswith(span.lane.name)
    out = {number: one["row"] for one in slices for number in one["out"]}
    into = {number: one["row"] for one in slices for number in one["in"]}
    pairs = sorted((out[number], into[number]) for number in out)
    assert pairs == sorted(zip(*(rows.tolist() for rows in arrows(trace)), strict=True))


def test_values_and_names_are_what_they_were(tmp_path: Path) -> None:
    """Every type of value; processes and tracks carry the names that the Chrome JSON gives them."""
    trace = whole()
    write([ExportPart(name="ML", trace=trace), ExportPart(name="MLK", trace=trace)], tmp_path / "trace.pftrace")
    tracks, slices = played(tmp_path / "trace.pftrace")
    for span, one in zip(trace, slices[::2], strict=True):
        assert {key: str(one[key]) for key in shown(span)} == {key: str(value) for key, value in shown(span).items()}
    names = [track.process.process_name for track in tracks.values() if track.HasField("process")]
    assert names == ["ML: process 4711", "ML: gpu 0 process 4711", "MLK: process 4711", "MLK: gpu 0 process 4711"]
    assert [one["depth"] for one in slices[::2]] == [0, 1, 2, 0, 0, 1, 1]


def test_without_the_package_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One line that names the extra and what works without it; nothing is written."""
    monkeypatch.setitem(sys.modules, "perfetto.protos.perfetto.trace", None)
    with pytest.raises(MissingDependencyError, match=r"dlbricks\[perfetto\].*JSON"):
        write([ExportPart(trace=whole())], tmp_path / "trace.pftrace")
    assert list(tmp_path.iterdir()) == []
