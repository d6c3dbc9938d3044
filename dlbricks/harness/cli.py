"""The command line of a suite: ``python run.py -o result.json``. Standard library only, so that it can always speak."""

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .cache_state import STATE_WORDS
from .errors import BENCHMARK_FAILED, INTERRUPTED, MISSING, HarnessError

_SHOWN = 8
_OLDEST_RUNTIME = [1, 21]
"""Of onnxruntime: earlier ones do not find weights beside a network that is given as bytes."""

_NS_PER_UNIT = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
_BYTES_PER_UNIT = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def main(argv: Sequence[str], suite_folder: Path) -> int:
    """Run the suite that a folder holds; give the exit code.

    0 fine, 2 bad input, 3 something is not installed, 4 a benchmark failed (the result is written all the same),
    130 interrupted.
    """
    try:
        return _run(_parser().parse_args(argv), suite_folder)
    except HarnessError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; nothing was measured yet\n")
        return INTERRUPTED


def _run(arguments: argparse.Namespace, suite_folder: Path) -> int:
    require_packages()
    from .progress import PlainText, silent
    from .runner import run_suite

    show = silent if arguments.quiet else PlainText()
    try:
        document = run_suite(suite_folder, arguments.out, options_from(arguments), show, weights=arguments.weights)
    finally:
        if isinstance(show, PlainText):
            show.close()
    summary = summary_of(document)
    text = json.dumps(summary, indent=2) if arguments.json else _summary_text(summary, arguments.out)
    sys.stdout.write(text + "\n")
    untraced = summary.get("traces", {}).get("failed", [])
    for what, failures in (("failed", summary["failed"]), ("not traced", untraced)):
        for entry in failures:
            sys.stderr.write(f"{what}: {entry['name']} {entry['fingerprint'][:12]}: {entry['reason']}\n")
    return BENCHMARK_FAILED if summary["failed"] or untraced else 0


def require_packages() -> None:
    """Find out whether numpy and onnxruntime are there, and onnxruntime new enough to read weights beside a network.

    Raises:
        HarnessError: one of them is missing or too old.
    """
    for package in ("numpy", "onnxruntime"):
        try:
            __import__(package)
        except ImportError as error:
            raise HarnessError(f"{package} cannot be imported ({error}): pip install {package}", MISSING) from error
    import onnxruntime

    version = str(onnxruntime.__version__)
    if [int(part) for part in re.findall(r"\d+", version)[:2]] < _OLDEST_RUNTIME:
        oldest = ".".join(str(part) for part in _OLDEST_RUNTIME)
        message = f"onnxruntime {version} is too old, {oldest} or newer is needed: pip install --upgrade onnxruntime"
        raise HarnessError(message, MISSING)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="run.py",
        description="Measure every benchmark of this suite and write one result file.",
        epilog="Exit codes: 0 fine, 2 bad input, 3 something is not installed, 4 a benchmark failed (the result is "
        "written), 130 interrupted (add --resume to go on).",
        allow_abbrev=False,
    )
    parser.add_argument("-o", "--out", type=Path, default=Path("result.json"), help="result file (result.json)")
    add_runtime_options(parser)
    parser.add_argument("--name", help="name of this system (made from its processor)")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the visits (0)")
    parser.add_argument(
        "--budget",
        type=duration_ns,
        metavar="TIME",
        help="whole wall time, as in 10m or 90s; what is left when all is narrow enough narrows it further",
    )
    parser.add_argument("--smoke", action="store_true", help="one short visit each: shows that everything runs")
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="WHAT",
        help="name (* and ? allowed), beginning of a fingerprint, or operator; may be repeated",
    )
    parser.add_argument("--resume", action="store_true", help="go on with an interrupted run")
    parser.add_argument("--target-error", type=_share, default=0.02, metavar="SHARE", help="narrow enough (0.02)")
    parser.add_argument("--memory-limit", type=_size_bytes, metavar="SIZE", help="of a worker process, as in 8g")
    parser.add_argument("--json", action="store_true", help="print the summary as JSON")
    parser.add_argument("--quiet", action="store_true", help="no progress")
    return parser


def add_runtime_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that concern the runtime, the weights and the time limit."""
    parser.add_argument("--provider", default="cpu", help="execution provider: cpu, cuda, or any the runtime has (cpu)")
    parser.add_argument("--provider-option", type=_pair, action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads within an operator (1)")
    parser.add_argument("--session-option", type=_pair, action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument(
        "--timeout", type=duration_ns, default=60 * 10**9, metavar="TIME", help="of one benchmark (60s)"
    )
    parser.add_argument(
        "--trace",
        choices=("ML", "MLK"),
        default="",
        help="then trace a few calls of each: executed layers (ML), and their GPU kernels, too (MLK); latencies are of "
        "calls before that",
    )
    parser.add_argument("--weights", type=Path, metavar="FOLDER", help="of the weight files (weights/ of the suite)")


def options_from(arguments: argparse.Namespace) -> Any:
    """Turn parsed arguments into ``RunOptions``."""
    from .schedule import RunOptions

    return RunOptions(
        provider=arguments.provider,
        provider_options=tuple(arguments.provider_option),
        threads=arguments.threads,
        session_options=tuple(arguments.session_option),
        seed=arguments.seed,
        name=arguments.name,
        budget_ns=arguments.budget,
        smoke=arguments.smoke,
        only=tuple(arguments.only),
        resume=arguments.resume,
        timeout_ns=arguments.timeout,
        target_relative=arguments.target_error,
        memory_limit_bytes=arguments.memory_limit,
        trace=arguments.trace,
    )


def in_words(duration_ns: int) -> str:
    """Show a duration with four digits, as in ``1.235 ms``."""
    for unit, size in (("s", 10**9), ("ms", 10**6), ("us", 10**3)):
        if duration_ns >= size:
            return f"{duration_ns / size:.4g} {unit}"
    return f"{duration_ns} ns"


def duration_ns(text: str) -> int:
    """Read ``10m``, ``90s``, ``1.5h`` or ``250ms``; a bare number means seconds."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no duration: write a number and one of ms, s, m, h, as in 10m")
    return round(float(match[1]) * _NS_PER_UNIT[match[2] or "s"])


