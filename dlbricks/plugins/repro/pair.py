"""Compares two runtimes, which make calls alternately, each in its own process. Written files contain this module.

Since calls alternate, other load affects both alike. Two processes of one runtime differ by a few per cent for their
whole life, since their memory has different addresses. So a difference has to repeat in pairs of fresh processes.
"""

import argparse
import contextlib
import json
import random
import runpy
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dlbricks.harness.errors import MISSING, HarnessError, required
from dlbricks.harness.options import exit_code_of, in_words
from dlbricks.harness.run.worker_pool import Worker, WorkerDiedError, WorkerPool, module_process
from dlbricks.harness.session import SessionSettings, backend, check_settings, with_shared_pool
from dlbricks.harness.stats import lower_quartile

# Pairs of fresh processes to be measured, by how many of them may show no difference (sign test): without a difference
# as many pairs would agree by chance once in 256 or 171 times.
PAIRS_NEEDED = {0: 8, 1: 11}
# Visits of each benchmark in each process of a pair.
ROUNDS = 7
# Time and most calls of a visit; calls that take ``_SLOW_NS`` are made twice, since the first is left out.
_VISIT_NS, _MOST_CALLS, _SLOW_NS = 3_000_000, 32, 30_000_000
# A side that does not answer for this long hangs.
_LIMIT_NS = 120_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two runtimes."""

    python: str
    """Path of the Python interpreter, or of a program that starts it."""
    options: tuple[tuple[str, str], ...] = ()
    """Session options of this side only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSetup:
    """Folders and session settings of both sides."""

    folder: Path
    """Folder with ``harness/`` and ``networks/``."""
    weights: Path
    seed: int
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTimes:
    """Times of a benchmark in two processes, one of each side. A time is the lower quartile over groups of calls."""

    first_ns: float
    second_ns: float
    """Time of the second side, minus the amount by which its call overhead exceeds that of the first side."""
    ratio: float
    """Time of the second side divided by the time of the first side."""


def runtime_of(side: Side, folder: Path) -> str:
    """Return name and version of a side's runtime, as in ``onnxruntime 1.32.0``; ``folder`` contains ``harness/``.

    Raises ``HarnessError`` if the interpreter cannot be started, or lacks a package.
    """
    try:
        done = subprocess.run(
            **module_process("pair", python=side.python, folder=folder),
            capture_output=True,
            text=True,
            timeout=_LIMIT_NS / 1e9,
            check=False,
        )
        reply = json.loads(done.stdout.strip().rpartition("\n")[2] or "{}")
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        message = f"{side.python} cannot be started: {getattr(error, 'strerror', None) or error}"
        raise HarnessError(f"{message}: name a Python 3.10 or newer with numpy and onnxruntime") from error
    if "runtime" not in reply:
        last = done.stderr.strip().rpartition("\n")[2]
        reason = reply.get("error") or f"it ended with exit code {done.returncode}: {last}"
        raise HarnessError(f"{side.python}: {reason}", MISSING)
    return str(reply["runtime"])


def _print_runtime() -> None:
    # Print the runtime of this interpreter, or why it cannot be used, as a line of JSON.
    try:
        required("numpy")
        settings = SessionSettings()
        check_settings(settings)
        facts = backend(settings).facts(settings)
        reply = {"runtime": f"{facts['name']} {facts['version']}"}
    except HarnessError as error:
        reply = {"error": str(error)}
    sys.stdout.write(json.dumps(reply) + "\n")


def _pool(side: Side, setup: PairSetup) -> WorkerPool:
    from dlbricks.harness.run.worker import first_request  # imports numpy, of which `main` reports the lack

    settings = with_shared_pool(SessionSettings(threads=setup.threads, config=side.options))
    return WorkerPool(first_request(settings, setup.folder, setup.weights, setup.seed), side.python, setup.folder)


