"""Differences made on purpose between two Pythons, and whether ``dlbricks repro`` finds them; none in A/A runs.

``python benchmarks/repro.py -o docs/data/repro.csv --releases DIR [--only NAME]`` runs 20 differences and 20 A/A runs.
``DIR`` has a virtual environment ``vVERSION`` with numpy and onnxruntime for each release, as in ``DIR/v1.24.4``.

Slower operators: the Python of B computes each such operator twice, by a ``sitecustomize`` that changes networks
before they are loaded. Fusions: an optimiser of onnxruntime is turned off on B. Releases: B is another version. What is
found counts if it has at most 5 units and holds the operator, or for releases if the file that was written shows the
difference again when it is run by itself with both Pythons.
"""

import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NETWORKS = ROOT / "suites" / "networks"
MOST_UNITS = 5
_OFF = "optimization.disable_specified_optimizers"
_PLANT = """
import os
import onnx
import onnxruntime
from onnx import helper

_OPERATOR, _KEY, _VALUE = (os.environ["PLANTED"].split(":") + ["", ""])[:3]
_Session = onnxruntime.InferenceSession


def _chosen(node):
    if node.op_type != _OPERATOR:
        return False
    values = {one.name: helper.get_attribute_value(one) for one in node.attribute}
    return not _KEY or str(values.get(_KEY)).replace(" ", "") == _VALUE


def _slower(data):
    model = onnx.load_model_from_string(data) if isinstance(data, bytes) else onnx.load(data, load_external_data=False)
    made = []
    for number, node in enumerate(model.graph.node):
        if not _chosen(node):
            made.append(node)
            continue
        names = [f"planted{number}_{k}" for k in range(4)]
        made.append(helper.make_node("Neg", [node.input[0]], [names[0]]))
        made.append(helper.make_node("Neg", [names[0]], [names[1]]))
        for kept, source, goal in ((False, node.input[0], names[2]), (True, names[1], names[3])):
            copy = onnx.NodeProto()
            copy.CopyFrom(node)
            copy.name = f"planted{number}_{goal}"
            copy.input[0], copy.output[0] = source, goal
            for place in range(1, len(copy.output)):
                if not kept and copy.output[place]:
                    copy.output[place] = ""
            made.append(copy)
        made.append(helper.make_node("Min", [names[2], names[3]], [node.output[0]]))
    del model.graph.node[:]
    model.graph.node.extend(made)
    return model.SerializeToString()


class Planted(_Session):
    def __init__(self, network, *others, **named):
        super().__init__(_slower(network), *others, **named)


onnxruntime.InferenceSession = Planted
"""


@dataclass(frozen=True, kw_only=True)
class Case:
    """One difference, or none."""

    kind: str
    network: str
    what: str
    holds: str = ""
    """Operators of which a found piece has to have one, as a regular expression."""


def slow(network: str, operator: str) -> Case:
    """Give an operator that is computed twice, as in ``Conv:group:96``."""
    return Case(kind="slower operator", network=network, what=operator, holds=operator.partition(":")[0])


def fusion(network: str, optimiser: str, holds: str) -> Case:
    """Give an optimiser that is off on B, or with ``+`` on A only: one that makes the network slower here."""
    return Case(kind="fusion", network=network, what=optimiser, holds=holds)


def release(network: str, versions: str) -> Case:
    """Give two releases, as in ``1.24.4>1.22.1``."""
    return Case(kind="releases", network=network, what=versions)


DIFFERENCES = (
    slow("hf_vit_small", "Softmax"),
    slow("tv_squeezenet1_1", "MaxPool"),
    slow("tv_resnet18", "Conv:kernel_shape:[7,7]"),
    slow("hf_distilbert", "LayerNormalization"),
    slow("tv_mobilenet_v3_small", "HardSwish"),
    slow("tv_shufflenet_v2_x1_0", "Transpose"),
    slow("timm_poolformer_s12", "AveragePool"),
    slow("hf_segformer_b0", "Resize"),
    fusion("tv_mobilenet_v2", "ConvActivationFusion", "Conv"),
    fusion("tv_squeezenet1_1", "NchwcTransformer", "Conv|Pool"),
    fusion("tv_densenet121", "NchwcTransformer", "Conv|Pool"),
    fusion("int8_tv_resnet18", "QDQSelectorActionTransformer", "Linear"),
    fusion("int8_hf_distilbert", "MatMulIntegerToFloatFusion;DynamicQuantizeMatMulFusion", "MatMulInteger"),
    fusion("hf_distilbert", "+SkipLayerNormFusion", "LayerNormalization"),
    release("hf_segformer_b0", "here>1.22.1"),
    release("tv_mobilenet_v3_small", "here>1.22.1"),
    release("tv_efficientnet_b0", "here>1.24.4"),
    release("tv_swin_t", "here>1.24.4"),
    release("tv_convnext_tiny", "here>1.27.0"),
    release("hf_squeezebert", "here>1.27.0"),
)
_SAME = (
    *("tv_squeezenet1_1", "tv_resnet18", "tv_mobilenet_v2", "hf_distilbert", "hf_segformer_b0"),
    *("tv_mobilenet_v3_small", "tv_shufflenet_v2_x1_0", "int8_tv_resnet18", "hf_vit_small", "tv_swin_t"),
)
ALIKE = tuple(
    Case(kind="A/A", network=network, what=what) for what in ("the same", "another path") for network in _SAME
)


