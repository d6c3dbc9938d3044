"""Judges what products and convolutions gain by halves (``whatif.work``) beside DeepBench's measurements.

``python benchmarks/whatif.py products DEVICE SINGLE.csv HALF.csv``: sheets "Results FP32" and "Results - FP16 ip,
Mixed math" of ``results/train/DeepBench_NV_T4.xlsx`` or ``..._V100.xlsx`` (baidu-research/DeepBench, Apache-2.0), saved
as CSV, and the device's name, as in T4 or V100-SXM2. Prints by kind of product how far the halves' times are off,
predicted from those in single precision.
"""

import contextlib
import csv
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backtest.cases import GAIN_THAT_COUNTS
from dlbricks.whatif.work import half_gains

COLUMNS = {"forward": 13, "gradient of image": 14, "gradient of weights": 15}
"""Times of convolutions, ms."""


class Product(NamedTuple):
    """One product or convolution."""

    kind: str
    time_ns: float
    flops: float
    elements: float


def products(path: Path) -> Iterator[tuple[tuple[str, int], Product]]:
    """Read a sheet: products by kind and row."""
    part = ""
    with path.open(encoding="utf-8", newline="") as file:
        for place, row in enumerate(csv.reader(file)):
            part = row[0].partition(" ")[0] if row and row[0] else part
            try:
                if part == "Dense":
                    m, n, k = (float(cell) for cell in row[2:5])
                    yield (
                        ("product", place),
                        Product("product", float(row[8]) * 1e6, 2 * m * n * k, m * k + k * n + m * n),
                    )
                elif part == "Convolution":
                    yield from _convolutions(row, place)
            except (ValueError, IndexError):
                continue  # heads, remarks and empty rows


def _convolutions(row: list[str], place: int) -> Iterator[tuple[tuple[str, int], Product]]:
    width, height, channels, batch, filters, across, down = (float(cell) for cell in row[2:9])
    made = float(row[17]) * float(row[18]) * filters * batch
    weights = filters * channels * across * down
    elements = width * height * channels * batch + weights + made
    for kind, column in COLUMNS.items():
        time = 0.0
        with contextlib.suppress(ValueError):  # a dash where there is none
            time = float(row[column])
        if time > 0:
            flops = 2 * made * channels * across * down
            yield (kind, place), Product(f"convolution, {kind}", time * 1e6, flops, elements)


def print_errors(device: str, sheets: tuple[Path, Path]) -> None:
    """Print errors by kind of product, from sheets in single and in half precision."""
    single, half = (dict(products(sheet)) for sheet in sheets)
    both = [(single[key], half[key].time_ns) for key in single if key in half]
    for kind in dict.fromkeys(product.kind for product, _ in both):
        some = [(product, truth) for product, truth in both if product.kind == kind]
        times, flops, elements, truths = np.array([(*product[1:], truth) for product, truth in some]).T
        convolves = np.full(len(some), kind != "product")
        predicted = times / half_gains(device, flops, 4 * elements, times, convolves)
        errors = np.abs(predicted / truths - 1)
        slower = int(((predicted < times) & (truths > times * (1 + GAIN_THAT_COUNTS))).sum())
        off, most = np.quantile(errors, (0.5, 0.9))
        total = predicted.sum() / truths.sum() - 1
        print(f"{len(some)} of {kind}: median {off:.1%}, 90th percentile {most:.0%}, sum {total:+.0%}, {slower} slower")
