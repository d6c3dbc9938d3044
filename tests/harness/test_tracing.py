"""Traces in runs of a suite: after everything else, for all that was measured, within the budget, kept when stopped."""

import itertools
import json
import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from dlbricks.harness.errors import BAD_INPUT, BENCHMARK_FAILED, INTERRUPTED, MISSING, HarnessError
from dlbricks.harness.machine import PERMITTED
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run.cli import main
from dlbricks.harness.run.files import partial_path, with_names
from dlbricks.harness.run.progress import Progress, describe
from dlbricks.harness.run.runner import run_suite
from dlbricks.harness.trace.cupti import why_not
from dlbricks.harness.trace.tracing import measuring_budget_ns
from dlbricks.store.document import read_document
from dlbricks.store.submission import check
from tests.harness.small_suite import Document, benchmark, matmul, tiny, tiny_parts, unary, write
from tests.harness.waiting import workers_of

TRACED = RunOptions(smoke=True, trace="ML")
_COLUMNS = {"name", "operator", "provider", "lane", "parent", "offset_ns", "duration_ns", "count"}


def traces_of(document: Document) -> list[tuple[str, str, Document]]:
    """Give role, name and trace, texts spelled out, of every benchmark that has one."""
    rows = document["suite"]["manifest"]["benchmarks"]
    return [
        (row["role"], row["name"], with_names(entry, document["names"])["trace"])
        for entry, row in zip(document["benchmarks"], rows, strict=True)
        if "trace" in entry
    ]


def test_a_traced_run_says_what_was_executed(suite: Path, tmp_path: Path) -> None:
    """Every sequence and the empty graph: operators in order, within their call; nothing of it in the samples."""
    document = run_suite(suite, tmp_path / "r.json", TRACED)
    traces = traces_of(document)
    assert [role for role, _, _ in traces] == ["overhead", "sequence", "sequence", "sequence"]
    for _, name, trace in traces:
        layers = trace["layers"]
        assert (set(layers), trace["levels"]) == (_COLUMNS, "ML")
        assert name.split("_") == layers["operator"]
        assert {len(column) for column in layers.values()} == {len(layers["name"])}
        assert (set(layers["provider"]), set(layers["lane"]), set(layers["count"])) == ({"cpu"}, {"host"}, {1})
        assert layers["offset_ns"] == sorted(layers["offset_ns"])
        assert trace["calls"] >= 3
        assert ("counts" in trace) == (document["system"]["facts_before"]["cpu_counters"] == PERMITTED)
        assert trace.get("counts", {"instructions": 1})["instructions"] > 0
    assert document["options"]["trace"] == "ML"
    visits = sum(sum(visit["samples_ns"]) for entry in document["benchmarks"] for visit in entry["visits"])
    assert document["timing"]["timed_ns"] == visits
    assert os.listdir(tmp_path) == ["r.json"]
    read = read_document((tmp_path / "r.json").read_bytes())
    found = {finding.rule for finding in check(read)}
    assert not found & {"DB001", "DB004"}


def test_without_the_option_nothing_is_traced(suite: Path, tmp_path: Path) -> None:
    """A result is as it always was."""
    document = run_suite(suite, tmp_path / "r.json", RunOptions(smoke=True))
    assert not document.keys() & {"names"}
    assert not [entry for entry in document["benchmarks"] if "trace" in entry]
    assert "trace" not in document["options"]


def test_tracing_comes_after_all_visits_and_is_told(suite: Path, tmp_path: Path) -> None:
    """The phases follow each other; the last message of tracing says that all are traced."""
    messages: list[Progress] = []
    run_suite(suite, tmp_path / "r.json", TRACED, messages.append)
    phases = [phase for phase, _ in itertools.groupby(message.phase for message in messages)]
    assert phases[-2:] == ["done", "tracing"]
    assert (messages[-1].done, messages[-1].total, messages[-1].is_last) == (4, 4, True)
    assert describe(messages[-1]) == "tracing: 4 of 4, 0 s left"
    (last,) = (replace(message, done=1, total=4, visits=9) for message in messages if message.phase == "done")
    assert describe(last) == "done: 1 of 4 benchmarks as precise as wanted, 9 visits"
    assert describe(replace(last, visits=1)).endswith(", 1 visit")


