"""Exports as Perfetto itself reads them: its own trace processor, asked for what its page would show."""

from collections.abc import Iterator
from typing import Any

import pytest

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.export import ExportPart, arrows, layout, write_chrome
from dlbricks.trace.types import Level, Trace, TraceClock
from tests.report.browser import browsing
from tests.trace.export.trace_processor import TraceProcessor, program, served
from tests.trace.export.whole import HOST, whole

TEXTS: dict[str, Any] = {"type": 'conv "1" \\ <b>', "shape": "float32[1,8]"}


def measured_device() -> Trace:
    """Give a layer of which much is told."""
    builder = TraceBuilder(clock=TraceClock(name="perf_counter"))
    builder.add(Level.LAYER, "operator", "ünïcode", HOST, 5, 9, flops=2**53 + 1, occupancy=0.1 + 0.2, **TEXTS)
    return builder.built()


PARTS = tuple(
    ExportPart(name=name, trace=trace)
    for name, trace in {
        "ML": whole(),
        "MLK": whole(),
        "measured_device": measured_device(),
    }.items()
)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TraceProcessor]:
    """Give a trace processor that has read all parts in one file."""
    folder, scratch = program(), tmp_path_factory.mktemp("trace")
    path = scratch / "t.json.gz"
    write_chrome(PARTS, path)
    with served(folder) as address:
        for browser in browsing(scratch / "browser"):
            yield TraceProcessor(browser, address, path.read_bytes())


def test_nothing_is_complained_of(found: TraceProcessor) -> None:
    """No error, no loss of data."""
    assert found.query("select name from stats where severity in ('error', 'data_loss') and value > 0") == []


@pytest.mark.parametrize("part", ["ML", "MLK"])
def test_every_span_is_where_it_is(found: TraceProcessor, part: str) -> None:
    """Names, whole nanoseconds, nesting, processes and tracks."""
    trace = whole()
    where = layout(trace)
    expected = [
        (trace.names[trace.name[row]], int(where.start_ns[row]), int(where.end_ns[row] - where.start_ns[row]))
        for row in range(len(trace))
    ]
    rows = found.query(
        f"""select slice.name as name, ts, dur, depth, process.name as process, thread.name as thread
        from slice join thread_track on slice.track_id = thread_track.id join thread using (utid)
        join process using (upid) where process.name like '{part}: %' order by ts, dur desc, depth"""  # noqa: S608
    )
    origin = rows[0]["ts"]
    assert sorted((row["name"], row["ts"] - origin, row["dur"]) for row in rows) == sorted(expected)
    assert {row["process"] for row in rows} == {f"{part}: process 4711", f"{part}: gpu 0 process 4711"}
    assert {row["thread"] for row in rows} == {"thread 1", "stream 7", "stream 7 (2)"}
    assert [row["depth"] for row in rows if row["process"] == f"{part}: process 4711"] == [0, 1, 2, 1]


def test_arrows_lead_from_launches_to_kernels(found: TraceProcessor) -> None:
    """Each arrow joins the spans that it is for."""
    trace = whole()
    rows = found.query(
        """select a.name as source, b.name as target from flow join slice a on flow.slice_out = a.id
        join slice b on flow.slice_in = b.id"""
    )
    names = [trace.names[index] for index in trace.name.tolist()]
    expected = [(names[source], names[target]) for source, target in zip(*arrows(trace), strict=True)]
    assert sorted((row["source"], row["target"]) for row in rows) == sorted(2 * expected)


def test_attributes_are_shown(found: TraceProcessor) -> None:
    """Texts with awkward signs, numbers beyond a double's whole ones, and fractions are what they were."""
    rows = found.query(
        """select key, display_value as value from args join slice using (arg_set_id) where slice.name = 'ünïcode'"""
    )
    values = {row["key"].partition(".")[2]: row["value"] for row in rows}
    assert (values["type"], values["shape"], values["flops"]) == (*TEXTS.values(), str(2**53 + 1))
    assert float(values["occupancy"]) == pytest.approx(0.3)
