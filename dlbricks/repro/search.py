"""Finds the smallest piece of a network that is surely slower on one side, by measuring both sides in turns.

First all unique pieces are looked at in one pair of processes. What seems slower is measured again in pairs of fresh
processes, since two processes of the same runtime differ for as long as they live. Where no single unit is slower but
the network is, a lost fusion for one, longer pieces are looked at and then shortened.
"""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from dlbricks.errors import CheckError
from dlbricks.files import write_bytes
from dlbricks.fingerprint import digest_json
from dlbricks.harness.pair import PAIRS_NEEDED, ROUNDS, Confirmed, Pair, PairSetup, PairTimes, Side, confirm, runtime_of
from dlbricks.harness.run.progress import Progress
from dlbricks.harness.values import ensure_weights
from dlbricks.model.types import Model
from dlbricks.repro.pieces import NetworkPiece, pieces_of, shorter
from dlbricks.sequences.canonical import canonicalise
from dlbricks.sequences.split import end_to_end, split
from dlbricks.sequences.types import Granularity
from dlbricks.sequences.units import units_of
from dlbricks.suite.benchmarks import BuiltBenchmark, anchors, build_benchmark, group_index
from dlbricks.suite.manifest import render_manifest
from dlbricks.suite.writing import SuiteHead, assemble, harness_files, pair_files, target_here

