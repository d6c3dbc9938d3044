"""Results of suites as profiles: every traced benchmark is there, one after the other, and nothing else."""

import json
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.profile.open import read_any
from dlbricks.trace.read.onnxruntime import short_traces
from dlbricks.trace.types import NONE, Level
from tests.store.made_up_run import document, traced


def test_a_traced_run_is_one_call_of_all_benchmarks(tmp_path: Path) -> None:
    """Layers and kernels of each are there, parents kept, none begins before those of the one before have ended."""
    made = traced(document())
    (tmp_path / "r.json").write_text(json.dumps(made))
    profile = read_any(tmp_path / "r.json")
    (run,) = profile.runs
    traces = short_traces(made).values()
    assert (profile.network, run.levels, profile.system["name"]) == (
        made["suite"]["name"],
        "MLK",
        made["system"]["name"],
    )
    assert profile.notes[0].endswith(f"{len(traces)} of {len(traces)} benchmarks were traced")
    assert run.samples_ns == (sum(int(trace.end_ns.max()) for trace in traces),)
    assert len(run.trace) == 1 + sum(len(trace) - 1 for trace in traces)
    layers = run.trace.rows(Level.LAYER)
    layers = layers[run.trace.parent[layers] == 0]
    assert run.trace.column("index", layers).tolist() == list(range(len(layers)))
    kernels = run.trace.rows(Level.KERNEL)
    assert (run.trace.parent[kernels] != NONE).all()
    assert len(set(run.trace.correlation[kernels].tolist())) == len(kernels)
    ends = run.trace.end_ns[layers]
    assert (run.trace.start_ns[layers][1:] >= ends[:-1]).all()


def test_a_result_without_traces_says_how_to_get_them(tmp_path: Path) -> None:
    """As does a damaged one where to look."""
    made = document()
    (tmp_path / "r.json").write_text(json.dumps(made))
    with pytest.raises(InputError, match="is the result of a suite without traces: run it with --trace ML"):
        read_any(tmp_path / "r.json")
    del made["suite"]["manifest"]
    (tmp_path / "r.json").write_text(json.dumps(made))
    with pytest.raises(InputError, match="is a damaged result: 'dlbricks check' says"):
        read_any(tmp_path / "r.json")
