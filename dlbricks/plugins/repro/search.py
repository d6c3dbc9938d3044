"""Searches for the smallest piece of a network that is slower on one of two runtimes.

All unique pieces are screened in one pair of processes, and candidates are confirmed in pairs of fresh processes. A
unit is a layer or a fused group. If the network is slower but no single unit is, for instance after a lost fusion,
longer pieces are screened. The result has less than twice as many layers as the shortest slower piece.
"""

import json
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

from dlbricks.errors import CheckError
from dlbricks.files import write_bytes
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.values import ensure_weights
from dlbricks.model.types import Model
from dlbricks.plugins.repro.pair import PAIRS_NEEDED, ROUNDS, Confirmed, Pair, PairSetup, PairTimes, confirm, runtime_of
from dlbricks.plugins.repro.pieces import (
    NetworkPiece,
    Reproduction,
    SearchSettings,
    Slower,
    pair_files,
    pieces_of,
)
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import units_of
from dlbricks.settings import PORTABLE, SplitSettings
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark, group_index
from dlbricks.suite.manifest import render_manifest
from dlbricks.suite.writing import assemble, harness_files
from dlbricks.typed_json import digest_json

# Maximum number of units of a piece, in the order in which they are screened.
LENGTHS = (1, 2, 4, 8, 16)
# Maximum number of pieces to confirm: those with the largest slowdown of the network.
_CANDIDATES = 5
# Fractions of the remaining time for screening all pieces of a length, and for measuring the network in one pair of
# processes; number of these pairs.
_SCREENING, _WHOLE, _WHOLE_PAIRS = 0.35, 0.05, 3
# Maximum size of weights and activations in one pair of processes.
_CHUNK_BYTES = 400 << 20
# Ratio of the network's times above which longer pieces are screened.
_SLOWER = 1.01
# Minimum slowdown of the network by all uses of a candidate, as a fraction of its time.
_LEAST_SHARE = 0.001


