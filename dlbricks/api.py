"""The Python API: the commands as functions; ``import dlbricks`` exports the public ones.

    suite = dlbricks.generate(["net.onnx"], "suite")
    dlbricks.run("suite", "result.json", name="my-machine")
    dlbricks.submit("result.json", suite="suite")
    dlbricks.estimate(dlbricks.split(dlbricks.read("net.onnx")), system="my-machine").total_ns

Errors are ``DlbricksError`` or ``HarnessError``; their message is one line that names the problem, its place and a
remedy. Heavy libraries are imported when a function needs them.
"""

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from dlbricks.errors import InputError
from dlbricks.estimating import estimates, open_store, stored, traces_of
from dlbricks.settings import PORTABLE, SplitSettings, SystemQuery

if TYPE_CHECKING:
    import onnx_graphsurgeon as gs

    from dlbricks.construct.compose import Inspection
    from dlbricks.construct.coverage import Coverage, Plan
    from dlbricks.construct.types import Estimate
    from dlbricks.model.types import LoweringTarget, Model
    from dlbricks.passes.user import Pass
    from dlbricks.sequences.types import Split
    from dlbricks.store.types import SubmissionReceipt, SystemConfiguration, SystemResults
    from dlbricks.suite.generate import Progress, SuiteOptions
    from dlbricks.suite.manifest import NetworkReport, Suite
    from dlbricks.whatif.answer import AdviceReport, Answer, DetailedAnswer
    from dlbricks.whatif.transform import Transform

Result = TypeVar("Result")


def read(
    path: "str | Path | gs.Graph",
    *,
    dims: Mapping[str, int] | None = None,
    batch: int | None = None,
    target: str = PORTABLE,
    threads: int = 1,
    passes: "Sequence[Pass | str]" = (),
) -> "Model":
    """Read a network in a worker process, and lower it if the target requires that.

    For targets on a device the network is read in this process, since a worker process cannot use the device. Passes
    are called in this process, too.

    Args:
        path: an ONNX file, whose weights may be missing, ``hf:FOLDER`` (see ``find_networks``), or a graph of
            onnx-graphsurgeon.
        dims: extents of symbolic dimensions by name.
        batch: batch size, also where the file fixes one; None keeps what the file and ``dims`` say.
        target: ``portable``, ``onnxruntime-cpu`` or ``onnxruntime-cuda`` (the graph that onnxruntime executes on this
            machine with that provider) or ``openvino`` (split as OpenVINO does here). A file saved by
            ``dlbricks lower`` states its target.
        threads: intra-op threads that a lowered graph is made for.
        passes: change the graph before all else: functions that take and return an ``onnx_graphsurgeon.Graph``,
            ``FILE.py:NAME``, or names of installed ones (entry points ``dlbricks.passes``).

    Raises:
        InputError: the file cannot be used, dimensions are unbound, or a pass fails or is given a lowered file.
        UnsupportedModelError: the network cannot be lowered here, was lowered for another target, crashed its worker
            process, or exceeded the limits on time or memory.
    """
    from dlbricks.model.read.network import find_networks
    from dlbricks.passes.user import applied, as_file
    from dlbricks.sequences.network import read_for_target

    settings = SplitSettings(target=target, dims=dims or {}, batch=batch, threads=threads)
    with ExitStack() as stack:
        is_file = isinstance(path, str | Path)
        paths = find_networks([str(path)]) if is_file else (stack.enter_context(as_file(path)),)
        if len(paths) > 1:
            raise InputError(f"{path} holds {len(paths)} networks: name one")
        stack.enter_context(applied(paths, passes))
        (model,) = _in_worker(read_for_target, paths, settings)
    return model


