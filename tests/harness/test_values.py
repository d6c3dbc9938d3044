"""Values: the same numbers everywhere, within their contract, in the bytes that ONNX wants."""

import hashlib
import math
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.harness.dtypes import BY_NAME, byte_size, code_values, decode, encode, pack, storage_dtype, unpack
from dlbricks.harness.errors import HarnessError
from dlbricks.harness.values import PERIOD, ensure_weights, fill, replacing, stream_bits

UNIFORM = {"kind": "uniform", "low": -0.25, "high": 0.25}
PEERS = {
    "bfloat16": ml_dtypes.bfloat16,
    "float8e4m3fn": ml_dtypes.float8_e4m3fn,
    "float8e4m3fnuz": ml_dtypes.float8_e4m3fnuz,
    "float8e5m2": ml_dtypes.float8_e5m2,
    "float8e5m2fnuz": ml_dtypes.float8_e5m2fnuz,
    "float8e8m0": ml_dtypes.float8_e8m0fnu,
    "float4e2m1": ml_dtypes.float4_e2m1fn,
}


def test_the_stream_never_changes() -> None:
    """The numbers of a seed are part of the format: those of SplitMix64 from the first eight bytes of a sha256."""
    state = int.from_bytes(hashlib.sha256(b"7/a/x0").digest()[:8], "little")
    wanted = []
    for _ in range(3):
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        mixed = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB % 2**64
        wanted.append(mixed ^ mixed >> 31)
    assert stream_bits(7, "a/x0", 3).tolist() == wanted
    assert [value.hex() for value in fill("float32", (2,), UNIFORM, 7, "a/x0").tolist()] == [
        "0x1.9e9d420000000p-3",
        "-0x1.e9fa940000000p-4",
    ]


@given(st.sampled_from(sorted(set(BY_NAME) - {"string"})), st.integers(0, 70), st.integers(0, 2**31))
def test_every_type_is_filled_in_its_storage(dtype: str, count: int, seed: int) -> None:
    """Bytes, storage type and shape are those of the table, and the same call gives the same values."""
    kind = {"bool": "bool", "int": "integers"}.get(BY_NAME[dtype].kind, "uniform")
    generator = {"kind": kind, "low": 0, "high": 2, "density": 0.5}
    made = fill(dtype, (count, 1), generator, seed, "s")
    assert made.dtype == storage_dtype(dtype)
    assert made.nbytes == byte_size(dtype, count)
    assert made.shape == ((count, 1) if BY_NAME[dtype].bits >= 8 else (byte_size(dtype, count),))
    assert np.array_equal(made, fill(dtype, (count, 1), generator, seed, "s"))


@given(st.integers(1, 2**40), st.integers(-(2**40), 2**40))
def test_integers_stay_within_their_limits(span: int, low: int) -> None:
    """low <= value < high."""
    made = fill("int64", (50,), {"kind": "integers", "low": low, "high": low + span}, 3, "i")
    assert made.min() >= low
    assert made.max() < low + span


@given(st.integers(1, 5000), st.data())
def test_spaced_booleans_are_as_many_as_their_share(count: int, data: st.DataObject) -> None:
    """Exactly, where the share is of a whole number, and evenly spaced."""
    true = data.draw(st.integers(0, count))
    mask = fill("bool", (count,), {"kind": "spaced", "density": true / count}, 1, "m")
    assert mask.sum() == true
    if true > 1:
        gaps = np.diff(mask.nonzero()[0])
        assert gaps.max() - gaps.min() <= 1


def test_shares_and_ranges_are_those_asked_for() -> None:
    """A mask has its density, a uniform its mean and ends; in suites of before, masks are random."""
    mask = fill("bool", (100_000,), {"kind": "bool", "density": 0.25}, 1, "m")
    assert abs(mask.mean() - 0.25) < 0.01
    assert fill("bool", (10,), {"kind": "spaced", "density": 0.25}, 1, "m").nonzero()[0].tolist() == [0, 4, 8]
    floats = fill("float32", (100_000,), {"kind": "uniform", "low": 2.0, "high": 4.0}, 1, "f")
    assert abs(floats.mean() - 3) < 0.01
    assert floats.min() >= 2
    assert floats.max() <= 4
    halves = fill("float16", (100_000,), UNIFORM, 1, "h")
    assert np.abs(halves).min() >= 2.0**-14, "half-precision denormals are slow on some machines"


def test_streams_and_seeds_differ() -> None:
    """Two inputs of one benchmark are not the same numbers."""
    one, two = (fill("float32", (1000,), UNIFORM, 1, stream) for stream in ("f/x0", "f/x1"))
    assert abs(np.corrcoef(one, two)[0, 1]) < 0.2
    assert not np.array_equal(one, fill("float32", (1000,), UNIFORM, 2, "f/x0"))


def test_long_tensors_repeat_after_a_prime() -> None:
    """No two rows of a matrix are equal, though the values repeat."""
    flat = fill("float32", (PERIOD + 5,), UNIFORM, 1, "s")
    assert np.array_equal(flat[:5], flat[PERIOD:])
    assert all(PERIOD % divisor for divisor in range(2, math.isqrt(PERIOD) + 1))


