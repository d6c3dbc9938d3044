"""Suites made by hand, for tests that need no network to be split."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import onnx
import onnx.parser

from dlbricks.settings import SplitSettings
from dlbricks.suite.benchmarks import Reference, anchors
from dlbricks.suite.manifest import OutputDigest, Suite, read_network, read_suite
from dlbricks.suite.writing import assemble, write_suite

ROOT = Path(__file__).parents[2]
NETWORKS = ROOT / "suites" / "networks"
SMOKE = ROOT / "suites" / "smoke"
"""Data of a published suite: ``suite.json`` and networks."""


def runnable_smoke(folder: Path) -> Path:
    """Write the smoke suite with the harness beside its data, and give its folder."""
    suite = read_suite(SMOKE)
    write_suite(folder, suite, {one.fingerprint: read_network(SMOKE, one.fingerprint) for one in suite.benchmarks})
    shutil.copy(SMOKE / "suite.json", folder)  # limits of integers are written as they were, not as they were read
    return folder


def small_suite() -> tuple[Suite, Mapping[str, bytes]]:
    """A suite of the fixed benchmarks alone, and its networks."""
    benchmarks = anchors()
    digest: OutputDigest = {
        "shape": [1],
        "dtype": "float32",
        "finite": 1.0,
        "norm1": 1.5,
        "norm2": 2.25,
        "samples": [0.5],
    }
    references = {built.benchmark.fingerprint: Reference(digests=(digest,)) for built in benchmarks}
    suite = assemble(SplitSettings(target="portable"), benchmarks, references, name="small", seed=3)
    return suite, {built.benchmark.fingerprint: built.network for built in benchmarks}


def written_suite(folder: Path) -> Path:
    """Write the small suite and give its folder."""
    suite, networks = small_suite()
    write_suite(folder / "suite", suite, networks)
    return folder / "suite"


def refused_in_part() -> onnx.ModelProto:
    """A network with a layer that onnxruntime has a kernel for, and refuses to run."""
    text = """<ir_version: 8, opset_import: ["" : 17]> g (float[4] x, float[4] z) => (float[4] y, float[4] m)
    { y = Relu(x) m = Mod(x, z) }"""
    return onnx.parser.parse_model(text)
