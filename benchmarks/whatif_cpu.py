"""Measures networks before and after changes on the processor: what ``dlbricks whatif --backtest`` is judged by.

``python benchmarks/whatif_cpu.py prepare|wholes|sequences|two-threads FOLDER [NETWORK...]``, one after the other, keeps
what was measured in ``suites/results/whatif-cpu``; FOLDER holds what is made on the way. Wholes are measured in
interleaved rounds, a call of every variant in each; sequences in a run of their own, as any suite is, of all networks
together. Nothing that is kept of the sequences was measured in a whole.
"""

import argparse
import functools
import gc
import gzip
import json
import pickle
import random
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

import onnxruntime
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from dlbricks.construct.compose import compose
from dlbricks.construct.interpolate import Interpolator, fit
from dlbricks.construct.nouns import Composition
from dlbricks.construct.placing import Placing
from dlbricks.construct.states import Latencies, net_latencies
from dlbricks.errors import DlbricksError
from dlbricks.files import write_bytes
from dlbricks.harness.constants import own_constants
from dlbricks.harness.facts import instruction_set
from dlbricks.harness.measure import Bound
from dlbricks.harness.runner import run_suite
from dlbricks.harness.schedule import RunOptions
from dlbricks.harness.session import RUNTIME_ERRORS, Session, SessionSettings, explicit_options, runtime_facts
from dlbricks.harness.stage import Stage
from dlbricks.model.batch import batch_of, read_batched
from dlbricks.model.costs import layer_costs
from dlbricks.model.emit import network_bytes
from dlbricks.model.lowering import TARGET, lower
from dlbricks.model.nouns import Model
from dlbricks.model.read import read_model
from dlbricks.model.whole import whole_contract, whole_inputs, whole_network, write_weights
from dlbricks.profile.levels import LevelSession, level_session
from dlbricks.profile.nouns import LevelRun
from dlbricks.profile.overhead import trimmed_mean
from dlbricks.profile.subject import Subject
from dlbricks.sequences.nouns import Granularity, Split
from dlbricks.sequences.splitters import split
from dlbricks.store.nouns import SystemResults
from dlbricks.store.summary import measurements
from dlbricks.suite.anchors import anchors
from dlbricks.suite.assemble import Reference, SuiteHead, assemble, merged
from dlbricks.suite.harvest import bricks_of
from dlbricks.suite.nouns import Target
from dlbricks.suite.write import write_suite
from dlbricks.trace.nouns import Level

ROOT = Path(__file__).parents[1]
_WEIGHTS_KEY = "session.model_external_initializers_file_folder_path"
KEPT = ROOT / "suites" / "results" / "whatif-cpu"
NETWORKS = ROOT / "suites" / "networks"
VARIANTS = ("none", "extended", "all", "batch8", "int8")
"""Graphs of a network: as read, optimised, with another batch, quantised; the last two optimised, too."""
BATCH = 8
_FAILURES: tuple[type[Exception], ...] = (DlbricksError, *RUNTIME_ERRORS)
ROUND_LIMIT, LEAST_ROUNDS = 30, 5
NETWORK_NS = 12_000_000_000
"""Time for the rounds of one network, after the least."""


class _OneInput(CalibrationDataReader):  # type: ignore[misc]
    """Gives the network's made-up inputs once."""

    def __init__(self, model: Model) -> None:
        self._left = [dict(whole_inputs(model))]

    def get_next(self) -> Any:
        """Give the next inputs, None after the last."""
        return self._left.pop() if self._left else None


def quantised(model: Model) -> Model:
    """Quantise a network as onnxruntime's own tool does: QDQ, 8 bits, one scale per tensor, unsigned activations."""
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        network, blobs = whole_network(model)
        source, result = Path(scratch) / "float32.onnx", Path(scratch) / "int8.onnx"
        write_weights(Path(scratch), blobs)
        source.write_bytes(network_bytes(network))
        kinds = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8}
        quantize_static(source, result, _OneInput(model), quant_format=QuantFormat.QDQ, per_channel=False, **kinds)
        return read_model(result)


def _batched(path: Path) -> Model:
    return lower(read_batched(path, batch=BATCH))


def _quantised(model: Model) -> Model:
    return lower(quantised(model))


