"""Profile files: nothing is lost, and other files are refused in one line."""

import gzip
import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dlbricks.api.profiles import export_traces
from dlbricks.errors import InputError
from dlbricks.profile.file import profile_bytes, profile_from, read_whole, write_profile
from dlbricks.trace.build import TraceBuilder, with_columns
from dlbricks.trace.types import LEVELS, Lane, Level, LevelRun, Profile, Roofs, Trace, TraceClock
from tests.documents import published
from tests.trace.drawn import assert_same, traces

SCHEMA = published("profile")

positive = st.floats(1.0, 1e15)
roofs = st.builds(
    Roofs,
    device=st.text(max_size=5),
    flops_per_s=st.dictionaries(st.sampled_from(["float32", "int8"]), positive),
    copied_bytes_per_s=positive,
    stated_bytes_per_s=st.none() | positive,
)
runs = st.builds(
    LevelRun,
    batch=st.integers(0, 256),
    levels=st.sampled_from(LEVELS),
    samples_ns=st.lists(st.integers(0, 2**50), max_size=3).map(tuple),
    trace=traces(most=6),
)
profiles = st.builds(
    Profile,
    network=st.text(st.characters(codec="utf-8"), max_size=5),
    system=st.just({"name": "s", "cpu": {"model": None}}),
    runtime=st.just({"threads": 1}),
    runs=st.lists(runs, max_size=3).map(tuple),
    roofs=st.none() | roofs,
    notes=st.lists(st.text(st.characters(codec="utf-8"), max_size=5), max_size=2).map(tuple),
)


def assert_equal(one: Profile, other: Profile) -> None:
    """Both hold the same."""
    assert len(one.runs) == len(other.runs)
    for mine, theirs in zip(one.runs, other.runs, strict=True):
        assert_same(mine.trace, theirs.trace)
    for field in ("network", "system", "runtime", "roofs", "notes"):
        assert getattr(one, field) == getattr(other, field)
    for field in ("batch", "levels", "samples_ns"):
        assert [getattr(run, field) for run in one.runs] == [getattr(run, field) for run in other.runs]


@settings(max_examples=40)
@given(profiles)
def test_what_is_written_is_read(profile: Profile) -> None:
    """Writing and reading a profile gives it back, and the schema describes what is written."""
    data = profile_bytes(profile)
    assert_equal(profile, profile_from(data, Path("p.json")))
    jsonschema.validate(json.loads(data), SCHEMA)


def test_samples_of_former_versions_are_read_and_exported(tmp_path: Path) -> None:
    """Profiles of former versions hold samples of the device's clocks: spans without length, of a kind of their own."""
    builder = TraceBuilder(clock=TraceClock(name="cupti"))
    builder.add(Level.LIBRARY, "runtime", "launch", Lane(process="1", name="thread 1"), 0, 9)
    lane = Lane(process="", name="environment", device="gpu 0")
    builder.add(Level.HARDWARE, "environment", "SM clock (MHz)", lane, 5, 5, value=1980.0)
    run = LevelRun(batch=1, levels="MLK", samples_ns=(9,), trace=builder.built())
    profile = Profile(network="n", system={}, runtime={}, runs=(run,))
    path = tmp_path / "p.json"
    write_profile(path, profile)
    assert_equal(profile, profile_from(read_whole(path), path))
    written = export_traces([path], tmp_path / "t.json", None)
    assert written.parts[0].spans == 2


@given(traces(most=3))
def test_the_name_decides_on_compression(tmp_path_factory: pytest.TempPathFactory, trace: Trace) -> None:
    """A name that ends in .gz gives a compressed file, the same bytes every time; any name is read."""
    folder = tmp_path_factory.mktemp("profiles")
    run = LevelRun(batch=1, levels="M", samples_ns=(1,), trace=trace)
    profile = Profile(network="n", system={}, runtime={}, runs=(run,))
    for name in ("p.json", "p.json.gz"):
        write_profile(folder / name, profile)
        assert_equal(profile, profile_from(read_whole(folder / name), folder / name))
    packed = (folder / "p.json.gz").read_bytes()
    assert gzip.decompress(packed) == (folder / "p.json").read_bytes()
    write_profile(folder / "p.json.gz", profile)
    assert (folder / "p.json.gz").read_bytes() == packed
    (folder / "misnamed.json").write_bytes(packed)
    assert_equal(profile, profile_from(read_whole(folder / "misnamed.json"), folder))