def export_torch(
    module: Any,
    args: Any,
    path: str | Path,
    *,
    kwargs: Mapping[str, Any] | None = None,
    dynamic_shapes: Any = None,
) -> Path:
    """Export a PyTorch module in inference mode to ONNX, without weights; the module is not changed.

    Parameters may be on the device ``meta``: their values are not needed. Integer and scalar constants are written,
    since they may decide shapes; names of source files are not.

    Args:
        module: a ``torch.nn.Module``.
        args: its inputs, a tuple, or one tensor; their values do not matter.
        path: of the ONNX file; an older one is replaced.
        kwargs: inputs by name.
        dynamic_shapes: symbolic dimensions in the form of ``torch.onnx.export``, as in ``{"x": {0: "batch"}}``.

    Returns:
        ``path``.

    Raises:
        MissingDependencyError: torch or onnxscript is not installed.
        InputError: torch cannot export the module with these inputs, or the file cannot be written.
    """
    from dlbricks.model.export.pytorch import export_torch as export

    return export(module, args, Path(path), kwargs=kwargs or {}, dynamic_shapes=dynamic_shapes)


def split(
    model: "Model", *, granularity: int | str = 1, splitter: str = "block", allow_values: Collection[str] = ()
) -> "Split":
    """Split a network into layer sequences, and remove values that may have been trained.

    Args:
        model: a network from ``read``.
        granularity: H, the maximum number of layers in a sequence; ``inf`` for no limit.
        splitter: ``block`` or ``paper``.
        allow_values: names of layers that keep all their values.

    Raises:
        InputError: the granularity or the splitter is unknown.
    """
    from dlbricks.sequences.split import split as split_model
    from dlbricks.sequences.types import Granularity

    return split_model(model, Granularity.parse(str(granularity)), splitter, allowed=allow_values)


def split_files(paths: Sequence[Path], settings: SplitSettings, *, memory_bytes: int | None = None) -> "list[Split]":
    """Read, lower and split networks in a worker process; None is a memory limit of the free memory."""
    from dlbricks.sequences.network import network

    return _in_worker(network, paths, settings, memory_bytes)


def inspect(paths: Sequence[Path], settings: SplitSettings, *, memory_bytes: int | None = None) -> "list[Inspection]":
    """Describe networks: layers, sequences, shapes, arithmetic, and layers that cannot be measured."""
    return _in_worker(_inspection, paths, settings, memory_bytes)


def _inspection(path: Path, settings: SplitSettings) -> "Inspection":
    from dlbricks.construct.compose import inspect_split
    from dlbricks.model.read.checker import complaint
    from dlbricks.sequences.network import network

    invalid = complaint(path)
    return inspect_split(network(path, settings), invalid=invalid)


def lower(
    paths: Sequence[Path], out: Path, settings: SplitSettings
) -> "tuple[LoweringTarget, list[tuple[Path, Model]]]":
    """Save the graphs that the runtime executes on this machine, without weights.

    Returns:
        What they are made for, and each file with its graph.

    Raises:
        UnsupportedModelError: a network was lowered already, or cannot be lowered.
        HarnessError: the provider of the target does not work here.
    """
    from dlbricks.model.lowering.targets import save_lowered, this_machine

    here = this_machine(settings.target)
    models = _in_worker(_lowered, paths, settings)
    files = [out / f"{path.stem}.{settings.target}.onnx" for path in paths]
    for file, model in zip(files, models, strict=True):
        save_lowered(model, file, here)
    return here, list(zip(files, models, strict=True))


def _lowered(path: Path, settings: SplitSettings) -> "Model":
    from dlbricks.model.lowering.onnxruntime_cpu import lower as lower_model
    from dlbricks.model.read.checker import naming_file_in_errors
    from dlbricks.sequences.network import read_network

    # refuses files that are lowered already, which reading for a target takes as they are
    with naming_file_in_errors(path):
        return lower_model(read_network(path, settings), threads=settings.threads, target=settings.target)


def _in_worker(
    function: Callable[..., Result], paths: Sequence[Path], settings: SplitSettings, memory_bytes: int | None = None
) -> list[Result]:
    """Call a function of this signature with each path in a worker process."""
    from dlbricks.process_pool import each_in_worker

    task = partial(function, settings=settings)
    return each_in_worker(task, paths, target=settings.target, memory_bytes=memory_bytes)


