"""Runs with real workers: complete, broken, killed, hanging, out of memory, out of time, interrupted and resumed."""

import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest

import dlbricks.harness
from dlbricks.harness.cache_state import (
    CURVE_WAITS_NS,
    FRESH_DISTANCES,
    HOT_LOOP,
    LLC_WARM,
    READ_AFTER_WRITE,
    READ_IN_TURN,
    WEIGHTS_COLD,
    WRITTEN_IN_TURN,
    cache_distances,
    curve_distances,
)
from dlbricks.harness.cpu import cpu_facts
from dlbricks.harness.dtypes import byte_size
from dlbricks.harness.errors import INTERRUPTED, MISSING, HarnessError
from dlbricks.harness.options import RunOptions
from dlbricks.harness.run import campaign
from dlbricks.harness.run.cli import main
from dlbricks.harness.run.files import find_unfinished, partial_path
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.run.runner import run_suite
from dlbricks.harness.run.schedule import LEAST_OUTPUT_BYTES, LLC_WARM_CALLS
from dlbricks.harness.run.worker_pool import Worker, WorkerPool
from dlbricks.harness.session import SessionSettings, check_settings
from dlbricks.harness.stats import context, judge, latency_of, summaries
from tests.harness.small_suite import (
    Document,
    alone,
    benchmark,
    endless,
    hangs_later,
    matmul,
    tiny,
    tiny_parts,
    unary,
    write,
)
from tests.harness.waiting import PATIENCE_S, has_workers, wait_for, workers_of

QUICK = RunOptions(target_relative=0.5, max_time_ns=100_000_000)
SMALL_BYTES = 1 << 20
"""More than all benchmarks of the tiny suite touch."""


def by_name(document: Document, name: str) -> list[Document]:
    """Give the entries of all benchmarks with a name."""
    rows = document["suite"]["manifest"]["benchmarks"]
    return [entry for entry, row in zip(document["benchmarks"], rows, strict=True) if row["name"] == name]


def others_are_fine(document: Document, failed: str) -> None:
    """Check that everything but one benchmark has been measured."""
    rows = document["suite"]["manifest"]["benchmarks"]
    for entry, row in zip(document["benchmarks"], rows, strict=True):
        assert entry["status"] == ("failed" if row["name"] == failed else "ok"), entry["reason"]


