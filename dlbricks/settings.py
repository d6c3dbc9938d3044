"""Settings of a split and conditions on a stored configuration, made once at the edges and handed through."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from dlbricks.harness.runtimes import RUNTIMES, USUAL

PORTABLE, BLOCK = "portable", "block"
# Names of all targets; other runtimes than onnxruntime have a target of their own name, whose lowering is a plug-in's.
TARGETS = (PORTABLE, "onnxruntime-cpu", "onnxruntime-cuda", *(name for name in RUNTIMES if name != USUAL))
SPLITTERS = (BLOCK, "paper")


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitSettings:
    """Everything besides a network's file that decides how the network is split."""

    granularity: str = "1"
    """H, the maximum number of layers in a sequence, as written by ``sequences.types.Granularity``. This, ``target``
    and ``splitter`` are empty to use those of a measured suite (``api.estimates.as_measured``)."""
    target: str = PORTABLE
    splitter: str = BLOCK
    dims: Mapping[str, int] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    """Values of inputs by name: numbers or truth values with commas, as in ``1,3,256,256``, or a file, ``.npy`` or
    ``.pb`` (a TensorProto)."""
    batch: int | None = None
    """Batch size, also where a file fixes one; None for that of the file and ``dims``."""
    threads: int = 1
    """Intra-op threads that a lowered graph is made for."""
    allow_values: tuple[str, ...] = ()
    """Names of layers that keep all their values."""
    passes: tuple[str, ...] = ()
    """A user's passes, applied in order to each network before all else; names as in ``passes.user.pass_of``."""

    @property
    def extents(self) -> tuple[str, ...]:
        """Options that state the extents, values of inputs and the batch size."""
        dims = (text for name, value in self.dims.items() for text in ("--dim", f"{name}={value}"))
        return (*dims, *self.value_options, *(("--batch", str(self.batch)) if self.batch else ()))

    @property
    def value_options(self) -> tuple[str, ...]:
        """Options that state the values of inputs."""
        return tuple(text for name, value in self.values.items() for text in ("--value", f"{name}={value}"))

    def at(self, point: Mapping[str, int]) -> "SplitSettings":
        """Return the settings with further or other extents."""
        return replace(self, dims={**self.dims, **point})

    def without_extents(self) -> "SplitSettings":
        """Return the settings without extents, values and batch size, which would tell about a network."""
        return replace(self, dims={}, values={}, batch=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """Settings of a suite besides those of the split."""

    name: str = "suite"
    seed: int = 0
    decoys: tuple[str, ...] = ()
    """Files, folders or patterns of public networks that are split, too, so that the suite does not disclose which
    networks are meant."""
    pairs: bool = False
    """Whether unions of adjacent sequences become benchmarks, too, for the composition rule ``pairs``."""
    pack: bool = False
    """Whether it is written as a ``.tar.gz``, or a ``.tar.xz`` if its path ends so, instead of a folder."""
    jobs: int = 1
    executor: str = ""
    """Plug-in that reads the networks, maybe on other machines, as in ``NAME`` or ``NAME:ADDRESS`` (entry points
    ``dlbricks.executors``); empty for ``jobs`` processes."""
    memory_bytes: int | None = None
    """Memory limit of a worker; None for the free memory of the machine."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemQuery:
    """Selects a stored configuration; a field that is None matches every value."""

    system: str
    provider: str | None = None
    threads: int | None = None
    runtime: str | None = None
    """Name and version, as in ``onnxruntime 1.31.1``, or one of them."""
    store: str | None = None
    """URL, or a bundle as in ``bundle:systems.parquet``; None for the default store."""
    lowered_by: str | None = None
    """Name and version of the runtime that lowered the networks."""
    instruction_set: tuple[str, ...] | None = None
    """Instruction set of the machine that lowered the networks."""
