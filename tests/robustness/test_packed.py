"""Small files that ask for much when they are read: archives, profiles, zip files; in 2 GiB, 30 s and one line."""

import gzip
import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dlbricks import limits
from dlbricks.profile.file import profile_bytes
from dlbricks.profile.open import read_any
from tests.robustness.driver import Limits, called
from tests.robustness.test_hostile import LIMITS, TRACES, deep, fine, zipped

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def test_bundles_that_unpack_to_much(tmp_path: Path) -> None:
    """A Parquet file of some KB with a column of a billion bytes is no bundle."""
    schema = pa.schema({"name": pa.string()}, metadata={"format": "dlbricks-validation-archive"})
    large = pa.table({"name": ["x" * (1 << 20)] * 512}, schema=schema)
    pq.write_table(large, tmp_path / "given.parquet", compression="zstd")
    assert (tmp_path / "given.parquet").stat().st_size < 1 << 20
    network = Path(__file__).parents[1] / "data" / "tutorial.onnx"
    outcome = called(["estimate", network, "--system", "x", "--bundle", tmp_path / "given.parquet"], LIMITS)
    fine(outcome)
    assert (outcome.code, "not a bundle" in outcome.reason) == (2, True), outcome


RUN = '{"cat":"Session","pid":1,"tid":1,"dur":9,"ts":0,"ph":"X","name":"model_run","args":{}}'


def node(thread: int = 1, begin: Any = 1, name: str = "a") -> str:
    """One node of a profile of onnxruntime."""
    return (
        f'{{"cat":"Node","pid":1,"tid":{thread},"dur":1,"ts":{begin},"ph":"X","name":"{name}_kernel_time",'
        '"args":{"op_name":"Conv","provider":"CPUExecutionProvider"}}'
    )


def listed(*events: str, behind: bytes = b"]") -> bytes:
    """Give a profile of a call and events."""
    return ("[" + ",\n".join([RUN, *events])).encode() + behind


PROFILES: dict[str, Callable[[], bytes]] = {
    "deep": lambda: listed(behind=b',{"cat":"Node","args":' + deep(10**6) + b"}]"),
    "deep without end": lambda: listed(behind=b',{"cat":"Node","args":' + b'{"a":' * 10**6),
    "names without end": lambda: listed(behind=b',\n{"cat":"Node",' + b'"name":"' * 10**6 + b"\n]"),
    "a name without end": lambda: listed(behind=b',\n{"cat":"Node","name":"' + b'","args" : ' * 10**6 + b"\n]"),
    "many lists": lambda: listed(behind=b",[]" * (50 << 20) + b"]"),
    "packed lists": lambda: gzip.compress(listed(behind=b",[]" * (50 << 20) + b"]"), 1, mtime=0),
    "beyond a float": lambda: listed(node(begin="1e400")),
    "long integer": lambda: listed(node(begin="9" * 5000)),
    "beyond 64 bits": lambda: listed(node(begin=2**70)),
    "many threads": lambda: listed(*(node(thread=number) for number in range(20_000))),
    "escapes": lambda: listed(node(name="\\u001b[31mred")),
    "lone surrogate": lambda: listed(node(name="\\ud800")),
}


@pytest.mark.parametrize("name", PROFILES)
def test_profiles_of_onnxruntime_made_to_do_harm(name: str, tmp_path: Path) -> None:
    """Depth, quotes, values without number and times beyond all: read or refused."""
    given = tmp_path / "given.json"
    given.write_bytes(PROFILES[name]())
    for verb in ("analyse", "whatif"):
        fine(called([verb, given, *(["--apply", "scale:0.5"] if verb == "whatif" else [])], LIMITS))


@pytest.mark.parametrize("spans", [2**62, 2**40, limits.PROFILE_SPANS + 1])
def test_a_profile_of_equal_spans_without_number(spans: int, tmp_path: Path) -> None:
    """A column of equal numbers is one number in the file: 2 KB that would become any number of spans."""
    recorded = tmp_path / "recorded.json.gz"
    recorded.write_bytes(TRACES["launches"](10))
    document = json.loads(profile_bytes(read_any(recorded)))
    columns = dict.fromkeys(("level", "role", "kind", "name", "lane", "duration_ns", "parent", "correlation"), 0)
    document["runs"][0]["trace"] |= {**columns, "start_ns": 1, "spans": spans, "attributes": {}}
    given = tmp_path / "given.json"
    given.write_text(json.dumps(document))
    outcome = called(["analyse", given], LIMITS)
    fine(outcome)
    assert outcome.code == 2, outcome


def members(count: int, *, zip64: bool) -> bytes:
    """A zip file that lists so many empty files, all at the same place."""
    directory = (b"PK\x01\x02" + bytes(24) + struct.pack("<H", 1) + bytes(16) + b"a") * count
    end = b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, 9, 9, 1 if zip64 else len(directory), 0, 0)
    if not zip64:
        return directory + end
    larger = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, count, count, len(directory), 0)
    return directory + larger + b"PK\x06\x07" + struct.pack("<IQI", 0, len(directory), 1) + end


@pytest.mark.parametrize("zip64", [False, True])
def test_a_zip_file_of_very_many_members(zip64: bool, tmp_path: Path) -> None:
    """Its list is not read: ``zipfile`` makes an object of some 500 bytes of each before anything is asked."""
    given = tmp_path / "given.zip"
    given.write_bytes(members(1_000_000, zip64=zip64))
    (tmp_path / "answer.json").write_text('{"format": "dlbricks-challenge-answer"}')
    calls: tuple[list[str | Path], ...] = (
        ["extract", given, "0"],
        ["challenge", "verify", given, tmp_path / "answer.json"],
    )
    for arguments in calls:
        outcome = called(arguments, Limits(seconds=5, memory_bytes=256 << 20))
        fine(outcome)
        assert (outcome.code, "too many files" in outcome.reason) == (2, True), outcome


def test_a_challenge_with_two_files_of_one_name(tmp_path: Path) -> None:
    """Two readers may see two challenges: refused."""
    given = tmp_path / "given.zip"
    given.write_bytes(zipped(("challenge.json", b"{}"), ("challenge.json", b"{}")))
    (tmp_path / "answer.json").write_text('{"format": "dlbricks-challenge-answer"}')
    outcome = called(["challenge", "verify", given, tmp_path / "answer.json"], LIMITS)
    fine(outcome)
    assert (outcome.code, "two of its files have the same name" in outcome.reason) == (2, True), outcome
