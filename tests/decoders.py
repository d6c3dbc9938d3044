"""Small decoders as onnxruntime-genai's model builder writes them, by the script of ``benchmarks``."""

import dataclasses
import importlib.util
import json
from pathlib import Path
from types import ModuleType


def _writer() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "decoders", Path(__file__).resolve().parents[1] / "benchmarks" / "decoders.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_decoder(out: Path, *, int4: bool = False, layers: int = 1, window: int = 0) -> Path:
    """Write SmolLM2 135M, its vocabulary, width and layers cut short, every other with a window."""
    writer = _writer()
    out.mkdir(parents=True, exist_ok=True)
    shape = dataclasses.replace(
        writer.SHAPES["smollm2-135m"], hidden=192, inner=256, layers=layers, vocabulary=512, window=window
    )
    (out / "model.onnx").write_bytes(writer.decoder(shape, int4=int4).SerializeToString())
    (out / "genai_config.json").write_text(json.dumps(writer.settings(shape, "llama")), encoding="utf-8")
    return out
