"""Files of other formats get a hint that says what they are and how they are converted."""

import json
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from click.testing import CliRunner

from dlbricks.cli.app import main
from dlbricks.errors import InputError
from dlbricks.model.export import source_of
from dlbricks.model.read.network import find_networks, read_model
from dlbricks.model.read.skim import hint

FILES = ("a b.pt", "a.pth", "a.ckpt", "a.safetensors", "a.gguf", "a.ort", "a.engine", "a.xml", "a.bin")
COMMANDS = ("it's.keras", "a.h5", "a.tflite", "a.mlmodel")


@pytest.mark.parametrize("name", FILES + COMMANDS)
def test_another_format_is_named(tmp_path: Path, name: str) -> None:
    """Reading a file of another format fails in one line that says what it is and what to do."""
    (tmp_path / name).write_bytes(b"PK\x03\x04 nothing that is ONNX")
    with pytest.raises(InputError, match=r"not an ONNX file; it is a.*: ") as caught:
        read_model(tmp_path / name)
    assert "\n" not in str(caught.value)
    assert hint(tmp_path / name) in str(caught.value)


def test_a_folder_of_hugging_face_is_known(tmp_path: Path) -> None:
    """Its files and itself lead to ``hf:FOLDER``."""
    folder = tmp_path / "a b"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps({"architectures": ["BertModel"]}))
    (folder / "model.safetensors").write_bytes(b"weights")
    assert source_of(str(folder)) == source_of(f"hf:{folder}") == folder
    for place in (folder, folder / "model.safetensors", folder / "config.json"):
        command = hint(place).partition("run ")[2]
        assert shlex.split(command) == ["dlbricks", "inspect", f"hf:{folder}"]


def test_a_saved_model_is_known(tmp_path: Path) -> None:
    """A folder of TensorFlow is named, whether it or its file is given."""
    (tmp_path / "saved_model.pb").touch()
    with pytest.raises(InputError, match=f"python -m tf2onnx.convert --saved-model {tmp_path}"):
        find_networks([str(tmp_path)])
    assert hint(tmp_path / "saved_model.pb") == hint(tmp_path)


def test_what_is_unknown_is_told_as_before(tmp_path: Path) -> None:
    """No guess is made about a damaged ONNX file or an empty folder."""
    (tmp_path / "net.onnx").write_bytes(b"PK\x03\x04 nothing that is ONNX")
    with pytest.raises(InputError, match="is not an ONNX file, or it is truncated"):
        read_model(tmp_path / "net.onnx")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="give an ONNX file, a folder or a pattern"):
        find_networks([str(tmp_path / "empty")])


def test_an_architecture_needs_its_configuration(tmp_path: Path) -> None:
    """Without ``config.json`` nothing is exported; ONNX files beside it are read themselves."""
    with pytest.raises(InputError, match="name the folder of a Hugging Face model"):
        find_networks([f"hf:{tmp_path}"])
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").touch()
    assert find_networks([str(tmp_path)]) == (tmp_path / "onnx" / "model.onnx",)
    assert source_of(f"hf:{tmp_path}") == tmp_path


@pytest.mark.parametrize("verb", ["inspect", "estimate --system s", "whatif --system s", "validate"])
def test_an_export_needs_torch(tmp_path: Path, verb: str) -> None:
    """Each verb that reads a network takes a program and a folder; without torch the extra is named, exit code 3."""
    if find_spec("torch"):
        pytest.skip("torch is installed: tests/model/test_export.py has the exports")
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "programs").mkdir()
    (tmp_path / "programs" / "net.pt2").write_bytes(b"PK")
    for place in (tmp_path, tmp_path / "programs", tmp_path / "programs" / "net.pt2"):
        result = CliRunner().invoke(main, [*verb.split(), str(place)])
        assert result.exit_code == 3, result.output
        assert "dlbricks[torch]" in result.stderr
        assert result.stderr.count("\n") == 1
