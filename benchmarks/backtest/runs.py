"""Predicts published runs on several GPUs from the published run of the same code on one.

``python benchmarks/whatif.py runs``: docs/data/whatif-runs.csv has what their authors say that they measured, in inputs
per second of all ranks together, and how many inputs a step has: of each rank that is parallel in data, and else of the
batch.

- DLPerf: Oneflow-Inc/DLPerf@c89430b, Apache-2.0, ``reports``: ResNet-50, BERT base (128 tokens) and a GPT of 498
  million parameters (2,048 tokens) on up to four nodes of eight V100, 100 Gbit/s between nodes.
- CS336: ``writeup/tables`` of dfrumkin/cs336-assignment2a1aa8 and ``artifacts/experiments/ch2`` of
  ShibukiZero/assignment2-systemsee5497, both MIT licence: a decoder of 2 billion parameters on two H100, with sums
  beside the backward pass; one GPU is the step with sums behind it less the time of these.

No operators of these runs are known. The step on one GPU is divided among the network's operators: those of
transformers by what they compute and move, others evenly. What is known of the code is in the cases: GPT computes its
forward pass again while it goes back, and sums again what ranks share; its gradients are halves; Megatron-LM sums them
when all are there.
"""

import csv
import dataclasses
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from archives import ROOT

from backtest.cases import BackTest
from backtest.operators import Row, graph_of_rows
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.whatif.graph import DependencyGraph, Phase
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

TABLE = ROOT / "docs" / "data" / "whatif-runs.csv"
NVLINK = {2: "25GB/s", 4: "50GB/s", 8: "150GB/s"}
"""Between the first so many V100 of a node, each way: rings of the links that the report's table of them shows."""
BETWEEN, NVLINK_OF_H100 = "100Gbps", "450GB/s"
"""Of nodes, as the report says; of an H100, each way."""
SUMMING = "data-parallel"
"""Way whose ranks have batches of their own."""
SMALL: Row = ("fill elementwise", 0.0, 0.0, 5_000.0, 0.0)
"""One kernel in ten of a step is small, which tells what a kernel takes at least."""
UPDATE: Row = ("multi_tensor_apply_kernel adam", 0.0, 0.0, 0.0, 0.0)
UPDATES = 100
SHARED_LOADER = "data-parallel, ranks share a loader"
"""ResNet-50 whose images are decoded by the processors that all GPUs of a node share."""
DECODED_ON_GPU = ("NGC", "DALI")
"""Parts of the names of codes that read images with DALI, as the report says."""
ALONE = "one"
"""Way of a run on one GPU."""
AGAIN_OF_SUMS = 0.5
"""Two of six sums of activations in a layer are those of the forward pass that is computed again."""


class Network(NamedTuple):
    """What is known of a network."""

    parameters: float
    layers: int
    width: int = 0
    """Of a transformer; 0 for other networks, whose operators are taken as equal."""
    tokens: int = 0
    again: float = 0.0
    """Share of the forward pass that is computed again."""
    activations: float = 0.0
    """Bytes of one input between layers, where they are cut."""
    update_ns: float = 0.0
    """What an update takes, where it is in the step and known."""


NETWORKS = {
    "ResNet-50": Network(25_557_032, 54),
    "BERT base": Network(110_106_428, 12, 768, 128),
    "GPT 498M": Network(498e6 / 2, 16, 1536, 2048, again=1.0, activations=2 * 2048 * 1536),
    "decoder xl": Network(1_998_235_200, 48, 1600, 256, update_ns=91.8e6),
}
"""Gradients of GPT are halves, so there are half as many bytes as of single precision."""


class Run(NamedTuple):
    """A row of the table."""

    source: str
    network: str
    code: str
    precision: str
    batch: int
    ranks: int
    way: str
    per_s: float


def runs() -> list[Run]:
    """Read the table."""
    with TABLE.open(encoding="utf-8") as file:
        return [
            Run(one["source"], one["network"], one["code"], one["precision"], int(one["batch"]), int(one["ranks"]),
                one["way"], float(one["per_s"]))
            for one in csv.DictReader(file)
        ]  # fmt: skip


