"""Categories, names and arguments in traces of PyTorch's profiler, in the spellings of all versions.

Sources: Kineto's ``ActivityType`` (names since 2022), traces of PyTorch 1.8 to 2.13 (names of 2021), and device
plug-ins of other vendors. Categories are not case-sensitive.
"""

import functools
import re
from array import array
from collections.abc import Callable, Mapping, Sequence
from itertools import compress
from operator import attrgetter
from typing import Any, NamedTuple, TypeAlias

import msgspec
import numpy as np

from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.trace.activities import DIRECTIONS
from dlbricks.plugins.training.chrome_json import Arguments
from dlbricks.trace import kinds
from dlbricks.trace.build import set_values
from dlbricks.trace.types import Attribute, Bytes, Level, Longs, Role, Value
from dlbricks.typed_json import LARGEST, LONGEST_INTEGER


class Meaning(NamedTuple):
    """Level, kind, role and lane of a category of events."""

    level: Level
    kind: str
    role: Role = Role.PLAIN
    place: str = "thread"
    """Kind of lane: ``thread``, ``stream``, ``waits`` of a stream, ``ranges`` of a stream, or ``profiler``."""


_OPERATOR = Meaning(Level.LAYER, kinds.OPERATOR)
RANGE = Meaning(Level.APPLICATION, kinds.RANGE)
STEP = Meaning(Level.APPLICATION, kinds.STEP)
_DEVICE_RANGE = Meaning(Level.APPLICATION, kinds.RANGE, Role.EXECUTION, "ranges")
_RUNTIME = Meaning(Level.LIBRARY, kinds.RUNTIME)
_DRIVER = Meaning(Level.LIBRARY, kinds.DRIVER)
_DEVICE_WAIT = Meaning(Level.LIBRARY, kinds.SYNCHRONISATION, Role.EXECUTION, "waits")
_KERNEL = Meaning(Level.KERNEL, kinds.KERNEL, Role.EXECUTION, "stream")
_COPY = Meaning(Level.KERNEL, kinds.COPY, Role.EXECUTION, "stream")
_MEMSET = Meaning(Level.KERNEL, kinds.MEMSET, Role.EXECUTION, "stream")
COLLECTIVE = Meaning(Level.KERNEL, kinds.COLLECTIVE, Role.EXECUTION, "stream")
WAITING_CALL = Meaning(Level.LIBRARY, kinds.SYNCHRONISATION)

CATEGORIES: Mapping[str, Meaning] = {
    **dict.fromkeys(("cpu_op", "operator", "hpu_op"), _OPERATOR),
    "user_annotation": RANGE,
    **dict.fromkeys(("gpu_user_annotation", "mlu_user_annotation", "gcu_user_annotation"), _DEVICE_RANGE),
    **dict.fromkeys(("cuda_runtime", "runtime", "hip_runtime", "xpu_runtime", "mtia_runtime", "mlu_runtime"), _RUNTIME),
    **dict.fromkeys(("glow_runtime", "gcu_runtime", "privateuse1_runtime"), _RUNTIME),
    **dict.fromkeys(("cuda_driver", "driver", "xpu_driver", "gcu_driver", "privateuse1_driver"), _DRIVER),
    **dict.fromkeys(("kernel", "mtia_ccp_events"), _KERNEL),
    **dict.fromkeys(("gpu_memcpy", "memcpy", "mlu_memcpy", "gcu_memcpy"), _COPY),
    **dict.fromkeys(("gpu_memset", "memset", "mlu_memset", "gcu_memset"), _MEMSET),
    **dict.fromkeys(("cuda_sync", "xpu_sync", "gcu_sync"), _DEVICE_WAIT),
    "python_function": Meaning(Level.LIBRARY, kinds.PYTHON),
    "overhead": Meaning(Level.HARDWARE, kinds.OVERHEAD, place="profiler"),
}
"""Meanings by category in lower case."""
# Categories of spans that only tell how long was recorded, and of records of what calls of ``cudaEventRecord`` name
LEFT_OUT = frozenset({"trace", "cuda_event"})
# Categories of arrows from an operator to the one that computes its gradient
FORWARD_BACKWARD = frozenset({"fwdbwd", "forward_backward"})

