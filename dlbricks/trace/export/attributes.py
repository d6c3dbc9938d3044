"""The attributes of many spans at once, as texts ready to be written."""

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from dlbricks.trace.build import with_attribute
from dlbricks.trace.export.tracks import Layout
from dlbricks.trace.nouns import NONE, Longs, Trace, Value

T = TypeVar("T")
CHUNK = 20_000
"""Spans that are turned into text at a time."""


def complete(trace: Trace, layout: Layout) -> Trace:
    """Give columns that viewers do not know as attributes: ``correlation``, and ``clipped_ns`` where ends were cut."""
    joined = np.flatnonzero(trace.correlation != NONE)
    if len(joined):
        trace = with_attribute(trace, "correlation", joined, trace.correlation[joined].tolist())
    if len(layout.clipped):
        lost = trace.end_ns[layout.clipped] - layout.first_ns - layout.end_ns[layout.clipped]
        trace = with_attribute(trace, "clipped_ns", layout.clipped, lost.tolist())
    return trace


def chunks(rows: Longs) -> Iterator[Longs]:
    """Give rows in pieces that fit into memory as text."""
    for low in range(0, len(rows), CHUNK):
        yield rows[low : low + CHUNK]


def of_rows(trace: Trace, rows: Longs, encode: Callable[[str, Value], T]) -> list[list[T]]:
    """Give the encoded attributes of each row."""
    found: list[list[T]] = [[] for _ in range(len(rows))]
    for name, attribute in trace.attributes.items():
        if not len(attribute.rows):
            continue
        place = np.minimum(np.searchsorted(attribute.rows, rows), len(attribute.rows) - 1)
        has = np.flatnonzero(attribute.rows[place] == rows)
        values = attribute.values
        for at, source in zip(has.tolist(), place[has].tolist(), strict=True):
            found[at].append(encode(name, values[source]))
    return found


def json_value(value: Value) -> str:
    """Give a value as JSON; what is no finite number becomes a text, since JSON knows no other."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'"{value}"'
    return json.dumps(value)


def json_text(text: str) -> str:
    """Give a text as JSON with its letters as they are: Perfetto's page does not decode escapes in names.

    What cannot be written as UTF-8 (half of a surrogate pair) stays escaped.
    """
    made = json.dumps(text, ensure_ascii=False)
    try:
        made.encode()
    except UnicodeEncodeError:
        return json.dumps(text)
    return made


class Quoted(dict[Any, str]):
    """Texts as JSON, each turned once."""

    def __missing__(self, text: Any) -> str:
        """Turn a text that was not seen before."""
        self[text] = made = json_text(text)
        return made
