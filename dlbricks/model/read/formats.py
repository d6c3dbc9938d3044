"""Recognises files of other formats, and names the command that converts each to ONNX."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dlbricks.model.read.decoders import SETTINGS

_CONFIG = "config.json"
_SAVED_MODEL = "saved_model.pb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """The format of a path, and commands of a shell that convert it, or advice if there are none."""

    what: str
    commands: tuple[str, ...] = ()
    advice: str = ""

    def __str__(self) -> str:
        """Return the hint in one line."""
        return f"it is {self.what}: {self.advice or 'run ' + ', or '.join(self.commands)}"


_MODULE = (
    "where its module is built, call dlbricks.export_torch(module, args, 'model.onnx') (weights are not needed), or "
    "torch.onnx.export(module, args, 'model.onnx', dynamo=True)"
)
_SOURCE = "export the model that it was made from to ONNX"
_PYTORCH = Hint(what="a file of PyTorch, whose graph is in the code of its module", advice=_MODULE)
_WEIGHTS = Hint(what="a file of weights without a graph", advice=_MODULE)
# By suffix, formats that no command converts without further information.
_ADVICE: Mapping[str, Hint] = {
    **dict.fromkeys((".pt", ".pth", ".ckpt", ".bin"), _PYTORCH),
    **dict.fromkeys((".safetensors", ".gguf"), _WEIGHTS),
    ".ort": Hint(what="a model in onnxruntime's own format", advice=_SOURCE),
    ".engine": Hint(what="an engine of TensorRT", advice=_SOURCE),
    ".mlpackage": Hint(what="a package of Core ML", advice=_SOURCE),
    ".xml": Hint(what="a model of OpenVINO", advice=_SOURCE),
}

_KERAS = 'import keras; keras.saving.load_model({file}, compile=False).export({result}, format="onnx")'
_CORE_ML = (
    "import coremltools, onnxmltools as o; "
    "o.utils.save_model(o.convert_coreml(coremltools.utils.load_spec({file})), {result})"
)
# By suffix, formats that a line of Python converts.
_PYTHON: Mapping[str, tuple[str, str]] = {
    ".pt2": (
        "an exported program of PyTorch",
        "import torch; torch.onnx.export(torch.export.load({file}), f={result})",
    ),
    ".h5": ("a model of Keras", _KERAS),
    ".keras": ("a model of Keras", _KERAS),
    ".mlmodel": (
        "a model of Core ML",
        _CORE_ML,
    ),
}


def hint(path: Path) -> Hint | None:
    """Recognise a file or folder of another format by its name and its neighbours; None if unknown.

    Args:
        path: no ONNX file, and no folder with one.
    """
    suffix = path.suffix.lower()
    # weights beside a configuration are those of an architecture that can be exported
    if path.name in {_CONFIG, _SAVED_MODEL} or (_ADVICE.get(suffix) in {_PYTORCH, _WEIGHTS} and not path.is_dir()):
        of_folder = _folder(path.parent)
        if of_folder is not None:
            return of_folder
    if path.is_dir() and (of_content := _folder(path)) is not None:
        return of_content
    result = f"{path.stem}.onnx"
    if suffix == ".tflite":
        command = f"python -m tf2onnx.convert --tflite {shlex.quote(str(path))} --output {shlex.quote(result)}"
        return Hint(what="a model of TensorFlow Lite", commands=(command,))
    if suffix in _PYTHON:
        what, code = _PYTHON[suffix]
        code = code.format(file=json.dumps(str(path)), result=json.dumps(result))
        return Hint(what=what, commands=(f"python -c {shlex.quote(code)}",))
    return _ADVICE.get(suffix)


def _folder(path: Path) -> Hint | None:
    """Recognise a folder of Hugging Face, or a SavedModel of TensorFlow."""
    place, name = shlex.quote(str(path)), path.resolve().name
    if (path / SETTINGS).is_file():
        return Hint(what="a folder of onnxruntime-genai without its network", advice="build it again, or copy it whole")
    if (path / _CONFIG).is_file():
        result = shlex.quote(f"{name}-onnx")
        convert = f"optimum-cli export onnx --model {place} {result}"
        if _generates(path):
            convert = f"python -m onnxruntime_genai.models.builder -i {place} -o {result} -p fp32 -e cpu"
        inspect = f"dlbricks inspect {shlex.quote(f'hf:{path}')}"
        what = "a Hugging Face model, whose architecture is read without weights"
        return Hint(what=what, commands=(inspect, convert))
    if (path / _SAVED_MODEL).is_file():
        command = f"python -m tf2onnx.convert --saved-model {place} --output {shlex.quote(f'{name}.onnx')}"
        return Hint(what="a SavedModel of TensorFlow", commands=(command,))
    return None


def _generates(path: Path) -> bool:
    """Return whether a folder's configuration is that of a decoder for text generation."""
    try:
        stated = json.loads((path / _CONFIG).read_bytes())
    except (OSError, ValueError, RecursionError):
        return False
    names = stated.get("architectures") if isinstance(stated, Mapping) else None
    return isinstance(names, list) and any(str(name).endswith("ForCausalLM") for name in names)
