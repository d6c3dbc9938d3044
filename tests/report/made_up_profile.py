"""Profiles to be shown: a small network on a CPU and, with kernels, on a GPU."""

import random
from collections.abc import Sequence
from typing import Any

from dlbricks.trace import kinds
from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.types import Lane, Level, LevelRun, Profile, Role, Roofs, Trace, TraceClock
from dlbricks.validate.types import Validation
from tests.trace.drawn import selected
from tests.validate.made_up_validation import validated, validation

HOST = Lane(process="host", name="thread 1")
STREAM = Lane(process="host", name="stream 7", device="gpu 0")
TYPES = ("Conv", "Relu", "Conv", "Add", "Relu", "MaxPool", "MatMul", "Softmax")
HEAVY = ("Conv", "MatMul")
ROOFS = Roofs(
    device="a machine",
    flops_per_s={"float32": 5e10, "int8": 1.5e11},
    copied_bytes_per_s=1.2e10,
    stated_flops_per_s={"float32": 7e10},
    stated_bytes_per_s=2e10,
    source="its maker",
)
_SLOWER = {"M": 0, "ML": 800, "MLK": 2_000}
"""What recording a layer adds, ns."""


def made_up_trace(levels: str = "ML", batch: int = 1, *, calls: int = 3, layers: int = 24, seed: int = 1) -> Trace:
    """Make calls of a network of convolutions and others; kernels are launched a little after their layer begins."""
    draw = random.Random(seed)  # noqa: S311
    made = TraceBuilder(clock=TraceClock(name="perf_counter"))
    now = 1_000
    for number in range(calls):
        begins, ends = [], []
        at = now + 2_000
        for index in range(layers):
            type_ = TYPES[index % len(TYPES)]
            begins.append(at)
            at += batch * (draw.randrange(80_000, 400_000) if type_ in HEAVY else draw.randrange(3_000, 30_000))
            ends.append(at)
            at += draw.randrange(200, 900) + _SLOWER[levels]
        call = made.add(Level.MODEL, kinds.CALL, "call", HOST, now, at + 500, index=number, batch=batch)
        for index in range(layers):
            row = _layer(made, call, index, begins[index], ends[index], batch)
            if levels == "MLK":
                _kernel(made, row, index, begins[index], ends[index], batch)
        now = at + 3_000
    trace = made.built()
    return selected(trace, trace.rows(Level.MODEL)) if levels == "M" else trace


def _moved(index: int, batch: int) -> int:
    return batch * (200_000 + 7_919 * (index * 37 % 400))


def layer_name(index: int) -> str:
    """Give the name of a layer; each reads from the one before and from the fifth before."""
    return f"/block{index // 8}/{TYPES[index % len(TYPES)].lower()}_{index}"


def _layer(made: TraceBuilder, call: int, index: int, start: int, end: int, batch: int) -> int:
    type_ = TYPES[index % len(TYPES)]
    moved = _moved(index, batch)
    inputs = " ".join(layer_name(at) for at in (index - 5, index - 1) if at >= 0)
    reads: dict[str, Any] = {"inputs": inputs} if inputs else {}
    return made.add(
        Level.LAYER,
        kinds.OPERATOR,
        layer_name(index),
        HOST,
        start,
        end,
        parent=call,
        **reads,
        index=index,
        type=type_,
        shape=f"float32[{batch},64,56,{index + 8}]",
        dtype="float32",
        provider="CPUExecutionProvider",
        flops=batch * (6_000_000 if type_ in HEAVY else 50_000),
        read_bytes=moved,
        written_bytes=moved // 2,
        parameter_bytes=moved // 10 if type_ in HEAVY else 0,
        activation_bytes=moved,
        output_bytes=moved // 2,
        memory_bytes=10_000_000 + 40_000 * index * batch,
        allocated_bytes=moved // 2,
        peak_bytes=12_000_000 + 40_000 * index * batch,
    )


def _kernel(made: TraceBuilder, layer: int, index: int, start: int, end: int, batch: int) -> None:
    type_, duration = TYPES[index % len(TYPES)], end - start
    moved = _moved(index, batch)
    launch = made.add(
        Level.LIBRARY,
        kinds.RUNTIME,
        "cudaLaunchKernel",
        HOST,
        start + duration // 10,
        start + duration // 5,
        role=Role.LAUNCH,
        parent=layer,
        correlation=layer,
    )
    made.add(
        Level.KERNEL,
        kinds.KERNEL,
        f"void {type_.lower()}_kernel<float, 128, 64>(Params)",
        STREAM,
        start + duration // 4,
        end - duration // 10,
        role=Role.EXECUTION,
        parent=launch,
        correlation=layer,
        flops=batch * (6_000_000 if type_ in HEAVY else 50_000),
        dram_read_bytes=moved,
        dram_write_bytes=moved // 2,
        occupancy=0.25 + 0.02 * (index % 30),
        stream=7,
        grid="80,1,1",
        block="256,1,1",
    )


def made_up_run(levels: str, batch: int = 1, *, calls: int = 5, layers: int = 24) -> LevelRun:
    """Make a run at one level; deeper levels take longer."""
    trace = made_up_trace(levels, batch, calls=calls, layers=layers)
    return LevelRun(
        batch=batch,
        levels=levels,
        samples_ns=tuple(trace.duration_ns[trace.rows(Level.MODEL)].tolist()),
        trace=trace,
    )


def made_up_profile(
    network: str = "small-net",
    levels: Sequence[str] = ("M", "ML"),
    batches: Sequence[int] = (1, 2),
    *,
    layers: int = 24,
    notes: tuple[str, ...] = (),
) -> Profile:
    """Make a profile of some levels and batches, with roofs."""
    return Profile(
        network=network,
        system={"name": "made-up", "cpu": "a processor"},
        runtime={"name": "onnxruntime", "version": "1.2.3", "provider": "CPUExecutionProvider", "threads": 1},
        runs=tuple(made_up_run(level, batch, layers=layers) for batch in batches for level in levels),
        roofs=ROOFS,
        notes=notes,
    )


def networks(figures: Sequence[tuple[str, int, int]]) -> Validation:
    """Make a validation from names, measured and estimated ns."""
    return validation([validated(name, measured, estimated, parts=["Conv"]) for name, measured, estimated in figures])
