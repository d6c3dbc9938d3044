"""Consistency check of answers: every question asked of every trace.

``python benchmarks/whatif.py consistency FOLDER...``: folders of traces; files of a folder that are
called after ranks are also asked together. Measures nothing; an hour for the traces that docs/evidence.md names.

None is below the busy time of a device. Every loss has a cause in the graph: it vanishes once added tasks take no time
and are not waited for, and remaining tasks take no longer than before. A kind of task to which the explanation ascribes
time gains when it takes less, unless a note of the answer names another path.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from archives import write_csv

from dlbricks.errors import InputError
from dlbricks.trace.types import NONE, Longs
from dlbricks.whatif.answer import DEVICE_COUNTS, OTHER_PATH, Answer, DetailedAnswer, ask, bounded_loss, timing
from dlbricks.whatif.edit import scaled
from dlbricks.whatif.explain import WORDS
from dlbricks.whatif.graph import ON_DEVICE, DependencyGraph, EdgeKind, TaskKind, with_columns, with_edges
from dlbricks.whatif.select import marked_steps, step_numbers
from dlbricks.whatif.simulate import run
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Transform, Values, apply_all, read_step
from dlbricks.whatif.transforms import all_transforms

REFUSED, QUICKER, SAME, SLOWER = "refused", "quicker", "same", "slower"
IMPOSSIBLE, PHANTOM, OFF_THE_RECORD = "impossible", "phantom", "off the record"
_SLACK = 0.005
"""Relative tolerance of the step time: the accuracy of a replay."""
_NAMED = 0.03
"""Share of the time from which a kind of task has to gain."""
_SHRUNK = {
    TaskKind.CPU: "cpu", TaskKind.KERNEL: "kernel", TaskKind.COPY: "copy", TaskKind.COLLECTIVE: "collective",
    TaskKind.DATA: "data",
}  # fmt: skip
_PARALLEL = "data-parallel:8,bandwidth=10Gbps"
_LINK = "bandwidth=25GB/s,size=1MB"
QUESTIONS: tuple[str, ...] = (
    "amp", "amp:dtype=bfloat16", "fused-optimizer", "fused-optimizer:momentum", "fused-adam", "reconstruct-bn",
    "metaflow:layer=*conv2d*,time=0.5x", "data-loader:4", "data-loader:1", "pinned-memory", "mem-reuse:off",
    "data-parallel:8,bandwidth=25Gbps", "fsdp:8,bandwidth=25Gbps", f"tensor-parallel:4,{_LINK}", "bandwidth:25Gbps",
    "bandwidth:100Gbps,now=10Gbps", f"{_PARALLEL} blueconnect:4,inside_bandwidth=100GB/s,bandwidth=10Gbps", "p3:10Gbps",
    f"{_PARALLEL} deep-gradient-compression:0.1%,bandwidth=10Gbps", "vdnn:500MB", "gist", "recompute",
    "recompute:segments=1", "fuse", "fp16", "bf16", "fp8", "int8", "cuda-graphs", "batch:2",
    "attention", "layout",
    "threads:2", "device:compute=2,bandwidth=2", "device:compute=0.5,bandwidth=0.5",
    "scale:0.01,kind=kernel", "scale:0.01,kind=cpu",
    "scale:2,kind=kernel", "set-time:1us,kind=kernel", "data-loader:4 amp", "amp cuda-graphs", "fp16 cuda-graphs",
    "recompute amp",
)  # fmt: skip
"""Every transform at least once; of several words the earlier ones are applied first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Result of checking one question."""

    question: str
    outcome: str
    """``REFUSED``; ``QUICKER``, ``SAME`` or ``SLOWER`` if the answer is consistent; or the kind of violation."""
    gain: float
    said: str
    """Reason for refusal, or description of the violation."""


def judge(
    graph: DependencyGraph,
    question: str,
    steps: list[tuple[Transform, Values]],
    before: DetailedAnswer | None = None,
) -> Judgement:
    """Answer one question and check the answer.

    Args:
        graph: that is asked about.
        question: as it was put.
        steps: the transforms that it names, with their parameters.
        before: another answer about the graph (``answer.ask``).
    """
    graph = with_columns(graph, span=np.arange(len(graph)))  # to recognise added tasks
    try:
        asked = ask(graph, steps, earlier=before)
    except InputError as error:
        return Judgement(question=question, outcome=REFUSED, gain=0.0, said=str(error))
    answer = asked.answer
    lost_ns = answer.after.time_ns - answer.before.time_ns
    off = [note for note in answer.notes if note.startswith("the replay")]
    least_ns = 0 if any(one.policy for one, _ in steps) else _least_ns(asked.graphs[1])
    outcome, said = (SLOWER if lost_ns > 0 else QUICKER if lost_ns < 0 else SAME), ""
    if answer.after.time_ns < least_ns:
        outcome, said = IMPOSSIBLE, f"{answer.after.time_ns} ns, but a stream is busy for {least_ns} ns per step"
    elif lost_ns > 0 and (left_ns := _unexplained_ns(graph, steps, answer)) > _SLACK * answer.before.time_ns:
        outcome, said = PHANTOM, f"{left_ns} ns of {lost_ns} are lost without an added or longer task"
    elif off:
        outcome, said = OFF_THE_RECORD, off[0]
    return Judgement(question=question, outcome=outcome, gain=answer.gain, said=said)


def idle_shares(graph: DependencyGraph) -> tuple[str, ...]:
    """Return, as sentences, the kinds of tasks that an explanation names although they gain nothing when they shrink.

    Args:
        graph: with device tasks; others are explained by operator.
    """
    found = []
    before = ask(graph, [])
    for kind, name in _SHRUNK.items():
        rows = np.flatnonzero(graph.kind == kind)
        if not len(rows):
            continue
        answer = ask(graph, [(_quick(rows), {})], earlier=before).answer
        share = answer.before.shares_ns.get(WORDS[kind], 0) / answer.before.time_ns
        told = any(
            DEVICE_COUNTS in note or (note.startswith(WORDS[kind]) and OTHER_PATH in note) for note in answer.notes
        )
        if share > _NAMED and answer.gain <= share / 100 and not told:
            found.append(f"{share:.1%} {WORDS[kind]}, but a hundredth of all {name} tasks gains {answer.gain:.2%}")
    return tuple(found)


def _quick(rows: Longs) -> Transform:
    return Transform(name="quick", title="t", source="s", apply=lambda graph, _: scaled(graph, rows, 0.01))


def _unexplained_ns(graph: DependencyGraph, steps: list[tuple[Transform, Values]], answer: Answer) -> int:
    """Return the loss that remains if added tasks take no time and others no longer than before, ns."""
    applied = apply_all(graph, steps)
    bare = _bare(graph, applied.graph)
    after, _ = bounded_loss(answer.before, timing(bare, run(bare, applied.policy)))
    return after.time_ns - answer.before.time_ns


def _bare(before: DependencyGraph, after: DependencyGraph) -> DependencyGraph:
    added = after.span == NONE
    durations, gaps = (
        np.where(added, 0, np.minimum(getattr(after, name), getattr(before, name)[after.span]))
        for name in ("duration_ns", "gap_ns")
    )
    waits = added & (after.kind == TaskKind.SYNCHRONISATION)
    unwaited = with_edges(after, ~((after.edge_kind == EdgeKind.WAIT) & waits[after.edge_to]))
    late = ~waits[unwaited.wait_task]
    columns = {"wait_task": unwaited.wait_task[late], "wait_lane": unwaited.wait_lane[late]}
    return with_columns(unwaited, duration_ns=durations, gap_ns=gaps, **columns)


def _least_ns(graph: DependencyGraph) -> int:
    """Return the median busy time of the busiest stream per step; in total without steps."""
    on_device = np.isin(graph.kind, ON_DEVICE)
    steps = step_numbers(graph) if graph.steps else np.ones(len(graph), np.int64)
    count = (marked_steps(graph) or int(steps.max(initial=0))) if graph.steps else 1
    rows = np.flatnonzero(on_device & (steps > 0) & (steps <= count))
    sums = np.zeros((count + 1, len(graph.lanes)), np.int64)
    np.add.at(sums, (steps[rows], graph.lane[rows]), graph.duration_ns[rows])
    return int(np.median(sums[1:].max(axis=1, initial=0))) if count else 0


OUTCOMES = (QUICKER, SAME, SLOWER, REFUSED, IMPOSSIBLE, PHANTOM, OFF_THE_RECORD, "failed")
_LONG = 400
"""Characters of a refusal that does not fit a line."""
_SUFFIXES = (".json.gz", ".json")


def ask_all(folders: Sequence[Path], out: Path) -> None:
    """Ask every question of every trace, and write the outcomes of each question (``whatif-consistency.csv``)."""
    counts: dict[str, Counter[str]] = {question: Counter() for question in QUESTIONS}
    for traces, (name, graph) in enumerate(graphs(folders), start=1):
        before = answered(graph)
        for question in QUESTIONS:
            counts[question][outcome_of(name, graph, question, before)] += 1
        for said in idle_shares(graph):
            print(f"  {name}: {said}", flush=True)
        rows = [{"question": one, **{key: counts[one][key] for key in OUTCOMES}} for one in QUESTIONS]
        write_csv("whatif-consistency", rows, out)
        total = sum(counts.values(), Counter())
        print(f"{traces} traces, {name}: {dict(total)}", flush=True)


def answered(graph: DependencyGraph) -> DetailedAnswer | None:
    """Return the answer without a transform; None where there is none."""
    try:
        return ask(graph, [])
    except InputError:
        return None


def outcome_of(name: str, graph: DependencyGraph, question: str, before: DetailedAnswer | None = None) -> str:
    """Ask one question, and print what is wrong with the answer."""
    try:
        made = judge(graph, question, [read_step(text, all_transforms()) for text in question.split()], before)
    except Exception as error:  # noqa: BLE001 - any failure is a finding here
        print(f"  {name}, {question}: failed, {type(error).__name__}: {error}", flush=True)
        return OUTCOMES[-1]
    if made.outcome in {IMPOSSIBLE, PHANTOM, OFF_THE_RECORD} or "\n" in made.said or len(made.said) > _LONG:
        print(f"  {name}, {question}: {made.outcome}, {made.said}", flush=True)
    return made.outcome


def graphs(folders: Sequence[Path]) -> Iterator[tuple[str, DependencyGraph]]:
    """Read every trace that can be read, and the ranks of a run together; files of the same content once."""
    seen: set[tuple[str, ...]] = set()
    for folder in folders:
        paths = sorted(path for path in folder.rglob("*") if path.name.endswith(_SUFFIXES))
        ranks = {path.parent for path in paths if path.name.startswith("rank")}
        together = [[path for path in paths if path.parent == one and path.name.startswith("rank")] for one in ranks]
        for files in [*([path] for path in paths), *(files for files in together if len(files) > 1)]:
            contents = tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in files)
            if contents in seen:
                continue
            seen.add(contents)
            name = files[0].name if len(files) == 1 else f"{len(files)} ranks of {files[0].parent.name}"
            try:
                yield name, graph_of_files(files)
            except InputError as error:
                print(f"  {name} is not read: {error}", flush=True)
