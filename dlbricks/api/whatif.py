"""What-if questions on recorded runs and composed networks."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from dlbricks.api.estimates import measured_splits, stored, traces_of
from dlbricks.errors import InputError
from dlbricks.profile.file import WRITERS, format_of
from dlbricks.settings import SplitSettings, SystemQuery
from dlbricks.trace.export import ExportPart
from dlbricks.whatif.answer import AdviceReport, Answer, DetailedAnswer, advise, ask
from dlbricks.whatif.explain import trace_of
from dlbricks.whatif.sources import graph_of_files
from dlbricks.whatif.transform import Transform, all_errors, device_of, read_step
from dlbricks.whatif.transforms import all_transforms

if TYPE_CHECKING:
    from dlbricks.sequences.types import Split


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
    query = SystemQuery(system=system) if isinstance(system, str) else system
    return ask_whatif(files, apply, all_transforms([]), network=network, system=query).answer


def answer_whatif(  # noqa: PLR0913 - one parameter per option
    files: Sequence[str],
    apply: Sequence[str],
    transforms: Mapping[str, Transform],
    *,
    advising: bool,
    settings: SplitSettings,
    levels: str | None,
    system: SystemQuery,
    tell: Callable[[str], None],
) -> tuple[AdviceReport | Answer, DetailedAnswer | None]:
    """Predict the effect of changes on a recorded or composed run; with ``advising``, rank all known changes instead.

    Also returns the timelines before and after. A ranking has those of the best transform, or None if no transform
    makes the run faster. If a profile has several batch sizes or levels, None selects the smallest batch size and the
    deepest level. ``tell`` gets remarks on the split. See ``what_if`` for the files and errors.
    """
    network = None
    if _is_about_network(files, system.system, apply, advising=advising):
        network = measured_splits(files, settings, [system], tell)[0]
    if advising:
        return advise(graph_of_files([Path(file) for file in files], settings.batch, levels), transforms)
    detailed = ask_whatif(files, apply, transforms, network=network, system=system, batch=settings.batch, levels=levels)
    return detailed.answer, detailed


def ask_whatif(
    files: Sequence[str | Path],
    apply: Sequence[str],
    transforms: Mapping[str, Transform],
    *,
    batch: int | None = None,
    levels: str | None = None,
    network: "Split | None" = None,
    system: SystemQuery | None = None,
) -> DetailedAnswer:
    """Predict the effect of changes as ``what_if`` does; also return graphs and schedules before and after."""
    steps = [read_step(text, transforms) for text in apply]
    chosen = [transform for transform, _ in steps]
    if network is None:
        graph = graph_of_files([Path(file) for file in files], batch, levels)
        return ask(graph, steps, all_errors(chosen, device_of(graph)))
    if system is None:
        raise InputError(f"{network.model.name} is not a recorded run: name a system that measured its sequences")
    from dlbricks.construct.compose import compose
    from dlbricks.construct.estimate import remarks, with_origin
    from dlbricks.whatif.sources.networks import graph_of_model
    from dlbricks.whatif.transforms.memory import MEM_REUSE

    composition = compose(network, pairs=True)
    results = stored([composition], system)
    # only onnxruntime's planner reuses the buffers of dead tensors
    replans = MEM_REUSE in chosen and network.model.traits.plans_memory
    without = compose(network, pairs=True, memory_reuse=False) if replans else None
    graph, composed = graph_of_model(composition, results, traces_of([composition], results, system), without)
    composed = with_origin(composed, results, time.time_ns())
    # The wider half of the interval counts: the gain is predicted from a time that may be wrong by that much.
    off = max(composed.high_ns - composed.total_ns, composed.total_ns - composed.low_ns) / max(1, composed.total_ns)
    detailed = ask(graph, steps, all_errors(chosen, device_of(graph)), before_error=off)
    return replace(detailed, answer=replace(detailed.answer, notes=(*detailed.answer.notes, *remarks(composed))))


def _is_about_network(files: Sequence[str], system: str, apply: Sequence[str], *, advising: bool) -> bool:
    # Return whether a question is about a network that a system measured, and not about recordings. Raises for several
    # networks, a system with recordings, a network without a system, and advising with a network or with transforms.
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
        raise InputError(f"{files[0]} is not a recorded run: name a system that measured its sequences with --system")
    if advising:
        raise InputError("--advise is for traces and profiles: use --apply for a network, with one transform at a time")
    return True


def transforms_by_name(files: Sequence[str]) -> Mapping[str, Transform]:
    """Return all what-if transforms by name: of dlbricks, of installed plug-ins, and of the Python files ``files``."""
    return all_transforms([Path(file) for file in files])


def write_timelines(detailed: DetailedAnswer | None, path: Path, run: str) -> None:
    """Write an answer's timelines before and after the change to a trace file; raises ``InputError`` for None."""
    if detailed is None:
        raise InputError(f"no transform makes {run} faster, so there are no timelines to write: leave out -o")
    parts = [
        ExportPart(name=name, trace=trace_of(graph, schedule))
        for name, graph, schedule in zip(("before", "after"), detailed.graphs, detailed.schedules, strict=True)
    ]
    WRITERS[format_of(path)](parts, path)
