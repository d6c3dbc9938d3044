"""Types of leveled experiments.

The latency of a level comes from the run whose deepest level it is (XSP, IPDPS 2020, section III-C): the runtime's
profiler makes calls longer, so model latencies come from runs ``M``, those of layers from runs ``ML``, those of kernels
from runs ``MLK``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dlbricks.trace.types import Trace

# What a run records: calls; calls and layers; calls, layers and kernels.
LEVELS = ("M", "ML", "MLK")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofs:
    """Peak rates of a machine, measured and, where known, stated by its maker."""

    device: str
    """As in ``AMD EPYC, 1 thread`` or ``NVIDIA H200``."""
    flops_per_s: Mapping[str, float]
    """Measured with products of large matrices, by element type (``float32``, ``float16``, ``int8`` ...)."""
    copied_bytes_per_s: float
    """Measured by copying a buffer much larger than the caches; bytes read plus bytes written."""
    stated_flops_per_s: Mapping[str, float] = field(default_factory=dict)
    """From the data sheet, or computed from clock and instruction set; empty if unknown."""
    stated_bytes_per_s: float | None = None
    source: str = ""
    """Of the stated rates."""

    measured: bool = True
    """Whether rates are measured; in traces of other programs they are the stated ones."""

    def ideal_intensity(self, dtype: str = "float32") -> float | None:
        """Return the arithmetic intensity, flops per byte, at which both roofs meet; None if one was not measured."""
        flops = self.flops_per_s.get(dtype)
        return flops / self.copied_bytes_per_s if flops and self.copied_bytes_per_s else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelRun:
    """All calls at one level with one batch size."""

    batch: int
    """Inputs per call; 0 if unknown."""
    levels: str
    """One of ``LEVELS``."""
    samples_ns: tuple[int, ...]
    """Latency of each call, timed by the harness."""
    trace: Trace
    """Of all of these calls or the last few; level MODEL has a span per call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Results of leveled experiments on one network and machine, or a trace recorded by another program."""

    network: str
    system: Mapping[str, Any]
    """``name`` and facts of the machine; empty for a trace of another program."""
    runtime: Mapping[str, Any]
    """Likewise its name, version, provider, threads and options."""
    runs: tuple[LevelRun, ...]
    """Of every level and batch size, in the order of ``LEVELS`` within each batch size."""
    roofs: Roofs | None = None
    notes: tuple[str, ...] = ()
    """What is not available, and why."""

    @property
    def batches(self) -> tuple[int, ...]:
        """Batch sizes, ascending."""
        return tuple(sorted({run.batch for run in self.runs}))

    @property
    def all_notes(self) -> tuple[str, ...]:
        """Its own notes and those of its traces, each once."""
        return tuple(dict.fromkeys((*self.notes, *(note for run in self.runs for note in run.trace.notes))))

    def run(self, levels: str, batch: int | None = None) -> LevelRun | None:
        """Return the run of a level, of the smallest batch size unless one is given; None if there is none."""
        wanted = (self.batches or (0,))[0] if batch is None else batch
        runs = (run for run in self.runs if run.levels == levels and run.batch == wanted)
        return next(runs, None)
