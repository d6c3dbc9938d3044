"""The files of a run: reads ``suite.json``, writes the result file, and reads an unfinished one for ``--resume``."""

import fnmatch
import hashlib
import json
import math
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import HarnessError
from ..stats import context, judge
from ..values import replacing

# Oldest and newest version of ``suite.json`` that can be read.
SUITE_VERSIONS = (2, 3)

_FIELDS = {"name": str, "digest": str, "seed": int, "target": dict, "weights": list, "benchmarks": list}


def load_suite(folder: Path) -> dict[str, Any]:
    """Read ``suite.json`` of a folder; raises HarnessError if it is missing, damaged, changed or of another version."""
    path = folder / "suite.json"
    try:
        suite = json.loads(path.read_text(encoding="utf-8"), parse_float=_finite, parse_constant=_finite)
    except OSError as error:
        raise HarnessError(f"cannot read suite {path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise HarnessError(f"{path} is not JSON: {error}") from error
    if not isinstance(suite, dict) or suite.get("format") != "dlbricks-suite":
        raise HarnessError(f'{path} is not a suite of dlbricks: its "format" is not "dlbricks-suite"')
    version = suite.get("schema_version")
    if not isinstance(version, int) or version > SUITE_VERSIONS[1]:
        raise HarnessError(
            f"{path} has schema version {version}, this harness reads up to {SUITE_VERSIONS[1]}; update dlbricks"
        )
    if version < SUITE_VERSIONS[0]:
        raise HarnessError(f"{path} was made by an older dlbricks: generate it again")
    for key, kind in _FIELDS.items():  # those of its benchmarks are what the digest is of
        if not isinstance(suite.get(key), kind):
            raise HarnessError(f"{path} has no field '{key}' of type {kind.__name__}")
    if suite["digest"] != suite_digest(suite):
        raise HarnessError(f"{path} was changed after the suite was made (its digest differs); generate it again")
    return suite


def _finite(text: str) -> float:
    # Read a number; refuse those beyond the range of floats, and NaN and infinities, which are not JSON
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a finite number")
    return value


def suite_digest(suite: Mapping[str, Any]) -> str:
    """Return the sha256 of the canonical JSON of a suite without its field ``digest``."""
    content = {key: value for key, value in suite.items() if key != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def is_reference(benchmark: Mapping[str, Any]) -> bool:
    """Whether a benchmark is a reference for the others: an anchor, an empty graph or the curve."""
    return benchmark["role"] in {"anchor", "overhead", "nodes", "curve"}


def select(suite: Mapping[str, Any], wanted: Sequence[str]) -> list[dict[str, Any]]:
    """Return the benchmarks that match any pattern, without references; all of them without patterns.

    A pattern is a glob over names, a prefix of a fingerprint (at least 4 digits), or an operator. Raises HarnessError
    for patterns that match nothing.
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


FORMAT = "dlbricks-submission"
SCHEMA_VERSION = 3
HARNESS_VERSION = "0.1.0"

# Options that may differ in a resumed run.
_MAY_CHANGE = ("budget_ns", "trace")
_SAME_FACTS = (
    ("cpu", "model"),
    ("cpu", "cores"),
    ("cpu", "threads"),
    ("cpu", "instruction_set"),
    ("memory", "total_bytes"),
    ("os", "system"),
    ("os", "release"),
)


# Text columns of traces; a document holds each text once, and the columns hold indices into that list.
TEXT_COLUMNS = ("name", "operator", "provider", "kind", "lane")


def partial_path(out: Path) -> Path:
    """Return the file that holds an unfinished run: ``result.partial.json`` for ``result.json``."""
    return out.with_name(f"{out.stem}.partial.json")


def assemble(
    head: Mapping[str, Any], entries: Iterable[Mapping[str, Any]], timing: Mapping[str, int], *, verdicts: bool = True
) -> dict[str, Any]:
    """Assemble a result document from its head, the entries of benchmarks, and verdicts if the run is finished."""
    names, rows = interned(entries)
    document = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "harness_version": HARNESS_VERSION,
        **head,
        "complete": all(entry["status"] != "not run" for entry in rows),
        "timing": dict(timing),
        **({"names": names} if names else {}),
        "benchmarks": rows,
    }
    if not verdicts:
        return document
    run = context(document)
    for entry in rows:
        if entry["status"] == "not run":
            entry["verdict"] = {"kind": "failed", "text": f"not run: {entry['reason']}"}
        else:
            entry["verdict"] = judge(entry, run)
    return document


def check_place(out: Path) -> None:
    """Raise HarnessError before the run if its result could not be written."""
    try:
        if out.is_dir():
            raise HarnessError(f"cannot write {out}: it is a folder; name a file")
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out.parent):
            pass
    except OSError as error:
        raise HarnessError(f"cannot write {out}: {error.strerror or error}") from error


def refuse_other_system(out: Path, system: str) -> None:
    """Raise HarnessError if ``out`` holds anything but a result of this system."""
    if not out.is_file() or not out.stat().st_size:
        return
    try:
        earlier = json.loads(out.read_text(encoding="utf-8"))
        name = earlier["system"]["name"] if earlier["format"] == FORMAT else None
    except (OSError, ValueError, LookupError, TypeError):
        name = None
    if name is None:
        raise HarnessError(f"{out} is not a result: remove it, or give another file to -o")
    if name != system:
        raise HarnessError(
            f"{out} holds a result of {name}, but this run is named {system}: give another file to -o, or remove {out}"
        )


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document atomically; raises HarnessError if that fails, as on a full disk."""
    text = json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise HarnessError(f"cannot write {path}: {error.strerror or error}") from error


def find_unfinished(out: Path, *, resume: bool) -> Path | None:
    """Return the file of the run to resume, or None; raises HarnessError if an unfinished run would be lost."""
    partial = partial_path(out)
    if not resume:
        if partial.exists():
            raise HarnessError(f"{partial} holds an unfinished run: add --resume to continue it, or delete it")
        return None
    return next((path for path in (partial, out) if path.is_file()), None)


def read_unfinished(path: Path, head: Mapping[str, Any]) -> dict[str, Any]:
    """Read an unfinished run; raises HarnessError if suite, system, runtime or options differ, or it is damaged."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        differences = _differences(document, head)
        names = document.get("names", [])
        entries = {entry["fingerprint"]: with_names(entry, names) for entry in document["benchmarks"]}
        times = {"started_unix_ns": int(document["started_unix_ns"]), "wall_ns": int(document["timing"]["wall_ns"])}
        facts = document["system"]["facts_before"]
    except OSError as error:
        raise HarnessError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise HarnessError(f"{path} is not an unfinished run: delete it and start again") from error
    if differences:
        raise HarnessError(f"{path} cannot be resumed: {differences[0]}; delete it, or run as before")
    return {**times, "facts_before": facts, "entries": entries}


def _differences(document: Mapping[str, Any], head: Mapping[str, Any]) -> list[str]:
    if document["format"] != FORMAT or document["schema_version"] != SCHEMA_VERSION:
        return ["another version of dlbricks wrote it"]
    differences = []
    if document["suite"]["digest"] != head["suite"]["digest"]:
        differences.append("it is of another suite")
    if document["system"]["name"] != head["system"]["name"]:
        differences.append(f"it is of system {document['system']['name']}, this is {head['system']['name']}")
    before, now = document["system"]["facts_before"], head["system"]["facts_before"]
    differences += [
        f"{part} {key} was {before[part][key]}, now it is {now[part][key]}"
        for part, key in _SAME_FACTS
        if before[part][key] != now[part][key]
    ]
    if [gpu["name"] for gpu in before["gpus"]] != [gpu["name"] for gpu in now["gpus"]]:
        differences.append("the GPUs differ")
    for part in ("runtime", "options"):
        differences += [
            f"{part} {key} was {document[part].get(key)}, now it is {value}"
            for key, value in head[part].items()
            if key not in _MAY_CHANGE and document[part].get(key) != value
        ]
    return differences


def interned(entries: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[dict[str, Any]]]:
    """Replace the texts of traces by indices; return the list of texts and the new entries."""
    names: dict[str, int] = {}
    rows = []
    for entry in entries:
        if "trace" not in entry:
            rows.append(dict(entry))
            continue
        trace = dict(entry["trace"])
        for part, column in _named_columns(trace):
            trace[part] = {**trace[part], column: [names.setdefault(text, len(names)) for text in trace[part][column]]}
        rows.append({**entry, "trace": trace})
    return list(names), rows


def with_names(entry: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    """Replace the indices of an entry's trace by the texts, the inverse of ``interned``; raises IndexError."""
    if "trace" not in entry:
        return dict(entry)
    trace = dict(entry["trace"])
    for part, column in _named_columns(trace):
        trace[part] = {**trace[part], column: [names[index] for index in trace[part][column]]}
    return {**entry, "trace": trace}


def _named_columns(trace: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in ("layers", "kernels"):
        yield from ((part, column) for column in TEXT_COLUMNS if column in trace.get(part, {}))
