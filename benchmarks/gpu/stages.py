"""What each stage of ``run.py`` does; called in a process of its own, with a folder into which all it finds is written.

What is not possible here is written down as the reason, and the stage goes on.
"""

import argparse
import ctypes
import json
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from importlib.metadata import distributions
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dlbricks.errors import DlbricksError
from dlbricks.harness.call_timer import bound_graph
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.machine import GpuMonitor, gpu_facts, l2_bytes
from dlbricks.harness.network import Bound, Prepared
from dlbricks.harness.session import SessionSettings, backend, open_session, runtime_errors
from dlbricks.harness.trace.device_queue import DeviceQueue
from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.types import Model

ROOT = Path(__file__).resolve().parents[2]
NETWORKS = (
    *("tv_mobilenet_v3_small", "hf_distilbert", "tv_resnet50", "timm_levit_128", "misc_llama_decode", "tv_swin_t"),
    *("hf_gpt2", "tv_efficientnet_b0", "misc_dlrm", "timm_mobilevit_s", "misc_unet", "int8_tv_resnet18"),
)
"""From many short kernels to few long ones; the first ones tell most if time runs out."""
QUICK_NETWORK = "tv_squeezenet1_1"
SMOKE = ROOT / "suites" / "smoke"


class Here(NamedTuple):
    """What a stage is given."""

    out: Path
    provider: str
    quick: bool

    @property
    def settings(self) -> SessionSettings:
        """Of sessions on the provider."""
        return SessionSettings(provider=self.provider)

    def write(self, name: str, found: Any) -> None:
        """Leave a file."""
        (self.out / f"{name}.json").write_text(json.dumps(found, indent=1, default=str) + "\n", encoding="utf-8")

    def dlbricks(self, name: str, *arguments: str) -> int:
        """Run a command of dlbricks; leave what it prints."""
        done = subprocess.run(
            [sys.executable, "-m", "dlbricks", *arguments], capture_output=True, text=True, check=False, cwd=ROOT
        )
        (self.out / f"{name}.txt").write_text(f"{done.stdout}\n{done.stderr}", encoding="utf-8")
        print(f"{name}: exit code {done.returncode}: {(done.stderr or done.stdout).strip().rpartition(chr(10))[2]}")
        return done.returncode

    def network(self, name: str) -> str:
        """Give the path of a network."""
        return str(ROOT / "suites" / "networks" / f"{name}.onnx")

    @property
    def networks(self) -> tuple[str, ...]:
        """Names of those that are measured."""
        return (QUICK_NETWORK,) if self.quick else NETWORKS


FAILURES: tuple[type[Exception], ...] = (
    *runtime_errors(SessionSettings()),
    DlbricksError,
    ImportError,
    AttributeError,
    OSError,
)
"""Of what a machine lacks."""


@contextmanager
def reasons(found: dict[str, Any], key: str) -> Iterator[None]:
    """Write down why a part of a stage is not possible."""
    try:
        yield
    except FAILURES as error:
        found[key] = f"not here: {type(error).__name__}: {' '.join(str(error).split())[:400]}"


def fields(here: Here) -> None:
    """What is known of the GPU, by each way."""
    monitor = GpuMonitor(0)
    readings = [(monitor.clock_mhz(), monitor.free_bytes()) for _ in range(5)]
    text: dict[str, Any] = {}
    for name, arguments in {"all": ["-q"], "fields": ["--help-query-gpu"]}.items():
        with reasons(text, name):
            done = subprocess.run(["nvidia-smi", *arguments], capture_output=True, text=True, timeout=15, check=False)
            text[name] = done.stdout.splitlines()
    facts = gpu_facts()
    unknown = [sorted(key for key, value in one.items() if value is None) for one in facts]
    here.write("fields", {"gpus": facts, "unknown": unknown, "nvml": readings, "l2_bytes": l2_bytes(0), **text})
    print(f"{len(facts)} GPUs; unknown: {unknown}")