def prepare(folder: Path, names: Sequence[str]) -> None:
    """Make every variant of every network."""
    for name in names:
        path = NETWORKS / f"{name}.onnx"
        portable = read_model(path)
        makers: Mapping[str, Callable[[], Model]] = {
            "none": functools.partial(read_model, path),
            "extended": functools.partial(lower, portable, level="extended"),
            "all": functools.partial(lower, portable),
            "batch8": functools.partial(_batched, path),
            "int8": functools.partial(_quantised, portable),
        }
        for variant, make in makers.items():
            file = folder / f"{name}.{variant}.pkl"
            if file.exists():
                continue
            try:
                file.write_bytes(pickle.dumps(replace(make(), name=name, target=TARGET, groups=())))
            except _FAILURES as error:
                print(f"{name} {variant}: {' '.join(str(error).split())}", flush=True)


def variants_of(folder: Path, name: str) -> dict[str, Model]:
    """Read what ``prepare`` made of a network."""
    files = {variant: folder / f"{name}.{variant}.pkl" for variant in VARIANTS}
    return {variant: pickle.loads(file.read_bytes()) for variant, file in files.items() if file.exists()}  # noqa: S301


def parts_of(model: Model) -> Split:
    """Cut a network into its layers."""
    return split(model, Granularity.parse("1"), "block")


def subject_of(model: Model, folder: Path, threads: int = 1) -> Subject:
    """Make a variant ready to be run as it stands."""
    network, blobs = whole_network(model)
    write_weights(folder, blobs)
    data = network_bytes(network)
    return Subject(
        source=model,
        executed=model,
        batch=batch_of(model),
        settings=SessionSettings(threads=threads, optimization="none"),
        network=data,
        weights=folder,
        contract=whole_contract(model),
        inputs=dict(whole_inputs(model)),
        constants=own_constants(data, folder),
    )


def wholes(folder: Path, names: Sequence[str]) -> None:
    """Measure networks end to end, and their layers by the runtime's profile, in rounds of all variants."""
    stage = Stage(SessionSettings())
    for name in names:
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            models = variants_of(folder, name)
            sessions: dict[tuple[str, str], LevelSession] = {}
            for variant, model in models.items():
                place = Path(scratch) / variant
                place.mkdir()
                subject = subject_of(model, place)
                for levels in ("M", "ML"):
                    sessions[variant, levels] = level_session(subject, levels, place)
            for session in sessions.values():
                session.warm_up()
            rounds = _rounds(name, sessions.values(), stage)
            runs = {key: session.finish() for key, session in sessions.items()}
            kept = {variant: _kept(runs[variant, "M"], runs[variant, "ML"], models[variant]) for variant in models}
            del sessions
        record(name, {"variants": kept})
        print(name, rounds, {key: f"{median(row['samples_ns']) / 1e6:.3f} ms" for key, row in kept.items()}, flush=True)


