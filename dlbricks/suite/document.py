"""``suite.json``: from a Suite to JSON and back, and the digest that seals it.

Reads documents that others wrote, so every value is checked for its type and named by its place. ``jsonschema`` was
looked at and is used for the published schema in the tests; here it would take seconds on a suite of 3,000 benchmarks.
"""

import dataclasses
import json
import math
import re
from typing import cast

from dlbricks.errors import InputError
from dlbricks.fingerprint import Json, digest_json
from dlbricks.harness.dtypes import BY_NAME
from dlbricks.model.types import Generator, WeightBlob
from dlbricks.suite.fields import extents, get, is_null, match, number, one_of, refuse_twice, rows, share, texts, whole
from dlbricks.suite.nouns import SUITE_FORMAT, SUITE_SCHEMA_VERSION, Benchmark, Suite, Target, TensorContract

MANIFEST = "suite.json"
"""Name of the manifest in a suite folder."""

ROLES = ("sequence", "anchor", "overhead", "nodes", "curve", "whole", "baseline")
"""What a benchmark can be for."""

_KINDS = ("uniform", "integers", "bool", "literal")
_DIGEST = re.compile(r"[0-9a-f]{64}")
_HEX = re.compile(r"(?:[0-9a-f]{2})*")
_PLAIN = re.compile(r"[A-Za-z0-9_]{1,80}")
_BLOB = re.compile(r"weights\.[A-Za-z0-9_.+-]{1,80}\.bin")


def to_document(suite: Suite) -> dict[str, Json]:
    """Give the JSON document of a suite, ``format`` and ``schema_version`` first."""
    content = cast("dict[str, Json]", _plain(suite))
    return {"format": SUITE_FORMAT, "schema_version": SUITE_SCHEMA_VERSION, **content}


def _plain(value: object) -> object:
    """Turn nouns into objects and tuples into arrays; unlike ``dataclasses.asdict``, sketches are not copied."""
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Suite | Target | Benchmark | TensorContract | WeightBlob | Generator):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    return value


def content_digest(document: dict[str, Json]) -> str:
    """Give the sha256 of the canonical JSON of everything but the field ``digest``."""
    return digest_json({key: value for key, value in document.items() if key != "digest"})


def sealed(suite: Suite) -> Suite:
    """Give the suite with its digest filled in."""
    return dataclasses.replace(suite, digest=content_digest(to_document(suite)))


def render_manifest(suite: Suite) -> str:
    """Write ``suite.json``: one field per line, one weight file per line, one benchmark per line."""
    lines = []
    for key, value in to_document(suite).items():
        if key in {"weights", "benchmarks"}:
            rows = ",\n".join(_compact(row) for row in cast("list[Json]", value))
            text = f"[\n{rows}\n]" if rows else "[]"
        else:
            text = _compact(value)
        lines.append(f'"{key}": {text}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _compact(value: Json) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def parse_manifest(text: str, where: str) -> dict[str, Json]:
    """Read the text of a manifest into JSON.

    Args:
        text: content of ``suite.json``.
        where: the file, for messages.

    Raises:
        InputError: the text is no JSON object.
    """
    try:
        document = json.loads(text, parse_constant=_refuse_constant, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, ValueError) else "nested too deeply"
        raise InputError(f"{where} is not JSON: {reason}") from error
    if not isinstance(document, dict):
        raise InputError(f"{where} holds no JSON object")
    return document


def _refuse_constant(name: str) -> float:
    message = f"{name} is no JSON number"
    raise ValueError(message)


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        message = f"{text} is too large"
        raise ValueError(message)
    return number


def from_document(document: dict[str, Json], where: str = MANIFEST) -> Suite:
    """Read a suite from its JSON document; unknown fields are ignored, so that newer minor versions can be read.

    Args:
        document: content of ``suite.json``.
        where: the file, for messages.

    Raises:
        InputError: no suite, of another version, or a field is missing, of a wrong type or out of range; the message
            names the field. The digest is not compared here.
    """
    if document.get("format") != SUITE_FORMAT:
        raise InputError(f'{where} is no dlbricks suite: "format" is not "{SUITE_FORMAT}"')
    version = whole(document, "schema_version", where)
    if version > SUITE_SCHEMA_VERSION:
        raise InputError(
            f"{where} was written by a newer dlbricks: schema version {version}, this one reads up to "
            f"{SUITE_SCHEMA_VERSION}; update dlbricks"
        )
    if version < SUITE_SCHEMA_VERSION:
        raise InputError(f"{where} was made by an older dlbricks: generate it again")
    target = get(document, "target", dict, where)
    suite = Suite(
        name=match(document, "name", _PLAIN_NAME, where),
        granularity=get(document, "granularity", str, where),
        splitter=get(document, "splitter", str, where),
        target=Target(
            name=get(target, "name", str, f"{where}: target"),
            runtime=get(target, "runtime", str, f"{where}: target"),
            instruction_set=texts(target, "instruction_set", f"{where}: target"),
        ),
        seed=whole(document, "seed", where),
        weights=tuple(_blob(row, place) for row, place in rows(document, "weights", where)),
        benchmarks=tuple(_benchmark(row, place) for row, place in rows(document, "benchmarks", where)),
        generator_version=match(document, "generator_version", _VERSION, where),
        digest=match(document, "digest", _DIGEST, where),
    )
    refuse_twice([benchmark.fingerprint for benchmark in suite.benchmarks], "fingerprint", where)
    refuse_twice([blob.file for blob in suite.weights], "weight file", where)
    return suite


_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.+-]{1,80}")
_VERSION = re.compile(r"[0-9A-Za-z.+!-]{1,40}")


