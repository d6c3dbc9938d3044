"""Back-tests on public training traces: replays and predictions compared with recordings.

The traces are not part of this repository. ``pairs.json`` next to this module lists public pairs recorded before and
after one change, with address, licence and truth. A file of the same name in a folder of traces adds pairs, in the same
format.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from backtest.cases import HOST, KERNELS, BackTest, BackTests, Refusal
from dlbricks.errors import InputError
from dlbricks.typed_json import read_json
from dlbricks.whatif.answer import host_time, timing
from dlbricks.whatif.evidence import kind_of
from dlbricks.whatif.explain import kernel_time
from dlbricks.whatif.graph import DependencyGraph, TaskKind
from dlbricks.whatif.select import on_device
from dlbricks.whatif.simulate import Policy, replay, run
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Transform, apply_all, read_step

_RANKS = "04_dlrm_v100x8_allranks"
_COMPILED = "06_compiled_perparam_allreduce_v100x2/rank1"
_FUSED = "fused-optimizer"
"""Transform applied to a compiled model, of which only the run before was traced."""
_SLOWEST = 3.0
"""Upper bound on the slowdown of the main thread by loader workers."""
_HALVINGS = 20
_SUFFIXES = {"steps": "", "kernels": KERNELS, "host": HOST}


def trace_backtests(folder: Path, known: Mapping[str, Transform]) -> BackTests:
    """Run every back-test for which the folder has traces; a pair whose change is refused is told with the reason.

    Args:
        folder: folder with sets of traces by name.
        known: transforms by name.

    Raises:
        InputError: it is not a folder, or has no traces.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is not a folder of traces")
    made = (*_replays(folder), *_rank_replays(folder), *_loaders(folder, known), *_others(folder, known))
    if not made:
        raise InputError(f"{folder} has no traces (.json.gz)")
    return BackTests(
        tests=tuple(one for one in made if isinstance(one, BackTest)),
        refused=tuple(one for one in made if isinstance(one, Refusal)),
    )


def _replays(folder: Path) -> Iterator[BackTest]:
    """Replay every trace unmodified."""
    for path in sorted(folder.rglob("*.json.gz")):
        graph = graph_of_files([path])
        ends, starts = graph.attributes["measured_end_ns"], graph.attributes["measured_start_ns"]
        measured = float(ends.max() - starts.min())
        case = f"{path.parent.name}/{path.name.partition('.')[0]}"
        predicted = float(replay(graph).makespan_ns)
        yield BackTest(transform="replay", case=case, before_ns=measured, predicted_ns=predicted, truth_ns=measured)


def _rank_replays(folder: Path) -> Iterator[BackTest]:
    """Replay all ranks of one step together; only transfer times of collectives are given."""
    paths = sorted((folder / _RANKS).glob("*.json.gz"))
    if not paths:
        return
    graph = graph_of_files(paths)
    predicted = timing(graph, replay(graph)).steps_ns
    for number, ((start, end), time_ns) in enumerate(zip(graph.steps, predicted, strict=True), start=1):
        case = f"{_RANKS}, step {number} of {len(graph.steps)} by start"
        measured = float(end - start)
        yield BackTest(transform="ranks", case=case, before_ns=measured, predicted_ns=float(time_ns), truth_ns=measured)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Loaders:
    """A run without loader workers and one with."""

    case: str
    before: DependencyGraph
    after: DependencyGraph

    @property
    def truth_ns(self) -> float:
        """Return the median step time with workers."""
        return float(np.median([end - start for start, end in self.after.steps]))

    @property
    def fetch_ns(self) -> float:
        """Return the median time to get a batch with workers."""
        return float(np.median(self.after.duration_ns[self.after.kind == TaskKind.DATA]))


def _loaders(folder: Path, known: Mapping[str, Transform]) -> Iterator[BackTest]:
    """Predict four loader workers from a run without, using the medians of the other pairs."""
    pairs = []
    for one in pairs_at(folder):
        if one.fitted:
            before, after = graphs_of(one, folder)
            pairs.append(_Loaders(case=one.case, before=before, after=after))
    slowdowns = {pair.case: _fitted(pair, known) for pair in pairs} if len(pairs) > 1 else {}
    for pair in pairs if slowdowns else ():
        others = [one for one in pairs if one is not pair]
        fetch_ns = float(np.median([one.fetch_ns for one in others]))
        slowdown = float(np.median([slowdowns[one.case] for one in others]))
        yield BackTest(
            transform=(asked := _asked(fetch_ns, slowdown)),
            case=pair.case,
            before_ns=_time_ns(pair.before),
            predicted_ns=_predicted(pair.before, asked, known),
            truth_ns=pair.truth_ns,
            knew="time to fetch a batch and slowdown of the main thread: median of the other pairs",
            kind=kind_of(pair.before),
        )


