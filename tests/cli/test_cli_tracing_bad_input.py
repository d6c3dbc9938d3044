"""Bad traces, bad profiles and missing rights from the command line: named in one line, with what is still possible."""

import dataclasses
import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from dlbricks.api.diagnosis import diagnose
from dlbricks.harness.trace.cupti import REMAINS, CuptiStatus, reason, why_not
from tests.cli.invoking import Run
from tests.profile.small import convolutions

Event = dict[str, Any]
QUICK = ("--calls", "2", "--no-roofs")
READERS = (("analyse",), ("report", "-o", "page.html"), ("export", "-o", "made.trace", "--format", "chrome"))
"""Verbs that read profiles and traces, with what else they need."""


def event(category: str, name: str, start_us: float, duration_us: float, **args: Any) -> Event:
    """Make an event of a Kineto trace; what runs on a device lies on a stream of it."""
    device = category == "kernel"
    place = {"pid": 0, "tid": 7} if device else {"pid": 11, "tid": 12}
    more = {"device": 0, "stream": 7} if device else {}
    return {"ph": "X", "cat": category, "name": name, **place, "ts": start_us, "dur": duration_us,
            "args": {**more, **args}}  # fmt: skip


def recorded(*, kernels_at_us: float = 40, second: int | None = 8) -> list[Event]:
    """Make a recording of two operators, each of which launches a kernel; the second one's number can be lost."""
    numbered = {} if second is None else {"correlation": second}
    return [
        event("cpu_op", "aten::conv2d", 0, 100),
        event("cuda_runtime", "cudaLaunchKernel", 10, 5, correlation=7),
        event("kernel", "conv_kernel", kernels_at_us, 30, correlation=7),
        event("cpu_op", "aten::relu", 120, 50),
        event("cuda_runtime", "cudaLaunchKernel", 130, 5, correlation=8),
        event("kernel", "relu_kernel", kernels_at_us + 100, 20, **numbered),
    ]


def text_of(events: Sequence[Event]) -> str:
    """Write a Kineto trace."""
    return json.dumps({"schemaVersion": 1, "traceEvents": list(events)})


def runtime_event(name: str, category: str, start_us: int, duration_us: int, **args: Any) -> Event:
    """Make an event of onnxruntime's profile."""
    return {
        "cat": category,
        "pid": 1,
        "tid": 1,
        "dur": duration_us,
        "ts": start_us,
        "ph": "X",
        "name": name,
        "args": args,
    }


def runtime_profile(calls: int) -> list[Event]:
    """Make a profile of onnxruntime in which a convolution ran in every call."""
    made = [runtime_event("model_loading_array", "Session", 0, 10)]
    for call in range(calls):
        at = 100 + 1000 * call
        shapes = {"input_type_shape": [], "output_type_shape": [{"float": [1, 4]}]}
        sizes = {"output_size": "16", "parameter_size": "0", "activation_size": "16", "node_index": "0"}
        made += [
            runtime_event("conv_kernel_time", "Node", at + 10, 50, op_name="Conv", provider="CPUExecutionProvider",
                          **shapes, **sizes),
            runtime_event("SequentialExecutor::Execute", "Session", at + 5, 80),
            runtime_event("model_run", "Session", at, 100),
        ]  # fmt: skip
    return made


def one_line(stderr: str) -> str:
    """Give the error, which is one line that tells what to do."""
    (line,) = [line for line in stderr.splitlines() if line.startswith("error: ")]
    assert "Traceback" not in stderr
    return line


@pytest.mark.parametrize("packed", [False, True])
def test_a_truncated_trace_gives_what_is_before(dlbricks: Run, tmp_path: Path, packed: bool) -> None:
    """The events before the cut are analysed, and it is said that the rest is lost."""
    text = text_of(recorded()).encode()
    content = gzip.compress(text, mtime=0)[:-15] if packed else text[:-150]
    path = tmp_path / f"cut.json{'.gz' if packed else ''}"
    path.write_bytes(content)
    result = dlbricks("analyse", str(path), "--only", "A8,A2")
    assert result.stderr.count("ends early") == 1
    wrong = one_line(dlbricks("analyse", str(path), "--batch", "4", code=2).stderr)
    assert wrong.endswith("has no runs of batch 4: it states no batch size")
    assert "conv_kernel" in result.stdout
    assert "relu_kernel" not in result.stdout
    dlbricks("report", str(path), "-o", "page.html")
    assert "ends early" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("kept", "device"), [(2, "Tesla V100"), (3, ""), (4, "")])
