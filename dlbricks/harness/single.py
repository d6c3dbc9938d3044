"""Measures one benchmark in this process; each file in ``benchmarks/`` of a suite calls ``measure``.

By default the network is called back to back, which suits a profiler. ``--states`` measures it in each cache state
instead, as a run of the suite does. Only ``--states`` and ``--trace`` import further modules of the harness.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .errors import BENCHMARK_FAILED, INTERRUPTED, HarnessError, require_packages
from .options import (
    SESSION_OPTIONS,
    TRACE_OPTION,
    WEIGHTS_OPTION,
    Option,
    add_options,
    check_levels,
    in_words,
    read_duration_ns,
)
from .options import run_options as options_of

if TYPE_CHECKING:
    from .network import Bound
    from .session import SessionSettings

_TIME = Option("--time", "time", "How long to measure.", "TIME", read_duration_ns, "1s")
# Bounds the memory for samples of short calls.
_MOST_CALLS = 100_000


def measure(benchmark: Mapping[str, Any], session: Mapping[str, Any], suite_folder: Path, argv: Sequence[str]) -> int:
    """Load a benchmark, check its answer, time it, print the result, and return the exit code.

    Exit codes: 0 success, 2 bad input, 3 something is not installed, 4 the benchmark failed, 130 interrupted.

    Args:
        benchmark: entry in ``suite.json``, with ``seed``, ``target`` and ``weights`` (files of its network) added.
        session: session options (``runtimes.onnxruntime.FIXED_OPTIONS``).
        suite_folder: folder with ``networks/``, ``weights/`` and ``suite.json``, which holds the reference answer.
        argv: command line options, see ``--help``.
    """
    parser = argparse.ArgumentParser(description=f"Measure {benchmark['name']} alone.", allow_abbrev=False)
    add_options(parser, (*SESSION_OPTIONS, WEIGHTS_OPTION, _TIME, TRACE_OPTION))
    parser.add_argument("--states", action="store_true", help="Measure in each state of the caches, as the suite does.")
    parser.add_argument("--json", action="store_true", help="Print JSON.")
    arguments = parser.parse_args(argv)
    try:
        require_packages()
        result = _measure(benchmark, session, suite_folder, arguments)
    except HarnessError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    sys.stdout.write((json.dumps(result, indent=2) if arguments.json else _text(result)) + "\n")
    return BENCHMARK_FAILED if result["failed"] or "failed" in result.get("trace", {}) else 0


def _measure(
    benchmark: Mapping[str, Any], session: Mapping[str, Any], folder: Path, arguments: argparse.Namespace
) -> dict[str, Any]:
    from .network import prepare
    from .output_digest import compare_all
    from .session import (
        RUNTIME_ERRORS,
        check_settings,
        check_target,
        prepare_runtime,
        session_settings,
        with_shared_pool,
    )
    from .values import ensure_weights

    settings = replace(session_settings(options_of(vars(arguments))), options=tuple(session.items()))
    check_settings(settings)
    settings = with_shared_pool(settings)
    check_target(benchmark["target"], settings, benchmark["name"])
    if arguments.trace:
        check_levels(arguments.trace)
    prepare_runtime(settings)
    weights, seed = arguments.weights or folder / "weights", int(benchmark["seed"])
    ensure_weights(weights, benchmark["weights"], seed)
    result: dict[str, Any] = {"name": benchmark["name"], "fingerprint": benchmark["fingerprint"], "failed": None}
    try:
        bound = prepare(benchmark, folder, weights, settings, seed).bound
        first_ns = bound.visit(1)
        reference = _reference(folder, benchmark["fingerprint"])
        wrong = compare_all(bound.output_digests(), reference, benchmark["operators"])
        result["answer"] = "wrong" if wrong else "no reference" if reference is None else "as the reference"
        bound.warm_up_again(first_ns[0], layers=benchmark["layers"])
        if arguments.states:
            result |= _in_states(bound, benchmark, settings, arguments.time)
        else:
            result |= _back_to_back(bound, arguments.time)
        result["failed"] = f"wrong answer: {wrong}" if wrong else None
        if arguments.trace:
            from .trace.tracing import take_trace

            with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
                result["trace"] = take_trace(
                    benchmark, folder, weights, settings, seed, arguments.trace, scratch=Path(scratch)
                )
    except RUNTIME_ERRORS as error:
        if isinstance(error, HarnessError):
            raise
        result["failed"] = " ".join(str(error).split())
    return result


def _reference(folder: Path, fingerprint: str) -> Any:
    """Return the reference answer of a benchmark; None if ``suite.json`` is missing or has none."""
    path = folder / "suite.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["benchmarks"] if path.is_file() else []
    return next((row["reference"] for row in rows if row["fingerprint"] == fingerprint), None)


def _back_to_back(bound: "Bound", time_ns: int) -> dict[str, Any]:
    """Call a network repeatedly until ``time_ns`` have passed."""
    from .stats import median_interval

    samples: list[int] = []
    end_ns = time.perf_counter_ns() + time_ns
    while not samples or (time.perf_counter_ns() < end_ns and len(samples) < _MOST_CALLS):
        samples.append(bound.call())
    latency, low, high = median_interval(samples)
    return {
        "latency_ns": round(latency),
        "low_ns": max(0, round(low)),
        "high_ns": round(high),
        "states_ns": {"repeated": round(latency)},
        "samples": len(samples),
        "disturbed": 0,
    }


def _in_states(
    bound: "Bound", benchmark: Mapping[str, Any], settings: "SessionSettings", time_ns: int
) -> dict[str, Any]:
    """Call a network in each cache state until ``time_ns`` have passed."""
    from .cache_state import cache_distances, is_cold
    from .call_timer import CallTimer
    from .machine.cpu import cpu_facts
    from .options import RunOptions
    from .run.schedule import BenchmarkState, steps_of_visit
    from .session import runtime_facts
    from .stats import latency_of, summaries

    distances = cache_distances(
        cpu_facts()["caches"], cold=runtime_facts(settings)["provider"] == "cpu", sharing=settings.sharing
    )
    track = BenchmarkState(benchmark=benchmark, cold=is_cold(benchmark["role"], distances))
    timer, begin_ns = CallTimer(settings), time.perf_counter_ns()
    while not track.visits or time.perf_counter_ns() - begin_ns < time_ns:
        for step in steps_of_visit(track, RunOptions(), distances, 0):
            taken = timer.take(bound, step)
            track.disturbed += taken.thrown
            start_ns = time.perf_counter_ns() - begin_ns - sum(taken.samples_ns)
            track.add_visit(start_ns, step, taken.samples_ns, disturbed=taken.disturbed)
    entry = track.entry()
    summary = latency_of(entry)
    return {
        "latency_ns": summary.latency_ns,
        "low_ns": summary.low_ns,
        "high_ns": summary.high_ns,
        "states_ns": {state: state_summary.latency_ns for state, state_summary in summaries(entry).items()},
        "samples": sum(len(visit["samples_ns"]) for visit in entry["visits"]),
        "disturbed": entry["disturbed"],
    }


def _text(result: Mapping[str, Any]) -> str:
    lines = [f"{result['name']} {result['fingerprint'][:12]}"]
    if "latency_ns" in result:
        low, middle, high = (in_words(result[key]) for key in ("low_ns", "latency_ns", "high_ns"))
        lines.append(f"latency  {middle} (95 %: {low} to {high}, {result['samples']} calls)")
        if list(result["states_ns"]) == ["repeated"]:
            lines.append("  called back to back; in a network the caches are colder: add --states")
        else:
            from .cache_state import STATE_WORDS

            lines += [f"  {STATE_WORDS[state]:<42} {in_words(level)}" for state, level in result["states_ns"].items()]
    lines += [f"answer   {result['answer']}"] if "answer" in result else []
    lines += [f"failed   {result['failed']}"] if result["failed"] else []
    return "\n".join([*lines, *(_trace_lines(result["trace"]) if "trace" in result else [])])


def _trace_lines(trace: Mapping[str, Any]) -> list[str]:
    """Format the executed layers, each with the kernels that it launched."""
    layers, kernels = trace["layers"], trace.get("kernels", {"layer": []})
    beneath: dict[int, list[str]] = {row: [] for row in range(-1, len(layers["name"]))}
    for at, row in enumerate(kernels["layer"]):
        name, lane, duration = (kernels[column][at] for column in ("name", "lane", "duration_ns"))
        beneath[row].append(f"      {in_words(duration):>10}  {lane}  {name}")
    lines = [f"trace    a call takes {in_words(trace['call_ns'])} while its layers are recorded"]
    for row, name in enumerate(layers["name"]):
        inner = "  " if layers["parent"][row] >= 0 else ""
        times = f" x {layers['count'][row]}" if layers["count"][row] > 1 else ""
        duration = in_words(layers["duration_ns"][row])
        lines += [f"  {inner}{duration:>10}{times}  {layers['operator'][row]}  {name}", *beneath[row]]
    return [*lines, *beneath[-1], *(f"note     {note}" for note in trace.get("notes", ()))]
