"""Layers that cannot be part of a benchmark are skipped with a reason; those that the runtime can run are not."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from dlbricks.errors import InputError, UnsupportedModelError
from dlbricks.model.lowering import kernels
from dlbricks.model.lowering.kernels import has_schema, runtime_ceilings
from tests.model.written import F32, network, node, reading, weight


def reason(call: onnx.NodeProto, folder: Path, dtype: str = "float32", opset: int = 20, **constants: Any) -> str | None:
    """Read a network of one layer and give its reason."""
    domains = [call.domain] if call.domain else []
    made = network([call], {"x": (dtype, (2, 4))}, {"y": None}, constants, opset=opset, domains=domains)
    return reading(made, folder).layers[0].skip


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (node("RandomNormalLike", "x", "y"), "RandomNormalLike gives random results"),
        (node("Bernoulli", "x", "y"), "Bernoulli gives random results"),
        (node("Magic", "x", "y", domain="wizards"), "wizards.Magic is an operator of a custom domain"),
        (node("Dropout", "x r t", "y"), "Dropout in training mode gives random results"),
    ],
)
def test_reasons(tmp_path: Path, call: onnx.NodeProto, text: str) -> None:
    """Random, training and custom operators are named."""
    constants: dict[str, Any] = {"r": np.array(0.5, F32), "t": np.array(True)} if "t" in call.input else {}
    assert reason(call, tmp_path, **constants) == text


@pytest.mark.parametrize("mode", [None, False])
def test_dropout_at_inference_is_a_view(tmp_path: Path, mode: bool | None) -> None:
    """Dropout without training mode, or with it false, is a layer like others."""
    constants: dict[str, Any] = {} if mode is None else {"r": np.array(0.5, F32), "t": np.array(mode)}
    assert reason(node("Dropout", "x" if mode is None else "x r t", "y"), tmp_path, **constants) is None


def test_types_without_a_kernel_are_named(tmp_path: Path) -> None:
    """The runtime's registry decides: LRN has no kernel for 64-bit floats; for 16-bit floats the runtime casts."""
    text = reason(node("LRN", "x", "y", size=3), tmp_path, "float64")
    assert text is not None
    wanted = "LRN-13 has no CPU kernel for float64" if kernels.all_kernels() else "LRN has no CPU kernel"
    assert text.startswith(f"{wanted} in onnxruntime ")
    assert reason(node("Add", "x x", "y"), tmp_path, "float16") is None


@pytest.mark.skipif(kernels.all_kernels() is None, reason="a runtime that cannot list its kernels")
def test_operators_of_an_old_opset_are_answered_with_a_newer_one(tmp_path: Path) -> None:
    """The runtime begins at opset 7: what is older is refused with the opset to convert to, what is newer is not."""
    text = reason(node("PRelu", "x s", "y"), tmp_path, s=np.ones(3, F32), opset=6)
    assert text is not None
    assert text.startswith("PRelu-6 has no CPU kernel in onnxruntime ")
    assert text.endswith(": convert the network to opset 7 or newer, as onnx.version_converter does")
    assert reason(node("PRelu", "x s", "y"), tmp_path, s=np.ones(3, F32), opset=7) is None


def test_a_runtime_that_cannot_list_its_kernels_is_asked_by_trying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that has CUDA, whose list ends the process where TensorRT is missing: it gives the same answers."""
    package = tmp_path / "onnxruntime"
    (package / "capi").mkdir(parents=True)
    for library, listed in (("shared", True), ("tensorrt", False)):
        (package / "capi" / f"libonnxruntime_providers_{library}.so").touch()
        with monkeypatch.context() as patched:
            patched.setattr("onnxruntime.__file__", str(package / "__init__.py"))
            patched.setattr(kernels, "get_all_opkernel_def", list)
            assert (kernels.all_kernels.__wrapped__() is not None) == listed
    calls: list[tuple[str, int]] = [("LRN", 17), ("Add", 17), ("HardSwish", 17), ("Softplus", 22), ("Acosh", 17)]
    answers = []
    for listed in (True, False):
        for cached in (kernels._registered, kernels.has_schema):
            cached.cache_clear()
        if not listed:
            monkeypatch.setattr(kernels, "all_kernels", lambda: None)
        answers.append(
            [
                reason(node(operator, "x x" if operator == "Add" else "x", "y", **more), tmp_path, dtype, opset=opset)
                is None
                for operator, opset in calls
                for more in ({"size": 3} if operator == "LRN" else {},)
                for dtype in ("float32", "float16", "float64", "bfloat16")
            ]
        )
    for cached in (kernels._registered, kernels.has_schema):
        cached.cache_clear()
    assert answers[0] == answers[1]
    assert {True, False} == set(answers[0])
    text = reason(node("LRN", "x", "y", size=3), tmp_path, "float64")
    assert text is not None
    assert text.startswith("LRN has no CPU kernel in onnxruntime ")


def test_operators_that_the_standard_defines_by_others_need_no_kernel(tmp_path: Path) -> None:
    """MeanVarianceNormalization, HardSwish and the like are expanded; where that fails, the reason is the runtime's."""
    assert reason(node("HardSwish", "x", "y"), tmp_path) is None
    assert reason(node("CastLike", "x t", "y"), tmp_path, t=np.array(1, np.int32)) is None
    text = reason(node("Softplus", "x", "y"), tmp_path, "bfloat16", opset=22)
    assert text is not None
    assert "onnxruntime" in text


