"""One benchmark of a suite alone, in this very process: what every file in ``benchmarks/`` runs."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .cli import add_runtime_options, duration_ns, require_packages
from .errors import BENCHMARK_FAILED, INTERRUPTED, HarnessError


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
    parser.add_argument("--time", type=duration_ns, default=10**9, metavar="TIME", help="of the timed calls (1s)")
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
    return BENCHMARK_FAILED if found["verdict"]["kind"] == "failed" else 0


def _measure(fingerprint: str, suite_folder: Path, arguments: argparse.Namespace) -> dict[str, Any]:
    from .facts import timer_step_ns
    from .measure import prepare
    from .runner import check_target
    from .schedule import RunOptions, Track, calls_of_visit
    from .session import RUNTIME_ERRORS, SessionSettings, check_settings, prepare_runtime
    from .sketch import compare_all
    from .stats import summarise
    from .suitefile import load_suite
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
    check_target(suite, settings)
    prepare_runtime(settings)
    weights = arguments.weights or suite_folder / "weights"
    path = suite_folder / benchmark["network"]
    network = path.read_bytes() if path.is_file() else b""  # prepare says what is wrong with it
    ensure_weights(weights, [one for one in suite["weights"] if one["file"].encode() in network], int(suite["seed"]))
    track, options, answer = Track(benchmark=benchmark), RunOptions(), "none"
    try:
        prepared = prepare(benchmark, suite_folder, weights, settings, int(suite["seed"]))
        track.warmup_ns = prepared.bound.warm_up()
        wrong = compare_all(prepared.bound.sketches(), benchmark["reference"], benchmark["operators"])
        answer = "wrong" if wrong else "no reference" if benchmark["reference"] is None else "as the reference"
        while not track.visits or track.timed_ns < arguments.time:
            track.add_visit(track.timed_ns, prepared.bound.visit(calls_of_visit(track, options)))
        if wrong is not None:
            track.fail(f"wrong answer: {wrong}")
    except RUNTIME_ERRORS as error:
        if isinstance(error, HarnessError):
            raise
        track.fail(" ".join(str(error).split()))
    around = Context(
        overhead_ns=0,
        timer_ns=timer_step_ns(),
        target_relative=options.target_relative,
        anchor_times_ns=(),
        anchor_levels=(),
    )
    summary = summarise([visit["samples_ns"] for visit in track.visits]) if track.visits else None
    return {
        "name": benchmark["name"],
        "fingerprint": fingerprint,
        "latency_ns": summary.latency_ns if summary else None,
        "low_ns": summary.low_ns if summary else None,
        "high_ns": summary.high_ns if summary else None,
        "samples": summary.samples if summary else 0,
        "answer": answer,
        "verdict": judge(track.entry(), around),
    }


def _text(found: dict[str, Any]) -> str:
    verdict = found["verdict"]
    lines = [f"{found['name']} {found['fingerprint'][:12]}"]
    if found["latency_ns"] is not None:
        low, middle, high = (found[key] / 1e6 for key in ("low_ns", "latency_ns", "high_ns"))
        lines.append(f"latency  {middle:.4g} ms (95 %: {low:.4g} to {high:.4g} ms, {found['samples']} calls)")
    lines += [f"answer   {found['answer']}", f"verdict  {verdict['kind']}: {verdict['text']}"]
    return "\n".join(lines)