def _benchmark(row: dict[str, Json], where: str) -> Benchmark:
    fingerprint = match(row, "fingerprint", _DIGEST, where)
    network = get(row, "network", str, where)
    if network != f"networks/{fingerprint}.onnx":
        raise InputError(f"{where}: network is {network[:99]!r}, it must be 'networks/{fingerprint}.onnx'")
    reference = None
    if not is_null(row, "reference", where):
        reference = tuple(sketch for sketch, _ in rows(row, "reference", where))
    inputs = tuple(_contract(item, place) for item, place in rows(row, "inputs", where))
    outputs = tuple(_contract(item, place) for item, place in rows(row, "outputs", where))
    return Benchmark(
        fingerprint=fingerprint,
        name=match(row, "name", _PLAIN, where),
        network=network,
        digest=match(row, "digest", _DIGEST, where),
        optimization=one_of(row, "optimization", ("all", "none"), where),
        role=one_of(row, "role", ROLES, where),
        operators=texts(row, "operators", where),
        layers=whole(row, "layers", where),
        inputs=inputs,
        outputs=outputs,
        weight_bytes=whole(row, "weight_bytes", where),
        activation_bytes=whole(row, "activation_bytes", where),
        flops=whole(row, "flops", where),
        importance=share(row, "importance", where),
        reference=reference,
        reference_note=get(row, "reference_note", str, where),
        overwrites=_overwritten(row, inputs, outputs, where),
        work=whole(row, "work", where) if "work" in row else 0,
        fetched_bytes=whole(row, "fetched_bytes", where) if "fetched_bytes" in row else 0,
        kinds=texts(row, "kinds", where) if "kinds" in row else (),
        shape=extents(row, where) if "shape" in row else (),
    )


def _overwritten(
    row: dict[str, Json], inputs: tuple[TensorContract, ...], outputs: tuple[TensorContract, ...], where: str
) -> str:
    name = get(row, "overwrites", str, where)
    shared = [one for one in inputs if one.name == name]
    same = len(outputs) == 1 and all((one.dtype, one.shape) == (outputs[0].dtype, outputs[0].shape) for one in shared)
    if name and not (len(shared) == 1 and same):
        raise InputError(f"{where}: 'overwrites' is {name[:80]!r}, no input of the size of the only output")
    return name


def _contract(row: dict[str, Json], where: str) -> TensorContract:
    generator = None
    if not is_null(row, "generator", where):
        generator = _generator(get(row, "generator", dict, where), f"{where}: generator")
    return TensorContract(
        name=match(row, "name", _PLAIN, where),
        dtype=one_of(row, "dtype", tuple(BY_NAME), where),
        shape=extents(row, where),
        generator=generator,
    )


def _blob(row: dict[str, Json], where: str) -> WeightBlob:
    return WeightBlob(
        file=match(row, "file", _BLOB, where),
        dtype=one_of(row, "dtype", tuple(BY_NAME), where),
        nbytes=whole(row, "nbytes", where),
        generator=_generator(get(row, "generator", dict, where), f"{where}: generator"),
    )


def _generator(row: dict[str, Json], where: str) -> Generator:
    generator = Generator(
        kind=one_of(row, "kind", _KINDS, where),
        low=number(row, "low", where),
        high=number(row, "high", where),
        density=number(row, "density", where),
        values=match(row, "values", _HEX, where),
    )
    if generator.low > generator.high or not 0 <= generator.density <= 1:
        raise InputError(f"{where}: low must not exceed high, and density lies between 0 and 1")
    return generator
