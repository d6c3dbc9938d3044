"""Times are integer nanoseconds and sizes are bytes inside; people see and type other units only here."""

import re

from dlbricks.errors import InputError

_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|m|min|h)?")
_NS_PER_UNIT = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "min": 60_000_000_000,
    "h": 3_600_000_000_000,
}


def parse_duration(text: str) -> int:
    """Turn ``10m``, ``90s``, ``1.5h`` or ``250ms`` into nanoseconds; a bare number means seconds.

    Raises:
        InputError: the text is no duration.
    """
    match = _DURATION.fullmatch(text.strip().lower())
    if match is None:
        message = f"'{text}' is not a duration: write a number and one of ns, us, ms, s, m, h, as in 10m"
        raise InputError(message)
    number, unit = match.groups()
    return round(float(number) * _NS_PER_UNIT[unit or "s"])


def format_ns(value_ns: float) -> str:
    """Show a time with three or four digits and the unit that suits its size, as in ``12.34 ms``."""
    for unit in ("s", "ms", "us"):
        if abs(value_ns) >= _NS_PER_UNIT[unit]:
            return f"{value_ns / _NS_PER_UNIT[unit]:.4g} {unit}"
    return f"{value_ns:.4g} ns"


def format_bytes(value_bytes: float) -> str:
    """Show a size with the binary unit that suits it, as in ``2.5 MiB``."""
    size = float(value_bytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(size) < 1024:
            return f"{size:.4g} {unit}"
        size /= 1024
    return f"{size:.4g} TiB"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun, as in ``1 warning`` and ``2 warnings``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
