"""Chooses synthetic weights and inputs that operators accept, and that give finite outputs without denormals.

The values of a weight follow from its role: weights of products are scaled by fan-in, divisors are near 1. Amplitudes
are powers of two with exponents in steps of 1/4, so that few weight files serve many networks.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial

import numpy as np

from dlbricks.harness.dtypes import BY_NAME, as_bytes
from dlbricks.harness.values import fill
from dlbricks.model.tensors import numbers_of
from dlbricks.model.types import Constant, Generator, Layer, Model, Placement, TensorSpec, WeightBlob
from dlbricks.operators.costs import layer_flops
from dlbricks.operators.counts import integer_of
from dlbricks.operators.ranges import float_bounds, integer_bounds, literal_value, reaching_logarithms, selected_count
from dlbricks.operators.row import LayerView, Moves, OperandRole, Operator, if_it_fits, nothing
from dlbricks.operators.table import kernel
from dlbricks.operators.uses import Purpose, Use, decides_fusion, other_zero_point, purpose_of, uses_of
from dlbricks.operators.value_rules import bounded, multiplied

# 2 to the power of 0, 1/4, 2/4, 3/4, as literals, so that they do not depend on a mathematics library.
_QUARTERS = (1.0, 1.189207115002721, 1.4142135623730951, 1.681792830507429)
# fills up to this size stay in the network: a weight file for each would take more bytes
_FILLED_INLINE_BYTES = 4096
# limit of a literal value, since longer ones would fill suite.json
_LITERAL_BYTES = 4096
# large weights begin at a page, so that runtimes map them; small ones at a cache line, as kernels load vectors
_PAGE = 4096
_ALIGNMENT = 64
# integer biases are small beside the sums of products that they are added to
_BIAS_INTEGERS = 16
# 8-bit quantised weights use 7 bits. On x86 processors without VNNI, integer products add two products of an unsigned
# and a signed byte in 16 bits and saturate (``vpmaddubsw``): 2 * 255 * 64 fits, 2 * 255 * 127 does not.
# Range of quantised bytes around their zero point, so that no instruction set saturates.
_REDUCED_HALF = 1 << 6
# attention masks hide few positions, as padding does; other conditions are undecided
_MASK_DENSITY = 0.9
_CONDITION_DENSITY = 0.5


def _weight_generator(
    model: Model, uses: Mapping[str, Sequence[Use]], name: str, logarithmic: frozenset[str]
) -> Generator:
    constant = model.constants[name]
    element = BY_NAME[constant.spec.dtype]
    if element.kind == "bool":
        return Generator(kind="spaced", density=_CONDITION_DENSITY)
    purpose = purpose_of(model, uses, name)
    if element.kind == "int":
        bounds = integer_bounds(model, uses, name) if element.bits > 8 and purpose.role is OperandRole.ANY else None
        if element.bits == 8 and purpose.role is OperandRole.QUANTISED and not _is_packed(uses[name]):
            bounds = _reduced(constant.spec.dtype)
        return _integers(constant.spec, purpose.role, bounds, other=other_zero_point(constant, uses.get(name, ())))
    accepted = float_bounds(uses, name) if purpose.role is OperandRole.ANY else None
    if accepted is not None:
        return Generator(kind="uniform", low=accepted[0], high=accepted[1])
    if purpose.product in logarithmic:
        step = grid_step(1 / purpose.fan_in)
        return Generator(kind="uniform", low=grid_value(step - 4), high=grid_value(step + 4))
    return _floats(constant.spec, purpose, uses.get(name, ()))


def _integers(spec: TensorSpec, role: OperandRole, bounds: tuple[int, int] | None, *, other: bool = False) -> Generator:
    bits = BY_NAME[spec.dtype].bits
    signed = spec.dtype.startswith("int")
    if role is OperandRole.ZERO_POINT:
        value = int(other) if signed else 0 if other else 1 << (bits - 1)
        return Generator(kind="literal", values=_one(spec.dtype, value).hex())
    if bounds is None and spec.dtype == "int8":
        bounds = _reduced(spec.dtype)
    if bounds is not None:
        return Generator(kind="integers", low=bounds[0], high=bounds[1])
    if bits <= 8 or (role is OperandRole.QUANTISED and bits <= 16):
        half = 1 << (bits - 1)
        return Generator(kind="integers", low=-half if signed else 0, high=half if signed else 2 * half)
    if role in {OperandRole.BIAS, OperandRole.QUANTISED} and signed:
        return Generator(kind="integers", low=-_BIAS_INTEGERS, high=_BIAS_INTEGERS)
    return Generator(kind="integers", low=0, high=2)


def _is_packed(uses: Sequence[Use]) -> bool:
    # Return whether bytes of quantised data hold several values.
    return uses[0].row.packed and integer_of(uses[0].proto, "bits", 4) != 8


def _reduced(dtype: str) -> tuple[int, int]:
    # Return seven bits around the zero point of bytes.
    middle = 0 if dtype == "int8" else 128
    return middle - _REDUCED_HALF, middle + _REDUCED_HALF


def _floats(spec: TensorSpec, purpose: Purpose, uses: Sequence[Use]) -> Generator:
    if spec.dtype == "float4e2m1":
        return Generator(kind="uniform", low=-6.0, high=6.0)
    if purpose.role is OperandRole.WEIGHT:
        amplitude = grid_value(grid_step(math.sqrt(3 / purpose.fan_in)))
        return Generator(kind="uniform", low=-amplitude, high=amplitude)
    if purpose.role in {OperandRole.WEIGHT_SCALE, OperandRole.BIAS_SCALE}:
        # of 8 bits unless the operator says otherwise
        largest = 8 if uses and _is_packed(uses) else _REDUCED_HALF
        step = grid_step(math.sqrt(3 / purpose.fan_in) / largest)
        if purpose.role is OperandRole.BIAS_SCALE:
            step += _ACTIVATION_STEP
        return Generator(kind="uniform", low=grid_value(step - 1), high=grid_value(step + 1))
    if purpose.role is OperandRole.ZERO_POINT:
        return Generator(kind="literal", values=_one(spec.dtype, 0).hex())
    low, high = _FLOATS.get(purpose.role, (-1.0, 1.0))
    return Generator(kind="uniform", low=low, high=high)


def grid_step(amplitude: float) -> int:
    """Return the integer s with 2 ** (s / 4) nearest to a positive amplitude."""
    return round(4 * math.log2(amplitude))


def grid_value(step: int) -> float:
    """Return 2 ** (``step`` / 4); the bits are the same on every machine."""
    return math.ldexp(_QUARTERS[step % 4], step // 4)


# Middle of the quantisation steps of activations, on the grid.
_ACTIVATION_STEP = grid_step(math.sqrt(1 / 64 * 1 / 32))
# Bounds of floats by role, -1 and 1 for others. Biases have amplitude 0.0526; steps of quantised activations neither
# saturate nor vanish in 8 bits for values of a few units.
_FLOATS = {
    OperandRole.BIAS: (-grid_value(-17), grid_value(-17)),
    OperandRole.POSITIVE: (0.5, 1.5),
    OperandRole.SCALE: (1 / 64, 1 / 32),
}


def _divided(generator: Generator, power: int) -> Generator:
    # Divide the bounds of a generator by a power of two, rounded to the grid.
    low, high = (
        math.copysign(grid_value(grid_step(abs(bound)) - 4 * power), bound) for bound in (generator.low, generator.high)
    )
    return replace(generator, low=low, high=high)


def _one(dtype: str, value: int) -> bytes:
    # Return one element, little-endian; in the low bits for types below a byte.
    low, high = (value, value + 1) if BY_NAME[dtype].kind == "int" else (0, 0)
    kind = "integers" if BY_NAME[dtype].kind == "int" else "uniform"
    return as_bytes(fill(dtype, (1,), asdict(Generator(kind=kind, low=low, high=high)), 0, "one"))


def blob_file(dtype: str, generator: Generator) -> str:
    """Return the file name of weights, which describes their values.

    ``u-17`` is uniform with amplitude ``2 ** (-17 / 4)``, ``g-30_-28`` uniform between ``2 ** (-30 / 4)`` and ``2 **
    (-28 / 4)``, ``r0.5_1.5`` uniform between these bounds, ``i0_256`` integers, ``s0.5`` booleans, ``v`` equal values.
    """
    return f"weights.{dtype}.{_blob_kind(generator)}.bin"


def _blob_kind(generator: Generator) -> str:
    low, high = generator.low, generator.high
    if generator.kind == "integers":
        return f"i{int(low)}_{int(high)}"
    if generator.kind == "spaced":
        return f"s{generator.density!r}"
    if generator.kind == "literal":
        return f"v{generator.values}"
    if high > 0 and grid_value(grid_step(high)) == high:
        if low == -high:
            return f"u{grid_step(high)}"
        if low > 0 and grid_value(grid_step(low)) == low:
            return f"g{grid_step(low)}_{grid_step(high)}"
    return f"r{low!r}_{high!r}"


def input_generators(model: Model, layers: Sequence[int], tensors: Iterable[str]) -> dict[str, Generator]:
    """Return a generator of values that the layers accept, for each input by name.

    Values that decide shapes come from a run or follow from shapes. Indices lie within their axis. Operands of
    divisions, logarithms and roots lie in the domain of the function.
    """
    uses = uses_of(model, layers)
    return {tensor: _generator(model, uses, tensor) for tensor in tensors}


def _generator(model: Model, uses: Mapping[str, Sequence[Use]], tensor: str) -> Generator:
    spec = model.spec(tensor)
    literal = (model.observed or {}).get(tensor)
    if literal is None:
        literal = literal_value(model, uses, tensor)
    if literal is not None and len(literal) <= _LITERAL_BYTES:
        return Generator(kind="literal", values=literal.hex())
    element = BY_NAME[spec.dtype]
    if element.kind == "bool":
        return Generator(kind="spaced", density=_density(model, uses, tensor))
    roles = (use.role for use in uses.get(tensor, ()) if use.role in _OF_INPUTS)
    role = next(roles, OperandRole.ANY)
    if element.kind == "int":
        return _integers(spec, role, integer_bounds(model, uses, tensor))
    if role in {OperandRole.ZERO_POINT, OperandRole.WEIGHT_SCALE}:
        return _floats(spec, purpose_of(model, uses, tensor), uses[tensor])
    low, high = float_bounds(uses, tensor) or (-1.0, 1.0)
    return Generator(kind="uniform", low=low, high=high)


# Roles of inputs that decide the choice of a generator.
_OF_INPUTS = (OperandRole.ZERO_POINT, OperandRole.WEIGHT_SCALE, OperandRole.SCALE, OperandRole.QUANTISED)


def _density(model: Model, uses: Mapping[str, Sequence[Use]], name: str) -> float:
    # Return the share of true values: implied by the observed result, most for attention masks, else half.
    for use in uses.get(name, ()):
        selected = selected_count(model, use)
        if selected is not None:
            return min(1.0, selected / max(1, model.spec(name).elements))
        if use.node is None and "Attention" in use.operator[1]:
            return _MASK_DENSITY
    return _CONDITION_DENSITY


def place_constants(
    model: Model, layers: Sequence[int], constants: Iterable[str], *, real_values: bool = False
) -> tuple[dict[str, Placement | bytes], tuple[WeightBlob, ...]]:
    """Decide for each constant whether an emitted network embeds its values, or which weight file holds them.

    Single elements and values that decide run time or shape are embedded. Other constants get disjoint ranges of weight
    files, since the runtime merges equal constants. Layers and names must be in canonical order. With ``real_values``,
    single elements such as an epsilon keep their values.

    Returns:
        The values or the place of each constant by name, in the order of ``constants``; and the weight files, sorted by
            name.
    """
    uses = uses_of(model, layers)
    logarithmic = reaching_logarithms(uses)
    embedded = {
        name: _embedded(
            model.constants[name],
            uses.get(name, ()),
            real_values=real_values or decides_fusion(model, model.constants[name].spec),
        )
        for name in constants
    }
    drawn = {
        name: _filled(model.constants[name], uses.get(name, ())) or _weight_generator(model, uses, name, logarithmic)
        for name, values in embedded.items()
        if values is None
    }
    for name, power in damping(model, layers, drawn).items():
        drawn[name] = _divided(drawn[name], power)
    places: dict[str, Placement | bytes] = {}
    blobs: dict[str, tuple[str, Generator, int]] = {}
    for name, values in embedded.items():
        if values is not None:
            places[name] = values
            continue
        spec, generator = model.constants[name].spec, drawn[name]
        small = generator.kind == "literal" and spec.nbytes <= _FILLED_INLINE_BYTES
        if small or spec.elements <= 1:
            places[name] = as_bytes(fill(spec.dtype, spec.shape, asdict(generator), 0, "single"))
            continue
        file = blob_file(spec.dtype, generator)
        end = blobs[file][2] if file in blobs else 0
        alignment = _PAGE if spec.nbytes >= _PAGE else _ALIGNMENT
        offset = -(-end // alignment) * alignment
        places[name] = Placement(file=file, offset=offset)
        blobs[file] = (spec.dtype, generator, offset + spec.nbytes)
    files = (
        WeightBlob(file=file, dtype=dtype, nbytes=nbytes, generator=generator)
        for file, (dtype, generator, nbytes) in sorted(blobs.items())
    )
    return places, tuple(files)


def _embedded(constant: Constant, uses: Sequence[Use], *, real_values: bool) -> bytes | None:
    # Return the kept values if they are to be embedded, else None.
    if constant.values is None:
        return None
    counts = not uses or any(use.value_matters(constant.spec) for use in uses)
    if counts or (real_values and constant.spec.elements <= 1):
        return constant.values
    return None


def _filled(constant: Constant, uses: Sequence[Use]) -> Generator | None:
    # Return a generator of one value for integer and boolean fills; floats and quantised data are weights.
    if constant.fill is None or BY_NAME[constant.spec.dtype].kind not in {"int", "bool"}:
        return None
    if uses and uses[0].role is OperandRole.QUANTISED:
        return None
    return Generator(kind="literal", values=constant.fill.hex())


# Powers of two, tried in order until no value overflows; below 1, blocks add little.
LIMITS = (24.0, 12.0, 6.0, 3.0, 0.0, -8.0, -16.0)
# float16 ends at 2 ** 16 and float32 at 2 ** 128; some powers are left for sums inside of kernels
_LARGEST = {"float16": 13.0}
_OTHERS_LARGEST = 110.0
# Powers of two by which some rows exceed the root mean square; repeated squares exceed it far more.
_TAIL = 2.0
# float16 has few powers above 1, and squares double them
_HALF_LIMIT = 5.0
# Constants outside these powers of two are zeros, epsilons and infinities of masks, which count as 1.
_LEAST, _INFINITE = -60.0, 60.0

_MOVING = Moves.RESHAPES | Moves.PERMUTES | Moves.CONVERTS | Moves.DEQUANTISES


def damping(model: Model, layers: Sequence[int], drawn: Mapping[str, Generator]) -> dict[str, int]:
    """Map each constant that would make results overflow to an exponent e; the caller divides its values by 2 ** e.

    ``layers`` are in topological order.
    """
    counts = Counter(name for index in layers for name in model.layers[index].inputs)
    shared = frozenset(name for name in drawn if counts[name] > 1)
    damped: dict[str, int] = {}
    for limit in LIMITS:
        usual = _Estimate(model, drawn, limit, shared)
        usual.visit_all(layers)
        damped = usual.damped
        large = _Estimate(model, drawn, math.inf, shared, damped, _TAIL)
        if not usual.overflows:
            large.visit_all(layers)
        if not (usual.overflows or large.overflows):
            break
    return damped


@dataclass(slots=True)
class _Estimate:
    # One pass over the layers with the magnitude of every tensor so far; unknown ones are ``about``.
    model: Model
    drawn: Mapping[str, Generator]
    limit: float
    shared: frozenset[str]
    damped: dict[str, int] = field(default_factory=dict)
    about: float = 0.0
    overflows: bool = False
    magnitudes: dict[str, float] = field(default_factory=dict)
    source: dict[str, str] = field(default_factory=dict)

    def visit_all(self, layers: Sequence[int]) -> None:
        # Estimate the results of some layers, in topological order, up to the first that overflow if other limits
        # remain. Shapes of skipped layers may be unknown.
        for layer in map(self.model.layers.__getitem__, layers):
            if not (layer.skip or (self.overflows and self.limit > LIMITS[-1])):
                self.visit(layer)

    def visit(self, layer: Layer) -> None:
        # Estimate the results of a layer, and make its weights smaller if necessary.
        operands = [self._of(name) for name in layer.inputs]
        estimated = if_it_fits(partial(_magnitude, LayerView(self.model, layer), operands))
        size = self.about if estimated is None else estimated
        dtype = self.model.spec(next(filter(None, layer.outputs))).dtype
        limit = min(self.limit, _HALF_LIMIT) if dtype == "float16" and self.limit < math.inf else self.limit
        if size > limit:
            size -= self._damp(layer, math.ceil(size - min(limit, 0.0)))
        self.overflows |= size > _LARGEST.get(dtype, _OTHERS_LARGEST)
        if _row(layer).moves & _MOVING and layer.inputs and (source := self._adjustable(layer)):
            self.source[layer.outputs[0]] = source
        self.magnitudes.update(dict.fromkeys(filter(None, layer.outputs), size))

    def _damp(self, layer: Layer, excess: int) -> int:
        # Make a weight of a layer smaller; return by how much its results become smaller.
        source = self._adjustable(layer) if _row(layer).scaled_by else ""
        if not source:
            return 0
        self.damped[source] = self.damped.get(source, 0) + excess
        return excess

    def _adjustable(self, layer: Layer) -> str:
        # Return the synthetic float constant that scales the results of a layer; empty if there is none.
        if _row(layer).moves & Moves.DEQUANTISES:
            return layer.inputs[1] if {layer.inputs[0], layer.inputs[1]} <= self.drawn.keys() else ""
        row = _row(layer)
        scales = bool(row.scaled_by) and not _is_sum(row)
        for position in row.scaled_by or (1, 0):
            name = layer.inputs[position] if position < len(layer.inputs) else ""
            name = self.source.get(name, name)
            made_up = name in self.drawn and BY_NAME[self.model.spec(name).dtype].kind == "float"
            if made_up and not (scales and name in self.shared):
                return name
        return ""

    def _of(self, name: str) -> float:
        # Return the magnitude of an operand; 0 (values about 1) if it is omitted or unknown.
        if name in self.magnitudes:
            return self.magnitudes[name]
        size = self._constant(name) if name in self.model.constants else self.about
        return size - self.damped.get(name, 0)

    def _constant(self, name: str) -> float:
        generator, constant = self.drawn.get(name), self.model.constants[name]
        if generator is not None and generator.kind == "uniform":
            low, high = generator.low, generator.high
            return math.log2(math.sqrt((low * low + low * high + high * high) / 3) or 1.0)
        numbers = None if constant.values is None else numbers_of(constant)
        if BY_NAME[constant.spec.dtype].kind != "float" or numbers is None or not numbers.size:
            return 0.0
        largest = float(np.abs(numbers).max())
        size = math.log2(largest) if 0 < largest < math.inf else 0.0
        return size if _LEAST < size < _INFINITE else 0.0


def _row(layer: Layer) -> Operator:
    return kernel(layer.domain, layer.op_type)


def _is_sum(row: Operator) -> bool:
    # Return whether results are sums of products of two operands.
    return row.magnitude is multiplied and row.cost is not None and row.cost.products is not nothing


def _magnitude(view: LayerView, operands: Sequence[float]) -> float | None:
    # Estimate the results of a layer; None if they are about 1 for any operands.
    row = _row(view.layer)
    if kernel("", view.text("activation")).magnitude is bounded:
        return None
    size = row.magnitude(view, operands) if row.magnitude is not None else max(operands, default=0.0)
    if size is None or not _is_sum(row):
        return size
    # a sum of products with random signs grows with the root of their number
    written = view.model.spec(view.layer.outputs[0]).elements
    return size + math.log2(max(1, (layer_flops(view.model, view.layer) or 0) // max(1, 2 * written))) / 2
