"""One benchmark of a suite alone, in this very process: what every file in ``benchmarks/`` runs."""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .cache_state import STATE_WORDS
from .cli import add_runtime_options, duration_ns, in_words, require_packages
from .errors import BENCHMARK_FAILED, INTERRUPTED, HarnessError

if TYPE_CHECKING:
    from .session import SessionSettings


def run_one(fingerprint: str, suite_folder: Path, argv: Sequence[str]) -> int:
    """Load one benchmark, check its answer, time it, print what was found; give the exit code.

    0 fine, 2 bad input, 3 something is not installed, 4 the benchmark failed.

    Args:
        fingerprint: of the benchmark.
        suite_folder: the suite it belongs to.
        argv: options, see ``--help``.
    """
    parser = argparse.ArgumentParser(description="Measure one benchmark.", allow_abbrev=False)
    add_runtime_options(parser)
    parser.add_argument("--time", type=duration_ns, default=10**9, metavar="TIME", help="of measuring (1s)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args(argv)
    try:
        require_packages()
        found = _measure(fingerprint, suite_folder, arguments)
    except HarnessError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    sys.stdout.write((json.dumps(found, indent=2) if arguments.json else _text(found)) + "\n")
    return BENCHMARK_FAILED if found["verdict"]["kind"] == "failed" or "failed" in found.get("trace", {}) else 0


def _measure(fingerprint: str, suite_folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    from .machine.facts import timer_step_ns
    from .runner import check_levels, check_target
    from .session import SessionSettings, check_settings, prepare_runtime, with_shared_pool
    from .stats import latency_of, summaries
    from .suite_file import load_suite
    from .values import ensure_weights
    from .verdict import Context, judge

    suite = load_suite(suite_folder)
    benchmark = next((one for one in suite["benchmarks"] if one["fingerprint"] == fingerprint), None)
    if benchmark is None:
        raise HarnessError(f"suite {suite['name']} has no benchmark {fingerprint}")
    settings = SessionSettings(
        threads=arguments.threads,
        provider=arguments.provider,
        provider_options=tuple(arguments.provider_option),
        config=tuple(arguments.session_option),
    )
    check_settings(settings)
    settings = with_shared_pool(settings)
    check_target(suite, settings)
    check_levels(arguments.trace)
    prepare_runtime(settings)
    weights = arguments.weights or suite_folder / "weights"
    path = suite_folder / benchmark["network"]
    network = path.read_bytes() if path.is_file() else b""  # measuring says what is wrong with it
    ensure_weights(weights, [one for one in suite["weights"] if one["file"].encode() in network], int(suite["seed"]))
    entry, answer = _visit(benchmark, suite_folder, weights, settings, int(suite["seed"]), arguments.time)
    traced = entry["status"] == "ok" and arguments.trace
    trace = _traced(benchmark, suite_folder, weights, settings, int(suite["seed"]), arguments.trace) if traced else None
    around = Context(overhead_ns=0, timer_ns=timer_step_ns(), target_relative=0.0, anchor_times_ns=(), anchor_levels=())
    summary = latency_of(entry) if entry["visits"] else None
    return {
        "name": benchmark["name"],
        "fingerprint": fingerprint,
        "latency_ns": summary.latency_ns if summary else None,
        "low_ns": summary.low_ns if summary else None,
        "high_ns": summary.high_ns if summary else None,
        "states_ns": {state: one.latency_ns for state, one in summaries(entry).items()},
        "samples": sum(len(visit["samples_ns"]) for visit in entry["visits"]),
        "disturbed": entry["disturbed"],
        "answer": answer,
        "verdict": judge(entry, around),
        **({} if trace is None else {"trace": trace}),
    }


def _visit(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: "SessionSettings",
    seed: int,
    time_ns: int,
) -> tuple[dict[str, Any], str]:
    """Load a benchmark and visit it until the time is over; give its entry of a result, and a word on its answer."""
    from .cache_state import cache_distances, is_cold
    from .call_timer import CallTimer
    from .machine.cpu import cpu_facts
    from .network import prepare
    from .output_digest import compare_all
    from .schedule import RunOptions, steps_of_visit
    from .session import RUNTIME_ERRORS, runtime_facts
    from .track import Track

    around = cache_distances(
        cpu_facts()["caches"],
        cold=runtime_facts(settings)["provider"] == "cpu",
        sharing=settings.sharing,
    )
    track, answer = Track(benchmark=benchmark, cold=is_cold(benchmark["role"], around)), "none"
    try:
        bound = prepare(benchmark, suite_folder, weights, settings, seed).bound
        track.warmup_ns = bound.visit(1)
        wrong = compare_all(bound.output_digests(), benchmark["reference"], benchmark["operators"])
        answer = "wrong" if wrong else "no reference" if benchmark["reference"] is None else "as the reference"
        track.warmup_ns += bound.warm_up_again(track.warmup_ns[0], layers=benchmark["layers"])
        timer, begin_ns = CallTimer(settings), time.perf_counter_ns()
        while not track.visits or time.perf_counter_ns() - begin_ns < time_ns:
            for step in steps_of_visit(track, RunOptions(), around, 0):
                taken = timer.take(bound, step)
                track.disturbed += taken.thrown
                start_ns = time.perf_counter_ns() - begin_ns - sum(taken.samples_ns)
                track.add_visit(start_ns, step, taken.samples_ns, disturbed=taken.disturbed)
        if wrong is not None:
            track.fail(f"wrong answer: {wrong}")
    except RUNTIME_ERRORS as error:
        if isinstance(error, HarnessError):
            raise
        track.fail(" ".join(str(error).split()))
    return track.entry(), answer


def _traced(
    benchmark: Mapping[str, Any],
    suite_folder: Path,
    weights: Path,
    settings: "SessionSettings",
    seed: int,
    levels: str,
) -> dict[str, Any]:
    """Trace a benchmark; a failure of the runtime is told in place of the trace."""
    from .session import RUNTIME_ERRORS
    from .trace.tracing import take_trace

    try:
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            return take_trace(benchmark, suite_folder, weights, settings, seed, levels, scratch=Path(scratch))
    except RUNTIME_ERRORS as error:
        if isinstance(error, HarnessError):
            raise
        return {"levels": levels, "failed": " ".join(str(error).split())}


def _trace_lines(trace: Mapping[str, Any]) -> list[str]:
    """Show executed layers, and kernels below the layer that started them."""
    if "failed" in trace:
        return [f"trace    failed: {trace['failed']}"]
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


def _text(found: dict[str, Any]) -> str:
    verdict = found["verdict"]
    lines = [f"{found['name']} {found['fingerprint'][:12]}"]
    if found["latency_ns"] is not None:
        low, middle, high = (in_words(found[key]) for key in ("low_ns", "latency_ns", "high_ns"))
        lines.append(f"latency  {middle} (95 %: {low} to {high}, {found['samples']} calls)")
        lines += [f"  {STATE_WORDS[state]:<42} {in_words(level)}" for state, level in found["states_ns"].items()]
    lines += [f"answer   {found['answer']}", f"verdict  {verdict['kind']}: {verdict['text']}"]
    lines += _trace_lines(found["trace"]) if "trace" in found else []
    return "\n".join(lines)