def test_what_is_called_to_warm_code_is_cold_again_when_its_turn_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before each call with constants in memory as much was read since its own or that call as makes them cold."""
    asked, ask = list[Document](), WorkerPool.ask

    def noted(pool: WorkerPool, worker: Worker, request: Document, timeout_ns: int) -> Document:
        asked.append(request)
        return ask(pool, worker, request, timeout_ns)

    monkeypatch.setattr(WorkerPool, "ask", noted)
    alike = [benchmark(f"Sin{size}", unary("Sin", (size,))) for size in (3, 5, 7)]
    run_suite(tiny(tmp_path, *alike), tmp_path / "r.json", QUICK)
    far_bytes = cache_distances(cpu_facts()["caches"], cold=True).far_bytes
    cleared, last, warmed = 0, dict[str, int](), 0
    for visit in (request for request in asked if request.get("op") == "visit"):
        name, other = visit["fingerprint"], visit["same_code"]
        clear = sum(step["clear_bytes"] for step in visit["steps"] if step["state"] == WEIGHTS_COLD)
        cold = any(step["state"] == WEIGHTS_COLD for step in visit["steps"])
        assert not cold or cleared + clear - last.get(name, cleared - far_bytes) >= far_bytes - SMALL_BYTES
        cleared += clear
        last |= {name: cleared} | ({other: cleared} if other else {})
        warmed += bool(other)
    assert warmed


@pytest.fixture(scope="module")
def quick(suite: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Document, Path]:
    """Run the tiny suite with ``QUICK``, for all that only look at what comes of it."""
    out = tmp_path_factory.mktemp("quick") / "deep" / "result.json"
    return run_suite(suite, out, QUICK), out


def test_a_run_leaves_one_sound_document(quick: tuple[Document, Path]) -> None:
    """All benchmarks measured, anchors first and last, visits one at a time, totals that add up, nothing else left."""
    document, out = quick
    assert json.loads(out.read_text()) == document
    assert os.listdir(out.parent) == ["result.json"]
    assert document["complete"]
    assert document["harness_version"] == dlbricks.__version__
    entries = document["benchmarks"]
    assert [entry["role"] for entry in entries] == ["overhead", "anchor", "sequence", "sequence", "sequence"]
    visits = sorted(
        (visit["start_ns"], sum(visit["samples_ns"]), entry["role"]) for entry in entries for visit in entry["visits"]
    )
    assert {visits[0][2], visits[-1][2]} <= {"anchor", "overhead"}
    for (start, took, _), (following, _, _) in itertools.pairwise(visits):
        assert start + took <= following
    assert document["timing"]["timed_ns"] == sum(took for _, took, _ in visits)
    assert document["timing"]["wall_ns"] >= visits[-1][0] + visits[-1][1]
    for entry in entries:
        assert entry["status"] == "ok"
        assert entry["wall_ns"] >= entry["load_ns"] + sum(entry["warmup_ns"]) + sum(
            sum(visit["samples_ns"]) for visit in entry["visits"]
        )
        assert entry["verdict"] == judge(entry, context(document))
        assert len(entry["output_digests"]) == 1


def test_every_benchmark_is_narrow_or_had_its_time(suite: Path, tmp_path: Path) -> None:
    """Stopping: each state at least once, then the target; or the most time."""
    options = RunOptions(target_relative=0.2, max_time_ns=400_000_000)
    document = run_suite(suite, tmp_path / "r.json", options)
    listed = {row["fingerprint"]: row["outputs"] for row in document["suite"]["manifest"]["benchmarks"]}
    for entry in document["benchmarks"]:
        if entry["role"] == "sequence":
            spent = entry["wall_ns"] - entry["load_ns"] - sum(entry["warmup_ns"])
            nbytes = sum(byte_size(each["dtype"], math.prod(each["shape"])) for each in listed[entry["fingerprint"]])
            cold = {"outputs_cold"} if nbytes >= LEAST_OUTPUT_BYTES else set()
            assert set(summaries(entry)) == {"llc_warm", "weights_cold", "hot_loop"} | cold
            assert latency_of(entry).relative <= 0.201 or spent >= options.max_time_ns
            assert all((len(visit["samples_ns"]) > 1) == (visit["state"] == "hot_loop") for visit in entry["visits"])


def test_a_far_call_comes_after_enough_other_memory(quick: tuple[Document, Path]) -> None:
    """Whatever the rotation did not touch is read before the call; near calls lie between two levels of cache."""
    document, _ = quick
    around = cache_distances(document["system"]["facts_before"]["cpu"]["caches"], cold=True)
    for entry in document["benchmarks"]:
        for visit in entry["visits"]:
            if visit["state"] == "weights_cold":
                assert visit["distance_bytes"] >= around.far_bytes >= 64 << 20
            assert visit["state"] != "llc_warm" or visit["distance_bytes"] == around.llc_warm_bytes
            assert visit["state"] != "hot_loop" or visit["distance_bytes"] == 0
        assert entry["role"] != "anchor" or set(summaries(entry)) == {"hot_loop"}
        assert entry["role"] != "overhead" or set(summaries(entry)) == {"llc_warm", "weights_cold", "hot_loop"}


def curve_steps(document: Document, threads: int) -> tuple[list[tuple[str, int, int]], list[tuple[str, int, int]]]:
    """Give state, distance and wait of each step that the curve was measured with, and those of one visit to it."""
    (entry,) = by_name(document, "curve")
    made = [(visit["state"], visit["distance_bytes"], visit.get("wait_ns", 0)) for visit in entry["visits"]]
    caches = document["system"]["facts_before"]["cpu"]["caches"]
    around = cache_distances(caches, cold=True, sharing=threads)
    sizes = curve_distances(around)
    wanted = [(WEIGHTS_COLD, around.far_bytes, 0), (HOT_LOOP, 0, 0)]
    wanted += [(LLC_WARM, around.llc_warm_bytes, 0)] * LLC_WARM_CALLS
    wanted += [(READ_IN_TURN, sizes[0], wait_ns) for wait_ns in CURVE_WAITS_NS]
    wanted += [(state, size, 0) for state in (READ_IN_TURN, WRITTEN_IN_TURN) for size in sizes]
    wanted += [(READ_AFTER_WRITE, size, 0) for size in FRESH_DISTANCES]
    return made, wanted


@pytest.mark.parametrize("threads", [1, 2])
def test_the_curve_is_measured_at_every_distance(threads: int, tmp_path: Path) -> None:
    """Exactly at the distances that are listed, and after the times; once in a smoke run."""
    curve = benchmark("curve", matmul(128), role="curve", weight_bytes=128 * 128 * 4)
    document = run_suite(tiny(tmp_path, curve), tmp_path / "r.json", RunOptions(smoke=True, threads=threads))
    made, wanted = curve_steps(document, threads)
    assert made == wanted


def test_a_budget_spares_the_curve(tmp_path: Path) -> None:
    """With a budget, the curve is visited less often than the anchor, since its visits are mostly preparation.

    Each of its visits is at every distance. The first budget is enough unless the machine is busy.
    """
    parts = [*tiny_parts()[:2], benchmark("Sin", unary("Sin", (2048,)))]
    parts.append(benchmark("curve", matmul(128), role="curve", weight_bytes=128 * 128 * 4))
    suite, rounds, anchored = write(tmp_path, parts), 0, 0
    for seconds in (8, 12, 24, 96):
        options = RunOptions(budget_ns=seconds * 10**9, force=True)
        document = run_suite(suite, tmp_path / "r.json", options)
        made, wanted = curve_steps(document, 1)
        rounds = sum(wait_ns == CURVE_WAITS_NS[-1] for *_, wait_ns in made)
        assert made == wanted * rounds
        (anchored,) = (len(entry["visits"]) for entry in document["benchmarks"] if entry["role"] == "anchor")
        if rounds > 1:
            break
    assert 2 <= rounds < anchored


@pytest.mark.parametrize("role", ["whole", "sequence"])
def test_no_budget_is_too_small_for_a_network_and_its_parts(role: str, tmp_path: Path) -> None:
    """Both are measured at least once, else they could not be compared; other suites leave out what is late.

    What is left out is not counted as done.
    """
    messages: list[Progress] = []
    parts = [*tiny_parts()[:2], *(benchmark(f"Sin{size}", unary("Sin", (size,))) for size in (64, 128))]
    parts.append(benchmark("all", unary("Sin", (256,)), role=role))
    document = run_suite(write(tmp_path, parts), tmp_path / "r.json", RunOptions(budget_ns=1_000_000), messages.append)
    assert role == "whole" or messages[-1].done == 0
    states = {entry["status"] for entry in document["benchmarks"] if entry["role"] in {"sequence", "whole"}}
    assert states == ({"ok"} if role == "whole" else {"not run"})


def test_the_important_is_loaded_and_visited_first(tmp_path: Path) -> None:
    """First visits go by falling importance, so what a short budget leaves out matters least.

    A visit that the machine disturbed is thrown away and made again later, so a few of them may be out of order.
    """
    parts = tiny_parts()[:2]
    for index in range(40):
        importance = 2.0 ** -(index % 20)
        parts.append(benchmark(f"Sin{index}", unary("Sin", (2048 + index, 1024)), importance=importance))
    document = run_suite(write(tmp_path, parts), tmp_path / "r.json", RunOptions(budget_ns=1_700_000_000))
    entries = [entry for entry in document["benchmarks"][2:] if not entry["disturbed"]]
    visited = sorted((entry["visits"][0]["start_ns"], -entry["importance"]) for entry in entries if entry["visits"])
    assert [order for _, order in visited] == sorted(order for _, order in visited)
    assert len(visited) < len(entries), "the budget was enough for all"


def test_what_remains_of_a_budget_narrows_further(suite: Path, quick: tuple[Document, Path], tmp_path: Path) -> None:
    """Once all is narrow enough, visits go on until the time is up; and are told of as such."""
    least, _ = quick
    before = visits_of_sequences(least)
    for budget_ns in growing(least):
        document, refining = refined(suite, tmp_path / "r.json", budget_ns)
        assert all(progress.done == progress.total for progress in refining)
        assert document["options"]["target_relative"] == QUICK.target_relative
        if refining and visits_of_sequences(document) > 2 * before:
            return
    pytest.fail("no budget was enough to narrow further")


def test_a_long_budget_does_not_swell_the_result(
    suite: Path, quick: tuple[Document, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many visits what remains of it is not used."""
    monkeypatch.setattr(campaign, "MOST_VISITS", 0)
    budget_ns = growing(quick[0])[1]
    document, refining = refined(suite, tmp_path / "r.json", budget_ns)
    assert document["complete"]
    assert refining == []
    assert document["timing"]["wall_ns"] < budget_ns


