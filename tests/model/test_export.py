"""From PyTorch and Hugging Face to networks without weights; skipped where torch and transformers are not installed."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from click.testing import CliRunner, Result

import dlbricks
from dlbricks.cli.app import main
from dlbricks.construct.compose import compose
from dlbricks.errors import InputError

torch = pytest.importorskip("torch")
pytest.importorskip("onnxscript")
Module: Any = torch.nn.Module
pytestmark = pytest.mark.filterwarnings("ignore")


def small_network(*, device: str = "cpu") -> Any:
    """Convolution and normalisation that exporters fold, a table, attention, a buffer of indices."""

    class Small(Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.convolve = torch.nn.Sequential(
                torch.nn.Conv2d(3, 48, 3), torch.nn.BatchNorm2d(48), torch.nn.ReLU(), torch.nn.Conv2d(48, 48, 3)
            )
            self.attend = torch.nn.TransformerEncoderLayer(48, 4, 96, batch_first=True)
            self.give = torch.nn.Linear(48, 10)
            self.register_buffer("order", torch.arange(15, -1, -1))

        def forward(self, picture: Any) -> Any:
            made = self.convolve(picture).flatten(2).transpose(1, 2)[:, self.order]
            return self.give(self.attend(made).mean(1))

    with torch.device(device):
        return Small()


def trained(module: Any) -> Any:
    """Give every parameter and statistic a value that training could have given it: no two alike."""
    torch.manual_seed(0)
    for tensor in (*module.parameters(), *module.buffers()):
        if tensor.is_floating_point():
            tensor.data.uniform_(0.5, 1.5)
    return module


def pieces(path: Path) -> Counter[str]:
    """Count the layer sequences of a network by fingerprint."""
    return Counter(
        step.fingerprint
        for step in compose(dlbricks.split(dlbricks.read(path, dims={"batch": 2}, target="portable"))).steps
    )


def test_a_skeleton_is_the_network_with_weights(tmp_path: Path) -> None:
    """Its sequences are those of torch's own export; it holds no weight and no source path, and the module stays."""
    module, picture = trained(small_network()), torch.ones(2, 3, 8, 8)
    dlbricks.export_torch(module, picture, tmp_path / "skeleton.onnx")
    assert module.training
    assert module.convolve[1].num_batches_tracked == 0
    torch.onnx.export(module.eval(), (picture,), tmp_path / "full.onnx", dynamo=True, verbose=False)
    assert pieces(tmp_path / "skeleton.onnx") == pieces(tmp_path / "full.onnx")
    content = (tmp_path / "skeleton.onnx").read_bytes()
    assert not any(parameter.detach().numpy().tobytes() in content for parameter in module.parameters())
    assert Path(__file__).name.encode() not in content
    made = onnx.load(tmp_path / "skeleton.onnx", load_external_data=False)
    kept = [onnx.numpy_helper.to_array(one) for one in made.graph.initializer if one.data_location == one.DEFAULT]
    assert any(np.array_equal(one.ravel(), np.arange(15, -1, -1)) for one in kept)
    assert all(one.nbytes <= 64 for one in kept if one.dtype.kind == "f")


def test_neither_values_nor_memory_are_needed(tmp_path: Path) -> None:
    """A module on the device meta gives the same sequences; extents that are named stay open."""
    shapes = {"picture": {0: "batch"}}
    for device in ("cpu", "meta"):
        module = small_network(device=device)
        module.order = torch.arange(15, -1, -1)
        dlbricks.export_torch(module, (torch.ones(2, 3, 8, 8),), tmp_path / device, dynamic_shapes=shapes)
    assert pieces(tmp_path / "cpu") == pieces(tmp_path / "meta")
    with pytest.raises(InputError, match="unbound dimensions: batch"):
        dlbricks.read(tmp_path / "cpu", target="portable")


def test_what_cannot_be_exported_is_one_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """A module that decides by values, or inputs that do not fit, are refused; nothing is written or printed."""

    class Deciding(Module):  # type: ignore[misc]
        def forward(self, values: Any) -> Any:
            return values * 2 if values.sum() > 0 else values

    for module, width in ((Deciding(), 3), (torch.nn.Linear(4, 4), 3)):
        with pytest.raises(InputError, match=f"torch cannot export {type(module).__name__}: ") as caught:
            dlbricks.export_torch(module, torch.ones(2, width), tmp_path / "net.onnx")
        assert "\n" not in str(caught.value)
        assert list(tmp_path.iterdir()) == []
        assert capfd.readouterr() == ("", "")


def saved_program(module: Any, picture: Any, file: Path) -> Path:
    """Write a module as a program with an open batch."""
    shapes = ({0: torch.export.Dim("batch")},)
    torch.export.save(torch.export.export(module.eval(), (picture,), dynamic_shapes=shapes), file)
    return file


