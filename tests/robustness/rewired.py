"""Changes of networks that keep them well-formed and alter what they mean, drawn from a seed.

Where ``mutations`` changes any field of a message, these know ONNX: attributes and operands that change places, other
operator sets, functions and bodies with operands too few or from later nodes, and what ``retyped`` does to tensors.
"""

import contextlib
from collections.abc import Callable, Sequence

import onnx
from onnx import AttributeProto, helper

from tests.robustness import retyped
from tests.robustness.retyped import NUMBERS, Draw, graphs, names, nodes, some

OPERATORS = (
    "If", "Loop", "Scan", "SequenceMap", "Constant", "Identity", "Optional", "OptionalGetElement", "SequenceAt",
    "OptionalHasElement", "SplitToSequence", "ConcatFromSequence", "Reshape", "Resize", "Slice", "Split", "Tile", "Pad",
    "TopK", "Unique", "NonMaxSuppression", "Einsum", "StringSplit", "RegexFullMatch", "LSTM", "Attention", "Expand",
    "TreeEnsemble", "LabelEncoder", "DFT", "STFT", "MelWeightMatrix", "Range", "ConstantOfShape", "OneHot", "Dropout",
    "BatchNormalization", "QLinearConv", "QLinearMatMul", "DynamicQuantizeLinear", "GridSample", "RoiAlign",
    "AffineGrid", "ImageDecoder", "CenterCropPad", "Col2Im", "TensorScatter", "RotaryEmbedding", "Gradient", "Adam",
    "NoSuchThing", "Conv", "MatMul",
)  # fmt: skip
DOMAINS = (
    "",
    "ai.onnx",
    "ai.onnx.ml",
    "com.microsoft",
    "com.microsoft.nchwc",
    "ai.onnx.preview.training",
    "f",
    "nobody",
    "\u00e9",
)


def rewired(data: bytes, draw: Draw) -> bytes:
    """Change what a network means, once or some times."""
    model = onnx.load_model_from_string(data)
    for _ in range(draw.choice((1, 1, 2, 3))):
        with contextlib.suppress(ValueError, TypeError):  # what a message cannot hold
            draw.choice(CHANGES)(model, draw)
    return bytes(model.SerializeToString())


def _swapped(model: onnx.ModelProto, draw: Draw) -> None:
    """Exchange the attributes, operands or operators of two nodes."""
    pair = some(nodes(model), draw, 2)
    if len(pair) == 2:
        one, other = pair
        name = draw.choice(("attribute", "input", "output", "op_type", "domain"))
        kept = onnx.NodeProto()
        kept.CopyFrom(one)
        for target, source in ((one, other), (other, kept)):
            value = getattr(source, name)
            if isinstance(value, str):
                setattr(target, name, value)
            else:
                values = [*value]
                target.ClearField(name)
                getattr(target, name).extend(values)


def _attribute(model: onnx.ModelProto, draw: Draw) -> None:
    """Change the type of an attribute, its numbers, or how many there are."""
    found = [(node, one) for node in nodes(model) for one in node.attribute]
    for node, one in some(found, draw):
        kind = draw.randrange(6)
        if kind == 0:
            one.type = draw.choice([value.number for value in AttributeProto.DESCRIPTOR.enum_types[0].values])
        elif kind == 1 and one.ints:
            one.ints[draw.randrange(len(one.ints))] = draw.choice((0, -1, 2**31, 2**62, -(2**63), 97))
        elif kind == 2:
            one.ints.extend([draw.choice((0, 1, -1, 2**40))] * draw.choice((1, 3, 200)))
        elif kind == 3:
            one.i, one.f = draw.choice((0, -1, 2**31, -(2**63), 2**63 - 1, 5)), draw.choice(NUMBERS)
        elif kind == 4:
            one.ref_attr_name = draw.choice(("", "axis", one.name, "nowhere"))
        else:
            copied = node.attribute.add()
            copied.CopyFrom(one)


def _opsets(model: onnx.ModelProto, draw: Draw) -> None:
    """Import an older or newer set, none, or one twice; say another version of the format."""
    kind = draw.randrange(4)
    if kind == 0 and model.opset_import:
        draw.choice(model.opset_import).version = draw.choice((1, 5, 6, 7, 9, 10, 11, 12, 13, 18, 26, 99, 0, -1, 2**40))
    elif kind == 1:
        model.opset_import.add(domain=draw.choice(DOMAINS), version=draw.choice((1, 3, 5, 22)))
    elif kind == 2 and model.opset_import:
        del model.opset_import[draw.randrange(len(model.opset_import))]
    else:
        model.ir_version = draw.choice((0, 1, 2, 3, 4, 8, 12, 13, 14, 99, -1, 2**62))


def _operator(model: onnx.ModelProto, draw: Draw) -> None:
    """Call another operator with the same operands."""
    for node in some(nodes(model), draw):
        node.op_type, node.domain = draw.choice(OPERATORS), draw.choice(DOMAINS if draw.random() < 0.3 else ("",))


def _operands(model: onnx.ModelProto, draw: Draw) -> None:
    """Leave out operands or results, give more of them, or those of another node."""
    known = names(model)
    for node in some(nodes(model), draw, 2):
        values = draw.choice((node.input, node.output))
        kind = draw.randrange(4)
        if kind == 0 and values:
            values[draw.randrange(len(values))] = ""
        elif kind == 1 and values:
            del values[draw.randrange(len(values)) :]
        elif kind == 2:
            values.extend(some(known, draw, draw.choice((1, 2, 12))))
        elif values:
            values[draw.randrange(len(values))] = draw.choice(known)