LENGTHS = (1, 2, 4, 8, 16)
"""Most units of a piece, in the order in which they are looked at."""
_CANDIDATES = 5
"""Pieces that are measured in fresh processes at most, those that explain most."""
_SCREENING, _WHOLE, _WHOLE_PAIRS = 0.35, 0.05, 3
"""Parts of the time left that one look at all pieces of a length may take, and one at the network in one of some pairs
of processes."""
_CHUNK_BYTES = 400 << 20
"""Weights that one pair of processes holds."""
_KEPT = 0.6
"""Part of a piece's difference that a shorter one has to show to be taken instead."""
_SLOWER = 1.01
"""Ratio of the whole from which on longer pieces are looked at."""
_LEAST_SHARE = 0.001
"""Part of the network's time: what makes it longer by less, all uses together, is left alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is to be found."""

    sides: tuple[Side, Side]
    threads: int
    least: float
    """Share by which a piece has to be slower."""
    budget_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Slower:
    """A piece that is surely slower on the second side."""

    name: str
    fingerprint: str
    units: int
    uses: int
    found: Confirmed
    explains: float
    """By what part of the first side's time it makes the network longer, all its uses together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reproduction:
    """What a search found."""

    network: str
    units: int
    """Of the network."""
    runtimes: tuple[str, str]
    whole: PairTimes
    """The middle one of three pairs of processes, or fewer if time was short; its ratio is no proof."""
    slower: tuple[Slower, ...]
    """Best first: the one that explains most."""
    measured: int
    """Different pieces that were looked at."""
    unconfirmed: int
    """Pieces that seemed slower, and could not be measured often enough in time."""
    failed: tuple[str, ...]
    """Reasons why pieces could not be loaded, each with its side."""
    spent_ns: int


class Search:
    """Looks for slower pieces in one network."""

    def __init__(self, model: Model, question: Question, folder: Path, advance: Callable[[Progress], None]) -> None:
        """Split the network and write what workers need.

        Args:
            model: portable.
            question: what is to be found.
            folder: empty, for the time of the search.
            advance: called with how far it is, never while something is timed.

        Raises:
            HarnessError: a side has no runtime.
        """
        self._began, self._question, self._advance = time.monotonic_ns(), question, advance
        self._deadline = self._began + question.budget_ns
        self._model = split(model, Granularity(1)).model
        self._units, self._groups = units_of(self._model), group_index(self._model)
        self._head = SuiteHead(name="repro", granularity="1", splitter="block", target=target_here("portable"), seed=0)
        self._setup = PairSetup(folder=folder, weights=folder / "weights", seed=0, threads=question.threads)
        for path, data in {**harness_files(), **pair_files()}.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)
        (folder / "networks").mkdir()
        first, second = (runtime_of(side, folder) for side in question.sides)
        self.runtimes = (first, second)
        self._rows: dict[str, dict[str, Any]] = {}
        empty = next(one for one in anchors() if one.benchmark.role == "overhead")
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
        """Write networks and weights that are not there yet."""
        new = [one for one in built if one.benchmark.fingerprint not in self._rows]
        if not new:
            return
        for one in new:
            write_bytes(self._setup.folder / one.benchmark.network, one.network)
        document = json.loads(render_manifest(assemble(self._head, new)))
        ensure_weights(self._setup.weights, document["weights"], self._setup.seed)
        self._rows |= {row["fingerprint"]: row for row in document["benchmarks"]}

    def piece(self, fingerprint: str) -> NetworkPiece:
        """Give a piece that was looked at."""
        return self._pieces[fingerprint]

    def find(self) -> Reproduction:
        """Search until a slower piece is confirmed, everything was looked at, or the time is over.

        Raises:
            HarnessError: a side cannot run the network, or a process ended.
            CheckError: the time was over before anything was measured.
        """
        whole = self._whole()
        slower: list[Slower] = []
        for length in LENGTHS:
            if slower or self._left_ns <= 0 or (length > 1 and whole.ratio < _SLOWER):
                break
            slower = self._at(length, whole)
        self._tell("done", len(self._seen), len(self._seen))
        return Reproduction(
            network=self._model.name,
            units=sum(one.weight for one in self._units.members),
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
        made: list[PairTimes] = []
        for number in range(_WHOLE_PAIRS):
            if made and self._left_ns <= 0:
                break
            self._tell("measuring", number, _WHOLE_PAIRS)
            until_ns = time.monotonic_ns() + int(_WHOLE * self._left_ns)
            with closing(Pair(self._question.sides, self._setup, [self._rows[name]])) as pair:
                if pair.failed:
                    side, reason = pair.failed[name]
                    raise CheckError(f"{self._question.sides[side].python} cannot run the network: {reason}")
                made.append(pair.times(rounds=2 * ROUNDS, until_ns=until_ns)[name])
        return sorted(made, key=lambda one: one.ratio)[len(made) // 2]

    def _at(self, length: int, whole: PairTimes) -> list[Slower]:
        """Look at all pieces of a length, confirm those that seem slower, shorten them."""
        pieces = pieces_of(self._model, Granularity(length), self._groups)
        new = [one for one in pieces if one.fingerprint not in self._seen and one.fingerprint not in self._failed]
        self._look(new)
        seeming = self._seeming(new, _LEAST_SHARE * whole.first_ns)
        if length > 1:
            seeming = [self._shortened(one) for one in seeming[:2]]
        return self._confirmed(seeming, whole)

    def _seeming(self, pieces: Sequence[NetworkPiece], least_ns: float) -> list[NetworkPiece]:
        limit = 1 + self._question.least
        seen = [one for one in pieces if one.fingerprint in self._seen and self._seen[one.fingerprint].ratio > limit]
        seen = [one for one in seen if one.uses * self._more_ns(one) > least_ns]
        return sorted(seen, key=lambda one: -one.uses * self._more_ns(one))[:_CANDIDATES]

    def _more_ns(self, piece: NetworkPiece) -> float:
        one = self._seen[piece.fingerprint]
        return one.first_ns * (one.ratio - 1)

    def _look(self, pieces: Sequence[NetworkPiece]) -> None:
        """Measure pieces in one pair of processes, or several if they hold much."""
        chunks = _chunks(pieces)
        end_ns = time.monotonic_ns() + int(_SCREENING * self._left_ns)
        for number, chunk in enumerate(chunks):
            self._write([one.built for one in chunk])
            self._pieces |= {one.fingerprint: one for one in chunk}
            self._tell("measuring", len(self._seen), len(self._seen) + sum(map(len, chunks[number:])))
            rows = [self._rows[name] for name in (*(one.fingerprint for one in chunk), self._empty)]
            with closing(Pair(self._question.sides, self._setup, rows)) as pair:
                now = time.monotonic_ns()
                made = pair.times(until_ns=now + (end_ns - now) // (len(chunks) - number))
                for name, (side, reason) in pair.failed.items():
                    self._failed[name] = f"{self._question.sides[side].python}: {reason}"
            self._seen |= {name: one for name, one in made.items() if name in self._pieces}

    def _shortened(self, piece: NetworkPiece) -> NetworkPiece:
        """Give the shortest piece inside this one that shows most of its difference."""
        while piece.size > 1 and self._left_ns > self._question.budget_ns // 4:
            tried = shorter(piece, self._units, self._groups)
            self._look([one for one in tried if one.fingerprint not in self._seen])
            wanted = _KEPT * self._more_ns(piece)
            good = [one for one in tried if one.fingerprint in self._seen and self._more_ns(one) >= wanted]
            good = [one for one in good if self._seen[one.fingerprint].ratio > 1 + self._question.least]
            if not good:
                break
            piece = min(good, key=lambda one: (one.size, -self._more_ns(one)))
        return piece

    def _confirmed(self, pieces: Sequence[NetworkPiece], whole: PairTimes) -> list[Slower]:
        """Measure pieces in fresh processes until each is proved slower, or is not."""
        made: dict[str, list[PairTimes]] = {one.fingerprint: [] for one in pieces}
        proved: dict[str, Confirmed] = {}
        limit = 1 + self._question.least
        while made and self._left_ns > 0:
            number = max(map(len, made.values()))
            self._tell("confirming", number, max(PAIRS_NEEDED.values()) if _denied(made, limit) else PAIRS_NEEDED[0])
            rows = [self._rows[name] for name in (*made, self._empty)]
            with closing(Pair(self._question.sides, self._setup, rows)) as pair:
                times = pair.times()
            for name in list(made):
                made[name].append(times[name])
                verdict = confirm(made[name], limit)
                if isinstance(verdict, Confirmed):
                    proved[name] = verdict
                if verdict is not True:
                    del made[name]
        self._unconfirmed += len(made)
        found = [_slower(self._pieces[name], one, whole) for name, one in proved.items()]
        return sorted(found, key=lambda one: -one.explains)

    def _tell(self, phase: str, done: int, total: int) -> None:
        eta_ns = None if phase == "done" else max(0, self._left_ns)
        self._advance(Progress(phase=phase, done=done, total=total, loaded=done, visits=done, failed=0, eta_ns=eta_ns))


def _denied(made: Mapping[str, Sequence[PairTimes]], limit: float) -> bool:
    return any(one.ratio <= limit for times in made.values() for one in times)


def _slower(piece: NetworkPiece, found: Confirmed, whole: PairTimes) -> Slower:
    return Slower(
        name=piece.built.benchmark.name,
        fingerprint=piece.fingerprint,
        units=piece.size,
        uses=piece.uses,
        found=found,
        explains=piece.uses * found.first_ns * (found.ratio - 1) / whole.first_ns,
    )


def _chunks(pieces: Sequence[NetworkPiece]) -> list[list[NetworkPiece]]:
    """Share pieces out among pairs of processes."""
    chunks: list[list[NetworkPiece]] = []
    held = _CHUNK_BYTES
    for one in pieces:
        nbytes = one.built.benchmark.weight_bytes + one.built.benchmark.activation_bytes
        if held + nbytes > _CHUNK_BYTES:
            chunks.append([])
            held = 0
        chunks[-1].append(one)
        held += nbytes
    return chunks
