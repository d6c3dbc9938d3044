"""Measures one benchmark in this process; every file in ``benchmarks/`` of a suite calls ``measure``.

The network is called back to back; ``run.py --only NAME`` measures it in each cache state.
"""

import argparse
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import options
from .errors import BENCHMARK_FAILED, HarnessError, required
from .options import in_words, read_duration_ns

_TIME = options.Option("--time", "time", "Time to measure.", "TIME", read_duration_ns, "1s")
# Most calls, which limits the memory for samples of short calls.
_MOST_CALLS = 100_000


def measure(benchmark: Mapping[str, Any], session: Mapping[str, Any], suite_folder: Path, argv: Sequence[str]) -> int:
    """Load a benchmark, check its outputs, time it and print the latency; return the exit code.

    Args:
        benchmark: entry in ``suite.json``, with ``seed``, ``target`` and ``weights`` (files of its network) added.
        session: session options (``runtimes.onnxruntime.FIXED_OPTIONS``).
        suite_folder: folder with ``networks/``, ``weights/`` and ``suite.json``, which holds the reference outputs.
        argv: command-line options, which ``--help`` describes.
    """
    parser = options.Parser(description=f"Measure {benchmark['name']} alone.", allow_abbrev=False)
    options.add_options(parser, (*options.SESSION_OPTIONS, options.WEIGHTS_OPTION, _TIME))
    parser.add_argument("--json", action="store_true", help="Print JSON.")

    def command() -> int:
        arguments = parser.parse_args(argv)
        required("numpy")
        result = _measure(benchmark, session, suite_folder, arguments)
        sys.stdout.write((json.dumps(result, indent=2) if arguments.json else _text(result)) + "\n")
        return BENCHMARK_FAILED if result["failed"] else 0

    return options.exit_code_of(command)


def _measure(
    benchmark: Mapping[str, Any], session: Mapping[str, Any], folder: Path, arguments: argparse.Namespace
) -> dict[str, Any]:
    # numpy and the runtime are imported here only, so that ``--help`` works without them
    from . import session as opening
    from .network import prepare
    from .output_digest import compare_all
    from .stats import median_interval
    from .values import ensure_weights

    settings = replace(opening.session_settings(options.run_options(vars(arguments))), options=tuple(session.items()))
    opening.check_settings(settings)
    settings = opening.with_shared_pool(settings)
    opening.check_target(benchmark["target"], settings, benchmark["name"])
    opening.backend(settings).prepare(settings)
    weights, seed = arguments.weights or folder / "weights", int(benchmark["seed"])
    ensure_weights(weights, benchmark["weights"], seed)
    result: dict[str, Any] = {"name": benchmark["name"], "fingerprint": benchmark["fingerprint"], "failed": None}
    try:
        bound = prepare(benchmark, folder, weights, settings, seed).bound
        first_ns = bound.visit(1)
        reference = _reference(folder, benchmark["fingerprint"])
        wrong = compare_all(bound.output_digests(), reference, benchmark["operators"])
        result["answer"] = "wrong" if wrong else "no reference" if reference is None else "as the reference"
        result["failed"] = f"wrong answer: {wrong}" if wrong else None
        bound.warm_up_again(first_ns[0], layers=benchmark["layers"])
        samples: list[int] = []
        end_ns = time.perf_counter_ns() + arguments.time
        while not samples or (time.perf_counter_ns() < end_ns and len(samples) < _MOST_CALLS):
            samples.append(bound.call())
    except opening.runtime_errors(settings) as error:
        if isinstance(error, HarnessError):
            raise
        return {**result, "failed": " ".join(str(error).split())}
    latency, low, high = median_interval(samples)
    times = {"latency_ns": round(latency), "low_ns": max(0, round(low)), "high_ns": round(high)}
    return {**result, **times, "samples": len(samples)}


def _reference(folder: Path, fingerprint: str) -> Any:
    # Return the reference outputs of a benchmark; None if `suite.json` is missing or does not hold them
    path = folder / "suite.json"
    rows = json.loads(path.read_text(encoding="utf-8"))["benchmarks"] if path.is_file() else []
    return next((row["reference"] for row in rows if row["fingerprint"] == fingerprint), None)


def _text(result: Mapping[str, Any]) -> str:
    lines = [f"{result['name']} {result['fingerprint'][:12]}"]
    if "latency_ns" in result:
        low, median, high = (in_words(result[key]) for key in ("low_ns", "latency_ns", "high_ns"))
        lines.append(f"latency  {median} (95 %: {low} to {high}, calls: {result['samples']})")
        lines.append("  called back to back; in a network the caches are colder: run.py measures each state")
    lines += [f"{key:<8} {result[key]}" for key in ("answer", "failed") if result.get(key)]
    return "\n".join(lines)