def _others(folder: Path, known: Mapping[str, Transform]) -> Iterator[BackTest | Refusal]:
    """Predict the other pairs, and changes without a measurement."""
    public = public_pairs()
    for one in pairs_at(folder):
        graphs = () if one.fitted else tuple(graphs_of(one, folder))
        compared: dict[str, None] = dict.fromkeys(one.compared)
        if "steps" in compared and one not in public and graphs and len(on_device(graphs[0])):
            compared |= dict.fromkeys(("kernels", "host"))
        for of in compared if graphs else ():
            transform = _of(one.apply, of)
            _, values = read_step(one.apply, known)
            try:
                predicted_ns = _predicted(graphs[0], one.apply, known, of)
            except InputError as error:
                yield Refusal(transform=transform, case=one.case, reason=str(error))
                continue
            yield BackTest(
                transform=transform,
                case=one.case,
                before_ns=_time_ns(graphs[0], of),
                predicted_ns=predicted_ns,
                truth_ns=_time_ns(graphs[1], of) or None,
                knew=one.knew,
                kind=kind_of(graphs[0], values),
            )
    path = folder / f"{_COMPILED}.json.gz"
    if path.is_file():
        graph = graph_of_files([path])
        predicted = _predicted(graph, _FUSED, known)
        before_ns, kind = _time_ns(graph), kind_of(graph)
        yield BackTest(
            transform=_FUSED, case=_COMPILED, before_ns=before_ns, predicted_ns=predicted, truth_ns=None, kind=kind
        )


def _of(asked: str, of: str) -> str:
    name, colon, values = asked.partition(":")
    return f"{name}{_SUFFIXES[of]}{colon}{values}"


def _time_ns(graph: DependencyGraph, of: str = "steps", policy: Policy | None = None) -> float:
    if of == "kernels":
        return float(kernel_time(graph))
    return float(host_time(graph, policy) if of == "host" else timing(graph, run(graph, policy)).time_ns)


def _asked(fetch_ns: float, slowdown: float) -> str:
    return f"data-loader:4,time={fetch_ns:.0f}ns,slowdown={slowdown:.3f}x"


def _predicted(graph: DependencyGraph, asked: str, known: Mapping[str, Transform], of: str = "steps") -> float:
    applied = apply_all(graph, [read_step(asked, known)])
    return _time_ns(applied.graph, of, applied.policy)


def _fitted(pair: _Loaders, known: Mapping[str, Transform]) -> float:
    """Find, by bisection, the slowdown of the main thread that reproduces the measured time of a pair."""
    low, high = 1.0, _SLOWEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if _predicted(pair.before, _asked(pair.fetch_ns, middle), known) < pair.truth_ns:
            low = middle
        else:
            high = middle
    return (low + high) / 2


LIST = "pairs.json"
FITTED = "data-loader"


class TracePair(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A change recorded before and after."""

    before: tuple[str, ...]
    """Files below the folder, one per rank."""
    after: tuple[str, ...]
    apply: str
    """The change, as an argument of ``--apply``."""
    address: str
    """Origin of the recordings."""
    licence: str
    """Licence of the recordings."""
    truth: str
    """Measured quantity that is compared."""
    knew: str = ""
    """Information used besides the recording before, and other differences between both sides."""
    compared: tuple[Literal["steps", "kernels"], ...] = ("steps",)
    """Time of a step, or the sum of its kernels if the hosts differ. Of a folder's own pairs of steps on a device,
    kernels and the host alone are compared, too."""
    fitted: bool = False
    """For ``data-loader``: parameters are fitted to the other pairs."""

    @property
    def case(self) -> str:
        """Return a name for the pair, for example ``set/before to after``."""
        first, second = (Path(names[0]) for names in (self.before, self.after))
        return f"{first.parent / _short(first)} to {_short(second)}"


def _short(path: Path) -> str:
    return path.name.partition(".")[0]


def public_pairs() -> tuple[TracePair, ...]:
    """Return the known public pairs."""
    text = Path(__file__).with_name(LIST).read_text(encoding="utf-8")
    return read_json(tuple[TracePair, ...], text, LIST)


def pairs_at(folder: Path) -> tuple[TracePair, ...]:
    """Return the pairs whose files are all in a folder: public ones, and those it lists itself.

    Raises:
        InputError: its list cannot be read, or names a missing file.
    """
    known = [one for one in public_pairs() if all((folder / name).is_file() for name in (*one.before, *one.after))]
    path = folder / LIST
    if not path.is_file():
        return tuple(known)
    try:
        own = read_json(tuple[TracePair, ...], path.read_bytes(), str(path))
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    for one in own:
        if not one.before or not one.after:
            raise InputError(f"{path}: a pair of '{one.apply}' has no file before or after")
        if one.fitted and one.apply.partition(":")[0] != FITTED:
            raise InputError(f"{path}: only parameters of {FITTED} can be fitted, not of '{one.apply}'")
        absent = next((name for name in (*one.before, *one.after) if not (folder / name).is_file()), None)
        if absent is not None:
            raise InputError(f"{path} names {absent}, which is not in {folder}")
    return (*known, *own)


def graphs_of(pair: TracePair, folder: Path) -> Iterator[DependencyGraph]:
    """Return the graphs before and after."""
    for names in (pair.before, pair.after):
        yield graph_of_files([folder / name for name in names])
