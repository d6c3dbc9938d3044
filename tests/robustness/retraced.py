"""Changes of traces that a profiler, a copy or a stranger may make, drawn from a seed.

Where ``mutations`` changes any value of a document, these know traces: times that are texts or run backwards, events of
phases that nobody knows, ids that are taken, parents that are children, and files that are compressed, encoded or cut.
"""

import gzip
import json
import random
import zlib
from collections.abc import Callable, Sequence
from typing import Any

TIMES: Sequence[Any] = (
    "12.5", "-1", "1e3", "", "0x10", " 7", "\u0663", "NaN", "sNaN", "-Infinity", "1e999999999", None, True, [], {}, -1,
    -1e18, 1e308, 2**63, 0, 0.1, 1e-9,
)  # fmt: skip
PHASES = (*"XBEbenistfMCPNODv(QIR", "", "\u00e9", 5, None)
IDENTIFIERS: Sequence[Any] = (
    0, -1, 1, "1", "0x1", "a/b", None, 2**64, 1.5, True, "", [1], "\x1b[2J", "x" * 70_000,
)  # fmt: skip
NAMES = (
    "\x1b]0;title\x07",
    "ncclDevKernel_AllReduce",
    "",
    "\u202e",
    "aten::conv2d",
    "\ud800",
    "a\nb",
    "ProfilerStep#1",
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "cp037")
KEYS = ("ts", "dur", "pid", "tid", "id", "ph", "name", "cat", "args", "bp", "s", "id2", "sf", "tts", "tdur")
ARGUMENTS = (
    "correlation", "External id", "stream", "device", "context", "grid", "block", "bytes", "Input Dims", "Input type",
    "Python id", "Python parent id", "Ev Idx", "Sequence number", "Fwd thread id", "Collective name", "Rank", "queued",
    "op_name", "provider", "output_type_shape", "input_type_shape", "Process Group Ranks", "memory bandwidth (GB/s)",
)  # fmt: skip
HEADS = ("deviceProperties", "distributedInfo", "baseTimeNanoseconds", "displayTimeUnit", "schemaVersion", "trace_name")

Draw = random.Random
Event = dict[str, Any]


def retraced(data: bytes, draw: Draw) -> bytes:
    """Change the events of a trace, then how its file is written."""
    document = json.loads(data)
    for _ in range(draw.choice((0, 1, 1, 2, 3))):
        events = document["traceEvents"]
        change, value = draw.choice(CHANGES), draw.choice((*IDENTIFIERS, *TIMES, [[1, 2], []], [2**62, -1]))
        for one in draw.sample(events, min(len(events), draw.choice((1, 1, 5, 200)))):
            if isinstance(one, dict) and isinstance(one.setdefault("args", {}), dict):
                change(one, value, draw)
    if draw.random() < 0.2:
        document["traceEvents"] += draw.choices([*document["traceEvents"], None, [], "event", 7, {}], k=50)
    if draw.random() < 0.2:
        draw.shuffle(document["traceEvents"])
    if draw.random() < 0.2:
        document[draw.choice(HEADS)] = draw.choice((*TIMES, *IDENTIFIERS[:6], [None], {"rank": "x", "world_size": -1}))
    return _written(document, draw)


def _timed(one: Event, _value: Any, draw: Draw) -> None:
    one[draw.choice(("ts", "dur"))] = draw.choice(TIMES)


def _backwards(one: Event, _value: Any, _draw: Draw) -> None:
    if isinstance(one.get("ts"), int | float):
        one["ts"] = -one["ts"]


def _in_phase(one: Event, _value: Any, draw: Draw) -> None:
    one["ph"] = draw.choice(PHASES)


def _numbered(one: Event, value: Any, draw: Draw) -> None:
    one[draw.choice(("pid", "tid", "id"))] = value


def _other(one: Event, value: Any, draw: Draw) -> None:
    one[draw.choice(KEYS)] = value


def _argument(one: Event, value: Any, draw: Draw) -> None:
    one["args"][draw.choice(ARGUMENTS)] = value


def _arguments(one: Event, value: Any, _draw: Draw) -> None:
    one["args"] = dict.fromkeys(one["args"], value)


def _without(one: Event, _value: Any, draw: Draw) -> None:
    one.pop(draw.choice(KEYS), None)


def _named(one: Event, _value: Any, draw: Draw) -> None:
    one["name"] = draw.choice(NAMES)


CHANGES: Sequence[Callable[[Event, Any, Draw], None]] = (
    _timed, _backwards, _in_phase, _numbered, _other, _argument, _arguments, _without, _named,
)  # fmt: skip


def _written(document: Event, draw: Draw) -> bytes:
    content: Any = document
    if draw.random() < 0.15:
        events = document["traceEvents"]
        content = draw.choice((events, [document], {"traceEvents": {"0": {}}}, {"traceEvents": None}))
    data = json.dumps(content, ensure_ascii=draw.random() < 0.5).encode("utf-8", "surrogatepass")
    return draw.choice(FORMS)(data, draw) if draw.random() < 0.5 else data


def _encoded(data: bytes, draw: Draw) -> bytes:
    return data.decode("utf-8", "replace").encode(draw.choice(ENCODINGS), "replace")


def _packed_twice(data: bytes, _draw: Draw) -> bytes:
    return gzip.compress(gzip.compress(data))


def _cut(data: bytes, draw: Draw) -> bytes:
    whole = draw.choice((data, gzip.compress(data)))
    return whole[: draw.randrange(len(whole))]


def _trailed(data: bytes, draw: Draw) -> bytes:
    return gzip.compress(data) + draw.choice((bytes(512), b"garbage", gzip.compress(b"]"), data[:100]))


def _flipped(data: bytes, draw: Draw) -> bytes:
    packed = bytearray(gzip.compress(data))
    packed[draw.choice((3, 8, len(packed) - 5, len(packed) // 2))] ^= 0xFF
    return bytes(packed)


def _separated(data: bytes, draw: Draw) -> bytes:
    other = draw.choice((b"} {", b"},, {", b"}\n{", b"}, null, {", b"}, // c\n{"))
    return data.replace(b"}, {", other, draw.choice((1, -1)))


def _begun(data: bytes, draw: Draw) -> bytes:
    return draw.choice((b"\xef\xbb\xbf", b" \n" * 4096, b"\x00", b")]}'\n", b"var x = ")) + data


def _deflated(data: bytes, _draw: Draw) -> bytes:
    return zlib.compress(data)


FORMS: Sequence[Callable[[bytes, Draw], bytes]] = (
    _encoded, _packed_twice, _cut, _trailed, _flipped, _separated, _begun, _deflated,
)  # fmt: skip