def growing(least: Document) -> list[int]:
    """Give budgets, ns, beyond the time of a run without one, the first of which is enough unless the machine slows."""
    return [times * least["timing"]["wall_ns"] + 4_000_000_000 for times in (2, 8, 32)]


def refined(suite: Path, out: Path, budget_ns: int) -> tuple[Document, list[Progress]]:
    """Run with a budget; give the result, and what was told of narrowing further."""
    messages: list[Progress] = []
    document = run_suite(suite, out, replace(QUICK, budget_ns=budget_ns), messages.append)
    assert document["complete"] <= (messages[-1].done == messages[-1].total)
    return document, [progress for progress in messages if progress.phase == "refining"]


def visits_of_sequences(document: Document) -> int:
    """Count the visits of all but the two anchors."""
    return sum(len(entry["visits"]) for entry in document["benchmarks"][2:])


def test_beside_a_whole_network_nothing_is_narrowed_further(tmp_path: Path) -> None:
    """How good the whole has to be is asked for; a budget is the most that this may take."""
    messages: list[Progress] = []
    whole, part = (benchmark(role, matmul(64), role=role, importance=0.01) for role in ("whole", "sequence"))
    options = replace(QUICK, budget_ns=60_000_000_000, end_to_end_min_visits=3)
    run_suite(write(tmp_path, [*tiny_parts()[:2], part, whole]), tmp_path / "r.json", options, messages.append)
    assert "refining" not in {progress.phase for progress in messages}
    assert messages[-1].done == messages[-1].total


def test_the_seed_decides_the_order_and_nothing_else(suite: Path, tmp_path: Path) -> None:
    """Sketches are the same for every seed and every run."""
    one, two = (run_suite(suite, tmp_path / f"{seed}.json", RunOptions(smoke=True, seed=seed)) for seed in (1, 2))
    assert [entry["output_digests"] for entry in one["benchmarks"]] == [
        entry["output_digests"] for entry in two["benchmarks"]
    ]


def test_a_smoke_run_visits_each_once(suite: Path, tmp_path: Path) -> None:
    """One call with constants in memory, one near, and one with large outputs in memory; up to three of an anchor."""
    document = run_suite(suite, tmp_path / "r.json", RunOptions(smoke=True))
    for entry in document["benchmarks"]:
        calls = [(visit["state"], len(visit["samples_ns"])) for visit in entry["visits"]]
        single = sorted(call for call in calls if call != ("outputs_cold", 1))
        assert entry["role"] != "sequence" or single == [("llc_warm", 1), ("weights_cold", 1)]
        assert entry["role"] != "anchor" or set(calls) <= {("hot_loop", count) for count in (1, 2, 3)}


def test_only_what_is_chosen_is_run(suite: Path, tmp_path: Path) -> None:
    """The rest is told to be not run, and the result not to be complete."""
    document = run_suite(suite, tmp_path / "r.json", RunOptions(smoke=True, only=("Sin",)))
    assert not document["complete"]
    assert [entry["status"] for entry in document["benchmarks"]] == ["ok", "ok", "not run", "not run", "ok"]
    assert by_name(document, "MatMul_Relu")[1]["reason"] == "not chosen by --only"


