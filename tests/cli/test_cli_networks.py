import json
import shutil
from pathlib import Path

import onnx
import pytest
from onnx import helper

from dlbricks.api.networks import read
from dlbricks.errors import InputError
from tests.cli.invoking import Run
from tests.cli.test_cli_measured_split import chain
from tests.model.written import network

NETWORKS = Path(__file__).parents[2] / "suites" / "networks"


def test_inspect_tells_what_a_network_is_made_of(dlbricks: Run) -> None:
    """Figures agree with what is known of SqueezeNet: 1.2 M parameters, 0.35 G multiply-adds, 26 convolutions."""
    made = json.loads(dlbricks("inspect", str(NETWORKS / "tv_squeezenet1_1.onnx"), "--json").stdout)["networks"][0]
    assert made["flops"] / 2e9 == round(made["flops"] / 2e9, 12)
    assert 0.34 < made["flops"] / 2e9 < 0.36
    assert 1.2e6 < made["parameter_bytes"] / 4 < 1.26e6
    assert dict(made["operators"])["Conv"] == 26
    assert made["unique_sequences"] < made["sequences"] < made["layers"]
    assert made["inputs"] == ["input: float32[1,3,224,224]"]
    assert sum(layer["flops"] for layer in made["layer_facts"]) == made["flops"]
    assert all(layer["operations"] >= layer["flops"] for layer in made["layer_facts"])
    assert all(layer["read_bytes"] >= layer["weight_bytes"] for layer in made["layer_facts"] if layer["read_bytes"])
    assert {layer["sequence"] for layer in made["layer_facts"]} == set(range(made["sequences"]))


def test_inspect_sets_networks_side_by_side(dlbricks: Run) -> None:
    """Several networks are one table; a single one and --layers tell more."""
    paths = [str(NETWORKS / f"{name}.onnx") for name in ("misc_lstm_lm", "tv_squeezenet1_1")]
    both = dlbricks("inspect", *paths).stdout
    assert "misc_lstm_lm" in both
    assert "tv_squeezenet1_1" in both
    assert "operators" not in both
    assert "LSTM" in dlbricks("inspect", paths[0], "--layers").stdout


def test_a_larger_h_gives_fewer_sequences(dlbricks: Run) -> None:
    """-H, --target and --splitter reach the splitter."""
    path = str(NETWORKS / "tv_squeezenet1_1.onnx")
    counts = [
        json.loads(dlbricks("inspect", path, "--json", "-H", limit).stdout)["networks"][0]["sequences"]
        for limit in ("1", "4", "inf")
    ]
    assert counts[0] > counts[1] > counts[2] == 1
    lowered = json.loads(dlbricks("inspect", path, "--json", "--target", "onnxruntime-cpu").stdout)["networks"][0]
    assert lowered["target"] == "onnxruntime-cpu"


def test_pack_and_extract(dlbricks: Run, tmp_path: Path) -> None:
    """--pack writes one file, the same bytes each time; extract takes one benchmark out of it."""
    path = str(NETWORKS / "misc_lstm_lm.onnx")
    dlbricks("generate", path, "-o", "one.tar.gz", "--pack")
    (tmp_path / "other").mkdir()
    dlbricks("generate", path, "-o", "other/one", "--pack")
    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "other/one.tar.gz").read_bytes()
    assert not (tmp_path / "other/one").exists()
    dlbricks("generate", path, "-o", "suite")
    fingerprint = next((tmp_path / "suite" / "networks").iterdir()).stem
    output = dlbricks("extract", "one.tar.gz", fingerprint[:12], "-o", "one.pyz").stdout
    assert "python one.pyz" in output
    assert (tmp_path / "one.pyz").stat().st_size > 1000
    assert "no fingerprint of the suite begins" in dlbricks("extract", "suite", "zzz", code=2).stderr


def test_pairs_are_told_apart_from_sequences(dlbricks: Run) -> None:
    """--pairs adds benchmarks, and the report counts them in a column of their own."""
    path = str(NETWORKS / "misc_lstm_lm.onnx")
    plain = json.loads(dlbricks("generate", path, "-o", "suite", "--json").stdout)
    paired = json.loads(dlbricks("generate", path, "-o", "paired", "--json", "--pairs").stdout)
    assert paired["benchmarks"] - plain["benchmarks"] == paired["networks"][0]["pairs"] > 0
    assert "pairs" in dlbricks("generate", path, "-o", "paired", "--pairs").stdout
    assert "pairs" not in dlbricks("generate", path, "-o", "suite").stdout


def test_doctor_gives_advice(dlbricks: Run) -> None:
    """Whatever disturbs is told with what to do about it."""
    findings = json.loads(dlbricks("doctor", "--json").stdout)["findings"]
    assert {"python", "runtime", "reads up to", "processor", "governor", "timer", "disk"} <= {
        finding["subject"] for finding in findings
    }
    assert all(finding["advice"] for finding in findings if finding["level"] == "warning")
    assert "opset" in dlbricks("doctor").stdout


def test_networks_that_cannot_be_used_are_named(dlbricks: Run, tmp_path: Path) -> None:
    """The others make the suite, and the exit code is 0."""
    small = str(NETWORKS / "misc_lstm_lm.onnx")
    (tmp_path / "broken.onnx").write_bytes(b"")
    result = dlbricks("generate", small, "broken.onnx", "-o", "suite")
    assert "broken is left out: broken.onnx is empty" in result.stderr
    assert (tmp_path / "suite").exists()


