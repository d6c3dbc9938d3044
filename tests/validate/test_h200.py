"""What was recorded on an H200 gives figures of ``benchmarks/gpu/README.md`` and ``docs/language-models.md``."""

import dataclasses
import json
import lzma
import statistics
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from kept_runs import read_runs

from dlbricks.construct.estimate import DEVICE_COMPOSITION, DEVICE_EVIDENCE, estimate
from dlbricks.construct.types import Rule
from dlbricks.harness.options import RunOptions
from dlbricks.plugins.llm.lengths import LengthInterpolator, MeasuredPoint
from dlbricks.report.validation import validation_report
from dlbricks.settings import SplitSettings
from dlbricks.store.document import as_current
from dlbricks.store.summary import measurements
from dlbricks.units import format_ns
from dlbricks.validate.compare import compare
from dlbricks.validate.measure import ValidationPlan, dissect
from dlbricks.validate.types import NetworkValidation
from tests.validate.made_up_validation import validation

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "data" / "h200"
SEQUENTIAL = Rule.parse("sequential")
PLAN = ValidationPlan(
    settings=SplitSettings(target="portable"),
    rule=SEQUENTIAL,
    options=RunOptions(),
)


@pytest.mark.parametrize(("name", "ratio"), [("hf_distilbert", 1.27), ("tv_resnet50", 1.04)])
def test_networks_are_estimated_from_parts(name: str, ratio: float) -> None:
    """Too slow where the runtime fuses what are several parts here."""
    (one,) = read_runs(FOLDER / f"{name}.parquet").values()
    made = compare(one, SEQUENTIAL)
    assert made.estimated_ns / made.measured_ns == pytest.approx(ratio, abs=0.005)


def test_the_kernels_of_the_whole_are_set_beside_those_of_the_parts() -> None:
    """Traced, and as a CUDA graph less what surrounds its kernels; where nothing of the kind was measured, nothing."""
    (one,) = read_runs(FOLDER / "hf_distilbert.parquet").values()
    assert compare(one, SEQUENTIAL).device is None
    names = ("host_ns", "host_low_ns", "host_high_ns", "device_ns", "device_low_ns", "device_high_ns")
    whole = {**dict.fromkeys(names, 980_000), "kernels": 163, "synchronises": False, "traced": 5}
    machine = one.document["queue"]
    around_ns = machine["call_ns"] + machine["launch_lag_ns"]

    def compared(queue: dict[str, object]) -> NetworkValidation:
        entries = [
            {**entry, "queue": queue} if entry["role"] == "whole" else entry for entry in one.document["benchmarks"]
        ]
        return compare(dataclasses.replace(one, document={**one.document, "benchmarks": entries}), SEQUENTIAL)

    row = compared({**whole, "graph_ns": 1_010_000})
    assert row.device is not None
    assert (row.device.measured_ns, row.device.graph_ns) == (980_000 - machine["kernel_gap_ns"], 1_010_000 - around_ns)
    assert row.device.low_ns < row.device.estimated_ns < row.device.high_ns
    text = " ".join(str(item) for item in validation_report(validation([row])))
    assert f"hf_distilbert, device: estimated {format_ns(row.device.estimated_ns)}" in text
    assert "its kernels 980 us" in text
    assert "as a CUDA graph 1.00" in text
    alone = compared({**whole, "traced": 0})
    assert alone.device is not None
    assert (alone.device.measured_ns, alone.device.graph_ns) == (None, None)
    assert "not measured whole" in " ".join(str(item) for item in validation_report(validation([alone])))


def test_equal_kernels_of_a_network_take_about_as_long() -> None:
    """Nine of ten differ by less than estimates of the device's time say.

    What these assume covers sums in which each kind of kernel takes as long as at any one of its places.
    """
    random, differences = np.random.default_rng(0), list[float]()
    for kernels in json.loads((FOLDER / "kernels.json").read_text(encoding="utf-8")).values():
        kind, duration_ns = np.array(kernels["kind"]), np.array(kernels["duration_ns"])
        kinds = [duration_ns[kind == each] for each in range(kind.max() + 1)]
        differences += [abs(ns / np.median(each) - 1) for each in kinds if len(each) > 1 for ns in each]
        sums = [sum(len(each) * random.choice(each) for each in kinds) for _ in range(500)]
        low, high = np.quantile(sums, (0.05, 0.95)) / duration_ns.sum() - 1
        assert -DEVICE_COMPOSITION < low < high < DEVICE_COMPOSITION
    assert "4.5 % in nine of ten cases" in DEVICE_EVIDENCE
    assert np.quantile(differences, 0.9) < 0.045


def test_a_decoder_is_estimated_from_three_lengths(tmp_path: Path) -> None:
    """SmolLM2 135M, int4: its steps from pieces of a few microseconds each, which the host takes longest to launch."""
    recorded = json.loads(lzma.decompress((FOLDER / "smollm2-135m-int4.json.xz").read_bytes()))
    script = str(ROOT / "benchmarks" / "decoders.py")
    subprocess.run([sys.executable, script, "smollm2-135m", str(tmp_path), "--int4", "--half"], check=True)
    results = measurements(as_current(recorded["document"]))

    def at(past: int, new: int) -> MeasuredPoint:
        lengths = {"past": past, "sequence": new}
        split = dissect(
            tmp_path / "model.onnx", dataclasses.replace(PLAN, settings=SplitSettings(target="portable", dims=lengths))
        )
        return MeasuredPoint(at=lengths, composition=split.composition)

    known = [at(one["past"], one["sequence"]) for one in recorded["points"]]
    (answer,) = recorded["answers"]
    prompt, waited = recorded["prompt"], answer["waited"]
    errors = []
    for past in (prompt, prompt + 31, prompt + 62):
        target = at(past, 1)
        guesses = LengthInterpolator(target, known, results)
        made = estimate(target.composition, results, SEQUENTIAL, interpolator=guesses, interleaved=True)
        index = past - prompt + 1
        near = slice(max(1, index - 4), index + 5)
        calm = [ns for ns, slow in zip(answer["calls_ns"][near], waited[near], strict=True) if not slow]
        errors.append(made.total_ns / statistics.median(calm) - 1)
        assert made.queue is not None
        assert made.queue.host_ns > made.queue.device_ns
    assert errors == pytest.approx([-0.005, 0.018, 0.066], abs=0.001)


def test_slopes_agree_with_traced_kernels() -> None:
    """Of a kernel of 64 MiB: the slope lies within the traced kernels and the gap behind them, and half a us."""
    recorded = json.loads((FOLDER / "constants.json").read_text(encoding="utf-8"))
    (long,) = (one for one in recorded["kernels"] if one["bytes"] == 1 << 26)
    (traced, kernels), gap = long["traced"], recorded["gap_ns"]
    assert kernels == 1
    assert min(traced) + gap - 500 <= long["queue"]["device_ns"] <= max(traced) + gap + 500


def test_constants_of_the_queue_are_the_same_five_times() -> None:
    """A call takes 4.2 to 4.5 us, a launch 1.6 to 2.6 us more to begin, a wait 0.5 to 0.8; 1,021 launches wait."""
    recorded = json.loads((FOLDER / "constants.json").read_text(encoding="utf-8"))["slopes"]
    wanted = {
        "call_ns": (4_150, 4_500),
        "launch_lag_ns": (1_550, 2_650),
        "synchronise_ns": (500, 800),
        "queue_depth": (1_021, 1_022),
    }
    assert len(recorded) == 5
    for name, (low, high) in wanted.items():
        assert all(low <= one[name] <= high for one in recorded), name
