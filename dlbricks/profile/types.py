"""The types of leveled experiments: Roofs, LevelRun, Profile.

A level is taken from the run whose deepest level it is (XSP, IPDPS 2020, section III-C): the runtime's profiler makes
calls longer, so model latencies come from runs ``M``, those of layers from runs ``ML``, those of kernels from ``MLK``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dlbricks.trace.types import Trace

LEVELS = ("M", "ML", "MLK")
"""What a run records: the call; its layers, too; and their kernels, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """The most that a machine does; measured there, and as its makers state it where that is known."""

    device: str
    """As in ``AMD EPYC, 1 thread`` or ``NVIDIA H200``."""
    flops_per_s: Mapping[str, float]
    """Measured with products of large matrices, by element type (``float32``, ``float16``, ``int8`` ...)."""
    copied_bytes_per_s: float
    """Measured with a copy much larger than the caches; bytes read plus bytes written."""
    stated_flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """Of the data sheet or computed from clock and instruction set; empty where unknown."""
    stated_bytes_per_s: float | None = None
    source: str = ""
    """Of the stated ones."""

    measured: bool = True
    """Whether rates are measured; else, of traces of others, they are the stated ones."""

    def ideal_intensity(self, dtype: str = "float32") -> float | None:
        """Return the flops per byte above which the measured arithmetic is the limit; None where it was not measured."""
        flops = self.flops_per_s.get(dtype)
        return flops / self.copied_bytes_per_s if flops and self.copied_bytes_per_s else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """All calls that were made at one level with one batch."""

    batch: int
    """Inputs per call; 0 where it is not known."""
    levels: str
    """One of ``LEVELS``."""
    samples_ns: tuple[int, ...]
    """Latency of each call, by the harness's own timer around it."""
    trace: Trace
    """Of these calls, all of them or the last few; level MODEL has a span per call."""
    serialised: bool = False
    """Whether parallel work was forced into a row, to find parents; its times are not used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What leveled experiments found out about one network on one machine; or a trace that somebody else recorded."""

    network: str
    system: Mapping[str, Any]
    """``name`` and facts of the machine; empty for a trace of somebody else."""
    runtime: Mapping[str, Any]
    """Name, version, provider, threads and options; empty for a trace of somebody else."""
    runs: tuple[LevelRun, ...]
    """Of every level and batch, in the order of ``LEVELS`` within each batch."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """What could not be had, and why."""

    @property
    def batches(self) -> tuple[int, ...]:
        """Every batch, ascending."""
        return tuple(sorted({run.batch for run in self.runs}))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Its own notes, and what was found wrong or ambiguous in the traces of its runs; each once."""
        return tuple(dict.fromkeys((*self.notes, *(note for run in self.runs for note in run.trace.notes))))

    def run(self, levels: str, batch: int | None = None) -> LevelRun | None:
        """Return the run of a level, of the smallest batch unless one is named; None where there is none."""
        wanted = (self.batches or (0,))[0] if batch is None else batch
        found = (run for run in self.runs if run.levels == levels and run.batch == wanted and not run.serialised)
        return next(found, None)