def pool_session(subject: Subject, levels: str, scratch: Path, *, between: int) -> LevelSession:
    """Open a session whose layers run beside each other, each on one thread.

    Args:
        subject: what is run.
        levels: ``M`` or ``ML``.
        scratch: folder for the runtime's profile.
        between: threads that take layers.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    for key, value in explicit_options(subject.settings).items():
        if "." in key:
            options.add_session_config_entry(key, str(value))
        elif key != "execution_mode":
            setattr(options, key, value)
    options.execution_mode = onnxruntime.ExecutionMode.ORT_PARALLEL
    options.inter_op_num_threads = between
    options.add_session_config_entry(_WEIGHTS_KEY, str(subject.weights.absolute()))
    if levels == "ML":
        options.enable_profiling = True
        options.profile_file_prefix = str(scratch / levels)
    for name, constant in subject.constants:
        options.add_initializer(name, constant)
    inference = onnxruntime.InferenceSession(subject.network, options, providers=["CPUExecutionProvider"])
    session = Session(inference=inference, device="cpu", device_id=0, placement=(), constants=subject.constants)
    bound = Bound(session, subject.contract, subject.inputs)
    return LevelSession(subject=subject, levels=levels, session=session, bound=bound)


def two_threads(folder: Path, names: Sequence[str]) -> None:
    """Measure networks with one thread, with two in each layer, and with two that take a layer each, in rounds."""
    stage = Stage(SessionSettings(threads=2))
    for name in names:
        with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
            model = variants_of(folder, name)["all"]
            sessions: dict[tuple[str, str], LevelSession] = {}
            for variant, threads in (("one", 1), ("threads2", 2), ("parallel2", 1)):
                place = Path(scratch) / variant
                place.mkdir()
                subject = subject_of(model, place, threads)
                for levels in ("M", "ML"):
                    sessions[variant, levels] = (
                        pool_session(subject, levels, place, between=2)
                        if variant == "parallel2"
                        else level_session(subject, levels, place)
                    )
            for session in sessions.values():
                session.warm_up()
            rounds = _rounds(name, sessions.values(), stage)
            runs = {key: session.finish() for key, session in sessions.items()}
            variants = dict.fromkeys(variant for variant, _ in sessions)
            kept = {variant: _kept(runs[variant, "M"], runs[variant, "ML"], model) for variant in variants}
            del sessions
        record(name, {"variants": kept})
        print(name, rounds, {key: f"{median(row['samples_ns']) / 1e6:.3f} ms" for key, row in kept.items()}, flush=True)


def _rounds(name: str, sessions: Iterable[LevelSession], stage: Stage) -> int:
    order, began, made = random.Random(name), time.perf_counter_ns(), 0  # noqa: S311
    every = list(sessions)
    while made < ROUND_LIMIT and (made < LEAST_ROUNDS or time.perf_counter_ns() - began < NETWORK_NS):
        gc.collect()
        gc.disable()
        for session in order.sample(every, len(every)):
            session.take(stage)
        gc.enable()
        made += 1
    return made


def _kept(whole: LevelRun, layers: LevelRun, model: Model) -> dict[str, Any]:
    """Keep samples of the whole and the time of every step in the profile."""
    trace, times = layers.trace, dict[str, list[int]]()
    for row in trace.rows(Level.LAYER).tolist():
        if trace.level[trace.parent[row]] != Level.LAYER:
            times.setdefault(trace.names[trace.name[row]], []).append(int(trace.duration_ns[row]))
    means = {key: trimmed_mean(values) for key, values in times.items()}
    parts = parts_of(model)
    composition = compose(parts)
    by_name = {layer.name: layer for layer in model.layers}
    steps = []
    for step in composition.steps:
        costs = [found for key in step.layers if (found := layer_costs(model, by_name[key])) is not None]
        own = [key for key in step.layers if not by_name[key].is_view] or list(step.layers)
        steps.append(
            {
                "name": own[0],
                "operator": by_name[own[0]].op_type,
                "fingerprint": "" if step.free else step.fingerprint[:16],
                "depends_on": list(step.depends_on),
                "profiled_ns": round(sum(means.get(key, 0.0) for key in step.layers)),
                "flops": sum(one.flops for one in costs),
                "read_bytes": sum(one.read_bytes for one in costs),
                "written_bytes": sum(one.written_bytes for one in costs),
                "parameter_bytes": sum(one.parameter_bytes for one in costs),
            }
        )
    return {
        "batch": whole.batch,
        "samples_ns": list(whole.samples_ns),
        "profiled_samples_ns": list(layers.samples_ns),
        "steps": {key: [step[key] for step in steps] for key in steps[0]},
    }


def record(name: str, more: Mapping[str, Any]) -> None:
    """Add to what is kept of a network."""
    path = KEPT / f"{name}.json.gz"
    content: dict[str, Any] = {"network": name}
    if path.exists():
        content = json.loads(gzip.decompress(path.read_bytes()))
    for key, value in more.items():
        if isinstance(value, dict):
            for inner, row in value.items():
                content.setdefault(key, {}).setdefault(inner, {}).update(row)
        else:
            content[key] = value
    data = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(path, gzip.compress(data, compresslevel=9, mtime=0))


def sequences(folder: Path, names: Sequence[str], threads: int, budget_s: float) -> None:
    """Measure the layers of all variants alone, and say what each step of each variant takes at its place."""
    variants = VARIANTS if threads == 1 else ("all",)
    known = {name: {key: one for key, one in variants_of(folder, name).items() if key in variants} for name in names}
    parts = {(name, key): parts_of(model) for name, models in known.items() for key, model in models.items()}
    compositions = {key: compose(one) for key, one in parts.items()}
    made = (*anchors(), *merged(brick for one in parts.values() for brick in bricks_of(one, unions=False)))
    target = Target(
        name=TARGET,
        runtime=runtime_facts(SessionSettings())["version"],
        instruction_set=tuple(instruction_set()),
    )
    head = SuiteHead(name="whatif-cpu", granularity="1", splitter="block", target=target, seed=0)
    reference = Reference(sketches=None, note="made for a back-test")
    suite = assemble(head, made, {one.benchmark.fingerprint: reference for one in made})
    print(f"{len(made)} sequences", flush=True)
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        place = Path(scratch) / "suite"
        write_suite(place, suite, {one.benchmark.fingerprint: one.network for one in made})
        options = RunOptions(threads=threads, budget_ns=round(budget_s * 1e9))
        document = run_suite(place, Path(scratch) / "result.json", options)
    results = measurements(document)
    (folder / f"results-{threads}t.pkl").write_bytes(pickle.dumps((results, compositions)))
    print(f"{document['timing']['wall_ns'] / 1e9:.0f} s, {len(results.measurements)} measured", flush=True)


def place(folder: Path, threads: int) -> None:
    """Put the latencies of sequences to their places in every variant, with and without the network's own."""
    results, compositions = pickle.loads((folder / f"results-{threads}t.pkl").read_bytes())  # noqa: S301
    for name in dict.fromkeys(name for name, _ in compositions):
        own = {key: one for key, one in compositions.items() if key[0] == name}
        others = _without(name, compositions, results)
        guesser = fit(others)
        kept = {}
        for (_, variant), composition in own.items():
            stored = _placed(composition, results, None)
            left = _placed(composition, others, guesser)
            row = {"stored_ns": stored, "others_ns": left, "call_overhead_ns": results.call_overhead_ns}
            kept[variant if threads == 1 else "threads2"] = row
        record(name, {"variants": kept})
        print(
            name,
            {
                key: f"{sum(filter(None, row['stored_ns'])) / 1e6:.3f} / "
                f"{sum(filter(None, row['others_ns'])) / 1e6:.3f} ms"
                for key, row in kept.items()
            },
            flush=True,
        )


