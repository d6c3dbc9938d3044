"""Predicts what autocast makes of the kernels of BERT on an RTX 3090 (``amp``), beside what a public table says.

``python benchmarks/whatif.py autocast FILE``: ``results/stage6_precision/profiling/kernel_comparison.json`` of
https://github.com/YichenCharlie/financial-text-inference at 7b77c95, which states no licence and is not part of this
repository: time and number of the kernels of a pass of bert-base-chinese over 512 tokens, by name, in single precision
and under autocast. They are put in the order of the network. The table has one row for 72 products of three shapes; it
is divided as one layer of the trace beside it (``fp32_trace.json``, from 511111789201.510 us on) took.
"""

import dataclasses
import json
import math
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path

from backtest.cases import KERNELS, BackTest
from backtest.operators import Row, graph_of_rows
from dlbricks.whatif.transform import apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

LAYERS, TOKENS, WIDTH, INNER = 12, 512, 768, 3072
EXPANDING_US, SHRINKING_US = 131.411, 152.438
"""Products from WIDTH to INNER and back, in one layer; the four from WIDTH to WIDTH take what is left of the row."""
ATTENTION = 4.0 * TOKENS * TOKENS * WIDTH, 4 * 4.0 * TOKENS * WIDTH
"""Operations and bytes of what is fused into one kernel, as a trace with shapes tells them."""
PRODUCTS = "ampere_sgemm"
LAYER = "p p p _efficient_attention_forward p add native_layer_norm expanding gelu shrinking add native_layer_norm"
"""Operators of one layer, in order; p: a product from WIDTH to WIDTH."""
AHEAD = "index_select index_select index_select add add_ native_layer_norm eq all"


def product(name: str, width: int, inner: int, spent_us: float) -> Row:
    """Give a product of all tokens with a matrix."""
    weights = 4.0 * width * inner
    return name, 2.0 * TOKENS * width * inner, weights + 4.0 * TOKENS * (width + inner), 1e3 * spent_us, weights


def kernels(table: list[dict[str, str | float]]) -> list[Row]:
    """Put the kernels of a table in the order of the network; what comes once is behind all layers."""
    made: dict[str, Row] = {}
    left: dict[str, list[Row]] = {}
    for row in table:
        name, count = str(row["kernel_name"]), round(float(row["kernels_per_forward"]))
        spent_us = 1e3 * float(row["kernel_ms_per_forward"])
        if name.startswith(PRODUCTS):
            square_us = (spent_us / LAYERS - EXPANDING_US - SHRINKING_US) / 4
            made["p"] = product(name, WIDTH, WIDTH, square_us)
            made["expanding"] = product(name, WIDTH, INNER, EXPANDING_US)
            made["shrinking"] = product(name, INNER, WIDTH, SHRINKING_US)
        else:
            flops, moved = ATTENTION if "Attention" in name else (math.nan, math.nan)
            one = (name, flops, moved, 1e3 * spent_us / count, 0.0)
            left.setdefault(str(row["operator"]).removeprefix("aten::"), []).extend(repeat(one, count))
    order = [*AHEAD.split(), *LAYER.split() * LAYERS]
    return [made.get(one) or left[one].pop() for one in order] + [one for some in left.values() for one in some]


def predicted(file: Path) -> Iterator[BackTest]:
    """Predict the pass."""
    table = json.loads(file.read_text(encoding="utf-8"))
    single, half = (table["results"][name] for name in ("fp32", "amp_fp16"))
    graph = dataclasses.replace(graph_of_rows(kernels(single["kernels"])), device=table["gpu"])
    yield BackTest(
        transform=f"amp{KERNELS}",
        case="RTX 3090/BERT, 512 tokens",
        before_ns=float(graph.duration_ns.sum()),
        predicted_ns=float(apply_all(graph, [read_step("amp", all_transforms())]).graph.duration_ns.sum()),
        truth_ns=1e6 * sum(half["group_kernel_ms_per_forward"].values()),
        knew="kernels by name and number; afterwards FlashAttention takes the place of another kernel",
        kind="inference on NVIDIA GPUs",
    )