def test_a_truncated_trace_without_all_work_of_its_device_is_refused(
    dlbricks: Run, tmp_path: Path, kept: int, device: str
) -> None:
    """Profilers write operators first, and then device work not in order of time: no step of the rest is whole."""
    events = sorted(recorded(), key=lambda event: event["cat"] != "cpu_op")[:kept]
    head = {"schemaVersion": 1, **({"deviceProperties": [{"name": device}]} if device else {})}
    text = json.dumps({**head, "traceEvents": events})
    (tmp_path / "cut.json").write_text(text[:-2])
    for verb in ("analyse", "whatif"):
        line = one_line(dlbricks(verb, str(tmp_path / "cut.json"), code=2).stderr)
        assert line.endswith(
            f"cut.json ends early, and work of its {device or 'devices'} is lost: copy or record it again"
        )
    (tmp_path / "cut.json").write_text(text)
    dlbricks("analyse", str(tmp_path / "cut.json"))


def test_times_of_two_clocks_are_named(dlbricks: Run, tmp_path: Path) -> None:
    """Kernels that ran an hour before they were launched were read from another clock; durations can still be had."""
    (tmp_path / "clocks.json").write_text(text_of(recorded(kernels_at_us=-3.6e9)))
    result = dlbricks("analyse", "clocks.json", "--only", "A8")
    assert "two unrelated clocks" in result.stderr
    assert "durations" in result.stderr
    assert "30 us" in result.stdout


def test_clocks_that_cannot_be_compared_are_not_joined(dlbricks: Run, tmp_path: Path) -> None:
    """Traces of two clocks without a common origin are exported beside each other, and refused on one line of time."""
    (tmp_path / "a.json").write_text(text_of(recorded()))
    (tmp_path / "b.json").write_text(json.dumps(runtime_profile(2)))
    dlbricks("export", "a.json", "b.json", "-o", "both.json")
    assert (tmp_path / "both.json").exists()
    line = one_line(dlbricks("export", "a.json", "b.json", "--joined", "-o", "one.json", code=2).stderr)
    assert "'kineto'" in line
    assert "'onnxruntime'" in line
    assert not (tmp_path / "one.json").exists()


@pytest.mark.parametrize("out", ["out.json", "out.jsonl", "out.json.gz"])
def test_bad_traces_are_exported_with_a_word(dlbricks: Run, tmp_path: Path, out: str) -> None:
    """Negative and empty spans, lost numbers and foreign clocks do not stop an export; each is told on stderr."""
    odd = [*recorded(kernels_at_us=-3.6e9, second=None), event("cpu_op", "aten::odd", 200, -20)]
    (tmp_path / "odd.json").write_text(text_of(odd))
    result = dlbricks("export", "odd.json", "-o", out)
    for word in ("end before they start", "length 0", "without a launch", "two unrelated clocks"):
        assert word in result.stderr
    assert (tmp_path / out).stat().st_size > 0


def test_missing_correlation_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """A kernel without the number of its launch has its time and no layer; the others are not touched."""
    (tmp_path / "lost.json").write_text(text_of(recorded(second=None)))
    result = dlbricks("analyse", "lost.json", "--only", "A8", "--json")
    assert "without a launch" in result.stderr
    (table,) = json.loads(result.stdout)["profiles"][0]["tables"]
    columns = {column["name"]: column["cells"] for column in table["columns"]}
    layers = dict(zip(columns["kernel"], columns["layer"], strict=True))
    assert layers == {"conv_kernel": "aten::conv2d", "relu_kernel": None}


def test_a_trace_without_any_launch_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """Where no launch was recorded kernels cannot be given to layers; their own times can be had."""
    (tmp_path / "alone.json").write_text(text_of([one for one in recorded() if one["cat"] == "kernel"]))
    result = dlbricks("analyse", "alone.json", "--only", "A10,A11")
    assert "no launch was recorded" in result.stderr
    assert "conv_kernel" in result.stdout