def _bodied(model: onnx.ModelProto, draw: Draw) -> None:
    """Put a node into bodies, which read names from before, from behind and from nowhere."""
    graph = draw.choice(graphs(model))
    if not graph.node:
        return
    at = draw.randrange(len(graph.node))
    node = graph.node[at]
    known, kind = names(model), draw.choice(("If", "Loop", "Scan", "SequenceMap"))
    bodies = []
    for number in range(2):
        inner = onnx.NodeProto()
        inner.CopyFrom(node)
        if draw.random() < 0.3 and inner.input:
            inner.input[0] = draw.choice(known)
        outputs = [onnx.ValueInfoProto(name=name) for name in node.output if name]
        given = [
            helper.make_tensor_value_info(f"b{one}", draw.choice((1, 7, 9)), None) for one in range(draw.randrange(4))
        ]
        if draw.random() < 0.3:
            outputs = some(outputs + [onnx.ValueInfoProto(name=name) for name in some(known, draw, 2)], draw, 3)
        bodies.append(helper.make_graph([inner], f"body{number}", given if kind != "If" else [], outputs))
    condition = draw.choice(known)
    made = helper.make_node(kind, [condition, *some(known, draw, draw.randrange(4))], [*node.output])
    for name, body in zip(("then_branch", "else_branch") if kind == "If" else ("body",), bodies, strict=False):
        made.attribute.append(helper.make_attribute(name, body))
    if kind == "Scan":
        made.attribute.append(helper.make_attribute("num_scan_inputs", draw.choice((0, 1, -1, 5))))
    node.CopyFrom(made)


def _function(model: onnx.ModelProto, draw: Draw) -> None:
    """Make a node a function: operands too few, attributes missing, names that are taken, sets without import."""
    found = [node for graph in graphs(model) for node in graph.node]
    for node in some(found, draw):
        inner = onnx.NodeProto()
        inner.CopyFrom(node)
        inputs = [name for name in dict.fromkeys(node.input) if name]
        domain, name = draw.choice(("f", "f", "", "nobody")), draw.choice(("G", node.op_type, "Relu"))
        if draw.random() < 0.3 and inner.attribute:
            inner.attribute[0].ref_attr_name = draw.choice(("given", inner.attribute[0].name))
        kept = inputs[: draw.choice((len(inputs), len(inputs), 0, 1))]
        outputs = [one for one in node.output if one][: draw.choice((9, 9, 0))] + draw.choice(([], [], ["nowhere"]))
        imports = draw.choice(([*model.opset_import], [], [helper.make_opsetid("", draw.choice((1, 13, 99)))]))
        made = helper.make_function(domain, name, kept, outputs, [inner], imports, draw.choice(([], ["given"])))
        if draw.random() < 0.2:
            made.overload = node.overload = "o"
        model.functions.append(made)
        node.op_type, node.domain = name, domain
        del node.input[draw.choice((len(node.input), 0, 1)) :]
        if all(one.domain != domain for one in model.opset_import):
            model.opset_import.add(domain=domain, version=1)


def _renamed(model: onnx.ModelProto, draw: Draw) -> None:
    """Let names collide: of nodes, tensors, inputs and outputs."""
    known, graph = names(model), draw.choice(graphs(model))
    kind = draw.randrange(5)
    if kind == 0:
        for node in graph.node:
            node.name = draw.choice(("", "same"))
    elif kind == 1 and graph.output:
        draw.choice(graph.output).name = draw.choice(known)
    elif kind == 2 and graph.input:
        draw.choice(graph.input).name = draw.choice(known)
    elif kind == 3 and graph.initializer:
        draw.choice(graph.initializer).name = draw.choice(known)
    else:
        graph.output.append(onnx.ValueInfoProto(name=draw.choice(known)))


def _ordered(model: onnx.ModelProto, draw: Draw) -> None:
    """Shuffle, double or turn round the nodes of a graph."""
    graph = draw.choice(graphs(model))
    found = [*graph.node]
    kind = draw.randrange(3)
    if kind == 0:
        draw.shuffle(found)
    elif kind == 1:
        found += found[:2]
    else:
        found.reverse()
    copied = [onnx.NodeProto.FromString(node.SerializeToString()) for node in found]
    del graph.node[:]
    graph.node.extend(copied)


def _rest(model: onnx.ModelProto, draw: Draw) -> None:
    """Fill fields that few files have: training, quantisation, devices, metadata."""
    kind = draw.randrange(4)
    if kind == 0:
        model.training_info.add().algorithm.CopyFrom(model.graph)
    elif kind == 1:
        note = model.graph.quantization_annotation.add(tensor_name=draw.choice(names(model)))
        note.quant_parameter_tensor_names.add(key="SCALE_TENSOR", value="nowhere")
    elif kind == 2:
        model.configuration.add(name="d", num_devices=draw.choice((0, -1, 2**31 - 1)))
        for node in some(nodes(model), draw):
            node.device_configurations.add(configuration_id="d", pipeline_stage=-5)
    else:
        model.metadata_props.add(
            key=draw.choice(("dlbricks", "dlbricks.lowered", "target", "")), value=draw.choice(("{}", "[", "null", "x"))
        )


CHANGES: Sequence[Callable[[onnx.ModelProto, Draw], None]] = (
    *retyped.CHANGES,
    _swapped, _attribute, _opsets, _operator, _operands, _bodied, _function, _renamed, _ordered, _rest,
)  # fmt: skip
