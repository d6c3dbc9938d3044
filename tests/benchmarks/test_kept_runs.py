import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from kept_runs import read_results, read_runs, reduced, rounded, write_results, write_runs
from recompute import recompute

from dlbricks.construct.types import Rule
from dlbricks.errors import InputError
from dlbricks.harness.stats import latency_of, summaries
from dlbricks.validate.measure import _archived
from dlbricks.validate.types import ArchivedRun
from tests.validate.made_up_validation import archived_run as run_as_measured
from tests.validate.made_up_validation import measured


def archived_run() -> ArchivedRun:
    """Give a run without what no latency depends on, as archives have it."""
    run = run_as_measured()
    return replace(run, document=reduced(run.document))


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """Give an archive of one run."""
    path = tmp_path / "made_up.parquet"
    write_runs(path, {"made_up": run_as_measured()})
    return path


def test_what_is_kept_is_read(archive: Path) -> None:
    """A run survives its file, and the folder of its file, samples and profile included."""
    assert read_runs(archive) == read_runs(archive.parent) == {"made_up": archived_run()}


def test_a_run_that_validate_keeps_is_read(tmp_path: Path) -> None:
    """Whole, from a file of its own; of another version it is refused."""
    run = run_as_measured()
    assert _archived(run, tmp_path) is None
    assert read_runs(tmp_path) == {run.model: run}
    file = tmp_path / f"{run.model}.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), "schema_version": 3}))
    with pytest.raises(InputError, match="not a run of 'validate --keep' of this version"):
        read_runs(tmp_path)