class Pair:
    """Two fresh processes, one of each side, with loaded benchmarks."""

    def __init__(self, sides: Sequence[Side], setup: PairSetup, rows: Iterable[Mapping[str, Any]]) -> None:
        """Start the processes and load the benchmarks.

        Args:
            rows: entries of ``suite.json``; one of role ``overhead`` measures the call overhead.

        Raises:
            HarnessError: a process cannot be started, or ended by itself.
        """
        # Side and reason, by fingerprint, of benchmarks that could not be loaded.
        self.failed: dict[str, tuple[int, str]] = {}
        self._calls: dict[str, int] = {}
        self._empty = ""
        self._sides = sides
        self._pools = [_pool(side, setup) for side in sides]
        try:
            self._workers: list[Worker] = []
            for side, pool in zip(sides, self._pools, strict=True):
                try:
                    self._workers.append(pool.start())
                except HarnessError as error:
                    raise HarnessError(f"{side.python}: {error}", error.exit_code) from error
            for row in rows:
                self._load(row)
        except BaseException:  # an interruption, too: nothing else knows the processes yet; it is raised again
            self.close()
            raise

    def _ask(self, side: int, request: Mapping[str, Any]) -> dict[str, Any]:
        try:
            return self._pools[side].ask(self._workers[side], request, _LIMIT_NS)
        except WorkerDiedError as died:
            raise HarnessError(f"{self._sides[side].python}: {died}") from died

    def _load(self, row: Mapping[str, Any]) -> None:
        slowest = 0
        for number in range(len(self._sides)):
            reply = self._ask(number, {"op": "load", "benchmark": row})
            if "error" in reply:
                self.failed[row["fingerprint"]] = (number, reply["error"])
                return
            slowest = max(slowest, reply["warmup_ns"][-1])
        wanted = 2 if slowest > _SLOW_NS else max(3, min(_MOST_CALLS, _VISIT_NS // max(1, slowest)))
        self._calls[row["fingerprint"]] = wanted
        if row["role"] == "overhead":
            self._empty = row["fingerprint"]

    def close(self) -> None:
        """End both processes."""
        for pool in self._pools:
            pool.close()

    def times(self, *, rounds: int = ROUNDS, least: int = 3, until_ns: int | None = None) -> dict[str, PairTimes]:
        """Time every loaded benchmark in both processes, alternately.

        No round starts after ``until_ns`` (``time.monotonic_ns``). Raises ``HarnessError`` if a process ended.
        """
        seen: dict[str, list[tuple[int, int]]] = {fingerprint: [] for fingerprint in self._calls}
        draw = random.Random(0)  # noqa: S311  (order of visits)
        for number in range(rounds):
            if number >= least and until_ns is not None and time.monotonic_ns() > until_ns:
                break
            order = draw.sample(sorted(seen), len(seen))
            for place, fingerprint in enumerate(order):
                turns = (0, 1) if (number + place) % 2 == 0 else (1, 0)
                times = {turn: self._visit(turn, fingerprint) for turn in turns}
                seen[fingerprint].append((times[0], times[1]))
        more_ns = 0.0
        if self._empty:
            more_ns = max(0.0, statistics.median(second - first for first, second in seen[self._empty]))
        return {name: _pair_times(pairs, more_ns if name != self._empty else 0.0) for name, pairs in seen.items()}

    def _visit(self, side: int, fingerprint: str) -> int:
        # Call a benchmark back to back; return the duration of the fastest call after the first, ns.
        step = {"state": "hot_loop", "calls": self._calls[fingerprint]}
        visit = self._ask(side, {"op": "visit", "fingerprint": fingerprint, "steps": [step], "same_code": None})
        if "error" in visit:
            raise HarnessError(f"a piece failed: {visit['error']}")
        samples: list[int] = visit["taken"][0]["samples_ns"]
        return min(samples[1:] or samples)


def _pair_times(seen: Sequence[tuple[int, int]], more_ns: float) -> PairTimes:
    first, second = (lower_quartile(times) for times in zip(*seen, strict=True))
    second = max(0.05 * second, second - more_ns)
    return PairTimes(first_ns=first, second_ns=second, ratio=second / first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """A difference that repeated in pairs of fresh processes."""

    ratio: float
    """Time of the second side divided by the time of the first side, as median over pairs."""
    low: float
    high: float
    """Upper end of the interval of the median, with more than 99 % confidence."""
    pairs: int
    first_ns: float
    second_ns: float


def confirm(pairs: Sequence[PairTimes], limit: float) -> "Confirmed | bool":
    """Test whether the second side is slower by more than the ratio ``limit`` (sequential sign test).

    Returns:
        The confirmed difference; False if further pairs cannot confirm a difference; True if more pairs are needed.
    """
    denied = sum(pair.ratio <= limit for pair in pairs)
    if denied not in PAIRS_NEEDED:
        return False
    return True if len(pairs) < PAIRS_NEEDED[denied] else summarise_pairs(pairs, denied)


def summarise_pairs(pairs: Sequence[PairTimes], denied: int = 0) -> Confirmed:
    """Return the median ratio, and an interval without the ``denied`` smallest and the ``denied`` largest ratios."""
    ratios = sorted(pair.ratio for pair in pairs)
    return Confirmed(
        ratio=statistics.median(ratios),
        low=ratios[denied],
        high=ratios[-1 - denied],
        pairs=len(ratios),
        first_ns=statistics.median(pair.first_ns for pair in pairs),
        second_ns=statistics.median(pair.second_ns for pair in pairs),
    )


def main(argv: Sequence[str], folder: Path, script: str, original: Mapping[str, Any]) -> int:
    """Time the benchmark in a written file, or use it to compare two interpreters; return the exit code.

    Args:
        script: path of the benchmark's script in the folder.
        original: fingerprint, session options of both sides, threads, and the original measurement.
    """
    parser = argparse.ArgumentParser(description="Time this piece, or compare two Pythons with it.", add_help=False)
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="Python of A, then Python of B.")
    parser.add_argument("--pairs", type=int, default=PAIRS_NEEDED[0], help="Pairs of fresh processes to compare.")
    parser.add_argument("-h", "--help", action="store_true", help="Show this help and that of the benchmark.")
    chosen, rest = parser.parse_known_args(argv)
    if chosen.help:
        parser.print_help()
    if chosen.help or not (chosen.python or original["options"][0] != original["options"][1]):
        sys.argv = [sys.argv[0], *rest, *(["--help"] if chosen.help else [])]
        try:
            runpy.run_path(str(folder / script), run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                return int(ended.code)
        sys.stdout.write("\n".join(_original_result(original)) + "\n")
        return 0
    pythons = (chosen.python * 2)[:2] or [sys.executable] * 2
    options = [tuple((str(key), str(value)) for key, value in more) for more in original["options"]]
    # absolute, since workers start in another folder
    paths = [str(Path(shutil.which(python) or python).absolute()) for python in pythons]
    sides = [Side(python=path, options=more) for path, more in zip(paths, options, strict=True)]

    def command() -> int:
        required("numpy")
        sys.stdout.write(_compared(sides, folder, original, max(1, chosen.pairs)) + "\n")
        return 0

    return exit_code_of(command)


def _compared(sides: Sequence[Side], folder: Path, original: Mapping[str, Any], pairs: int) -> str:
    from dlbricks.harness.values import ensure_weights

    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    setup = PairSetup(folder=folder, weights=folder / "weights", seed=int(suite["seed"]), threads=original["threads"])
    ensure_weights(setup.weights, suite["weights"], setup.seed)
    name = original["fingerprint"]
    rows = [row for row in suite["benchmarks"] if row["fingerprint"] == name or row["role"] == "overhead"]
    lines = [
        f"{letter}: {side.python}: {runtime_of(side, folder)} {dict(side.options) or ''}"
        for letter, side in zip("AB", sides, strict=True)
    ]
    times = _measure_pairs(sides, setup, rows, name, pairs)
    summary = summarise_pairs(times)
    lines.append(f"A takes {in_words(round(summary.first_ns))}, B {in_words(round(summary.second_ns))} a call")
    span = f"{summary.low:.3f} to {summary.high:.3f} in {summary.pairs} pairs of fresh processes"
    lines.append(f"B by A: {summary.ratio:.3f}, {span}")
    return "\n".join([*lines, *_original_result(original)])


def _measure_pairs(
    sides: Sequence[Side], setup: PairSetup, rows: Sequence[Mapping[str, Any]], fingerprint: str, pairs: int
) -> list[PairTimes]:
    # Measure one benchmark in `pairs` pairs of fresh processes.
    times = []
    for number in range(pairs):
        with contextlib.closing(Pair(sides, setup, rows)) as pair:
            if pair.failed:
                side, reason = next(iter(pair.failed.values()))
                raise HarnessError(f"{sides[side].python} cannot run the piece: {reason}")
            times.append(pair.times()[fingerprint])
        sys.stderr.write(f"pair {number + 1} of {pairs}: {times[-1].ratio:.3f}\n")
    return times


def _original_result(original: Mapping[str, Any]) -> list[str]:
    # Format the measurement that this reproduction was made from, and the command for a comparison.
    runtimes, options = original["runtimes"], original["options"]
    sides = [name + (f" with {dict(more)}" if more else "") for name, more in zip(runtimes, options, strict=True)]
    low, high, pairs = original["low"], original["high"], original["pairs"]
    threads = "one thread" if original["threads"] == 1 else f"{original['threads']} threads"
    return [
        f"found    B = {sides[1]} took {original['ratio']:.2f} times as long as A = {sides[0]},",
        f"         {low:.2f} to {high:.2f} in {pairs} pairs of processes, {threads}",
        f"compare  python {Path(sys.argv[0]).name} --python PATH_OF_A --python PATH_OF_B",
    ]


if __name__ == "__main__":
    _print_runtime()