def test_attributes_without_a_kernel_are_named(tmp_path: Path) -> None:
    """Recurrent layers of layout 1 are refused by the runtime's constructor, not by its registry."""
    call = node("GRU", "x w r", "y", hidden_size=3, layout=1)
    weights = {"w": weight("w", "float32", (1, 9, 4)), "r": weight("r", "float32", (1, 9, 3))}
    made = network([call], {"x": ("float32", (2, 5, 4))}, {"y": None}, weights)
    text = reading(made, tmp_path).layers[0].skip
    assert text is not None
    assert text.startswith("GRU with layout 1")


def test_operators_newer_than_the_runtime_are_refused_with_both_numbers(tmp_path: Path) -> None:
    """A newer opset is fine as long as the operators are old; a newer operator names its opset and the ceiling."""
    newest, ceiling = onnx.defs.onnx_opset_version(), runtime_ceilings()[0]
    if newest == ceiling:
        pytest.skip("the installed onnx is not newer than the runtime")
    assert reason(node("Relu", "x", "y"), tmp_path, opset=newest) is None
    made = network(
        [node("SpaceToDepth", "x", "y", blocksize=2)], {"x": ("float32", (1, 1, 4, 4))}, {"y": None}, opset=newest
    )
    with pytest.raises(UnsupportedModelError, match=rf"opset {newest}.* accepts opset {ceiling} at most"):
        reading(made, tmp_path)


def test_opsets_that_nobody_knows_are_refused(tmp_path: Path) -> None:
    """An opset beyond the installed onnx, or one that cannot be, is named."""
    with pytest.raises(UnsupportedModelError, match="imports opset 999"):
        reason(node("Relu", "x", "y"), tmp_path, opset=999)
    with pytest.raises(InputError, match="imports version 0"):
        reason(node("Relu", "x", "y"), tmp_path, opset=0)


def test_newer_ir_versions_do_not_matter(tmp_path: Path) -> None:
    """Emitted networks have an IR version of their own, so that of the file is not looked at."""
    made = network([node("Relu", "x", "y")], {"x": ("float32", (2,))}, {"y": None})
    made.ir_version = 99
    assert reading(made, tmp_path).layers[0].skip is None


def test_unknown_standard_operators_are_errors(tmp_path: Path) -> None:
    """An operator that the default domain lacks in that opset is named; so is one that was withdrawn."""
    with pytest.raises(InputError, match=r"operator Gelu .* is unknown in opset 13"):
        reason(node("Gelu", "x", "y"), tmp_path, opset=13)
    with pytest.raises(InputError, match=r"operator Upsample .* is unknown in opset 20"):
        reason(node("Upsample", "x s", "y"), tmp_path, s=np.ones(2, F32))


def test_schemas_of_the_runtime_are_known() -> None:
    """Domains of the runtime are not custom ones."""
    assert has_schema("com.microsoft", "BiasGelu", 1)
    assert has_schema("com.microsoft.nchwc", "Conv", 1)
    assert has_schema("ai.onnx.ml", "Scaler", 3)
    assert not has_schema("com.microsoft", "Nonsense", 1)


def test_optional_values_are_skipped(tmp_path: Path) -> None:
    """An optional input is no tensor; the layer that reads it is skipped by name."""
    made = network([node("OptionalHasElement", "o", "y")], {}, {"y": None})
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    made.graph.input.append(helper.make_value_info("o", helper.make_optional_type_proto(inner)))
    model = reading(made, tmp_path)
    assert model.layers[0].skip == "OptionalHasElement handles a sequence, optional or map"
    assert model.spec("o").dtype == ""
