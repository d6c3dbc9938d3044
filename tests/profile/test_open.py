"""Opening files: the kind follows from the content, and unknown ones are refused in one line."""

import gzip
import json
from pathlib import Path

import pytest

from dlbricks.errors import InputError
from dlbricks.harness.session import SessionSettings
from dlbricks.profile.experiment import profile_network
from dlbricks.profile.file import profile_bytes, write_profile
from dlbricks.profile.levels import level_session, subject_of
from dlbricks.profile.open import name_of, read_any
from dlbricks.trace.onnxruntime import short_traces
from dlbricks.trace.types import NONE, Level
from tests.profile.small import convolutions, plan
from tests.store.made_up_run import document, traced

CHROME = {
    "traceEvents": [
        {"ph": "X", "name": "outer", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 10.0, "dur": 9.5},
        {"ph": "X", "name": "inner", "cat": "cpu_op", "pid": 1, "tid": 1, "ts": 11.0, "dur": 2.25},
    ]
}


@pytest.mark.parametrize("name", ["p.json", "p.json.gz", "p"])
def test_profiles_of_ours_are_read(tmp_path: Path, name: str) -> None:
    """A profile is read back, compressed or not, whatever its name."""
    made = profile_network(convolutions(tmp_path), plan(), lambda _batch, _message: None)
    write_profile(tmp_path / name, made)
    assert profile_bytes(read_any(tmp_path / name)) == profile_bytes(made)


@pytest.mark.parametrize("compressed", [False, True])
def test_profiles_of_onnxruntime_are_read(tmp_path: Path, compressed: bool) -> None:
    """What a session with profiling wrote has its calls and layers."""
    subject = subject_of(convolutions(tmp_path), SessionSettings(), tmp_path, dims={}, batch=None)
    session = level_session(subject, "ML", tmp_path)
    session.bound.visit(3)
    path = Path(session.session.inference.end_profiling())
    if compressed:
        path = path.rename(path.with_suffix(".json.gz"))
        path.write_bytes(gzip.compress(path.read_bytes()))
    made = read_any(path)
    assert [run.levels for run in made.runs] == ["ML"]
    assert len(made.runs[0].samples_ns) == len(made.runs[0].trace.rows(Level.MODEL)) == 3


@pytest.mark.parametrize("compressed", [False, True])
def test_traces_of_others_are_read(tmp_path: Path, compressed: bool) -> None:
    """A trace in Chrome's JSON is a profile with one run."""
    data = json.dumps(CHROME).encode()
    path = tmp_path / "run.pt.trace.json"
    path.write_bytes(gzip.compress(data) if compressed else data)
    made = read_any(path)
    assert made.network == "run"
    assert [run.trace.names for run in made.runs] == [("outer", "inner")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\x08\x07\x12", "is not JSON"),
        (b'{"format": "dlbricks-submission", "schema_version": 2}', "is a damaged result"),
        (b'{"format": "dlbricks-suite", "schema_version": 2}', "is a file of format dlbricks-suite, not a profile"),
        (b'{"format":"dlbricks-advice","schema_version":2}', "is a file of format dlbricks-advice, not a profile"),
        (b'{"format": "dlbricks-profile", "schema_version": 1, "netw', "is truncated"),
        (gzip.compress(json.dumps(CHROME).encode(), mtime=0)[:20], "no key traceEvents"),
        (
            b'{"schema": "1.1.0-chakra.0.0.4", "pid": 1, "nodes": []}',
            "execution trace of PyTorch",
        ),
        (b'{"answer": 42}', "trace"),
    ],
)
def test_what_is_no_profile_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    """The message names the file and what is wrong with it."""
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        read_any(path)
    assert str(path) in str(caught.value)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    """Neither can be read."""
    for path in (tmp_path, tmp_path / "nowhere.json"):
        with pytest.raises(InputError, match="cannot read"):
            read_any(path)


@pytest.mark.parametrize(
    ("name", "plain"),
    [("a.profile.json.gz", "a"), ("worker0.pt.trace.json", "worker0"), ("b.json", "b"), (".json", ".json"), ("c", "c")],
)
def test_a_trace_is_named_after_its_file(name: str, plain: str) -> None:
    """Suffixes of the format are no part of its name."""
    assert name_of(Path(name)) == plain


def test_networks_are_sent_to_the_verb_that_profiles_them(tmp_path: Path) -> None:
    """The message has the command."""
    path = convolutions(tmp_path)
    with pytest.raises(InputError, match=r"is a network: make a profile of it with 'dlbricks profile .*small\.onnx -o"):
        read_any(path)


def test_a_traced_run_is_one_call_of_all_benchmarks(tmp_path: Path) -> None:
    """Layers and kernels of each are present with parents, and none starts before the previous benchmark ends."""
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
    with pytest.raises(InputError, match="is a result without traces: run the suite with --trace ML"):
        read_any(tmp_path / "r.json")
    del made["suite"]["manifest"]
    (tmp_path / "r.json").write_text(json.dumps(made))
    with pytest.raises(InputError, match="is a damaged result: run 'dlbricks check'"):
        read_any(tmp_path / "r.json")
