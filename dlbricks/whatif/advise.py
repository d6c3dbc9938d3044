"""Advice: applies the transforms that need no further input, alone and in pairs, and ranks them by least gain.

Transforms never validated on the kind of device, or on its kernels alone where the host takes most of the time, are
given the largest error of those that were. Pairs combine the best single transforms, and are listed only if they gain
more than either alone.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dlbricks.errors import InputError
from dlbricks.whatif.answer import Answer, DetailedAnswer, ask, device_share
from dlbricks.whatif.evidence import all_errors, backtested, device_of, errors_on, of_kernels_alone, range_of
from dlbricks.whatif.graph import DependencyGraph
from dlbricks.whatif.select import of_pytorch
from dlbricks.whatif.transform import Transform, read_step

_THREADS = "threads:2"
# Transforms tried, in groups of alternatives. In a pair, the transform of the earlier group is applied first.
CANDIDATES: tuple[tuple[str, ...], ...] = (
    ("data-loader:4",),
    ("pinned-memory",),
    ("fuse", "reconstruct-bn"),
    ("attention",),
    ("layout",),
    ("amp:dtype=bfloat16", "amp", "bf16", "fp16", "fp8", "int8", "int4"),
    ("fused-adam", "fused-optimizer"),
    (_THREADS,),
    ("cuda-graphs",),
)
# What is tried only where the other cannot be asked: halves of either kind take the same time.
_INSTEAD = {"amp": "amp:dtype=bfloat16", "fp16": "bf16"}
# Number of best single transforms that are combined in pairs.
_PAIRED = 5
# Smaller gains are within the error of a replay.
_LEAST = 0.005
# A pair has to gain this much more than either of its transforms.
_MORE = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """Transform or pair of transforms, with its predicted gain."""

    apply: tuple[str, ...]
    """Arguments of ``--apply``, in order."""
    titles: tuple[str, ...]
    """Descriptions of the transforms."""
    gain: float
    """Share of the time that is saved."""
    gain_low: float
    """Lower bound. Unvalidated transforms count with the largest error of the validated ones."""
    gain_high: float
    time_ns: int
    """Time after."""
    checked: bool
    """Whether such predictions were validated by measurements on this kind of device."""
    rests_on: str
    """Source of the interval, or that there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceReport:
    """Ranked advice for one graph."""

    name: str
    device: str
    """Kind of device: ``GPU``, ``processor``, or ``processor with`` the name of a runtime other than onnxruntime."""
    time_ns: int
    """Time before."""
    advice: tuple[Advice, ...]
    """Largest lower bound of the gain first."""
    without_gain: tuple[str, ...]
    """Transforms without a gain."""
    refused: Mapping[str, str]
    """Transforms that cannot be applied, with the reason."""
    notes: tuple[str, ...]
    """Of the graph."""


def advise(graph: DependencyGraph, transforms: Mapping[str, Transform]) -> tuple[AdviceReport, DetailedAnswer | None]:
    """Apply all candidates and rank them.

    Args:
        graph: before any transform.
        transforms: by name; those from users' files without required parameters are tried, too.

    Returns:
        The report, and the answer for the best transform; None if nothing gains.

    Raises:
        InputError: the graph takes no time.
    """
    before = ask(graph, [])
    own = tuple(
        (transform.name,)
        for transform in transforms.values()
        if transform.file and all(parameter.default for parameter in transform.parameters)
    )
    groups = (*CANDIDATES, *own)
    group_of = {text: number for number, texts in enumerate(groups) for text in texts}
    refused: dict[str, str] = {}
    answers: dict[tuple[str, ...], DetailedAnswer] = {}
    advice: dict[tuple[str, ...], Advice] = {}

    def apply(texts: tuple[str, ...], reasons: dict[str, str]) -> None:
        try:
            steps = [read_step(text, transforms) for text in texts]
            errors = all_errors([transform for transform, _ in steps], device_of(graph))
            answers[texts] = ask(graph, steps, errors, earlier=before)
        except InputError as error:
            reasons[texts[0]] = str(error).rpartition(f"{graph.name}: ")[2]
        else:
            if answers[texts].answer.gain >= _LEAST:
                advice[texts] = _advice(graph, answers[texts].answer, texts, [transform for transform, _ in steps])

    for text in itertools.chain.from_iterable(groups):
        if text == _THREADS and of_pytorch(graph):
            refused[text] = "nothing in a trace of PyTorch tells how many threads it had: ask with threads:N,from=M"
        elif (_INSTEAD.get(text, ""),) not in answers:
            apply((text,), refused)
    best = sorted(advice, key=lambda texts: -advice[texts].gain_low)[:_PAIRED]
    for (text,), (other_text,) in itertools.combinations(best, 2):
        if group_of[text] != group_of[other_text]:
            apply(tuple(sorted((text, other_text), key=group_of.__getitem__)), {})
    ranked = [
        texts
        for texts in advice
        if len(texts) == 1 or advice[texts].gain > _MORE + max(advice[text,].gain for text in texts)
    ]
    ranked.sort(key=lambda texts: (-advice[texts].gain_low, -advice[texts].gain, texts))
    report = AdviceReport(
        name=graph.name,
        device=device_of(graph),
        time_ns=before.answer.before.time_ns,
        advice=tuple(advice[texts] for texts in ranked),
        without_gain=tuple(texts[0] for texts in answers if len(texts) == 1 and texts not in advice),
        refused=refused,
        notes=before.answer.notes,
    )
    return report, answers[ranked[0]] if ranked else None


def _advice(graph: DependencyGraph, answer: Answer, texts: tuple[str, ...], chosen: Sequence[Transform]) -> Advice:
    """Describe an answer; unvalidated transforms count with the largest error of the validated ones."""
    device = device_of(graph)
    unproven = of_kernels_alone(chosen, device, device_share(answer.before))
    errors = {name: error.error for name, error in errors_on(chosen, device).items() if name not in unproven}
    low, high = answer.gain_low, answer.gain_high
    if low is None or high is None:
        every = [error for some in backtested().values() for error in some]
        worst = max(error.error for error in [error for error in every if error.device == device] or every)
        shortest, longest = range_of([errors.get(transform.name, worst) for transform in chosen])
        low, high = (1 - (1 - answer.gain) * bound for bound in (longest, shortest))
    together = None if unproven else all_errors(chosen, device)
    unchecked = [name for name in (transform.name for transform in chosen) if name not in (*errors, *unproven)]
    missing = [f"{' and '.join(unchecked)} not validated on a {device}"] if unchecked else []
    missing += [f"{name} not validated where the host takes most of the time" for name in unproven]
    return Advice(
        apply=texts,
        titles=tuple(transform.title for transform in chosen),
        gain=answer.gain,
        gain_low=low,
        gain_high=high,
        time_ns=answer.after.time_ns,
        checked=together is not None,
        rests_on="; ".join(missing) if together is None else together[1],
    )