def test_a_finished_run_can_be_traced_later(suite: Path, tmp_path: Path) -> None:
    """--resume --trace adds the traces and keeps every sample; what has its trace is not traced again."""
    out = tmp_path / "r.json"
    before = run_suite(suite, out, RunOptions(smoke=True))
    after = run_suite(suite, out, RunOptions(smoke=True, trace="ML", resume=True))
    assert len(traces_of(after)) == 4
    for old, new in zip(before["benchmarks"], after["benchmarks"], strict=True):
        assert new["visits"][: len(old["visits"])] == old["visits"]
    again = run_suite(suite, out, RunOptions(smoke=True, trace="ML", resume=True))
    assert traces_of(again) == traces_of(after)
    assert len(traces_of(run_suite(suite, out, RunOptions(smoke=True, resume=True)))) == 4


def test_an_interruption_keeps_the_traces_so_far(suite: Path, tmp_path: Path) -> None:
    """Ctrl-C while tracing: the rest is traced after --resume, what was traced stays as it was."""
    out = tmp_path / "r.json"

    def interrupt(message: Progress) -> None:
        if message.phase == "tracing" and message.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(HarnessError, match="add --resume") as error:
        run_suite(suite, out, TRACED, interrupt)
    assert error.value.exit_code == INTERRUPTED
    partial = json.loads(partial_path(out).read_text())
    kept = {entry["fingerprint"]: with_names(entry, partial["names"]) for entry in partial["benchmarks"]}
    assert sum("trace" in entry for entry in kept.values()) == 2
    document = run_suite(suite, out, RunOptions(smoke=True, trace="ML", resume=True))
    assert len(traces_of(document)) == 4
    for entry in document["benchmarks"]:
        if "trace" in kept[entry["fingerprint"]]:
            assert with_names(entry, document["names"])["trace"] == kept[entry["fingerprint"]]["trace"]


def test_a_budget_covers_tracing(tmp_path: Path) -> None:
    """Measuring leaves a share of the time; the most important are traced first; the rest has no trace, and says so.

    The budget is what tracing a single benchmark took here, several times, and as often as it takes until some of many
    are traced.
    """
    parts = tiny_parts()[:2]
    for index in range(150):
        importance = 2.0 ** -(index % 20)
        parts.append(benchmark(f"Sin{index}", unary("Sin", (64 + index, 4096)), importance=importance))
    folder = write(tmp_path / "suite", parts)
    least = run_suite(folder, tmp_path / "least.json", RunOptions(smoke=True, trace="ML", only=("Sin0",)))
    assert any(
        traced_within(folder, times * int(least["timing"]["wall_ns"]), tmp_path / "r.json") for times in (4, 16, 64)
    )


def traced_within(folder: Path, budget_ns: int, out: Path) -> int:
    """Run with a budget and hold the result to its laws; give how many sequences were traced."""
    told_ns = []

    def tell(message: Progress) -> None:
        if message.phase == "tracing":
            told_ns.append(time.monotonic_ns() - start_ns)

    start_ns = time.monotonic_ns()
    document = run_suite(folder, out, RunOptions(target_relative=1e-9, budget_ns=budget_ns, trace="ML"), tell)
    sequences = [entry for entry in document["benchmarks"] if entry["role"] == "sequence"]
    measuring_ns = measuring_budget_ns(budget_ns)
    late = [entry for entry in sequences if any(visit["start_ns"] > measuring_ns for visit in entry["visits"])]
    assert len(late) <= 1, "only what was asked for at once, before the end of measuring, may come after it"
    assert all(ended_ns < budget_ns for ended_ns in told_ns[:-1]), "only the last may end late, if it began in time"
    measured = [entry for entry in sequences if entry["visits"]]
    traced = [entry["importance"] for entry in measured if "trace" in entry]
    rest = [entry["importance"] for entry in measured if "trace" not in entry]
    assert not traced or not rest or min(traced) >= max(rest)
    found = {finding.rule for finding in check(read_document(out.read_bytes()))}
    untraced = [entry for entry in document["benchmarks"] if entry["visits"] and entry["role"] != "anchor"]
    assert any("trace" not in entry for entry in untraced) == ("DB004" in found)
    return len(traced)