def test_a_suite_is_not_taken_for_networks(dlbricks: Run) -> None:
    """Its files are parts of networks: its folder is said to be a suite, and beside a network it is passed over."""
    dlbricks("generate", str(NETWORKS / "misc_lstm_lm.onnx"), "-o", "both/my suite")
    for verb in ("inspect", "estimate", "quick"):
        said = dlbricks(verb, "both/my suite", code=2).stderr
        assert "it is a suite, to be measured: dlbricks run 'both/my suite' -o RESULT.json" in said
    shutil.copy(NETWORKS / "misc_lstm_lm.onnx", "both")
    assert len(json.loads(dlbricks("inspect", "both", "--json").stdout)["networks"]) == 1
    assert len(json.loads(dlbricks("inspect", "both/my suite/networks", "--json").stdout)["networks"]) > 1


def test_errors_name_the_folder_that_was_exported(dlbricks: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows the file in the cache."""
    Path("my-bert").mkdir()
    Path("my-bert/config.json").write_text("{}")
    cached = Path("cache/bert.onnx").absolute()
    cached.parent.mkdir()
    shutil.copy(chain(Path("net.onnx"), "Sin", length="seq"), cached)
    monkeypatch.setattr("dlbricks.model.export.place_of", lambda _: cached)
    for networks in (("my-bert",), ("my-bert", str(NETWORKS / "misc_lstm_lm.onnx"))):
        said = dlbricks("inspect", *networks, code=3 - len(networks)).stderr
        assert "my-bert has unbound dimensions: seq" in said
        assert "cache" not in said
    left_out = json.loads(dlbricks("inspect", *networks, "--json", code=1).stdout)["left_out"]
    assert [*left_out] == ["my-bert"]
    assert "cache" not in left_out["my-bert"]
    with pytest.raises(InputError, match=r"^my-bert has unbound dimensions: seq"):
        read("my-bert")
    assert [*read("my-bert", dims={"seq": 2}).inputs]


def test_another_batch_is_asked_for_alike_by_all_that_split(dlbricks: Run) -> None:
    """--batch is in the shapes, though the file fixes it; a suite and coverage of it agree, and with others do not."""
    small = str(NETWORKS / "misc_lstm_lm.onnx")
    [made] = json.loads(dlbricks("inspect", small, "--batch", "3", "--json").stdout)["networks"]
    assert made["inputs"] == ["ids: int64[3,35]"]
    dlbricks("generate", small, "--batch", "3", "-o", "suite")
    dlbricks("run", "suite", "-o", "r.json", "--name", "here", "--smoke")
    dlbricks("submit", "r.json", "--suite", "suite")
    asked = ("coverage", small, "--system", "here", "--json")
    assert json.loads(dlbricks(*asked, "--batch", "3").stdout)["missing"] == []
    assert json.loads(dlbricks(*asked).stdout)["missing"] == [], "the suite tells its batch"
    assert json.loads(dlbricks(*asked, "--batch", "1").stdout)["missing"] != []
    gap = ("--batch", "1", "-o", "gap", "--pairs", "--pack", "--json")
    document = json.loads(dlbricks("plan", small, "--system", "here", *gap).stdout)
    assert document["suite"] == "gap.tar.gz"
    assert Path("gap.tar.gz").is_file()
    assert len(document["plan"]["fingerprints"]) > len(document["plan"]["coverage"]["missing"])
    assert "--rule pairs" in document["commands"][2]


def test_names_move_no_cursor(dlbricks: Run, tmp_path: Path) -> None:
    """Control characters of names are not printed, brackets are; as data names are whole."""
    hostile, path = "x[red]\x1b[31m\n", tmp_path / "na[bold]me\x1b[2J.onnx"
    relu = helper.make_node("Relu", [hostile], ["y"], name="[b]\x1b]0;title\x07")
    onnx.save(network([relu], {hostile: ("float32", (1, 3))}, {"y": ("float32", (1, 3))}), path)
    shown = dlbricks("inspect", str(path), "--layers").stdout
    assert all(letter.isprintable() or letter == "\n" for letter in shown)
    assert all(text in shown for text in ("na[bold]me", "x[red]", "[b]"))
    (document,) = json.loads(dlbricks("inspect", str(path), "--json").stdout)["networks"]
    assert document["network"] == path.stem
    assert hostile in document["inputs"][0]
    assert "\x1b" not in dlbricks("inspect", f"{path}?", code=2).stderr


def test_what_the_checker_says_is_told(dlbricks: Run, tmp_path: Path) -> None:
    """A file that onnx.checker calls invalid can be read all the same, with a warning; weights do not matter."""
    wrong = helper.make_node("Relu", ["x"], ["y"], bogus=1)
    onnx.save(network([wrong], {"x": ("float32", (1, 3))}, {"y": ("float32", (1, 3))}), tmp_path / "wrong.onnx")
    output = dlbricks("inspect", str(tmp_path / "wrong.onnx")).stdout
    assert "warning: wrong is not a valid ONNX network (onnx.checker): Unrecognized attribute: bogus" in output
    for name in ("misc_lstm_lm", "leg_hf_distilbert", "int8_tv_resnet18"):
        dims = ("--dim", "batch=1", "--dim", "seq=8") if name.startswith("leg") else ()
        (sound,) = json.loads(dlbricks("inspect", str(NETWORKS / f"{name}.onnx"), *dims, "--json").stdout)["networks"]
        assert sound["invalid"] == ""