def generate(
    networks: Sequence[str | Path],
    out: str | Path,
    *,
    granularity: int | str = 1,
    target: str = PORTABLE,
    dims: Mapping[str, int] | None = None,
    **options: Any,
) -> "Suite":
    """Write a suite of the unique layer sequences of some networks.

    Args:
        networks: files, folders or globs.
        out: folder of the suite; an existing suite is replaced.
        granularity: see ``split``.
        target: see ``read``.
        dims: extents of symbolic dimensions by name.
        **options: fields of ``settings.SplitSettings`` (``batch``, ``splitter``, ``threads``, ``allow_values``,
            ``passes``) and of ``suite.generate.SuiteOptions`` (``decoys``, ``pairs``, ``jobs``, ``seed``, ``name``,
            ``strict`` ...).

    Raises:
        InputError: no network can be used or has a dimension, or the folder holds something other than a suite.
    """
    from dlbricks.model.read.dimensions import check_given
    from dlbricks.model.read.network import find_networks
    from dlbricks.passes.user import applied
    from dlbricks.suite.generate import SuiteOptions

    paths = [str(path) for path in networks]
    split_options = {field.name: options.pop(field.name) for field in fields(SplitSettings) if field.name in options}
    settings = SplitSettings(granularity=str(granularity), target=target, dims=dims or {}, **split_options)
    files = find_networks(paths)
    with applied(files, settings.passes):
        check_given(files, settings.dims)
        return write_suite(paths, settings, SuiteOptions(**options), out=Path(out))[1]


def write_suite(
    models: Sequence[str],
    settings: SplitSettings,
    options: "SuiteOptions",
    *,
    out: Path,
    **selection: Any,
) -> "tuple[Path, Suite, tuple[NetworkReport, ...]]":
    """Write a suite as a folder, or with ``options.pack`` as a file, which gets a suffix if it has none.

    The arguments and errors are those of ``suite.generate.generate``.

    Returns:
        The path of the suite, the suite, and a report for each network.
    """
    from dlbricks.suite.generate import generate as generate_suite
    from dlbricks.suite.reading import SUFFIXES
    from dlbricks.suite.reading import pack as pack_suite

    if not options.pack:
        return out, *generate_suite(models, settings, options, out=out, **selection)
    archive = out if out.name.endswith(SUFFIXES) else out.with_name(out.name + SUFFIXES[0])
    with TemporaryDirectory(prefix="dlbricks-") as scratch:
        folder = Path(scratch) / "suite"
        suite, reports = generate_suite(models, settings, options, out=folder, **selection)
        pack_suite(folder, archive)
    return archive, suite, reports


