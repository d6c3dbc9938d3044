"""Suites made by hand, for tests that need no network to be split."""

from collections.abc import Mapping
from pathlib import Path

from dlbricks.fingerprint import Json
from dlbricks.suite.anchors import anchors
from dlbricks.suite.assemble import Reference, SuiteHead, assemble
from dlbricks.suite.nouns import Suite, Target
from dlbricks.suite.write import write_suite

ROOT = Path(__file__).parents[2]
NETWORKS = ROOT / "suites" / "networks"


def small_suite() -> tuple[Suite, Mapping[str, bytes]]:
    """A suite of the fixed benchmarks alone, and its networks."""
    bricks = anchors()
    head = SuiteHead(name="small", granularity="1", splitter="block", target=Target(name="portable"), seed=3)
    sketch: dict[str, Json] = {
        "shape": [1],
        "dtype": "float32",
        "finite": 1.0,
        "norm1": 1.5,
        "norm2": 2.25,
        "samples": [0.5],
    }
    references = {brick.benchmark.fingerprint: Reference(sketches=(sketch,)) for brick in bricks}
    return assemble(head, bricks, references), {brick.benchmark.fingerprint: brick.network for brick in bricks}


def written_suite(folder: Path) -> Path:
    """Write the small suite and give its folder."""
    suite, networks = small_suite()
    write_suite(folder / "suite", suite, networks)
    return folder / "suite"
