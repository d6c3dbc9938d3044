"""Looking things up in the facts of a system, of which anything may be missing or of another type."""

from collections.abc import Mapping
from typing import Any

from dlbricks.typed_json import LARGEST


def look(facts: Mapping[str, Any], path: str) -> Any:
    """Follow a dotted path, as in ``cpu.model``; None where it leads nowhere."""
    found: Any = facts
    for key in path.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(key)
    return found


def number(facts: Mapping[str, Any], path: str) -> float | None:
    """Give the number at a path; None if there is none that fits into 64 bits."""
    found = look(facts, path)
    is_number = isinstance(found, int | float) and not isinstance(found, bool) and abs(found) <= LARGEST
    return float(found) if is_number else None


def change(before: Mapping[str, Any], after: Mapping[str, Any], path: str) -> float | None:
    """Give by how much a number grew from the one to the other; None if it is not known of both."""
    first, last = number(before, path), number(after, path)
    return None if first is None or last is None else last - first


def load_average(facts: Mapping[str, Any]) -> float | None:
    """Give the load of the last minute; None if it is not known."""
    averages = look(facts, "load.average")
    return number({"first": averages[0]}, "first") if isinstance(averages, list) and averages else None


def shown(value: object) -> str:
    """Write a value of the facts in a message: plain, and not too long."""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
