"""Record traces of PyTorch before and after changes on a GPU, with times of steps without the profiler.

``python benchmarks/gpu/pairs.py OUT`` with torch, torchvision and transformers installed: OUT gets a trace of each run,
the times, pairs and failures (``about.json``). ``backtest.packed.pack`` makes one small file of them. Weights
and inputs are random. ``--device cpu --quick`` is the dry run; ``--seconds`` ends in time, the most wanted come first.
"""

import argparse
import gc
import gzip
import io
import itertools
import json
import statistics
import subprocess
import sys
import tarfile
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from pair_networks import TORCHVISION, Network, Run, built
from torch.profiler import ProfilerActivity, profile, schedule

HERE = Path(__file__).resolve()
CATEGORIES = ("kernel", "gpu_memset", "gpu_memcpy", "cuda_runtime", "cuda_driver", "user_annotation", "cpu_op")
ARGUMENTS = frozenset({
    "Input Dims", "Input type", "Input Strides", "Concrete Inputs", "stream", "bytes", "grid", "block", "device",
    "registers per thread", "shared memory", "Fwd thread id", "event_id", "wait_on_stream", "wait_on_cuda_event_id",
    "correlation", "Sequence number",
})  # fmt: skip
"""What traces keep; the rest are numbers of the profiler."""
ARCHIVE_BYTES = 14 << 20
"""Traces are put into archives of about this size."""


class Pair(NamedTuple):
    """A run before and one after a change."""

    before: Run
    after: Run
    apply: str
    compared: tuple[str, ...] = ("steps", "kernels")


def train(network: str, batch: int, *how: str) -> Run:
    """Return a run that trains."""
    return Run(network, "train", batch, frozenset(how))


def infer(network: str, batch: int, *how: str) -> Run:
    """Return a run that calls."""
    return Run(network, "infer", batch, frozenset(how))


TRAINED = (
    *(("vit", 32), ("densenet121", 64), ("llama", 4), ("distilbert", 32), ("convnext", 32), ("t5", 16)),
    *(("mobilenet", 64), ("resnext", 64), ("swin", 32), ("bert", 32), ("neox", 4)),
)
CALLED = (
    *(("vit", 32), ("densenet121", 32), ("llama", 4), ("distilbert", 16), ("convnext", 32)),
    *(("mobilenet", 64), ("resnext", 32), ("swin", 32), ("bert", 16), ("neox", 4)),
)
EIGHT_BITS = (
    *(("vit", 32), ("llama", 4), ("distilbert", 16), ("llama_wide", 4), ("t5", 16)),
    *(("bert", 16), ("neox", 4)),
)
IN_LAYOUTS = (
    *(train("densenet121", 64), train("regnet", 64), train("efficientnet", 64, "amp"), train("vgg16", 32, "amp")),
    *(infer("deeplabv3", 8), infer("convnext", 32), train("mobilenet", 64, "amp"), train("resnext", 64, "amp")),
)
CAPTURED = ("vit", "densenet121", "efficientnet", "distilbert", "llama", "mobilenet", "bert", "neox")
COPIED = (
    *(("densenet121", 64), ("regnet", 128), ("squeezenet", 256), ("shufflenet", 256), ("vit", 64)),
    *(("mobilenet", 128), ("resnext", 64)),
)
ATTENDING = (
    *(train("llama", 4, "plain_attention"), train("distilbert", 32, "plain_attention")),
    *(infer("llama_wide", 4, "plain_attention", "bf16"), infer("vit", 32, "plain_attention")),
    *(infer("gpt2", 4, "plain_attention"), train("neox", 4, "plain_attention")),
    infer("bert", 16, "plain_attention", "bf16"),
)
LAYERS = (
    *(("vit", 32, 12), ("llama", 4, 8), ("distilbert", 32, 6), ("t5", 16, 12), ("convnext", 32, 18)),
    *(("swin", 32, 12), ("bert", 32, 12), ("neox", 4, 6)),
)
UPDATED = (
    *(("vit", 32), ("densenet121", 64), ("llama", 4), ("distilbert", 32), ("efficientnet", 64)),
    *(("resnext", 64), ("neox", 4)),
)
DOUBLED = (("vit", 32), ("regnet", 64), ("llama", 4), ("mobilenet", 64), ("bert", 32), ("neox", 4))
LOADED = (("squeezenet", 64, 4), ("vit", 32, 4), ("squeezenet", 64, 12), ("regnet", 32, 8), ("mobilenet", 64, 6))
COMPILED = (
    *(infer("convnext", 32), infer("llama", 4), infer("distilbert", 16), infer("densenet121", 1)),
    *(infer("mobilenet", 64), infer("bert", 16), infer("neox", 4)),
)


