"""Layers that cannot be part of a benchmark are skipped with a reason; those that the runtime can run are not."""

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
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
        (node("Magic", "x", "y", domain="wizards"), "wizards.Magic is an operator of a custom domain"),
        (node("Dropout", "x r t", "y"), "Dropout in training mode gives random results"),
    ],
)
def test_reasons(tmp_path: Path, call: onnx.NodeProto, text: str) -> None:
    """Training and custom operators are named."""
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
def test_operators_of_an_old_opset_have_no_kernel(tmp_path: Path) -> None:
    """The runtime begins at opset 7: what is older is refused, what is newer is not."""
    text = reason(node("PRelu", "x s", "y"), tmp_path, s=np.ones(3, F32), opset=6)
    assert text is not None
    assert text.startswith("PRelu-6 has no CPU kernel in onnxruntime ")
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


def test_operators_newer_than_the_runtime_are_left_out_with_both_numbers(tmp_path: Path) -> None:
    """A newer opset is fine as long as the operators are old; a newer operator names its opset and the ceiling."""
    newest, ceiling = onnx.defs.onnx_opset_version(), runtime_ceilings()[0]
    if newest == ceiling:
        pytest.skip("the installed onnx is not newer than the runtime")
    made = network(
        [node("Relu", "x", "r"), node("SpaceToDepth", "r", "y", blocksize=2)],
        {"x": ("float32", (1, 1, 4, 4))},
        {"y": None},
        opset=newest,
    )
    relu, moved = reading(made, tmp_path).layers
    assert relu.skip is None
    said = f"SpaceToDepth needs opset {newest}; onnxruntime {onnxruntime.__version__} accepts {ceiling} at most"
    assert moved.skip == f"{said}: install a newer one"


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


UNKNOWN = {
    "never": (node("Nonsense", "x", "u"), "Nonsense is not an operator of opset 20"),
    "before": (node("Swish", "x", "u"), "Swish is not an operator of opset 20"),
    "withdrawn": (node("Upsample", "x s", "u"), "Upsample is not an operator of opset 20"),
    "set of another": (
        node("Magic", "x", "u", domain="ai.onnx.ml"),
        "ai.onnx.ml.Magic is not an operator of version 1 of ai.onnx.ml",
    ),
    "newer set": (
        node("Scaler", "x", "u", domain="ai.onnx.ml", offset=[0.0], scale=[2.0]),
        "ai.onnx.ml.Scaler needs version 99 of ai.onnx.ml; the installed onnx supports 5: install a newer onnx",
    ),
}


@pytest.mark.parametrize(("call", "text"), UNKNOWN.values(), ids=UNKNOWN)
def test_operators_that_onnx_does_not_know_are_left_out_alone(tmp_path: Path, call: onnx.NodeProto, text: str) -> None:
    """As those of custom domains: what the file says of their results stands, and other layers are measured."""
    domains = [call.domain] if call.domain else []
    nodes = [node("Relu", "x", "a"), call, node("Tanh", "u", "y")]
    given = {"x": ("float32", (2, 4))}
    made = network(nodes, given, {"a": None, "y": None}, {"s": np.ones(2, F32)}, domains=domains)
    if "version 99" in text:
        made.opset_import[1].version = 99
    said = {layer.op_type: layer.skip for layer in reading(made, tmp_path).layers}
    assert (said["Relu"], said[call.op_type]) == (None, text)
    behind = said["Tanh"]
    assert behind is None or f"'{call.op_type}' cannot be known: it {text.partition(' ')[2]}, and the file" in behind
    made.graph.value_info.append(helper.make_tensor_value_info("u", TensorProto.FLOAT, [2, 4]))
    said = {layer.op_type: layer.skip for layer in reading(made, tmp_path).layers}
    assert said == {"Relu": None, call.op_type: text, "Tanh": None}


@pytest.mark.parametrize("domain", ["", "wizards"])
def test_bodies_that_call_such_operators_are_left_out(tmp_path: Path, domain: str) -> None:
    """An If or Loop holds what no runtime can run: its reason names the call inside."""
    made = network([node("Magic", "x", "t", domain=domain)], {}, {"t": ("float32", (2, 4))})
    other = network([node("Relu", "x", "e")], {}, {"e": ("float32", (2, 4))})
    call = node("If", "q", "u", then_branch=made.graph, else_branch=other.graph)
    given = {"x": ("float32", (2, 4)), "q": ("bool", ())}
    whole = network([call, node("Relu", "x", "y")], given, {"u": None, "y": None}, domains=[domain] * bool(domain))
    asked, relu = reading(whole, tmp_path).layers
    why = "is an operator of a custom domain" if domain else "is not an operator of opset 20"
    assert (asked.skip, relu.skip) == (f"a body of If calls Magic, which {why}", None)


def test_schemas_of_the_runtime_are_known() -> None:
    """Domains of the runtime are not custom ones."""
    assert has_schema("com.microsoft", "BiasGelu", 1)
    assert has_schema("com.microsoft.nchwc", "Conv", 1)
    assert has_schema("ai.onnx.ml", "Scaler", 3)
    assert not has_schema("com.microsoft", "Nonsense", 1)


def test_optional_values_are_skipped(tmp_path: Path) -> None:
    """An optional input is not a tensor; the layer that reads it is skipped by name."""
    made = network([node("OptionalHasElement", "o", "y")], {}, {"y": None})
    inner = helper.make_tensor_type_proto(TensorProto.FLOAT, [2])
    made.graph.input.append(helper.make_value_info("o", helper.make_optional_type_proto(inner)))
    model = reading(made, tmp_path)
    assert model.layers[0].skip == "OptionalHasElement handles a sequence, optional or map"
    assert model.spec("o").dtype == ""