def test_a_corrupt_network_fails_alone(tmp_path: Path) -> None:
    """With the runtime's own words, or with the suite's when the file was changed."""
    corrupt = benchmark("Corrupt", unary("Sin", (4,)))
    corrupt[0]["digest"] = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    folder = tiny(tmp_path, (corrupt[0], b"test"), benchmark("Changed", unary("Sin", (5,))))
    suite = json.loads((folder / "suite.json").read_text())
    (folder / suite["benchmarks"][6]["network"]).write_bytes(unary("Cos", (5,)))
    document = run_suite(folder, tmp_path / "r.json", QUICK)
    assert [entry["status"] for entry in document["benchmarks"]] == ["ok"] * 5 + ["failed"] * 2
    assert "protobuf parsing failed" in by_name(document, "Corrupt")[0]["reason"]
    assert "was changed after the suite was generated" in by_name(document, "Changed")[0]["reason"]
    assert str(tmp_path) not in json.dumps(document["benchmarks"])
    assert by_name(document, "Corrupt")[0]["verdict"]["kind"] == "failed"


def test_a_wrong_answer_is_never_a_fast_one(tmp_path: Path) -> None:
    """A reference that the outputs do not agree with fails the benchmark, with the value."""

    def spoil(entry: Document) -> None:
        if entry["name"] == "Sin":
            entry["reference"][0]["samples"][5] += 1.5

    document = run_suite(tiny(tmp_path, change=spoil), tmp_path / "r.json", QUICK)
    others_are_fine(document, "Sin")
    (sin,) = by_name(document, "Sin")
    assert sin["reason"].startswith("wrong answer: output 0: value")
    assert sin["visits"] == []
    assert sin["output_digests"] != []


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Document], None]:
    """Keep the time limit for one benchmark's requests of one kind; all else may take long, as on a busy machine."""
    ask = Worker.ask

    def choose(operation: str, entry: Document) -> None:
        def patient(worker: Worker, request: Document, limit_ns: int) -> Document:
            hangs = request.get("op") == operation and entry["fingerprint"] in json.dumps(request)
            return ask(worker, request, limit_ns if hangs else PATIENCE_S * 10**9)

        monkeypatch.setattr(Worker, "ask", patient)

    return choose


def test_a_benchmark_that_hangs_fails_alone(tmp_path: Path, impatient: Callable[[str, Document], None]) -> None:
    """After the time limit; the others of its worker are loaded again."""
    hanging = benchmark("Endless", endless())
    impatient("load", hanging[0])
    document = run_suite(tiny(tmp_path, hanging), tmp_path / "r.json", RunOptions(smoke=True, timeout_ns=10**9))
    others_are_fine(document, "Endless")
    assert by_name(document, "Endless")[0]["reason"] == "no answer within 1 s while loading"


def test_a_benchmark_that_hangs_in_a_visit_fails_alone(
    tmp_path: Path, impatient: Callable[[str, Document], None]
) -> None:
    """After the time limit, though it was loaded without a fault."""
    late = benchmark("Late", hangs_later())
    late[0]["layers"] = 1  # called once to load
    impatient("visit", late[0])
    document = run_suite(tiny(tmp_path, late), tmp_path / "r.json", RunOptions(smoke=True, timeout_ns=10**9))
    others_are_fine(document, "Late")
    assert by_name(document, "Late")[0]["reason"] == "no answer within 1 s while running"


def when_workers(
    condition: Callable[[psutil.Process], bool], act: Callable[[psutil.Process], None]
) -> threading.Thread:
    """Do something to the first worker of this process for which a condition holds; waits ``PATIENCE_S`` at most."""

    def watch() -> None:
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            for child in workers_of():
                try:
                    if condition(child):
                        act(child)
                        return
                except psutil.Error:
                    continue
            time.sleep(0.02)

    thread = threading.Thread(target=watch)
    thread.start()
    return thread


def test_a_benchmark_that_crashes_its_worker_fails_alone(tmp_path: Path) -> None:
    """The signal is named; the worker is replaced and everything else measured.

    Work tells which worker is stuck, and not time: none of the others has seconds of it to do.
    """
    folder = tiny(tmp_path, benchmark("Endless", endless()))

    def stuck(child: psutil.Process) -> bool:
        return bool(sum(child.cpu_times()[:2]) > 4.0)

    thread = when_workers(stuck, lambda child: os.kill(child.pid, signal.SIGSEGV))
    document = run_suite(folder, tmp_path / "r.json", RunOptions(smoke=True, timeout_ns=PATIENCE_S * 10**9))
    thread.join()
    others_are_fine(document, "Endless")
    assert by_name(document, "Endless")[0]["reason"] == "worker was killed (signal 11, SIGSEGV) while loading"


