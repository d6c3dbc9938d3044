"""Changes of files, drawn from a seed: bytes, fields of networks, values of JSON documents."""

import contextlib
import json
import random
import re
from collections.abc import Callable, Mapping
from typing import Any

import onnx
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from dlbricks.plugins.trust.answering import CHALLENGE
from dlbricks.suite.manifest import MANIFEST, content_digest
from dlbricks.typed_json import digest_bytes
from tests.robustness.packing import packed, unzipped, zipped

EXTENTS = (0, 1, -1, 7, 2**31 - 1, 2**31, 2**33, 2**40, 2**62, 2**63 - 1, -(2**63))
FLOATS = (0.0, -1.0, 1e-45, 1e38, float("inf"), float("nan"))
TEXTS = (
    "",
    "../../../etc/passwd",
    "/dev/zero",
    "a\nb\r\nc",
    "{{ 7 * 7 }}{% for x in y %}",
    "'''\"\"\"; import os; os._exit(3) #",
    "\x1b[31mred\x1b]0;title\x07",
    "<script>alert(1)</script>",
    "x" * 10_000,
    "\u202egnihton",
    "N*M+past/(seq-seq)",
    "2**2**2**2**2**9",
    "(" * 2000 + "n" + ")" * 2000,
    "-" * 5000 + "n",
    "n" + "+n" * 1500,
)
JSON_VALUES = (
    "NaN",
    "Infinity",
    "1e400",
    "-1",
    "0",
    "9" * 400,
    str(2**63),
    "1.5",
    "true",
    "null",
    "{}",
    "[]",
    "[" * 3000 + "]" * 3000,
    '{"a":' * 2000 + "1" + "}" * 2000,
    '"\\ud800"',
    '"\\u0000"',
    '"\\u001b[31mred\\u001b]0;title\\u0007"',
    '"<script>alert(1)</script>"',
    '"' + "x" * 100_000 + '"',
    '"../../../etc/passwd"',
    '"2**9**9"',
)
_OBJECT = (dict, list)


def mutated_bytes(data: bytes, draw: random.Random) -> bytes:
    """Change, drop, double or cut off some bytes."""
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8))):
        at = draw.randrange(len(made) + 1)
        kind = draw.randrange(5)
        if kind == 0 and at < len(made):
            made[at] = draw.randrange(256)
        elif kind == 1:
            del made[at : at + draw.choice((1, 4, 64, 4096))]
        elif kind == 2:
            made[at:at] = made[at : at + draw.choice((1, 4, 64))]
        elif kind == 3:
            made[at : at + 1] = draw.choice((b"\xff" * 10, b"\x00" * 8, b"\x80" * 9 + b"\x01"))
        elif draw.random() < 0.2:
            del made[at:]
    return bytes(made)


def mutated_footer(data: bytes, draw: random.Random) -> bytes:
    """Change bytes of the metadata of a Parquet file, by which the rest of it is read."""
    begin = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    made = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 3))):
        made[draw.randrange(begin, len(made) - 8)] = draw.choice((0, 0xDB, 0xFF, draw.randrange(256)))
    return bytes(made)


def mutated_network(data: bytes, draw: random.Random) -> bytes:
    """Change fields of a network: drop, double, exchange, empty, enlarge."""
    model = onnx.load_model_from_string(data)
    for _ in range(draw.choice((1, 1, 1, 2, 4))):
        places = _places(model)
        if places:
            _change(*draw.choice(places), places, draw)
    return bytes(model.SerializeToString())


def _places(message: Message, depth: int = 0) -> list[tuple[Message, FieldDescriptor]]:
    """Give every field that is set, with its message."""
    found: list[tuple[Message, FieldDescriptor]] = []
    if depth > 40:
        return found
    for field, value in message.ListFields():
        found.append((message, field))
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for child in value if field.is_repeated else [value]:
                found += _places(child, depth + 1)
    return found


def _change(message: Message, field: FieldDescriptor, places: list[Any], draw: random.Random) -> None:
    name = field.name
    if draw.random() < 0.1:
        message.ClearField(name)
    elif field.is_repeated:
        values = getattr(message, name)
        at, kind = draw.randrange(len(values)), draw.randrange(5)
        if kind == 0:
            del values[at]
        elif kind == 1:
            values.append(values[at])
        elif field.type != FieldDescriptor.TYPE_MESSAGE:
            values[at] = _scalar(field, places, draw)
        elif kind == 2:
            values[at].CopyFrom(values[draw.randrange(len(values))])
        else:
            _exchange(values[at], places, draw)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        _exchange(getattr(message, name), places, draw)
    else:
        setattr(message, name, _scalar(field, places, draw))


def _exchange(message: Message, places: list[Any], draw: random.Random) -> None:
    """Put another message of the same type in the place of one."""
    alike = [one for one, _ in places if one.DESCRIPTOR is message.DESCRIPTOR]
    if alike:
        copied = type(message)()
        copied.CopyFrom(draw.choice(alike))
        if copied.ByteSize() < 1 << 20:
            message.CopyFrom(copied)


