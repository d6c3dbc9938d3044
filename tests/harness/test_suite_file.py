"""Suites are read with care: what was changed, is newer or is none is refused in one line."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.harness.errors import HarnessError
from dlbricks.harness.run.files import load_suite, select


def changed(suite: Path, folder: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """Copy a manifest with a change."""
    document = json.loads((suite / "suite.json").read_text())
    change(document)
    (folder / "suite.json").write_text(json.dumps(document))
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.update(seed=4), "was changed after the suite was made"),
        (lambda s: s["benchmarks"][0].update(name="Other"), "was changed after the suite was made"),
        (lambda s: s.update(schema_version=4), "schema version 4, this harness reads up to 3"),
        (lambda s: s.update(schema_version=1), "was made by an older dlbricks: generate it again"),
        (lambda s: s.pop("schema_version"), "schema version None"),
        (lambda s: s.update(format="other"), "is not a suite of dlbricks"),
        (lambda s: s.pop("weights"), "has no field 'weights'"),
        (lambda s: s["benchmarks"][1].update(role=3), "its digest differs"),
    ],
)
def test_a_manifest_that_is_not_as_made_is_refused(
    suite: Path, tmp_path: Path, change: Callable[[dict[str, Any]], Any], message: str
) -> None:
    """The digest covers everything else in the file."""
    with pytest.raises(HarnessError, match=message):
        load_suite(changed(suite, tmp_path, change))


def test_a_folder_without_manifest_is_refused(tmp_path: Path) -> None:
    """Missing, and not JSON."""
    with pytest.raises(HarnessError, match="cannot read suite"):
        load_suite(tmp_path)
    (tmp_path / "suite.json").write_text("[" * 100_000)
    with pytest.raises(HarnessError, match="is not JSON"):
        load_suite(tmp_path)


def _same_content(one: bytes, other: bytes) -> bool:
    try:
        return json.dumps(json.loads(one)) == json.dumps(json.loads(other))
    except ValueError:
        return False


@settings(max_examples=50)
@given(st.data())
def test_a_manifest_cut_short_or_spoilt_is_an_error_of_one_line(
    suite: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """No traceback, whatever the bytes; where the content is the same (white space), so is the suite."""
    content = (suite / "suite.json").read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255))
    spoilt = content[:place] + (bytes([byte]) + content[place + 1 :] if data.draw(st.booleans()) else b"")
    folder = tmp_path_factory.mktemp("spoilt")
    (folder / "suite.json").write_bytes(spoilt)
    if _same_content(spoilt, content):
        assert load_suite(folder) == load_suite(suite)
    else:
        with pytest.raises(HarnessError):
            load_suite(folder)
    shutil.rmtree(folder)


def test_patterns_choose_by_name_fingerprint_and_operator(suite: Path) -> None:
    """Anchors and the empty graph are never chosen, and never left out."""
    content = load_suite(suite)
    sin = content["benchmarks"][4]["fingerprint"]
    assert [one["name"] for one in select(content, [])] == ["MatMul_Relu", "MatMul_Relu", "Sin"]
    assert [one["name"] for one in select(content, ["Si*"])] == ["Sin"]
    assert [one["fingerprint"] for one in select(content, [sin[:8]])] == [sin]
    assert [one["name"] for one in select(content, ["MatMul"])] == ["MatMul_Relu"] * 2
    assert len(select(content, ["MatMul", f"Sin_{sin[:12]}"])) == 3
    with pytest.raises(HarnessError, match="--only Cos matches no benchmark"):
        select(content, ["Sin", "Cos"])