@pytest.mark.parametrize(("duration_us", "word"), [(0, "length 0"), (-20, "end before they start")])
def test_spans_of_no_or_negative_length_are_named(dlbricks: Run, tmp_path: Path, duration_us: float, word: str) -> None:
    """They count in every number and in no time; no time of any table is negative."""
    (tmp_path / "odd.json").write_text(text_of([*recorded(), event("cpu_op", "aten::odd", 200, duration_us)]))
    result = dlbricks("analyse", "odd.json", "--json")
    assert word in result.stderr
    made = json.loads(result.stdout)["profiles"][0]["tables"]
    cells = [
        cell
        for table in made
        for column in table["columns"]
        if column["name"] in {"latency_ns", "busy_ns", "latency_percent"}
        for cell in column["cells"]
    ]
    assert cells
    assert all(cell is None or cell >= 0 for cell in cells)


def test_a_profile_cut_by_its_event_limit_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """The runtime's own word that it dropped events is passed on; whole calls are analysed."""
    cut = runtime_event("profile_truncated", "Session", 0, 0, max_num_events="1000000", dropped_event_count="41")
    (tmp_path / "limit.json").write_text(json.dumps([*runtime_profile(2), cut]))
    result = dlbricks("analyse", "limit.json", "--only", "A2")
    assert "limit of 1000000 events" in result.stderr
    assert "profile fewer calls" in result.stderr
    assert "Conv" in result.stdout