def _scalar(field: FieldDescriptor, places: list[Any], draw: random.Random) -> Any:
    if field.enum_type is not None:
        return draw.choice([value.number for value in field.enum_type.values])
    kind = field.cpp_type
    if kind in {FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE}:
        return draw.choice(FLOATS)
    if kind == FieldDescriptor.CPPTYPE_STRING:
        others = [
            text
            for message, other in places
            if other.cpp_type == kind and other.type == field.type
            for text in ([*getattr(message, other.name)] if other.is_repeated else [getattr(message, other.name)])
        ]
        text = draw.choice(others) if others and draw.random() < 0.6 else draw.choice(TEXTS)
        if field.type == FieldDescriptor.TYPE_BYTES:
            return text if isinstance(text, bytes) else text.encode()
        return text
    bits = 31 if kind in {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_UINT32} else 63
    least = 0 if kind in {FieldDescriptor.CPPTYPE_UINT32, FieldDescriptor.CPPTYPE_UINT64} else -(2**bits)
    return max(least, min(2**bits - 1, draw.choice((*EXTENTS, draw.randrange(64)))))


def mutated_json(data: bytes, draw: random.Random) -> bytes:
    """Change values of a JSON document, or keys, or the text itself."""
    document = json.loads(data)
    marks: dict[str, str] = {}
    for number in range(draw.choice((1, 1, 2, 3))):
        places = list(_paths(document))
        if not places:
            break
        holder, key = draw.choice(places)
        kind = draw.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1 and isinstance(holder, list):
            holder.extend([holder[key]] * draw.choice((1, 100)))
        elif kind == 1:
            holder[draw.choice(TEXTS)[:200]] = holder[key]
        elif kind == 2:
            other, there = draw.choice(places)
            holder[key] = json.loads(json.dumps(other[there])) if _has(other, there) else None
        else:
            mark = f"@mark{number}@"
            holder[key] = mark
            marks[mark] = draw.choice(JSON_VALUES)
    text = json.dumps(document)
    for mark, value in marks.items():
        text = text.replace(f'"{mark}"', value)
    if draw.random() < 0.1:
        found = [match.start() for match in re.finditer(r'"\w+": ', text)]
        if found:
            at = draw.choice(found)
            end = text.index(":", at) + 1
            text = f"{text[:at]}{text[at:end]} {draw.choice(JSON_VALUES)}, {text[at:]}"
    return text.encode("utf-8", "surrogatepass")


def mutated_suite(files: Mapping[str, bytes], draw: random.Random) -> bytes:
    """Change what a packed suite says or holds, with digests that hold again, so that more than these is tried."""
    made = _mutated_files(files, MANIFEST, draw)
    with contextlib.suppress(Exception):  # no longer a manifest
        document = json.loads(made[MANIFEST])
        for benchmark in document["benchmarks"]:
            benchmark["digest"] = digest_bytes(made[benchmark["network"]])
        document["digest"] = content_digest(document)
        made[MANIFEST] = json.dumps(document).encode()
    return packed(made)


def mutated_challenge(data: bytes, draw: random.Random) -> bytes:
    """Change what a challenge asks or holds, with digests that hold again."""
    made = _mutated_files(unzipped(data), CHALLENGE, draw)
    with contextlib.suppress(Exception):  # no longer a challenge
        document = json.loads(made[CHALLENGE])
        for one in document["sequences"]:
            one["benchmark"]["digest"] = digest_bytes(made[one["benchmark"]["network"]])
        made[CHALLENGE] = json.dumps(document).encode()
    return zipped(made)


def _mutated_files(files: Mapping[str, bytes], head: str, draw: random.Random) -> dict[str, bytes]:
    """Change networks and the document that names them, or other files and their names."""
    made = dict(files)
    for _ in range(draw.choice((1, 1, 2))):
        name = draw.choice([one for one in made if one.startswith("networks/")] + 2 * [head] + [draw.choice([*made])])
        if name.startswith("networks/"):
            with contextlib.suppress(Exception):  # changed beyond what a message can hold
                made[name] = mutated_network(made[name], draw)
        elif name == head:
            with contextlib.suppress(Exception):  # nested too deeply to be changed again
                made[name] = mutated_json(made[name], draw)
        elif draw.random() < 0.5:
            made[draw.choice(TEXTS).replace("\x00", "") or "x"] = made.pop(name)
        else:
            made[name] = mutated_bytes(made[name], draw)
    return made


def _has(holder: Any, key: Any) -> bool:
    return key in holder if isinstance(holder, dict) else key < len(holder)


def _paths(value: Any) -> Any:
    """Give every place of a document as its holder and its key."""
    stack = [value]
    while stack:
        one = stack.pop()
        for key, child in one.items() if isinstance(one, dict) else enumerate(one):
            yield one, key
            if isinstance(child, _OBJECT):
                stack.append(child)


Mutator = Callable[[bytes, random.Random], bytes]