def test_what_cannot_be_traced_fails_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A benchmark whose trace fails keeps its latency and says why; the others are traced; exit code 4."""
    folder = tiny(tmp_path / "suite")
    out = tmp_path / "r.json"
    run_suite(folder, out, RunOptions(smoke=True))
    rows = json.loads((folder / "suite.json").read_text())["benchmarks"]
    (folder / rows[4]["network"]).write_bytes(b"no network")
    assert main(["-o", str(out), "--smoke", "--resume", "--trace", "ML", "--quiet"], folder) == BENCHMARK_FAILED
    said = capsys.readouterr()
    assert "3 traced (ML)" in said.out
    place = rows[4]["network"]
    reason = f"{place} was changed after the suite was generated: generate it again"
    assert said.err == f"not traced: Sin {rows[4]['fingerprint'][:12]}: {reason}\n"
    document = json.loads(out.read_text())
    sin = document["benchmarks"][4]
    assert (sin["status"], set(sin["trace"])) == ("ok", {"levels", "failed", "wall_ns"})
    found = [finding for finding in check(read_document(out.read_bytes())) if finding.rule == "DB004"]
    assert [finding.where for finding in found] == ["benchmarks[4]"]


def test_a_worker_that_is_killed_costs_one_trace_at_most(suite: Path, tmp_path: Path) -> None:
    """The next benchmark gets a new worker; whose trace was lost says why, and latencies are all there."""

    def kill(message: Progress) -> None:
        if message.phase == "tracing" and message.done == 1:
            for worker in workers_of():
                worker.kill()

    document = run_suite(suite, tmp_path / "r.json", TRACED, kill)
    assert {entry["status"] for entry in document["benchmarks"]} == {"ok"}
    failed = [trace["failed"] for _, _, trace in traces_of(document) if "failed" in trace]
    assert len(traces_of(document)) == 4
    assert len(failed) <= 1
    assert all("killed (signal 9" in reason or "idle" in reason for reason in failed)


def test_fused_layers_are_those_that_ran(tmp_path: Path) -> None:
    """The runtime's own graph counts: two layers that it fuses are one executed layer."""
    parts = [*tiny_parts()[:2], benchmark("Fused", matmul(64), optimization="all")]
    document = run_suite(write(tmp_path / "suite", parts), tmp_path / "r.json", TRACED)
    entry = json.loads((tmp_path / "suite" / "suite.json").read_text())["benchmarks"][2]
    executed = traces_of(document)[-1][2]["layers"]["operator"]
    assert entry["layers"] == 2
    assert executed in (["MatMul", "Relu"], ["FusedMatMul"])


@pytest.mark.skipif(why_not() is None, reason="kernels can be traced here")
def test_kernels_are_refused_where_they_cannot_be_traced(
    suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line with the reason, exit code 3, before anything is measured."""
    out = tmp_path / "r.json"
    assert main(["-o", str(out), "--trace", "MLK"], suite) == MISSING
    assert capsys.readouterr().err == f"error: --trace MLK: {why_not()}\n"
    assert not out.exists()
    with pytest.raises(HarnessError, match="invalid --trace 'K': expected one of ML, MLK") as error:
        run_suite(suite, out, RunOptions(trace="K"))
    assert error.value.exit_code == BAD_INPUT