_STEP = re.compile(r"ProfilerStep\b")
_LOADER = re.compile(r"enumerate\(DataLoader\)")
_WAITING = re.compile(
    r"(cuda|cu|hip|musa)(Device|Stream|Event|Ctx|Context)Synchronize|ze\w*Synchronize|ur(QueueFinish|EventWait)",
    re.IGNORECASE,
)


def meaning_of(name: str, meaning: Meaning | None) -> Meaning | None:
    """Return the meaning of an event, from its name and the meaning of its category; None if unknown."""
    if meaning is None or meaning.level <= Level.LAYER:
        on_host = meaning is None or meaning.place == "thread"
        if on_host and _STEP.match(name):
            return STEP
        return RANGE if on_host and _LOADER.match(name) else meaning
    if meaning is _KERNEL and kinds.is_collective(name):
        return COLLECTIVE
    return WAITING_CALL if meaning in {_RUNTIME, _DRIVER} and _WAITING.match(name) else meaning


_DIRECTIONS: Mapping[str, str] = {
    **dict(DIRECTIONS.values()), "HostToDevice": "host to device", "DeviceToHost": "device to host",
    "DeviceToDevice": "device to device", "PeerToPeer": "device to another device",
}  # fmt: skip
_DIRECTION = re.compile("|".join(_DIRECTIONS))


def direction(name: str) -> str | None:
    """Return the direction of a copy from its name; None if unknown."""
    match = _DIRECTION.search(name)
    return _DIRECTIONS[match.group()] if match else None


DTYPES: Mapping[str, str] = {
    "float": "float32", "double": "float64", "half": "float16", "c10::half": "float16", "bfloat16": "bfloat16",
    "c10::bfloat16": "bfloat16", "int": "int32", "long": "int64", "long int": "int64", "short": "int16", "char": "int8",
    "signed char": "int8", "byte": "uint8", "unsigned char": "uint8", "bool": "bool", "float8_e4m3fn": "float8e4m3fn",
    "float8_e5m2": "float8e5m2", "c10::float8_e4m3fn": "float8e4m3fn", "c10::float8_e5m2": "float8e5m2",
    "float8_e4m3fnuz": "float8e4m3fnuz", "c10::float8_e4m3fnuz": "float8e4m3fnuz",
    "float8_e5m2fnuz": "float8e5m2fnuz", "c10::float8_e5m2fnuz": "float8e5m2fnuz",
    "complexfloat": "complex64", "c10::complex<float>": "complex64",
}  # fmt: skip
"""Element types (``harness.dtypes``) by PyTorch's names in lower case."""


# CUPTI writes -1 into 32-bit fields without a value.
_NONE_AS_UNSIGNED = 0xFFFFFFFF

Field: TypeAlias = tuple[Callable[[Arguments], Any], Callable[[Any], Value | None]]
"""Getter of an attribute's raw value, and a function that converts it from bytes of JSON or another type. If either
returns None, the span lacks the attribute."""
_RAW, _MISSING, _EXTERNAL = msgspec.Raw, type(None), attrgetter("external_id")


