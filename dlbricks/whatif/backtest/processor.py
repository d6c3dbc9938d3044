"""Back-tests on a processor: changes of networks, predicted from the run before and results of single layers.

Kinds of knowledge, from least to most, each a row of its own in the table:

The transform as a user would write it: the run before alone, and the transform's own model with its defaults. Where
these were chosen with networks at hand that were measured before and after, the rows of those are called ``taught``.
``fitted``: besides, parameters of the transform that suit other networks, measured before and after.
``pairs``: how much longer the layers of other networks took, measured before and after, layer by layer.
``others``: besides, layers of *other* networks that were measured alone; what no other network has is guessed.
``stored``: besides, the layers of the changed network, measured alone as any suite measures them, never together.

In no case was the changed network run as a whole for the prediction. The graph that the runtime makes of it is known:
the optimiser says so without running it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from dlbricks.whatif.backtest.cases import BackTest
from dlbricks.whatif.backtest.learning import (
    Choices,
    GrownLayer,
    Growth,
    MeasuredLayer,
    Variant,
    fitted,
    grown_layers,
    predicted,
    read_networks,
)
from dlbricks.whatif.simulate import replay
from dlbricks.whatif.transform import Transform

Networks = Mapping[str, Mapping[str, Variant]]
Known = Mapping[str, Transform]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change that networks were measured before and after."""

    before: str
    """Variant."""
    after: str
    transform: str
    """As a user would write it; empty where no transform makes it from a trace alone."""
    same_layers: bool = True
    """Whether a sequence that both have takes as long after as before."""
    same_names: bool = False
    """Whether every layer has its like of the same name afterwards, so that networks tell of each other."""
    choices: Choices = field(default_factory=dict)
    """Values of the transform's parameters to choose from when it is fitted to other networks."""
    taught: bool = False
    """Whether the transform, its model or its defaults, was chosen with ``TEACHERS`` before and after at hand."""
    calls: int = 1
    """Calls before that do what one call does afterwards."""


TEACHERS = frozenset(
    {
        "hf_distilbert", "hf_llama_small", "hf_t5_small_enc", "hf_vit_small", "misc_dlrm", "misc_lstm_lm", "misc_unet",
        "timm_levit_128", "timm_mixer_s16_224", "timm_mobilevit_s", "tv_convnext_tiny", "tv_densenet121",
        "tv_efficientnet_b0", "tv_googlenet", "tv_mobilenet_v2", "tv_mobilenet_v3_large", "tv_resnet18",
        "tv_resnet50", "tv_shufflenet_v2_x1_0", "tv_squeezenet1_1",
    }
)  # fmt: skip
"""Networks that were measured first, and looked at; what was learned from them is tested with those measured later."""
_BLOCKING = {"dense": ("1", "1.1", "1.2", "1.35", "1.5"), "depthwise": ("4", "7", "10", "14")}
_MOST = ("75%", "90%", "100%")
CHANGES = {
    "optimisation none to extended": Change(before="none", after="extended", transform="fuse:Conv+Relu|Clip"),
    "optimisation extended to all": Change(
        before="extended", after="all", transform="layout:blocked", choices=_BLOCKING, taught=True
    ),
    "optimisation none to all": Change(before="none", after="all", transform=""),
    "layout pass off": Change(before="all", after="extended", transform="layout:plain", choices=_BLOCKING, taught=True),
    "batch 1 to 8": Change(before="all", after="batch8", transform="batch:8", same_names=True, calls=8, taught=True),
    "float32 to int8": Change(
        before="all",
        after="int8",
        transform="int8",
        taught=True,
        choices={"matrix": ("3", "3.4", "3.8"), "conv": ("2.8", "3.4", "4"), "others": ("1", "1.3", "1.8")},
    ),
    "one thread to two": Change(
        before="one",
        after="threads2",
        transform="threads:2",
        same_layers=False,
        same_names=True,
        choices={"efficiency": _MOST, "memory": _MOST, "wake": ("1us", "2us", "4us")},
    ),
    "parallel executor": Change(
        before="one",
        after="parallel2",
        transform="parallel-executor:1",
        same_layers=False,
        choices={"handing": ("0us", "1us", "5us", "20us")},
    ),
}
"""By what they are called in tables. The runtime's build for processors puts all layers into one stream, whatever its
parallel executor has of threads: in GoogLeNet, whose blocks have four branches, no two layers ran at a time. So it is
asked with one."""
_KNOWLEDGE: Mapping[str, tuple[str, Callable[[MeasuredLayer], float | None]]] = {
    "others": ("layers of other networks, measured alone", lambda step: step.others_ns),
    "stored": (
        "its layers, each measured alone",
        lambda step: step.others_ns if step.stored_ns is None else step.stored_ns,
    ),
}


