"""Writes profiles for trace viewers: the runs of an experiment side by side, each starting at time 0."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dlbricks.errors import InputError
from dlbricks.profile.types import Profile
from dlbricks.trace.build import joined_traces
from dlbricks.trace.checks import findings
from dlbricks.trace.export import ExportPart, write_chrome, write_otlp

WRITERS: Mapping[str, Callable[[Sequence[ExportPart], Path], None]] = {
    "chrome": write_chrome,
    "otlp": write_otlp,
}
"""By format."""
SUFFIXES = {
    ".json": "chrome",
    ".jsonl": "otlp",
}
"""Format by file name suffix; ``.gz`` may follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedPart:
    """An exported run."""

    name: str
    """Network and level, as viewers show it; empty for a single run."""
    spans: int
    lanes: int
    findings: tuple[str, ...]
    """Errors of the trace, and notes of its reader."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A written file for a viewer."""

    file: str
    file_format: str
    """``chrome`` or ``otlp``."""
    parts: tuple[ExportedPart, ...]


def format_of(path: Path) -> str:
    """Return the format of a file name.

    Raises:
        InputError: its suffix is unknown.
    """
    name = path.name.removesuffix(".gz")
    for suffix, format_ in SUFFIXES.items():
        if name.endswith(suffix):
            return format_
    endings = ", ".join(f"{suffix} ({format_})" for suffix, format_ in SUFFIXES.items())
    raise InputError(f"{path} has an unknown suffix: use {endings}, or give --format")


def parts_of(profiles: Sequence[Profile]) -> tuple[ExportPart, ...]:
    """Return all runs of some profiles under unique names."""
    runs = [(profile, run) for profile in profiles for run in profile.runs]
    parts = []
    for profile, run in runs:
        words = [profile.network] if len(profiles) > 1 else []
        if len(profile.runs) > 1:
            words.append(run.levels)
        if len(profile.batches) > 1:
            words.append(f"batch {run.batch}")
        if run.serialised:
            words.append("serialised")
        parts.append(ExportPart(name=", ".join(words), trace=run.trace))
    return tuple(parts)


def joined_part(profiles: Sequence[Profile]) -> ExportPart:
    """Put the traces of all runs on one time line, as for the ranks of a distributed run.

    Notes are prefixed with the network.

    Raises:
        InputError: their clocks cannot be compared.
    """
    traces = [
        replace(run.trace, notes=tuple(f"{profile.network}: {note}" for note in run.trace.notes))
        if len(profiles) > 1
        else run.trace
        for profile in profiles
        for run in profile.runs
    ]
    return ExportPart(name="", trace=joined_traces(*traces))


def export(parts: Sequence[ExportPart], path: Path, form: str) -> Export:
    """Write traces into one file.

    Args:
        parts: of ``parts_of`` or ``joined_part``.
        path: of the file.
        form: one of ``WRITERS``.

    Raises:
        InputError: the file cannot be written.
    """
    WRITERS[form](parts, path)
    return Export(
        file=str(path),
        file_format=form,
        parts=tuple(
            ExportedPart(
                name=part.name,
                spans=len(part.trace),
                lanes=len(part.trace.lanes),
                findings=tuple(dict.fromkeys((*part.trace.notes, *findings(part.trace)))),
            )
            for part in parts
        ),
    )
