"""Back-tests on a processor: changes of networks, predicted from the run before and measurements of single layers.

Rows of the table differ in the information used, from least to most:

The transform as on the command line: the run before, and the transform's model with its defaults. Networks that were
used to choose these defaults have rows called ``taught``.

``fitted``: also parameters fitted to other networks, measured before and after.

``pairs``: the ratios of layer times of other networks, before and after.

``others``: layers of *other* networks measured alone; missing ones are interpolated.

``stored``: also layers of the changed network, each measured alone.

The changed network was never run as a whole for a prediction. Its optimised graph is known, since the optimiser gives
it without running it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from archives import RESULTS

from backtest.cases import BackTest
from backtest.learning import (
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

MEASURED = RESULTS / "whatif-cpu.jsonl.xz"
"""Networks measured before and after changes by ``benchmarks/whatif_cpu.py``."""
Networks = Mapping[str, Mapping[str, Variant]]
Known = Mapping[str, Transform]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A change with networks measured before and after."""

    before: str
    """Variant name."""
    after: str
    transform: str
    """As on the command line; empty if no transform predicts it from a trace alone."""
    same_layers: bool = True
    """Whether identical sequences take the same time before and after."""
    same_names: bool = False
    """Whether layers keep their names, so that ratios of layer times transfer between networks."""
    choices: Choices = field(default_factory=dict)
    """Parameter values for fitting to other networks."""
    taught: bool = False
    """Whether the model or defaults of the transform were chosen with ``TEACHERS`` in view."""
    calls: int = 1
    """Number of calls before that do the work of one call after."""


TEACHERS = frozenset(
    {
        "hf_distilbert", "hf_llama_small", "hf_t5_small_enc", "hf_vit_small", "misc_dlrm", "misc_lstm_lm", "misc_unet",
        "timm_levit_128", "timm_mixer_s16_224", "timm_mobilevit_s", "tv_convnext_tiny", "tv_densenet121",
        "tv_efficientnet_b0", "tv_googlenet", "tv_mobilenet_v2", "tv_mobilenet_v3_large", "tv_resnet18",
        "tv_resnet50", "tv_shufflenet_v2_x1_0", "tv_squeezenet1_1",
    }
)  # fmt: skip
"""Networks measured first and used to develop the transforms; all others are for testing."""
_MOST = ("75%", "90%", "100%")
CHANGES = {
    "optimisation none to extended": Change(before="none", after="extended", transform="fuse:Conv+Relu|Clip"),
    "optimisation extended to all": Change(before="extended", after="all", transform=""),
    "optimisation none to all": Change(before="none", after="all", transform=""),
    "layout pass off": Change(before="all", after="extended", transform=""),
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
}
"""By title in tables."""
_KNOWLEDGE: Mapping[str, tuple[str, Callable[[MeasuredLayer], float | None]]] = {
    "others": ("layers of other networks, measured alone", lambda step: step.others_ns),
    "stored": (
        "its layers, each measured alone",
        lambda step: step.others_ns if step.stored_ns is None else step.stored_ns,
    ),
}


def processor_backtests(path: Path, known: Known) -> tuple[BackTest, ...]:
    """Predict every change of every network measured before and after."""
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
                kind="inference on a processor",
            )


Prediction = tuple[str, float, str]
"""Row title, predicted time, and information used."""


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
    """Predict the latency after from the layers of the new graph; None if the time of one is unknown.

    A layer of both graphs keeps its measured time. Another takes its stored time, scaled by the ratio of measured to
    stored times over all layers of the run before. This cancels drift of the machine between the runs, and part of the
    bias of single-layer times.

    Args:
        before: variant with measured times.
        after: variant of which only the graph and the stored layer times are used.
        pick: returns the stored time of a layer.
        same_layers: whether identical layers take the same time.
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
