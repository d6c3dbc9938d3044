"""A submission as a run on a quiet machine would leave it, made without a run: small, clean, always the same."""

import copy
import random
import statistics
from collections.abc import Callable, Iterator
from typing import Any

import dlbricks
from dlbricks.harness.cache_state import CURVE_DISTANCES, HOT_LOOP, LLC_WARM, WEIGHTS_COLD
from dlbricks.harness.cpu import block_of, instruction_set
from dlbricks.harness.run.files import interned
from dlbricks.harness.runtimes.onnxruntime import FIXED_OPTIONS, RECORDED_OPTIONS
from dlbricks.harness.stats import context, judge
from dlbricks.model.types import Generator
from dlbricks.store.document import SUBMISSION_SCHEMA_VERSION, Document
from dlbricks.store.types import FORMER_STATES
from dlbricks.suite.manifest import (
    Benchmark,
    Number,
    OutputDigest,
    Suite,
    Target,
    TensorContract,
    content_digest,
    to_document,
    with_digest,
)
from dlbricks.typed_json import digest_bytes

LONGER = {LLC_WARM: 0.8, WEIGHTS_COLD: 1.0}
"""How long calls take in each state, beside those in state ``weights_cold``."""
CURVE = {size: min(1.0, max(0.0, size / 2**24 - 0.25)) for size in CURVE_DISTANCES}
"""Share of what memory costs, by reuse distance."""

STARTED_NS = 1_740_000_000 * 10**9
"""A day of 2025, which no clock that is set is before: rules refuse what starts in the future."""
_SHAPE = (1, 8, 192, 192)
_FACTS: dict[str, Any] = {
    "cpu": {
        "model": "Quiet Processor 9000",
        "instruction_set": ["x86_64", "avx2"],
        "sockets": 1,
        "cores": 4,
        "threads": 8,
        "usable": 8,
        "governor": "performance",
        "frequency_khz": 3_000_000,
        "caches": [
            {"level": 1, "type": "instruction", "size_bytes": 2**15, "shared_by": 2},
            {"level": 2, "type": "unified", "size_bytes": 2**20, "shared_by": 2},
            {"level": 3, "type": "unified", "size_bytes": 2**24, "shared_by": 8},
        ],
    },
    "memory": {"total_bytes": 2**34},
    "numa_nodes": 1,
    "load": {"average": [0.1, 0.2, 0.3], "busy_s": 100.0, "steal_s": 1.0},
    "cpu_limit": None,
    "os": {"system": "Linux", "release": "6.1"},
    "gpus": [],
    "timer_ns": 20,
    "unix_ns": STARTED_NS,
}


def suite(*, sequences: int = 4, target: Target | None = None) -> Suite:
    """Make a suite of anchors, overhead and curve benchmarks and some sequences; no networks are behind it."""
    roles = ["anchor"] * 3 + ["overhead", "curve"] + ["sequence"] * sequences
    return with_digest(
        Suite(
            name="made-up",
            granularity="1",
            splitter="block",
            target=target or Target(name="portable", runtime="", instruction_set=()),
            seed=1,
            weights=(),
            benchmarks=tuple(_benchmark(number, role) for number, role in enumerate(roles)),
            generator_version=dlbricks.__version__,
            digest="",
        )
    )


def _benchmark(number: int, role: str) -> Benchmark:
    name = digest_bytes(f"{role} {number}".encode())
    return Benchmark(
        fingerprint=name,
        name="Identity" if role == "overhead" else "Conv_Relu",
        network=f"networks/{name}.onnx",
        digest=digest_bytes(name.encode()),
        optimization="all",
        role=role,
        operators=("Identity",) if role == "overhead" else ("Conv", "Relu"),
        flops=0,
        importance=1.0,
        layers=1,
        inputs=(TensorContract(name="x0", dtype="float32", shape=_SHAPE, generator=Generator(kind="uniform")),),
        outputs=(TensorContract(name="y0", dtype="float32", shape=_SHAPE, generator=None),),
        weight_bytes=2**21,
        activation_bytes=2 * 4 * 8 * 192 * 192,
        reference=(_digest(number),),
        reference_note="",
        overwrites="",
    )