def coverage(networks: "Sequence[Split]", query: SystemQuery) -> "Coverage":
    """Compare the sequences of networks with the measurements of a system; see ``estimate`` for what is raised."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover

    compositions = [compose(network) for network in networks]
    return cover(compositions, stored(compositions, query))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedSuite:
    """A suite of what a system has not measured of some networks."""

    suite: Path | None
    """Path of the suite; None if nothing is missing."""
    plan: "Plan"
    configuration: "SystemConfiguration"
    reports: "tuple[NetworkReport, ...]" = ()
    """On the networks of the suite."""


def plan(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: "SuiteOptions",
    *,
    out: Path,
    points: Sequence[Mapping[str, int]] = (),
    progress: "Progress",
) -> PlannedSuite:
    """Write the smallest suite of all sequences of networks that a system has not measured.

    The settings are those of the measured suites (``estimating.as_measured``). With decoys all sequences are included,
    since gaps would identify the network. See ``write_suite`` for the other arguments.

    Raises:
        InputError: see ``estimate`` and ``write_suite``.
    """
    from dlbricks.construct.coverage import suite_cost_ns, without

    missing, results = gap(models, settings, query, options, points)
    if not missing.fingerprints:
        return PlannedSuite(suite=None, plan=missing, configuration=results.configuration)
    only = None if options.decoys else missing.fingerprints
    selection = {"points": points, "only": only, "progress": progress}
    place, suite, reports = write_suite(models, settings, options, out=out, **selection)
    missing = without(missing, {name: reason for report in reports for name, reason in report.left_out}, results)
    if options.decoys:  # these are measured, too
        missing = replace(missing, fingerprints=suite.sequences, cost_ns=suite_cost_ns(len(suite.sequences), results))
    return PlannedSuite(suite=place, plan=missing, configuration=results.configuration, reports=reports)


def gap(
    models: Sequence[str],
    settings: SplitSettings,
    query: SystemQuery,
    options: "SuiteOptions",
    points: Sequence[Mapping[str, int]] | None = None,
) -> "tuple[Plan, SystemResults]":
    """Return what a system has not measured of networks, and what it has; without points, no samples of tokens."""
    from dlbricks.construct.compose import compose
    from dlbricks.construct.coverage import coverage as cover
    from dlbricks.construct.coverage import plan_of, unions_of
    from dlbricks.model.read.network import batch_of, find_networks
    from dlbricks.suite.extraction import token_choices

    networks, samples = list["Split"](), dict[tuple[Path, str, int], "Split"]()
    for point in points or ({},):
        at_point = settings.at(point)
        paths = find_networks(models)
        parts = split_files(paths, at_point, memory_bytes=options.memory_bytes)
        networks += parts
        # only own decoders have networks that sample a token; each counts once, whatever the length
        for path, part in zip(paths, parts, strict=True) if points is not None and not options.decoys else ():
            for method, sample in token_choices(path, part.model, at_point).items():
                samples[path, method, batch_of(part.model)] = sample
    compositions = [compose(part, pairs=options.pairs) for part in (*networks, *samples.values())]
    results = stored(compositions, query)
    return plan_of(cover(compositions, results), results, unions_of(compositions)), results


def run(suite: str | Path, out: str | Path, **options: Any) -> dict[str, Any]:
    """Measure a suite on this machine and write the result.

    Args:
        suite: folder or archive.
        out: the result file.
        **options: of ``harness.options.RunOptions``: ``name``, ``provider``, ``threads``, ``budget_ns`` ...

    Returns:
        The result document; failed benchmarks have their reason in their entries.

    Raises:
        HarnessError: an option cannot be satisfied on this machine.
    """
    from dlbricks.harness.options import RunOptions
    from dlbricks.harness.run.runner import run_suite
    from dlbricks.suite.reading import read_suite, unpacked_suite

    with unpacked_suite(Path(suite)) as folder:
        read_suite(folder)
        return run_suite(folder, Path(out), RunOptions(**options))


def submit(result: str | Path, *, suite: str | Path | None = None, store: str | None = None) -> "SubmissionReceipt":
    """Check a result and add it to a store; adding it again changes nothing.

    Args:
        result: result file of a run; if a signature file (``.sig``) lies beside it, it has to be valid.
        suite: the suite that was run, which is added to the store. Without it, a result of a suite that the store does
            not know is stored as of an unknown suite and not used for estimates.
        store: URL; None for the default store.

    Raises:
        CheckError: a rule of severity error is violated.
        InputError: the file or the store cannot be used.
    """
    from dlbricks.store.document import read_file
    from dlbricks.store.signatures import signature_of
    from dlbricks.store.submission import SubmitOptions
    from dlbricks.store.submission import submit as submit_result
    from dlbricks.suite.reading import read_suite

    document, of = read_file(Path(result)), None if suite is None else read_suite(Path(suite))
    options = SubmitOptions(signature=signature_of(Path(result), document, None))
    with open_store(store, create=True) as opened:
        return submit_result(opened, document, suite=of, options=options)


def estimate(
    network: "Split", system: str | SystemQuery, *, rule: str = "sequential", interpolate: bool = False
) -> "Estimate":
    """Compose the latency of a network from the stored measurements of its sequences on a system.

    Args:
        network: split with the granularity, splitter and target of the measured suite.
        system: name of a system in the default store, or a query.
        rule: ``sequential``, ``pairs``, ``parallel``, ``lanes:k`` or ``simulate``.
        interpolate: whether to predict sequences without a measurement from similar ones.

    Returns:
        The latency in ns with its 90 % interval. Sequences without a measurement are listed in ``missing`` and are not
        part of the total.

    Raises:
        InputError: the system is unknown, or its results are of another target or configuration.
    """
    return estimates([network], _query(system), rule=rule, interpolate=interpolate)[1][0]


def what_if(
    files: Sequence[str | Path],
    apply: Sequence[str],
    *,
    network: "Split | None" = None,
    system: str | SystemQuery | None = None,
) -> "Answer":
    """Predict how long a recorded or composed run would take after some changes.

    Args:
        files: a profile or trace, or one for each rank of a run; empty if ``network`` is given.
        apply: transforms in order, as in ``scale:0.5,kind=kernel``.
        network: a network that is composed from the measurements of ``system``.
        system: see ``estimate``.

    Raises:
        InputError: a file, a transform or the system cannot be used.
    """
    from dlbricks.whatif.transforms import all_transforms

    query = None if system is None else _query(system)
    return ask_whatif(files, apply, all_transforms([]), network=network, system=query).answer


def _query(system: str | SystemQuery) -> SystemQuery:
    return SystemQuery(system=system) if isinstance(system, str) else system


def advise_whatif(
    files: Sequence[str | Path],
    transforms: "Mapping[str, Transform]",
    *,
    batch: int | None = None,
    levels: str | None = None,
) -> "tuple[AdviceReport, DetailedAnswer | None]":
    """Rank the transforms that would make a recorded run faster, best first, with the timelines of the best.

    Of a profile with several batch sizes the smallest is used, of one with the levels ``ML`` and ``MLK`` the deeper
    one, unless they are named. See ``what_if`` for the files and errors.
    """
    from dlbricks.whatif.answer import advise
    from dlbricks.whatif.sources.load import graph_of_files

    return advise(graph_of_files([Path(file) for file in files], batch, levels), transforms)


def ask_whatif(
    files: Sequence[str | Path],
    apply: Sequence[str],
    transforms: "Mapping[str, Transform]",
    *,
    batch: int | None = None,
    levels: str | None = None,
    network: "Split | None" = None,
    system: SystemQuery | None = None,
) -> "DetailedAnswer":
    """Answer a what-if question with its graphs and schedules; see ``what_if`` and ``advise_whatif``."""
    from dlbricks.whatif.answer import ask
    from dlbricks.whatif.evidence import all_errors, device_of
    from dlbricks.whatif.sources.load import graph_of_files
    from dlbricks.whatif.transform import read_step

    steps = [read_step(text, transforms) for text in apply]
    chosen = [transform for transform, _ in steps]
    if network is None:
        graph = graph_of_files([Path(file) for file in files], batch, levels)
        return ask(graph, steps, all_errors(chosen, device_of(graph)))
    if system is None:
        raise InputError(f"{network.model.name} was never traced: name the system that measured its sequences")
    from dlbricks.construct.compose import compose
    from dlbricks.construct.estimate import remarks, with_origin
    from dlbricks.whatif.sources.networks import graph_of_model

    composition = compose(network)
    results = stored([composition], system)
    graph, composed = graph_of_model(composition, results, traces_of([composition], results, system))
    composed = with_origin(composed, results, time.time_ns())
    off = max(composed.high_ns - composed.total_ns, composed.total_ns - composed.low_ns) / max(1, composed.total_ns)
    detailed = ask(graph, steps, all_errors(chosen, device_of(graph)), before_error=off)
    return replace(detailed, answer=replace(detailed.answer, notes=(*detailed.answer.notes, *remarks(composed))))
