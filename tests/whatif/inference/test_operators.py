"""Operators are told apart by what they do, whoever fused, quantised or renamed them."""

import pytest

from dlbricks.whatif.work import KernelClass, class_of_operator, no_work, plain_name, work, work_classes
from tests.whatif.inference.made import launched, layers

NAN = float("nan")


@pytest.mark.parametrize(
    ("operator", "kind"),
    [
        ("Conv", KernelClass.MATRIX),
        ("com.microsoft.nchwc.Conv", KernelClass.MATRIX),
        ("FusedConv", KernelClass.MATRIX),
        ("ConvTranspose", KernelClass.MATRIX),
        ("QLinearConv", KernelClass.MATRIX),
        ("QGemm", KernelClass.MATRIX),
        ("DynamicQuantizeMatMul", KernelClass.MATRIX),
        ("aten::addmm", KernelClass.MATRIX),
        ("QLinearAdd", KernelClass.ELEMENTWISE),
        ("aten::relu_", KernelClass.ELEMENTWISE),
        ("HardSwish", KernelClass.ELEMENTWISE),
        ("QuickGelu", KernelClass.ELEMENTWISE),
        ("BiasGelu", KernelClass.ELEMENTWISE),
        ("SkipLayerNormalization", KernelClass.NORMALISATION),
        ("aten::native_layer_norm", KernelClass.NORMALISATION),
        ("MultiHeadAttention", KernelClass.ATTENTION),
        ("ReorderInput", KernelClass.MOVEMENT),
        ("DequantizeLinear", KernelClass.MOVEMENT),
        ("GlobalAveragePool", KernelClass.REDUCTION),
        ("ReduceMean", KernelClass.REDUCTION),
        ("Softmax", KernelClass.REDUCTION),
        ("LSTM", KernelClass.MATRIX),
        ("NobodyKnows", KernelClass.OTHER),
    ],
)
def test_operators_have_classes(operator: str, kind: KernelClass) -> None:
    """Domains and prefixes do not matter."""
    assert class_of_operator(operator) == kind


def test_names_are_made_plain() -> None:
    """No domain, no prefix of a runtime, no mark of what happens in place."""
    assert [plain_name(name) for name in ("com.microsoft.FusedConv", "aten::add_", "Add")] == ["conv", "add", "add"]


def test_work_is_kernels_or_else_layers() -> None:
    """Calls of the host that launch are no work of the network."""
    graph = launched(["sgemm", "vectorized_elementwise_kernel"])
    assert work(graph).tolist() == [1, 3]
    assert work_classes(graph)[[1, 3]].tolist() == [KernelClass.MATRIX, KernelClass.ELEMENTWISE]
    host = layers(("Conv", 10, NAN, NAN, NAN), ("Relu", 5, NAN, NAN, NAN))
    assert work(host).tolist() == [0, 1]
    assert work_classes(host).tolist() == [KernelClass.MATRIX, KernelClass.ELEMENTWISE]
    assert "neither kernels nor layers" in no_work(launched([]))