def _digest(number: int) -> OutputDigest:
    rng = random.Random(number)  # noqa: S311 - made-up values, no secret
    samples: list[Number] = [rng.uniform(-1, 1) for _ in range(64)]
    return {
        "shape": list(_SHAPE),
        "dtype": "float32",
        "finite": 1.0,
        "norm1": 800.0 + number,
        "norm2": 25.0,
        "samples": samples,
    }


def document(
    *,
    sequences: int = 4,
    rounds: int = 12,
    speed: Callable[[float], float] = lambda _: 1.0,
    of: Suite | None = None,
    seed: int = 0,
    base_ns: Callable[[Benchmark, int], int] = lambda _, position: 100_000 * (position + 1),
) -> Document:
    """Make the document of a complete run, whose times scatter upwards as measured ones do.

    Args:
        sequences: sequences of the suite, unless ``of`` gives one.
        rounds: visits of each benchmark; the anchors are visited once more at the end.
        speed: how much longer all calls take, by the share of the run that is over (0 to 1).
        of: the suite that was run.
        seed: of the scatter.
        base_ns: how long a call takes, by the benchmark and its position.
    """
    of = of or suite(sequences=sequences)
    rng = random.Random(seed)  # noqa: S311 - made-up scatter, no secret
    # this processor measures the benchmarks of its own blocks only
    entries = [entry for entry in of.benchmarks if entry.block in {0, block_of(instruction_set())}]
    rows = {entry.fingerprint: _row(entry) for entry in entries}
    now = 1_000_000
    for turn in range(rounds + 1):
        for position, entry in enumerate(entries):
            if turn == rounds and entry.role != "anchor":
                continue
            for visit in _visits(entry, position, base_ns(entry, position)):
                calls = [
                    round(call * speed(turn / rounds) * (0.999 + 0.0007 * rng.lognormvariate(0, 1)))
                    for call in visit["samples_ns"]
                ]
                rows[entry.fingerprint]["visits"].append({"start_ns": now, **visit, "samples_ns": calls})
                now += 2 * sum(calls) + 20_000
    made: Document = {
        "format": "dlbricks-submission",
        "schema_version": SUBMISSION_SCHEMA_VERSION,
        "harness_version": dlbricks.__version__,
        "suite": {"name": of.name, "digest": of.digest, "manifest": _plain(to_document(of))},
        "system": {"name": "quiet-9000", "facts_before": copy.deepcopy(_FACTS), "facts_after": copy.deepcopy(_FACTS)},
        "runtime": {
            "name": "onnxruntime",
            "version": "1.31.1",
            "build": "Release",
            "provider": "cpu",
            "providers": ["CPUExecutionProvider"],
            "provider_options": {},
            "session_options": {
                **dict.fromkeys(sorted(RECORDED_OPTIONS), True),
                **FIXED_OPTIONS,
                "intra_op_num_threads": 1,
            },
            "threads": 1,
        },
        "options": {"seed": 1, "smoke": False, "target_relative": 0.02},
        "started_unix_ns": STARTED_NS,
        "complete": True,
        "timing": {"wall_ns": 0, "timed_ns": 0},
        "benchmarks": list(rows.values()),
    }
    made["system"]["facts_after"]["unix_ns"] += 2 * 10**9
    made["system"]["facts_after"]["load"]["busy_s"] += 0.5
    return settled(made)


