"""Chart of the states of devices over time: clocks, power, temperature. Pure: plain JSON for plotly.js."""

from collections.abc import Sequence
from typing import Any

from dlbricks.profile.nouns import LevelRun
from dlbricks.report.drawing import LEGEND
from dlbricks.report.page import Figure
from dlbricks.trace.environment import LOWERED, Readings, why

_COLOURS = ("#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#76b7b2", "#9c755f")
_GAP = 0.08
"""Between the parts of the chart that lie above each other, of its height."""


def device_states(found: Sequence[tuple[LevelRun, Sequence[Readings]]]) -> Figure | None:
    """Draw what was sampled in the first of some runs, quantities of one unit together; None where nothing was.

    Args:
        found: runs with what was sampled in each (``analysis.environment.states_of``).
    """
    if not found:
        return None
    run, sampled = found[0]
    lines = [one for one in sampled if not one.are_reasons]
    if not lines:
        return None
    units = list(dict.fromkeys(one.unit for one in lines))
    begin = min(int(one.times_ns[0]) for one in sampled)
    several = len({one.lane.device for one in lines}) > 1
    data = [
        _line(one, begin, units.index(one.unit), _COLOURS[place % len(_COLOURS)], several=several)
        for place, one in enumerate(lines)
    ]
    data += [mark for one in sampled if one.are_reasons and (mark := _lowered(one, lines, begin, units)) is not None]
    height = (1 - _GAP * (len(units) - 1)) / len(units)
    axes: dict[str, Any] = {}
    for place, unit in enumerate(units):
        low = 1 - (place + 1) * height - place * _GAP
        axes[f"yaxis{place + 1 if place else ''}"] = {"title": unit, "domain": [max(0.0, low), low + height]}
    layout = {
        "xaxis": {"title": "seconds after the first sample", "anchor": f"y{len(units)}"},
        **axes,
        "legend": LEGEND,
    }
    return Figure(
        title="Clocks, power and temperature",
        data=tuple(data),
        layout=layout,
        note=f"samples while calls of level {run.levels} were recorded" + (f", batch {run.batch}" if run.batch else ""),
        height=120 + 130 * len(units),
    )


def _line(one: Readings, begin: int, axis: int, colour: str, *, several: bool) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": f"{one.lane.device} {one.quantity}" if several else one.quantity,
        "x": _seconds(one, begin),
        "y": list(one.values),
        "yaxis": _axis(axis),
        "line": {"color": colour, "shape": "hv"},
        "marker": {"size": 4},
        "hovertemplate": f"%{{fullData.name}}: %{{y:.5g}} {one.unit}<extra></extra>",
    }


def _lowered(one: Readings, lines: Sequence[Readings], begin: int, units: Sequence[str]) -> dict[str, Any] | None:
    """Mark on the first line of the device when its clocks were lowered, and why; None where they never were."""
    line = next((other for other in lines if other.lane == one.lane and len(other.values) == len(one.values)), None)
    places = [place for place, value in enumerate(one.values) if int(value) & sum(LOWERED)]
    if line is None or not places:
        return None
    times = _seconds(one, begin)
    return {
        "type": "scatter",
        "mode": "markers",
        "name": "clocks lowered",
        "x": [times[place] for place in places],
        "y": [line.values[place] for place in places],
        "yaxis": _axis(units.index(line.unit)),
        "marker": {"color": "#e15759", "size": 9, "symbol": "x"},
        "text": [why(int(one.values[place])) for place in places],
        "hovertemplate": "clocks lowered: %{text}<extra></extra>",
    }


def _seconds(one: Readings, begin: int) -> list[float]:
    return [round((time - begin) / 1e9, 6) for time in one.times_ns.tolist()]


def _axis(place: int) -> str:
    return f"y{place + 1}" if place else "y"