def _size_bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip().lower())
    if match is None or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no size: write a number and one of k, m, g, as in 8g")
    return round(float(match[1]) * _BYTES_PER_UNIT[match[2]])


def _share(text: str) -> float:
    match = re.fullmatch(r"(\d*\.?\d+)(%?)", text.strip())
    value = float(match[1]) / (100 if match[2] else 1) if match else 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no share: write a number between 0 and 1, or per cent, as in 2%")
    return value


def _pair(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"'{text}' is not KEY=VALUE")
    return key, value


def summary_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Sum up a result document for people and scripts."""
    names = {entry["fingerprint"]: entry["name"] for entry in document["suite"]["manifest"]["benchmarks"]}
    entries = document["benchmarks"]
    return {
        "suite": document["suite"]["name"],
        "system": document["system"]["name"],
        "provider": document["runtime"]["provider"],
        "threads": document["runtime"]["threads"],
        "complete": document["complete"],
        "benchmarks": len(entries),
        "verdicts": dict(Counter(entry["verdict"]["kind"] for entry in entries if entry["status"] == "ok")),
        "not_run": sum(entry["status"] == "not run" for entry in entries),
        "failed": [
            {"name": names[entry["fingerprint"]], "fingerprint": entry["fingerprint"], "reason": entry["reason"]}
            for entry in entries
            if entry["status"] == "failed"
        ],
        "disturbed": sum(entry["disturbed"] for entry in entries),
        **({"traces": traces} if (traces := _traces(entries, names)) else {}),
        "overheads_ns": _overheads(entries),
        "slowest": _slowest(entries, names),
        "wall_s": round(document["timing"]["wall_ns"] / 1e9, 3),
        "timed_share": round(document["timing"]["timed_ns"] / max(1, document["timing"]["wall_ns"]), 3),
    }


def _traces(entries: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> dict[str, Any]:
    """Count the traces, and tell why some are missing; empty when none was taken."""
    found = [entry for entry in entries if "trace" in entry]
    if not found:
        return {}
    return {
        "levels": found[-1]["trace"]["levels"],
        "taken": sum("failed" not in entry["trace"] for entry in found),
        "failed": [
            {
                "name": names[entry["fingerprint"]],
                "fingerprint": entry["fingerprint"],
                "reason": entry["trace"]["failed"],
            }
            for entry in found
            if "failed" in entry["trace"]
        ],
    }


def _overheads(entries: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """Give what a call of the empty graph takes, by state."""
    from .stats import summaries

    found = next((entry for entry in entries if entry["role"] == "overhead" and entry["visits"]), None)
    return {state: one.latency_ns for state, one in summaries(found).items()} if found else {}


def _slowest(entries: Sequence[Mapping[str, Any]], names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Give the latencies of the slowest sequences, by state."""
    from .stats import latency_of, summaries

    measured = [entry for entry in entries if entry["role"] == "sequence" and entry["visits"]]
    first = sorted(measured, key=lambda entry: -latency_of(entry).latency_ns)[:_SHOWN]
    return [
        {
            "name": names[entry["fingerprint"]],
            "fingerprint": entry["fingerprint"],
            "states_ns": {state: one.latency_ns for state, one in summaries(entry).items()},
        }
        for entry in first
    ]


def _table(summary: Mapping[str, Any]) -> list[str]:
    """Show latencies by state, a line for the empty graph and each of the slowest."""
    rows = [{"name": "call of an empty graph", "fingerprint": "", "states_ns": summary["overheads_ns"]}]
    rows = [row for row in [*rows, *summary["slowest"]] if row["states_ns"]]
    states = [state for state in STATE_WORDS if any(state in row["states_ns"] for row in rows)]
    lines = [f"{'':<36}" + "".join(f"{state:>12}" for state in states)] if rows else []
    for row in rows:
        levels = [in_words(row["states_ns"][state]) if state in row["states_ns"] else "" for state in states]
        name = f"{row['name'][:22]} {row['fingerprint'][:12]}".strip()
        lines.append(f"{name:<36}" + "".join(f"{level:>12}" for level in levels))
    return lines


def _summary_text(summary: Mapping[str, Any], out: Path) -> str:
    counts = [f"{count} {kind}" for kind, count in summary["verdicts"].items()]
    if summary["failed"]:
        counts.append(f"{len(summary['failed'])} failed")
    if summary["not_run"]:
        counts.append(f"{summary['not_run']} not run")
    if summary["disturbed"]:
        counts.append(f"{summary['disturbed']} disturbed samples thrown away")
    if "traces" in summary:
        counts.append(f"{summary['traces']['taken']} traced ({summary['traces']['levels']})")
    return "\n".join(_table(summary)) + (
        f"\n{summary['suite']} on {summary['system']}, {summary['provider']}, {summary['threads']} thread(s): "
        f"{', '.join(counts) or 'nothing measured'} in {summary['wall_s']:.1f} s; written to {out}"
    )