def test_a_program_is_a_network_wherever_one_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``.pt2`` file has the sequences of its module, is exported once, and none of its weights reaches the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    module, picture = trained(small_network()), torch.ones(2, 3, 8, 8)
    file = saved_program(module, picture, tmp_path / "small.pt2")
    shapes = {"picture": {0: "batch"}}
    dlbricks.export_torch(module, picture, tmp_path / "skeleton.onnx", dynamic_shapes=shapes)
    read = dlbricks.split(dlbricks.read(file, batch=2, target="portable"))
    assert Counter(step.fingerprint for step in compose(read).steps) == pieces(tmp_path / "skeleton.onnx")
    (tmp_path / "skeleton.onnx").unlink()
    (tmp_path / "programs").mkdir()
    file.rename(tmp_path / "programs" / "small.pt2")
    for name in ("programs", "programs/sm*.pt2", "programs/small.pt2"):
        result = CliRunner().invoke(main, ["inspect", str(tmp_path / name), "--batch", "2", "--json"])
        assert result.exit_code == 0, result.output
        assert "exporting" not in result.stderr
    (kept,) = (tmp_path / "cache").rglob("small.onnx")
    assert not any(parameter.detach().numpy().tobytes() in kept.read_bytes() for parameter in module.parameters())


def test_a_program_that_cannot_be_read_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged file is named with what to do, and leaves nothing in the cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "bad.pt2").write_bytes(b"PK\x03\x04 nothing that torch reads")
    result = CliRunner().invoke(main, ["inspect", str(tmp_path / "bad.pt2")])
    assert result.exit_code == 2
    *_, last = result.stderr.splitlines()
    assert "bad.pt2: " in last
    assert "torch.export.save" in last
    assert not list(tmp_path.rglob("*.onnx"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write the configuration of a small BERT, beside code that must not run."""
    transformers = pytest.importorskip("transformers")
    made = tmp_path / "small-bert"
    sizes = {"hidden_size": 48, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 96}
    transformers.BertConfig(vocab_size=99, architectures=["BertForMaskedLM"], **sizes).save_pretrained(made)
    (made / "modeling_small.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Small: pass\n")
    (made / "configuration_small.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Config: pass\n")
    return made


def test_a_program_may_give_what_models_of_transformers_give(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their results are objects of its own, which torch reads only where it knows their types."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    transformers: Any = pytest.importorskip("transformers")
    module = transformers.BertForMaskedLM(transformers.BertConfig.from_pretrained(folder)).eval()
    program = torch.export.export(module, (torch.ones(1, 8, dtype=torch.int64),))
    torch.export.save(program, tmp_path / "bert.pt2")
    result = CliRunner().invoke(main, ["inspect", str(tmp_path / "bert.pt2"), "--json"])
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["networks"][0]["outputs"] == ["linear_7: float32[1,8,99]"]


def test_an_architecture_of_hugging_face(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its folder is a network wherever one is named, exported once, by which no code of the folder is run."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    place = str(folder)
    dims = ("--dim", "batch=1", "--dim", "seq=8")

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(main, list(arguments), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    first = run("inspect", place, *dims, "--json")
    assert "exporting the network" in first.stderr
    document = json.loads(first.stdout)["networks"][0]
    assert document["network"] == "small-bert"
    assert document["inputs"] == ["input_ids: int64[1,8]", "attention_mask: int64[1,8]"]
    assert document["parameter_bytes"] > 4 * 99 * 48
    again = run("generate", place, *dims, "-o", str(tmp_path / "suite"))
    assert "exporting" not in again.stderr
    assert dlbricks.read(f"hf:{place}", dims={"batch": 1, "seq": 8}, target="portable").name == "small-bert"
    config = json.loads((folder / "config.json").read_text())
    config |= {"auto_map": {"AutoConfig": "configuration_small.Config", "AutoModel": "modeling_small.Small"}}
    changed: dict[str, Any]
    for changed in (config, config | {"model_type": "unheard-of"}, {}):
        (folder / "config.json").write_text(json.dumps(changed))
        run("inspect", place, *dims, code=0 if changed is config else 2)
    assert not (tmp_path / "ran").exists()


def test_images_have_the_size_that_the_folder_states(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A configuration without a size of images needs that of the preprocessing; none is assumed."""
    transformers = pytest.importorskip("transformers")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "small-resnet"
    sizes: dict[str, Any] = {"embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 1]}
    transformers.ResNetConfig(architectures=["ResNetModel"], **sizes).save_pretrained(folder)
    with pytest.raises(InputError, match="the size of images is unknown: add image_size"):
        dlbricks.read(f"hf:{folder}", dims={"batch": 1}, target="portable")
    (folder / "preprocessor_config.json").write_text('{"size": {"shortest_edge": 64}}')
    model = dlbricks.read(f"hf:{folder}", dims={"batch": 1}, target="portable")
    assert model.spec(model.inputs[0]).shape == (1, 3, 64, 64)
