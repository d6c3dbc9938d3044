"""Exports PyTorch modules and programs (``.pt2``) and Hugging Face architectures (``config.json``) without weights.

``torch.export`` traces a copy of the module, whose parameters and floating-point buffers have only a shape and a type.
Constants get synthetic values, since the exporter's optimiser compares and folds them.

Another process, ``python -m dlbricks.model.export SOURCE OUT.onnx``, exports a file or folder to the user's cache. So
torch's memory and messages stay out of the caller. To export a program, torch loads the file. To export an
architecture, the process downloads nothing, runs no code of the folder, and needs no memory for parameters.
"""

import hashlib
import inspect
import io
import json
import logging
import os
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from copy import deepcopy
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path, PosixPath
from typing import Any, TypeAlias

import numpy as np

from dlbricks.errors import DlbricksError, InputError, MissingDependencyError, missing_extra
from dlbricks.files import write_bytes
from dlbricks.harness.dtypes import BY_ONNX
from dlbricks.model.read.decoders import SETTINGS
from dlbricks.model.tensors import keeps_values
from dlbricks.version import __version__

# File that weights refer to; it does not exist.
_PLACE = "weights.bin"


def export_torch(
    module: Any, args: Any, path: str | Path, *, kwargs: Mapping[str, Any] | None = None, dynamic_shapes: Any = None
) -> Path:
    """Export a PyTorch module in inference mode to ONNX, without weights; the module is not changed.

    Parameters may be on the device ``meta``. The file has the values of integer and scalar constants, which may decide
    shapes.

    Args:
        module: a ``torch.nn.Module``.
        args: inputs of the module, a tuple or one tensor; their values do not matter.
        path: path of the ONNX file, which the function replaces and returns.
        kwargs: further inputs by name.
        dynamic_shapes: symbolic dimensions in the form of ``torch.onnx.export``, as in ``{"x": {0: "batch"}}``.

    Raises:
        MissingDependencyError: torch or onnxscript is not installed.
        InputError: torch cannot export the module with these inputs, or the file cannot be written.
    """
    torch = _torch()
    inputs = args if isinstance(args, tuple) else (args,)

    def traced(fake: _Fake) -> Any:
        from torch.utils._pytree import tree_map_only

        faked, named = (tree_map_only(torch.Tensor, fake, each) for each in (inputs, dict(kwargs or {})))
        return _converted(torch, _weightless(torch, module, fake), faked, kwargs=named, dynamic_shapes=dynamic_shapes)

    advice = "change what torch names, or export a part of the module"
    return _written(torch, traced, Path(path), type(module).__name__, advice)


# Makes a tensor of the same shape and type, on the processor, without memory.
_Fake: TypeAlias = Callable[[Any], Any]


def _written(torch: Any, export: Callable[[_Fake], Any], path: Path, what: str, advice: str) -> Path:
    """Optimise the program that ``export`` returns, and write it to an ONNX file without weights."""
    from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

    mode = FakeTensorMode(allow_non_fake_inputs=True)

    def fake(tensor: Any) -> Any:
        return FakeTensor(mode, torch.empty_like(tensor, device="meta", requires_grad=False), torch.device("cpu"))

    with _silenced():
        try:
            program = export(fake)
            _fill(program)
            program.optimize()
        except Exception as error:
            raise InputError(f"torch cannot export {what}: {_reason(error)}; {advice}") from error
        content = _skeleton(program)
    write_bytes(path, content)
    return path


@contextmanager
def _silenced() -> Iterator[None]:
    # torch logs pages on a graph that it cannot export, and a line on each package that is not installed
    before, messages = logging.root.manager.disable, io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(messages), redirect_stderr(messages):
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)


def _converted(torch: Any, *program: Any, **more: Any) -> Any:
    return torch.onnx.export(*program, **more, dynamo=True, verbose=False, optimize=False)


