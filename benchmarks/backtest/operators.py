"""Predicts operators of transformers on one GPU from another (``device``), of another ``batch``, and fused.

``python benchmarks/whatif.py operators FOLDER``: ``scripts/asplos/label`` of a copy of sitar-lab/NeuSight (ASPLOS 2025,
MIT licence), a folder for each GPU with a table for each network. Operators that took more than 25 us count, forward
passes in single precision. What GPUs reach in the network that is judged, whatever its batch, is left out: the shares
of ``whatif.work`` that come from such operators are computed again from the other networks. Batches are
predicted on one GPU, larger from smaller, from all operators, with the bytes of weights, and networks as they are when
compiled (``fuse``) from those that are not.
"""

import ast
import csv
import dataclasses
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, permutations
from pathlib import Path
from unittest import mock

import numpy as np

from backtest.cases import GAIN_THAT_COUNTS, KERNELS, BackTest
from dlbricks.trace.gpus import gpu_peaks
from dlbricks.trace.types import NONE, Lane
from dlbricks.whatif.graph import DependencyGraph, TaskKind, graph_of, with_attributes
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms, scaling
from dlbricks.whatif.work import AttainedShares, attained_on

Row = tuple[str, float, float, float, float]
"""Kernel's name, operations, bytes, ns, bytes of weights."""
Tables = dict[str, dict[str, dict[str, Row]]]
"""Operators by network, GPU and name."""
COMPILED = "fuse:elementwise|normalisation|reduction|movement*"
"""What PyTorch's compiler is taken to do."""
LEAST_NS = 25_000
LONG_NS = 100_000
LEAST_INTENSITY = 60
"""Operations per byte of products that memory does not limit."""
FEWEST = 8
SWEPT = [attained_on(gpu) for gpu in ("P4", "P100", "T4", "V100", "A100", "L4")]
"""Their memory was measured apart from these networks."""
KINDS = (("softmax", "softmax"), ("norm|ln_", "layer_norm"), ("embed|wte|wpe", "embedding"), ("drop", ""),
         ("act|div|add|mul|gelu|tanh|pow|sub|relu|where|masked_fill", "elementwise"))  # fmt: skip


def operator(row: dict[str, str], least_ns: float = LEAST_NS) -> Row | None:
    """Read one operator; None for what is no kernel of a kind that is judged."""
    try:
        shapes, result = ast.literal_eval(row["input_shapes"]), ast.literal_eval(row["output_shape"])
    except (SyntaxError, ValueError):
        return None
    whole = isinstance(result, tuple) and result and all(isinstance(size, int) for size in result)
    spent = float(row["fw_latency"]) * 1e6
    if not whole or spent < least_ns:
        return None
    made, factors = math.prod(result), [shape for shape in shapes if len(shape) > 1]
    read = sum(math.prod(shape) for shape in factors)
    called = row["Name"].lower() if row["op"] == "call_module" else row["target"]
    if re.search("matmul|bmm|addmm", called) and len(factors) > 1:
        return "sgemm", 2.0 * made * factors[-2][-1], 4.0 * (read + made), spent, 0.0
    kind = next((name for pattern, name in KINDS if re.search(pattern, called)), None)
    if kind is None and row["op"] == "call_module" and factors:
        inner = factors[0][-1]
        weights = inner * result[-1]
        return "sgemm", 2.0 * made * inner, 4.0 * (read + weights + made), spent, 4.0 * weights
    return (kind, float(made), 4.0 * ((read or made) + made), spent, 0.0) if kind else None


def graph_of_rows(rows: list[Row]) -> DependencyGraph:
    """Make a stream of kernels."""
    names = tuple(dict.fromkeys(row[0] for row in rows))
    count = len(rows)
    columns = {name: np.zeros(count) for name in ("phase", "lane", "gap_ns", "release_ns")}
    columns |= {name: np.full(count, NONE) for name in ("layer", "operator", "span")}
    columns |= {name: np.zeros(0) for name in ("edge_from", "edge_to", "edge_kind", "edge_lag_ns")}
    columns |= {"wait_task": np.zeros(0), "wait_lane": np.zeros(0), "kind": np.full(count, TaskKind.KERNEL)}
    columns |= {
        "task_name": np.array([names.index(row[0]) for row in rows]),
        "duration_ns": np.array([r[3] for r in rows]),
    }
    figures = {
        "flops": [row[1] for row in rows],
        "read_bytes": [row[2] for row in rows],
        "written_bytes": np.zeros(count),
        "parameter_bytes": [row[4] for row in rows],
    }
    return graph_of("operators", lanes=(Lane(process="1", name="stream 7", device="gpu 0"),), names=names, layers=(),
                    operators=(), columns=columns, attributes=figures)  # fmt: skip


def attained_without(tables: Tables, left_out: str) -> dict[str, AttainedShares]:
    """Give what each GPU reaches, by its name, in all networks but those whose names begin so."""
    single, memory = defaultdict(list), defaultdict(list)
    for network, runs in tables.items():
        for gpu, rows in runs.items() if not network.startswith(left_out) else ():
            stated, chip = gpu_peaks(gpu), attained_on(gpu)
            for kind, flops, moved, spent, _ in rows.values():
                if spent < LONG_NS:
                    continue
                if kind == "sgemm" and flops / moved > LEAST_INTENSITY:
                    single[chip].append(flops / spent * 1e9 / stated.flops_per_s["float32"])
                elif kind in ("softmax", "elementwise"):
                    memory[chip].append(moved / spent * 1e9 / (stated.bytes_per_s or math.nan))
    again = {chip: dataclasses.replace(chip, single=float(np.median(shares))) for chip, shares in single.items()}
    for chip, one in again.items():
        if chip not in SWEPT:
            again[chip] = dataclasses.replace(one, memory=float(np.median(memory[chip])))
    return {gpu: again.get(attained_on(gpu), attained_on(gpu)) for runs in tables.values() for gpu in runs}