def pairs() -> Iterator[Pair]:
    """Return all pairs, the most wanted ones first."""
    steps = ("steps",)
    yield from (Pair(train(*one), train(*one, "amp"), "amp:dtype=bfloat16") for one in TRAINED)
    yield from (Pair(infer(*one), infer(*one, half), half) for one in CALLED for half in ("fp16", "bf16"))
    yield from (Pair(infer(*one, "bf16"), infer(*one, "bf16", "fp8"), "fp8") for one in EIGHT_BITS)
    yield from (Pair(one, one._replace(how=one.how | {"channels_last"}), "layout") for one in IN_LAYOUTS)
    yield from (Pair(infer(one, 1), infer(one, 1, "graph"), "cuda-graphs", steps) for one in CAPTURED)
    yield from (Pair(train(*one, "pageable"), train(*one, "pinned"), "pinned-memory", steps) for one in COPIED)
    yield from (Pair(one, one._replace(how=one.how - {"plain_attention"}), "attention") for one in ATTENDING)
    for network, batch, layers in LAYERS:
        yield Pair(train(network, batch), train(network, batch, "checkpoint"), f"recompute:segments={layers}")
    yield from (Pair(train(*one, "each"), train(*one, "fused"), "fused-optimizer") for one in UPDATED)
    yield from (Pair(train(*one), train(one[0], 2 * one[1]), "batch:2") for one in DOUBLED)
    for network, batch, workers in LOADED:
        before, after = (train(network, batch, f"loader{number}") for number in (0, workers))
        yield Pair(before, after, f"data-loader:workers={workers}", steps)
    yield from (Pair(one, one._replace(how=one.how | {"compile"}), "fuse") for one in COMPILED)


def logits(out: Any) -> Any:
    """Return the first tensor of what a network returns."""
    return out if isinstance(out, torch.Tensor) else out.get("out", out.get("logits"))


def step_of(run: Run, made: Network, device: str) -> Callable[[], Any]:
    """Return what is done once a step."""
    if run.work == "infer":
        module: Any = torch.compile(made.module) if "compile" in run.how else made.module

        def call() -> Any:
            with torch.inference_mode():
                return logits(module(*made.inputs))

        return _captured(call) if "graph" in run.how else call
    chosen = {"fused": True} if "fused" in run.how else {"foreach": False} if "each" in run.how else {}
    parameters = made.module.parameters()
    convolutions = run.network in TORCHVISION and run.network not in ("vit", "convnext", "swin")
    optimizer = (
        torch.optim.SGD(parameters, lr=1e-3, momentum=0.9, **chosen)
        if convolutions
        else torch.optim.AdamW(parameters, lr=1e-5, **chosen)
    )
    batches = _batches(run, made, device)

    def trained() -> Any:
        inputs = next(batches)
        optimizer.zero_grad()
        with torch.autocast(device, torch.bfloat16, enabled="amp" in run.how):
            loss = made.loss(logits(made.module(*inputs)))
        loss.backward()
        optimizer.step()

    return trained