def export_program(file: Path, out: Path) -> None:
    """Convert ``file``, a program that ``torch.export.save`` wrote, to the ONNX file ``out`` without weights.

    torch loads the file, weights included; a file may hold pickled objects, which run code when they are loaded.

    Raises:
        MissingDependencyError: torch or onnxscript is not installed.
        InputError: torch cannot load or convert the program.
    """
    torch = _torch()

    def loaded(fake: _Fake) -> Any:
        with suppress(ImportError):
            import transformers.modeling_outputs  # noqa: F401 - torch loads results of its models as types known then
        program = torch.export.load(file)
        for tensors, names in (
            (program.state_dict, [*program.state_dict]),
            (program.constants, program.graph_signature.non_persistent_buffers),
        ):
            for name in names:
                tensor = tensors[name]
                if tensor.is_floating_point() or tensor.is_complex():
                    is_parameter, tensors[name] = isinstance(tensor, torch.nn.Parameter), fake(tensor)
                    if is_parameter:
                        tensors[name] = torch.nn.Parameter(tensors[name], requires_grad=False)
        return _converted(torch, program)

    advice = f"save it again by torch.export.save of torch {torch.__version__}, with tensors or tuples as results"
    _written(torch, loaded, out, str(file), advice)


def _torch() -> Any:
    try:
        import onnxscript  # noqa: F401
        import torch
    except ImportError as error:
        raise missing_extra(f"an export from PyTorch needs {error.name}", "torch") from error
    return torch


def _reason(error: BaseException) -> str:
    # the first line of the root cause
    while error.__cause__ is not None:
        error = error.__cause__
    lines = (line.strip().rstrip(".") for line in str(error).splitlines())
    return next(filter(None, lines), type(error).__name__)


def _weightless(torch: Any, module: Any, fake: Any) -> Any:
    """Copy a module for inference without its weights; integer buffers are shared."""
    memo: dict[int, Any] = {}
    for parameter in module.parameters():
        memo[id(parameter)] = torch.nn.Parameter(fake(parameter), requires_grad=False)
    for buffer in module.buffers():
        small = not buffer.is_floating_point() and not buffer.is_complex() and buffer.device.type != "meta"
        memo[id(buffer)] = buffer.detach().cpu() if small else fake(buffer)
    return deepcopy(module, memo).eval()


def _fill(program: Any) -> None:
    """Give each fake constant its own synthetic values, which differ only along the last axis."""
    import onnx_ir
    from torch._subclasses.fake_tensor import FakeTensor

    for number, value in enumerate(program.model.graph.initializers.values()):
        constant = value.const_value
        if isinstance(getattr(constant, "raw", None), FakeTensor):
            shape = tuple(constant.shape)
            drawn = np.random.default_rng(number).uniform(0.5, 1.5, shape[-1:]).astype(constant.dtype.numpy())
            tensor = onnx_ir.Tensor(np.broadcast_to(drawn, shape), dtype=constant.dtype, name=constant.name)
            tensor.meta[_PLACE] = True
            value.const_value = tensor


def _skeleton(program: Any) -> bytes:
    """Serialise a program as a network whose weights refer to a missing file; documentation is removed."""
    import onnx_ir
    from onnx_ir.passes.common import ClearMetadataAndDocStringPass

    offset = 0
    for value in program.model.graph.initializers.values():
        constant = value.const_value
        dtype = BY_ONNX[constant.dtype.value].name
        if _PLACE in constant.meta or not keeps_values(dtype, constant.nbytes, constant.size):
            value.const_value = onnx_ir.ExternalTensor(
                _PLACE, offset, constant.nbytes, constant.dtype, shape=constant.shape, name=value.name
            )
            offset += constant.nbytes
    ClearMetadataAndDocStringPass()(program.model)
    content: bytes = onnx_ir.to_proto(program.model).SerializeToString(deterministic=True)
    return content


PREFIX, PROGRAM = "hf:", ".pt2"
CONFIG, _PREPROCESSOR = "config.json", "preprocessor_config.json"
# the user's folder has all that is needed: nothing may be downloaded
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def source_of(text: str) -> Path | None:
    """Return the path to export if ``text`` names a ``.pt2`` file or a folder with ``config.json``; otherwise None.

    A folder that also has ONNX files is not exported, unless ``text`` is ``hf:FOLDER``.
    """
    if text.startswith(PREFIX):
        return Path(text.removeprefix(PREFIX))
    path = Path(text)
    if path.is_dir():
        is_architecture = (path / CONFIG).is_file() and not (path / SETTINGS).is_file()
        return path if is_architecture and next(path.rglob("*.onnx"), None) is None else None
    return path if path.suffix.lower() == PROGRAM and path.exists() else None


