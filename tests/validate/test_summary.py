import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dlbricks.errors import InputError
from dlbricks.validate.compare import read_validation, summarise, validation_of, validation_text, write_validation
from dlbricks.validate.types import FailedNetwork
from tests.validate.made_up_validation import SETTINGS, validated, validation


def test_what_is_written_is_read(tmp_path: Path) -> None:
    """A validation survives its file, networks that failed included."""
    models = (
        validated("a", 100, 110, parts=["p", "q"]),
        validated("b", 200, 190, parts=["q"]),
    )
    made = validation_of(SETTINGS, models, (FailedNetwork(network="c", reason="it broke"),))
    write_validation(tmp_path / "v.json", made)
    assert read_validation(tmp_path / "v.json", str) == made


def test_a_validation_that_was_changed_is_refused(tmp_path: Path) -> None:
    """A halved latency would be shown as the error of an estimate; a file of before has no digest: it is said so."""
    made = validation([validated("a", 100, 110, parts=["p"])])
    document = json.loads(validation_text(made))
    document["networks"][0] |= {"measured_ns": 50, "ratio": 2.2}
    (tmp_path / "v.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"v\.json was changed after it was written"):
        read_validation(tmp_path / "v.json", _quiet)
    del document["digest"]
    (tmp_path / "v.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"v\.json was changed after it was written \(its digest is missing"):
        read_validation(tmp_path / "v.json", _quiet)
    (tmp_path / "v.json").write_text(json.dumps(document | {"schema_version": 5}))
    told: list[str] = []
    assert read_validation(tmp_path / "v.json", told.append).networks[0].measured_ns == 50
    assert told == [f"{tmp_path / 'v.json'} is of an older version without a digest: whether it was changed is unknown"]


def _quiet(text: str) -> None:
    raise AssertionError(text)


def test_the_promised_fields_are_there() -> None:
    """Scripts rely on these names."""
    document = json.loads(validation_text(validation([validated("a", 100, 110, parts=["p"])])))
    assert set(document["networks"][0]) >= {
        "network", "measured_ns", "estimated_ns", "low_ns", "high_ns", "ratio", "layers", "unique_layers",
        "measured_relative",
    }  # fmt: skip
    assert set(document["summary"]) >= {
        "network_count", "median_abs_error", "p90_abs_error", "max_abs_error", "geomean_ratio", "interval_coverage",
        "layers", "unique_layers", "suite_ns", "end_to_end_ns", "speedup", "bias", "interval_width",
        "good_references", "reference_relative", "reference_ns",
        "mean_abs_error", "good_reference_errors",
    }  # fmt: skip


def test_figures_over_all_networks() -> None:
    """Errors are of the ratio, the bias is geometric, and a shared sequence is measured once."""
    made = summarise(
        [validated("a", 100, 80, parts=["p", "q"]), validated("b", 100, 125, parts=["q"]), validated("c", 100, 105)]
    )
    assert made.median_abs_error == pytest.approx(0.2)
    assert made.max_abs_error == pytest.approx(0.25)
    assert made.geomean_ratio == pytest.approx((0.8 * 1.25 * 1.05) ** (1 / 3))
    assert made.interval_coverage == pytest.approx(1 / 3)
    assert (made.layers, made.unique_layers) == (6, 2)
    assert (made.suite_ns, made.end_to_end_ns, made.speedup) == (2 * 10**9, 30 * 10**9, 15.0)


def test_a_network_without_an_interval_is_in_none() -> None:
    """A low end of 0 is printed as "no interval", so that no measurement lies inside."""
    without = replace(validated("a", 100, 105), low_ns=0, high_ns=400)
    assert summarise([without, validated("c", 100, 105)]).interval_coverage == pytest.approx(1 / 2)


def test_how_well_the_measured_latencies_are_known() -> None:
    """The floor under every error is told: how many wholes are good enough, the middle one and the worst."""
    rows = zip(RELATIVES, (101, 98, 150), strict=True)
    made = summarise([validated(str(relative), 100, estimated, relative=relative) for relative, estimated in rows])
    assert (made.good_references, made.reference_relative, made.worst_reference_relative) == (2, 0.007, 0.02)
    assert made.good_reference_errors.max_abs_error == pytest.approx(0.02)
    assert made.good_reference_errors.median_abs_error == pytest.approx(0.015)
    assert made.max_abs_error == pytest.approx(0.5)


RELATIVES = (0.002, 0.007, 0.02)


def test_nothing_validated_is_no_error() -> None:
    """Before the first network the summary says so."""
    assert summarise([]).network_count == 0


def test_version_3_is_read(tmp_path: Path) -> None:
    """Its shares of cache states have other names."""
    made = validation_of(SETTINGS, (validated("a", 100, 110),), ())
    text = validation_text(made).replace('"schema_version": 6', '"schema_version": 3')
    older = text.replace('"llc_warm": 0', '"near": 0').replace('"weights_cold": 0', '"constants": 0')
    assert len(older) < len(text)
    (tmp_path / "v.json").write_text(re.sub(r',\s*"digest": "[0-9a-f]*"', "", older))
    assert read_validation(tmp_path / "v.json", str) == made


BROKEN = (
    "",
    "{",
    "[]",
    "{}",
    '{"format": "dlbricks-suite"}',
    '{"format": "dlbricks-validation", "schema_version": 99}',
    '{"format": "dlbricks-validation", "schema_version": 1, "models": [], "failed": []}',
    '{"format": "dlbricks-validation", "schema_version": 2, "models": [], "failed": []}',
    '{"format": "dlbricks-validation", "schema_version": 2, "models": [{}], "failed": [], "settings": {}}',
    '{"format": "dlbricks-validation", "schema_version": 3, "networks": [3], "failed": [], "settings": {}}',
    '{"format": "dlbricks-validation", "schema_version": 3, "networks": {}, "failed": [], "settings": {}}',
    "[" * 100_000,
)


@pytest.mark.parametrize("text", BROKEN)
def test_other_files_are_refused_in_one_line(tmp_path: Path, text: str) -> None:
    """A file that is no validation is named, not a traceback."""
    path = tmp_path / "v.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"v\.json"):
        read_validation(path, str)


def _paths(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """List the places of all values inside a JSON document."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for key, one in inner for found in _paths(one, (*path, key)))]


DOCUMENT = json.loads(validation_text(validation([validated("a", 100, 110, parts=["p"])])))


@given(st.sampled_from(_paths(DOCUMENT)[1:]), st.sampled_from([None, -1, "x", 1.5, [], {}, True, [1], [[]]]))
def test_changed_files_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, path: tuple[str | int, ...], value: object
) -> None:
    """Whatever a field is replaced by, reading ends in a validation or in an error of ours."""
    document = json.loads(json.dumps(DOCUMENT))
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    file = tmp_path_factory.getbasetemp() / "changed.json"
    file.write_text(json.dumps(document))
    try:
        read_validation(file, str)
    except InputError as error:
        assert "\n" not in str(error)