@given(st.sampled_from(sorted(PEERS)), st.lists(st.floats(-500, 500), min_size=1, max_size=20))
def test_small_floats_agree_with_ml_dtypes(dtype: str, numbers: list[float]) -> None:
    """Decoding is exact; encoding is to the nearest value, saturating where the peer overflows."""
    values = code_values(dtype) if dtype != "bfloat16" else np.array([1.0])
    low, high = (np.nanmin(values[np.isfinite(values)]), np.nanmax(values[np.isfinite(values)]))
    clipped = np.clip(numbers, low, high) if dtype != "bfloat16" else np.array(numbers)
    ours = decode(encode(np.array(numbers), dtype), dtype, len(numbers)).astype(np.float64)
    theirs = clipped.astype(np.float32).astype(PEERS[dtype]).astype(np.float64)
    assert np.all(np.abs(ours - clipped) <= np.abs(theirs - clipped) + 1e-12 * np.abs(clipped))


@pytest.mark.parametrize("dtype", sorted(set(PEERS) - {"bfloat16"}))
def test_every_code_of_a_small_float_is_right(dtype: str) -> None:
    """All codes, NaN and infinities included."""
    codes = np.arange(1 << BY_NAME[dtype].bits, dtype=np.uint8)
    with np.errstate(invalid="ignore"):
        assert np.array_equal(code_values(dtype), codes.view(PEERS[dtype]).astype(np.float64), equal_nan=True)


@given(st.lists(st.integers(0, 15), max_size=20), st.sampled_from([2, 4]))
def test_packing_is_undone_by_unpacking(codes: list[int], bits: int) -> None:
    """Also for counts that do not fill the last byte."""
    wanted = np.array(codes, np.uint8) & np.uint8((1 << bits) - 1)
    assert np.array_equal(unpack(pack(wanted, bits), bits, len(codes)), wanted)


def test_signed_integers_below_a_byte_keep_their_sign() -> None:
    """int4 and int2 come back as they went in."""
    for dtype, values in (("int4", [-8, -1, 0, 7, 3]), ("int2", [-2, 1, -1])):
        assert decode(encode(np.array(values), dtype), dtype, len(values)).tolist() == values


def test_literals_are_taken_as_they_are() -> None:
    """All values, or one that stands for all, also below a byte."""
    assert fill("int64", (2,), {"kind": "literal", "values": "0100000000000000ff00000000000000"}, 0, "s").tolist() == [
        1,
        255,
    ]
    assert fill("float32", (2, 2), {"kind": "literal", "values": "0000803f"}, 0, "s").tolist() == [[1, 1], [1, 1]]
    assert decode(fill("int4", (5,), {"kind": "literal", "values": "0f"}, 0, "s"), "int4", 5).tolist() == [-1] * 5


@pytest.mark.parametrize(
    ("dtype", "generator"),
    [
        ("string", UNIFORM),
        ("tensor", UNIFORM),
        ("int32", UNIFORM),
        ("float32", {"kind": "normal"}),
        ("float32", {}),
        ("int32", {"kind": "integers", "low": 3, "high": 3}),
        ("int32", {"kind": "literal", "values": "00"}),
        ("int32", {"kind": "literal", "values": "no"}),
    ],
)
def test_a_contract_that_cannot_be_met_is_one_line(dtype: str, generator: dict[str, object]) -> None:
    """Never a guess."""
    with pytest.raises(HarnessError):
        fill(dtype, (3,), generator, 0, "s")


@settings(max_examples=10)
@given(st.integers(0, 3 * PERIOD), st.sampled_from(["float32", "uint8", "int4", "float16"]))
def test_longer_weights_extend_shorter_ones(tmp_path_factory: pytest.TempPathFactory, nbytes: int, dtype: str) -> None:
    """The first n bytes are the same whatever the length of the file."""
    kind = {"kind": "integers", "low": 0, "high": 8} if BY_NAME[dtype].kind == "int" else UNIFORM
    short, long = tmp_path_factory.mktemp("short"), tmp_path_factory.mktemp("long")
    for folder, length in ((short, nbytes), (long, 3 * PERIOD + 1)):
        ensure_weights(folder, [{"file": "weights.bin", "dtype": dtype, "nbytes": length, "generator": kind}], 5)
    data = (short / "weights.bin").read_bytes()
    assert len(data) == nbytes
    assert (long / "weights.bin").read_bytes()[:nbytes] == data


def test_weights_are_written_once_and_mended(tmp_path: Path) -> None:
    """A file that is long enough stays, a longer one too; a short one or one with other numbers is replaced."""
    blob = {"file": "weights.f.bin", "dtype": "float32", "nbytes": 4000, "generator": UNIFORM}
    path = tmp_path / "deep" / "weights.f.bin"
    ensure_weights(path.parent, [blob], 5)
    first, stamp = path.read_bytes(), path.stat().st_mtime_ns
    ensure_weights(path.parent, [{**blob, "nbytes": 400}], 5)
    assert path.stat().st_mtime_ns == stamp
    path.write_bytes(first[:100])
    ensure_weights(path.parent, [blob], 5)
    assert path.read_bytes() == first
    ensure_weights(path.parent, [blob], 6)
    assert path.read_bytes() != first
    assert [entry.name for entry in path.parent.iterdir()] == ["weights.f.bin"]


def test_weights_that_cannot_be_written_are_one_line(tmp_path: Path) -> None:
    """A file where the folder should be."""
    (tmp_path / "weights").write_text("")
    blob = {"file": "weights.f.bin", "dtype": "float32", "nbytes": 4, "generator": UNIFORM}
    with pytest.raises(HarnessError, match="cannot write weights"):
        ensure_weights(tmp_path / "weights", [blob], 5)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    """Nothing is left beside it, and what was there stays if writing fails."""
    with replacing(tmp_path / "w.bin") as file:
        file.write(b"whole")
    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "w.bin") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("w.bin", b"whole")]