class AttributeCollector:
    """Collects attributes of spans from their arguments."""

    def __init__(self) -> None:
        """Start without attributes."""
        self._found: dict[tuple[int, str], tuple[array[int], list[Value]]] = {}
        self._external: tuple[array[int], list[int]] = (array("q"), [])

    def take(self, meaning: Meaning, rows: Sequence[int], arguments: Sequence[Arguments]) -> None:
        """Add the arguments of spans of one category; ``rows`` are the rows of these spans in the trace."""
        for number_, (belongs, table) in enumerate(_TABLES):
            if belongs(meaning):
                for key, (get, convert) in table.items():
                    place, values = self._found.setdefault((number_, key), (array("q"), []))
                    _collect(place, values, rows, list(map(get, arguments)), convert)
        if meaning.level <= Level.KERNEL and meaning.kind != kinds.PYTHON:
            raws = list(map(_EXTERNAL, arguments))
            if None in raws:
                raws = [
                    event.external_id_2021 if raw is None else raw for raw, event in zip(raws, arguments, strict=True)
                ]
            _collect(*self._external, rows, raws, number)

    def attributes(
        self, level: Bytes, copies: Longs, name: Longs, names: Sequence[str], correlation: Longs
    ) -> tuple[dict[str, Attribute], tuple[str, ...]]:
        """Return the collected attributes by name, and notes on unused external ids.

        ``copies`` are the rows of copies on devices; the other arguments are columns of the trace.
        """
        attributes: dict[str, Attribute] = {}
        notes: list[str] = []
        layers = np.flatnonzero(level == Level.LAYER)
        set_values(attributes, "type", layers, [names[index] for index in name[layers].tolist()])
        for number_, (_, table) in enumerate(_TABLES):
            for key in table:
                set_values(attributes, key, *self._found.pop((number_, key), ((), ())))
            if table is _LAYER and (types := attributes.get("input_types")) is not None:
                set_values(attributes, "dtype", types.rows, [_first_type(str(listed)) for listed in types.values])
            if table is _DEVICE:
                ways = ((row, direction(names[name[row]])) for row in copies.tolist())
                directions = {row: way for row, way in ways if way is not None}
                set_values(attributes, "copy", list(directions), list(directions.values()))
        rows, values = np.array(self._external[0], np.int64), np.array(self._external[1], np.int64)
        order = np.argsort(rows, kind="stable")
        below = level[rows] > Level.LAYER
        carrying = int(np.count_nonzero(below))
        if 2 * np.count_nonzero(below & (values == correlation[rows])) > carrying:
            order = order[~below[order]]
            notes.append(
                f"{carrying:,} calls and executions have their correlation number as external id instead of an "
                "operator's: the id was left out"
            )
        set_values(attributes, "external_id", rows[order], values[order].tolist())
        return attributes, tuple(notes)


def _collect(
    place: "array[int]", values: list[Any], rows: Sequence[int], raws: list[Any], convert: Callable[[Any], Value | None]
) -> None:
    """Convert the values of an argument, and append valid values to ``values`` and their rows to ``place``."""
    types = set(map(type, raws))
    if types == {_RAW}:
        raws = list(map(convert, map(bytes, raws)))
    elif types != {_MISSING}:
        if _MISSING in types:
            present = [raw is not None for raw in raws]
            rows, raws = list(compress(rows, present)), list(compress(raws, present))
        if convert is not number or not _are_numbers(raws):
            raws = list(map(convert, raws))
    if None in raws:
        present = [raw is not None for raw in raws]
        rows, raws = list(compress(rows, present)), list(compress(raws, present))
    place.extend(array("q", rows))
    values += raws


def _are_numbers(raws: list[Any]) -> bool:
    """Return whether ``number`` would return all values unchanged."""
    return set(map(type, raws)) == {int} and min(raws) >= 0 and max(raws) <= LARGEST and _NONE_AS_UNSIGNED not in raws


def number(value: Any) -> int | None:
    """Return an integer from 0 to 2**63 - 1, from a number or text; None for other values."""
    if type(value) is not int:
        text = isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= LONGEST_INTEGER
        if not text and not (isinstance(value, float) and value.is_integer()):
            return None
        value = int(value)
    return value if 0 <= value <= LARGEST and value != _NONE_AS_UNSIGNED else None


@functools.lru_cache(maxsize=4096)
def _triple(text: bytes) -> str | None:
    """Convert a text of three numbers such as ``[80, 1, 1]`` to ``80,1,1``; None for an empty text."""
    return "".join(_utf8(text).split()).strip("[]") or None