def _visits(entry: Benchmark, position: int, base: int) -> Iterator[dict[str, Any]]:
    """Give the visits of one turn, with calls as long as they are on average."""
    if entry.role == "curve":
        yield from (_visit(WEIGHTS_COLD, size, [round(60_000 + 40_000 * miss)]) for size, miss in CURVE.items())
        return
    base = 4_000 if entry.role == "overhead" else base
    if entry.role in {"sequence", "overhead"}:
        yield _visit(LLC_WARM, 4 * 2**20, [round(base * LONGER[LLC_WARM])])
        yield _visit(WEIGHTS_COLD, 2**26 + 2**20 * position, [round(base * LONGER[WEIGHTS_COLD])])
    if entry.role != "sequence":
        yield _visit(HOT_LOOP, 0, [base * 5 // 4, base, base, base, base])


def _visit(state: str, distance_bytes: int, samples_ns: list[int]) -> dict[str, Any]:
    return {"state": state, "distance_bytes": distance_bytes, "samples_ns": samples_ns}


def _row(entry: Benchmark) -> dict[str, Any]:
    return {
        "fingerprint": entry.fingerprint,
        "role": entry.role,
        "importance": entry.importance,
        "status": "ok",
        "reason": "",
        "load_ns": 2_000_000,
        "warmup_ns": [900_000, 500_000],
        "visits": [],
        "disturbed": 0,
        "verdict": {"kind": "stable", "text": ""},
        "output_digests": [] if entry.reference is None else [_plain(sketch) for sketch in entry.reference],
        "wall_ns": 0,
    }


def settled(made: Document) -> Document:
    """Fill in everything that follows from the rest: digests, totals, verdicts; in place."""
    manifest = made["suite"]["manifest"]
    manifest["digest"] = made["suite"]["digest"] = content_digest(manifest)
    ends = [0]
    total = 0
    for row in made["benchmarks"]:
        timed = sum(sum(visit["samples_ns"]) for visit in row["visits"])
        row["wall_ns"] = row["load_ns"] + sum(row["warmup_ns"]) + timed + 1_000_000
        ends += [visit["start_ns"] + sum(visit["samples_ns"]) for visit in row["visits"]]
        total += timed
    made["timing"] = {"wall_ns": max(ends) + 1_000_000, "timed_ns": total}
    around = context(made)
    for row in made["benchmarks"]:
        if row["status"] == "ok" and row["visits"]:
            row["verdict"] = judge(row, around)
    return made


def traced(made: Document) -> Document:
    """Give every sequence and the empty graph a trace with kernels; in place."""
    made["options"]["trace"] = "MLK"
    rows = [row for row in made["benchmarks"] if row["role"] in {"sequence", "overhead"} and row["visits"]]
    for row in rows:
        call_ns = round(1.2 * min(min(visit["samples_ns"]) for visit in row["visits"]))
        layers: dict[str, list[Any]] = {
            "name": ["n0", "n1"],
            "operator": ["If", "Relu"],
            "provider": ["cuda", "cuda"],
            "lane": ["host", "host"],
            "parent": [-1, 0],
            "offset_ns": [call_ns // 9, call_ns // 8],
            "duration_ns": [call_ns // 2, call_ns // 5],
            "count": [1, 2],
        }
        kernels: dict[str, list[Any]] = {
            "name": ["gemm"],
            "kind": ["kernel"],
            "lane": ["gpu 0 stream 7"],
            "layer": [0],
            "launch_ns": [call_ns // 7],
            "offset_ns": [call_ns // 6],
            "duration_ns": [call_ns // 3],
        }
        row["trace"] = {"levels": "MLK", "calls": 3, "call_ns": call_ns, "layers": layers, "kernels": kernels}
    made["names"], made["benchmarks"] = interned(made["benchmarks"])
    return made


def _plain(value: Any) -> Any:
    """Turn tuples into lists, as JSON would."""
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def former_version(made: Document) -> Document:
    """Give a document as the harness wrote it in version 2: with other names of output digests and cache states."""
    states = {state: former for former, state in FORMER_STATES.items()}
    rows = []
    for entry in copy.deepcopy(made["benchmarks"]):
        row = {"sketches" if name == "output_digests" else name: value for name, value in entry.items()}
        row["visits"] = [visit | {"state": states[visit["state"]]} for visit in row["visits"]]
        rows.append(row)
    return copy.deepcopy(made) | {"schema_version": 2, "benchmarks": rows}


def median_of(row: dict[str, Any], state: str) -> float:
    """Give what counts of the visits of an entry in a state: the median, first samples left out.

    Of single calls the mean, bounded.
    """
    visits = [visit["samples_ns"] for visit in row["visits"] if visit["state"] == state]
    values = sorted(statistics.median(samples[1:] or samples) for samples in visits)
    if any(len(samples) > 1 for samples in visits):
        return float(statistics.median(values))
    quartile = values[(len(values) - 1) // 4]
    return statistics.fmean(min(value, 1.5 * quartile) for value in values)
