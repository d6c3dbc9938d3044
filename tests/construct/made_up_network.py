"""Models made by hand of layers and bytes, for laws about memory."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from dlbricks.model.types import Constant, Layer, Model, TensorSpec

Operation = tuple[str, Sequence[str], Sequence[str]]
"""Operator, inputs, outputs; tensors whose names begin with ``c`` are constants, with ``x`` inputs of the graph."""


def network(
    operations: Sequence[Operation], nbytes: Mapping[str, int], *, outputs: Sequence[str], domain: str = ""
) -> Model:
    """Make a model; tensors that ``nbytes`` does not hold have 4096 bytes."""
    used = [name for _, inputs, made in operations for name in (*inputs, *made) if name]
    specs = {name: TensorSpec(name=name, dtype="uint8", shape=(nbytes.get(name, 4096),)) for name in used}
    return Model(
        name="made_up",
        layers=tuple(
            Layer(
                name=f"layer{index}",
                op_type=operator,
                domain=domain,
                since_version=1,
                attributes=(),
                inputs=tuple(inputs),
                outputs=tuple(made),
            )
            for index, (operator, inputs, made) in enumerate(operations)
        ),
        inputs=tuple(name for name in specs if name.startswith("x")),
        outputs=tuple(outputs),
        tensors={name: spec for name, spec in specs.items() if not name.startswith("c")},
        constants={name: Constant(spec=spec) for name, spec in specs.items() if name.startswith("c")},
        opsets=(("", 20),),
    )


@st.composite
def networks(draw: st.DrawFn, *, longest: int = 12) -> Model:
    """Draw a network with forks, shared constants, views, operators that overwrite, and outputs amid it."""
    operations: list[Operation] = []
    known = ["x0", "x1"]
    for index in range(draw(st.integers(1, longest))):
        operator = draw(st.sampled_from(["MatMul", "Relu", "Reshape", "Gather", "Add"]))
        made = [f"t{index}"] if draw(st.booleans()) else [f"t{index}", f"u{index}"]
        inputs = [draw(st.sampled_from(known))]
        if operator in ("MatMul", "Add"):
            inputs.append(draw(st.sampled_from([*known, "c0", "c1", f"c{index + 2}"])))
        if operator == "Gather":
            inputs.insert(0, draw(st.sampled_from(["c0", "c1"])))
        if operator == "Reshape":
            made = made[:1]
        operations.append((operator, inputs, made))
        known += made
    names = {name for _, inputs, made in operations for name in (*inputs, *made)}
    sizes = {name: draw(st.sampled_from([1, 100, 4096, 5000, 20_000])) for name in sorted(names)}
    for operator, reads, writes in operations:
        if operator in ("Reshape", "Relu"):
            sizes[writes[0]] = sizes[reads[0]]
    outputs = draw(st.sets(st.sampled_from(known[2:]), max_size=2)) | {known[-1]}
    return network(operations, sizes, outputs=sorted(outputs))