def test_a_profile_of_the_runtime_that_breaks_off_is_named(dlbricks: Run, tmp_path: Path) -> None:
    """A session that was killed leaves no end; calls that were recorded whole are analysed."""
    whole = ",\n".join(json.dumps(one) for one in runtime_profile(3))
    (tmp_path / "killed.json").write_text(f"[\n{whole[:-60]}")
    result = dlbricks("analyse", "killed.json", "--only", "A1,A2")
    assert "is truncated" in result.stderr
    assert "Conv" in result.stdout


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("absent.json", None, "cannot read"),
        ("empty.json", b"", "is empty"),
        ("noise.json", b"\x00\x01\x02", "not JSON"),
        ("other.json", b'{"figures": [1, 2]}', "traceEvents"),
        ("hollow.json", b'{"traceEvents": []}', "record the trace again"),
        ("marks.json", b'{"traceEvents": [{"ph": "M", "name": "process_name", "pid": 1, "args": {}}]}', "no spans"),
        ("half.json.gz", gzip.compress(b'{"traceEvents": [', mtime=0)[:14], "half.json.gz"),
        ("suite.json", b'{"format": "dlbricks-suite", "schema_version": 2}', "not a profile"),
        ("newer.json", b'{"format": "dlbricks-profile", "schema_version": 99}', "99"),
    ],
)
def test_files_that_are_no_profile(
    dlbricks: Run, tmp_path: Path, reader: Sequence[str], name: str, content: bytes | None, word: str
) -> None:
    """What cannot be read at all ends with exit code 2 and a line that names the file; nothing is written."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    line = one_line(dlbricks(reader[0], name, *reader[1:], code=2).stderr)
    assert name in line
    assert word in line
    assert {path.name for path in tmp_path.iterdir()} <= {name}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("suffix", [".json", ".json.gz"])
def test_profiles_of_ours_are_whole_or_refused(
    dlbricks: Run, tmp_path: Path, reader: Sequence[str], suffix: str
) -> None:
    """A profile file that was cut is refused, since any figure of it could be missing."""
    network = str(convolutions(tmp_path))
    dlbricks("profile", network, *QUICK, "-o", f"whole{suffix}")
    content = (tmp_path / f"whole{suffix}").read_bytes()
    (tmp_path / f"cut{suffix}").write_bytes(content[: len(content) * 2 // 3])
    assert f"cut{suffix}" in one_line(dlbricks(reader[0], f"cut{suffix}", *reader[1:], code=2).stderr)


def test_kernels_without_a_gpu(dlbricks: Run, tmp_path: Path) -> None:
    """Without a GPU the levels above kernels are profiled and it is said why not deeper; kernels alone are refused."""
    if why_not() is None:
        pytest.skip("kernels can be traced on this machine")
    network = str(convolutions(tmp_path))
    assert "kernels were not traced" in dlbricks("profile", network, *QUICK).stdout
    line = one_line(dlbricks("profile", network, *QUICK, "--levels", "MLK", code=3).stderr)
    assert "MLK" in line
    assert "accelerator" in line


def test_analyses_that_need_a_gpu_say_so(dlbricks: Run, tmp_path: Path) -> None:
    """On a processor every analysis is there or says why not; none is silently left out, and none guesses."""
    dlbricks("profile", str(convolutions(tmp_path)), *QUICK, "-o", "p.json")
    made = json.loads(dlbricks("analyse", "p.json", "--json").stdout)["profiles"][0]["tables"]
    reasons = {table["id"]: table["unavailable"] for table in made}
    assert {f"A{number}" for number in range(1, 16)} <= set(reasons)
    for there in ("A1", "A2", "A3", "A5", "A6", "A13"):
        assert not reasons[there]
    for absent in ("A8", "A9", "A10", "A11", "A12", "A15"):
        assert "MLK" in reasons[absent]


@pytest.mark.parametrize(
    ("here", "words"),
    [
        (CuptiStatus(cupti="13.0.0", driver=None), ("the CUDA driver (libcuda.so.1) is missing", "install")),
        (CuptiStatus(cupti="13.0.0", driver=12040), ("too old", "update the driver")),
        (CuptiStatus(cupti=None, driver=13000), ("cupti-python is not installed", "pip install")),
        (CuptiStatus(cupti="13.0.0", driver=13000, start=100), ("finds no GPU", "nvidia-smi")),
        (
            CuptiStatus(cupti="13.0.0", driver=13000, subscription="ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"),
            ("another profiler", "end it"),
        ),
        (
            CuptiStatus(cupti="13.0.0", driver=13000, subscription="ERROR_INSUFFICIENT_PRIVILEGES"),
            ("administrators", "NVreg_RestrictProfilingToAdminUsers"),
        ),
    ],
)
def test_doctor_names_what_is_not_permitted(here: CuptiStatus, words: tuple[str, str]) -> None:
    """No driver, an old one, no GPU, a rival, no right: doctor names each, says how to mend it, and what remains."""
    why = reason(here)
    assert why is not None
    assert REMAINS in why
    machine = diagnose()
    for subject in machine.missing:
        changed = dataclasses.replace(machine, missing={**machine.missing, subject: why})
        (finding,) = [one for one in changed.conditions if one.subject == subject]
        line = f"{finding.state} {finding.advice}"
        assert finding.advice
        assert all(word in line for word in words)


def test_doctor_tells_of_this_machine(dlbricks: Run) -> None:
    """What this machine permits of tracing and counting is among the findings, whatever it is."""
    subjects = {one["subject"]: one for one in json.loads(dlbricks("doctor", "--json").stdout)["findings"]}
    assert set(diagnose().missing) <= set(subjects)
    assert all(subjects[name]["level"] == "good" or subjects[name]["advice"] for name in diagnose().missing)


def test_comparing_what_cannot_be_compared(dlbricks: Run, tmp_path: Path) -> None:
    """Traces of different clocks and networks are set side by side by their durations, with a word that they differ."""
    (tmp_path / "a.json").write_text(text_of(recorded()))
    (tmp_path / "b.json").write_text(json.dumps(runtime_profile(2)))
    shown = dlbricks("analyse", "a.json", "b.json", "--compare").stdout
    assert "no match" in shown
    assert "compare-kernels not available" in shown
    assert "--compare" in one_line(dlbricks("analyse", "a.json", "--compare", code=2).stderr)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("analyse", "a.json", "--only", "A99"), "A99"),
        (("analyse", "a.json", "--batch", "4"), "batch 4"),
        (("analyse", "a.json", "--format", "csv"), "--only"),
        (("analyse", "a.json", "-o", "a.json"), "a.json"),
        (("report", "a.json", "-o", "a.json/page.html"), "a.json"),
        (("profile", "a.json", "--no-roofs"), "ONNX"),
    ],
)
def test_arguments_that_cannot_be(dlbricks: Run, tmp_path: Path, arguments: Sequence[str], word: str) -> None:
    """An argument that cannot be is answered in one line with what could be."""
    (tmp_path / "a.json").write_text(text_of(recorded()))
    assert word in one_line(dlbricks(*arguments, code=2).stderr)


def test_a_folder_of_traces_is_named_as_one(dlbricks: Run, tmp_path: Path) -> None:
    """Its files are the ranks."""
    assert "it is a folder: name its files" in dlbricks("analyse", str(tmp_path), code=2).stderr
