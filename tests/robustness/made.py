"""Small networks with what few real ones hold: bodies, functions, sequences, strings, operators of the runtime."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64, BOOL = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL


def model(
    nodes: list[onnx.NodeProto],
    inputs: dict[str, list[int | str]],
    outputs: list[str],
    constants: dict[str, np.ndarray] | None = None,
    functions: list[onnx.FunctionProto] | None = None,
) -> onnx.ModelProto:
    """Write a network of floating-point inputs."""
    graph = helper.make_graph(
        nodes,
        "g",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs],
        [numpy_helper.from_array(array, name) for name, array in (constants or {}).items()],
    )
    imports = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1), helper.make_opsetid("f", 1)]
    return helper.make_model(graph, opset_imports=imports, functions=functions or [], ir_version=10)


def counted_loop(trips: int) -> onnx.ModelProto:
    """A Loop that adds its input as often as a constant says."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Add", ["v", "x"], ["w"])],
        "body",
        [
            helper.make_tensor_value_info("i", INT64, []),
            helper.make_tensor_value_info("c", BOOL, []),
            helper.make_tensor_value_info("v", FLOAT, [4]),
        ],
        [helper.make_tensor_value_info("d", BOOL, []), helper.make_tensor_value_info("w", FLOAT, [4])],
    )
    loop = helper.make_node("Loop", ["n", "t", "x"], ["y"], body=body)
    return model([loop], {"x": [4]}, ["y"], {"n": np.array(trips, np.int64), "t": np.array(True)})


def scanning_loop(trips: int) -> onnx.ModelProto:
    """A Loop that collects a vector in each trip, so that the shape of its output is its number of trips."""
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Relu", ["x"], ["w"])],
        "body",
        [helper.make_tensor_value_info("i", INT64, []), helper.make_tensor_value_info("c", BOOL, [])],
        [helper.make_tensor_value_info("d", BOOL, []), helper.make_tensor_value_info("w", FLOAT, [4])],
    )
    loop = helper.make_node("Loop", ["n", "t"], ["y"], body=body)
    return model([loop], {"x": [4]}, ["y"], {"n": np.array(trips, np.int64), "t": np.array(True)})


def nested(kind: str, depth: int) -> onnx.ModelProto:
    """Bodies within bodies."""
    nodes, out = [helper.make_node("Relu", ["x"], ["r0"])], "r0"
    for level in range(1, depth + 1):
        result = f"r{level}"
        if kind == "If":
            bodies = {
                name: helper.make_graph(
                    [*nodes, helper.make_node("Identity", [out], [f"{result}{name[0]}"])]
                    if name == "then_branch"
                    else [helper.make_node("Neg", ["x"], [f"{result}e"])],
                    f"{name}{level}",
                    [],
                    [helper.make_tensor_value_info(f"{result}{name[0]}", FLOAT, [4])],
                )
                for name in ("then_branch", "else_branch")
            }
            nodes = [helper.make_node("If", ["t"], [result], **bodies)]
        else:
            body = helper.make_graph(
                [*nodes, helper.make_node("Identity", [f"c{level}"], [f"d{level}"])],
                f"body{level}",
                [
                    helper.make_tensor_value_info(f"i{level}", INT64, []),
                    helper.make_tensor_value_info(f"c{level}", BOOL, []),
                    helper.make_tensor_value_info(f"v{level}", FLOAT, [4]),
                ],
                [helper.make_tensor_value_info(f"d{level}", BOOL, []), helper.make_tensor_value_info(out, FLOAT, [4])],
            )
            nodes = [helper.make_node("Loop", ["n", "t", "x"], [result], body=body)]
        out = result
    return model(nodes, {"x": [4]}, [out], {"n": np.array(2, np.int64), "t": np.array(True)})


def networks() -> list[onnx.ModelProto]:
    """Give sound networks that mutations begin with."""
    scale = helper.make_function(
        "f", "Scale", ["a"], ["b"], [helper.make_node("Mul", ["a", "a"], ["b"])], [helper.make_opsetid("", 21)]
    )
    rng = np.random.default_rng(0)
    weight = rng.standard_normal((8, 3, 3, 3), np.float32)
    square = rng.standard_normal((8, 24), np.float32)
    return [
        counted_loop(3),
        scanning_loop(5),
        nested("If", 3),
        nested("Loop", 3),
        model([helper.make_node("Scale", ["x"], ["y"], domain="f")], {"x": ["n", 4]}, ["y"], functions=[scale]),
        model(
            [
                helper.make_node("Conv", ["x", "w"], ["a"], pads=[1, 1, 1, 1], strides=[2, 2]),
                helper.make_node("Relu", ["a"], ["b"]),
                helper.make_node("GlobalAveragePool", ["b"], ["c"]),
                helper.make_node("Flatten", ["c"], ["d"]),
                helper.make_node("Softmax", ["d"], ["y"]),
            ],
            {"x": ["batch", 3, "2*h", "h+h"]},
            ["y"],
            {"w": weight},
        ),
        model(
            [
                helper.make_node("Shape", ["x"], ["s"]),
                helper.make_node("Gather", ["s", "zero"], ["b"]),
                helper.make_node("Concat", ["b", "rest"], ["t"], axis=0),
                helper.make_node("Reshape", ["x", "t"], ["r"]),
                helper.make_node("MatMul", ["r", "w"], ["m"]),
                helper.make_node("Split", ["m"], ["q", "k", "v"], axis=-1, num_outputs=3),
                helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]),
                helper.make_node("MatMul", ["q", "kt"], ["p"]),
                helper.make_node("Softmax", ["p"], ["o"]),
                helper.make_node("MatMul", ["o", "v"], ["y"]),
            ],
            {"x": [2, 4, 8]},
            ["y"],
            {"zero": np.array([0], np.int64), "rest": np.array([-1, 8], np.int64), "w": square},
        ),
        model(
            [
                helper.make_node("NonZero", ["x"], ["z"]),
                helper.make_node("Cast", ["z"], ["c"], to=FLOAT),
                helper.make_node("ReduceSum", ["c"], ["y"], keepdims=0),
            ],
            {"x": [3, 4]},
            ["y"],
        ),
        model(
            [
                helper.make_node("SequenceConstruct", ["x", "x"], ["s"]),
                helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=0),
            ],
            {"x": [2, 4]},
            ["y"],
        ),
        model(
            [
                helper.make_node("QuantizeLinear", ["x", "s", "z"], ["q"]),
                helper.make_node("DequantizeLinear", ["q", "s", "z"], ["d"]),
                helper.make_node("LSTM", ["d", "w", "r"], ["y"], hidden_size=4),
            ],
            {"x": [3, 1, 8]},
            ["y"],
            {
                "s": np.array(0.1, np.float32),
                "z": np.array(3, np.uint8),
                "w": rng.standard_normal((1, 16, 8), np.float32),
                "r": rng.standard_normal((1, 16, 4), np.float32),
            },
        ),
        model(
            [helper.make_node("Attention", ["x", "w", "b"], ["y"], domain="com.microsoft", num_heads=2)],
            {"x": [1, 4, 8]},
            ["y"],
            {"w": square, "b": np.zeros(24, np.float32)},
        ),
    ]