def _captured(call: Callable[[], Any]) -> Callable[[], Any]:
    """Return a call of the graph of a call."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            call()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        call()
    replay: Callable[[], Any] = graph.replay
    return replay


def _batches(run: Run, made: Network, device: str) -> Iterator[tuple[Any, ...]]:
    """Return the inputs of each step: on the device already, copied from memory, or from a loader of images."""
    workers = workers_of(run)
    if any(one.startswith("loader") for one in run.how):
        loader = torch.utils.data.DataLoader(
            Pictures(), batch_size=run.batch, num_workers=workers, pin_memory=device == "cuda",
            persistent_workers=workers > 0,
        )  # fmt: skip
        return ((one.to(device, non_blocking=True),) for one in itertools.chain.from_iterable(itertools.repeat(loader)))
    if {"pageable", "pinned"} & run.how:
        (images,) = made.inputs
        held = [images.cpu().pin_memory() if "pinned" in run.how else images.cpu().clone() for _ in range(2)]
        return ((one.to(device, non_blocking=True),) for one in itertools.cycle(held))
    return itertools.repeat(made.inputs)


def workers_of(run: Run) -> int:
    """Return how many workers load the images of a run."""
    return next((int(one.removeprefix("loader")) for one in run.how if one.startswith("loader")), 0)


class Pictures:
    """JPEG pictures, decoded, cut and turned at random when they are read."""

    def __init__(self) -> None:
        """Make a few pictures."""
        from PIL import Image
        from torchvision import transforms

        generator = np.random.default_rng(0)
        self.files = []
        for _ in range(16):
            small = generator.integers(0, 255, (24, 32, 3), np.uint8)
            file = io.BytesIO()
            Image.fromarray(small).resize((500, 375)).save(file, "JPEG", quality=90)
            self.files.append(file.getvalue())
        self.cut = transforms.Compose([
            transforms.RandomResizedCrop(224), transforms.RandomHorizontalFlip(), transforms.ToTensor(),
            transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ])  # fmt: skip

    def __len__(self) -> int:
        """Return as many as steps need."""
        return 64 * 60

    def __getitem__(self, number: int) -> Any:
        """Return a picture as a tensor."""
        from PIL import Image

        return self.cut(Image.open(io.BytesIO(self.files[number % len(self.files)])).convert("RGB"))


def record(run: Run, device: str, quick: bool, path: Path) -> dict[str, Any]:
    """Run steps, without and with the profiler, and write the trace."""
    began = time.monotonic()
    torch.manual_seed(0)
    made = built(run, device)
    step = step_of(run, made, device)
    wait = torch.cuda.synchronize if device == "cuda" else (lambda: None)
    warm, counted, recorded = (0, 1, 1) if quick else (3, 5, 4)
    if not quick:  # until batches that loaders' workers made ahead are used up
        warm += 3 * workers_of(run)
    for _ in range(warm):
        step()
    wait()
    alone = []
    for _ in range(counted):
        begin = time.perf_counter()
        step()
        wait()
        alone.append(time.perf_counter() - begin)
    begin = time.perf_counter()
    for _ in range(2 * counted):
        step()
    wait()
    flow = (time.perf_counter() - begin) / (2 * counted)
    activities = [ProfilerActivity.CPU, *([ProfilerActivity.CUDA] if device == "cuda" else [])]
    with profile(
        activities=activities,
        schedule=schedule(wait=0, warmup=2, active=recorded, repeat=1),
        on_trace_ready=lambda done: done.export_chrome_trace(str(path)),
        record_shapes=True,
    ) as profiler:
        for _ in range(2 + recorded):
            step()
            profiler.step()
        wait()
    memory = torch.cuda.max_memory_allocated() if device == "cuda" else 0
    return {
        "name": run.name,
        "step_ms": round(1e3 * statistics.median(alone), 3),
        "flow_ms": round(1e3 * flow, 3),
        "memory_bytes": memory,
        "took_s": round(time.monotonic() - began, 1),
    }


def compact(path: Path) -> None:
    """Write what back-tests use of a trace beside it, compressed, and remove it."""
    document = json.loads(path.read_bytes())
    events = []
    for event in document["traceEvents"]:
        if event.get("ph") == "X" and event.get("cat") in CATEGORIES:
            arguments = {key: value for key, value in event.get("args", {}).items() if key in ARGUMENTS}
            kept = {key: event[key] for key in ("ph", "cat", "name", "pid", "tid", "ts", "dur")}
            events.append({**kept, "args": arguments})
    kept = {"schemaVersion": 1, "deviceProperties": document.get("deviceProperties", []), "traceEvents": events}
    scratch = path.with_suffix(".tmp")
    scratch.write_bytes(gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), 6))
    scratch.replace(path.with_suffix(".json.gz"))
    path.unlink()


def main() -> int:
    """Record all runs of all pairs, each once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--quick", action="store_true", help="few steps of small batches")
    parser.add_argument("--only", action="append", help="networks")
    parser.add_argument("--compact", action="store_true", help="make a trace small (used by itself)")
    given = parser.parse_args()
    if given.compact:
        compact(given.out)
        return 0
    begin = time.monotonic()
    traces = given.out / "traces"
    traces.mkdir(parents=True, exist_ok=True)
    times: dict[str, dict[str, Any]] = {}
    failed: dict[str, str] = {}
    shrinking: list[subprocess.Popen[bytes]] = []
    kept = []
    for pair in pairs():
        if given.only and pair.before.network not in given.only:
            continue
        for run in (pair.before, pair.after):
            if run.name in times or run.name in failed or time.monotonic() - begin > given.seconds:
                continue
            path = traces / f"{run.name}.json"
            try:
                times[run.name] = record(
                    run._replace(batch=min(run.batch, 2)) if given.quick else run, given.device, given.quick, path
                )
                times[run.name]["name"] = run.name
                print(times[run.name], flush=True)
                shrinking.append(subprocess.Popen([sys.executable, str(HERE), str(path), "--compact"]))
            except Exception as error:  # noqa: BLE001  (whatever fails, the others are recorded)
                failed[run.name] = "".join(traceback.format_exception(error))[-2000:]
                print(run.name, repr(error)[:300], flush=True)
            gc.collect()
            torch.compiler.reset()
            if given.device == "cuda":
                torch.cuda.empty_cache()
                torch.cuda.reset_peak_memory_stats()
        if pair.before.name in times and pair.after.name in times:
            kept.append({
                "before": [f"{pair.before.name}.json.gz"], "after": [f"{pair.after.name}.json.gz"],
                "apply": pair.apply, "compared": pair.compared,
            })  # fmt: skip
        about = {"torch": torch.__version__, "times": list(times.values()), "pairs": kept, "failed": failed}
        (given.out / "about.json").write_text(json.dumps(about, indent=1), encoding="utf-8")
    for one in shrinking:
        one.wait()
    archive(traces, given.out)
    return 0


def archive(traces: Path, out: Path) -> None:
    """Put the traces into archives."""
    size, number = 0, 0
    for path in sorted(traces.glob("*.json.gz")):
        with tarfile.open(out / f"traces{number}.tar", "a") as file:
            file.add(path, path.name)
        size += path.stat().st_size
        if size > ARCHIVE_BYTES:
            size, number = 0, number + 1
    for path in traces.glob("*"):
        path.unlink()
    traces.rmdir()


if __name__ == "__main__":
    sys.exit(main())