def libraries(here: Here) -> None:
    """What is installed, and what of it loads."""
    import onnxruntime

    wanted = ("onnx", "nvidia", "cupti", "cuda", "numpy", "dlbricks", "torch")
    packages = {one.metadata["Name"]: one.version for one in distributions() if one.metadata["Name"].startswith(wanted)}
    found: dict[str, Any] = {"packages": packages, "providers": onnxruntime.get_available_providers()}
    with reasons(found, "provider"):
        backend(here.settings).prepare(here.settings)
        found["provider"] = "works"
    with reasons(found, "driver"):
        from dlbricks.harness.trace.cupti import why_not

        found["tracing"] = why_not() or "works"
    capi = Path(onnxruntime.__file__).parent / "capi"
    loaded: dict[str, Any] = {}
    for file in sorted(capi.glob("libonnxruntime_providers_*.so")):
        with reasons(loaded, file.name):
            ctypes.CDLL(str(file))
            loaded[file.name] = "loads"
    here.write("libraries", {**found, "loads": loaded})
    here.dlbricks("doctor", "doctor", "--json")
    done = subprocess.run(
        [sys.executable, "-m", "tests.harness.cupti_contract"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    (here.out / "contract.txt").write_text(done.stdout + done.stderr, encoding="utf-8")
    print(f"provider: {found['provider']}")


def tracer(here: Here) -> None:
    """Start and stop the tracer again and again: what is recorded each time, what calls take before and after."""
    from dlbricks.harness.trace.cupti import ActivityTracer

    backend(here.settings).prepare(here.settings)
    bound = _abs(here.settings, 1 << 10)
    rounds, calls = (3, 3) if here.quick else (30, 20)
    before = bound.visit(10 * calls)
    made: list[dict[str, Any]] = []
    found: dict[str, Any] = {"rounds": made, "before_ns": before}
    with reasons(found, "tracing"):
        taker = ActivityTracer()
        for _ in range(rounds):
            taker.start()
            during = bound.visit(calls)
            activities = taker.stop()
            kinds: dict[str, int] = {}
            for one in activities:
                kinds[one.kind] = kinds.get(one.kind, 0) + 1
            clock = asdict(taker.clock) if taker.clock else None
            notes, dropped = taker.notes, taker.dropped
            made.append({"kinds": kinds, "notes": notes, "dropped": dropped, "clock": clock, "during_ns": during})
            if len(made) == 1:
                found["first"] = [asdict(one) for one in activities]
    found["after_ns"] = bound.visit(10 * calls)
    here.write("tracer", found)
    slower = statistics.median(found["after_ns"]) / statistics.median(before)
    print(f"{len(made)} traces; calls afterwards take {slower:.3f} of before; {found.get('tracing', '')}")


def memory(here: Here) -> None:
    """Open so many sessions of two kinds of layers, call each twice, and see what is left."""
    backend(here.settings).prepare(here.settings)
    monitor = GpuMonitor(0)
    held: list[Any] = []
    found: list[dict[str, Any]] = []
    for count in (1, 8) if here.quick else (1, 8, 64):
        while len(held) < count:
            held += [_abs(here.settings, 1 << 10), _product(here.settings)][: count - len(held)]
            for one in held[-2:]:
                one.visit(2)
        found.append({"sessions": count, "free_bytes": monitor.free_bytes(), "rss": _resident()})
    here.write("memory", found)
    print(found[-1])


def bound_network(model: Model, folder: Path, settings: SessionSettings) -> Bound:
    """Open a whole network and bind its inputs and outputs.

    Args:
        model: the network.
        folder: for its weights.
        settings: of the session.
    """
    network, blobs = end_to_end_network(model)
    write_weights(folder, blobs)
    contracts = {"inputs": _contracts(model, model.inputs), "outputs": _contracts(model, model.outputs)}
    session = open_session(network_bytes(network), folder, settings)
    bound = Bound(session, contracts, dict(end_to_end_inputs(model)))
    bound.visit(2)
    return bound


def _contracts(model: Model, names: Sequence[str]) -> list[dict[str, Any]]:
    specs = {name: model.spec(name) for name in names}
    return [{"name": name, "dtype": spec.dtype, "shape": list(spec.shape)} for name, spec in specs.items()]


def constants(here: Here) -> None:
    """Measure the queue several times; times of host and device of kernels of known bytes, by calls and by CUPTI."""
    from dlbricks.harness.trace.cupti import ActivityTracer

    backend(here.settings).prepare(here.settings)
    long_bytes = (1 << 16) if here.quick else (64 << 20)
    queue = DeviceQueue(here.settings, long_bytes=long_bytes, cache_bytes=(1 << 20) if here.quick else None)
    found: dict[str, Any] = {"calls": [queue.constants() for _ in range(1 if here.quick else 5)]}
    sizes = (1 << 12,) if here.quick else (1 << 12, 1 << 20, 1 << 26)
    prepared = [Prepared(session=one.session, bound=one, load_ns=0) for one in map(queue.kernel, sizes)]
    what = {"layers": 1, "weight_bytes": 0}
    kernels: list[dict[str, Any]] = [
        {"bytes": size, "queue": queue.times(one, what)} for size, one in zip(sizes, prepared, strict=True)
    ]
    found["kernels"] = kernels
    with reasons(found, "traced"):
        tracer = ActivityTracer()
        found["traced"] = queue.traced_constants(tracer)
        for kernel, one in zip(kernels, prepared, strict=True):
            kernel["traced"] = queue.traced(one.bound, what, kernel["queue"], tracer)
    here.write("constants", found)
    print(found["calls"][0])


def smoke(here: Here) -> None:
    """Run the smoke suite, kernels traced where they can be."""
    from dlbricks.harness.trace.cupti import why_not

    result = here.out / "smoke.result.json"
    result.unlink(missing_ok=True)
    level = "ML" if why_not() else "MLK"
    given = ["--provider", here.provider, "--trace", level, "-o", str(result)]
    given += ["--smoke", "--only", "Relu"] if here.quick else ["--budget", "150s"]
    code = here.dlbricks("smoke.run", "run", str(SMOKE), *given)
    if result.exists():
        here.dlbricks("smoke.check", "check", str(result))
    elif code:
        raise HarnessError("nothing was measured; smoke.run.txt says why")


def networks(here: Here) -> None:
    """Measure networks whole and by parts, interleaved, and keep the runs."""
    paths = [here.network(name) for name in here.networks]
    report = here.out / "networks.json"
    given = ["--provider", here.provider, "-o", str(report), *(["--resume"] if report.exists() else [])]
    given += ["--keep", str(here.out / "runs")]
    given += ["--smoke", "-H", "8"] if here.quick else ["--budget", "13m"]
    if here.dlbricks("networks", "validate", *paths, *given) not in {0, 4}:
        raise HarnessError("networks.txt says why")


def cold(here: Here) -> None:
    """Call whole networks warm, and after the second-level cache was cleared; compose their parts for both."""
    from dlbricks.api.networks import read

    backend(here.settings).prepare(here.settings)
    queue = DeviceQueue(here.settings, cache_bytes=(1 << 20) if here.quick else None)
    found: dict[str, Any] = {}
    for name in here.networks:
        with reasons(found, name):
            bound = bound_network(read(here.network(name), target="portable"), here.out / "weights", here.settings)
            warm, cleared = queue.warm_and_cold(bound, bound.call, 9)
            found[name] = {"warm_ns": warm, "cold_ns": cleared}
            with reasons(found[name], "parts_ns"):
                found[name]["parts_ns"] = parts_in_states(here.out / "runs", name)
        here.write("cold", found)
    print(f"{len(found)} networks")


def parts_in_states(runs: Path, name: str) -> dict[str, int]:
    """Compose a network of stage ``networks`` as a loop finds its weights, and with all of them in device memory."""
    from dlbricks.construct.estimate import estimate
    from dlbricks.construct.types import Rule
    from dlbricks.store.summary import measurements

    sys.path.append(str(Path(__file__).parents[1]))  # a stage runs with this folder in front
    from kept_runs import read_runs

    run = read_runs(runs, (name,))[name]
    results = measurements(dict(run.document))
    if results.queue is None:
        raise HarnessError(f"the run of {name} has no times of host and device")
    machines = {"warm": results.queue, "cold": replace(results.queue, cache_bytes=0)}
    rule, made = Rule.parse("sequential"), run.facts.composition
    return {state: estimate(made, replace(results, queue=one), rule).total_ns for state, one in machines.items()}


def lowered(here: Here) -> None:
    """Let the runtime save what it would execute, with its operators counted."""
    from collections import Counter

    from dlbricks.api.networks import read
    from dlbricks.harness.runtimes.onnxruntime import provider_names
    from dlbricks.model.lowering.onnxruntime_cpu import graph_of_session

    found: dict[str, Any] = {}
    for name in here.networks:
        with reasons(found, name):
            model = graph_of_session(
                read(here.network(name), target="portable"), {}, providers=provider_names(here.settings)
            )
            found[name] = Counter(f"{layer.domain}:{layer.op_type}" for layer in model.layers)
        here.write("lowered", found)
    print(f"{len(found)} networks")


def counters(here: Here) -> None:
    """Count a product, whose operations are known, and measure roofs."""
    from dlbricks.profile.counters import count

    backend(here.settings).prepare(here.settings)
    found: dict[str, Any] = {}
    with reasons(found, "product"):
        found["product"] = asdict(count(_product(here.settings).call))
    here.write("counters", found)
    if not here.quick:
        here.dlbricks("roofs", "doctor", "--roofs", "--provider", here.provider, "--json")
    print(str(found["product"])[:200])


def _abs(settings: SessionSettings, elements: int) -> Any:
    values = {"x": np.ones(elements, np.float32)}
    bound = bound_graph("abs", settings, values, values["x"].shape)
    bound.visit(2)
    return bound


def _product(settings: SessionSettings) -> Any:
    values = {"x": np.ones((4096, 64), np.float32), "w": np.ones((64, 64), np.float32)}
    bound = bound_graph("matmul", settings, values, (4096, 64))
    bound.visit(2)
    return bound


def _resident() -> int | None:
    """Give the memory of this process, bytes."""
    path = Path("/proc/self/statm")
    return int(path.read_text(encoding="ascii").split()[1]) * 4096 if path.exists() else None


FUNCTIONS: dict[str, Callable[[Here], None]] = {
    one.__name__: one
    for one in (fields, libraries, tracer, memory, constants, smoke, networks, cold, lowered, counters)
}


def main() -> int:
    """Run one stage; give its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("stage", choices=FUNCTIONS)
    parser.add_argument("out", type=Path)
    parser.add_argument("provider")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    try:
        FUNCTIONS[given.stage](Here(given.out, given.provider, given.quick))
    except HarnessError as error:
        print(f"not here: {error}")
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
