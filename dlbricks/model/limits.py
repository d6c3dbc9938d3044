"""The most that a file may ask for; checked before anything is allocated or expanded.

Processor time is bounded by the system, since what computes for long is seldom ours: a process that was set apart to
read files (``suite.workers``) ends when it has used up what ``allow`` gave it.
"""

import contextlib
import os
import resource
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import onnx

from dlbricks.errors import UnsupportedModelError
from dlbricks.harness.machine.facts import available_bytes
from dlbricks.model.types import TensorSpec
from dlbricks.units import format_bytes

TENSOR_BYTES = 64 << 30
"""Of one tensor; the largest weights of known networks take some 10 GiB."""
PROBE_INPUT_BYTES = 1 << 30
"""Of one input that has to be made so that a run tells shapes; caches of known decoders take an eighth of it."""
PROBE_BYTES = 3 << 29
"""Of memory that such a run may take, beside four times its inputs and some for its constants."""
PROBE_PER_WEIGHT = 16
"""Bytes of that for each byte of constants: a prompt of 512 tokens takes 2.9 GB where weights of 4 bits have 0.4."""
INFERENCE_BYTES = 1 << 30
"""Of memory that onnx may take to infer shapes, beside ``INFERENCE_PER_BYTE`` for each byte of the network."""
INFERENCE_PER_BYTE = 16
CALLS = 1_000_000
"""Operator calls of a network whose functions are inlined."""
BODIES = 10
"""Bodies of If, Loop and Scan within one another."""
TERMS = 200
"""Of an expression that names a dimension, as in ``past + seq``."""

READ_SECONDS = 12
"""Processor time to read a network of no size."""
LAYERS_PER_SECOND = 2000
"""By which a network's layers lengthen that; known networks need a tenth of it."""
WRITTEN_PER_SECOND = 200_000_000
"""Bytes of weights that are made up and written, by which that is lengthened."""
OPERATIONS_PER_SECOND = 1_000_000_000
"""By which arithmetic lengthens a run; a core does ten times as many without optimisations."""

WALL_PER_SECOND = 10
"""Seconds on the clock, for each that a process may compute, after which it hangs if it did not compute at all."""
IDLE_SECONDS = 0.1
"""Processor time that a process which hangs uses at most in that time."""

_on_allowed: list[Callable[[float], None]] = []


def contain(on_allowed: Callable[[float], None]) -> None:
    """Make this process one whose time is bounded; ``on_allowed`` hears how much it is given."""
    _on_allowed[:] = [on_allowed]


def allow(seconds: float) -> None:
    """Return a process that was set apart so much processor time from now on; nothing happens in any other."""
    if not _on_allowed:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    limit = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (limit if most == resource.RLIM_INFINITY else min(limit, most), most))
    _on_allowed[0](seconds)


def allow_reading(layers: int) -> None:
    """Allow what reading a network of so many layers may take."""
    allow(READ_SECONDS + layers / LAYERS_PER_SECOND)


def allow_weights(network: str, nbytes: int, folder: Path, *, layers: int) -> None:
    """Allow what reading a network of so many layers may take, and making up its weights in a folder.

    Raises:
        UnsupportedModelError: they are larger than the memory or the disk that is free.
    """
    disk = shutil.disk_usage(folder).free
    for most, where in ((available_bytes(), "memory"), (disk, f"disk at {folder}")):
        if most is not None and nbytes > most:
            raise UnsupportedModelError(
                f"weights of {network} take {format_bytes(nbytes)}, more than the {format_bytes(most)} of {where} that "
                "are free"
            )
    allow(READ_SECONDS + layers / LAYERS_PER_SECOND + nbytes / WRITTEN_PER_SECOND)


def allow_run(operations: int, seconds: float = READ_SECONDS) -> float:
    """Allow what one run of so much arithmetic may take, beside so much for all else; gives the seconds."""
    seconds += min(operations, 10**12) / OPERATIONS_PER_SECOND
    allow(seconds)
    return seconds


def used_seconds(process: int) -> float:
    """Return the processor time of a process, and of its group if it leads one; 0 where the system does not say."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            if str(process) in {stat.parent.name, fields[2]}:
                ticks += sum(map(int, fields[11:15]))  # of itself and of what ended below it
    return ticks / os.sysconf("SC_CLK_TCK")


def allocated_bytes() -> int:
    """Return what counts against this process's limit of memory; 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123 - a path object would be longer
            return int(file.read().split()[5]) * resource.getpagesize()
    except OSError:
        return 0


@contextlib.contextmanager
def within(nbytes: int, what: str) -> Iterator[None]:
    """Let a process that was set apart take so much more memory at most; nothing happens in any other.

    Raises:
        UnsupportedModelError: it took more, which is said of ``what``.
    """
    least, most = resource.getrlimit(resource.RLIMIT_DATA)
    limit = allocated_bytes() + nbytes
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


def see_sizes(path: Path, specs: Iterable[TensorSpec]) -> None:
    """See that no tensor is larger than any memory that it could be made in.

    Raises:
        UnsupportedModelError: one is; it is named.
    """
    for spec in specs:
        if max(spec.nbytes, spec.elements) > TENSOR_BYTES:
            extents = "x".join(map(str, spec.shape))
            raise UnsupportedModelError(
                f"{path}: tensor '{spec.name}' of {spec.dtype} {extents} is larger than {format_bytes(TENSOR_BYTES)}, "
                "the most that is read"
            )


def see_calls(model: onnx.ModelProto, path: Path) -> None:
    """See that functions which call functions do not expand without end.

    Raises:
        UnsupportedModelError: they call themselves, or make more calls than are read.
    """
    bodies = {(function.domain, function.name, function.overload): function.node for function in model.functions}
    counts: dict[tuple[str, str, str], int] = {}
    open_: list[tuple[str, str, str]] = list(bodies)
    waiting: set[tuple[str, str, str]] = set()
    while open_:
        key = open_[-1]
        called = [(node.domain, node.op_type, node.overload) for node in bodies[key]]
        left = [one for one in called if one in bodies and one not in counts]
        if key in counts or not left:
            counts.setdefault(key, 1 + sum(counts.get(one, 1) for one in called))  # itself: bodies may be empty
            waiting.discard(open_.pop())
        elif key in waiting and not waiting.isdisjoint(left):
            raise UnsupportedModelError(f"{path}: function {key[0]}.{key[1]} calls itself and cannot be inlined")
        else:
            waiting.add(key)
            open_ += left
    calls = sum(counts.get((node.domain, node.op_type, node.overload), 1) for node in model.graph.node)
    if calls > CALLS:
        raise UnsupportedModelError(f"{path}: its functions make {calls:,} operator calls; {CALLS:,} are read at most")
