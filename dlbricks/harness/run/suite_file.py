"""Reads and checks ``suite.json``, as far as measuring needs it, and selects benchmarks."""

import fnmatch
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import HarnessError

SCHEMA_VERSION = 3
OLDEST = 2
"""The version of ``suite.json`` that can be read."""

_BENCHMARK_FIELDS = {
    "fingerprint": str,
    "name": str,
    "network": str,
    "digest": str,
    "optimization": str,
    "role": str,
    "operators": list,
    "inputs": list,
    "outputs": list,
    "weight_bytes": int,
    "activation_bytes": int,
    "importance": float,
    "overwrites": str,
}
_FIELDS = {"name": str, "digest": str, "seed": int, "target": dict, "weights": list, "benchmarks": list}


def load_suite(folder: Path) -> dict[str, Any]:
    """Read ``suite.json`` of a suite folder.

    Raises:
        HarnessError: the file is missing, not a suite, of another version, or was changed after it was made.
    """
    path = folder / "suite.json"
    try:
        suite = json.loads(path.read_text(encoding="utf-8"), parse_float=_finite, parse_constant=_finite)
    except OSError as error:
        raise HarnessError(f"cannot read suite {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise HarnessError(f"{path} is not JSON: {error}") from error
    if not isinstance(suite, dict) or suite.get("format") != "dlbricks-suite":
        raise HarnessError(f'{path} is no dlbricks suite: "format" is not "dlbricks-suite"')
    version = suite.get("schema_version")
    if not isinstance(version, int) or version > SCHEMA_VERSION:
        raise HarnessError(
            f"{path} has schema version {version}, this harness reads up to {SCHEMA_VERSION}; update dlbricks"
        )
    if version < OLDEST:
        raise HarnessError(f"{path} was made by an older dlbricks: generate it again")
    _check_fields(suite, _FIELDS, str(path))
    for index, benchmark in enumerate(suite["benchmarks"]):
        _check_fields(benchmark, _BENCHMARK_FIELDS, f"{path}: benchmarks[{index}]")
    if suite["digest"] != suite_digest(suite):
        raise HarnessError(f"{path} was changed after the suite was made (its digest does not fit); make it again")
    return suite


def _finite(text: str) -> float:
    """Read a number; refuse those beyond the range of floats, and NaN and infinities, which are not JSON."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


def _check_fields(content: Any, fields: Mapping[str, type], where: str) -> None:
    for key, kind in fields.items():
        if not isinstance(content, dict) or not isinstance(content.get(key), kind):
            raise HarnessError(f"{where} has no field '{key}' of type {kind.__name__}")


def suite_digest(suite: Mapping[str, Any]) -> str:
    """Return the sha256 of the canonical JSON of a suite without its field ``digest``."""
    content = {key: value for key, value in suite.items() if key != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def is_reference(benchmark: Mapping[str, Any]) -> bool:
    """Whether a benchmark is a reference for the others: an anchor, an empty graph or the curve."""
    return benchmark["role"] in {"anchor", "overhead", "nodes", "curve"}


def select(suite: Mapping[str, Any], wanted: Sequence[str]) -> list[dict[str, Any]]:
    """Return the benchmarks that match patterns, all without patterns; references are left out (``is_reference``).

    Args:
        suite: content of ``suite.json``.
        wanted: patterns: globs over names, prefixes of fingerprints (at least 4 digits), or operators.

    Raises:
        HarnessError: a pattern matches nothing.
    """
    measured = [benchmark for benchmark in suite["benchmarks"] if not is_reference(benchmark)]
    if not wanted:
        return measured
    chosen: set[str] = set()
    for pattern in wanted:
        matches = {benchmark["fingerprint"] for benchmark in measured if _matches(benchmark, pattern)}
        if not matches:
            raise HarnessError(
                f"--only {pattern} matches no benchmark of suite {suite['name']}: "
                "give a glob over names, the prefix of a fingerprint, or an operator"
            )
        chosen |= matches
    return [benchmark for benchmark in measured if benchmark["fingerprint"] in chosen]


def _matches(benchmark: Mapping[str, Any], pattern: str) -> bool:
    label = f"{benchmark['name']}_{benchmark['fingerprint'][:12]}"
    return (
        pattern in benchmark["operators"]
        or (len(pattern) >= 4 and benchmark["fingerprint"].startswith(pattern.lower()))
        or fnmatch.fnmatchcase(benchmark["name"], pattern)
        or fnmatch.fnmatchcase(label, pattern)
    )