def plain() -> dict[str, object]:
    """Give the smallest profile, as JSON has it."""
    made: dict[str, object] = json.loads(profile_bytes(Profile(network="n", system={}, runtime={}, runs=())))
    return made


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "dlbricks-submission"}, "dlbricks-submission, not a profile"),
        ({"schema_version": 99}, "update dlbricks"),
        ({"runs": 3}, "runs: expected array, got int"),
        ({"network": None}, "network"),
        ({"runs": [{"batch": 1, "levels": "X", "samples_ns": [], "trace": {}}]}, "levels: invalid enum value .X."),
        ({"runs": [{"batch": 1, "levels": "M", "samples_ns": [], "trace": {}}]}, "trace: the field 'clock' is missing"),
    ],
)
def test_damage_is_named(tmp_path: Path, change: dict[str, object], message: str) -> None:
    """A file of another kind, version or form is refused by its name and what is wrong."""
    path = tmp_path / "p.json"
    path.write_text(json.dumps(plain() | change))
    with pytest.raises(InputError, match=message) as caught:
        profile_from(read_whole(path), path)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("cut", [0, 1, 20, 60])
def test_a_cut_file_is_refused(tmp_path: Path, cut: int) -> None:
    """A file that ends too early, compressed or not, is no profile."""
    data = json.dumps(plain()).encode()
    for name, whole in (("p.json", data), ("p.json.gz", gzip.compress(data))):
        path = tmp_path / name
        path.write_bytes(whole[:cut])
        with pytest.raises(InputError):
            profile_from(read_whole(path), path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """What is not there, and what is a folder, cannot be read."""
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(InputError, match="cannot read"):
            profile_from(read_whole(path), path)


LANE = Lane(process="1", name="thread 1")


def calls(count: int) -> Profile:
    """Give calls of one network, each with a layer of its own shape."""
    builder = TraceBuilder(clock=TraceClock(name="test"))
    for index in range(count):
        start = 10**18 + index * 1000
        call = builder.add(Level.MODEL, "call", "run", LANE, start, start + 900, index=index)
        builder.add(Level.LAYER, "operator", "conv", LANE, start + 10, start + 700, parent=call, type="Conv")
    run = LevelRun(batch=1, levels="ML", samples_ns=(), trace=builder.built())
    return Profile(network="n", system={}, runtime={}, runs=(run,))


def test_spans_stay_small() -> None:
    """A span of a regular trace costs a few bytes, whatever its times and texts are."""
    assert len(profile_bytes(calls(1000))) / 2000 < 50


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": []}, "'name' has an index out of range"),
        ({"parent": [-7] * 4}, "'parent' has an index out of range"),
        ({"level": 6}, "'level' has an index out of range"),
        ({"start_ns": [1, 2]}, "'start_ns' has 2 entries for 4 spans"),
        ({"lanes": 3}, "lanes"),
        ({"attributes": {"flops": {"type": "int", "rows": [9], "values": [1]}}}, "'rows of flops' has"),
        ({"attributes": {"type": {"type": "str", "rows": [1], "texts": ["a"], "values": [1]}}}, "'type' have an index"),
        ({"duration_ns": [2**70] * 4}, "too large|beyond|expected"),
        ({"kinds": None}, "kinds"),
    ],
)
def test_a_damaged_trace_is_named(change: dict[str, object], message: str) -> None:
    """A contradicting part is an error of one line that names it."""
    content = json.loads(profile_bytes(calls(2)))
    content["runs"][0]["trace"] |= change
    with pytest.raises(InputError, match=message) as caught:
        profile_from(json.dumps(content).encode(), Path("p.json"))
    assert "\n" not in str(caught.value)


def test_what_was_read_is_read_only() -> None:
    """A trace that was read can be changed by ``with_columns`` alone, as every trace."""
    trace = profile_from(profile_bytes(calls(1)), Path("p.json")).runs[0].trace
    assert not trace.start_ns.flags.writeable
    assert with_columns(trace, start_ns=trace.start_ns + 1).start_ns.tolist() == (trace.start_ns + 1).tolist()
