import json
from pathlib import Path

from tests.cli.invoking import Run

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"
ZOO = ("tv_squeezenet1_1", "tv_resnet18", "misc_lstm_lm", "tv_alexnet")


def test_a_network_is_found_in_its_suite(dlbricks: Run, tmp_path: Path) -> None:
    """The true network comes first with all of its sequences, decoys or not; sizes, cost and a sentence are told."""
    zoo = tmp_path / "zoo"
    zoo.mkdir()
    for name in ZOO:
        (zoo / f"{name}.onnx").write_bytes((NETWORKS / f"{name}.onnx").read_bytes())
    dlbricks("generate", str(zoo / "tv_resnet18.onnx"), "-o", "suite", "--decoys", "2")
    asked = ("leakage", "suite", "--zoo", str(zoo), "--true", "tv_resnet18")
    made = json.loads(dlbricks(*asked, "--json").stdout)
    assert made["identification"]["ranked"][0] == {"network": "tv_resnet18", "score": 1.0}
    assert (made["identification"]["first"], made["identification"]["whole"], made["zoo"]) == (1.0, 1, 4)
    sizes = {one["figure"]: one["guess"] for one in made["sizes"]}
    assert sizes["resolution"] == 224
    assert 0 < made["added"] < made["pieces"]
    assert 0.5 <= made["separation"]["area_under_curve"] <= 1
    shown = dlbricks(*asked, "--save-plot", "picture.png").stdout
    assert "A receiver who knows the 4 networks of the zoo names a true network first in 100 of 100 cases" in shown
    assert (tmp_path / "picture.png").stat().st_size > 1000
    unknown = dlbricks("leakage", "suite", "--zoo", str(zoo / "tv_alexnet.onnx")).stdout
    assert "public network in it (tv_alexnet)" in unknown
    assert "is no network of the zoo" in dlbricks(*asked, "--true", "vgg", code=2).stderr
