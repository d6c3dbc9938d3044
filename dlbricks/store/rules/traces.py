"""DB0xx: do the traces that came with the measurements hold together."""

from collections.abc import Iterator, Mapping
from typing import Any

from dlbricks.harness.cache_state import REPEATED
from dlbricks.harness.trace.short_form import NAMED
from dlbricks.harness.trace.tracing import TRACED_ROLES
from dlbricks.store.rules.rule import Context, Occurrence, Rule
from dlbricks.units import format_ns

_ABOVE = {"layers": "parent", "kernels": "layer"}
"""Column that points to rows of ``layers``."""

_SLACK = 1.5
"""Medians of parts need not add up to the median of the whole; beyond this they do not belong together."""

_FASTEST = 0.5
"""Share of the latency of repeated calls, as traced ones are, that no profiled call falls below."""

_COARSE_NS = 20_000
"""Calls so short say nothing: a profile counts whole microseconds, and writing down a layer takes some of them."""


def _traces(context: Context) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Give place, readable name and trace of every entry that has one."""
    for entry in context.entries:
        trace = entry.row.get("trace", {})
        if "layers" in trace:
            yield f"{entry.where}.trace", entry.name, trace


def _columns(context: Context) -> Iterator[Occurrence]:
    names = len(context.document.get("names", []))
    for where, name, trace in _traces(context):
        rows = len(trace["layers"]["name"])
        for part in ("layers", "kernels"):
            columns = {column: cells for column, cells in trace.get(part, {}).items() if isinstance(cells, list)}
            if len({len(column) for column in columns.values()}) > 1:
                yield f"{where}.{part}", f"columns of {name} are not of one length"
                continue
            if any(max(columns[column], default=-1) >= names for column in NAMED if column in columns):
                yield f"{where}.{part}", f"a column of {name} points beyond the {names} names of the document"
            above = columns.get(_ABOVE[part], [])
            limits = range(len(above)) if part == "layers" else [rows] * len(above)
            if any(row >= limit for row, limit in zip(above, limits, strict=True)):
                yield f"{where}.{part}.{_ABOVE[part]}", f"a row of {name} lies in one that does not come before it"


def _within(context: Context) -> Iterator[Occurrence]:
    for where, name, trace in _traces(context):
        layers = trace["layers"]
        columns = zip(layers["duration_ns"], layers["count"], layers["parent"], strict=False)
        total = sum(duration * count for duration, count, parent in columns if parent < 0)
        lanes = len(set(layers["lane"])) or 1
        if total > lanes * (_SLACK * trace["call_ns"] + _COARSE_NS):
            said = f"layers of {name} make {format_ns(total)}"
            yield where, f"{said}, the calls they are of take {format_ns(trace['call_ns'])}"


def _undisturbed(context: Context) -> Iterator[Occurrence]:
    for entry in context.measured:
        call_ns = entry.row.get("trace", {}).get("call_ns")
        repeated_ns = entry.states[REPEATED].latency_ns if REPEATED in entry.states else 0
        if call_ns is not None and repeated_ns > _COARSE_NS and call_ns < _FASTEST * repeated_ns:
            said = f"traced calls of {entry.name} take {format_ns(call_ns)}"
            yield f"{entry.where}.trace.call_ns", f"{said}, measured ones {format_ns(repeated_ns)}"


def _missing(context: Context) -> Iterator[Occurrence]:
    asked = context.document["options"].get("trace")
    if not asked:
        return
    for entry in context.of_role(*TRACED_ROLES):
        trace = entry.row.get("trace")
        if trace is None or "failed" in trace:
            reason = "it was not traced in time" if trace is None else trace["failed"]
            yield entry.where, f"{entry.name} has no trace: {reason}"


RULES = (
    Rule(
        id="DB001",
        severity="error",
        title="traces hold together",
        explanation="A trace is columns of one length that point to names and to rows above; others cannot be read.",
        fix="Send the result as the harness wrote it.",
        find=_columns,
    ),
    Rule(
        id="DB002",
        severity="warning",
        title="layers within their call",
        explanation="Layers of a call cannot last longer than the call they are of, but for what medians lose.",
        fix="Send the result as the harness wrote it, or trace again on a quiet machine.",
        find=_within,
    ),
    Rule(
        id="DB003",
        severity="warning",
        title="profiled calls are no quicker",
        explanation="Profiling makes calls longer; one that takes less than half as long as measured ones, which were "
        "repeated like it, is of another benchmark, or the machine was held back while it measured.",
        fix="Quiet the machine and run again.",
        find=_undisturbed,
    ),
    Rule(
        id="DB004",
        severity="warning",
        title="traces that were asked for are there",
        explanation="Whoever puts layers together has none for these; their latencies count all the same.",
        fix="Give the run a larger budget, or go on with run --resume --trace.",
        find=_missing,
    ),
)
"""Rules of this group."""