class Exported(PosixPath):
    """Path of an export in the cache; as a text it is the path of its source, which the user knows."""

    source = ""

    def __str__(self) -> str:
        """Return the path that the user named."""
        return self.source or super().__str__()

    def __fspath__(self) -> str:
        """Return the path of the export."""
        return super().__str__()

    def __reduce__(self) -> tuple[Any, ...]:
        """Keep the source in worker processes."""
        return type(self), (super().__str__(),), {"source": self.source}


def exported(source: Path, tell: Callable[[str], object] | None = None) -> Path:
    """Return the ONNX file of a source (``source_of``), and export the source if the user's cache lacks this file.

    ``tell`` gets a line before an export, which takes a while.

    Raises:
        MissingDependencyError: torch, onnxscript or transformers is not installed.
        InputError: the source is missing, or cannot be exported.
    """
    place = Exported(place_of(source))
    place.source = str(source)
    if place.is_file():
        return place
    if tell is not None:
        tell(f"{source}: exporting the network, without weights; the export is cached")
    # not by `process_pool`: its processes read files, start no further ones, and have another environment
    command = [sys.executable, "-P", "-m", "dlbricks.model.export", str(source), os.fspath(place)]
    process = subprocess.run(
        command, env=os.environ | _OFFLINE, capture_output=True, text=True, check=False, errors="backslashreplace"
    )
    if process.returncode:
        last = next((line for line in reversed(process.stderr.splitlines()) if line.strip()), "no message")
        kind = MissingDependencyError if process.returncode == MissingDependencyError.exit_code else InputError
        raise kind(last if process.returncode > 0 else f"{source}: signal {-process.returncode} ended the export")
    return place


def place_of(source: Path) -> Path:
    """Return where the user's cache keeps the export of a source; the path has a digest of the source's content.

    Raises:
        MissingDependencyError: a library is not installed.
        InputError: the file or ``config.json`` is missing.
    """
    is_program = source.suffix.lower() == PROGRAM and not source.is_dir()
    digest, file = hashlib.sha256(), source if is_program else source / CONFIG
    try:
        with file.open("rb") as content:
            digest.update(hashlib.file_digest(content, "sha256").digest())
        if not is_program and (source / _PREPROCESSOR).is_file():
            digest.update((source / _PREPROCESSOR).read_bytes())
    except OSError as error:
        advice = "" if is_program else "; name the folder of a Hugging Face model"
        raise InputError(f"{source}: cannot read {file}: {error.strerror}{advice}") from error
    digest.update(f" dlbricks {__version__}".encode())
    for library in ("onnxscript", "torch", *(() if is_program else ("transformers",))):
        try:
            digest.update(f" {library} {version(library)}".encode())
        except PackageNotFoundError as error:
            raise missing_extra(f"{source} needs {library}", "torch") from error
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = (source.resolve().stem if is_program else source.resolve().name) or "network"
    return cache / "dlbricks" / "networks" / digest.hexdigest()[:16] / f"{name}.onnx"


_BY_HAND = "build it in Python and call dlbricks.export_torch(module, args, path)"
# Extents of the inputs used for tracing; batch and lengths are symbolic in the network.
_BATCH, _LENGTH, _SAMPLES = 2, 16, 16000


