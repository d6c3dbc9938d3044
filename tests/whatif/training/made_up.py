"""Training steps made up: a thread that launches, a stream, layers of a product, a normalisation, an activation."""

from collections.abc import Sequence
from typing import Any

from dlbricks.trace.types import Lane
from dlbricks.whatif.graph import DependencyGraph, EdgeKind, GraphBuilder, Phase, Schedule, TaskKind
from dlbricks.whatif.simulate import replay, schedule
from dlbricks.whatif.transform import Applied, apply_all, read_step
from dlbricks.whatif.transforms import known

HOST = Lane(process="1", name="thread 1")
STREAM = Lane(process="1", name="stream 7", device="gpu 0")
SIDE = Lane(process="1", name="stream 20", device="gpu 0")
KNOWN = known()

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
    """Give steps of forward, backward and update (two kernels for each layer), each kernel of 100 us; then a wait.

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
    """Give the graph after transforms."""
    return asked(graph, *texts).graph


def ran(applied: Applied) -> Schedule:
    """Give the schedule of a graph under its policy."""
    return replay(applied.graph) if applied.policy is None else schedule(applied.graph, applied.policy)


def names(graph: DependencyGraph, *kinds: TaskKind) -> list[str]:
    """Give the names of tasks of some kinds, in the order of the table."""
    return [
        graph.names[name] for name, kind in zip(graph.task_name, graph.kind, strict=True) if not kinds or kind in kinds
    ]
