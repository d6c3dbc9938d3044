"""What onnxruntime itself says about a network: the size of its arena, and the order in which it runs the layers."""

import contextlib
import functools
import json
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import onnxruntime

from dlbricks.harness.network import Bound
from dlbricks.harness.runtimes.onnxruntime import FIXED_OPTIONS
from dlbricks.harness.session import SessionSettings, open_session
from dlbricks.model.emit import (
    end_to_end_contract,
    end_to_end_inputs,
    end_to_end_network,
    network_bytes,
    write_weights,
)
from dlbricks.model.types import Model

_EXTENSION = re.compile(r"Extending BFCArena for Cpu\. .* num_bytes: (\d+)")
_INFO, _FATAL = 1, 4


def as_run(model: Model, *, reuses: bool = True, weights: Path | None = None) -> tuple[list[str], int]:
    """Return the names of the layers in the order of a profile, and the size of the arena.

    Synthetic weights lie in the folder ``weights``, if it is given, where they are written unless they are there. The
    first call records sizes and lifetimes, the second allocates the arena first. After each call the arena gives
    back what is free.
    """
    _own_arena()
    options = FIXED_OPTIONS | {"session.use_env_allocators": "1", "enable_mem_reuse": reuses}
    settings = SessionSettings(optimization="none", options=tuple(options.items()))
    run = onnxruntime.RunOptions()
    run.add_run_config_entry("memory.enable_memory_arena_shrinkage", "cpu:0")
    with (
        tempfile.TemporaryDirectory() as folder,
        _bound(model, settings, Path(folder) / "profile", weights or Path(folder)) as bound,
    ):
        bound.inference.run_with_iobinding(bound.binding, run)
        with tempfile.TemporaryFile() as log:
            with _logged_to(log.fileno()):
                bound.inference.run_with_iobinding(bound.binding, run)
            log.seek(0)
            extensions = _EXTENSION.findall(log.read().decode())
        events = json.loads(Path(bound.inference.end_profiling()).read_bytes())
    names = [event["name"] for event in events if event.get("cat") == "Node"]
    ran = [name.removesuffix("_kernel_time") for name in names if name.endswith("_kernel_time")]
    return ran[: len(ran) // 2], int(extensions[0]) if extensions else 0


@contextlib.contextmanager
def _bound(model: Model, settings: SessionSettings, profile: Path, folder: Path) -> Iterator[Bound]:
    network, weights = end_to_end_network(model)
    write_weights(folder, weights)
    session = open_session(network_bytes(network), folder, settings, profile=profile)
    yield Bound(session, end_to_end_contract(model), dict(end_to_end_inputs(model)))


@functools.cache
def _own_arena() -> None:
    # which grows by what it is asked for
    place = onnxruntime.OrtMemoryInfo(
        "Cpu", onnxruntime.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, onnxruntime.OrtMemType.DEFAULT
    )
    unlimited = {"max_mem": 0, "initial_chunk_size_bytes": -1, "max_dead_bytes_per_chunk": -1}
    onnxruntime.create_and_register_allocator(place, onnxruntime.OrtArenaCfg({**unlimited, "arena_extend_strategy": 1}))


@contextlib.contextmanager
def _logged_to(log: int) -> Iterator[None]:
    # the runtime writes to the streams of the process, not to Python's
    kept = os.dup(1), os.dup(2)
    os.dup2(log, 1)
    os.dup2(log, 2)
    onnxruntime.set_default_logger_severity(_INFO)
    try:
        yield
    finally:
        onnxruntime.set_default_logger_severity(_FATAL)
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        os.close(kept[0])
        os.close(kept[1])
