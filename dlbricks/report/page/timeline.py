"""Layout of a trace as rows of blocks per lane, nested spans below each other, thinned if they are too many.

The page draws blocks on a canvas. Alternatives considered: plotly (bars are DOM elements, slow beyond a few thousand),
vis-timeline (no nesting), Perfetto's page (a whole application).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dlbricks.trace import kinds
from dlbricks.trace.devices import sampled
from dlbricks.trace.intervals import ancestors, split_by
from dlbricks.trace.types import NONE, Level, Longs, Role, Trace
from dlbricks.units import format_ns

MOST_BLOCKS = 50_000
"""Most blocks of one timeline, which keeps a page at a few MB."""
_STEP = 1.4
"""Growth factor of the thinning limit."""
_DETAILS = ("type", "shape", "provider", "source_layers", "grid", "block", "copy", "dtype")
"""Attributes shown in the details of a block."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineLane:
    """Lane with its rows of nested spans."""

    title: str
    first_row: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Blocks of a trace. Tuples from ``start_ns`` on have one entry per block, by row and start."""

    length_ns: int
    lanes: tuple[TimelineLane, ...]
    unit: str
    """Kind of ``calls``: ``call``, or ``step`` of a training."""
    calls: tuple[tuple[int, int], ...]
    """Start and end of every call of the network, else of every step, ns from the start of the trace."""
    texts: tuple[str, ...]
    """Distinct names and details."""
    note: str
    """Description of the thinning; empty without."""
    start_ns: tuple[int, ...]
    """From the start of the trace."""
    duration_ns: tuple[int, ...]
    row: tuple[int, ...]
    name: tuple[int, ...]
    """Index into ``texts``."""
    detail: tuple[int, ...]
    """Index into ``texts``."""
    colour: tuple[int, ...]
    """Index into ``texts`` of the type of the layer that the block is or belongs to, else ``NONE``."""
    level: tuple[int, ...]
    spans: tuple[int, ...]
    """Number of spans in the block; 1 unless thinned."""
    launch: tuple[int, ...]
    """Block of the launch of an execution; ``NONE`` if there is none or it was thinned."""


@dataclass(slots=True)
class _Texts:
    """Numbers distinct texts."""

    known: dict[str, int] = field(default_factory=dict)

    def of(self, text: str) -> int:
        return self.known.setdefault(text, len(self.known))


def timeline(trace: Trace, most: int = MOST_BLOCKS) -> Timeline:
    """Lay out a trace.

    Args:
        trace: any trace; spans of negative duration and device samples are left out.
        most: most blocks; beyond that, adjacent short spans are merged.
    """
    rows = np.flatnonzero((trace.end_ns >= trace.start_ns) & ~sampled(trace))
    lanes, row = _rows(trace, rows)
    order = rows[np.lexsort((trace.end_ns[rows], trace.start_ns[rows], row[rows]))]
    begin = int(trace.start_ns[order].min()) if len(order) else 0
    heads, counts, limit = _thinned(trace, order, row, most)
    ends = np.maximum.reduceat(trace.end_ns[order], heads) if len(order) else trace.end_ns[order]
    chosen = order[heads] if len(order) else order
    whole = counts == 1
    texts = _Texts()
    details = _details(trace, chosen)
    block_of = np.full(len(trace) + 1, NONE, np.int64)
    block_of[chosen[whole]] = np.flatnonzero(whole)
    launch = np.where(trace.role[chosen] == Role.EXECUTION, block_of[trace.parent[chosen]], NONE)
    unit, calls = _calls(trace, begin)
    return Timeline(
        length_ns=int(trace.end_ns[order].max()) - begin if len(order) else 0,
        lanes=lanes,
        unit=unit,
        calls=calls,
        note=_note(len(order), len(order) - int(whole.sum()), int((~whole).sum()), limit),
        start_ns=tuple((trace.start_ns[chosen] - begin).tolist()),
        duration_ns=tuple((ends - trace.start_ns[chosen]).tolist()),
        row=tuple(row[chosen].tolist()),
        name=tuple(
            texts.of(trace.names[trace.name[one]] if alone else f"{count} short spans")
            for one, alone, count in zip(chosen.tolist(), whole.tolist(), counts.tolist(), strict=True)
        ),
        detail=tuple(texts.of(text if alone else "") for text, alone in zip(details, whole.tolist(), strict=True)),
        colour=tuple(texts.of(type_) if type_ else NONE for type_ in _types(trace, chosen, whole)),
        level=tuple(trace.level[chosen].tolist()),
        spans=tuple(counts.tolist()),
        launch=tuple(np.where(whole, launch, NONE).tolist()),
        texts=tuple(texts.known),
    )


def _note(spans: int, thinned: int, blocks: int, limit_ns: int) -> str:
    if not blocks:
        return ""
    return (
        f"{thinned:,} of {spans:,} spans are shorter than {format_ns(limit_ns)} and adjacent: they are drawn as "
        f"{blocks:,} grey blocks; 'dlbricks export' writes all of them, for Perfetto"
    )


def _calls(trace: Trace, begin: int) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return unit, start and end of calls, or of training steps if there are no calls."""
    unit, rows = "call", trace.rows(Level.MODEL, kinds.CALL)
    if not len(rows):
        unit, rows = "step", trace.rows(Level.APPLICATION, kinds.STEP)
    found = zip((trace.start_ns[rows] - begin).tolist(), (trace.end_ns[rows] - begin).tolist(), strict=True)
    return unit, tuple(sorted(found))


