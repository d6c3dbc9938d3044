"""Variants of networks that are measured before and after a change, and the files in which figures are kept."""

import functools
import json
import lzma
import pickle
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from archives import NETWORKS, RESULTS
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

from dlbricks.errors import DlbricksError
from dlbricks.files import write_bytes
from dlbricks.harness.session import SessionSettings, runtime_errors
from dlbricks.model.emit import end_to_end_inputs, end_to_end_network, network_bytes, write_weights
from dlbricks.model.lowering.onnxruntime_cpu import TARGET, lower
from dlbricks.model.read.network import read_batched, read_model
from dlbricks.model.types import Model
from dlbricks.sequences.split import split
from dlbricks.sequences.types import Granularity, Split

KEPT = RESULTS / "whatif-cpu.jsonl.xz"
VARIANTS = ("none", "extended", "all", "batch8", "int8")
"""Graphs of a network: as read, optimised, with another batch, quantised; the last two optimised, too."""
BATCH = 8
_FAILURES: tuple[type[Exception], ...] = (DlbricksError, *runtime_errors(SessionSettings()))


class _OneInput(CalibrationDataReader):  # type: ignore[misc]
    """Gives the network's made-up inputs once."""

    def __init__(self, model: Model) -> None:
        self._left = [dict(end_to_end_inputs(model))]

    def get_next(self) -> Any:
        """Give the next inputs, None after the last."""
        return self._left.pop() if self._left else None


def quantised(model: Model) -> Model:
    """Quantise a network as onnxruntime's own tool does: QDQ, 8 bits, one scale per tensor, unsigned activations."""
    with tempfile.TemporaryDirectory(prefix="dlbricks-") as scratch:
        network, blobs = end_to_end_network(model)
        source, result = Path(scratch) / "float32.onnx", Path(scratch) / "int8.onnx"
        write_weights(Path(scratch), blobs)
        source.write_bytes(network_bytes(network))
        kinds = {"activation_type": QuantType.QUInt8, "weight_type": QuantType.QInt8}
        quantize_static(source, result, _OneInput(model), quant_format=QuantFormat.QDQ, per_channel=False, **kinds)
        return read_model(result)


def _batched(path: Path) -> Model:
    return lower(read_batched(path, batch=BATCH))


def _quantised(model: Model) -> Model:
    return lower(quantised(model))


def prepare(folder: Path, names: Sequence[str]) -> None:
    """Make every variant of every network."""
    for name in names:
        path = NETWORKS / f"{name}.onnx"
        portable = read_model(path)
        makers: Mapping[str, Callable[[], Model]] = {
            "none": functools.partial(read_model, path),
            "extended": functools.partial(lower, portable, level="extended"),
            "all": functools.partial(lower, portable),
            "batch8": functools.partial(_batched, path),
            "int8": functools.partial(_quantised, portable),
        }
        for variant, make in makers.items():
            file = folder / f"{name}.{variant}.pkl"
            if file.exists():
                continue
            try:
                file.write_bytes(pickle.dumps(replace(make(), name=name, target=TARGET, groups=())))
            except _FAILURES as error:
                print(f"{name} {variant}: {' '.join(str(error).split())}", flush=True)


def variants_of(folder: Path, name: str) -> dict[str, Model]:
    """Read what ``prepare`` made of a network."""
    files = {variant: folder / f"{name}.{variant}.pkl" for variant in VARIANTS}
    return {variant: pickle.loads(file.read_bytes()) for variant, file in files.items() if file.exists()}  # noqa: S301


def parts_of(model: Model) -> Split:
    """Cut a network into its layers."""
    return split(model, Granularity.parse("1"), "block")


def record(name: str, more: Mapping[str, Any]) -> None:
    """Add to what is kept of a network."""
    lines = map(json.loads, lzma.decompress(KEPT.read_bytes()).splitlines()) if KEPT.exists() else ()
    kept: dict[str, dict[str, Any]] = {line["network"]: line for line in lines}
    content = kept.setdefault(name, {"network": name})
    for key, value in more.items():
        if isinstance(value, dict):
            for inner, row in value.items():
                content.setdefault(key, {}).setdefault(inner, {}).update(row)
        else:
            content[key] = value
    texts = [json.dumps(kept[key], sort_keys=True, separators=(",", ":")) + "\n" for key in sorted(kept)]
    write_bytes(KEPT, lzma.compress("".join(texts).encode(), preset=9))
