"""Predicts training steps on four GPUs from one: ``data-parallel`` and ``tensor-parallel``.

``python benchmarks/whatif.py parallel FOLDER``: ``scripts/asplos/label`` of a copy of sitar-lab/NeuSight (ASPLOS 2025,
MIT licence). On an H100 it has tables of operators, forward and backward, of one layer of GPT-2 Large and GPT-3 XL, the
time of the whole on one GPU (Hugging Face, eager), and on four (Megatron-LM); both without the update. Where one
GPU was measured with another batch only, ``batch`` comes first. Of four A100-SXM4-40GB there is no run on one, so its
three are left out.
"""

import csv
import dataclasses
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtest.cases import BackTest
from backtest.operators import Row, graph_of_rows, operator
from dlbricks.whatif.graph import DependencyGraph, Phase
from dlbricks.whatif.simulate import run
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

GPU = "NVIDIA_H100_80GB_HBM3"
LINK = "bandwidth=450GB/s"
"""NVLink of an H100, each way, as its data sheet says."""
BY_HOST_NS = 10_000
"""Operators that launch nothing take some 7 us in these tables."""
PARAMETERS = 774_030_080
"""Of GPT-2 Large, whose head is its embedding."""
SIZES = {"gpt2_large-train-1024": 4 * 1024 * 1280, "gpt3_xl-train-2048": 4 * 2048 * 3072}
"""Bytes of one input's activations between layers."""


class Case(NamedTuple):
    """A run on four GPUs, and the one on a single GPU that it is predicted from."""

    network: str
    batch: int
    """Of one GPU; ranks that are parallel in data have a quarter of what all have."""
    truth: str
    way: str


CASES = (
    Case("gpt2_large-train-1024", 1, "4-dp4", "data-parallel"),
    Case("gpt2_large-train-1024", 4, "16-dp4", "data-parallel"),
    Case("gpt2_large-train-1024", 4, "4-tp4", "tensor-parallel"),
    Case("gpt2_large-train-1024", 4, "16-tp4", "tensor-parallel"),
    Case("gpt3_xl-train-2048", 1, "4-tp4", "tensor-parallel"),
)


def kernels(path: Path) -> tuple[list[Row], list[Row]]:
    """Read the kernels of a step: those of the forward pass, then those of the backward pass, of all layers."""
    layers = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))["num_layer"]
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    inside = [place for place, row in enumerate(rows) if "_h_0_" in row["Name"]]
    end = next(place for place, row in enumerate(rows) if row["Name"] == "transformer_ln_f")
    whole = rows[: inside[0]] + rows[inside[0] : end] * layers + rows[end:]
    ahead = [kernel(row, float(row["fw_latency"]), 1) for row in whole]
    back = [kernel(row, float(row["bw_latency"]) + float(row["acc_latency"]), 2) for row in reversed(whole)]
    forward, backward = ([one for one in some if one is not None] for some in (ahead, back))
    return forward, backward


def kernel(row: dict[str, str], spent_ms: float, times: int) -> Row | None:
    """Give what an operator launches in one pass, with so many times the work of the forward pass."""
    if spent_ms * 1e6 < BY_HOST_NS:
        return None
    name, flops, moved, _, weights = operator(row, 0.0) or ("copy", 0.0, 0.0, 0.0, 0.0)
    name = "tanh elementwise" if re.search("tanh|gelu", row["target"]) else name
    return name, times * flops, times * moved, spent_ms * 1e6, times * weights


def step_of(path: Path, measured_ns: float) -> DependencyGraph:
    """Make the graph of a step on one GPU, whose kernels together take what the step was measured to take."""
    forward, backward = kernels(path)
    graph = graph_of_rows([*forward, *backward])
    times = np.rint(graph.duration_ns * (measured_ns / graph.duration_ns.sum())).astype(np.int64)
    phases = np.repeat([int(Phase.FORWARD), int(Phase.BACKWARD)], [len(forward), len(backward)])
    return dataclasses.replace(graph, phase=phases, duration_ns=times)


def asked(case: Case, batch: int) -> tuple[str, ...]:
    """Write what is asked of the run on one GPU, for so many inputs of all ranks."""
    if case.way == "data-parallel":
        return (f"data-parallel:4,{LINK},parameters={PARAMETERS}",)
    more = () if batch == case.batch else (f"batch:{batch},from={case.batch}",)
    return (*more, f"{case.way}:4,{LINK},size={SIZES[case.network] * batch}B")


def measured_ns(folder: Path, name: str) -> float:
    """Read what forward and backward pass took."""
    told = json.loads((folder / GPU / f"{name}.json").read_text(encoding="utf-8"))
    return float(told["e2e_latency"]) * 1e6


def predicted(folder: Path) -> Iterator[BackTest]:
    """Predict each run."""
    for case in CASES:
        name = f"{case.network}-{case.batch}"
        batch = int(case.truth.partition("-")[0])
        one_ns = measured_ns(folder, name)
        *first, last = asked(case, batch)
        graph = step_of(folder / GPU / f"{name}.csv", one_ns)
        after = apply_all(graph, [read_step(one, all_transforms()) for one in (*first, last)])
        more = "".join(f", {one} first; before: as many inputs in smaller batches" for one in first)
        yield BackTest(
            transform=last,
            case=f"H100/{case.network}-{case.truth}",
            before_ns=float(graph.duration_ns.sum()) * (batch / case.batch if first else 1),
            predicted_ns=float(run(after.graph, after.policy).makespan_ns),
            truth_ns=measured_ns(folder, f"{case.network}-{case.truth}"),
            knew=f"the step on one GPU, and operators of one layer alone{more}; the four ran Megatron-LM's kernels",
            kind="training on NVIDIA GPUs",
        )