def main() -> None:
    """Run the cases that are not in the table yet, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--out", type=Path, required=True)
    parser.add_argument("--releases", type=Path, required=True)
    parser.add_argument("--only", default="", help="Regular expression on kind, network and what.")
    chosen = parser.parse_args()
    rows = list(csv.DictReader(chosen.out.open())) if chosen.out.exists() else []
    done = {(row["kind"], row["network"], row["what"]) for row in rows}
    for case in (*DIFFERENCES, *ALIKE):
        key = (case.kind, case.network, case.what)
        if key in done or not re.search(chosen.only, " ".join(key)):
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.append(_run(case, Path(folder), chosen.releases))
        with chosen.out.open("w", newline="") as file:
            writer = csv.DictWriter(file, rows[-1].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        print(rows[-1], flush=True)


def _run(case: Case, folder: Path, releases: Path) -> dict[str, str]:
    """Run one case; give its row."""
    arguments, pythons = _sides(case, folder, releases)
    out, began = folder / "repro.pyz", time.perf_counter()
    command = [sys.executable, "-m", "dlbricks", "repro", str(NETWORKS / f"{case.network}.onnx"), "-o", str(out)]
    load = os.getloadavg()[0]
    made = subprocess.run([*command, *arguments, "--json"], capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(f"{case}: {made.stderr}")
    document = json.loads(made.stdout)["reproduction"]
    best = document["slower"][0] if document["slower"] else None
    again = _again(out, pythons) if best and case.kind == "releases" else ""
    holds = best is not None and (float(again) > 1 if again else bool(re.search(case.holds, best["name"])))
    right = best is not None and best["units"] <= MOST_UNITS and holds
    return {
        "kind": case.kind,
        "network": case.network,
        "what": case.what,
        "whole_ratio": f"{document['whole']['ratio']:.3f}",
        "found": best["name"] if best else "",
        "units": str(best["units"]) if best else "",
        "ratio": f"{best['found']['ratio']:.3f}" if best else "",
        "low": f"{best['found']['low']:.3f}" if best else "",
        "explains": f"{best['explains']:.4f}" if best else "",
        "again_low": again,
        "right": str(right) if case.kind != "A/A" else "",
        "seconds": f"{time.perf_counter() - began:.0f}" if not again else f"{document['spent_ns'] / 1e9:.0f}",
        "load": f"{load:.1f}",
    }


def _sides(case: Case, folder: Path, releases: Path) -> tuple[list[str], list[str]]:
    if case.kind == "fusion":
        option = "--option-a" if case.what.startswith("+") else "--option-b"
        return [option, f"{_OFF}={case.what.removeprefix('+')}"], []
    if case.kind == "releases":
        places = (releases / f"v{one}/bin/python" for one in case.what.removeprefix("here>").split(">"))
        pythons = [sys.executable, *map(str, places)]
        return [word for one in pythons for word in ("--python", one)], pythons
    if case.what == "the same":
        return ["--python", sys.executable], []
    wrapper = folder / "python"
    lines = ["#!/bin/sh"]
    if case.kind == "slower operator":
        (folder / "sitecustomize.py").write_text(_PLANT)
        lines.append(f"PYTHONPATH={folder} PLANTED='{case.what}' exec {sys.executable} \"$@\"")
    else:
        lines.append(f'ANOTHER=environment exec {sys.executable} "$@"')
    wrapper.write_text("\n".join(lines) + "\n")
    wrapper.chmod(0o755)
    return ["--python", str(wrapper)], []


def _again(file: Path, pythons: Sequence[str]) -> str:
    """Run the file by itself with both Pythons; give the lower end of what it says."""
    words = [word for one in pythons for word in ("--python", one)]
    output = subprocess.run([sys.executable, str(file), *words], capture_output=True, text=True, check=True).stdout
    found = re.search(r"B by A: [\d.]+, ([\d.]+) to", output)
    assert found
    return found[1]


if __name__ == "__main__":
    main()
