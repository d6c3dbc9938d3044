"""What every exporter is tested with: a trace that has everything, and the values a viewer should see."""

import math
from collections.abc import Mapping

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, Role, Span, Trace, TraceClock, Value

HOST, STREAM = Lane(process="4711", name="thread 1"), Lane(process="4711", name="stream 7", device="gpu 0")
NOW = 1_800_000_000_123_456_789


def whole(offset: int | None = NOW) -> Trace:
    """Give a call, its layer, a launch and two executions that overlap, with values of every type."""
    builder = TraceBuilder(clock=TraceClock(name="perf_counter", unix_offset_ns=offset), notes=["a note"])
    call = builder.add(Level.MODEL, "call", "run", HOST, 1_000_001, 1_900_003, index=0)
    layer = builder.add(
        Level.LAYER, "operator", 'conv "1" \\ \n', HOST, 1_000_001, 1_500_002, parent=call, type="Conv",
        flops=2**62, occupancy=math.nan, warm=True, large=2**70,
    )  # fmt: skip
    launch = builder.add(
        Level.LIBRARY, "runtime", "launch", HOST, 1_000_001, 1_000_004, role=Role.LAUNCH, parent=layer, correlation=9
    )
    for start in (1_100_000, 1_200_000):
        builder.add(
            Level.KERNEL, "kernel", "gemm", STREAM, start, start + 150_007, role=Role.EXECUTION, parent=launch,
            correlation=9, occupancy=0.1 + 0.2,
        )  # fmt: skip
    builder.add(Level.HARDWARE, "overhead", "Buffer Flush", STREAM, 1_250_000, 1_250_000, value=1410.5, flow=1)
    builder.add(Level.LAYER, "operator", "backwards", HOST, 1_600_000, 1_599_000, parent=call, flow=1)
    return builder.built()


def shown(span: Span) -> Mapping[str, Value]:
    """Give the attributes that a viewer should see of a span that ends as recorded."""
    correlated = {} if span.correlation is None else {"correlation": span.correlation}
    clipped = {"clipped_ns": span.duration_ns} if span.duration_ns < 0 else {}
    return {**span.attributes, **correlated, **clipped}
