"""Enforces ``dlbricks.limits`` for networks and the processes that read them, before memory is allocated."""

import contextlib
import gc
import os
import resource
import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dlbricks import limits
from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.machine import available_bytes
from dlbricks.model.types import TensorSpec
from dlbricks.units import format_bytes

_on_allowed: list[Callable[[float], None]] = []
# Number of new objects from which on they are moved to the old ones: for fewer, counting the frozen objects takes
# longer than a collection.
_MUCH = 50_000


def enforce_limits(on_allowed: Callable[[float], None]) -> None:
    """Limit the processor time of this process; calls of ``allow`` extend it, and ``on_allowed`` gets the seconds."""
    _on_allowed[:] = [on_allowed]


def allow(seconds: float) -> None:
    """Let this process use ``seconds`` more of processor time; without effect before ``enforce_limits``."""
    if not _on_allowed:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    # the system counts whole seconds: one is added, so that rounding down takes no granted time away
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    _on_allowed[0](seconds)


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Disable garbage collection inside a ``with`` statement."""
    collects = gc.isenabled()
    # collections took a fifth of the time of reading, and half of that of splitting
    gc.disable()
    try:
        yield
    finally:
        if collects:
            # freezing and unfreezing moves all objects to the oldest generation: collections of the younger
            # generations would visit each of them twice
            if gc.get_count()[0] > _MUCH and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def allow_reading(layers: int) -> None:
    """Let this process use more processor time: as much as reading a network of ``layers`` layers may take."""
    allow(limits.READ_SECONDS + layers / limits.LAYERS_PER_SECOND)


def allow_weights(network: str, nbytes: int, folder: Path, *, layers: int) -> None:
    """Let this process use the processor time for reading a network and writing ``nbytes`` of weights to ``folder``.

    Raises:
        UnsupportedModelError: the weights exceed the free memory, or the free space on the disk of ``folder``.
    """
    disk = shutil.disk_usage(folder).free
    for most, where in ((available_bytes(), "memory"), (disk, f"disk at {folder}")):
        if most is not None and nbytes > most:
            raise UnsupportedModelError(
                f"the weights of {network} take {format_bytes(nbytes)}, but only {format_bytes(most)} of {where} are "
                "free: free more, or use a larger machine"
            )
    allow(limits.READ_SECONDS + layers / limits.LAYERS_PER_SECOND + nbytes / limits.WRITTEN_PER_SECOND)


def allow_run(operations: int, seconds: float = limits.READ_SECONDS) -> float:
    """Let this process use ``seconds`` of processor time plus the time for ``operations``; return the sum, seconds."""
    seconds += min(operations, 10**12) / limits.OPERATIONS_PER_SECOND
    allow(seconds)
    return seconds


class ProcessActivity(NamedTuple):
    """Processor time of a process."""

    used: float = 0.0
    """Time on a processor, seconds."""
    waited: float = 0.0
    """Time of waiting for a processor, seconds."""
    held: bool = False
    """Whether the process runs, waits for a processor or a disk, or is stopped (SIGSTOP, a debugger)."""

    def idle_since(self, before: "ProcessActivity") -> bool:
        """Return whether the process used almost no time since ``before`` and is not ``held``."""
        # abs: the times of a thread that has ended leave the sum
        most = max(abs(self.used - before.used), abs(self.waited - before.waited))
        return most < limits.IDLE_SECONDS and not self.held


def activity(process: int) -> ProcessActivity:
    """Return the processor time of a process, or of the process group that it leads."""
    ticks = delay_ns = 0
    states: set[str] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # the process has ended
            fields = _fields(stat)
            if str(process) in {stat.parent.name, fields[2]}:
                ticks += sum(map(int, fields[11:15]))  # its own and that of its finished children
                for task in stat.parent.glob("task/*"):
                    states.add(_fields(task / "stat")[0])
                    delay_ns += int((task / "schedstat").read_text("ascii").split()[1])
    return ProcessActivity(ticks / os.sysconf("SC_CLK_TCK"), delay_ns / 1e9, not states.isdisjoint("RDTt"))


def _fields(stat: Path) -> list[str]:
    return stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()


def allocated_bytes() -> int:
    """Return the bytes that count against this process's limit of data memory (RLIMIT_DATA); 0 if unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - a path object would be longer
            return int(file.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


@contextlib.contextmanager
def memory_limit(nbytes: int, what: str) -> Iterator[None]:
    """Limit this process to ``nbytes`` of new memory inside the block; do nothing before ``enforce_limits``.

    Raises:
        UnsupportedModelError: the block needs more; the message begins with ``what``.
    """
    least, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = allocated_bytes() + nbytes
    # a tighter limit of the user stays
    if not _on_allowed or (least != resource.RLIM_INFINITY and least <= limit):
        yield
        return
    resource.setrlimit(resource.RLIMIT_DATA, (limit, most))
    try:
        yield
    except MemoryError as error:
        raise UnsupportedModelError(f"{what} takes more memory than the limit of {format_bytes(nbytes)}") from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (least, most))


def check_sizes(path: Path, specs: Iterable[TensorSpec]) -> None:
    """Raise ``UnsupportedModelError`` if a tensor exceeds ``limits.TENSOR_BYTES``, in bytes or in elements."""
    for spec in specs:
        if max(spec.nbytes, spec.elements) > limits.TENSOR_BYTES:
            extents = "x".join(map(str, spec.shape))
            raise UnsupportedModelError(
                f"{path}: tensor '{spec.name}' of {spec.dtype} {extents} is larger than "
                f"{format_bytes(limits.TENSOR_BYTES)}, the limit"
            )


def too_many_operands(what: str, tensors: Collection[str]) -> str:
    """Return why ``what``, a layer or sequence, has too many tensors to be measured; empty if it can be measured."""
    if len(tensors) <= limits.OPERANDS:
        return ""
    return f"{what} has {len(tensors):,} inputs and outputs; at most {limits.OPERANDS:,} are measured"


def check_run(specs: Sequence[TensorSpec], memory_bytes: int | None) -> None:
    """Check that the inputs and outputs of a network take at most half of the memory, since a run may copy them.

    Args:
        memory_bytes: memory limit of the process; None permits ``limits.RUN_BYTES`` of inputs and outputs.

    Raises:
        UnsupportedModelError: inputs and outputs take more; the message names the largest tensor.
    """
    # half: a run may copy inputs and outputs once
    most = limits.RUN_BYTES if memory_bytes is None else memory_bytes // 2
    total = sum(spec.nbytes for spec in specs)
    if total > most:
        spec = max(specs, key=lambda spec: spec.nbytes)
        limit = "the limit" if memory_bytes is None else "half of --memory-limit"
        raise UnsupportedModelError(
            f"inputs and outputs take {format_bytes(total)}, more than {limit} ({format_bytes(most)}): use a smaller "
            f"--batch or --dim, or --memory-limit {-(-2 * total // 2**30)}g (largest: '{spec.name}', {spec.dtype} "
            f"{'x'.join(map(str, spec.shape))}, {format_bytes(spec.nbytes)})"
        )
