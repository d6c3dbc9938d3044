"""The manifest: round trip, schema, digest, and what is refused."""

import copy
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.types import Generator, WeightBlob
from dlbricks.suite.manifest import (
    OLDEST_SUITE,
    ROLES,
    SUITE_SCHEMA_VERSION,
    Benchmark,
    Suite,
    Target,
    TensorContract,
    content_digest,
    from_document,
    render_manifest,
    with_digest,
)
from dlbricks.typed_json import parse_object
from tests.documents import published
from tests.suite.suite_samples import small_suite

SCHEMA = published("suite")
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


def document() -> dict[str, Any]:
    """The small suite as a reader of ``suite.json`` gets it."""
    return parse_object(render_manifest(small_suite()[0]), "suite.json")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def test_a_suite_survives_being_written_and_read() -> None:
    """Reading what was written gives the same suite, digest included."""
    suite, _ = small_suite()
    assert from_document(document()) == suite
    assert content_digest(document()) == suite.digest


NUMBERS = st.floats(-1e9, 1e9) | st.integers(-100, 100)
PLAIN = st.text("abcXYZ019_", min_size=1, max_size=12)
DIGESTS = st.text("0123456789abcdef", min_size=64, max_size=64)
GENERATORS = st.builds(
    lambda kind, ends, density, values: Generator(
        kind=kind, low=min(ends), high=max(ends), density=density, values=values.hex()
    ),
    st.sampled_from(["uniform", "integers", "bool", "literal"]),
    st.tuples(NUMBERS, NUMBERS),
    st.floats(0, 1),
    st.binary(max_size=8),
)
CONTRACTS = st.builds(
    TensorContract,
    name=PLAIN,
    dtype=st.sampled_from(sorted(BY_NAME)),
    shape=st.lists(st.integers(0, 2**40), max_size=4).map(tuple),
    generator=st.none() | GENERATORS,
)
VALUES = st.integers(-9, 9) | st.floats(-1e9, 1e9) | st.sampled_from(["nan", "inf", "-inf"])
DIGESTS_OF_OUTPUTS = st.fixed_dictionaries(
    {
        "shape": st.lists(st.integers(0, 9), max_size=3),
        "dtype": st.sampled_from(sorted(BY_NAME)),
        "finite": st.floats(0, 1),
        "norm1": VALUES,
        "norm2": VALUES,
        "samples": st.lists(VALUES, max_size=3),
    }
)
OPERATORS = st.lists(st.text("abcXYZ.:019", min_size=1, max_size=9), max_size=3).map(tuple)


def benchmark(fingerprint: str, *, in_place: bool, inputs: tuple[TensorContract, ...], **others: Any) -> Benchmark:
    """Build a benchmark; one that works in place has one input, like its output."""
    outputs = others["outputs"]
    shares = in_place and len(outputs) == 1
    return Benchmark(
        fingerprint=fingerprint,
        network=f"networks/{fingerprint}.onnx",
        inputs=outputs if shares else inputs,
        overwrites=outputs[0].name if shares else "",
        **others,
    )


BENCHMARKS = st.builds(
    benchmark,
    DIGESTS,
    name=PLAIN,
    digest=DIGESTS,
    optimization=st.sampled_from(["all", "none"]),
    role=st.sampled_from(ROLES),
    operators=OPERATORS,
    layers=st.integers(0, 99),
    in_place=st.booleans(),
    inputs=st.lists(CONTRACTS, max_size=2).map(tuple),
    outputs=st.lists(CONTRACTS, max_size=2).map(tuple),
    weight_bytes=st.integers(0, 2**50),
    activation_bytes=st.integers(0, 2**50),
    flops=st.integers(0, 2**50),
    work=st.integers(0, 2**50),
    fetched_bytes=st.integers(0, 2**50),
    kinds=st.lists(st.text(max_size=9), max_size=3).map(tuple),
    shape=st.lists(st.integers(1, 2**40), max_size=3).map(tuple),
    importance=st.integers(0, 20).map(lambda step: 2.0**-step),
    reference=st.none() | st.lists(DIGESTS_OF_OUTPUTS, max_size=2).map(tuple),
    reference_note=st.text(max_size=9),
)
SUITES = st.builds(
    Suite,
    name=PLAIN,
    granularity=st.sampled_from(["1", "8", "inf"]),
    splitter=PLAIN,
    target=st.builds(Target, name=PLAIN, runtime=PLAIN, instruction_set=st.lists(PLAIN, max_size=3).map(tuple)),
    seed=st.integers(0, 2**40),
    weights=st.lists(
        st.builds(
            WeightBlob,
            file=PLAIN.map("weights.{}.bin".format),
            dtype=st.sampled_from(sorted(BY_NAME)),
            nbytes=st.integers(0, 2**40),
            generator=GENERATORS,
        ),
        max_size=2,
        unique_by=lambda blob: blob.file,
    ).map(tuple),
    benchmarks=st.lists(BENCHMARKS, max_size=3, unique_by=lambda one: one.fingerprint).map(tuple),
    generator_version=st.just("1.2.3"),
    digest=st.just(""),
)


@settings(max_examples=60, deadline=None)
@given(SUITES)
def test_every_suite_survives_the_way_to_json_and_back(suite: Suite) -> None:
    """``from_document(to_document(x)) == x``, through the text of the file, and the schema accepts it."""
    made = with_digest(suite)
    read = parse_object(render_manifest(made), "suite.json")
    assert from_document(read) == made
    assert content_digest(read) == made.digest
    jsonschema.validate(read, SCHEMA)


