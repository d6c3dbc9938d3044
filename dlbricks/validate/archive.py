"""Runs of validations as files."""

import dataclasses
import gzip
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.construct.records import read_noun
from dlbricks.construct.types import Composition
from dlbricks.errors import InputError
from dlbricks.files import write_bytes
from dlbricks.fingerprint import canonical_json
from dlbricks.store.document import read_document
from dlbricks.validate.types import BaselineStep, Profile, StepContext, ValidationSettings

KEPT_FORMAT = "dlbricks-validation-run"
KEPT_SCHEMA_VERSION = 1
SUFFIX = ".json.gz"
_LARGEST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """What belongs to a run beside its samples."""

    settings: ValidationSettings
    composition: Composition
    contexts: tuple[StepContext, ...]
    """Of the steps of the composition."""
    whole: str
    """Fingerprint of the whole."""
    baseline: tuple[BaselineStep, ...]
    profile: Profile | None
    seconds: float
    """What all of it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRun:
    """Everything that was found out about one network."""

    facts: RunFacts
    document: Mapping[str, Any]
    """The result of the run."""


def laid_bare(document: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out of a result document what no latency depends on; it stays a valid one."""
    manifest = document["suite"]["manifest"]
    benchmarks = [{**one, "reference": None, "reference_note": "left out"} for one in manifest["benchmarks"]]
    entries = [{**one, "sketches": one["sketches"] if one["role"] == "whole" else []} for one in document["benchmarks"]]
    return {
        **document,
        "suite": {**document["suite"], "manifest": {**manifest, "benchmarks": benchmarks}},
        "benchmarks": entries,
    }


def kept_bytes(run: KeptRun) -> bytes:
    """Write a run as a file; its document is laid bare."""
    content: dict[str, Any] = {
        "format": KEPT_FORMAT,
        "schema_version": KEPT_SCHEMA_VERSION,
        "facts": dataclasses.asdict(run.facts),
        "result": laid_bare(run.document),
    }
    return gzip.compress(canonical_json(content), compresslevel=9, mtime=0)


def write_kept(folder: Path, run: KeptRun) -> None:
    """Leave a run in a folder, as ``<network>.json.gz``.

    Raises:
        InputError: it cannot be written.
    """
    write_bytes(folder / f"{run.facts.composition.model}{SUFFIX}", kept_bytes(run))


def read_kept(path: Path) -> KeptRun:
    """Read a kept run.

    Raises:
        InputError: missing, no kept run, of another version, cut off, or a field is missing or of a wrong type.
    """
    content = _content(path)
    if not isinstance(content, dict) or content.get("format") != KEPT_FORMAT:
        raise InputError(f"{path} is no kept run of a validation")
    if content.get("schema_version") != KEPT_SCHEMA_VERSION:
        raise InputError(f"{path} was kept by another version of dlbricks: validate again with --keep")
    facts = read_noun(RunFacts, content.get("facts"), f"{path}: facts")
    if len(facts.contexts) != len(facts.composition.steps):
        raise InputError(f"{path}: it has {len(facts.contexts)} contexts for {len(facts.composition.steps)} steps")
    try:
        document = read_document(json.dumps(content.get("result")).encode())
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return KeptRun(facts=facts, document=document)


def _content(path: Path) -> Any:
    try:
        with gzip.open(path, "rb") as file:
            text = file.read(_LARGEST_BYTES)
        return json.loads(text)
    except (EOFError, gzip.BadGzipFile, zlib.error, ValueError, RecursionError) as error:
        raise InputError(f"{path} is no kept run of a validation, or is cut off") from error
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error


def kept_paths(folder: Path, models: Sequence[str] = ()) -> list[Path]:
    """Find the kept runs of a folder, sorted.

    Args:
        folder: what ``validate --keep`` was given.
        models: networks wanted; empty for all.

    Raises:
        InputError: it is no folder, holds no kept run, or none of a network that is wanted.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder: name the one that validate --keep was given")
    found = {path.name.removesuffix(SUFFIX): path for path in sorted(folder.glob(f"*{SUFFIX}"))}
    if not found:
        raise InputError(f"{folder} holds no kept runs (*{SUFFIX}): make some with validate --keep {folder}")
    lost = [model for model in models if model not in found]
    if lost:
        raise InputError(f"{folder} holds no run of {lost[0]}; it has {', '.join(found)}")
    return [found[model] for model in models] if models else list(found.values())
