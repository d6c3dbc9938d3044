"""What 50 networks become at H = 1, 4 and 8 stays as recorded: fingerprints, network bytes, importances and features.

Recorded is the target ``portable``, since lowered graphs depend on the runtime's version and on the processor.
"""

import dataclasses
import hashlib
import json
from pathlib import Path

import pytest

from dlbricks.model.read.network import read_model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity
from dlbricks.suite.extraction import benchmarks_from

ROOT = Path(__file__).parents[2]
NETWORKS = sorted((ROOT / "suites" / "networks").glob("*.onnx"))
RECORDED = ROOT / "tests" / "golden" / "networks.json"
FACTS = ("importance", "layers", "flops", "work", "fetched_bytes", "weight_bytes", "activation_bytes", "kinds", "shape")


def digest(content: object) -> str:
    """Return 16 hexadecimal digits for anything that JSON can hold."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def goldens(path: Path) -> dict[str, dict[str, str]]:
    """Return by H the digests of all networks of sequences, and of what is known of these sequences."""
    model = read_model(path, dims={"batch": 1, "seq": 64} if path.stem.startswith("leg_") else None)
    rows = {}
    for limit in (1, 4, 8):
        built = benchmarks_from(split(model, Granularity(limit), "block"), unions=False)
        benchmarks = sorted((benchmark.benchmark for benchmark in built), key=lambda item: item.fingerprint)
        facts = [[getattr(item, name) for name in FACTS] for item in benchmarks]
        contracts = [[dataclasses.asdict(tensor) for tensor in (*item.inputs, *item.outputs)] for item in benchmarks]
        rows[str(limit)] = {
            "networks": digest([[item.fingerprint, item.digest, item.name] for item in benchmarks]),
            "inputs": digest(contracts),
            "facts": digest(facts),
        }
    return rows


@pytest.mark.parametrize("path", NETWORKS, ids=lambda path: path.stem)
def test_sequences_of_a_network_are_those_recorded(path: Path, *, rewrite_golden: bool) -> None:
    """A change of how networks are read, split or emitted, or of an operator's cost, shows here."""
    now = goldens(path)
    if rewrite_golden:
        recorded = json.loads(RECORDED.read_text(encoding="utf-8")) if RECORDED.exists() else {}
        RECORDED.write_text(json.dumps(recorded | {path.stem: now}, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    assert now == json.loads(RECORDED.read_text(encoding="utf-8"))[path.stem]