def test_a_run_that_was_changed_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A halved latency of the whole is no error of an estimate; what has no digest is read, and said to have none."""
    run = run_as_measured()
    assert _archived(run, tmp_path) is None
    file = tmp_path / f"{run.model}.json"
    halved, bare = (json.loads(file.read_text()) for _ in range(2))
    for row in halved["result"]["benchmarks"]:
        for visit in row["visits"] if row["role"] == "whole" else ():
            visit["samples_ns"] = [one // 2 for one in visit["samples_ns"]]
    file.write_text(json.dumps(halved))
    with pytest.raises(InputError, match="was changed after it was written"):
        read_runs(tmp_path)
    assert capsys.readouterr().err == ""
    del bare["digest"]
    file.write_text(json.dumps(bare))
    with pytest.raises(InputError, match="its digest is missing"):
        read_runs(tmp_path)
    file.write_text(json.dumps(bare | {"schema_version": 1}))
    assert read_runs(tmp_path) == {run.model: run}
    assert f"no digest shows whether {run.model} (1 in all)" in capsys.readouterr().err


def test_a_packed_run_that_was_changed_is_refused(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its name; published archives have no digest."""
    table = pq.read_table(archive)
    (samples,) = table.column("samples_ns").to_pylist()
    changed = pa.array([[samples[0] // 2, *samples[1:]]], table.schema.field("samples_ns").type)
    pq.write_table(table.set_column(table.schema.get_field_index("samples_ns"), "samples_ns", changed), archive)
    with pytest.raises(InputError, match="made_up was changed after it was written"):
        read_runs(archive)
    head = json.loads(table.column("head").to_pylist()[0])
    del head["digest"]
    bare = table.set_column(table.schema.get_field_index("head"), "head", pa.array([json.dumps(head)]))
    pq.write_table(bare, archive)
    with pytest.raises(InputError, match="its digest is missing"):
        read_runs(archive)
    pq.write_table(bare.replace_schema_metadata({**table.schema.metadata, b"schema_version": b"3"}), archive)
    assert read_runs(archive) == {"made_up": archived_run()}
    assert "no digest shows whether made_up (1 in all)" in capsys.readouterr().err


def test_the_same_run_gives_the_same_bytes(archive: Path) -> None:
    """Nothing of the moment of writing is in the file."""
    before = archive.read_bytes()
    write_runs(archive, read_runs(archive))
    assert archive.read_bytes() == before


def test_results_of_suites_are_read(tmp_path: Path) -> None:
    """They are packed without facts, and are no runs of validations."""
    _, document = measured()
    write_results(tmp_path / "suites.parquet", {"one": document, "two": document})
    assert read_results(tmp_path / "suites.parquet") == {"one": reduced(document), "two": reduced(document)}
    with pytest.raises(InputError, match="one is the result of a suite"):
        read_runs(tmp_path / "suites.parquet")


def _visit(samples: list[int], state: str, *, disturbed: bool) -> dict[str, Any]:
    made = {"start_ns": 5, "state": state, "distance_bytes": 0, "samples_ns": samples}
    return {**made, "disturbed": True} if disturbed else made


def test_lists_that_runs_repeat_lie_once_beside_their_folders(tmp_path: Path) -> None:
    """Archives of two systems name the same lists; each is read as it was, and without the lists says what it lacks."""
    _, document = measured()
    run, runs = archived_run(), [tmp_path / system / "runs.parquet" for system in ("a", "b")]
    for path in runs:
        write_runs(path, {"made_up": run}, share=True)
    lists = tmp_path / "lists.parquet"
    before = lists.read_bytes()
    write_results(tmp_path / "a" / "suites.parquet", {"one": document}, share=True)
    assert lists.read_bytes() == before
    assert [read_runs(path)["made_up"] for path in runs] == [run, run]
    assert read_results(tmp_path / "a" / "suites.parquet") == {"one": reduced(document)}

    lists.unlink()
    with pytest.raises(InputError, match=r"made_up: its steps are not in lists\.parquet"):
        read_runs(runs[0])


VISITS = st.lists(
    st.builds(
        _visit,
        st.lists(st.integers(0, 10**9), min_size=1, max_size=4),
        st.sampled_from(["weights_cold", "llc_warm", "hot_loop"]),
        disturbed=st.booleans(),
    ),
    min_size=1,
)


@given(visits=VISITS, role=st.sampled_from(["sequence", "whole", "curve", "anchor"]))
def test_reducing_changes_no_latency(visits: list[dict[str, Any]], role: str) -> None:
    """Latencies of all states are the same to a few nanoseconds, and intervals that rest on two undisturbed visits.

    That of a single one is as wide, relatively, as of all visits of its state, of which disturbed ones are not kept.
    Reducing again changes nothing.
    """
    _, document = measured()
    entry = {**document["benchmarks"][0], "role": role, "visits": visits}
    once = reduced({**document, "benchmarks": [entry]})
    before, after = summaries(entry), summaries(once["benchmarks"][0])
    assert before.keys() == after.keys()
    for state in before:
        single = sum(visit["state"] == state and not visit.get("disturbed") for visit in visits) == 1
        for field in ("latency_ns",) if single else ("latency_ns", "low_ns", "high_ns"):
            assert getattr(after[state], field) == pytest.approx(getattr(before[state], field), abs=20)
        assert after[state].samples == before[state].samples
    assert reduced(once) == once


@given(samples=st.lists(st.integers(0, 10**12), min_size=3))
def test_rounding_changes_little(samples: list[int]) -> None:
    """Four digits keep a latency to one part in two thousand."""
    _, document = measured()
    visits = [_visit([sample], "weights_cold", disturbed=False) for sample in samples]
    entry = {**document["benchmarks"][0], "visits": visits}
    after = rounded({**document, "benchmarks": [entry]}, 4)["benchmarks"][0]
    assert latency_of(after).latency_ns == pytest.approx(latency_of(entry).latency_ns, rel=5e-4, abs=1)


def test_runs_are_compared_again_without_measuring(archive: Path) -> None:
    """Runs of the same settings give a validation; the rule may be another one than then."""
    made = recompute(read_runs(archive))
    assert [one.network for one in made.networks] == ["made_up"]
    assert made.settings.rule == "sequential"
    paired = {
        name: replace(run, facts=replace(run.facts, settings=replace(run.facts.settings, rule="pairs")))
        for name, run in read_runs(archive.parent).items()
    }
    assert recompute(paired, Rule.parse("sequential")).settings.rule == "sequential"


def test_runs_of_other_settings_do_not_mix(archive: Path) -> None:
    """One archive holds one kind of run."""
    run = archived_run()
    settings = replace(run.facts.settings, threads=2)
    write_runs(archive, {"a": run, "b": replace(run, facts=replace(run.facts, settings=settings))})
    with pytest.raises(InputError, match="b was measured with other settings"):
        recompute(read_runs(archive))


def test_pairs_that_were_not_measured_are_not_made_up(archive: Path) -> None:
    """The rule of pairs needs unions of sequences, which only a run that was asked for them has."""
    with pytest.raises(InputError, match="--rule pairs"):
        recompute(read_runs(archive), Rule.parse("pairs"))


def test_other_files_are_refused_in_one_line(archive: Path, tmp_path: Path) -> None:
    """A file that is no archive, of another version, or whose visits do not fit is named."""
    table = pq.read_table(archive)
    samples = table.schema.get_field_index("samples_ns")
    field = table.schema.field(samples)
    broken = {
        "nothing": b"",
        "no archive": b"{}",
        "cut off": archive.read_bytes()[:-100],
        "another table": pa.table({"a": [1]}),
        "another version": table.replace_schema_metadata({**table.schema.metadata, b"schema_version": b"99"}),
        "more samples": table.set_column(
            samples, field, pa.array([[*table.column("samples_ns")[0].as_py(), 1]], field.type)
        ),
    }
    path = tmp_path / "x.parquet"
    for content in broken.values():
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            pq.write_table(content, path)
        with pytest.raises(InputError, match=r"x\.parquet"):
            read_runs(path)


def test_places_without_runs_are_refused(archive: Path, tmp_path: Path) -> None:
    """A folder without archives, or an archive without the network that is wanted."""
    with pytest.raises(InputError, match="holds no archives"):
        read_runs(tmp_path / "empty")
    with pytest.raises(InputError, match="no run of other"):
        read_runs(archive, ["other"])
    assert list(read_runs(archive, ["made_up"])) == ["made_up"]