def processor_backtests(path: Path, known: Known) -> tuple[BackTest, ...]:
    """Predict every change of every network that was measured before and after.

    Raises:
        InputError: see ``read_networks``.
    """
    networks = read_networks(path)
    return tuple(test for title, change in CHANGES.items() for test in _of_change(networks, title, change, known))


def _of_change(networks: Networks, title: str, change: Change, known: Known) -> Iterator[BackTest]:
    measured = {name: one for name, one in networks.items() if {change.before, change.after} <= one.keys()}
    pairs = {name: (one[change.before], one[change.after]) for name, one in measured.items()}
    pairs = {name: pair for name, pair in pairs.items() if pair[0].batch * change.calls == pair[1].batch}
    asked = change.transform.partition(":")[0] in known
    suited: Mapping[str, tuple[str, float]] = {}
    if asked and change.choices:
        graphs = {name: before.graph(name) for name, (before, _) in pairs.items()}
        truth = {name: after.latency_ns for name, (_, after) in pairs.items()}
        suited = fitted(change.transform, change.choices, graphs, truth, known)
    grown = {name: grown_layers(*pair) for name, pair in pairs.items()} if change.same_names else {}
    for network, (before, after) in pairs.items():
        for transform, predicted_ns, knew in (
            *(_by_transform(network, before, title, change, known) if asked else ()),
            *(_by_others(network, before, title, suited, grown)),
            *(_by_layers(before, after, title, change)),
        ):
            yield BackTest(
                transform=transform,
                case=network,
                before_ns=before.latency_ns * change.calls,
                predicted_ns=predicted_ns,
                truth_ns=after.latency_ns,
                knew=knew,
            )


Prediction = tuple[str, float, str]
"""What the row is called, the time that is predicted, and what the prediction knew."""


def _by_transform(network: str, before: Variant, title: str, change: Change, known: Known) -> Iterator[Prediction]:
    answer = predicted(before.graph(network), change.transform, known)
    if answer is not None and change.taught and network in TEACHERS:
        yield f"{title}, taught", answer, "the transform was chosen with this network, among others"
    elif answer is not None:
        yield change.transform, answer, ""


def _by_others(
    network: str,
    before: Variant,
    title: str,
    suited: Mapping[str, tuple[str, float]],
    grown: Mapping[str, list[GrownLayer]],
) -> Iterator[Prediction]:
    if network in suited:
        choice, latency = suited[network]
        yield f"{title}, fitted", latency, f"other networks, before and after: {choice}"
    if grown:
        growth = Growth([layer for name, layers in grown.items() if name != network for layer in layers])
        times = [growth.time_ns(step, own) for step, own in zip(before.steps, before.times_ns(), strict=True)]
        latency = float(replay(before.graph(before.name, times)).makespan_ns)
        yield f"{title}, pairs", latency, "layers of other networks, before and after"


def _by_layers(before: Variant, after: Variant, title: str, change: Change) -> Iterator[Prediction]:
    for label, (knew, pick) in _KNOWLEDGE.items():
        latency = by_layers(before, after, pick, same_layers=change.same_layers)
        if latency is not None:
            yield f"{title}, {label}", latency, knew


def by_layers(
    before: Variant, after: Variant, pick: Callable[[MeasuredLayer], float | None], *, same_layers: bool = True
) -> float | None:
    """Predict the latency after from the layers of the graph after; None where one has no result.

    A layer that both graphs have keeps the time that it was measured with in the run before. Another takes what its
    result says, times how much longer than their results all layers of the run before took together. So what moved the
    machine between the runs cancels, and part of what results of single layers miss does, too.

    Args:
        before: with its measured times.
        after: of which only the graph and the results of its layers are looked at.
        pick: gives the result of a layer.
        same_layers: whether layers that are the same take the same time.
    """
    if any(step.fingerprint and pick(step) is None for variant in (before, after) for step in variant.steps):
        return None
    traced = before.times_ns()
    overall = sum(traced) / max(1.0, sum(pick(step) or 0.0 for step in before.steps))
    kept: dict[str, list[float]] = defaultdict(list)
    for step, time_ns in zip(before.steps, traced, strict=True):
        if step.fingerprint and same_layers:
            kept[step.fingerprint].append(time_ns)
    times = []
    for step in after.steps:
        if step.fingerprint in kept:
            same = kept[step.fingerprint]
            times.append(same.pop(0) if len(same) > 1 else same[0])
        else:
            times.append((pick(step) or 0.0) * overall)
    return float(replay(after.graph(after.name, times)).makespan_ns)