def _rows(trace: Trace, chosen: Longs) -> tuple[tuple[TimelineLane, ...], Longs]:
    """Assign rows to lanes by nesting depth, and a row to every span."""
    depth = _depths(trace, chosen)
    made, row, first = [], np.zeros(len(trace), np.int64), 0
    several = len({lane.process for lane in trace.lanes}) > 1
    for members in _in_order(trace, split_by(trace.lane[chosen], chosen)):
        lane = trace.lanes[trace.lane[members[0]]]
        height = int(depth[members].max()) + 1
        row[members] = depth[members] + first
        title = ", ".join(part for part in (lane.process if several else "", lane.device, lane.name) if part)
        made.append(TimelineLane(title=title, first_row=first, rows=height))
        first += height
    return tuple(made), row


def _in_order(trace: Trace, lanes: Sequence[Longs]) -> list[Longs]:
    """Sort lanes: host before devices, then by smallest level, then by total duration."""

    def place(members: Longs) -> tuple[bool, int, int]:
        device = trace.lanes[trace.lane[members[0]]].device
        return bool(device), int(trace.level[members].min()), -int(trace.duration_ns[members].sum())

    return sorted(lanes, key=place)


def _depths(trace: Trace, chosen: Longs) -> Longs:
    """Return the nesting depth of each span on its lane; overlapping spans count as nested."""
    order = chosen[np.lexsort((trace.level[chosen], -trace.end_ns[chosen], trace.start_ns[chosen], trace.lane[chosen]))]
    made = np.zeros(len(trace), np.int64)
    open_until: list[int] = []
    lane = NONE
    columns = (order, trace.lane[order], trace.start_ns[order], trace.end_ns[order])
    for span, its_lane, start, end in zip(*(column.tolist() for column in columns), strict=True):
        if its_lane != lane:
            open_until, lane = [], its_lane
        while open_until and open_until[-1] <= start:
            open_until.pop()
        made[span] = len(open_until)
        open_until.append(end)
    return made


def _thinned(trace: Trace, order: Longs, row: Longs, most: int) -> tuple[Longs, Longs, int]:
    """Choose the blocks: all spans, or merge adjacent spans below a limit.

    Returns:
        Indices into ``order`` of the first span of each block, the number of spans per block, and the limit in ns.
    """
    durations, starts = trace.duration_ns[order], trace.start_ns[order]
    heads, limit = np.arange(len(order)), 0.0
    longest = float(trace.end_ns[order].max() - starts.min()) if len(order) else 0.0
    gap = starts[1:] - (starts[:-1] + durations[:-1])
    elsewhere = row[order][1:] != row[order][:-1]
    while len(heads) > most and limit <= longest:
        limit = limit * _STEP if limit else max(1.0, float(np.quantile(durations, 0.1)))
        short = durations < limit
        apart = elsewhere | ~short[1:] | ~short[:-1] | (gap >= limit)
        heads = np.flatnonzero(np.concatenate(([True], apart)))
    counts = np.diff(np.append(heads, len(order)))
    return heads, counts, round(limit)


def _types(trace: Trace, chosen: Longs, whole: "np.ndarray[tuple[int], np.dtype[np.bool_]]") -> list[str]:
    """Return the type of the outermost layer of each layer and kernel, ``""`` for other spans."""
    coloured = whole & np.isin(trace.level[chosen], (Level.LAYER, Level.KERNEL))
    owner = np.where(coloured, ancestors(trace, Level.LAYER, outermost=True)[chosen], NONE)
    present = np.unique(owner[owner != NONE])
    given_names = zip(present.tolist(), trace.texts("type", present), trace.name[present].tolist(), strict=True)
    known = {row: given or trace.names[name] for row, given, name in given_names}
    return [known.get(row, "") for row in owner.tolist()]


def _details(trace: Trace, chosen: Longs) -> list[str]:
    """Return the details of every span, in one line."""
    columns = [(name, trace.texts(name, chosen)) for name in _DETAILS if name in trace.attributes]
    return [
        "; ".join(f"{name.replace('_', ' ')} {texts[place]}" for name, texts in columns if texts[place])
        for place in range(len(chosen))
    ]