def test_the_schema_describes_what_is_written() -> None:
    """The published schema accepts a suite, and knows every element type."""
    jsonschema.validate(document(), SCHEMA)
    assert set(SCHEMA["$defs"]["WeightBlob"]["properties"]["dtype"]["enum"]) == set(BY_NAME)


def test_one_benchmark_is_one_line() -> None:
    """A change of one benchmark is a change of one line, so that suites can be compared with a diff."""
    text = render_manifest(small_suite()[0])
    assert sum(line.startswith('{"fingerprint"') for line in text.splitlines()) == 6
    assert max(len(line) for line in text.splitlines()) < 2000


@given(st.data())
def test_whatever_the_schema_refuses_the_reader_refuses(data: st.DataObject) -> None:
    """Any value replaced by any other: one clear line or a suite, no traceback, and never laxer than the schema."""
    changed = document()
    *path, last = data.draw(st.sampled_from(list(places(changed))))
    inner: Any = changed
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(JSON_VALUES)
    try:
        from_document(changed)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        jsonschema.validate(changed, SCHEMA)


@given(st.data())
def test_a_missing_field_is_named(data: st.DataObject) -> None:
    """A field that is left out is an error that names it; features may be, and usual figures of generators."""
    changed = document()
    free = ("work", "fetched_bytes", "kinds", "shape", "low", "high", "density", "values")
    fields = [path for path in places(changed) if isinstance(path[-1], str)]
    fields = [path for path in fields if path[-1] not in free or (path[-1] == "shape" and len(path) > 3)]
    *path, last = data.draw(st.sampled_from(fields))
    inner: Any = changed
    for key in path:
        inner = inner[key]
    del inner[last]
    with pytest.raises(InputError, match=last):
        from_document(changed)


def test_a_newer_version_is_refused_in_one_line() -> None:
    """A newer schema version is refused; it says what to do."""
    newer = document() | {"schema_version": SUITE_SCHEMA_VERSION + 1}
    with pytest.raises(InputError, match=r"newer dlbricks.*update"):
        from_document(newer)


def test_an_older_version_is_refused_in_one_line() -> None:
    """A suite of an older schema version lacks fields that measuring needs; it says what to do."""
    older = document() | {"schema_version": OLDEST_SUITE - 1}
    with pytest.raises(InputError, match=r"older dlbricks: generate the suite again$"):
        from_document(older)


def test_suites_of_the_version_before_are_read() -> None:
    """Their fields are the same; what they say of importance and of bytes read is what they were made with."""
    older = document() | {"schema_version": OLDEST_SUITE}
    assert from_document(older) == from_document(document())


def test_only_an_input_of_the_size_of_the_only_output_can_be_overwritten() -> None:
    """A buffer that is shared by what differs in size, or by nobody, is refused."""
    same, other = document(), document()
    negation, product = same["benchmarks"][2], other["benchmarks"][0]
    negation["overwrites"] = product["overwrites"] = "x0"
    assert from_document(same).benchmarks[2].overwrites == "x0"
    with pytest.raises(InputError, match=r"benchmarks\[0\]: 'overwrites' is 'x0'"):
        from_document(other)
    other["benchmarks"][0]["overwrites"] = "x7"
    with pytest.raises(InputError, match="'overwrites' is 'x7'"):
        from_document(other)


def test_fields_of_newer_minor_versions_are_ignored() -> None:
    """Unknown fields do not keep a suite from being read, and the digest still covers them."""
    more = document() | {"licence": "CC0"}
    assert from_document(more) == small_suite()[0]
    assert content_digest(more) != content_digest(document())


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400, "1" + "0" * 5000, "NaN", "Infinity"])
@pytest.mark.parametrize("field", ["low", "norm1", "layers", "seed"])
def test_numbers_beyond_a_float_are_refused_in_one_line(field: str, number: str) -> None:
    """Numbers that no field can mean are refused, or harmless inside a digest; there is no traceback."""
    text = re.sub(rf'"{field}": ?[-\d.]+', f'"{field}":{number}', render_manifest(small_suite()[0]), count=1)
    try:
        read = parse_object(text, "suite.json")
        from_document(read)
        content_digest(read)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert field == "norm1"
        assert number == "1" + "0" * 400


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": NaN}', "[" * 100_000, '"suite"', "{}", '{"format": "other"}'])
def test_what_is_no_suite_is_refused_in_one_line(text: str) -> None:
    """Text that is no JSON, or JSON that is no suite, is an error of one line."""
    with pytest.raises(InputError, match=r"^suite\.json"):
        from_document(parse_object(text, "suite.json"))


def test_duplicates_and_paths_that_lead_elsewhere_are_refused() -> None:
    """A fingerprint occurs once, and files lie where suites have them."""
    twice, outside, other = document(), document(), document()
    twice["benchmarks"].append(copy.deepcopy(twice["benchmarks"][0]))
    outside["benchmarks"][0]["network"] = "../../etc/passwd"
    other["benchmarks"][0]["network"] = other["benchmarks"][1]["network"]
    for changed, reason in ((twice, "occurs twice"), (outside, r"network is '\.\./"), (other, "must be")):
        with pytest.raises(InputError, match=reason):
            from_document(changed)