def products(network: Network, inputs: int, single: bool) -> list[Row]:
    """Give the operators of a forward pass, with what a V100 would take for them by its roofs."""
    if not network.width:
        return [("gemm", 1.0, 1.0, 1.0, 0.0)] * network.layers
    tokens, width, size = inputs * network.tokens, network.width, 4 if single else 2
    name, dtype = ("sgemm", "float32") if single else ("hgemm", "float16")
    stated = gpu_peaks("Tesla V100-SXM2-16GB")

    def row(kind: str, flops: float, values: float, weights: float = 0.0) -> Row:
        moved = size * (values + weights)
        spent_s = flops / stated.flops_per_s[dtype] if flops else moved / (stated.bytes_per_s or 1.0)
        return kind, flops, moved, 1e9 * spent_s, size * weights

    def product(inner: int, outer: int) -> Row:
        return row(name, 2.0 * tokens * inner * outer, tokens * (inner + outer), inner * outer)

    attends = 2.0 * tokens * network.tokens * width
    scores = tokens * network.tokens * width / 64
    norm = row("layer_norm", 0.0, 2.0 * tokens * width)
    layer = [
        norm, product(width, 3 * width), row(name, attends, scores), row("softmax", 0.0, 2 * scores),
        row(name, attends, scores), product(width, width), norm, product(width, 4 * width),
        row("gelu elementwise", 0.0, 8.0 * tokens * width), product(4 * width, width),
    ]  # fmt: skip
    return layer * network.layers + [norm, product(width, 50_000)]


def step_of(one: Run, spent_ns: float, again: float) -> DependencyGraph:
    """Make a step of so long; its backward pass computes twice the forward pass, and a share of it again."""
    forward = products(NETWORKS[one.network], one.batch, one.precision == "FP32")
    times = 2 + again
    backward = [(n, times * f, times * m, times * spent, times * w) for n, f, m, spent, w in reversed(forward)]
    small = [SMALL] * (len(forward) // 10 + 1)
    rows: list[Row] = [*small, *forward, *small, *backward]
    passes = [len(small) + len(forward), len(small) + len(backward)]
    updates = [UPDATE] * UPDATES if NETWORKS[one.network].update_ns else []
    phases = np.repeat([int(Phase.FORWARD), int(Phase.BACKWARD), int(Phase.UPDATE)], [*passes, len(updates)])
    share, large = np.array([row[3] for row in rows]), np.array([row is not SMALL for row in rows])
    left_ns = spent_ns - share[~large].sum() - NETWORKS[one.network].update_ns
    own = np.where(large, share * (left_ns / share[large].sum()), share)
    own = np.append(own, np.full(len(updates), NETWORKS[one.network].update_ns / UPDATES))
    return dataclasses.replace(
        graph_of_rows([*rows, *updates]), phase=phases, duration_ns=np.rint(own).astype(np.int64)
    )


def asked(one: Run, at: Run) -> tuple[str, ...]:
    """Write what is asked of the run on one GPU."""
    network = NETWORKS[one.network]
    size = network.activations * at.batch
    if at.way == SUMMING:
        link = NVLINK_OF_H100 if one.source == "CS336" else NVLINK.get(at.ranks, BETWEEN)
        whole = ",size=1GB,first=1GB" if one.code == "Megatron-LM" else ""
        return (f"{at.way}:{at.ranks},bandwidth={link},parameters={network.parameters:.0f}{whole}",)
    sums = f"bandwidth={NVLINK[members(at)]},size={(1 + AGAIN_OF_SUMS) * size:.0f}B"
    return f"batch:{at.batch},from={one.batch}", f"{at.way},{sums}"


def members(at: Run) -> int:
    """Give how many ranks share a network."""
    return int(at.way.partition(":")[2])


def back_test(one: Run, at: Run) -> BackTest:
    """Predict one run on several GPUs."""
    *first, last = asked(one, at)
    graph = step_of(one, 1e9 * one.batch / one.per_s, NETWORKS[one.network].again)
    after = apply_all(graph, [read_step(each, all_transforms()) for each in (*first, last)])
    name, _, values = last.partition(":")
    alone = at.ranks if name == SUMMING else at.ranks // members(at)
    decodes = one.network == "ResNet-50" and not any(each in one.code for each in DECODED_ON_GPU)
    return BackTest(
        transform=f"{SHARED_LOADER if decodes else name}:{values}",
        case=f"{one.source}/{one.network}, {one.code}, {one.precision}, batch {at.batch}, {at.ranks} GPUs",
        before_ns=float(graph.duration_ns.sum()) * (at.batch / one.batch if first else 1),
        predicted_ns=float(run(after.graph, after.policy).makespan_ns),
        truth_ns=1e9 * at.batch * alone / at.per_s,
        knew="step times that authors publish" + "".join(f", {each} first" for each in first),
        kind="training on NVIDIA GPUs",
    )


def predicted() -> Iterator[BackTest]:
    """Predict each run from that of the same code, precision and, where there are several, batch on one GPU."""
    table = runs()
    for at in table:
        if at.way != ALONE:
            same = [one for one in table if one.way == ALONE and one[:4] == at[:4]]
            yield back_test(next((one for one in same if one.batch == at.batch), same[0]), at)
