"""Two runtimes beside each other: a worker process of each, asked in turns. Travels with reproductions only.

Whatever else the machine does meets both alike. Two processes of the same runtime differ by a few per cent for as long
as they live, since their memory lies elsewhere: a difference counts only if pairs of fresh processes repeat it.
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
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import INTERRUPTED, MISSING, HarnessError, require_packages
from .stats import lower_quartile

NEEDED = {0: 8, 1: 11}
"""Pairs of fresh processes that have to be measured, by how many of them may deny a difference: if there were none,
each pair would come out either way, and so many would agree by chance once in 256 or 171 times."""
ROUNDS = 7
"""Times that each piece is visited in each process of a pair."""
_VISIT_NS, _MOST_CALLS, _SLOW_NS = 3_000_000, 32, 30_000_000
_LIMIT_S = 120.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two."""

    python: str
    """The interpreter, or a program that starts one with the arguments it is given."""
    options: tuple[tuple[str, str], ...] = ()
    """Session options that only it has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where the files are, and how sessions are opened."""

    folder: Path
    """Has ``harness`` and ``networks``."""
    weights: Path
    seed: int
    threads: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PairTimes:
    """What one pair of processes said of a piece."""

    first_ns: float
    second_ns: float
    """Less what a call of an empty network takes longer than on the first side."""
    ratio: float
    """Of these times, each the lower quartile of visits: what else the machine does only ever makes them longer."""


