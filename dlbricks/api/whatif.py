"""What-if questions on recorded runs and composed networks."""

import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.api.estimates import exactly, measured_splits, open_results, stored, traces_of
from dlbricks.api.ranking import ranked
from dlbricks.construct.compose import compose
from dlbricks.construct.estimate import remarks, with_origin
from dlbricks.errors import InputError
from dlbricks.profile.file import WRITERS, format_of
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.store.records import listed, mismatches
from dlbricks.trace.export import ExportPart
from dlbricks.whatif.answer import Advice, AdviceReport, Answer, DetailedAnswer, advise, ask
from dlbricks.whatif.evidence import Interval
from dlbricks.whatif.explain import trace_of
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Transform, read_step
from dlbricks.whatif.transforms import all_transforms

if TYPE_CHECKING:
    from dlbricks.construct.types import Estimate, LatencyFigure
    from dlbricks.sequences.types import Split
    from dlbricks.store.types import SystemConfiguration
    from dlbricks.whatif.graph import DependencyGraph

# Commands import nothing below ``api``.
transforms_by_name = all_transforms


def what_if(
    files: Sequence[str | Path],
    apply: Sequence[str],
    *,
    network: "Split | None" = None,
    system: str | SystemQuery | None = None,
) -> Answer:
    """Predict how long a recorded or composed run would take after some changes.

    Args:
        files: a profile or trace, or one file for each rank of a run; empty if ``network`` is used.
        apply: transforms in the order in which they apply, as in ``scale:0.5,kind=kernel``.
        network: a network to compose from the measurements of ``system``.
        system: name or query, as in ``estimate``.

    Raises:
        InputError: a file, a transform or the system cannot be used.
    """
    steps = [read_step(text, all_transforms([])) for text in apply]
    if network is None:
        return ask(graph_of_files([Path(file) for file in files]), steps).answer
    if system is None:
        raise InputError(f"{network.model.name} is a network, not a recorded run: name a system")
    graph, composed = _composed(network, SystemQuery(system=system) if isinstance(system, str) else system)
    return _of_estimate(ask(graph, steps), composed).answer


def answer_whatif(
    files: Sequence[str],
    apply: Sequence[str],
    transforms: Mapping[str, Transform],
    *,
    advising: bool,
    settings: SplitSettings,
    system: SystemQuery,
    tell: Callable[[str], None],
) -> tuple[AdviceReport | Answer, DetailedAnswer | None]:
    """Predict the effect of changes on a recorded or composed run; with ``advising``, rank all known changes instead.

    Also returns the timelines before and after; for a ranking, those of the best transform, or None if no transform
    makes the run faster. By default, the smallest batch size of a profile is used. ``tell`` gets remarks on the split
    and the results. See ``what_if`` for the files and errors.
    """
    steps = [read_step(text, transforms) for text in apply]
    if not _is_about_network(files, system.system, apply, advising=advising):
        graph = graph_of_files([Path(file) for file in files], settings.batch)
        if advising:
            return advise(graph, transforms)
        detailed = ask(graph, steps)
        return detailed.answer, detailed
    (network,) = measured_splits(files, settings, [system], tell)[0].values()
    own = stored([compose(network)], system).configuration
    with open_results(system) as opened:
        stored_there = [each.configuration for each in opened.systems() if each.configuration.system == own.system]
    if alike := [each for each in stored_there if each != own and not mismatches(system, each)]:
        tell(f"{own.system}: results with {listed([own])}; also measured: {listed(alike)}")
    graph, composed = _composed(network, exactly(system, own))
    if advising:
        report, best = advise(graph, transforms, [*_measured(files, settings, system, composed).values()])
        return replace(report, notes=(*report.notes, *remarks(composed))), best and _of_estimate(best, composed)
    detailed = _of_estimate(ask(graph, steps), composed)
    values = steps[0][1] if len(steps) == 1 and steps[0][0].name == "threads" else {}
    if values and values["from"] in ("", own.threads):
        others = _measured(files, settings, system, composed)
        measured = others.get(replace(own, threads=int(values["threads"])))
        detailed = replace(detailed, answer=replace(detailed.answer, measured=measured))
    return detailed.answer, detailed


def _of_estimate(detailed: DetailedAnswer, composed: "Estimate") -> DetailedAnswer:
    # Return an answer about an estimated time with the remarks of the estimate, whose error widens the intervals of the
    # times after the changes, but not of the gains. Kernels rest on the estimate of the device.
    answer, kernels, host = detailed.answer, detailed.answer.kernels, detailed.answer.host
    kernels = kernels and replace(kernels, interval=_widened(kernels.interval, composed.device or composed))
    host = host and replace(host, interval=_widened(host.interval, composed))
    whole, notes = _widened(answer.interval, composed), (*answer.notes, *remarks(composed))
    return replace(detailed, answer=replace(answer, interval=whole, kernels=kernels, host=host, notes=notes))


