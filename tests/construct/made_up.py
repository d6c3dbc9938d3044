"""Compositions, results and models made by hand, for tests without networks."""

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from types import FrameType
from typing import Any

import msgspec
from hypothesis import strategies as st

from dlbricks.construct.types import Composition, CompositionPair, CompositionStep, Reuses
from dlbricks.model.types import Constant, Layer, Model, TensorSpec
from dlbricks.operators import table
from dlbricks.store.types import (
    CallOverheads,
    Measurement,
    QueueConstants,
    QueueTimes,
    SystemConfiguration,
    SystemResults,
)

CONFIGURATION = SystemConfiguration(system="here", runtime="onnxruntime 1.2.3", provider="cpu", threads=1)


def measurement(name: str, latency_ns: int, *, spread_ns: int = 0, wall_ns: int = 10**9) -> Measurement:
    """Make a stable measurement with a symmetric interval."""
    return Measurement(
        fingerprint=name,
        llc_warm_ns=latency_ns,
        weights_cold_ns=latency_ns,
        latency_ns=latency_ns,
        low_ns=latency_ns - spread_ns,
        high_ns=latency_ns + spread_ns,
        samples=100,
        verdict="stable",
        wall_ns=wall_ns,
    )


def results(latencies: Mapping[str, int], *, overhead_ns: int = 0, spread_ns: int = 0) -> SystemResults:
    """Make the results of one configuration from latencies by name."""
    return SystemResults(
        configuration=CONFIGURATION,
        call_overhead_ns=overhead_ns,
        measurements={name: measurement(name, ns, spread_ns=spread_ns) for name, ns in latencies.items()},
    )


def on_device(times: Mapping[str, QueueTimes], machine: QueueConstants) -> SystemResults:
    """Make the results of an asynchronous provider from times of host and device by name."""
    made = results(dict.fromkeys(times, 1))
    return dataclasses.replace(
        made,
        configuration=dataclasses.replace(CONFIGURATION, provider="cuda"),
        measurements={name: msgspec.structs.replace(made.measurements[name], queue=one) for name, one in times.items()},
        queue=machine,
    )


def in_states(made: SystemResults, states: Mapping[str, tuple[int, int]]) -> SystemResults:
    """Give measurements two different latencies: near, and constants from memory."""
    measured = {
        name: msgspec.structs.replace(one, llc_warm_ns=near, weights_cold_ns=constants)
        for name, one in made.measurements.items()
        for near, constants in (states.get(name, (one.latency_ns,) * 2),)
    }
    over = made.call_overhead_ns
    overheads = CallOverheads(llc_warm_ns=over, weights_cold_ns=over, hot_loop_ns=over)
    return dataclasses.replace(made, measurements=measured, overheads=overheads)


def placed(
    made: Composition, index: int, *, constants: Reuses = (), inputs: Reuses = (), outputs: Reuses = ()
) -> Composition:
    """Give one step reuse distances."""
    steps = list(made.steps)
    steps[index] = dataclasses.replace(steps[index], constants=constants, inputs=inputs, outputs=outputs)
    return dataclasses.replace(made, steps=tuple(steps))


def paired(made: Composition, *unions: tuple[int, int, str]) -> Composition:
    """Give a composition pairs of steps: their indices and the name of their union."""
    pairs = tuple(
        CompositionPair(first=first, second=second, fingerprint=name, constants=(), inputs=(), outputs=())
        for first, second, name in unions
    )
    return dataclasses.replace(made, pairs=pairs)


def composition(
    names: Sequence[str],
    edges: Sequence[tuple[int, ...]] | None = None,
    *,
    free: Sequence[int] = (),
    model: str = "made_up",
    target: str = "portable",
) -> Composition:
    """Make a composition of one-layer steps; without edges they form a chain."""
    waits = edges if edges is not None else [(index - 1,) if index else () for index in range(len(names))]
    return Composition(
        model=model,
        target=target,
        granularity="1",
        splitter="block",
        layers=len(names),
        steps=tuple(
            CompositionStep(
                fingerprint=name, name=name, layers=(f"layer{index}",), depends_on=waits[index], free=index in free
            )
            for index, name in enumerate(names)
        ),
    )


Operation = tuple[str, Sequence[str], Sequence[str]]
"""Operator, inputs, outputs; tensors whose names begin with ``c`` are constants, with ``x`` inputs of the graph."""


def network(
    operations: Sequence[Operation], nbytes: Mapping[str, int], *, outputs: Sequence[str], domain: str = ""
) -> Model:
    """Make a model; tensors that ``nbytes`` does not hold have 4096 bytes."""
    used = [name for _, inputs, made in operations for name in (*inputs, *made) if name]
    specs = {name: TensorSpec(name=name, dtype="uint8", shape=(nbytes.get(name, 4096),)) for name in used}
    return Model(
        name="made_up",
        layers=tuple(
            Layer(
                name=f"layer{index}",
                op_type=operator,
                domain=domain,
                since_version=1,
                attributes=(),
                inputs=tuple(inputs),
                outputs=tuple(made),
                is_view=table.operator(domain, operator).is_view,
            )
            for index, (operator, inputs, made) in enumerate(operations)
        ),
        inputs=tuple(name for name in specs if name.startswith("x")),
        outputs=tuple(outputs),
        tensors={name: spec for name, spec in specs.items() if not name.startswith("c")},
        constants={name: Constant(spec=spec) for name, spec in specs.items() if name.startswith("c")},
        opsets=(("", 20),),
    )


@st.composite
def networks(draw: st.DrawFn, *, longest: int = 12) -> Model:
    """Draw a network with forks, shared constants, views, overwriting operators, and intermediate outputs."""
    operations: list[Operation] = []
    known = ["x0", "x1"]
    for index in range(draw(st.integers(1, longest))):
        operator = draw(st.sampled_from(["MatMul", "Relu", "Reshape", "Gather", "Add"]))
        made = [f"t{index}"] if draw(st.booleans()) else [f"t{index}", f"u{index}"]
        inputs = [draw(st.sampled_from(known))]
        if operator in ("MatMul", "Add"):
            inputs.append(draw(st.sampled_from([*known, "c0", "c1", f"c{index + 2}"])))
        if operator == "Gather":
            inputs.insert(0, draw(st.sampled_from(["c0", "c1"])))
        if operator == "Reshape":
            made = made[:1]
        operations.append((operator, inputs, made))
        known += made
    names = {name for _, inputs, made in operations for name in (*inputs, *made)}
    sizes = {name: draw(st.sampled_from([1, 100, 4096, 5000, 20_000])) for name in sorted(names)}
    for operator, reads, writes in operations:
        if operator in ("Reshape", "Relu"):
            sizes[writes[0]] = sizes[reads[0]]
    outputs = draw(st.sets(st.sampled_from(known[2:]), max_size=2)) | {known[-1]}
    return network(operations, sizes, outputs=sorted(outputs))


def work_of(call: Callable[[], object]) -> int:
    """Return how many instructions of Python a call executes."""
    count = 0

    def note(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        count += event == "opcode"
        return note

    before = sys.gettrace()
    sys.settrace(note)
    try:
        call()
    finally:
        sys.settrace(before)
    return count