def test_a_worker_killed_in_the_middle_costs_one_benchmark_at_most(suite: Path, tmp_path: Path) -> None:
    """Whoever was being measured fails; if nobody was, nobody does; what was measured before is kept."""
    thread: list[threading.Thread] = []

    def kill_when_measuring(progress: Progress) -> None:
        if progress.phase == "measuring" and progress.visits > 10 and not thread:
            victim = max(workers_of(), key=lambda child: child.pid)
            thread.append(threading.Thread(target=os.kill, args=(victim.pid, signal.SIGKILL)))
            thread[0].start()

    options = RunOptions(target_relative=1e-9, max_time_ns=1_500_000_000)
    document = run_suite(suite, tmp_path / "r.json", options, kill_when_measuring)
    assert thread
    failed = [entry for entry in document["benchmarks"] if entry["status"] == "failed"]
    assert len(failed) <= 1
    for entry in failed:
        assert entry["reason"] == "worker was killed (signal 9, SIGKILL, possibly for lack of memory) while running"
    for entry in document["benchmarks"]:
        assert entry["visits"]


def many(folder: Path, count: int) -> Path:
    """Write a suite of so many benchmarks that take long enough to be interrupted."""
    parts = tiny_parts()[:2]
    shapes = [(64 + index, 4096) for index in range(count)]
    return write(folder, parts + [benchmark(f"Sin{index}", unary("Sin", shape)) for index, shape in enumerate(shapes)])


@pytest.fixture
def asked_visits(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """List the benchmarks of each request for visits, as runs ask for them."""
    requests, ask = list[set[str]](), WorkerPool.ask

    def noted(pool: WorkerPool, worker: Worker, request: Document, timeout_ns: int) -> Document:
        if request.get("op") == "visit":
            requests.append({request["fingerprint"]})
        return ask(pool, worker, request, timeout_ns)

    monkeypatch.setattr(WorkerPool, "ask", noted)
    return requests


def test_a_run_ends_within_its_budget(tmp_path: Path, asked_visits: list[set[str]]) -> None:
    """Loading included; what was not visited says so; nobody is visited twice before all that are loaded were once.

    However long the machine takes for something: when the budget is over, nothing is begun. The budget is what a run
    of a single benchmark took here, several times, and as often as it takes until some of many are visited.
    """
    folder = many(tmp_path, 150)
    least = run_suite(folder, tmp_path / "least.json", RunOptions(smoke=True, only=("Sin0",)))
    budgets = (times * int(least["timing"]["wall_ns"]) for times in (2, 8, 32))
    assert any(visited_within(folder, budget_ns, tmp_path / "r.json", asked_visits) for budget_ns in budgets)


def visited_within(folder: Path, budget_ns: int, out: Path, requests: list[set[str]]) -> int:
    """Run with a budget and hold the result to its laws; give how many sequences were visited.

    Visits that were disturbed are made again later, so they have no order; on a busy machine that may be all of them.
    """
    requests.clear()
    document = run_suite(folder, out, RunOptions(target_relative=1e-9, budget_ns=budget_ns, force=True))
    sequences = document["benchmarks"][2:]
    late = {entry["fingerprint"] for entry in sequences if any(one["start_ns"] > budget_ns for one in entry["visits"])}
    last = next((one for one in reversed(requests) if one & {entry["fingerprint"] for entry in sequences}), set())
    assert late <= last, "only what was asked before the end, in one request, may come after it"
    statuses = {entry["status"] for entry in document["benchmarks"]}
    assert document["complete"] == ("not run" not in statuses)
    assert "failed" not in statuses
    for entry in document["benchmarks"]:
        assert entry["status"] == "ok" or entry["reason"] == "the budget was spent"
    visits = [entry["visits"] for entry in sequences if entry["visits"] and not entry["disturbed"]]
    firsts = [made[0]["start_ns"] for made in visits]
    far = [[visit["start_ns"] for visit in made if visit["state"] == "weights_cold"] for made in visits]
    seconds = [starts[1] for starts in far if len(starts) > 1]
    assert not seconds or max(firsts) < min(seconds)
    return sum(bool(entry["visits"]) for entry in sequences)


def start_alone(suite: Path, *arguments: str) -> "subprocess.Popen[str]":
    """Start the suite's own runner with its own copy of the harness, as a vendor would; it saves often."""
    target = suite / "harness"
    if not target.exists():
        shutil.copytree(Path(dlbricks.harness.__file__).parent, target, ignore=shutil.ignore_patterns("__pycache__"))
    code = "import sys; from pathlib import Path; s = sys.argv[1]; sys.path.insert(0, s)\n"
    code += "from harness.run import campaign; campaign.SAVE_NS = 50_000_000\n"
    code += "from harness.run.cli import main; sys.exit(main(sys.argv[2:], Path(s)))"
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", code, str(suite), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=suite.parent,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_resumes(number: signal.Signals, tmp_path: Path) -> None:
    """Exit code 130 and one line; then --resume keeps all samples, goes on, and leaves only the result."""
    folder, partial_file = many(tmp_path / "suite", 20), tmp_path / "r.partial.json"
    arguments = ["-o", str(tmp_path / "r.json"), "--target-error", "0.001%", "--name", "here"]

    def interrupted(visits: int, *more: str) -> dict[str, Any]:
        """Start or resume, interrupt once there are more visits, and return what is saved."""
        process = start_alone(folder, *arguments, "--budget", "600", *more)
        wait_for(lambda: partial_file.exists() and count_of(json.loads(partial_file.read_text())) > visits, process)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=PATIENCE_S)
        assert process.returncode == INTERRUPTED, stderr
        assert stdout == ""
        assert stderr.splitlines()[-1] == f"error: interrupted; add --resume to continue {partial_file}"
        saved: dict[str, Any] = json.loads(partial_file.read_text())
        return saved

    def visits_of(saved: dict[str, Any]) -> dict[str, list[Any]]:
        return {entry["fingerprint"]: entry["visits"] for entry in saved["benchmarks"]}

    def count_of(saved: dict[str, Any]) -> int:
        return sum(map(len, visits_of(saved).values()))

    first = interrupted(20)
    before = visits_of(first)
    second = interrupted(count_of(first), "--resume")
    kept = visits_of(second)
    assert all(kept[key][: len(visits)] == visits for key, visits in before.items())
    # a budget that is already spent: what there is becomes the result
    resumed = start_alone(folder, *arguments, "--resume", "--budget", "0.001", "--json")
    stdout, stderr = resumed.communicate(timeout=PATIENCE_S)
    assert resumed.returncode == 0, stderr
    document = json.loads((tmp_path / "r.json").read_text())
    assert sorted(os.listdir(tmp_path)) == ["r.json", "suite"]
    assert json.loads(stdout)["wall_ns"] >= second["timing"]["wall_ns"] >= first["timing"]["wall_ns"]
    assert all(visits_of(document)[key][: len(visits)] == visits for key, visits in kept.items())
    # pauses are left out of the clock of the facts as they are of the duration
    begin_ns, end_ns = (document["system"][when]["monotonic_ns"] for when in ("facts_before", "facts_after"))
    assert 0 < end_ns - begin_ns <= document["timing"]["wall_ns"]
    passed_ns = document["system"]["facts_after"]["unix_ns"] - document["started_unix_ns"]
    assert 0 < second["paused_ns"] <= document["paused_ns"] < passed_ns
    assert "paused_ns" not in first
    assert document["paused_ns"] + document["timing"]["wall_ns"] == pytest.approx(passed_ns, abs=10**9)


