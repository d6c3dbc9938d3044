"""The layout of a trace for the page: lanes (threads or streams) with rows of blocks; nested spans are in lower rows.

If there are too many spans, adjacent short spans become one block. The page draws blocks on a canvas. Alternatives
considered: plotly (bars are DOM elements, slow beyond a few thousand), vis-timeline (no nesting), Perfetto (a whole
application).
"""

from dataclasses import dataclass

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.intervals import ancestors, split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.units import format_ns

# Most blocks of one timeline; a page then stays at a few MB.
MOST_BLOCKS = 50_000
# Factor by which the limit for short spans grows: a smaller one takes longer, a larger one merges more than needed.
_STEP = 1.4
# Attributes of a span that the details of its block show.
_DETAILS = ("type", "shape", "provider", "source_layers", "grid", "block", "copy", "dtype")


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineLane:
    """A lane of the timeline, with its rows of nested spans."""

    title: str
    first_row: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The blocks of a trace. The lists from ``start_ns`` on have an entry per block, sorted by row and start."""

    length_ns: int
    lanes: list[TimelineLane]
    unit: str
    """Unit of ``calls``: ``call``, or ``step`` for a training."""
    calls: list[tuple[int, int]]
    """Start and end of every call of the network, or of every training step, in ns from the start of the trace."""
    texts: list[str]
    """Distinct names and details of blocks."""
    note: str
    """Note on merged spans; empty if none were merged."""
    start_ns: list[int]
    """Start of the block in ns from the start of the trace."""
    duration_ns: list[int]
    row: list[int]
    name: list[int]
    """Name, as an index into ``texts``, like ``detail`` and ``colour``."""
    detail: list[int]
    colour: list[int]
    """Index of the type of the block's layer; ``NONE`` if the block belongs to no layer."""
    level: list[int]
    spans: list[int]
    """Number of spans in the block; 1 unless spans were merged."""
    launch: list[int]
    """Index of the block that launched this block; ``NONE`` without a launch, or if the launch was merged."""


def timeline(trace: Trace, most: int = MOST_BLOCKS) -> Timeline:
    """Lay out a trace; if it has more than ``most`` spans, adjacent short spans are merged.

    Spans with a negative duration are left out.
    """
    rows = np.flatnonzero(trace.end_ns >= trace.start_ns)
    lanes, row = _rows(trace, rows)
    order = rows[np.lexsort((trace.end_ns[rows], trace.start_ns[rows], row[rows]))]
    starts, ends = trace.start_ns[order], trace.end_ns[order]
    begin = int(starts.min()) if len(order) else 0
    heads, limit = _thinned(starts, ends, row[order], most)
    counts = np.diff(np.append(heads, len(order)))
    chosen, whole = order[heads], counts == 1
    block_of = np.full(len(trace) + 1, NONE, np.int64)
    block_of[chosen[whole]] = np.flatnonzero(whole)
    launch = np.where(whole & (trace.role[chosen] == Role.EXECUTION), block_of[trace.parent[chosen]], NONE)
    places: dict[str, int] = {}

    def place_of(text: str) -> int:
        return places.setdefault(text, len(places))

    blocks = list(zip(trace.name[chosen].tolist(), whole.tolist(), counts.tolist(), strict=True))
    names = [trace.names[name] if alone else f"{count} short spans" for name, alone, count in blocks]
    columns = [(name, trace.string_column(name, chosen)) for name in _DETAILS if name in trace.attributes]
    details = [
        "; ".join(f"{name.replace('_', ' ')} {texts[block]}" for name, texts in columns if alone and texts[block])
        for block, alone in enumerate(whole.tolist())
    ]
    note, merged = "", int((~whole).sum())
    if merged:
        note = (
            f"{len(order) - int(whole.sum()):,} of {len(order):,} spans are shorter than {format_ns(limit)} and "
            f"adjacent: they are drawn as {merged:,} grey blocks; 'dlbricks export' writes all of them for Perfetto"
        )
    unit, calls = "call", trace.rows(Level.MODEL, kinds.CALL)
    if not len(calls):
        unit, calls = "step", trace.rows(Level.APPLICATION, kinds.STEP)
    return Timeline(
        length_ns=int(ends.max()) - begin if len(order) else 0,
        lanes=lanes,
        unit=unit,
        calls=sorted(zip(*((times[calls] - begin).tolist() for times in (trace.start_ns, trace.end_ns)), strict=True)),
        note=note,
        start_ns=(starts[heads] - begin).tolist(),
        duration_ns=(np.maximum.reduceat(ends, heads) - starts[heads]).tolist() if len(heads) else [],
        row=row[chosen].tolist(),
        name=list(map(place_of, names)),
        detail=list(map(place_of, details)),
        colour=[place_of(type_) if type_ else NONE for type_ in _types(trace, chosen, whole)],
        level=trace.level[chosen].tolist(),
        spans=counts.tolist(),
        launch=launch.tolist(),
        texts=list(places),
    )