def _widened(interval: Interval | None, estimated: "Estimate | LatencyFigure") -> Interval | None:
    # Both the estimate and the change's prediction may err the same way, so low ends multiply, and high ends.
    if interval is None or not estimated.high_ns:
        return None
    low, high = (end / max(1, estimated.total_ns) for end in (estimated.low_ns, estimated.high_ns))
    low_ns, high_ns = round(low * interval.low_ns), round(high * interval.high_ns)
    return Interval(low_ns=low_ns, high_ns=high_ns, source=f"the estimate and {interval.source}")


def _composed(network: "Split", system: SystemQuery) -> "tuple[DependencyGraph, Estimate]":
    # Compose a network from the measurements of a system.
    from dlbricks.whatif.sources.networks import graph_of_model

    composition = compose(network, pairs=True, parts=True)
    results = stored([composition], system)
    # only onnxruntime's planner reuses the buffers of dead tensors
    without = compose(network, pairs=True, memory_reuse=False) if network.model.traits.plans_memory else None
    graph, composed = graph_of_model(composition, results, traces_of([composition], results, system), without)
    model = network.model  # a batch leads the inputs and an output
    firsts, lasts = ({model.tensors[name].shape[:1] for name in names} for names in (model.inputs, model.outputs))
    batch = next(iter(*firsts), None) if len(firsts) == 1 and firsts <= lasts else None
    with open_results(system) as opened:
        texts = [each.processor for each in opened.systems() if each.configuration == results.configuration]
    cores = re.search(r"(\d+) cores", " ".join(texts))
    graph = replace(graph, batch=batch, cores=int(cores[1]) if cores else None)
    return graph, with_origin(composed, results, time.time_ns())


def _measured(
    files: Sequence[str], settings: SplitSettings, system: SystemQuery, now: "Estimate"
) -> "dict[SystemConfiguration, Advice]":
    # Return those of a system's other configurations that measured all parts of a network, each split as it was there.
    query = SystemQuery(system=system.system, store=system.store)
    every = chain(*ranked(files, settings, query)[0])
    covering = (each for each in every if each.coverage == 1 and not each.interpolated_layers and not each.bounds_only)
    return {each.configuration: _advice_of(now, each) for each in covering if each.configuration != now.configuration}


def _advice_of(now: "Estimate", then: "Estimate") -> Advice:
    # Return another measured configuration of a system as advice. Its bounds hold if both estimates err as far apart as
    # their intervals allow; an estimate for assumed values has no interval, and a low end of 0 no bound.
    texts = [listed([each.configuration]) for each in (then, now)]
    return Advice(
        apply=(),
        titles=(f"{texts[0]} (now {texts[1]})",),
        gain=1 - then.total_ns / now.total_ns,
        gain_low=1 - then.high_ns / now.low_ns if now.low_ns and then.high_ns else None,
        gain_high=1 - then.low_ns / now.high_ns if now.high_ns and then.high_ns else None,
        time_ns=then.total_ns,
        option=True,
        checked=True,
        rests_on="two estimates from parts that this system measured",
    )


def _is_about_network(files: Sequence[str], system: str, apply: Sequence[str], *, advising: bool) -> bool:
    # Return whether a question is about a network that a system measured, and not about recordings. Raises for several
    # networks, a system with recordings, a network without a system, and advising with transforms.
    from dlbricks.model.export import source_of
    from dlbricks.model.read.network import networks_below

    if advising and apply:
        raise InputError("--advise and --apply exclude each other: --advise tries every transform itself")

    def is_model(text: str) -> bool:
        return text.endswith(".onnx") or source_of(text) is not None or bool(networks_below(Path(text)))

    if not any(map(is_model, files)):
        if system:
            raise InputError("--system is for networks (.onnx): leave it out to replay a trace or profile")
        return False
    if len(files) > 1 or len(networks_below(Path(files[0]))) > 1:
        raise InputError("only one network can be composed: name a single file")
    if not system and files[0].endswith(".onnx"):
        return False  # reading the file says what it is
    if not system:
        raise InputError(f"{files[0]} is a network, not a recorded run: name a system with --system")
    return True


def write_timelines(
    detailed: DetailedAnswer | None, path: Path, result: AdviceReport | Answer, notes: Sequence[str] = ()
) -> None:
    """Write an answer's timelines before and after the change to a trace file; the second timeline has the notes.

    Chrome JSON also holds the answer, and ``result`` if that is a ranking, so that ``report`` shows them. Raises
    ``InputError`` without an answer.
    """
    if detailed is None:
        raise InputError(f"no transform makes {result.name} faster, so there are no timelines to write: leave out -o")
    prediction = {"answer": detailed.answer, "advice": result if isinstance(result, AdviceReport) else None}
    parts = [
        ExportPart(name=name, trace=replace(trace_of(graph, schedule), notes=tuple(texts)), prediction=prediction)
        for name, graph, schedule, texts in zip(
            ("before", "after"), detailed.graphs, detailed.schedules, ((), notes), strict=True
        )
    ]
    WRITERS[format_of(path)](parts, path)
