"""The settings of a split, a suite and a profile, and the query that selects a stored configuration."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dlbricks.harness.options import RunOptions
from dlbricks.harness.runtimes import RUNTIMES, USUAL

PORTABLE, BLOCK = "portable", "block"
# Names of all targets. A runtime other than onnxruntime has a target of its own name, which a plug-in lowers.
TARGETS = (PORTABLE, "onnxruntime-cpu", "onnxruntime-cuda", *(name for name in RUNTIMES if name != USUAL))
SPLITTERS = (BLOCK, "paper")


def usual_target(runtime: str = USUAL, provider: str = "cpu") -> str:
    """Return the target whose estimates are validated best for a runtime and provider (docs/accuracy.md)."""
    if provider != "cpu":
        return PORTABLE
    return f"{runtime}-{provider}" if runtime == USUAL else runtime


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSettings:
    """All settings that decide how a network is read and split into layer sequences."""

    granularity: str = "1"
    """Maximum number of layers in a sequence: a whole number or ``inf``. If empty, the value of the measured suite
    applies; the same holds for ``target`` and ``splitter`` (``api.estimates.measured_settings``)."""
    target: str = usual_target()
    splitter: str = BLOCK
    dims: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    """Values of inputs by name: numbers or booleans separated by commas, as in ``1,3,256,256``, or the path of a file
    (``.npy``, or ``.pb`` with a TensorProto)."""
    batch: int | None = None
    """Batch size, even if the file has another. None keeps the batch size of the file or of ``dims``."""
    threads: int = 1
    """Number of intra-op threads for which a runtime optimises the graph."""
    lowered_for: tuple[str, ...] = ()
    """Instruction set of the processor for which onnxruntime optimises the graph; empty for this machine's."""
    allow_values: tuple[str, ...] = ()
    """Names of layers that keep the values of their constants. Constants of other layers get synthetic values."""
    passes: tuple[str, ...] = ()
    """Names of the user's passes (``passes.user.pass_of``), in the order in which dlbricks applies them."""
    memory_bytes: int | None = field(default=None, compare=False)
    """Memory limit of a process that reads networks; None for the free memory of the machine."""

    @property
    def extents(self) -> tuple[str, ...]:
        """Command-line options that state extents of dimensions, values of inputs and the batch size."""
        dims = (text for name, value in self.dims.items() for text in ("--dim", f"{name}={value}"))
        return (*dims, *self.value_options, *(("--batch", str(self.batch)) if self.batch else ()))

    @property
    def value_options(self) -> tuple[str, ...]:
        """Command-line options that state the values of inputs."""
        return tuple(text for name, value in self.values.items() for text in ("--value", f"{name}={value}"))

    def at(self, point: Mapping[str, int]) -> "SplitSettings":
        """Return the settings with the extents in ``point``, which replace earlier extents of the same dimensions."""
        return replace(self, dims={**self.dims, **point})

    def without_extents(self) -> "SplitSettings":
        """Return the settings without extents, input values and batch size, since these may be confidential."""
        return replace(self, dims={}, values={}, batch=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """The settings for writing a suite, apart from those for splitting networks."""

    name: str = "suite"
    seed: int = 0
    decoys: tuple[str, ...] = ()
    """Files, folders or patterns of public networks that are split as well, so that the suite does not disclose which
    networks the owner wants to measure."""
    pairs: bool = False
    """Whether each pair of adjacent sequences also becomes a benchmark, for estimates by the rule ``pairs``."""
    pack: bool = False
    """Whether the suite is an archive instead of a folder: ``.tar.xz`` if its path ends so, otherwise ``.tar.gz``."""
    jobs: int = 1
    executor: str = ""
    """Plug-in that reads the networks, as in ``NAME`` or ``NAME:ADDRESS`` (entry points ``dlbricks.executors``). If
    empty, ``jobs`` processes on this machine read the networks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileOptions:
    """The settings for profiling networks, which are measured at several levels of tracing."""

    run: RunOptions = field(default_factory=RunOptions)
    """Profiling uses the options of the runtime's session, ``seed`` for the order of calls, ``name`` of the system,
    ``budget_ns`` for all calls of a network, and ``force`` to replace profiles. Other fields have no effect."""
    sizes: SplitSettings = field(default_factory=SplitSettings)
    """Extents and input values of the networks; other settings have no effect."""
    levels: tuple[str, ...] | None = None
    """Levels of tracing: any of ``M``, ``ML`` and ``MLK`` (call, layers, kernels); None for all that are possible."""
    batches: tuple[int, ...] = ()
    """Batch sizes; empty for the batch size of the file."""
    calls: int = 30
    """Number of timed calls per level and batch size."""
    roofs: bool = True
    """Whether peak FLOP/s and bandwidth of the machine are measured, which takes seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemQuery:
    """A query for measured results in a store, by system and configuration; a None field matches every value."""

    system: str
    provider: str | None = None
    threads: int | None = None
    runtime: str | None = None
    """Name of the runtime, its version or both, as in ``onnxruntime 1.31.1``."""
    store: str | None = None
    """URL of a database, or a bundle as in ``bundle:systems.parquet``; None for the default store."""
    lowered_by: str | None = None
    """Name and version of the runtime that optimised the networks."""
    instruction_set: tuple[str, ...] | None = None
    """Instruction set of the machine that optimised the networks."""
