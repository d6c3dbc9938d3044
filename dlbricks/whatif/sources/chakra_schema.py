"""Messages of Chakra execution traces, as MLCommons defines them.

Source: ``mlcommons/chakra``, ``schema/protobuf/et_def.proto``. Unused fields are skipped.
A module of its own, since importing protobuf takes as long as reading a small trace.
"""

from collections.abc import Sequence
from functools import cache
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import DecodeError

__all__ = ["DecodeError", "message_type"]
_FIELD = descriptor_pb2.FieldDescriptorProto
_SCHEMA: dict[str, Sequence[tuple[str, int, Any, bool]]] = {
    "Attribute": (
        ("name", 1, _FIELD.TYPE_STRING, False),
        ("int32_val", 7, _FIELD.TYPE_INT32, False),
        ("int64_val", 9, _FIELD.TYPE_INT64, False),
        ("uint32_val", 11, _FIELD.TYPE_UINT32, False),
        ("uint64_val", 13, _FIELD.TYPE_UINT64, False),
        ("bool_val", 27, _FIELD.TYPE_BOOL, False),
        ("string_val", 29, _FIELD.TYPE_STRING, False),
    ),
    "Metadata": (("version", 1, _FIELD.TYPE_STRING, False), ("attr", 2, "Attribute", True)),
    "Node": (
        ("id", 1, _FIELD.TYPE_UINT64, False),
        ("name", 2, _FIELD.TYPE_STRING, False),
        ("type", 3, _FIELD.TYPE_INT32, False),
        ("ctrl_deps", 4, _FIELD.TYPE_UINT64, True),
        ("data_deps", 5, _FIELD.TYPE_UINT64, True),
        ("duration_micros", 7, _FIELD.TYPE_UINT64, False),
        ("attr", 10, "Attribute", True),
    ),
}


@cache
def message_type(name: str) -> Any:
    """Return the class of a message."""
    file = descriptor_pb2.FileDescriptorProto(name="chakra.proto", package="chakra", syntax="proto3")
    for message, fields in _SCHEMA.items():
        made = file.message_type.add(name=message)
        for field, number, kind, repeated in fields:
            label = _FIELD.LABEL_REPEATED if repeated else _FIELD.LABEL_OPTIONAL
            one = made.field.add(name=field, number=number, label=label)
            if isinstance(kind, str):
                one.type, one.type_name = _FIELD.TYPE_MESSAGE, f".chakra.{kind}"
            else:
                one.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"chakra.{name}"))