def export_config(folder: Path, out: Path) -> None:
    """Export the architecture in ``config.json`` of a folder to an ONNX file, in float32.

    Raises:
        MissingDependencyError: torch, onnxscript or transformers is not installed.
        InputError: the architecture cannot be built or exported, or the folder does not state the size of images.
    """
    try:
        import torch
        import transformers
    except ImportError as error:
        raise missing_extra(f"a network from a Hugging Face folder needs {error.name}", "torch") from error
    try:
        config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
        config.use_cache = False
        names = getattr(config, "architectures", None) or ()
        architecture = getattr(transformers, names[0], None) if names else None
        with _parameters_without_memory(torch):
            builder = transformers.AutoModel.from_config if architecture is None else architecture._from_config  # noqa: SLF001
            module = builder(config, dtype=torch.float32)
    except Exception as error:
        reason = f"transformers {transformers.__version__} cannot build {folder}: {_reason(error)}"
        raise InputError(f"{reason}; {_BY_HAND}") from error
    inputs = _inputs(torch, module, config, folder)
    if module.main_input_name not in inputs:
        raise InputError(
            f"{folder}: {type(module).__name__} takes '{module.main_input_name}', which cannot be generated: {_BY_HAND}"
        )
    dims = {name: dict(enumerate(axes)) for name, (_, axes) in inputs.items()}
    open_dims = {name: {axis: text for axis, text in axes.items() if text} for name, axes in dims.items()}
    export_torch(
        module, (), out, kwargs={name: tensor for name, (tensor, _) in inputs.items()}, dynamic_shapes=open_dims
    )


@contextmanager
def _parameters_without_memory(torch: Any) -> Iterator[None]:
    """Move every parameter to the device ``meta`` when a module registers it."""
    register = torch.nn.Module.register_parameter

    def on_meta(module: Any, name: str, parameter: Any) -> None:
        if parameter is not None:
            parameter = torch.nn.Parameter(parameter.detach().to("meta"), requires_grad=False)
        register(module, name, parameter)

    torch.nn.Module.register_parameter = on_meta
    try:
        yield
    finally:
        torch.nn.Module.register_parameter = register


def _inputs(torch: Any, module: Any, config: Any, folder: Path) -> dict[str, tuple[Any, tuple[str, ...]]]:
    """Return the inputs of a module by name: a tensor, and the names of its symbolic axes."""
    taken = inspect.signature(module.forward).parameters
    picture = image_shape(config, folder) if "pixel_values" in taken else ()
    words = torch.ones(_BATCH, _LENGTH, dtype=torch.int64)
    frames = 2 * getattr(config, "max_source_positions", 1500)
    possible = {
        "input_ids": (words, ("batch", "seq")),
        "attention_mask": (words, ("batch", "seq")),
        "pixel_values": (torch.zeros(_BATCH, *picture), ("batch",)),
        "input_features": (torch.zeros(_BATCH, getattr(config, "num_mel_bins", 80), frames), ("batch",)),
        "input_values": (torch.zeros(_BATCH, _SAMPLES), ("batch", "samples")),
        "decoder_input_ids": (words, ("batch", "decoder_seq")),
    }
    inputs = {name: entry for name, entry in possible.items() if name in taken}
    if "input_ids" not in inputs:
        inputs.pop("attention_mask", None)
    if not getattr(config, "is_encoder_decoder", False):
        inputs.pop("decoder_input_ids", None)
    return inputs


def image_shape(config: Any, folder: Path) -> tuple[int, int, int]:
    """Return channels, height and width of input images, from the configuration of the model or of its preprocessor.

    Raises:
        InputError: neither configuration states the size.
    """
    vision = getattr(config, "vision_config", config)
    size = getattr(vision, "image_size", None)
    try:
        if not size:
            stated = json.loads((folder / _PREPROCESSOR).read_bytes())
            size = stated.get("crop_size") or stated["size"]
        if isinstance(size, dict):
            size = size.get("shortest_edge") or (size["height"], size["width"])
        height, width = map(int, size if isinstance(size, list | tuple) else (size, size))
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise InputError(
            f"{folder}: the size of images is unknown: add image_size to {CONFIG}, or size to {_PREPROCESSOR}"
        ) from error
    return getattr(vision, "num_channels", None) or 3, height, width


def main(source: str, out: str) -> int:
    """Export a source (``source_of``) to the ONNX file ``out``; print errors, return the exit code."""
    try:
        (export_config if Path(source).is_dir() else export_program)(Path(source), Path(out))
    except DlbricksError as error:
        print(" ".join(str(error).split()), file=sys.stderr)  # noqa: T201
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
