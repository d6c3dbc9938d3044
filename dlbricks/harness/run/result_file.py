"""Assembles and writes the result file, and reads an unfinished one for ``--resume``."""

import json
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import HarnessError
from ..values import clear_abandoned, replacing
from .verdict import context, judge

FORMAT = "dlbricks-submission"
SCHEMA_VERSION = 2
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


TEXT_COLUMNS = ("name", "operator", "provider", "kind", "lane")
"""Text columns of traces; a document holds each text once, and the columns hold indices into that list."""


def partial_path(out: Path) -> Path:
    """Return the file that holds an unfinished run: ``result.partial.json`` for ``result.json``."""
    return out.with_name(f"{out.stem}.partial.json")


def assemble(
    head: Mapping[str, Any], entries: Iterable[Mapping[str, Any]], timing: Mapping[str, int], *, verdicts: bool = True
) -> dict[str, Any]:
    """Assemble a result document.

    Args:
        head: ``suite``, ``system``, ``runtime``, ``options``, ``started_unix_ns``.
        entries: of the benchmarks, without verdicts.
        timing: ``wall_ns`` and ``timed_ns``.
        verdicts: whether to add verdicts; an unfinished run has none.
    """
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
    """Determine before the run whether its result can be written.

    Raises:
        HarnessError: it cannot.
    """
    try:
        if out.is_dir():
            raise HarnessError(f"cannot write {out}: it is a folder; name a file")
        out.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=out.parent):
            pass
        for path in (out, partial_path(out)):  # what a run that was killed had begun to write
            clear_abandoned(path)
    except OSError as error:
        raise HarnessError(f"cannot write {out}: {error.strerror or error}") from error


def refuse_other_system(out: Path, system: str) -> None:
    """Refuse to replace the finished result of another system.

    Raises:
        HarnessError: ``out`` holds one.
    """
    try:
        earlier = json.loads(out.read_text(encoding="utf-8"))
        name = earlier["system"]["name"] if earlier["format"] == FORMAT else system
    except (OSError, ValueError, KeyError, TypeError):
        return
    if name != system:
        raise HarnessError(
            f"{out} holds a result of {name}, and this is {system}: name another file, or remove that one"
        )


def write_json(path: Path, document: Mapping[str, Any]) -> None:
    """Write a document atomically.

    Raises:
        HarnessError: the file cannot be written, or the disk is full.
    """
    text = json.dumps(document, separators=(",", ":"), allow_nan=False) + "\n"
    try:
        with replacing(path) as file:
            file.write(text.encode())
    except OSError as error:
        raise HarnessError(f"cannot write {path}: {error.strerror or error}") from error


def find_unfinished(out: Path, *, resume: bool) -> Path | None:
    """Return the file of the run to resume; None to start from the beginning.

    Raises:
        HarnessError: without ``resume``, an unfinished run would be lost.
    """
    partial = partial_path(out)
    if not resume:
        if partial.exists():
            raise HarnessError(f"{partial} holds an unfinished run: add --resume to continue it, or delete it")
        return None
    return next((path for path in (partial, out) if path.is_file()), None)


def read_unfinished(path: Path, head: Mapping[str, Any]) -> dict[str, Any]:
    """Read an unfinished run.

    Args:
        path: of the file, from ``find_unfinished``.
        head: of the current run; suite, system, runtime and options (except ``_MAY_CHANGE``) must be equal.

    Raises:
        HarnessError: the file cannot be read, or is of another suite, system, runtime or other options.
    """
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
        return ["it was made by another dlbricks"]
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
        differences.append("the GPUs are others")
    for part in ("runtime", "options"):
        differences += [
            f"{part} {key} was {document[part].get(key)}, now it is {value}"
            for key, value in head[part].items()
            if key not in _MAY_CHANGE and document[part].get(key) != value
        ]
    return differences


def interned(entries: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[dict[str, Any]]]:
    """Replace the texts of traces by indices; return the list of texts and the new entries.

    Args:
        entries: of a result document; those without a trace stay as they are.
    """
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
    """Replace the indices of an entry's trace by the texts; the inverse of ``interned``.

    Args:
        entry: of a result document.
        names: list of texts of the document.

    Raises:
        IndexError: an index is out of range.
    """
    if "trace" not in entry:
        return dict(entry)
    trace = dict(entry["trace"])
    for part, column in _named_columns(trace):
        trace[part] = {**trace[part], column: [names[index] for index in trace[part][column]]}
    return {**entry, "trace": trace}


def _named_columns(trace: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for part in ("layers", "kernels"):
        yield from ((part, column) for column in TEXT_COLUMNS if column in trace.get(part, {}))