class Search:
    """Searches for slower pieces of one network."""

    def __init__(
        self, model: Model, settings: SearchSettings, folder: Path, advance: Callable[[Progress], None]
    ) -> None:
        """Split the network and write the files of the worker processes to an empty folder.

        ``advance`` is called with the progress after measurements. Raises ``HarnessError`` if a Python lacks a runtime.
        """
        self._began, self._settings, self._advance = time.monotonic_ns(), settings, advance
        self._deadline = self._began + settings.budget_ns
        self._model = split(model, Granularity(1)).model
        self._units, self._groups = units_of(self._model), group_index(self._model)
        self._setup = PairSetup(folder=folder, weights=folder / "weights", seed=0, threads=settings.threads)
        for path, data in {**harness_files(), **pair_files()}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        (folder / "networks").mkdir()
        first, second = (runtime_of(side, folder) for side in settings.sides)
        self.runtimes = (first, second)
        self._rows: dict[str, dict[str, Any]] = {}
        empty = next(anchor for anchor in anchors() if anchor.benchmark.role == "overhead")
        self._write([empty])
        self._empty = empty.benchmark.fingerprint
        self._pieces: dict[str, NetworkPiece] = {}
        self._seen: dict[str, PairTimes] = {}
        self._failed: dict[str, str] = {}
        self._unconfirmed = 0

    @property
    def _left_ns(self) -> int:
        return self._deadline - time.monotonic_ns()

    def _write(self, built: Sequence[BuiltBenchmark]) -> None:
        # Write networks and weights that are not written yet.
        new = [entry for entry in built if entry.benchmark.fingerprint not in self._rows]
        if not new:
            return
        for entry in new:
            write_bytes(self._setup.folder / entry.benchmark.network, entry.network)
        document = json.loads(render_manifest(assemble(SplitSettings(target=PORTABLE), new, name="repro")))
        ensure_weights(self._setup.weights, document["weights"], self._setup.seed)
        self._rows |= {row["fingerprint"]: row for row in document["benchmarks"]}

    def piece(self, fingerprint: str) -> NetworkPiece:
        """Return a measured piece by its fingerprint."""
        return self._pieces[fingerprint]

    def find(self) -> Reproduction:
        """Measure pieces until a piece is confirmed to be slower, all were tried, or the budget is spent.

        Raises ``HarnessError`` if a worker process ended, and ``CheckError`` if a runtime cannot run the network.
        """
        whole = self._whole()
        slower: list[Slower] = []
        for length in LENGTHS:
            if slower or self._left_ns <= 0 or (length > 1 and whole.ratio < _SLOWER):
                break
            slower = self._search_length(length, whole)
        self._report("done", len(self._seen), len(self._seen))
        return Reproduction(
            network=self._model.name,
            units=sum(unit.weight for unit in self._units.members),
            runtimes=self.runtimes,
            whole=whole,
            slower=tuple(slower),
            measured=len(self._seen),
            unconfirmed=self._unconfirmed if not slower else 0,
            failed=tuple(sorted(set(self._failed.values()))),
            spent_ns=time.monotonic_ns() - self._began,
        )

    def _whole(self) -> PairTimes:
        canonical = canonicalise(self._model, end_to_end(self._model))
        built = build_benchmark(self._model, canonical, role="whole")
        name = digest_json(["whole", canonical.fingerprint])
        row = replace(built.benchmark, fingerprint=name, network=f"networks/{name}.onnx")
        self._write([replace(built, benchmark=row)])
        times: list[PairTimes] = []
        for number in range(_WHOLE_PAIRS):
            if times and self._left_ns <= 0:
                break
            self._report("measuring", number, _WHOLE_PAIRS)
            until_ns = time.monotonic_ns() + int(_WHOLE * self._left_ns)
            with closing(Pair(self._settings.sides, self._setup, [self._rows[name]])) as pair:
                if pair.failed:
                    side, reason = pair.failed[name]
                    raise CheckError(f"{self._settings.sides[side].python} cannot run the network: {reason}")
                times.append(pair.times(rounds=2 * ROUNDS, until_ns=until_ns)[name])
        return sorted(times, key=lambda pair_times: pair_times.ratio)[len(times) // 2]

    def _search_length(self, length: int, whole: PairTimes) -> list[Slower]:
        # Screen all pieces of a length, and confirm those that seem slower.
        pieces = pieces_of(self._model, Granularity(length), self._groups)
        new = [
            piece for piece in pieces if piece.fingerprint not in self._seen and piece.fingerprint not in self._failed
        ]
        self._screen(new)
        candidates = self._candidates(new, _LEAST_SHARE * whole.first_ns)
        return self._confirmed(candidates, whole)

    def _candidates(self, pieces: Sequence[NetworkPiece], least_ns: float) -> list[NetworkPiece]:
        limit = 1 + self._settings.least
        seen = [
            piece for piece in pieces if piece.fingerprint in self._seen and self._seen[piece.fingerprint].ratio > limit
        ]
        seen = [piece for piece in seen if piece.uses * self._more_ns(piece) > least_ns]
        return sorted(seen, key=lambda piece: -piece.uses * self._more_ns(piece))[:_CANDIDATES]

    def _more_ns(self, piece: NetworkPiece) -> float:
        times = self._seen[piece.fingerprint]
        return times.first_ns * (times.ratio - 1)

    def _screen(self, pieces: Sequence[NetworkPiece]) -> None:
        # Measure pieces in one pair of processes, or in several if they need much memory.
        chunks = _chunks(pieces)
        end_ns = time.monotonic_ns() + int(_SCREENING * self._left_ns)
        for number, chunk in enumerate(chunks):
            self._write([piece.built for piece in chunk])
            self._pieces |= {piece.fingerprint: piece for piece in chunk}
            self._report("measuring", len(self._seen), len(self._seen) + sum(map(len, chunks[number:])))
            rows = [self._rows[name] for name in (*(piece.fingerprint for piece in chunk), self._empty)]
            with closing(Pair(self._settings.sides, self._setup, rows)) as pair:
                now = time.monotonic_ns()
                times = pair.times(until_ns=now + (end_ns - now) // (len(chunks) - number))
                for name, (side, reason) in pair.failed.items():
                    self._failed[name] = f"{self._settings.sides[side].python}: {reason}"
            self._seen |= {name: pair_times for name, pair_times in times.items() if name in self._pieces}

    def _confirmed(self, pieces: Sequence[NetworkPiece], whole: PairTimes) -> list[Slower]:
        # Measure pieces in fresh processes until each is confirmed or rejected.
        pending: dict[str, list[PairTimes]] = {piece.fingerprint: [] for piece in pieces}
        proved: dict[str, Confirmed] = {}
        limit = 1 + self._settings.least
        while pending and self._left_ns > 0:
            number = max(map(len, pending.values()))
            denied = any(pair_times.ratio <= limit for times in pending.values() for pair_times in times)
            self._report("confirming", number, max(PAIRS_NEEDED.values()) if denied else PAIRS_NEEDED[0])
            rows = [self._rows[name] for name in (*pending, self._empty)]
            with closing(Pair(self._settings.sides, self._setup, rows)) as pair:
                times = pair.times()
            for name in list(pending):
                pending[name].append(times[name])
                verdict = confirm(pending[name], limit)
                if isinstance(verdict, Confirmed):
                    proved[name] = verdict
                if verdict is not True:
                    del pending[name]
        self._unconfirmed += len(pending)
        slower = [_slower(self._pieces[name], slowdown, whole) for name, slowdown in proved.items()]
        return sorted(slower, key=lambda piece: -piece.explains)

    def _report(self, phase: str, done: int, total: int) -> None:
        eta_ns = None if phase == "done" else max(0, self._left_ns)
        self._advance(Progress(phase=phase, done=done, total=total, loaded=done, visits=done, failed=0, eta_ns=eta_ns))


def _slower(piece: NetworkPiece, slowdown: Confirmed, whole: PairTimes) -> Slower:
    return Slower(
        name=piece.built.benchmark.name,
        fingerprint=piece.fingerprint,
        units=piece.size,
        uses=piece.uses,
        slowdown=slowdown,
        explains=piece.uses * slowdown.first_ns * (slowdown.ratio - 1) / whole.first_ns,
    )


def _chunks(pieces: Sequence[NetworkPiece]) -> list[list[NetworkPiece]]:
    # Distribute pieces over pairs of processes by their memory.
    chunks: list[list[NetworkPiece]] = []
    held = _CHUNK_BYTES
    for piece in pieces:
        nbytes = piece.built.benchmark.weight_bytes + piece.built.benchmark.activation_bytes
        if held + nbytes > _CHUNK_BYTES:
            chunks.append([])
            held = 0
        chunks[-1].append(piece)
        held += nbytes
    return chunks