def read(folder: Path, least_ns: float) -> Tables:
    """Read the operators that took so long."""
    tables: Tables = defaultdict(dict)
    for path in sorted(folder.glob("*/*.csv")):
        with path.open(encoding="utf-8") as file:
            rows = {row["Name"]: made for row in csv.DictReader(file) if (made := operator(row, least_ns)) is not None}
        tables[path.stem][path.parent.name.replace("_", " ")] = rows
    return tables


def batches(tables: Tables) -> Iterator[BackTest]:
    """Predict all operators of each larger batch that a GPU computed from each smaller one."""
    sizes: dict[str, list[int]] = defaultdict(list)
    for network in tables:
        name, _, batch = network.rpartition("-")
        sizes[name].append(int(batch))
    for name, each in sizes.items():
        for small, large in combinations(sorted(each), 2):
            first, second = (tables[f"{name}-{batch}"] for batch in (small, large))
            for gpu in sorted(first.keys() & second.keys()):
                both = [one for one in first[gpu] if one in second[gpu]]
                if len(both) < FEWEST:
                    continue
                graph = graph_of_rows([first[gpu][one] for one in both])
                step = read_step(f"batch:{large},from={small}", all_transforms())
                yield BackTest(
                    transform=f"batch{KERNELS}:{large},from={small}",
                    case=f"{gpu}/{name}",
                    before_ns=large / small * sum(first[gpu][one][3] for one in both),
                    predicted_ns=float(apply_all(graph, [step]).graph.duration_ns.sum()),
                    truth_ns=sum(second[gpu][one][3] for one in both),
                    knew="operators of the smaller batch, timed alone; before: as many inputs in smaller batches",
                    kind=f"inference on {'AMD' if gpu.startswith('AMD') else 'NVIDIA'} GPUs",
                )


def fusions(folder: Path) -> Iterator[BackTest]:
    """Predict compiled networks from their operators one by one: passes that follow each other are fused.

    A table has one of a network's layers, and what comes before and behind all of them.
    """
    for path in sorted(folder.glob("*/*-fusion.json")):
        plain = path.with_name(path.name.replace("-fusion", ""))
        whole = json.loads(plain.read_text(encoding="utf-8"))
        with plain.with_suffix(".csv").open(encoding="utf-8") as file:
            rows = [(row["Name"], operator(row, 0.0)) for row in csv.DictReader(file)]
        begin = next(place for place, (name, _) in enumerate(rows) if re.search("(layer|h)_0_", name))
        end = next(place for place, (name, _) in enumerate(rows) if place > begin and re.search("pooler|ln_f", name))
        layer = [one for _, one in rows[begin:end] if one is not None]
        written = np.array([0.0 if one[0] == "sgemm" else 4 * one[1] for one in layer])
        read = np.maximum([one[2] for one in layer] - written, 0.0)
        graph = with_attributes(graph_of_rows(layer), written_bytes=written, read_bytes=read)
        after = apply_all(graph, [read_step(COMPILED, all_transforms())]).graph
        rest = sum(one[3] for _, one in rows[:begin] + rows[end:] if one is not None)
        took, takes = (rest + whole["num_layer"] * float(one.duration_ns.sum()) for one in (graph, after))
        before = whole["e2e_latency"] * 1e6
        yield BackTest(
            transform=COMPILED.replace("fuse", f"fuse{KERNELS}"),
            case=f"{path.parent.name.replace('_', ' ')}/{plain.stem}",
            before_ns=before,
            predicted_ns=before * takes / took,
            truth_ns=json.loads(path.read_text(encoding="utf-8"))["e2e_latency"] * 1e6,
            knew="operators of one layer, timed alone; the whole, eager",
            kind="inference on NVIDIA GPUs",
        )


def predicted(folder: Path) -> Iterator[BackTest]:
    """Predict larger batches and compiled networks."""
    yield from batches(read(folder, 0.0))
    yield from fusions(folder)


def print_devices(folder: Path) -> None:
    """Print the errors of ``device`` over all ordered pairs of GPUs that ran the same network."""
    tables = read(folder, LEAST_NS)
    errors, wrong = [], []
    for network, runs in tables.items():
        attained = attained_without(tables, network.partition("-")[0])
        for begin, end in permutations(runs, 2):
            both = [name for name in runs[begin] if name in runs[end]]
            if len(both) < FEWEST:
                continue
            graph = graph_of_rows([runs[begin][name] for name in both])
            step = read_step(f"device:from={begin},to={end}", all_transforms())
            with mock.patch.object(scaling, "attained_on", attained.__getitem__):
                after_ns = float(apply_all(graph, [step]).graph.duration_ns.sum())
            truth, before = (sum(runs[gpu][name][3] for name in both) for gpu in (end, begin))
            errors.append(abs(after_ns / truth - 1))
            if abs(1 - truth / before) > GAIN_THAT_COUNTS and (before - truth) * (before - after_ns) < 0:
                wrong.append(abs(1 - truth / before))
    median, percentile, worst = np.percentile(errors, (50, 90, 100)) * 100
    print(f"{len(errors)} pairs: median {median:.1f} %, 90th percentile {percentile:.1f} %, worst {worst:.1f} %")
    print(f"{len(wrong)} wrong signs, of changes of at most {100 * max(wrong, default=0):.0f} %")