def _without(name: str, compositions: Mapping[tuple[str, str], Composition], results: SystemResults) -> SystemResults:
    """Leave out all sequences that no other network has."""
    others = {step.fingerprint for (model, _), one in compositions.items() if model != name for step in one.steps}
    features = {step.fingerprint: step.features for one in compositions.values() for step in one.steps if step.features}
    kept = {key: row for key, row in results.measurements.items() if key in others}
    return replace(results, measurements=kept, features={key: features[key] for key in kept if key in features})


def _placed(composition: Composition, results: SystemResults, guesser: Interpolator | None) -> list[int | None]:
    """Give the time of each step at its place; None where it is not known."""
    nets: dict[str, Any] = {key: net_latencies(one, results) for key, one in results.measurements.items()}
    for step in composition.steps:
        if step.fingerprint not in nets and guesser is not None and step.features is not None:
            guess = guesser.predict(step.features)
            if guess is not None:
                nets[step.fingerprint] = Latencies(
                    near_ns=guess.near_ns,
                    constants_ns=guess.constants_ns,
                    outputs_ns=guess.outputs_ns,
                    inputs_ns=guess.inputs_ns,
                )
    times = Placing(composition.steps, nets, results).times()
    return [
        time.total_ns if step.free or step.fingerprint in nets else None
        for step, time in zip(composition.steps, times, strict=True)
    ]


def main() -> None:
    """Do one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("prepare", "wholes", "sequences", "two-threads", "place"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=240)
    options = parser.parse_args()
    names = options.networks or sorted({path.name.split(".")[0] for path in options.folder.glob("*.pkl")})
    if options.step == "prepare":
        prepare(options.folder, names)
    elif options.step == "wholes":
        wholes(options.folder, names)
    elif options.step == "two-threads":
        two_threads(options.folder, names)
    elif options.step == "sequences":
        sequences(options.folder, names, options.threads, options.seconds)
    else:
        place(options.folder, options.threads)


if __name__ == "__main__":
    main()