def runtime_of(side: Side, folder: Path) -> str:
    """Say which runtime a side has, as in ``onnxruntime 1.32.0``.

    Args:
        side: one of the two.
        folder: that has ``harness``.

    Raises:
        HarnessError: it cannot be started, or lacks a package.
    """
    try:
        made = subprocess.run(
            [side.python, "-m", "harness.run.installed"],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
        found = json.loads(made.stdout.strip().rpartition("\n")[2] or "{}")
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        message = f"{side.python} cannot be started: {getattr(error, 'strerror', None) or error}"
        raise HarnessError(f"{message}: name a Python 3.10 or newer with numpy and onnxruntime") from error
    if "runtime" not in found:
        last = made.stderr.strip().rpartition("\n")[2]
        said = found.get("error") or f"it ended with exit code {made.returncode}: {last}"
        raise HarnessError(f"{side.python}: {said}", MISSING)
    return str(found["runtime"])


class _Process:
    """A worker of one side."""

    def __init__(self, side: Side, place: Place) -> None:
        from .run.worker import to_json
        from .session import FIXED_OPTIONS, SessionSettings, with_shared_pool

        self._name = side.python
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  (lives as long as the worker)
        self._process = subprocess.Popen(
            [side.python, "-m", "harness.run.worker"],
            cwd=place.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        settings = SessionSettings(threads=place.threads, config=side.options, options=tuple(FIXED_OPTIONS.items()))
        self._first = {
            "settings": to_json(with_shared_pool(settings)),
            "seed": place.seed,
            "memory_limit_bytes": None,
            "folder": str(place.folder),
            "weights": str(place.weights),
        }

    def begin(self) -> None:
        """Send the first request; raises HarnessError where the worker refuses it."""
        reply = self.ask(self._first)
        if "error" in reply:
            raise HarnessError(f"{self._name}: {reply['error']}")

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask, and wait for the answer; raises HarnessError where none comes."""
        assert self._process.stdin is not None  # noqa: S101  (opened as pipes above)
        assert self._process.stdout is not None  # noqa: S101
        alarm = threading.Timer(_LIMIT_S, self._process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = b""
        finally:
            alarm.cancel()
        if not line:
            raise HarnessError(f"{self._name}: {self._why()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _why(self) -> str:
        code = self._process.wait()
        self._log.seek(0)
        lines = [line.strip() for line in self._log.read().decode("utf-8", "replace").split("\n") if line.strip()]
        return f"its worker ended with exit code {code}" + (f": {lines[-1][:300]}" if lines else "")

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        self._log.close()


class Pair:
    """A fresh process of each side, with some benchmarks loaded; to be closed."""

    def __init__(self, sides: Sequence[Side], place: Place, rows: Iterable[Mapping[str, Any]]) -> None:
        """Start the processes and load the benchmarks.

        Args:
            sides: the two.
            place: of the files.
            rows: entries of ``suite.json``; one of role ``overhead`` says what a call costs.

        Raises:
            HarnessError: a process cannot be started or ended.
        """
        self.failed: dict[str, tuple[int, str]] = {}
        """Side and reason, by fingerprint, of what could not be loaded."""
        self._calls: dict[str, int] = {}
        self._empty = ""
        self._processes: list[_Process] = []
        try:
            for side in sides:
                self._processes.append(_Process(side, place))
            for process in self._processes:
                process.begin()
            for row in rows:
                self._load(row)
        except BaseException:
            self.close()
            raise

    def _load(self, row: Mapping[str, Any]) -> None:
        slowest = 0
        for number, process in enumerate(self._processes):
            reply = process.ask({"op": "load", "benchmark": row})
            if "error" in reply:
                self.failed[row["fingerprint"]] = (number, reply["error"])
                return
            slowest = max(slowest, reply["warmup_ns"][-1])
        wanted = 2 if slowest > _SLOW_NS else max(3, min(_MOST_CALLS, _VISIT_NS // max(1, slowest)))
        self._calls[row["fingerprint"]] = wanted
        if row["role"] == "overhead":
            self._empty = row["fingerprint"]

    def close(self) -> None:
        """End the processes."""
        for process in self._processes:
            process.end()
        self._processes = []

    def times(self, *, rounds: int = ROUNDS, least: int = 3, until_ns: int | None = None) -> dict[str, PairTimes]:
        """Visit every loaded benchmark in both processes, alternating between them.

        Args:
            rounds: most rounds.
            least: rounds that are made in any case.
            until_ns: by ``time.monotonic_ns``, when no more rounds begin.

        Raises:
            HarnessError: a process ended.
        """
        seen: dict[str, list[tuple[int, int]]] = {fingerprint: [] for fingerprint in self._calls}
        draw = random.Random(0)  # noqa: S311  (an order)
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
        return {name: _pair_times(made, more_ns if name != self._empty else 0.0) for name, made in seen.items()}

    def _visit(self, side: int, fingerprint: str) -> int:
        """Call a benchmark back to back; give the quickest call after the first."""
        step = {"state": "repeated", "calls": self._calls[fingerprint]}
        asked = {"op": "visits", "visits": [{"fingerprint": fingerprint, "steps": [step]}]}
        [visit] = self._processes[side].ask(asked)["visits"]
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
    """What pairs of fresh processes said of a piece."""

    ratio: float
    """Middle of the pairs' ratios: how many times as long the second side takes."""
    low: float
    high: float
    """Between them lies the middle of all such pairs with more than 99 %."""
    pairs: int
    first_ns: float
    second_ns: float


def judge(made: Sequence[PairTimes], limit: float) -> "Confirmed | bool":
    """Say what pairs of fresh processes prove.

    Args:
        made: one of each pair.
        limit: ratio that counts as a difference if it is surely exceeded.

    Returns:
        What was found; False if there is surely no use in going on, True if more pairs are needed.
    """
    denied = sum(one.ratio <= limit for one in made)
    if denied not in NEEDED:
        return False
    return True if len(made) < NEEDED[denied] else summed(made, denied)


def summed(made: Sequence[PairTimes], denied: int = 0) -> Confirmed:
    """Put pairs together; of as many from either end as deny nothing is said."""
    ratios = sorted(one.ratio for one in made)
    return Confirmed(
        ratio=statistics.median(ratios),
        low=ratios[denied],
        high=ratios[-1 - denied],
        pairs=len(ratios),
        first_ns=statistics.median(one.first_ns for one in made),
        second_ns=statistics.median(one.second_ns for one in made),
    )


def main(argv: Sequence[str], folder: Path, script: str, found: Mapping[str, Any]) -> int:
    """Time a reproduction, or compare two interpreters by it; give the exit code.

    Args:
        argv: options, see ``--help``.
        folder: the unpacked reproduction.
        script: path of the benchmark's script in it.
        found: fingerprint, session options of both sides, threads, and what was measured.
    """
    parser = argparse.ArgumentParser(description="Time this piece here, or compare two Pythons by it.", add_help=False)
    parser.add_argument("--python", action="append", default=[], metavar="PATH", help="Python of A, then that of B.")
    parser.add_argument("--pairs", type=int, default=NEEDED[0], help="Pairs of fresh processes of a comparison.")
    parser.add_argument("-h", "--help", action="store_true", help="Show this, and the options of timing alone.")
    chosen, rest = parser.parse_known_args(argv)
    if chosen.help:
        parser.print_help()
    if chosen.help or not (chosen.python or found["options"][0] != found["options"][1]):
        sys.argv = [sys.argv[0], *rest, *(["--help"] if chosen.help else [])]
        try:
            runpy.run_path(str(folder / script), run_name="__main__")
        except SystemExit as ended:
            if ended.code:
                return int(ended.code)
        sys.stdout.write("\n".join(_story(found)) + "\n")
        return 0
    try:
        require_packages()
        pythons = (chosen.python * 2)[:2] or [sys.executable] * 2
        options = [tuple((str(key), str(value)) for key, value in more) for more in found["options"]]
        sides = [Side(python=_placed(one), options=more) for one, more in zip(pythons, options, strict=True)]
        sys.stdout.write(_compared(sides, folder, found, max(1, chosen.pairs)) + "\n")
    except HarnessError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        return INTERRUPTED
    return 0


def _placed(python: str) -> str:
    """Give the whole path of a program, since workers start elsewhere."""
    return str(Path(shutil.which(python) or python).absolute())


def _compared(sides: Sequence[Side], folder: Path, found: Mapping[str, Any], pairs: int) -> str:
    from .options import in_words
    from .values import ensure_weights

    suite = json.loads((folder / "suite.json").read_text(encoding="utf-8"))
    place = Place(folder=folder, weights=folder / "weights", seed=int(suite["seed"]), threads=found["threads"])
    ensure_weights(place.weights, suite["weights"], place.seed)
    name = found["fingerprint"]
    rows = [one for one in suite["benchmarks"] if one["fingerprint"] == name or one["role"] == "overhead"]
    lines = [
        f"{letter}: {side.python}: {runtime_of(side, folder)} {dict(side.options) or ''}"
        for letter, side in zip("AB", sides, strict=True)
    ]
    made = fresh(sides, place, rows, name, pairs, lambda text: sys.stderr.write(text + "\n"))
    one = summed(made)
    lines.append(f"A takes {in_words(round(one.first_ns))}, B {in_words(round(one.second_ns))} a call")
    lines.append(f"B by A: {one.ratio:.3f}, {one.low:.3f} to {one.high:.3f} in {one.pairs} pairs of fresh processes")
    return "\n".join([*lines, *_story(found)])


def fresh(
    sides: Sequence[Side],
    place: Place,
    rows: Sequence[Mapping[str, Any]],
    fingerprint: str,
    pairs: int,
    told: Callable[[str], object],
) -> list[PairTimes]:
    """Measure one benchmark in so many pairs of fresh processes."""
    made = []
    for number in range(pairs):
        with contextlib.closing(Pair(sides, place, rows)) as pair:
            if pair.failed:
                side, reason = next(iter(pair.failed.values()))
                raise HarnessError(f"{sides[side].python} cannot run it: {reason}")
            made.append(pair.times()[fingerprint])
        told(f"pair {number + 1} of {pairs}: {made[-1].ratio:.3f}")
    return made


def _story(found: Mapping[str, Any]) -> list[str]:
    """Say what was found where this piece comes from, and how to compare."""
    runtimes, options = found["runtimes"], found["options"]
    sides = [name + (f" with {dict(more)}" if more else "") for name, more in zip(runtimes, options, strict=True)]
    threads = "one thread" if found["threads"] == 1 else f"{found['threads']} threads"
    return [
        f"found    B = {sides[1]} took {found['ratio']:.2f} times as long as A = {sides[0]},",
        f"         {found['low']:.2f} to {found['high']:.2f} in {found['pairs']} pairs of processes, {threads}",
        f"compare  python {Path(sys.argv[0]).name} --python PATH_OF_A --python PATH_OF_B",
    ]
