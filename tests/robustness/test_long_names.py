"""Names in traces that patterns would take time with the square of: read in proportion to their length."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.plugins.training.shape_work import _convolves
from dlbricks.whatif.sources.hosts import _loads
from dlbricks.whatif.transforms.host import _is_pageable
from tests.robustness.driver import Limits, called

_LONG = {
    "data loaders": "dataloader" * 20_000,
    "convolutions": "_conv" * 40_000 + "!",
    "copies": "HtoD" * 50_000,
}
_PARTS = (
    *("dataloader", "DataLoader", "__next__", "iter", "## load_batch", "## wait_for_batch", "HtoD", "Pageable"),
    *("backward", "conv2d", "conv4d", "convolution", "_overrideable", "_relu", "_add_relu", "_conv", "x", " ", "!", ""),
)
_LOADING = re.compile(r"dataloader.*(__next__|iter)|## load_batch|## wait_for_batch", re.IGNORECASE)
_CONVOLVES = re.compile(r"(?!.*backward)(conv[123]d|\w*convolution(_overrideable|_relu|_add_relu)?|\w*_conv\w*)")
_PAGEABLE = re.compile(r"HtoD.*Pageable", re.IGNORECASE)


@pytest.mark.parametrize("name", _LONG)
def test_long_names_take_no_time(name: str, tmp_path: Path) -> None:
    """A name of 200 KB of a range, an operator, a kernel and a copy; each call took minutes."""
    plain = {"ph": "X", "name": _LONG[name], "dur": 5, "pid": 1, "tid": 1}
    shapes = {"Input Dims": [[4, 4], [4, 4]], "Input type": ["float", "float"]}
    device = {"correlation": 5, "stream": 7, "device": 0}
    events = [
        {**plain, "cat": "user_annotation", "ts": 10},
        {**plain, "cat": "cpu_op", "ts": 20, "args": shapes},
        {**plain, "cat": "cuda_runtime", "name": "cudaLaunchKernel", "ts": 21, "dur": 1, "args": {"correlation": 5}},
        {**plain, "cat": "kernel", "ts": 30, "args": device},
        {**plain, "cat": "gpu_memcpy", "ts": 40, "args": {**device, "correlation": 6}},
    ]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps({"schemaVersion": 1, "traceEvents": events}))
    calls: tuple[tuple[str | Path, ...], ...] = (("analyse", path), ("whatif", path, "--advise"))
    for call in calls:
        outcome = called(call, Limits(seconds=10))
        assert outcome.fine, (outcome.kind, outcome.seconds, outcome.reason)


@given(st.lists(st.sampled_from(_PARTS), max_size=6).map("".join))
def test_names_mean_what_they_meant(name: str) -> None:
    """The quick tests are the patterns that they stand for."""
    assert _loads(name) == (_LOADING.search(name) is not None)
    assert _convolves(name) == (_CONVOLVES.fullmatch(name) is not None)
    assert _is_pageable(name) == (_PAGEABLE.search(name) is not None)
