"""Graphs made up for tests: steps of training, kernels with launches, layers of the host with operators and bytes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from dlbricks.trace.build import TraceBuilder
from dlbricks.trace.correlate import correlated
from dlbricks.trace.types import Lane, Level, Role, Trace, TraceClock
from dlbricks.whatif.edit import GraphBuilder, NewEdge, inserted
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, Phase, Schedule, TaskKind
from dlbricks.whatif.select import step_numbers
from dlbricks.whatif.simulate import replay, schedule
from dlbricks.whatif.sources import with_rendezvous
from dlbricks.whatif.transform import Applied, apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
SIDE = Lane(process="1", name="stream 20", device="gpu 0")
KNOWN = all_transforms()
PRODUCT, NORM, RELU = "volta_sgemm_64x64_nt", "cudnn::bn_fw_tr_1C11_kernel", "launch_clamp_scalar"
PRODUCT_BACK, NORM_BACK, RELU_BACK = "cudnn::wgrad_alg0_engine", "cudnn::bn_bw_1C11_kernel", "threshold_kernel"
ADD = "vectorized_elementwise_kernel<AddFunctor<float>>"
LAG = 5_000
"""From the start of a launch to that of its kernel, ns."""
MEGABYTE = 1_000_000


class Made:
    """Puts kernels with their launches into a graph."""

    def __init__(self, launch_ns: int = 10_000, kernel_ns: int = 100_000) -> None:
        """Begin with nothing.

        Args:
            launch_ns: of each launch.
            kernel_ns: of each kernel of which nothing else is said.
        """
        self.builder = GraphBuilder(name="made up")
        self._launch_ns, self._kernel_ns = launch_ns, kernel_ns

    def kernel(self, name: str, phase: Phase, time: int | None = None, layer: str | None = None, **figures: Any) -> int:
        """Add a launch and a kernel on the stream, and give the kernel."""
        return self.on(STREAM, TaskKind.KERNEL, name, phase, time, layer, **figures)

    def on(
        self, lane: Lane, kind: TaskKind, name: str, phase: Phase, time: int | None = None, layer: str | None = None,
        **figures: Any,
    ) -> int:  # fmt: skip
        """Add a launch and a device task on a lane, and give the device task."""
        call = self.builder.task(TaskKind.CPU, "cudaLaunchKernel", HOST, self._launch_ns, phase=phase, layer=layer)
        time = self._kernel_ns if time is None else time
        task = self.builder.task(kind, name, lane, time, phase=phase, layer=layer, **figures)
        self.builder.edge(EdgeKind.LAUNCH, call, task, LAG)
        return task


def training(
    steps: int = 2,
    layers: int = 3,
    launch_ns: int = 10_000,
    gradient: float = MEGABYTE,
    load_ns: int = 0,
    products: Sequence[str] = (PRODUCT, PRODUCT_BACK),
) -> DependencyGraph:
    """Return steps of forward, backward and update (two kernels for each layer), each kernel of 100 us; then a wait.

    Args:
        steps: how many.
        layers: of a product, a normalisation and an activation each.
        launch_ns: of each launch; above 100 us the host is what takes time.
        gradient: bytes of the gradient of each layer; 0 for not known.
        load_ns: of loading data at the begin of each step; 0 for none.
        products: names of kernels, forward and backward.
    """
    made = Made(launch_ns)
    for _ in range(steps):
        if load_ns:
            made.builder.task(TaskKind.DATA, "enumerate(DataLoader)", HOST, load_ns, phase=Phase.FORWARD)
        for layer in range(layers):
            for name in (products[0], NORM, RELU):
                made.kernel(name, Phase.FORWARD, layer=f"conv{layer}" if name == products[0] else None)
        for layer in reversed(range(layers)):
            made.kernel(RELU_BACK, Phase.BACKWARD)
            made.kernel(NORM_BACK, Phase.BACKWARD)
            figures: dict[str, Any] = {"gradient_bytes": gradient} if gradient else {}
            made.kernel(products[1], Phase.BACKWARD, layer=f"conv{layer}", **figures)
        for _ in range(2 * layers):
            made.kernel(ADD, Phase.UPDATE)
    made.builder.wait(made.builder.task(TaskKind.SYNCHRONISATION, "cudaDeviceSynchronize", HOST, 1_000), STREAM)
    return made.builder.built()


def asked(graph: DependencyGraph, *texts: str) -> Applied:
    """Apply transforms as from the command line."""
    return apply_all(graph, [read_step(text, KNOWN) for text in texts])


def after(graph: DependencyGraph, *texts: str) -> DependencyGraph:
    """Return the graph after transforms."""
    return asked(graph, *texts).graph


def ran(applied: Applied) -> Schedule:
    """Return the schedule of a graph under its policy."""
    return replay(applied.graph) if applied.policy is None else schedule(applied.graph, applied.policy)


def names(graph: DependencyGraph, *kinds: TaskKind) -> list[str]:
    """Return the names of tasks of some kinds, in the order of the table."""
    return [
        graph.names[name] for name, kind in zip(graph.task_name, graph.kind, strict=True) if not kinds or kind in kinds
    ]


NAN = float("nan")
OPERATORS = ("Conv", "Relu", "MatMul", "LayerNormalization", "Softmax", "Transpose", "Add", "Gelu", "Strange")


def layers(*rows: tuple[str, int, float, float, float], gap_ns: int = 0, calls: int = 1) -> DependencyGraph:
    """Return layers of the host, one after another: operator, duration, bytes read, bytes written, flops."""
    builder = GraphBuilder(name="network")
    clock = 0
    for _ in range(calls):
        first = clock
        for number, (operator, duration, read, written, flops) in enumerate(rows):
            builder.task(
                TaskKind.CPU, f"{operator.lower()}{number}", HOST, duration, layer=f"{operator.lower()}{number}",
                operator=operator, gap_ns=gap_ns, read_bytes=read, written_bytes=written, flops=flops,
                parameter_bytes=0.0, measured_start_ns=clock, measured_end_ns=clock + duration,
            )  # fmt: skip
            clock += duration + gap_ns
        builder.steps.append((first, clock))
    return replace(builder.built(), threads=1, batch=1)


def launched(names: Sequence[str], kernel_ns: int = 50, launch_ns: int = 10, lag_ns: int = 5) -> DependencyGraph:
    """Return kernels of the names, each launched by a call, and a call that waits for all of them."""
    builder = GraphBuilder(name="kernels")
    for number, name in enumerate(names):
        call = builder.task(TaskKind.CPU, "cudaLaunchKernel", HOST, launch_ns, layer=f"layer{number}")
        kernel = builder.task(TaskKind.KERNEL, name, STREAM, kernel_ns, layer=f"layer{number}")
        builder.edge(EdgeKind.LAUNCH, call, kernel, lag_ns)
    builder.wait(builder.task(TaskKind.SYNCHRONISATION, "cudaDeviceSynchronize", HOST, 1), STREAM)
    return builder.built()


@st.composite
def networks(draw: st.DrawFn, most: int = 8) -> DependencyGraph:
    """Draw a network of the host, bytes known or not."""
    known = draw(st.booleans())
    figure = st.integers(1, 10_000).map(float) if known else st.just(float("nan"))
    rows = st.tuples(st.sampled_from(OPERATORS), st.integers(1, 10_000), figure, figure, figure)
    drawn = draw(st.lists(rows, min_size=1, max_size=most))
    return layers(*drawn, gap_ns=draw(st.integers(0, 5)), calls=draw(st.integers(1, 2)))


def mixed() -> DependencyGraph:
    """A task of each kind, of 100, in layers a.0 and a.1 by turns, the first ones forward."""
    builder = GraphBuilder(name="mixed")
    for number, kind in enumerate(TaskKind):
        phase = Phase.FORWARD if number < 3 else Phase.BACKWARD
        builder.task(kind, f"task {kind.name}", HOST, 100, layer=f"a.{number % 2}", phase=phase)
    return builder.built()


def ranks(count: int, **figures: Any) -> DependencyGraph:
    """Return ranks that come to an all-reduce 1 ms after each other, and leave it 2 ms after the last has come."""
    builder = GraphBuilder(name="ranks")
    end = 1_000_000 * (count - 1) + 2_000_000
    for rank in range(count):
        lane = Lane(process=f"rank {rank}", name="stream 7", device=f"gpu {rank}")
        start = 1_000_000 * rank
        builder.task(
            TaskKind.COLLECTIVE, "ncclAllReduce_Sum_f32", lane, end - start, release_ns=start,
            measured_start_ns=start, measured_end_ns=end, **figures,
        )  # fmt: skip
    return with_rendezvous(builder.built())


def scalable() -> DependencyGraph:
    """A product in single and one in half precision, a kernel of memory, the quickest of all, and a copy."""
    builder = GraphBuilder(name="kernels")
    for name, duration in (
        ("sgemm", 2010),
        ("h884gemm_fp16", 2010),
        ("vectorized_elementwise_kernel", 2010),
        ("add", 10),
    ):
        builder.task(TaskKind.KERNEL, name, STREAM, duration)
    builder.task(TaskKind.COPY, "Memcpy HtoD", STREAM, 100)
    builder.task(TaskKind.CPU, "call", HOST, 100, gap_ns=50)
    return builder.built()


def convolving() -> DependencyGraph:
    """A dense and a depthwise convolution (9 products each), a pool and a product."""
    return layers(
        ("Conv", 1140, 4000, 4000, 2 * 500 * 1000),
        ("Conv", 760, 4036, 4000, 2 * 9 * 1000),
        ("GlobalAveragePool", 100, 4000, 400, 0),
        ("Gemm", 10, 400, 400, 0),
    )


def wired(graph: DependencyGraph, feeds: Mapping[str, Sequence[str]]) -> DependencyGraph:
    """Add edges from layer to layer within each call, by the layers that each reads from."""
    rows = {(step, graph.named(row)): row for row, step in enumerate(step_numbers(graph).tolist())}
    edges = [
        NewEdge(kind=EdgeKind.DATA, first=rows[step, source], second=row)
        for (step, name), row in rows.items()
        for source in feeds.get(name, ())
    ]
    return inserted(graph, (), edges).graph


class Machine:
    """Writes down what a machine of one GPU would have recorded."""

    def __init__(self, unix_offset_ns: int | None = None) -> None:
        """Begin with nothing, on a clock that may be compared with others."""
        self.builder = TraceBuilder(clock=TraceClock(name="test", unix_offset_ns=unix_offset_ns))
        self._count = 0

    def launch(
        self, lane: Lane, start: int, stream: Lane, begins: int, ends: int, name: str = "sgemm", *, call_ns: int = 10,
        kind: str = "kernel", call: str = "cudaLaunchKernel",
    ) -> None:  # fmt: skip
        """A call and what it launches."""
        self._count += 1
        add, number = self.builder.add, int(stream.name.split()[1])
        ours: dict[str, Any] = {"correlation": self._count}
        add(Level.LIBRARY, "runtime", call, lane, start, start + call_ns, role=Role.LAUNCH, **ours)
        add(Level.KERNEL, kind, name, stream, begins, ends, role=Role.EXECUTION, stream=number, **ours)

    def call(self, lane: Lane, start: int, end: int, name: str, kind: str = "runtime", stream: int = -1) -> None:
        """Any other call; with a stream, one that concerns event 3."""
        concerns: dict[str, Any] = {} if stream < 0 else {"event": 3, "stream": stream}
        self.builder.add(Level.LIBRARY, kind, name, lane, start, end, **concerns)

    def trace(self) -> Trace:
        """What was written, with parents."""
        return correlated(self.builder.built())
