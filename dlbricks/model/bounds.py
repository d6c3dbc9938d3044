"""Enforces ``dlbricks.limits`` for networks and the processes that read them, before memory is allocated.

Processor time is limited by the operating system, since most of it is spent in libraries: a worker process that reads
files (``process_pool``) ends when it has used the time granted by ``allow``.
"""

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
# Objects; counting frozen ones takes longer than collections of fewer new ones.
_MUCH = 50_000


def enforce_limits(on_allowed: Callable[[float], None]) -> None:
    """Limit the time of this process from now on; ``on_allowed`` is called with each amount granted."""
    _on_allowed[:] = [on_allowed]


def allow(seconds: float) -> None:
    """Allow this process some processor time from now on; no effect in a process without limits."""
    if not _on_allowed:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    # the system counts whole seconds: one more, so that no time that was granted is lost
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    _on_allowed[0](seconds)


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Disable garbage collection inside the block, since collections walk networks, whose objects are all in use."""
    collects = gc.isenabled()
    # they took a fifth of the time of reading, and half of that of splitting
    gc.disable()
    try:
        yield
    finally:
        if collects:
            # much that was made is moved to the old objects: collections of the new ones would walk all of it, twice
            if gc.get_count()[0] > _MUCH and not gc.get_freeze_count():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


def allow_reading(layers: int) -> None:
    """Allow the processor time for reading a network with a number of layers."""
    allow(limits.READ_SECONDS + layers / limits.LAYERS_PER_SECOND)


def allow_weights(network: str, nbytes: int, folder: Path, *, layers: int) -> None:
    """Allow the processor time for reading a network with a number of layers and writing its synthetic weights.

    Raises:
        UnsupportedModelError: the weights exceed the free memory or disk space.
    """
    disk = shutil.disk_usage(folder).free
    for most, where in ((available_bytes(), "memory"), (disk, f"disk at {folder}")):
        if most is not None and nbytes > most:
            raise UnsupportedModelError(
                f"weights of {network} take {format_bytes(nbytes)}, more than the {format_bytes(most)} of {where} that "
                "are free"
            )
    allow(limits.READ_SECONDS + layers / limits.LAYERS_PER_SECOND + nbytes / limits.WRITTEN_PER_SECOND)


def allow_run(operations: int, seconds: float = limits.READ_SECONDS) -> float:
    """Allow the processor time for a run with a number of operations, plus ``seconds``; return the sum."""
    seconds += min(operations, 10**12) / limits.OPERATIONS_PER_SECOND
    allow(seconds)
    return seconds


class ProcessActivity(NamedTuple):
    """The activity of a process so far, in seconds; 0 if unknown."""

    used: float = 0.0
    """Time on a processor."""
    waited: float = 0.0
    """Time that it waited for a processor."""
    held: bool = False
    """Whether it runs now, waits for a processor or a disk, or is stopped (SIGSTOP, a debugger)."""

    def idle_since(self, before: "ProcessActivity") -> bool:
        """Return whether it used less than ``limits.IDLE_SECONDS`` since; threads that ended do not count."""
        most = max(abs(self.used - before.used), abs(self.waited - before.waited))
        return most < limits.IDLE_SECONDS and not self.held


def activity(process: int) -> ProcessActivity:
    """Return the activity of a process, and of its group if it leads one."""
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
    """Return the memory that counts against this process's limit; 0 if unknown."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - a path object would be longer
            return int(file.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


@contextlib.contextmanager
def memory_limit(nbytes: int, what: str) -> Iterator[None]:
    """Limit the additional memory of a process with limits during the block; no effect in any other.

    Raises:
        UnsupportedModelError: ``what`` exceeds the limit.
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
        raise UnsupportedModelError(f"{what} takes more than {format_bytes(nbytes)}") from error
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (least, most))


def check_sizes(path: Path, specs: Iterable[TensorSpec]) -> None:
    """Check that no tensor exceeds ``limits.TENSOR_BYTES``.

    Raises:
        UnsupportedModelError: a tensor does; the message names it.
    """
    for spec in specs:
        if max(spec.nbytes, spec.elements) > limits.TENSOR_BYTES:
            extents = "x".join(map(str, spec.shape))
            raise UnsupportedModelError(
                f"{path}: tensor '{spec.name}' of {spec.dtype} {extents} is larger than "
                f"{format_bytes(limits.TENSOR_BYTES)}, the limit"
            )


def too_many_operands(what: str, tensors: Collection[str]) -> str:
    """Return why a layer or sequence has too many inputs and outputs to be measured; empty if it has not."""
    if len(tensors) <= limits.OPERANDS:
        return ""
    return f"{what} has {len(tensors):,} inputs and outputs; at most {limits.OPERANDS:,} are measured"


def check_run(specs: Sequence[TensorSpec], memory_bytes: int | None) -> None:
    """Check that inputs and outputs of a run take at most half of a process's memory, since a run may copy them.

    Args:
        memory_bytes: memory limit of the process; None for ``limits.RUN_BYTES`` of inputs and outputs.

    Raises:
        UnsupportedModelError: they take more; the message names the largest tensor.
    """
    # a run may copy inputs and outputs once, so only half is theirs
    most = limits.RUN_BYTES if memory_bytes is None else memory_bytes // 2
    total = sum(spec.nbytes for spec in specs)
    if total > most:
        spec = max(specs, key=lambda spec: spec.nbytes)
        limit = "the limit" if memory_bytes is None else "half of --memory-limit"
        raise UnsupportedModelError(
            f"its inputs and outputs take {format_bytes(total)}, of which tensor '{spec.name}' of {spec.dtype} "
            f"{'x'.join(map(str, spec.shape))} takes {format_bytes(spec.nbytes)}, more than {format_bytes(most)}, "
            f"{limit}: give --memory-limit {-(-2 * total // 2**30)}g, or a smaller --batch or --dim"
        )