@functools.lru_cache(maxsize=4096)
def _compact(text: bytes) -> str | None:
    """Return a JSON text without white space; None for an empty text."""
    return "".join(_utf8(text).split()) or None


def _utf8(text: bytes) -> str:
    """Return a text; empty if it is damaged."""
    try:
        return text.decode()
    except UnicodeDecodeError:
        return ""


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _dtype(arguments: Arguments) -> str | None:
    return DTYPES.get(arguments.dtype.lower()) if isinstance(arguments.dtype, str) else None


@functools.lru_cache(maxsize=4096)
def _input_types(text: bytes) -> str | None:
    """Return the element types of inputs, separated by commas (empty where unknown); None if all are unknown."""
    try:
        types = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):  # such as a number out of range
        return None
    if not isinstance(types, list):
        return None
    names = [DTYPES.get(name.lower(), "") if isinstance(name, str) else "" for name in types]
    return ",".join(names) if any(names) else None


@functools.lru_cache(maxsize=4096)
def _first_type(types: str) -> str:
    """Return the first element type in a text from ``_input_types``."""
    return next(filter(None, types.split(",")))


def _collective_bytes(arguments: Arguments) -> int | None:
    """Return the bytes of a collective on this rank: inputs or outputs, whichever are larger."""
    counts = [count for count in (number(arguments.elements), number(arguments.elements_out)) if count is not None]
    dtype = _dtype(arguments)
    return byte_size(dtype, max(counts)) if counts and dtype else None


def _whole(arguments: Arguments) -> Arguments:
    return arguments


_LAYER: Mapping[str, Field] = {
    "sequence": (attrgetter("sequence"), number),
    "forward_thread": (attrgetter("forward_thread"), number),
    "input_shapes": (attrgetter("shapes"), _compact),
    "input_types": (attrgetter("types"), _input_types),
}
_WAIT: Mapping[str, Field] = {
    "stream": (attrgetter("stream"), number),
    "event": (attrgetter("wait_event"), number),
    "wait_stream": (attrgetter("wait_stream"), number),
    "wait_correlation": (attrgetter("wait_record"), number),
}
_DEVICE: Mapping[str, Field] = {
    "stream": (attrgetter("stream"), number),
    "grid": (attrgetter("grid"), _triple),
    "block": (attrgetter("block"), _triple),
    "registers": (attrgetter("registers"), number),
    "shared_bytes": (attrgetter("shared"), number),
    # a percentage; Kineto writes a negative value for an unknown one
    "theoretical_occupancy": (
        attrgetter("occupancy"),
        lambda raw: raw / 100 if isinstance(raw, int | float) and raw >= 0 else None,
    ),
    "graph_node": (attrgetter("graph_node"), lambda raw: number(raw) or None),
    "bytes": (attrgetter("bytes"), number),
}
_COLLECTIVE: Mapping[str, Field] = {
    "collective": (attrgetter("collective"), _text),
    "group": (attrgetter("group"), _text),
    "ranks": (attrgetter("ranks"), _text),
    "collective_sequence": (attrgetter("collective_sequence"), number),
    "group_size": (attrgetter("group_size"), number),
    "elements": (attrgetter("elements"), number),
    "dtype": (_whole, _dtype),
    "bytes": (_whole, _collective_bytes),
}
# Conditions on meanings, each with the attributes to read; of an attribute in two tables the later one counts.
_TABLES: tuple[tuple[Callable[[Meaning], bool], Mapping[str, Field]], ...] = (
    (lambda meaning: meaning.level == Level.LAYER, _LAYER),
    (lambda meaning: meaning.kind == kinds.SYNCHRONISATION, _WAIT),
    (lambda meaning: meaning.level == Level.KERNEL, _DEVICE),
    (lambda meaning: meaning.level == Level.KERNEL and meaning.kind == kinds.COLLECTIVE, _COLLECTIVE),
)
