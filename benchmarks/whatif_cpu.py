"""Measures networks before and after changes on the processor: what ``backtest.processor`` predicts.

``python benchmarks/whatif_cpu.py prepare|wholes|sequences|two-threads FOLDER [NETWORK...]``, one after the other, keeps
what was measured in ``suites/results/whatif-cpu.jsonl.xz``; FOLDER holds what is made on the way. Wholes are measured
in interleaved rounds, a call of every variant in each; sequences in a run of their own, as any suite is, of all
networks together. Nothing that is kept of the sequences was measured in a whole.
"""

import argparse
import contextlib
import gc
import os
import random
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import onnxruntime
from whatif_layers import place, sequences
from whatif_variants import parts_of, prepare, record, variants_of

from dlbricks.construct.compose import compose
from dlbricks.harness.call_timer import CallTimer
from dlbricks.harness.network import Bound
from dlbricks.harness.runtimes.onnxruntime import explicit_options, private_constants
from dlbricks.harness.session import Session, SessionSettings
from dlbricks.model.emit import end_to_end_contract, end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.read.network import batch_of
from dlbricks.model.types import Model
from dlbricks.operators.costs import layer_costs
from dlbricks.profile.levels import LevelSession, Subject, level_session
from dlbricks.statistics import trimmed_mean
from dlbricks.trace.types import Level, LevelRun

_WEIGHTS_KEY = "session.model_external_initializers_file_folder_path"
ROUND_LIMIT, LEAST_ROUNDS = 30, 5
NETWORK_NS = 12_000_000_000
"""Time for the rounds of one network, after the least."""


def subject_of(model: Model, folder: Path, threads: int = 1) -> Subject:
    """Make a variant ready to be run as it stands."""
    network, blobs = end_to_end_network(model)
    write_weights(folder, blobs)
    data = network_bytes(network)
    return Subject(
        source=model,
        executed=model,
        batch=batch_of(model),
        settings=SessionSettings(threads=threads, optimization="none"),
        network=data,
        weights=folder,
        contract=end_to_end_contract(model),
        inputs=dict(end_to_end_inputs(model)),
        constants=private_constants(data, folder),
    )


def wholes(folder: Path, names: Sequence[str]) -> None:
    """Measure networks end to end, and their layers by the runtime's profile, in rounds of all variants."""
    timer = CallTimer(SessionSettings())
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
            take_together(name, sessions, models, timer)
            sessions.clear()


def take_together(
    name: str, sessions: Mapping[tuple[str, str], LevelSession], models: Mapping[str, Model], timer: CallTimer
) -> None:
    """Measure sessions by variant and levels in rounds, and keep what they give of each variant."""
    for session in sessions.values():
        session.warm_up()
    rounds = _rounds(name, sessions.values(), timer)
    runs = {key: session.finish() for key, session in sessions.items()}
    kept = {variant: _kept(runs[variant, "M"], runs[variant, "ML"], model) for variant, model in models.items()}
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
    timer = CallTimer(SessionSettings(threads=2))
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
            with _before_all_others():
                take_together(name, sessions, dict.fromkeys((variant for variant, _ in sessions), model), timer)
            sessions.clear()


@contextlib.contextmanager
def _before_all_others() -> Iterator[None]:
    """Let all threads of this process run before those of others; without the right to it, like any."""

    def ask(policy: int, priority: int) -> None:
        for thread in Path("/proc/self/task").iterdir():
            with contextlib.suppress(PermissionError, ProcessLookupError):
                os.sched_setscheduler(int(thread.name), policy, os.sched_param(priority))

    ask(os.SCHED_FIFO, 1)
    try:
        yield
    finally:
        ask(os.SCHED_OTHER, 0)


def _rounds(name: str, sessions: Iterable[LevelSession], timer: CallTimer) -> int:
    order, began, made = random.Random(name), time.perf_counter_ns(), 0  # noqa: S311
    every = list(sessions)
    while made < ROUND_LIMIT and (made < LEAST_ROUNDS or time.perf_counter_ns() - began < NETWORK_NS):
        gc.collect()
        gc.disable()
        for session in order.sample(every, len(every)):
            session.take(timer)
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


def main() -> None:
    """Do one of the steps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("prepare", "wholes", "sequences", "two-threads", "place"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("networks", nargs="*")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="budget for sequences; without one all are measured to their end")
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
        place(options.folder, options.threads, names)


if __name__ == "__main__":
    main()
