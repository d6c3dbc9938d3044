"""OTLP JSON lines against OpenTelemetry's own definition of the protocol."""

import base64
import gzip
import json
import math
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from hypothesis import HealthCheck, given, settings
from opentelemetry.proto.trace.v1 import trace_pb2

from dlbricks.trace.correlate import correlated
from dlbricks.trace.export import ExportPart, layout, write_otlp
from dlbricks.trace.types import Trace
from tests.trace.drawn import traces
from tests.trace.export.whole import NOW, shown, whole

IDS = ("traceId", "spanId", "parentSpanId")


def in_base64(found: Any) -> Any:
    """OTLP writes ids in hexadecimal where protobuf's own JSON has base64; nothing else differs."""
    if isinstance(found, list):
        return [in_base64(one) for one in found]
    if isinstance(found, dict):
        return {
            key: base64.b64encode(bytes.fromhex(value)).decode() if key in IDS else in_base64(value)
            for key, value in found.items()
        }
    return found


def read(path: Path) -> list[tuple[str, Any]]:
    """Read every line by the definition of the protocol; give spans with their service, in order of their numbers."""
    spans = []
    for line in filter(None, path.read_text(encoding="utf-8").split("\n")):  # texts may hold other ends of lines
        message = json_format.ParseDict(in_base64(json.loads(line)), trace_pb2.TracesData())
        for resource in message.resource_spans:
            about = {one.key: one.value.string_value for one in resource.resource.attributes}
            spans += [(about["service.name"], span) for scope in resource.scope_spans for span in scope.spans]
    return sorted(spans, key=lambda pair: (pair[1].trace_id, pair[1].span_id))


def values(span: Any) -> dict[str, Any]:
    """Give the attributes of a span as Python has them."""
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in span.attributes}


@given(traces())
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_every_span_is_there_with_its_parent(tmp_path: Path, trace: Trace) -> None:
    """Each span once, with times in ns, an id of its own, and the id of its parent."""
    trace = correlated(trace)
    write_otlp([ExportPart(trace=trace)], tmp_path / "trace.jsonl")
    spans = [span for _, span in read(tmp_path / "trace.jsonl")]
    where = layout(trace)
    base = (trace.clock.unix_offset_ns or 0) + where.first_ns if trace.clock.unix_offset_ns is not None else 0
    base = max(base, 0)
    assert [int.from_bytes(span.span_id) for span in spans] == list(range(1, len(trace) + 1))
    assert {len(span.trace_id) for span in spans} <= {16}
    for row, (span, found) in enumerate(zip(trace, spans, strict=True)):
        assert found.name == span.name
        assert int.from_bytes(found.parent_span_id) == (0 if span.parent is None else span.parent + 1)
        assert found.start_time_unix_nano == base + where.start_ns[row]
        assert found.end_time_unix_nano == base + where.end_ns[row]
        assert (values(found)["level"], values(found)["kind"]) == (span.level.name.lower(), span.kind)


def test_values_and_services(tmp_path: Path) -> None:
    """Every type of value, one service per process and device, and links where something leads to a span."""
    trace = whole()
    write_otlp([ExportPart(trace=trace)], tmp_path / "trace.jsonl")
    found = read(tmp_path / "trace.jsonl")
    assert [service for service, _ in found][2:4] == ["process 4711", "gpu 0 process 4711"]
    for span, (_, written) in zip(trace, found, strict=True):
        seen = values(written)
        for key, value in shown(span).items():
            if isinstance(value, float) and math.isnan(value):
                assert math.isnan(seen[key])
            else:
                assert seen[key] == (str(value) if value == 2**70 else value)
    assert [link.span_id for link in found[6][1].links] == [found[5][1].span_id]
    assert found[0][1].start_time_unix_nano == NOW + 1_000_001


def test_each_part_is_a_trace_of_its_own(tmp_path: Path) -> None:
    """Two runs in one file have two ids and services named after them, even if they hold the same."""
    write_otlp([ExportPart(name=name, trace=whole()) for name in ("M", "ML")], tmp_path / "trace.jsonl.gz")
    (tmp_path / "trace.jsonl").write_bytes(gzip.decompress((tmp_path / "trace.jsonl.gz").read_bytes()))
    found = read(tmp_path / "trace.jsonl")
    assert len({span.trace_id for _, span in found}) == 2
    assert {service.partition(":")[0] for service, _ in found} == {"M", "ML"}


@pytest.mark.parametrize(("offset", "first"), [(NOW, NOW + 1_000_001), (None, 0)])
def test_a_clock_that_does_not_know_the_date_starts_at_0(tmp_path: Path, offset: int | None, first: int) -> None:
    """Times are since 1970 where that is known, else since the first span; the scope says which."""
    write_otlp([ExportPart(trace=whole(offset))], tmp_path / "trace.jsonl")
    assert read(tmp_path / "trace.jsonl")[0][1].start_time_unix_nano == first
    line = json.loads((tmp_path / "trace.jsonl").read_text().splitlines()[0])
    scope = line["resourceSpans"][0]["scopeSpans"][0]["scope"]
    assert scope["attributes"][1] == {"key": "since_1970", "value": {"boolValue": offset is not None}}