def test_a_killed_run_leaves_what_was_saved_and_no_workers(tmp_path: Path) -> None:
    """kill -9 of the parent ends the workers, too: their pipe closes."""
    folder = many(tmp_path / "suite", 10)
    process = start_alone(folder, "-o", str(tmp_path / "r.json"), "--target-error", "0.001%")
    wait_for(lambda: has_workers(process), process)
    workers = psutil.Process(process.pid).children()
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE_S)
    assert not alive
    assert not (tmp_path / "r.json").exists()


def test_resuming_asks_for_the_same_run(suite: Path, tmp_path: Path) -> None:
    """Other options, another suite, another system, or something that would be lost: one line each."""
    out = tmp_path / "r.json"
    run_suite(suite, out, RunOptions(smoke=True, only=("Sin",)))
    content = out.read_text()
    partial_path(out).write_text(content)
    with pytest.raises(HarnessError, match="holds an unfinished run: add --resume"):
        run_suite(suite, out, RunOptions(smoke=True))
    for options, message in (
        (RunOptions(smoke=True), "options only was"),
        (RunOptions(smoke=True, only=("Sin",), threads=2), "runtime session_options was"),
        (RunOptions(smoke=True, only=("Sin",), name="other"), "its system is"),
    ):
        with pytest.raises(HarnessError, match=message):
            run_suite(suite, out, RunOptions(**{**fields(options), "resume": True}))
    other = many(tmp_path / "other", 1)
    with pytest.raises(HarnessError, match=r"matches no benchmark|another suite"):
        run_suite(other, out, RunOptions(smoke=True, resume=True))
    lacks, text = json.loads(content), json.loads(content)
    del lacks["benchmarks"][4]["wall_ns"]
    text["benchmarks"][4]["load_ns"] = "1"
    for damaged in (content[: len(content) // 2], json.dumps(lacks), json.dumps(text)):
        partial_path(out).write_text(damaged)
        with pytest.raises(HarnessError, match="is not an unfinished run"):
            run_suite(suite, out, RunOptions(smoke=True, only=("Sin",), resume=True))
    partial_path(out).unlink()
    assert run_suite(suite, out, RunOptions(smoke=True, only=("Sin",), resume=True))["benchmarks"][4]["visits"]


def test_a_run_looks_for_an_unfinished_one_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each time it writes a file to try the folder; with several numbers of threads no run is begun in vain."""
    suite, out, looked = tiny(tmp_path / "suite"), tmp_path / "r.json", list[str]()

    def counting(out: Path, *, resume: bool, force: bool) -> Path | None:
        looked.append(out.name)
        return find_unfinished(out, resume=resume, force=force)

    monkeypatch.setattr("dlbricks.harness.run.runner.find_unfinished", counting)
    for more in ([], ["--resume"], ["--force"]):
        assert main(["-o", str(out), "--smoke", "--quiet", *more], suite) == 0
    assert looked == ["r.json"] * 3
    (tmp_path / "r.threads-2.json").write_text("{}")
    assert main(["-o", str(out), "--smoke", "--quiet", "--threads", "1,2"], suite) == 2
    assert not (tmp_path / "r.threads-1.json").exists()


def test_a_complete_result_is_not_measured_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Else the store would count one measurement twice; so is what --only asked for. What a trace lacks is added."""
    suite, out = tiny(tmp_path / "suite"), tmp_path / "r.json"
    for only in ([], ["--only", "Sin"]):
        arguments = ["-o", str(out), "--smoke", "--quiet", *only]
        assert main([*arguments, "--force"], suite) == 0
        before = out.read_bytes()
        capsys.readouterr()
        assert main([*arguments, "--resume"], suite) == 0
        said = capsys.readouterr()
        assert said.err == f"{out} is complete already\n"
        assert said.out.endswith(f"written to {out}\n")
        assert out.read_bytes() == before
        assert main([*arguments, "--resume", "--trace", "ML"], suite) == 0
        assert out.read_bytes() != before


def test_a_pipe_is_not_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nor is a device: what reads from it would wait for ever."""
    out = tmp_path / "r.json"
    os.mkfifo(out)
    assert main(["-o", str(out), "--smoke", "--quiet", "--force"], tiny(tmp_path / "suite")) == 2
    assert capsys.readouterr().err == f"error: cannot write {out}: it is not a regular file\n"
    assert out.is_fifo()


def fields(options: RunOptions) -> dict[str, Any]:
    """Give the fields of options."""
    return {name: getattr(options, name) for name in options.__slots__}


def test_a_lowered_suite_refuses_another_machine(tmp_path: Path) -> None:
    """Another runtime version, another processor, another provider."""
    import onnxruntime

    from dlbricks.harness.cpu import instruction_set

    here = {"name": "onnxruntime-cpu", "runtime": onnxruntime.__version__, "instruction_set": instruction_set()}
    parts = tiny_parts()[:1]
    for change, message in (
        ({"runtime": "1.0.0"}, "was lowered by onnxruntime 1.0.0, this machine has"),
        ({"instruction_set": ["s390x", "mmx"]}, "was lowered for another processor .* mmx"),
        ({"name": "onnxruntime-cuda"}, "is made for onnxruntime-cuda, not for cpu"),
    ):
        folder = write(tmp_path / "lowered", parts, target={**here, **change})
        with pytest.raises(HarnessError, match=message):
            run_suite(folder, tmp_path / "r.json", RunOptions(smoke=True))
    assert run_suite(write(tmp_path / "lowered", parts, target=here), tmp_path / "r.json", RunOptions(smoke=True))


def test_two_threads_are_two_threads(suite: Path, tmp_path: Path) -> None:
    """Recorded; the sessions share them, so that the threads are awake in every timed call, as inside a network."""
    document = run_suite(suite, tmp_path / "r.json", RunOptions(smoke=True, threads=2))
    assert document["runtime"]["threads"] == 2
    assert document["runtime"]["session_options"]["use_per_session_threads"] is False
    assert {entry["status"] for entry in document["benchmarks"]} == {"ok"}


def test_threads_spin_as_the_user_says(suite: Path, tmp_path: Path) -> None:
    """Then every session has its own, since the runtime heeds that for those only."""
    config = (("session.intra_op.spin_duration_us", "50"),)
    document = run_suite(suite, tmp_path / "r.json", RunOptions(smoke=True, threads=2, session_options=config))
    assert document["runtime"]["session_options"]["session.intra_op.spin_duration_us"] == "50"
    assert "use_per_session_threads" not in document["runtime"]["session_options"]
    assert {entry["status"] for entry in document["benchmarks"]} == {"ok"}


def test_exit_codes_and_lines(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """0, 2, 3 and 4, each with one line on stderr."""
    out = str(tmp_path / "r.json")
    assert main(["-o", out, "--smoke", "--quiet"], suite) == 0
    said = capsys.readouterr()
    assert "tiny on " in said.out
    assert said.err == ""
    for arguments, code, line in (
        (["--session-option", "session.nonsense=1"], 2, "unknown session option 'session.nonsense'"),
        (["--provider", "cuda"], 3, "execution provider 'cuda' is not in this build"),
        (["--only", "nothing"], 2, "--only nothing matches no benchmark"),
        (["--name", " "], 2, "--name ' ' cannot be used"),
        (["-o", str(tmp_path)], 2, "is a folder"),
        (["-o", f"{suite}/suite.json/r.json"], 2, "cannot write"),
    ):
        assert main(["-o", out, "--smoke", "--force", *arguments], suite) == code
        (said_line,) = capsys.readouterr().err.splitlines()
        assert line in said_line
    spoilt = tiny(tmp_path / "spoilt", change=lambda entry: entry["reference"][0].update(finite=0.5))
    assert main(["-o", out, "--smoke", "--quiet", "--json", "--force"], spoilt) == 4
    said = capsys.readouterr()
    assert len(json.loads(said.out)["failed"]) == len(said.err.splitlines()) == 5
    assert json.loads(Path(out).read_text())["suite"]["name"] == "tiny"


def test_a_file_that_is_no_result_is_kept(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever else lies where the result should, a text or a document of another kind, is not overwritten."""
    for content in ("# notes", "[]", '{"format": "dlbricks-validation"}'):
        (tmp_path / "r.json").write_text(content)
        assert main(["-o", str(tmp_path / "r.json"), "--smoke"], suite) == 2
        assert "r.json is not a result: remove it" in capsys.readouterr().err
        assert (tmp_path / "r.json").read_text() == content


def test_options_that_are_none_are_refused(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In one line, which begins with the option, with exit code 2."""
    for arguments in (
        ["--budget", "soon"],
        ["--budget", "0"],
        ["--target-error", "2"],
        ["--session-option", "novalue"],
        ["--bud", "10"],
        ["--threads", "0"],
    ):
        assert main(arguments, suite) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert line.startswith("error: ")
        assert arguments[0] in line


def test_one_benchmark_runs_alone(suite: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Latency, interval and answer; as text and as JSON; a wrong answer is exit code 4."""
    assert alone(suite, 4, "--time", "50ms", "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["low_ns"] <= found["latency_ns"] <= found["high_ns"]
    assert (found["name"], found["answer"], found["failed"]) == ("Sin", "as the reference", None)
    assert alone(suite, 4, "--time", "50ms") == 0
    assert "answer   as the reference" in capsys.readouterr().out
    assert alone(suite, 4, "--provider", "cuda") == 3
    capsys.readouterr()
    spoilt = tiny(tmp_path, change=lambda entry: entry["reference"][0].update(norm1=1e9))
    assert alone(spoilt, 4, "--time", "10ms") == 4
    assert "failed   wrong answer: output 0: norm1 is" in capsys.readouterr().out


def test_without_the_folder_for_tracing_all_else_works(suite: Path, tmp_path: Path) -> None:
    """A suite whose ``harness/trace/`` was deleted runs, and says in a line why it does not trace."""
    copied = shutil.copytree(suite, tmp_path / "suite")
    shutil.copytree(Path(dlbricks.harness.__file__).parent, copied / "harness")
    shutil.rmtree(copied / "harness" / "trace")
    process = start_alone(copied, "-o", str(tmp_path / "r.json"), "--smoke", "--quiet")
    assert process.communicate(timeout=PATIENCE_S)[1] == ""
    assert process.returncode == 0
    process = start_alone(copied, "-o", str(tmp_path / "s.json"), "--trace", "ML")
    assert (
        process.communicate(timeout=PATIENCE_S)[1]
        == "error: --trace ML needs harness/trace/, which this suite lacks: put it back\n"
    )
    assert process.returncode == 3


def test_without_onnxruntime_there_is_one_line(suite: Path, tmp_path: Path) -> None:
    """Exit code 3, where only the standard library is to be had."""
    code = "import sys; sys.modules['onnxruntime'] = None; from pathlib import Path\n"
    code += "from dlbricks.harness.run.cli import main; sys.exit(main(['-o', sys.argv[2]], Path(sys.argv[1])))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(suite), str(tmp_path / "r.json")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 3
    assert "pip install onnxruntime" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs file size limits")
def test_a_full_disk_is_one_line_and_keeps_the_old_result(suite: Path, tmp_path: Path) -> None:
    """The result that was there stays whole."""
    out = tmp_path / "r.json"
    old = json.dumps({"format": "dlbricks-submission", "system": {"name": "here"}})
    out.write_text(old)
    code = "import resource, signal, sys; from pathlib import Path; from dlbricks.harness.run.cli import main\n"
    code += "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n"
    code += "sys.exit(main(['-o', sys.argv[2], '--smoke', '--quiet', '--force', '--name', 'here'], Path(sys.argv[1])))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(suite), str(out)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr == f"error: cannot write {out}: File too large\n"
    assert out.read_text() == old
    assert os.listdir(tmp_path) == ["r.json"]


def test_settings_reach_the_workers() -> None:
    """Every field of the runtime's settings can be asked for."""
    asked = RunOptions(provider_options=(("a", "b"),), session_options=(("c", "d"),), threads=2)
    from dlbricks.harness.session import session_settings

    assert session_settings(asked) == SessionSettings(
        threads=2, provider="cpu", provider_options=(("a", "b"),), config=(("c", "d"),)
    )


@pytest.mark.parametrize(("version", "refused"), [("1.22.1", True), ("1.23.0", False), ("2.0.0.dev20300101", False)])
def test_an_old_runtime_is_refused_in_one_line(version: str, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runtimes whose threads cannot share a pool are named before anything is measured."""
    monkeypatch.setattr("onnxruntime.__version__", version)
    if refused:
        with pytest.raises(HarnessError, match=r"1\.22\.1 is too old, 1\.23 or newer is needed") as caught:
            check_settings(SessionSettings())
        assert caught.value.exit_code == MISSING
    else:
        check_settings(SessionSettings())


def test_a_finished_result_is_replaced_on_request_only(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A run into its file is refused before anything is measured; a file that is not a result is never replaced."""
    suite = tiny(tmp_path / "suite")
    out = tmp_path / "r.json"
    again = ["-o", str(out), "--smoke", "--quiet"]
    assert [main([*again, "--name", "first"], suite) for _ in "12"] == [0, 2]
    run_suite(suite, out, replace(QUICK, name="first", force=True))
    before = out.read_bytes()
    for name in ("first", "second"):
        assert main([*again, "--name", name], suite) == 2
        assert "holds a result of first: pass another file to -o, or --force to replace it" in capsys.readouterr().err
        assert out.read_bytes() == before
    with pytest.raises(HarnessError, match="use at most as many"):
        run_suite(suite, out, replace(QUICK, name="first", threads=5000))
    assert main([*again, "--force"], suite) == 0
    assert out.read_bytes() != before
    out.write_text('{"name": "mine"}')
    capsys.readouterr()
    assert main([*again, "--force"], suite) == 2
    assert "r.json is not a result: remove it, or pass another file to -o" in capsys.readouterr().err
    assert out.read_text() == '{"name": "mine"}'


def test_a_run_that_measures_nothing_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A budget that is over before the first visit gives exit code 4 and says what to do."""
    suite = tiny(tmp_path / "suite")
    assert main(["-o", str(tmp_path / "r.json"), "--budget", "1ms", "--quiet"], suite) == 4
    assert "nothing was measured" in capsys.readouterr().err