def _rows(trace: Trace, chosen: Longs) -> tuple[list[TimelineLane], Longs]:
    # Assign rows to each lane by the depth of nesting, and a row to each span.
    depth = _depths(trace, chosen)
    lanes, row, first = [], np.zeros(len(trace), np.int64), 0
    several = len({lane.process for lane in trace.lanes}) > 1

    def rank(members: Longs) -> tuple[bool, int, int]:
        # The host comes before devices, then the smallest level first, then the longest total duration.
        device = trace.lanes[trace.lane[members[0]]].device
        return bool(device), int(trace.level[members].min()), -int(trace.duration_ns[members].sum())

    for members in sorted(split_by(trace.lane[chosen], chosen), key=rank):
        lane = trace.lanes[trace.lane[members[0]]]
        height = int(depth[members].max()) + 1
        row[members] = depth[members] + first
        title = ", ".join(part for part in (lane.process if several else "", lane.device, lane.name) if part)
        lanes.append(TimelineLane(title=title, first_row=first, rows=height))
        first += height
    return lanes, row


def _depths(trace: Trace, chosen: Longs) -> Longs:
    # Spans that overlap count as nested, so that no block covers another.
    order = chosen[np.lexsort((trace.level[chosen], -trace.end_ns[chosen], trace.start_ns[chosen], trace.lane[chosen]))]
    depths = np.zeros(len(trace), np.int64)
    open_until: list[int] = []
    lane = NONE
    columns = (order, trace.lane[order], trace.start_ns[order], trace.end_ns[order])
    for span, its_lane, start, end in zip(*(column.tolist() for column in columns), strict=True):
        if its_lane != lane:
            open_until, lane = [], its_lane
        while open_until and open_until[-1] <= start:
            open_until.pop()
        depths[span] = len(open_until)
        open_until.append(end)
    return depths


def _thinned(starts: Longs, ends: Longs, row: Longs, most: int) -> tuple[Longs, int]:
    # Return the first span of each block, and the limit in ns; adjacent spans that are shorter than the limit form one
    # block.
    durations, heads, limit = ends - starts, np.arange(len(starts)), 0.0
    gap, elsewhere = starts[1:] - ends[:-1], row[1:] != row[:-1]
    while len(heads) > most and limit <= ends.max() - starts.min():
        limit = limit * _STEP if limit else max(1.0, float(np.quantile(durations, 0.1)))
        short = durations < limit
        apart = elsewhere | ~short[1:] | ~short[:-1] | (gap >= limit)
        heads = np.flatnonzero(np.concatenate(([True], apart)))
    return heads, round(limit)


def _types(trace: Trace, chosen: Longs, whole: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[str]:
    # Return for each span the type of its outermost layer, so that kernels get the colour of their layer; other spans
    # have none.
    coloured = whole & np.isin(trace.level[chosen], (Level.LAYER, Level.KERNEL))
    owner = np.where(coloured, ancestors(trace, Level.LAYER, outermost=True)[chosen], NONE)
    present = np.unique(owner[owner != NONE])
    typed = zip(present.tolist(), trace.string_column("type", present), trace.name[present].tolist(), strict=True)
    types = {row: type_ or trace.names[name] for row, type_, name in typed}
    return [types.get(row, "") for row in owner.tolist()]
